// Bad input for every operation of the service. Tests of all operations are derived from the document; those of
// one operation are in the tables below.
import assert from 'node:assert/strict'
import { contents } from './sandboxes.mjs'

const key = { Authorization: 'Bearer demo-key' }
const nowhere = 4_000_000_000

/** A valid body for each operation that takes one. Each test makes one thing in it invalid. */
export const samples = {
  createPet: { name: 'Rex', categoryId: 1 },
  replacePet: { name: 'Rex', categoryId: 1 },
  updatePet: { name: 'Rex' },
  createCategory: { name: 'Snakes' },
  replaceCategory: { name: 'Snakes' },
  updateCategory: { name: 'Snakes' },
  createOrder: { petId: 1, quantity: 2 },
  replaceOrder: { petId: 1, quantity: 2 },
  updateOrder: { quantity: 2 },
  updateInventory: { quantity: 24 },
  createMessage: { message: 'Hello' },
}

/** Invalid fields, as [change to the sample, status, code, the invalid field]. */
const petFaults = [
  [{ name: '' }, 400, 'validation_failed', '/name'],
  [{ name: 7 }, 400, 'validation_failed', '/name'],
  [{ name: null }, 400, 'validation_failed', '/name'],
  [{ name: 'x'.repeat(256) }, 400, 'validation_failed', '/name'],
  [{ categoryId: '1' }, 400, 'validation_failed', '/categoryId'],
  [{ categoryId: 1.5 }, 400, 'validation_failed', '/categoryId'],
  [{ categoryId: null }, 400, 'validation_failed', '/categoryId'],
  ...[nowhere, 0, -1].map((categoryId) => [{ categoryId }, 422, 'unknown_category', '/categoryId']),
  [{ status: 'lost' }, 400, 'validation_failed', '/status'],
  [{ status: ['sold'] }, 400, 'validation_failed', '/status'],
]
const categoryFaults = [
  [{ name: '' }, 400, 'validation_failed', '/name'],
  [{ name: null }, 400, 'validation_failed', '/name'],
  [{ name: {} }, 400, 'validation_failed', '/name'],
  [{ description: 'x'.repeat(1001) }, 400, 'validation_failed', '/description'],
  [{ description: false }, 400, 'validation_failed', '/description'],
]
const orderFaults = [
  [{ petId: 'one' }, 400, 'validation_failed', '/petId'],
  ...[nowhere, 0, -1].map((petId) => [{ petId }, 422, 'unknown_pet', '/petId']),
  [{ quantity: 0 }, 400, 'validation_failed', '/quantity'],
  [{ quantity: '2' }, 400, 'validation_failed', '/quantity'],
  [{ shipDate: 'tomorrow' }, 400, 'validation_failed', '/shipDate'],
  [{ shipDate: 20260314 }, 400, 'validation_failed', '/shipDate'],
  [{ complete: 'yes' }, 400, 'validation_failed', '/complete'],
]
const otherId = [{ id: nowhere }, 400, 'validation_failed', '/id']
const fieldFaults = {
  createPet: petFaults,
  replacePet: [...petFaults, otherId, [{ name: undefined }, 400, 'validation_failed', '/name']],
  updatePet: [...petFaults, otherId],
  createCategory: categoryFaults,
  replaceCategory: [...categoryFaults, otherId, [{ name: undefined }, 400, 'validation_failed', '/name']],
  updateCategory: [...categoryFaults, otherId],
  createOrder: orderFaults,
  replaceOrder: [...orderFaults, otherId],
  updateOrder: [...orderFaults, otherId],
  updateInventory: [
    [{ quantity: -1 }, 400, 'validation_failed', '/quantity'],
    [{ quantity: 0.5 }, 400, 'validation_failed', '/quantity'],
    [{ quantity: undefined }, 400, 'validation_failed', '/quantity'],
  ],
  createMessage: [
    [{ message: '' }, 400, 'validation_failed', '/message'],
    [{ message: undefined }, 400, 'validation_failed', '/message'],
    [{ message: 'x'.repeat(4001) }, 400, 'validation_failed', '/message'],
  ],
}

/** Bodies that are not one JSON object, for every operation. */
export const brokenBodies = ['', '{"name":', '{} {}', '[]', 'null', '"text"', '{"a":1,"a":2}', '{"name":"\\ud800"}']

/** Invalid values of query parameters. */
const badQueries = {
  limit: ['0', '1001', 'many', '', '1.5', ['1', '2']],
  offset: ['-1', 'far', '', ['1', '2']],
  sort: ['colour', '', '--id', ['id', '-id']],
  id: ['one', '', ['1', 'two']],
  status: ['lost', ''],
  categoryId: ['dogs', ''],
  petId: ['rex', ''],
  complete: ['yes', ''],
  maxQuantity: ['-1', 'few', ''],
  name: ['', ['a', 'b']],
  // A server without a key ignores it; badAccess tests it on one with a key.
  access_token: [],
}

/** Invalid names of sandboxes, percent-encoded as in a header or a path. */
export const badSandboxNames = ['*', '%2A', '%00', '%FF', 'a'.repeat(201)]

/** Invalid values of header parameters, as [value, status, code]. */
const badHeaders = {
  'If-Match': [['"stale"', 412, 'precondition_failed'], ['unquoted', 400, 'invalid_parameter']],
  'If-None-Match': [['unquoted', 400, 'invalid_parameter']],
  'Idempotency-Key': [['k'.repeat(256), 400, 'invalid_parameter']],
  'Last-Event-ID': [['last', 400, 'invalid_parameter'], ['-1', 400, 'invalid_parameter'], ['1.5', 400, 'invalid_parameter']],
  'X-Sandbox': badSandboxNames.map((name) => [name, 400, 'invalid_parameter']),
  Prefer: [['code=503', 503, 'unavailable'], ['code=502', 502, 'bad_gateway'], ['code=maybe', 400, 'invalid_parameter'], ['delay=-1', 400, 'invalid_parameter']],
}

export async function badInput(judge, { origin, guarded }) {
  const before = await contents({ base: origin })
  for (const [id, operation] of judge.operations) {
    const body = samples[id]
    const bad = (request, ...expected) => judge.bad(id, origin, { body, ...request, headers: { ...key, ...request.headers } }, ...expected)
    await badParameters(bad, operation)
    if (body) await badBodies(bad, id)
    await badAccess(judge, id, origin, guarded)
  }
  await judge.bad('deleteCategory', origin, { params: { categoryId: 1 } }, 409, 'category_in_use')
  await reusedKeys(judge, origin)

  const after = await contents({ base: origin })
  judge.check('bad input changed nothing', () => assert.deepEqual(after, before))
}

async function badParameters(bad, { parameters }) {
  for (const { name, in: place } of parameters) {
    if (place === 'path') {
      for (const value of ['abc', '1.5', '99999999999999999999', '%20']) {
        await bad({ params: { [name]: value } }, 400, 'invalid_parameter', name)
      }
      // Valid ids of no record.
      for (const value of [nowhere, 0, -1]) await bad({ params: { [name]: value } }, 404, 'not_found')
    }
    if (place === 'query') {
      for (const value of badQueries[name]) await bad({ query: { [name]: value } }, 400, 'invalid_parameter', name)
      if (badQueries[name].length > 0) await bad({ query: `${name}=%zz` }, 400, 'invalid_parameter', name)
    }
    if (place === 'header') {
      for (const [value, ...expected] of badHeaders[name]) await bad({ headers: { [name]: value } }, ...expected)
    }
  }
}

async function badAccess(judge, id, origin, guarded) {
  const { security } = judge.operations.get(id)
  const request = { body: samples[id] }
  const withKey = { ...request, headers: { Authorization: 'Bearer conformance' } }
  const wrongKey = { ...request, headers: { Authorization: 'Bearer wrong' } }
  const unknownParameter = [{ ...withKey, query: { colour: 'red' } }, 400, 'invalid_parameter', 'colour']
  if (security.length === 0) {
    await judge.bad(id, guarded, wrongKey, 200)
    await judge.bad(id, guarded, ...unknownParameter)
    return
  }
  await judge.bad(id, guarded, request, 401, 'unauthorized')
  await judge.bad(id, guarded, wrongKey, 401, 'unauthorized')
  if (judge.operations.get(id).parameters.some(({ name }) => name === 'access_token')) {
    await judge.bad(id, guarded, { query: { access_token: 'wrong' } }, 401, 'unauthorized')
    await judge.bad(id, guarded, { query: { access_token: '' } }, 401, 'unauthorized')
    await judge.bad(id, guarded, { query: { access_token: ['conformance', 'conformance'] } }, 400, 'invalid_parameter', 'access_token')
    await judge.bad(id, guarded, { ...withKey, query: { access_token: 'conformance' } }, 400, 'invalid_parameter', 'access_token')
  }
  if (security.every((way) => way.bearerAuth)) await judge.bad(id, origin, request, 401, 'unauthorized')
  if (judge.operations.get(id).deprecated) {
    await judge.bad(id, guarded, withKey, 410, 'operation_sunset')
    return
  }
  await judge.bad(id, guarded, ...unknownParameter)
  if (samples[id]) {
    await judge.bad(id, guarded, { ...withKey, body: { ...samples[id], colour: 'red' } }, 400, 'validation_failed', '/colour')
  }
}

async function badBodies(bad, id) {
  for (const [change, ...expected] of fieldFaults[id]) await bad({ body: { ...samples[id], ...change } }, ...expected)
  for (const body of brokenBodies) await bad({ body }, 400, 'invalid_json')
  await bad({ body: samples[id], headers: { 'Content-Type': 'text/plain' } }, 415, 'unsupported_media_type')
  await bad({ body: 'name=Rex', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }, 415, 'unsupported_media_type')
  await bad({ body: { ...samples[id], padding: 'x'.repeat(1 << 20) } }, 413, 'payload_too_large')
}

/** Sends two different bodies with one idempotency key, and deletes the created records. */
async function reusedKeys(judge, origin) {
  const removal = { createPet: 'pets', createCategory: 'categories', createOrder: 'store/orders' }
  for (const [id, path] of Object.entries(removal)) {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': '"reused"' }
    const url = `${origin}${judge.operations.get(id).path}`
    const made = await fetch(url, { method: 'POST', headers, body: JSON.stringify(samples[id]) })
    await judge.bad(id, origin, { headers, body: { ...samples[id], more: true } }, 422, 'idempotency_key_reused')
    await fetch(`${origin}/${path}/${(await made.json()).id}`, { method: 'DELETE' })
  }
}
