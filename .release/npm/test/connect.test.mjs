// Tests of servers that others can reach, and of running ones, with the packages that npm installs.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { PetstoreError, connect, start } from 'petstore-sandbox'

const rex = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name": "Rex", "categoryId": 6}' }

async function started(t, flags) {
  const store = await start(flags)
  t.after(() => store.stop())
  return store
}

/** Sets variables for the test. */
function setVariables(t, variables) {
  for (const [name, value] of Object.entries(variables)) {
    t.after(() => { delete process.env[name] })
    process.env[name] = value
  }
}

for (const flags of [{ addr: '0.0.0.0:0' }, { addr: ':0' }, { publicUrl: 'http://shop.example/petstore' }]) {
  test(`others do not reach the control plane with ${JSON.stringify(flags)}`, async t => {
    const store = await started(t, flags)
    assert.equal((await fetch(`${store.url}/admin`)).status, 401)
    const pets = await store.sandbox('ours')
    const made = await pets.fetch('/pets', rex)
    assert.equal((await (await pets.fetch(made.headers.get('Location'))).json()).name, 'Rex', made.headers.get('Location'))
    assert.equal((await store.fetch((await store.fetch('/pets', rex)).headers.get('Location'))).status, 200)
    assert.match(store.adminKey, /^[0-9a-f]{32}$/)
    assert.ok(!store.log.includes(store.adminKey), store.log)
    const headers = { Authorization: `Bearer ${store.adminKey}` }
    assert.equal((await fetch(`${store.url}/admin`, { headers })).status, 200)
  })
}

test('the key is the one that was given, and none where nobody else comes', async t => {
  assert.equal((await started(t, { addr: '0.0.0.0:0', adminKey: 'given' })).adminKey, 'given')
  for (const addr of ['localhost:0', '127.0.0.1:0', undefined]) assert.equal((await started(t, { addr })).adminKey, undefined)
  setVariables(t, { PETSTORE_ADMIN_KEY: 'of-the-environment' })
  const store = await started(t, { addr: '0.0.0.0:0' })
  assert.equal(store.adminKey, 'of-the-environment')
  await store.reset()
})

test('a server that runs already is used, and left alone', async t => {
  const own = await started(t, { pets: 3, adminKey: 'secret', publicUrl: 'http://shop.example/petstore' })
  const store = await connect(own.url + '/', { adminKey: 'secret' })
  const pets = await store.sandbox('a test')
  assert.equal((await pets.fetch('/pets')).headers.get('X-Total-Count'), '3')
  const made = await pets.fetch('/pets', rex)
  assert.equal((await pets.fetch(made.headers.get('Location'))).status, 200)
  await pets.drop()
  await store.stop()
  assert.deepEqual([store.pid, store.log, store.url], [undefined, '', own.url])
  assert.equal((await own.fetch('/pets')).status, 200)
  setVariables(t, { PETSTORE_URL: own.url, PETSTORE_ADMIN_KEY: 'secret' })
  assert.equal((await connect()).adminKey, 'secret')
})

test('a path before the server is part of its address', async t => {
  const own = await started(t, { adminKey: 'secret', publicUrl: 'http://shop.example/petstore' })
  const store = await connect(`${own.url}/petstore`, { adminKey: 'secret' })
  for (const sandbox of [store, await store.sandbox('behind')]) {
    const made = await sandbox.fetch('/pets', rex)
    assert.equal((await sandbox.fetch(made.headers.get('Location'))).status, 200)
    assert.equal((await sandbox.requests({ operationId: 'createPet' })).length, 1)
  }
})

test('what is no petstore, and a key that is none, are told', async t => {
  const own = await started(t, { adminKey: 'secret' })
  await assert.rejects(connect(own.url), error => error instanceof PetstoreError && error.status === 401
    && error.message.endsWith('; give it to connect() as adminKey, or set PETSTORE_ADMIN_KEY'))
  for (const url of [undefined, 'localhost:8080', 8080, `${own.url}/sandboxes/ada`]) {
    await assert.rejects(connect(url), { name: 'TypeError', message: /^connect\(\) takes the address of a server, such as http:.*, or none if PETSTORE_URL has it, not / })
  }
  const other = createServer((_, response) => response.end('<h1>Welcome</h1>')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  const url = `http://127.0.0.1:${other.address().port}`
  await assert.rejects(connect(url), { message: `GET ${url}/admin was not answered by a petstore, but with '<h1>Welcome</h1>'` })
  other.close()
  other.closeAllConnections()
  await assert.rejects(connect(url), /GET \/admin: connect ECONNREFUSED/)
})
