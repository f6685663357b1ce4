// Good input for every operation of the admin API, with every parameter used at least once, and every example of a body
// in the document sent. `way` says how requests name the sandbox.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import harValidator from 'har-validator'
import { watch } from './streams.mjs'

export async function goodAdminInput(good, way, judge) {
  const service = client(way)
  await good('resetSandbox', {}, 200, ({ body, headers }) => {
    assert.deepEqual([body.sandbox, body.seed, body.undoable], [way.name, 1, 0])
    assert.equal(headers.get('x-sandbox'), way.name)
  })
  await good('getMetrics', {}, 200, ({ text }) => assert.match(text, /^petstore_sandboxes \d+$/m))
  await state(good, service, judge)
  await baselines(good, service, judge)
  await world(good, service, judge)
  await snapshots(good, service)
  await clock(good, service, judge)
  await lifecycle(good, service, judge)
  await faults(good, service, judge, way)
  await journal(good, service, judge, way)
  await webhooks(good, service, judge)
  await tools(good, judge)
  await sandboxes(good, judge, way)
  await watch(judge, 'streamAdminEvents', way.base, way.headers, { access_token: 'unneeded' })
  await good('resetSandbox', {}, 200)
  await good('resetSandbox', { query: { only: 'snapshots' } }, 200, ({ body }) => assert.equal(body.snapshots, 0))
}

/** Returns a function that sends requests to the service in the sandbox. */
function client({ base, headers }) {
  return async function send(method, path, body, more) {
    const options = { method, headers: { ...headers, ...more, 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
    const answer = await fetch(base + path, options)
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text && JSON.parse(text) }
  }
}

const rex = { name: 'Rex', categoryId: 1 }

async function tools(good, judge) {
  for (const body of judge.examplesOf('sendMcpMessage')) {
    await good('sendMcpMessage', { body }, 200, (answer) => assert.deepEqual([answer.body.id, answer.body.result.isError], [body.id, undefined]))
  }
  await good('listFaults', {}, 200, ({ body }) => assert.deepEqual(body.map(({ delay }) => delay), [{ fixedMs: 2000 }]))
  const call = (id, name) => ({ body: { jsonrpc: '2.0', id, method: 'tools/call', params: { name } } })
  await good('sendMcpMessage', call(4, 'clear_faults'), 200, ({ body }) => assert.deepEqual(body.result.structuredContent, { done: true }))
  await good('sendMcpMessage', call(5, 'fly'), 200, ({ body }) => assert.equal(body.error.code, -32602))
  await good('sendMcpMessage', { body: { jsonrpc: '2.0', method: 'notifications/initialized' } }, 202)
  await good('listFaults', {}, 200, ({ body }) => assert.deepEqual(body, []))
}

async function state(good, service, judge) {
  const { text: saved, body: { pets } } = await good('exportState', {}, 200)
  await service('DELETE', '/pets/1')
  await good('getAdmin', {}, 200, ({ body }) => assert.deepEqual([body.counts.pets, body.undoable], [pets.length - 1, 1]))
  await good('diffState', {}, 200, ({ body }) => {
    assert.deepEqual(body.pets, { added: [], changed: [], removed: [pets[0]] })
    assert.deepEqual(body.inventory.removed.map(({ petId }) => petId), [1])
  })
  const { body: { requests: [{ id }] } } = await good('listRequests', { query: { order: 'desc', limit: 1 } }, 200)
  await good('exportState', { query: { at: id } }, 200, ({ body }) => assert.equal(body.pets.length, pets.length - 1))
  await good('exportState', { query: { at: id, before: true } }, 200, ({ text }) => assert.equal(text, saved))
  await good('undoWrites', {}, 200, ({ body }) => assert.equal(body.undoable, 0))
  for (const _ of 'abc') await service('POST', '/pets', rex)
  for (const body of judge.examplesOf('undoWrites')) {
    await service('POST', '/pets', rex)
    await good('undoWrites', { body }, 200)
  }
  await good('diffState', {}, 200, ({ body }) => assert.equal(body.pets.added.length, 1))

  await good('importState', { body: JSON.parse(saved) }, 200, ({ body }) => assert.equal(body.counts.pets, pets.length))
  await good('exportState', {}, 200, ({ text }) => assert.equal(text, saved))
  for (const body of judge.examplesOf('importState')) {
    await good('importState', { body, query: { baseline: true } }, 200, (answer) => {
      assert.deepEqual([answer.body.counts.pets, answer.body.seed], [body.pets.length, null])
    })
    const pets = body.pets.map((pet) => ({ status: 'available', ...pet }))
    await good('exportState', {}, 200, (answer) => assert.deepEqual({ ...answer.body, ...body, pets }, answer.body))
  }
  await good('resetSandbox', {}, 200, ({ body }) => assert.equal(body.counts.pets, 0))
}

async function world(good, service, judge) {
  const { text: before } = await good('exportState', {}, 200)
  await service('POST', '/pets', rex)
  const { body: kept } = await good('exportWorld', { query: { data: true } }, 200)
  for (const body of judge.examplesOf('importWorld')) {
    await good('importWorld', { body, query: { draw: 7 } }, 200, (answer) => assert.equal(answer.body.undoable, 0))
    await good('exportWorld', {}, 200, (answer) => assert.deepEqual([answer.body.draw, answer.body.baseline.pets.length], [7, 1]))
  }
  await good('importWorld', { body: kept }, 200)
  await good('exportWorld', {}, 200, ({ body }) => assert.deepEqual(body.state, kept.state))
  await good('importState', { body: JSON.parse(before), query: { baseline: true } }, 200)
  await good('resetSandbox', {}, 200)
}

async function baselines(good, service, judge) {
  for (const body of judge.examplesOf('resetSandbox')) {
    await good('resetSandbox', { body }, 200, (answer) => {
      const { pets, seed } = { pets: answer.body.counts.pets, seed: answer.body.seed, ...body }
      assert.deepEqual([answer.body.counts.pets, answer.body.seed], [pets, seed])
    })
  }
  const fresh = { seed: 1, pets: 100, categories: 8, orders: 50 }
  await good('resetSandbox', { body: fresh, query: { only: 'data,faults' } }, 200, ({ body }) => {
    assert.deepEqual([body.seed, body.counts.pets, body.counts.categories, body.counts.orders], [1, 100, 8, 50])
  })
  await service('POST', '/pets', rex)
  await good('resetSandbox', { query: { only: 'clock' } }, 200, ({ body }) => assert.equal(body.counts.pets, 101))
  await good('resetSandbox', { query: { only: 'data,clock,faults,lifecycle,journal,report,keys,limit' } }, 200, ({ body }) => {
    assert.deepEqual([body.counts.pets, body.undoable], [100, 0])
  })
}

async function snapshots(good, service) {
  const params = { snapshotName: 'checkout' }
  await good('listSnapshots', {}, 200, ({ body }) => assert.deepEqual(body, []))
  const { body: kept } = await good('keepSnapshot', { params }, 201, ({ body }) => assert.equal(body.counts.pets, 100))
  await good('listSnapshots', {}, 200, ({ body }) => assert.deepEqual(body, [kept]))
  const { body: pet } = await service('POST', '/pets', rex)
  await good('listSnapshots', { query: { changes: 'true' } }, 200, ({ body }) => assert.equal(body[0].changes.pets.added, 1))
  await good('diffState', { query: { from: 'checkout' } }, 200, ({ body }) => assert.deepEqual(body.pets.added, [pet]))
  await good('resetSandbox', {}, 200, ({ body }) => assert.equal(body.snapshots, 1))
  await service('POST', '/pets', rex)
  await good('restoreSnapshot', { params }, 200, ({ body }) => assert.deepEqual([body.counts.pets, body.undoable], [100, 2]))
  await service('POST', '/pets', rex)
  await good('keepSnapshot', { params }, 200, ({ body }) => assert.equal(body.counts.pets, 101))
  await good('dropSnapshot', { params }, 204)
}

async function clock(good, service, judge) {
  await good('getClock', {}, 200, ({ body }) => assert.deepEqual([body.frozen, body.offsetSeconds], [false, 0]))
  for (const body of judge.examplesOf('setClock')) {
    await good('setClock', { body }, 200, (answer) => {
      if (body.now) assert.equal(Math.floor(Date.parse(answer.body.now) / 1000), Date.parse(body.now) / 1000)
      if ('frozen' in body) assert.equal(answer.body.frozen, body.frozen)
    })
  }
  await good('setClock', { body: { now: '2031-01-01T00:00:00Z', frozen: true } }, 200)
  await good('setClock', { body: { advance: '36h' } }, 200, ({ body }) => assert.deepEqual([body.now, body.frozen], ['2031-01-02T12:00:00Z', true]))
  const { body: message } = await service('POST', '/messages', { message: 'Hello' }, { Authorization: 'Bearer demo-key' })
  judge.check('createdAt is the time of the sandbox', () => assert.equal(message.createdAt, '2031-01-02T12:00:00Z'))
  await good('getAdmin', {}, 200, ({ body }) => assert.equal(body.clock.frozen, true))
  await good('releaseClock', {}, 204)
  await good('getClock', {}, 200, ({ body }) => assert.deepEqual([body.frozen, body.offsetSeconds], [false, 0]))
}

/** Retires createPet: it is deprecated, still called, and removed. */
async function lifecycle(good, service, judge) {
  const params = { operationId: 'createPet' }
  const caller = { 'User-Agent': 'conformance/1', 'X-Client': 'rehearsal' }
  const { body: before } = await good('listOperations', {}, 200, ({ body }) => {
    assert.ok(body.some(({ operationId }) => operationId === 'createPet'))
    assert.ok(body.every(({ changed }) => !changed))
  })
  for (const body of judge.examplesOf('setLifecycle')) await good('setLifecycle', { params, body }, 200, ({ body }) => assert.equal(body.changed, true))

  for (const body of judge.examplesOf('changeLifecycle')) await good('changeLifecycle', { params: { operationId: 'getPet' }, body }, 200)
  await good('resetLifecycle', { params: { operationId: 'getPet' } }, 204)

  const plan = { deprecated: true, deprecatedSince: '2026-04-01', sunset: '2026-06-30', successor: '/categories', enforceSunset: true }
  await good('setLifecycle', { params, body: plan }, 200, ({ body }) => assert.deepEqual({ ...body, ...plan }, body))
  await good('setClock', { body: { now: '2026-06-29T23:59:59Z', frozen: true } }, 200)
  const made = await service('POST', '/pets', rex, caller)
  judge.check('a deprecated operation says so', () => {
    assert.equal(made.status, 201)
    assert.equal(made.headers.get('sunset'), 'Tue, 30 Jun 2026 00:00:00 GMT')
    assert.match(made.headers.get('link'), /categories>; rel="successor-version"/)
  })
  const document = await service('GET', '/openapi.json')
  judge.check('the document says so too', () => {
    const { post } = document.body.paths['/pets']
    assert.deepEqual([post.deprecated, post['x-sunset']], [true, '2026-06-30'])
  })
  await good('getReport', {}, 200, ({ body }) => {
    const { userAgent, clientName, count, sunset, successor } = body.uses.find(({ operationId }) => operationId === 'createPet')
    assert.deepEqual([userAgent, clientName, count, sunset, successor], ['conformance/1', 'rehearsal', 1, '2026-06-30', '/categories'])
  })
  await good('getReport', { query: { format: 'json' } }, 200, ({ type }) => assert.equal(type, 'application/json'))
  await good('getReport', { query: { format: 'junit' } }, 200, ({ type, text }) => {
    assert.equal(type, 'application/xml')
    assert.match(text, /<testcase [^>]*createPet[\s\S]*<failure /)
  })
  await good('setClock', { body: { advance: '1s' } }, 200)
  const gone = await service('POST', '/pets', rex, caller)
  judge.check('after the sunset it is gone', () => assert.deepEqual([gone.status, gone.body.code], [410, 'operation_sunset']))

  await good('resetLifecycle', { params }, 204)
  await good('releaseClock', {}, 204)
  const again = await service('POST', '/pets', rex)
  judge.check('reset, it is there again', () => assert.equal(again.status, 201))
  await good('listOperations', {}, 200, ({ body }) => {
    assert.deepEqual(body.map((operation) => ({ ...operation, calls: 0 })), before.map((operation) => ({ ...operation, calls: 0 })))
    assert.ok(body.find(({ operationId }) => operationId === 'createPet').calls >= 3)
  })
}

async function faults(good, service, judge, { prefix }) {
  await good('listFaults', {}, 200, ({ body }) => assert.deepEqual(body, []))
  const ids = []
  for (const body of judge.examplesOf('createFault')) {
    const { body: rule } = await good('createFault', { body }, 201, ({ body: made, headers }) => {
      assert.deepEqual(made, { id: made.id, applied: 0, ...body })
      assert.equal(headers.get('location'), `${prefix}/admin/faults/${made.id}`)
    })
    ids.push(rule.id)
  }
  const { body: rules } = await good('listFaults', {}, 200, ({ body }) => assert.deepEqual(body.map(({ id }) => id), ids))
  await good('deleteFault', { params: { faultId: ids[1] } }, 204)
  for (const body of judge.examplesOf('replaceFaults')) {
    await good('replaceFaults', { body }, 200, (answer) => assert.equal(answer.body.length, body.length))
  }
  await good('replaceFaults', { body: rules }, 200, ({ body }) => {
    const contents = (rules) => rules.map(({ id, applied, ...rule }) => rule)
    assert.deepEqual(contents(body), contents(rules))
  })
  await good('clearFaults', {}, 204)

  const rule = { match: { operationId: 'createPet', headers: { 'X-Client': 'shop' } }, times: 2, status: 503, code: 'restarting', message: 'wait', headers: { 'Retry-After': '7' } }
  await good('createFault', { body: rule }, 201)
  const answers = []
  for (const _ of 'abc') answers.push(await service('POST', '/pets', rex, { 'X-Client': 'shop' }))
  judge.check('a fault happens as often as it says', () => {
    assert.deepEqual(answers.map(({ status }) => status), [503, 503, 201])
    assert.deepEqual(answers[0].body, { code: 'restarting', message: 'wait', status: 503 })
    assert.equal(answers[0].headers.get('retry-after'), '7')
  })
  await good('getAdmin', {}, 200, ({ body }) => assert.equal(body.faults, 0))
  await good('listFaults', {}, 200, ({ body }) => assert.equal(body[0].applied, 2))
  await good('clearFaults', {}, 204)
}

async function journal(good, service, judge, { base, headers }) {
  await good('clearRequests', {}, 204)
  await good('listRequests', {}, 200, ({ body }) => assert.deepEqual(body, { requests: [], matched: 0, dropped: 0 }))
  await service('POST', '/pets?colour=red', rex, { 'X-Client': 'shop', 'X-Request-Id': 'conformance-7' })
  await service('GET', '/nowhere')
  const { body } = await good('listRequests', {}, 200, ({ body }) => {
    const [made, missed] = body.requests
    assert.deepEqual([body.matched, body.oldest, 'operationId' in missed, missed.status], [2, made.id, false, 404])
    assert.deepEqual([made.requestId, made.operationId, made.path, made.query, made.status], ['conformance-7', 'createPet', '/pets', 'colour=red', 201])
    assert.deepEqual([made.headers['X-Client'], JSON.parse(made.body)], ['shop', rex])
  })
  const since = body.requests[0].id
  const query = { operationId: 'createPet', method: 'POST', path: '/**', status: 201, since: since - 1, order: 'asc', limit: 1, count: 1, wait: '5s' }
  await good('listRequests', { query }, 200, ({ body }) => assert.deepEqual([body.matched, body.requests[0].id, body.timedOut], [1, since, undefined]))
  await good('listRequests', { query: { status: '4xx', order: 'desc' } }, 200, ({ body }) => {
    assert.deepEqual(body.requests.map(({ path }) => path), ['/nowhere'])
  })
  const archive = await judge.besidePrism('listRequests', base, { query: { format: 'har' }, headers }, 'application/har+json')
  await harValidator.har(JSON.parse(archive)).catch(({ errors }) => judge.check('HAR 1.2', () => assert.deepEqual(errors, [])))
  await good('listRequests', { query: { since, count: 2, wait: '10ms' } }, 200, ({ body }) => assert.deepEqual([body.matched, body.timedOut], [1, true]))
}

/** Sends events to a receiver that verifies them, and lists their deliveries. */
async function webhooks(good, service, judge) {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const came = []
  const receiver = createServer(async (request, response) => {
    came.push({ headers: request.headers, text: Buffer.concat(await request.toArray()).toString() })
    response.writeHead(204).end()
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${receiver.address().port}/hook`
  const params = { webhookName: 'shop' }
  await good('listWebhooks', {}, 200, ({ body }) => assert.deepEqual(body, []))
  await good('setWebhook', { params, body: { url } }, 201, ({ body }) => assert.match(body.secret, /^whsec_/))
  for (const body of judge.examplesOf('setWebhook')) await good('setWebhook', { params, body: { secret, ...body, url } }, 200, (answer) => assert.equal(answer.body.secret, undefined))
  const { body: pet } = await service('POST', '/pets', rex)
  const query = { state: 'delivered', event: 'pet.created', since: 0, order: 'asc', limit: 10, count: 1, wait: '5s' }
  const { body } = await good('listDeliveries', { params, query }, 200, ({ body }) => {
    assert.deepEqual([body.matched, body.dropped, body.deliveries[0].tries[0].status], [1, 0, 204])
    assert.deepEqual(body.deliveries[0].payload.data, pet)
  })
  judge.check('a webhook is signed as Standard Webhooks describes', () => {
    const [{ headers, text }] = came
    const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64')).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`)
    assert.equal(headers['webhook-signature'], `v1,${mac.digest('base64')}`)
    assert.deepEqual([headers['webhook-id'], JSON.parse(text)], [body.deliveries[0].messageId, body.deliveries[0].payload])
  })
  await good('resendDelivery', { params: { ...params, deliveryId: body.deliveries[0].id } }, 202, ({ body }) => assert.equal(body.state, 'pending'))
  await good('listDeliveries', { params, query: { order: 'desc' } }, 200, ({ body }) => assert.equal(body.matched, 1))
  await good('getWebhook', { params }, 200, ({ body }) => assert.deepEqual([body.name, body.url, body.disabled], ['shop', url, false]))
  await good('deleteWebhook', { params }, 204)
  receiver.close()
}

async function sandboxes(good, judge, { prefix }) {
  const params = { sandboxName: 'conformance' }
  await good('makeSandbox', { params }, 201, ({ body }) => assert.deepEqual([body.name, body.seed, body.counts.pets], ['conformance', 1, 100]))
  let pets
  for (const body of judge.examplesOf('makeSandbox')) {
    if (!body.key) pets = body.pets ?? 100 // a new key does not change the data
    await good('makeSandbox', { params, body }, 200, (answer) => assert.equal(answer.body.counts.pets, pets))
  }
  const { body: created } = await good('createSandbox', { body: { seed: 3 } }, 201, ({ body, headers }) => {
    assert.equal(body.seed, 3)
    assert.equal(headers.get('location'), `${prefix}/admin/sandboxes/${body.name}`)
  })
  await good('dropSandbox', { params: { sandboxName: created.name } }, 204)
  const { body: made } = await good('makeSandbox', { params }, 200, ({ body }) => assert.equal(body.counts.pets, pets))
  await good('makeSandbox', { params, body: { key: '' } }, 200, ({ body }) => assert.deepEqual([body.keyed, body.private, body.key], [false, false, undefined]))
  await good('forkSandbox', { params, body: { name: 'conformance.copy' } }, 201, ({ body, headers }) => {
    assert.deepEqual([body.name, body.seed, body.counts], ['conformance.copy', made.seed, made.counts])
    assert.equal(headers.get('location'), `${prefix}/admin/sandboxes/conformance.copy`)
  })
  await good('getSandbox', { params }, 200, ({ body }) => assert.deepEqual([body.name, body.counts], ['conformance', made.counts]))
  await good('listSandboxes', {}, 200, ({ body }) => {
    const names = body.map(({ name }) => name)
    for (const name of ['default', 'conformance', 'conformance.copy']) assert.ok(names.includes(name), names.join())
  })
  await good('setTemplate', { body: { from: 'conformance' } }, 200, ({ body }) => assert.deepEqual([body.from, body.counts], ['conformance', made.counts]))
  await good('getTemplate', {}, 200, ({ body }) => assert.equal(body.from, 'conformance'))
  await good('dropTemplate', {}, 204)
  await good('getTemplate', {}, 200, ({ body }) => assert.equal(body.from, null))
  const page = { limit: 1, offset: 1, sort: '-name' }
  const { headers } = await good('listSandboxes', { query: page, headers: { 'If-Match': '*' } }, 200, ({ body, headers }) => {
    assert.equal(body.length, 1)
    assert.ok(Number(headers.get('x-total-count')) >= 3)
  })
  await good('listSandboxes', { query: { name: 'ConFormance' } }, 200, ({ body }) => assert.ok(body.length >= 2 && body.every(({ name, title }) => /conformance/i.test(name + title))))
  await good('listSandboxes', { query: page, headers: { 'If-None-Match': headers.get('etag') } }, [200, 304])
  await good('listSandboxes', { query: { name: 'FORMANCE.c' } }, 200, ({ body }) => assert.deepEqual(body.map(({ name }) => name), ['conformance.copy']))
  await good('dropSandbox', { params }, 204)
  await good('dropSandbox', { params: { sandboxName: 'conformance.copy' } }, 204)
}
