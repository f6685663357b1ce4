// Tests of the errors for invalid arguments, with the packages that npm installs. Not every caller is type-checked.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { start } from 'petstore-sandbox'

let store, pets
before(async () => {
  store = await start({ pets: 5 })
  pets = await store.sandbox('ada')
})
after(() => store.stop())

const calls = {
  'start() takes flags, such as { pets: 500 }, not null': () => start(null),
  "start() takes flags, such as { pets: 500 }, not 'pets'": () => start('pets'),
  "sandbox() takes a name, such as that of a test, not ''": () => store.sandbox(''),
  'sandbox() takes a name, such as that of a test, not undefined': () => store.sandbox(),
  "reset() takes what to reset, such as { only: ['data', 'faults'] }, not null": () => pets.reset(null),
  "reset() takes what to reset, such as { only: ['data', 'faults'] }, not 'data'": () => pets.reset('data'),
  'fault() takes a rule, such as { status: 503, times: 2 }, not undefined': () => pets.fault(),
  "requests() takes a filter, such as { operationId: 'listPets' }, not 'listPets'": () => pets.requests('listPets'),
  "requests() has no filter 'order'; there are operationId, method, path, status, since, limit": () => pets.requests({ order: 'desc' }),
  "waitForRequests() has no filter 'count'; there are operationId, method, path, status, since, limit": () => pets.waitForRequests({ count: 2 }),
  "waitForRequests() takes a timeout in milliseconds, such as 5000, not '1s'": () => pets.waitForRequests({}, { timeout: '1s' }),
  'waitForRequests() takes a count and a timeout, such as { count: 2, timeout: 5000 }, not 5': () => pets.waitForRequests({}, 5),
  "lifecycle() takes an operation, such as 'getPet', not undefined": () => pets.lifecycle(),
  'lifecycle() takes changes, such as { enforceSunset: true }, not undefined': () => pets.lifecycle('getPet'),
  'waitForRequests() takes a count of 1 or more, not 0': () => pets.waitForRequests({}, { count: 0 }),
  'importWorld() takes the text of a world, or what that says, not undefined': () => pets.importWorld(),
  'importWorld() takes what to begin with, such as { draw: 5 }, not 5': () => pets.importWorld('{}', 5),
  'world() takes how to write it, such as { data: true }, not true': () => pets.world(true),
  "har() has no filter 'order'; there are operationId, method, path, status, since, limit": () => pets.har({ order: 'desc' }),
  'keep() takes the path of a directory, not undefined': () => pets.keep(),
  'clock.set() takes a Date, or a text such as 2031-01-01T00:00:00Z, not Invalid Date': () => pets.clock.set(new Date('soon')),
  'clock.freeze() takes a Date, or a text such as 2031-01-01T00:00:00Z, not null': () => pets.clock.freeze(null),
  'clock.advance() takes milliseconds, or a text such as 72h, not undefined': () => pets.clock.advance(),
  "admin() takes a method and a path, such as ('PUT', '/snapshots/full'), not undefined": () => pets.admin(),
  "admin() takes a path that begins with a slash, such as '/snapshots/full', not 'clock'": () => pets.admin('GET', 'clock'),
  "admin() takes a path that stays below /admin, not '/../../pets'": () => store.admin('GET', '/../../pets'),
  "admin() takes a path that stays below /admin, not '/%2e%2e/pets'": () => pets.admin('GET', '/%2e%2e/pets'),
  "fetch() takes a path that begins with a slash, such as '/pets', not undefined": () => pets.fetch(),
  'fetch() takes a path that begins with a slash, not "pets"': () => pets.fetch('pets'),
}
for (const [message, call] of Object.entries(calls)) {
  test(message, () => assert.rejects(async () => call(), { name: 'TypeError', message }))
}

test('fetch takes what the global one does, of this sandbox alone', async () => {
  const body = '{"name": "Rex", "categoryId": 6}'
  const post = new Request(`${pets.url}/pets`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  assert.equal((await pets.fetch(post)).status, 201)
  for (const input of [`${pets.url}/pets/6`, new URL(`${pets.url}/pets/6`), new Request(`${pets.url}/pets/6`), '/sandboxes/ada/pets/6']) {
    assert.equal((await (await pets.fetch(input)).json()).name, 'Rex')
  }
  assert.equal((await pets.fetch(new Request(`${pets.url}/pets/6`), { method: 'DELETE' })).status, 204)
  for (const address of [`${store.url}/pets`, `${store.url}/sandboxes/adam/pets`, 'http://example.com/pets', `${pets.url}/../bob/pets`]) {
    await assert.rejects(pets.fetch(address), { message: `fetch() takes a path, or an address that begins with ${pets.url}, not ${address}` })
  }
  await assert.rejects(pets.fetch('/../bob/pets'), TypeError)
})

test('what is clear enough is done', async () => {
  assert.equal((await pets.admin('GET')).sandbox, 'ada')
  assert.equal((await pets.admin('GET', '?')).sandbox, 'ada')
  await pets.fault({ status: 503 })
  await pets.reset({ only: 'faults' })
  for (let i = 0; i < 3; i++) assert.equal((await pets.fetch('/categories')).status, 200)
  const all = await pets.requests({ path: '/categories' })
  assert.deepEqual(await pets.requests({ path: '/categories', limit: 2 }), all.slice(0, 2))
  assert.deepEqual(await pets.requests({ path: '/categories', since: all[0].id, limit: 1 }), all.slice(1, 2))
  assert.equal(JSON.parse(await pets.har({ path: '/categories', limit: 2 })).log.entries.length, 2)
  await assert.rejects(pets.admin('PUT', '/clock'), { message: /: line 1, column 1: the body is empty; send a JSON object$/ })
  await assert.rejects(pets.admin('PUT', '/world', ''), /the body is/)
  const without = await start({ pets: null, apiKey: null, adminKey: null, addr: undefined })
  assert.equal((await without.fetch('/pets')).headers.get('X-Total-Count'), '100')
  await without.stop()
})

test('what is wrong is said once', async () => {
  await assert.rejects(pets.clock.advance('3 days'), error => error.message.split('"3 days"').length === 2)
  await assert.rejects(start({ pets: 'many' }), { message: /^petstore [^\n]* ended with status 2 before it was ready:\n--pets [^\n]*$/ })
})
