// Tests of the API, with the packages that npm installs.
import assert from 'node:assert/strict'
import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { PetstoreError, start, version } from 'petstore-sandbox'

let store
before(async () => { store = await start({ pets: 500, strict: true, publicUrl: undefined }) })
after(() => store.stop())

const rex = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name": "Rex", "categoryId": 6}' }

/** Returns a sandbox for the test, which is dropped after it. */
async function sandboxOf(t) {
  const sandbox = await store.sandbox(t.fullName)
  t.after(() => sandbox.drop())
  return sandbox
}

test('flags are passed on', async () => {
  assert.match(store.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  const answer = await store.fetch('/pets')
  assert.equal(answer.headers.get('X-Total-Count'), '500')
  assert.equal((await store.fetch('/pets?colour=red')).status, 400, 'with strict')
})

test('a sandbox is new at its start, apart from others, and dropped at its end: ünder "any" name/50%', async t => {
  const first = await store.sandbox(t.name)
  assert.equal(first.title, t.name)
  assert.match(first.name, /^[a-z0-9][a-z0-9._-]{0,62}$/)
  const made = await first.fetch('/pets', rex)
  assert.equal(made.status, 201)
  assert.equal(made.headers.get('X-Sandbox'), first.name)
  assert.equal((await store.fetch('/pets?id=501')).headers.get('X-Total-Count'), '0')
  assert.equal((await first.fetch(made.headers.get('Location'))).status, 200, 'a Location can be followed')
  assert.equal((await fetch(`${first.url}/pets/501`)).status, 200)

  await first.admin('PUT', '/snapshots/mine')

  const again = await store.sandbox(t.name)
  assert.equal(again.name, first.name)
  assert.equal((await again.fetch('/pets?id=501')).headers.get('X-Total-Count'), '0')
  assert.deepEqual(await again.admin('GET', '/snapshots'), [], 'which a reset would keep')

  await again.drop()
  await again.drop() // a dropped sandbox is not an error
  const names = (await store.admin('GET', '/sandboxes')).map(({ name }) => name)
  assert.deepEqual(names.filter(name => name === first.name), [])
})

test('a sandbox is dropped by its disposal, and the store stopped by its own', async () => {
  const other = await start()
  const sandbox = await other.sandbox('disposed')
  await sandbox[Symbol.asyncDispose]()
  await assert.rejects(sandbox.requests(), { code: 'unknown_sandbox', status: 404 })
  await other[Symbol.asyncDispose]()
  await other.stop() // again
  await assert.rejects(fetch(other.url))
  await assert.rejects(other.reset(), /POST \/admin\/reset: the server ended with status 0/)
})

test('half of a surrogate pair names a sandbox, too', async () => {
  const sandbox = await store.sandbox('half a pair \ud83d')
  assert.equal(sandbox.title, 'half a pair \\ud83d 303ca16a8520')
  await sandbox.drop()
})

test('faults, and the requests that met them', async t => {
  const sandbox = await sandboxOf(t)
  const rule = await sandbox.fault({ match: { operationId: 'createPet' }, times: 2, status: 503 })
  assert.deepEqual([rule.id, rule.applied], [1, 0])
  for (const status of [503, 503, 201]) assert.equal((await sandbox.fetch('/pets', rex)).status, status)
  const found = await sandbox.requests({ operationId: 'createPet', status: '5xx' })
  assert.deepEqual(found.map(({ method, path, status }) => [method, path, status]), [['POST', '/pets', 503], ['POST', '/pets', 503]])
  await sandbox.fault({ status: 500 })
  await sandbox.clearFaults()
  assert.equal((await sandbox.fetch('/pets')).status, 200)
})

test('requests come whole, however many the journal has', async t => {
  const big = await start({ journal: 3000 })
  t.after(() => big.stop())
  for (let i = 0; i < 42; i++) await Promise.all(Array.from({ length: 50 }, () => big.fetch('/nowhere')))
  const found = await big.requests({ status: 404 })
  assert.equal(found.length, 2100)
  assert.deepEqual(found.map(({ id }) => id), found.map(({ id }) => id).sort((a, b) => a - b))
  assert.equal((await big.requests({ since: found[2000].id })).length, 99)
})

test('waitForRequests returns when enough have come, and else lists what has', async t => {
  const sandbox = await sandboxOf(t)
  const waiting = sandbox.waitForRequests({ operationId: 'listPets' }, { count: 2, timeout: 30_000 })
  await sandbox.fetch('/pets?limit=1')
  await sandbox.fetch('/pets?limit=2')
  assert.deepEqual((await waiting).map(({ query }) => query), ['limit=1', 'limit=2'])
  await assert.rejects(sandbox.waitForRequests({ operationId: 'createPet' }, { timeout: 10 }), {
    message: `0 of 1 requests for { operationId: 'createPet' } arrived in 10 ms; the journal of ${sandbox.name} has 2\n  1: GET /pets 200\n  2: GET /pets 200`,
  })
})

test('the clock is set, frozen, moved and released', async t => {
  const { clock } = await sandboxOf(t)
  await clock.set(new Date('2031-01-01T00:00:00Z'))
  await clock.freeze()
  const before = Date.parse((await clock.read()).now)
  assert.equal(Date.parse((await clock.advance('72h')).now) - before, 72 * 3600_000)
  assert.equal(Date.parse((await clock.advance(-1500)).now) - before, 72 * 3600_000 - 1500)
  assert.deepEqual((await clock.set('2030-12-31T00:00:00Z')).now, '2030-12-31T00:00:00Z')
  assert.equal((await clock.unfreeze()).frozen, false)
  assert.equal((await clock.freeze(new Date('2032-01-01T00:00:00Z'))).frozen, true)
  assert.deepEqual(await clock.now(), new Date('2032-01-01T00:00:00Z'))
  await clock.release()
  assert.equal((await clock.read()).offsetSeconds, 0)
})

test('an operation can be retired, and is as the document says after a reset', async t => {
  const sandbox = await sandboxOf(t)
  const { operationId, enforceSunset } = await sandbox.lifecycle('getPet', { enforceSunset: true })
  assert.deepEqual([operationId, enforceSunset], ['getPet', true])
  await sandbox.clock.set('2031-01-01T00:00:00Z')
  assert.equal((await sandbox.fetch('/pets/7')).status, 410)
  await sandbox.reset()
  assert.equal((await sandbox.fetch('/pets/7')).status, 200)
  const { sunset } = await sandbox.lifecycle('getPet', { enforceSunset: false })
  await sandbox.lifecycle('getPet', { sunset: '2028-08-08' })
  const both = await sandbox.lifecycle('getPet', { enforceSunset: true })
  assert.deepEqual([both.sunset, both.enforceSunset], ['2028-08-08', true])
  assert.equal((await sandbox.lifecycle('getPet', { sunset: null })).sunset, sunset)
  await assert.rejects(sandbox.lifecycle('getPt', {}), /no operation/)
})

test('reset takes back everything, parts, or to other data', async t => {
  const sandbox = await sandboxOf(t)
  await sandbox.fetch('/pets', rex)
  await sandbox.fault({ status: 503 })
  await sandbox.reset({ only: ['faults', 'clock'] })
  assert.equal((await sandbox.fetch('/pets?id=501')).headers.get('X-Total-Count'), '1')
  await sandbox.reset()
  assert.equal((await sandbox.fetch('/pets')).headers.get('X-Total-Count'), '500')
  await sandbox.reset({ seed: 7, pets: 3 })
  assert.equal((await sandbox.fetch('/pets')).headers.get('X-Total-Count'), '3')
})

test('a refusal says what is wrong with each field', async t => {
  const sandbox = await sandboxOf(t)
  await assert.rejects(sandbox.fault({ status: 900, probability: 2 }), error => {
    assert.ok(error instanceof PetstoreError)
    assert.deepEqual([error.status, error.code, error.details.map(({ field }) => field).sort()], [400, 'validation_failed', ['/probability', '/status']])
    for (const { field, message } of error.details) assert.ok(error.message.includes(`\n  ${field}: ${message}`), error.message)
    return true
  })
})

test('the control plane is reached whatever a test makes of fetch and the timers', async t => {
  const sandbox = await sandboxOf(t)
  t.mock.method(globalThis, 'fetch', () => { throw new Error('no network in tests') })
  t.mock.timers.enable()
  await sandbox.reset()
  assert.deepEqual(await sandbox.requests(), [])
})

test('with an admin key, and with keys for the service', async t => {
  const closed = await start({ adminKey: 'secret', apiKey: ['one', 'two'] })
  t.after(() => closed.stop())
  assert.equal((await fetch(`${closed.url}/admin`)).status, 401)
  const sandbox = await closed.sandbox('ours')
  assert.equal((await sandbox.fetch('/pets')).status, 401)
  for (const key of ['one', 'two']) {
    assert.equal((await sandbox.fetch('/pets', { headers: { Authorization: `Bearer ${key}` } })).status, 200)
  }
})

test('client() names the package that it needs', () => {
  assert.throws(() => store.client(), { message: 'client() needs the package openapi-fetch; run npm install --save-dev openapi-fetch' })
})

test('the package has the version of its binary', async () => {
  assert.equal((await store.admin('GET')).version, `v${version}`)
})

test('the last requests are kept', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-last-'))
  t.after(() => rm(directory, { recursive: true }))
  const busy = await start({ journal: 2000 })
  t.after(() => busy.stop())
  const none = JSON.parse(await readFile((await busy.keep(join(directory, 'none'))).har, 'utf8'))
  assert.deepEqual(none.log.entries, [])
  for (let i = 0; i < 1001; i++) await (await busy.fetch('/categories/1')).arrayBuffer()
  await busy.fetch('/pets/999')
  const { log } = JSON.parse(await readFile((await busy.keep(directory)).har, 'utf8'))
  assert.deepEqual(log.entries.map(({ response }) => response.status), [...Array(999).fill(200), 404])
})

test('a failure is kept, and comes again from its world', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-kept-'))
  t.after(() => rm(directory, { recursive: true }))
  const sandbox = await sandboxOf(t)
  await sandbox.fault({ match: { operationId: 'createPet' }, probability: 0.3, status: 502 })
  const statuses = []
  while (!statuses.includes(502) || !statuses.includes(201)) statuses.push((await sandbox.fetch('/pets', rex)).status)
  const files = await sandbox.keep(join(directory, 'made', 'here'))
  assert.deepEqual(files, {
    world: join(directory, 'made', 'here', `${sandbox.name}.world.json`), har: join(directory, 'made', 'here', `${sandbox.name}.har`),
  })
  const { log } = JSON.parse(await readFile(files.har, 'utf8'))
  assert.deepEqual(log.entries.map(({ response }) => response.status), statuses)

  // On another server: the world at the draw of each request, then the current world, in step with the sandbox.
  const elsewhere = await start({ world: files.world })
  t.after(() => elsewhere.stop())
  for (const { draw, status } of await sandbox.requests()) {
    await elsewhere.importWorld(await readFile(files.world, 'utf8'), { draw })
    assert.equal((await elsewhere.fetch('/pets', rex)).status, status)
  }
  await elsewhere.importWorld(JSON.parse(await sandbox.world()))
  for (let i = 0; i < 20; i++) {
    const [here, there] = await Promise.all([sandbox, elsewhere].map(one => one.fetch('/pets', rex)))
    assert.equal(there.status, here.status)
    assert.deepEqual(await there.json(), await here.json())
  }
})
