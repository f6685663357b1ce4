// The pet store through the proxy of ../vite.config.js.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { start } from 'petstore-sandbox'
import { createServer as createVite } from 'vite'

let http, vite, store, url
before(async () => {
  http = createServer((request, response) => vite.middlewares(request, response)).listen(0, '127.0.0.1')
  await once(http, 'listening')
  url = `http://127.0.0.1:${http.address().port}/petstore`
  store = await start({ publicUrl: url, adminKey: 'secret' })
  process.env.PETSTORE_URL = store.url
  vite = await createVite({ configFile: new URL('../vite.config.js', import.meta.url).pathname, appType: 'custom', server: { middlewareMode: true, ws: false } })
})
after(async () => {
  await vite.close()
  http.closeAllConnections()
  http.close()
  await store.stop()
})

for (const base of ['', '/sandboxes/ada']) {
  test(`links lead through the proxy, at ${base}/`, async () => {
    const created = await fetch(`${url}${base}/pets`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name": "Rex", "categoryId": 1}' })
    assert.equal(created.status, 201)
    const at = new URL(created.headers.get('Location'), created.url).href
    assert.ok(at.startsWith(`${url}${base}/pets/`), at)
    assert.equal((await (await fetch(at)).json()).name, 'Rex')

    const page = await fetch(`${url}${base}/pets?limit=1`)
    const next = new URL(/<([^>]*)>; rel="next"/.exec(page.headers.get('Link'))[1], page.url).href
    assert.deepEqual((await (await fetch(next)).json()).map(({ id }) => id), [2])

    const { servers } = await (await fetch(`${url}${base}/openapi.json`)).json()
    assert.equal(servers[0].url, url + base)
    const docs = await fetch(`${url}${base}/docs`)
    assert.deepEqual([docs.status, docs.url], [200, `${url}${base}/docs/`])
  })
}

test('events come through as they happen', async () => {
  const events = await fetch(`${url}/sandboxes/eve/events`)
  await fetch(`${url}/sandboxes/eve/pets/7`, { method: 'DELETE' })
  let text = ''
  for await (const chunk of events.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (text.includes('event: pet.deleted\n')) return
  }
  assert.fail(`the stream ended with ${text}`)
})

test('the control plane wants its key', async () => {
  assert.equal((await fetch(`${url}/admin`)).status, 401)
  assert.equal((await fetch(`${url}/admin`, { headers: { Authorization: 'Bearer secret' } })).status, 200)
})
