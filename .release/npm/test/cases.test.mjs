// Tests that all clients share, with the packages that npm installs: testdata/clients has the cases, and describes them.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, test } from 'node:test'
import { PetstoreError, start } from 'petstore-sandbox'

const { cases, defaults, messages, names, titles } = JSON.parse(await readFile(new URL('cases.json', import.meta.url), 'utf8'))

let store
before(async () => { store = await start(defaults.flags) })
after(() => store.stop())

/** Makes the call of a step. The state has the store, the sandbox, the test and the last world. */
const calls = {
  sandbox: async (state, { name }) => { state.pets = await state.store.sandbox(name) },
  fetch: async ({ pets }, { method, path, headers, body }) => {
    const response = await pets.fetch(path, { method, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) })
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.json() }
  },
  fault: ({ pets }, rule) => pets.fault(rule),
  clearFaults: ({ pets }) => pets.clearFaults(),
  lifecycle: ({ pets }, { operationId, ...changes }) => pets.lifecycle(operationId, changes),
  requests: ({ pets }, filter) => pets.requests(filter),
  har: async ({ pets }, filter) => JSON.parse(await pets.har(filter)),
  waitForRequests: ({ pets }, { count, timeoutSeconds, ...filter }) => pets.waitForRequests(filter, { count, timeout: timeoutSeconds * 1000 }),
  reset: ({ pets }, how) => pets.reset(how),
  'clock.set': ({ pets }, { now }) => pets.clock.set(now),
  'clock.freeze': ({ pets }, { now }) => pets.clock.freeze(now),
  'clock.advance': ({ pets }, { seconds }) => pets.clock.advance(seconds * 1000),
  'clock.unfreeze': ({ pets }) => pets.clock.unfreeze(),
  'clock.release': ({ pets }) => pets.clock.release(),
  'clock.now': async ({ pets }) => (await pets.clock.now()).toISOString().replace('.000Z', 'Z'),
  'clock.read': ({ pets }) => pets.clock.read(),
  world: async state => { state.world = await state.pets.world() },
  importWorld: ({ pets, world }, how) => pets.importWorld(world, how),
  keep: async ({ pets, t }) => {
    const directory = await mkdtemp(join(tmpdir(), 'petstore-cases-'))
    t.after(() => rm(directory, { recursive: true }))
    const { world, har } = await pets.keep(directory)
    return [basename(world), basename(har)]
  },
  admin: ({ pets }, { method, path, body }) => pets.admin(method, path, body),
  drop: ({ pets }) => pets.drop(),
}

/** Checks that a value has at least the contents of another. Case does not matter in names of headers. */
function wantIn(found, wanted, at) {
  if (typeof wanted !== 'object') return assert.equal(found, wanted, at)
  if (Array.isArray(wanted)) assert.equal(found.length, wanted.length, at)
  for (const [name, value] of Object.entries(wanted)) wantIn(found[name] ?? found[name.toLowerCase()], value, `${at}.${name}`)
}

async function take(step, state) {
  const made = calls[step.call](state, step.with ?? {})
  if (!step.refuses) return wantIn(await made, step.gives ?? {}, JSON.stringify(step))
  const { fields = [], ...wanted } = step.refuses
  await assert.rejects(made, error => {
    assert.ok(error instanceof PetstoreError, error)
    assert.deepEqual(error.details.map(({ field }) => field).sort(), fields)
    wantIn(error, wanted, JSON.stringify(step))
    return true
  })
}

for (const { name, steps } of cases) {
  test(name, async t => {
    const state = { t, store, pets: await store.sandbox(name) }
    for (const step of steps) await take(step, state)
    await state.pets.drop()
  })
}

test('any text names a sandbox, as it does for the other clients', async () => {
  for (const { text, title, name } of names) {
    const sandbox = await store.sandbox(text)
    assert.deepEqual([sandbox.title, sandbox.name], [title, name])
    await sandbox.drop()
  }
})

test('a test names its sandbox, and says where its world is, as those of the other clients do', async () => {
  const { keptIn, titleOfTest } = await import(new URL('node_modules/petstore-sandbox/lib/fixtures.js', import.meta.url))
  for (const { parts, title } of titles) assert.equal(titleOfTest(parts), title)
  assert.equal(keptIn('failed/ada.world.json'), messages.kept.replace('{world}', 'failed/ada.world.json'))
})

test('a binary that cannot be run is told in the words of the other clients', async t => {
  t.after(() => { delete process.env[defaults.binary] })
  for (const [binary, message] of [['/nowhere/petstore', messages.notThere], [import.meta.filename, messages.notExecutable]]) {
    process.env[defaults.binary] = binary
    await assert.rejects(start(), { message: message.replaceAll('{binary}', binary) })
  }
})

test('a server that does not start is told in the words of the other clients', async () => {
  await assert.rejects(start({ pest: 5 }), ({ message }) => {
    const wanted = messages.ended.replace('{arguments}', '--pest=5 --addr=127.0.0.1:0').replace('{status}', '2').replace('{log}', '')
    assert.equal(message.slice(0, wanted.length), wanted)
    return true
  })
})
