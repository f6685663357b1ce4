// Bad input for every operation of the admin API.
import assert from 'node:assert/strict'
import { badSandboxNames, brokenBodies } from './bad.mjs'
import { contents } from './sandboxes.mjs'

const admin = { Authorization: 'Bearer conformance-admin' }
const nowhere = 'nowhere'

/** Origins of foreign pages, some of which resemble one of ours. */
const foreignOrigins = ['https://petstore.example', 'http://127.0.0.1.evil.example', 'http://localhost.evil.example', 'http://127.0.0.1@evil.example', 'null']

/** For each operation that takes a body: a valid one, and invalid ones as [change, the invalid field]. */
const bodies = {
  resetSandbox: { sample: { seed: 1 }, optional: true, faults: baselineFaults() },
  createSandbox: { sample: { seed: 1 }, optional: true, faults: sandboxFaults() },
  makeSandbox: { sample: { seed: 1 }, optional: true, faults: sandboxFaults() },
  undoWrites: {
    sample: { steps: 1 },
    optional: true,
    faults: [[{ steps: 0 }, '/steps'], [{ steps: -1 }, '/steps'], [{ steps: 1.5 }, '/steps'], [{ steps: '1' }, '/steps']],
  },
  setClock: {
    sample: { frozen: true },
    faults: [
      [{ now: 'tomorrow' }, '/now'],
      [{ now: 1773480600 }, '/now'],
      [{ frozen: 'yes' }, '/frozen'],
      [{ advance: 'a while' }, '/advance'],
      [{ advance: 72 }, '/advance'],
      [{ advance: '72h', now: '2031-01-01T00:00:00Z' }, '/advance'],
      [{ advance: '3000000h' }, '/advance'],
      [{ frozen: undefined }, '/now'],
    ],
  },
  setLifecycle: {
    sample: { deprecated: true },
    params: { operationId: 'createPet' },
    faults: [
      [{ deprecated: 'yes' }, '/deprecated'],
      [{ deprecatedSince: 'soon' }, '/deprecatedSince'],
      [{ deprecatedSince: '2026-13-01' }, '/deprecatedSince'],
      [{ sunset: 'later' }, '/sunset'],
      [{ deprecatedSince: '2026-06-30', sunset: '2026-04-01' }, '/sunset'],
      [{ deprecated: false, sunset: '2026-06-30' }, '/sunset'],
      [{ successor: 'https://elsewhere.example/' }, '/successor'],
      [{ successor: '/pets?id={nothing}' }, '/successor'],
      [{ stability: 'alpha' }, '/stability'],
      [{ enforceSunset: 1 }, '/enforceSunset'],
      [{ brownout: 1.5 }, '/brownout'],
      [{ brownout: -0.1 }, '/brownout'],
    ],
  },
  changeLifecycle: {
    sample: { enforceSunset: true },
    params: { operationId: 'getPet' },
    faults: [[{ enforceSunset: 1 }, '/enforceSunset'], [{ sunset: 'later' }, '/sunset'], [{ sunset: '2025-06-30' }, '/sunset'], [{ brownout: 2 }, '/brownout']],
  },
  createFault: { sample: { status: 503 }, faults: ruleFaults() },
  replaceFaults: { sample: [{ status: 503 }], faults: ruleFaults() },
  forkSandbox: {
    sample: { name: 'copy' },
    params: { sandboxName: 'default' },
    faults: [[{ name: '*' }, '/name'], [{ name: 'a'.repeat(201) }, '/name'], [{ name: '' }, '/name'], [{ name: 7 }, '/name'], [{ name: undefined }, '/name'], [{ at: 0 }, '/at'], [{ at: '1' }, '/at']],
  },
  setWebhook: {
    sample: { url: 'http://127.0.0.1:9/' },
    params: { webhookName: 'conformance' },
    faults: [
      ...[undefined, 7, '', 'ftp://127.0.0.1/', 'http://petstore.example/', 'http://127.0.0.1@petstore.example/', 'http://127.0.0.1/#'].map((url) => [{ url }, '/url']),
      [{ events: [] }, '/events'],
      [{ events: '*' }, '/events'],
      [{ events: Array(21).fill('*') }, '/events'],
      [{ events: ['pet.created', 'pet.sold'] }, '/events/1'],
      ...['', 7, 'secret', 'whsec_c2hvcnQ='].map((secret) => [{ secret }, '/secret']),
    ],
  },
  setWorkshop: {
    sample: { open: true },
    faults: [[{ title: 7 }, '/title'], [{ title: 'a'.repeat(101) }, '/title'], [{ open: 'yes' }, '/open'], [{ limit: 0 }, '/limit'], [{ limit: 1.5 }, '/limit'], [{ limit: '60' }, '/limit'], [{ limit: 10_000 }, '/limit']],
  },
  joinWorkshop: {
    sample: { name: 'Ada Lovelace' },
    faults: [[{ name: 7 }, '/name'], [{ name: undefined }, '/name'], [{ name: 'a'.repeat(201) }, '/name']],
  },
  setTemplate: {
    sample: { from: 'default' },
    faults: [[{ from: '*' }, '/from'], [{ from: 'a'.repeat(201) }, '/from'], [{ from: '' }, '/from'], [{ from: 7 }, '/from'], [{ from: undefined }, '/from']],
  },
  sendMcpMessage: {
    sample: { jsonrpc: '2.0', id: 1, method: 'ping' },
    faults: [[{ jsonrpc: '1.0' }, '/jsonrpc'], [{ method: 7 }, '/method'], [{ method: undefined }, '/method'], [{ id: {} }, '/id'], [{ params: [] }, '/params']],
  },
  importState: { sample: { categories: [{ id: 1, name: 'Dogs' }] }, faults: stateFaults() },
  importWorld: { sample: { format: 1, baseline: { categories: [{ id: 1, name: 'Dogs' }] }, state: {} }, faults: worldFaults() },
}

function sandboxFaults() {
  return [...baselineFaults(), [{ key: 'two words' }, '/key'], [{ key: 'k'.repeat(201) }, '/key'], [{ key: '', private: true }, '/key'], [{ private: 'yes' }, '/private']]
}

function baselineFaults() {
  return [
    [{ seed: -1 }, '/seed'],
    [{ seed: 'x' }, '/seed'],
    [{ seed: 1.5 }, '/seed'],
    [{ pets: '10' }, '/pets'],
    [{ pets: -1 }],
    [{ orders: -1 }],
    [{ categories: 0, pets: 1 }],
    [{ pets: 0, orders: 1 }],
  ]
}

function ruleFaults() {
  return [
    [{ probability: 1.5 }, '/probability'],
    [{ probability: 'often' }, '/probability'],
    [{ times: 0 }, '/times'],
    [{ times: 1.5 }, '/times'],
    [{ status: 99 }, '/status'],
    [{ status: 600 }, '/status'],
    [{ status: '503' }, '/status'],
    [{ abort: 'reset' }, '/abort'],
    [{ status: undefined, abort: 'explode' }, '/abort'],
    [{ status: undefined, code: 'lonely' }, '/code'],
    [{ when: 'during' }, '/when'],
    [{ delay: {} }, '/delay'],
    [{ delay: 200 }, '/delay'],
    [{ delay: { fixedMs: -1 } }, '/delay/fixedMs'],
    [{ delay: { fixedMs: 600_001 } }, '/delay/fixedMs'],
    [{ delay: { p50Ms: 80 } }, '/delay/p99Ms'],
    [{ delay: { p50Ms: 80, p99Ms: 20 } }, '/delay/p99Ms'],
    [{ delay: { fixedMs: 1, p50Ms: 80, p99Ms: 200 } }, '/delay'],
    [{ delay: { fixed: 1 } }, '/delay/fixed'],
    [{ match: { operationId: nowhere } }, '/match/operationId'],
    [{ match: { operationId: 'getHealth' } }, '/match/operationId'],
    [{ match: { method: 'BREW' } }, '/match/method'],
    [{ match: { path: 'pets' } }, '/match/path'],
    [{ match: { path: '/**/pets' } }, '/match/path'],
    [{ match: { headers: { 'X Client': 'web' } } }, '/match/headers/X Client'],
    [{ match: { header: {} } }, '/match/header'],
    [{ headers: { 'Content-Length': '7' } }, '/headers/Content-Length'],
    [{ headers: { 'X-Client': 7 } }, '/headers/X-Client'],
  ]
}

function stateFaults() {
  const pet = { id: 1, name: 'Rex', categoryId: 1 }
  return [
    [{ categories: {} }, '/categories'],
    [{ categories: [{ id: 0, name: 'Dogs' }] }, '/categories/0/id'],
    [{ categories: [{ id: 1 }] }, '/categories/0/name'],
    [{ categories: [{ id: 1, name: 'Dogs', kind: 'pet' }] }, '/categories/0/kind'],
    [{ categories: [{ id: 1, name: 'Dogs' }, { id: 1, name: 'Cats' }] }, '/categories/1/id'],
    [{ pets: [{ ...pet, categoryId: 99 }] }, '/pets/0/categoryId'],
    [{ pets: [{ ...pet, status: 'lost' }] }, '/pets/0/status'],
    [{ pets: [pet, 'Misty'] }, '/pets/1'],
    [{ inventory: [{ petId: 1, quantity: 1 }] }, '/inventory/0/petId'],
    [{ pets: [pet], inventory: [{ petId: 1, quantity: -1 }] }, '/inventory/0/quantity'],
    [{ orders: [{ id: 1, petId: 1 }] }, '/orders/0/petId'],
    [{ orders: [{ id: 1, shipDate: 'soon' }] }, '/orders/0/shipDate'],
    [{ messages: [{ id: 1, message: 'Hello' }] }, '/messages/0/createdAt'],
    [{ pets: [pet], next: { pet: 1 } }, '/next/pet'],
    [{ next: [] }, '/next'],
  ]
}

function worldFaults() {
  const snapshot = { name: 'before', createdAt: '2026-01-01T00:00:00Z', state: {} }
  return [
    [{ format: undefined }, '/format'],
    [{ format: 2 }, '/format'],
    [{ baseline: undefined }, '/baseline'],
    [{ baseline: { pets: [{ id: 1, name: 'Rex', categoryId: 99 }] } }, '/baseline/pets/0/categoryId'],
    [{ baseline: undefined, generator: 'older', generated: { pets: 1, categories: 1, orders: 0 } }, '/generator'],
    [{ seed: -1 }, '/seed'],
    [{ draw: 0 }, '/draw'],
    [{ clock: { now: 'noon' } }, '/clock/now'],
    [{ operations: { getPets: {} } }, '/operations/getPets'],
    [{ faults: [{ status: 99 }] }, '/faults/0/status'],
    [{ serverFaults: [{ times: 0 }] }, '/serverFaults/0/times'],
    [{ nextFault: 0 }, '/nextFault'],
    [{ state: undefined }, '/state'],
    [{ state: { removed: { pets: [1] } } }, '/state/removed/pets/0'],
    [{ snapshots: [{ ...snapshot, state: undefined }] }, '/snapshots/0/state'],
    [{ snapshots: [{ ...snapshot, name: 'Not one' }] }, '/snapshots/0/name'],
    [{ snapshots: [snapshot, snapshot] }, '/snapshots/1/name'],
    [{ snapshots: [{ ...snapshot, state: { pets: [{}] } }] }, '/snapshots/0/state/pets/0/id'],
  ]
}

/** Invalid values of query parameters. */
const badQueries = {
  data: ['yes', '', ['true', 'true']],
  draw: ['0', '-1', 'next', '9007199254740992', '', ['1', '2']],
  at: ['0', '-1', 'now', '9007199254740992', '', ['1', '2']],
  before: ['yes', '', ['true', 'true']],
  changes: ['yes', '', ['true', 'true']],
  only: ['colour', 'data,', 'data,colour', '', ['data', 'clock']],
  baseline: ['yes', '', ['true', 'true']],
  format: ['yaml', '', ['json', 'json']],
  operationId: [nowhere, '', ['createPet', 'getPet']],
  method: ['', ['GET', 'POST']],
  path: ['pets', '/**/pets', '/p*', ''],
  status: ['-1', '600', '6xx', 'ok', ''],
  order: ['up', 'DESC', '', ['asc', 'desc']],
  since: ['-1', 'now', ''],
  limit: ['0', '1001', 'all', ''],
  offset: ['-1', 'all', ''],
  name: ['', ['a', 'b']],
  sort: ['seed', '--name', '', ['name', 'title']],
  name: ['', ['a', 'b']],
  state: ['gone', '', ['failed', 'failed']],
  event: ['pet.sold', 'pet.*', ''],
  count: ['0', 'many', ''],
  wait: ['5', 'long', '-1s', '61s', '', ['1s', '1s']],
  // A malformed name is only an unknown snapshot.
  from: ['', ['a', 'b']],
  // A server without a key ignores it; badAccess tests it on one with a key.
  access_token: [],
}

/** Invalid values of path parameters, as [value, status, code]. */
const badParams = {
  sandboxName: [[nowhere, 404, 'not_found']],
  snapshotName: [[nowhere, 404, 'not_found']],
  webhookName: [[nowhere, 404, 'not_found'], ['Ada!', 400, 'invalid_parameter']],
  deliveryId: [['abc', 400, 'invalid_parameter'], ['4000000000', 404, 'not_found'], ['-1', 404, 'not_found']],
  operationId: [[nowhere, 404, 'not_found'], ['createpet', 404, 'not_found'], ['resetSandbox', 404, 'not_found']],
  faultId: [['abc', 400, 'invalid_parameter'], ['1.5', 400, 'invalid_parameter'], ['4000000000', 404, 'not_found'], ['0', 404, 'not_found'], ['-1', 404, 'not_found']],
}
/** Invalid names of a PUT, which creates what it names. */
const badNames = {
  keepSnapshot: ['Ada!', '-ada', 'a'.repeat(64)].map((name) => [name, 400, 'invalid_parameter']),
  setWebhook: ['Ada!', '-ada', 'a'.repeat(64)].map((name) => [name, 400, 'invalid_parameter']),
  makeSandbox: badSandboxNames.map((name) => [name, 400, 'invalid_parameter']),
}

const badHeaders = {
  'X-Sandbox': badSandboxNames.map((name) => [name, 400, 'invalid_parameter']),
  'If-Match': [['unquoted', 400, 'invalid_parameter']],
  'If-None-Match': [['unquoted', 400, 'invalid_parameter']],
  'Last-Event-ID': [['last', 400, 'invalid_parameter'], ['-1', 400, 'invalid_parameter']],
}

export async function badAdminInput(judge, { origin, guarded }) {
  const before = await everything(origin)
  for (const [id, operation] of judge.operations) {
    const { sample: body, params } = bodies[id] ?? {}
    const bad = (request, ...expected) => judge.bad(id, origin, { body, ...request, params: { ...params, ...request.params } }, ...expected)
    await badAccess(judge, id, origin, guarded)
    await badParameters(bad, id, operation)
    if (body) await badBodies(bad, id)
  }
  await judge.bad('listSandboxes', origin, { headers: { 'If-Match': '"0"' } }, 412, 'precondition_failed', 'If-Match')
  await judge.bad('diffState', origin, { query: { from: nowhere } }, 404, 'not_found')
  await judge.bad('exportState', origin, { query: { at: 9007199254740991 } }, 404, 'not_found')
  await judge.bad('forkSandbox', origin, { params: { sandboxName: 'default' }, body: { name: 'copy', at: 9007199254740991 } }, 404, 'not_found')
  await judge.bad('undoWrites', origin, { body: { steps: 1000 } }, 409, 'conflict')
  await judge.bad('dropSandbox', origin, { params: { sandboxName: 'default' } }, 409, 'conflict')
  await judge.bad('forkSandbox', origin, { params: { sandboxName: 'default' }, body: { name: 'default' } }, 409, 'conflict')
  await judge.bad('setTemplate', origin, { body: { from: nowhere } }, 404, 'not_found')
  await judge.bad('resetSandbox', origin, { query: { only: 'clock' }, body: { seed: 7 } }, 400, 'invalid_parameter', 'only')
  await judge.bad('importState', origin, { body: ' '.repeat(64 << 20) + '{}' }, 413, 'payload_too_large')

  const after = await everything(origin)
  judge.check('bad input changed nothing', () => assert.deepEqual(after, before))
}

/** Tests rejected callers: foreign hosts, proxies, foreign pages, and those without the key. Then an unknown parameter. */
async function badAccess(judge, id, origin, guarded) {
  const { method, parameters } = judge.operations.get(id)
  const anybody = ['getDoor', 'joinWorkshop'].includes(id) // joinWorkshop still rejects foreign pages
  const changes = method !== 'GET' || parameters.some(({ name }) => name === 'access_token') // streams are checked like changes
  for (const headers of anybody ? [] : [{ Host: 'petstore.example' }, { Via: '1.1 proxy' }, { 'X-Forwarded-For': '203.0.113.7' }]) {
    await judge.bad(id, origin, { headers }, 403, 'forbidden')
  }
  if (changes) {
    for (const Origin of foreignOrigins) await judge.bad(id, origin, { headers: { Origin } }, 403, 'forbidden')
  }
  if (!anybody) {
    await judge.bad(id, guarded, {}, 401, 'unauthorized')
    await judge.bad(id, guarded, { headers: { Authorization: 'Bearer conformance' } }, 401, 'unauthorized')
  }
  const { sample: body, params } = bodies[id] ?? {}
  await judge.bad(id, guarded, { body, params, headers: admin, query: { colour: 'red' } }, 400, 'invalid_parameter', 'colour')
  if (changes) {
    await judge.bad(id, origin, { headers: { 'Sec-Fetch-Site': 'cross-site' } }, 403, 'forbidden')
  }
  if (judge.operations.get(id).parameters.some(({ name }) => name === 'access_token')) {
    await judge.bad(id, guarded, { query: { access_token: 'conformance' } }, 401, 'unauthorized')
    await judge.bad(id, guarded, { headers: admin, query: { access_token: 'conformance-admin' } }, 400, 'invalid_parameter', 'access_token')
  }
}

async function badParameters(bad, id, { parameters }) {
  for (const { name, in: place } of parameters) {
    if (place === 'path') {
      for (const [value, ...expected] of badNames[id] ?? badParams[name]) await bad({ params: { [name]: value } }, ...expected)
    }
    if (place === 'query') {
      for (const value of badQueries[name]) await bad({ query: { [name]: value } }, 400, 'invalid_parameter', name)
      if (badQueries[name].length > 0) await bad({ query: `${name}=%zz` }, 400, 'invalid_parameter', name)
    }
    if (place === 'header') {
      for (const [value, ...expected] of badHeaders[name]) await bad({ headers: { [name]: value } }, ...expected, name)
    }
  }
}

async function badBodies(bad, id) {
  const { sample, optional, faults } = bodies[id]
  const list = Array.isArray(sample)
  const spoilt = (change) => (list ? [{}, { ...sample[0], ...change }] : { ...sample, ...change })
  for (const [change, field] of faults) {
    await bad({ body: spoilt(change) }, 400, 'validation_failed', field && (list ? `/1${field}` : field))
  }
  await bad({ body: spoilt({ colour: 'red' }) }, 400, 'validation_failed', list ? '/1/colour' : '/colour')
  for (const body of brokenBodies) {
    if (body === '' && optional) continue
    await bad({ body: list ? body.replace('[]', '{"a":1}') : body }, 400, 'invalid_json')
  }
  await bad({ headers: { 'Content-Type': 'text/plain' } }, 415, 'unsupported_media_type')
  await bad({ body: 'seed=1', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }, 415, 'unsupported_media_type')
  if (!id.startsWith('import')) await bad({ body: spoilt({ padding: 'x'.repeat(1 << 20) }) }, 413, 'payload_too_large')
}

/** Returns everything in the default sandbox, and the names of all sandboxes. */
async function everything(origin) {
  const nouns = ['snapshots', 'operations', 'faults', 'sandboxes', 'webhooks']
  const all = nouns.map((noun) => fetch(`${origin}/admin/${noun}${noun === 'sandboxes' ? '?limit=1000' : ''}`).then((answer) => answer.json()))
  const [snapshots, operations, faults, sandboxes, webhooks] = await Promise.all(all)
  return {
    contents: await contents({ base: origin }),
    snapshots,
    operations: operations.map(({ calls, ...lifecycle }) => lifecycle),
    faults,
    sandboxes: sandboxes.map(({ name }) => name),
    webhooks,
  }
}
