// Good input for every operation of the service: a day in the shop, with every parameter used at least once.
import assert from 'node:assert/strict'

/** Preconditions that hold for every existing record. */
const unchanged = { 'If-Match': '*', 'If-None-Match': '"other"', Prefer: 'delay=1' }

const key = { Authorization: 'Bearer demo-key' }

/** Sends the day's requests by `good`, see `Judge.goodIn`. */
export async function goodInput(good) {
  await good('getHealth', {}, 200, ({ body }) => assert.equal(body.status, 'ok'))
  const category = await categories(good)
  const pet = await pets(good, category)
  await inventory(good, pet)
  await orders(good, pet)
  await messages(good)
  await good('deletePet', { params: { petId: pet }, headers: unchanged }, 204)
  await good('deleteCategory', { params: { categoryId: category }, headers: unchanged }, 204)
}

async function categories(good) {
  await list(good, 'listCategories', { limit: 2, offset: 1, sort: '-name', name: 'a' })
  const snakes = { name: 'Snakes', description: 'Long and quiet' }
  const id = await create(good, 'createCategory', snakes)
  const params = { categoryId: id }
  const etag = await read(good, 'getCategory', params, { id, ...snakes })
  const replaced = await write(good, 'replaceCategory', params, { name: 'Lizards' }, etag, { id, name: 'Lizards' })
  await patch(good, 'updateCategory', params, { description: 'Quick' }, replaced, { id, name: 'Lizards', description: 'Quick' })
  await good('updateCategory', { params, body: { description: null } }, 200, equals({ id, name: 'Lizards' }))
  return id
}

async function pets(good, categoryId) {
  const query = { limit: 2, sort: '-id', id: [1, 2, 3], status: ['available', 'pending', 'sold'], categoryId: [1, 2, 3, 4, 5, 6, 7, 8] }
  await list(good, 'listPets', { ...query, offset: 1, name: 'a' })
  await good('listPets', { query }, 200, ({ body, headers }) => {
    assert.deepEqual(body.map(({ id }) => id), [3, 2])
    assert.equal(headers.get('x-total-count'), '3')
    assert.match(headers.get('link'), /rel="next"/)
  })
  await good('listPets', { query: { id: [0, -1], categoryId: [0] } }, 200, equals([]))
  const id = await create(good, 'createPet', { name: 'Slim', categoryId }, { status: 'available' })
  const params = { petId: id }
  const etag = await read(good, 'getPet', params, { id, name: 'Slim', categoryId, status: 'available' }, isDeprecated)
  const photo = await good('getPetPhoto', { params, headers: { 'If-Match': '*', Prefer: 'delay=1' } }, 200, ({ text, type }) => {
    assert.equal(type, 'image/svg+xml')
    assert.match(text, /<title>Pet \d+, an? .+<\/title>/)
  })
  await good('getPetPhoto', { params, headers: { 'If-None-Match': photo.headers.get('etag') } }, 304)
  const sold = { name: 'Jim', categoryId, status: 'sold' }
  const replaced = await write(good, 'replacePet', params, sold, etag, { id, ...sold })
  await patch(good, 'updatePet', params, { name: 'Joe' }, replaced, { id, ...sold, name: 'Joe' })
  await good('updatePet', { params, body: { status: null } }, 200, equals({ id, categoryId, name: 'Joe', status: 'available' }))
  return id
}

async function inventory(good, petId) {
  await list(good, 'listInventory', { limit: 2, offset: 1, sort: '-quantity', status: 'available', maxQuantity: 1000 })
  const params = { petId }
  const etag = await read(good, 'getInventoryItem', params, { petId, quantity: 0, status: 'available' })
  await write(good, 'updateInventory', params, { quantity: 24 }, etag, { petId, quantity: 24, status: 'available' })
}

async function orders(good, petId) {
  await list(good, 'listOrders', { limit: 2, offset: 1, sort: 'shipDate', petId: 1, complete: true })
  await good('listOrders', { query: { petId: 0 } }, 200, equals([]))
  await create(good, 'createOrder', {}, { quantity: 1, complete: false })
  const order = { petId, quantity: 2, shipDate: '2026-03-14T09:30:00.000Z' }
  const id = await create(good, 'createOrder', order, { complete: false })
  const params = { orderId: id }
  const etag = await read(good, 'getOrder', params, { id, ...order, complete: false })
  const replaced = await write(good, 'replaceOrder', params, { petId, complete: true }, etag, { id, petId, quantity: 1, complete: true })
  await patch(good, 'updateOrder', params, { petId: null, quantity: 3 }, replaced, { id, quantity: 3, complete: true })
  await good('deleteOrder', { params, headers: unchanged }, 204)
}

async function messages(good) {
  const id = await create(good, 'createMessage', { message: 'Is Joe still there?' }, {}, key)
  await list(good, 'listMessages', { limit: 2, offset: 0, sort: '-createdAt' }, key)
  const { headers } = await good('getMessage', { params: { messageId: id }, headers: { ...key, Prefer: 'delay=1' } }, 200)
  await good('getMessage', { params: { messageId: id }, headers: { ...key, 'If-Match': '*', 'If-None-Match': headers.get('etag') } }, 304)
}

// The tests that all resources share.

async function list(good, operation, query, headers) {
  await good(operation, { headers }, 200, ({ body, headers }) => {
    assert.ok(Number(headers.get('x-total-count')) >= body.length)
  })
  const page = await good(operation, { query, headers: { ...headers, Prefer: 'delay=1' } }, 200, ({ body, headers }) => {
    assert.ok(body.length <= query.limit)
    assert.equal(headers.get('preference-applied'), 'delay=1')
  })
  const etag = page.headers.get('etag')
  await good(operation, { query, headers: { ...headers, 'If-Match': etag, 'If-None-Match': etag } }, 304)
}

/** Sends a creation twice with one idempotency key, checks that one record is created, and returns its id. */
async function create(good, operation, body, defaults = {}, headers = {}) {
  const once = { body, headers: { ...headers, 'Idempotency-Key': `"${crypto.randomUUID().padEnd(255, 'x')}"`, Prefer: 'delay=1' } }
  const first = await good(operation, once, 201, ({ body: answer, headers }) => {
    assert.equal(headers.get('idempotency-replayed'), null)
    assert.ok(headers.get('location').endsWith(`/${answer.id}`))
    for (const [name, value] of Object.entries({ ...body, ...defaults })) assert.deepEqual(answer[name], value, name)
  })
  await good(operation, once, 201, ({ body, headers }) => {
    assert.equal(headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(body, first.body)
  })
  return first.body.id
}

/** Reads a record, then again with its ETag, and returns the ETag. */
async function read(good, operation, params, expected, check = () => {}) {
  const { headers } = await good(operation, { params, headers: { Prefer: 'delay=1' } }, 200, (answer) => {
    equals(expected)(answer)
    check(answer)
  })
  const etag = headers.get('etag')
  await good(operation, { params, headers: { 'If-Match': etag, 'If-None-Match': etag } }, 304, check)
  return etag
}

/** Replaces a record if it still has `etag`, and returns its new ETag. */
async function write(good, operation, params, body, etag, expected) {
  const { headers } = await good(operation, { params, body, headers: { ...unchanged, 'If-Match': etag } }, 200, equals(expected))
  return headers.get('etag')
}

/** Patches a record, with each of the two media types. */
async function patch(good, operation, params, body, etag, expected) {
  const isBeta = ({ headers }) => assert.equal(headers.get('x-stability'), 'beta')
  const headers = { 'Content-Type': 'application/merge-patch+json', ...unchanged, 'If-Match': etag }
  await good(operation, { params, body, headers }, 200, equals(expected))
  await good(operation, { params, body }, 200, isBeta)
}

function equals(expected) {
  return ({ body }) => assert.deepEqual(body, expected)
}

function isDeprecated({ headers }) {
  assert.match(headers.get('deprecation'), /^@\d+$/)
  assert.match(headers.get('sunset'), / GMT$/)
  assert.match(headers.get('link'), /rel="deprecation".*rel="successor-version"/)
  assert.match(headers.get('warning'), /^299 - "getPet /)
}
