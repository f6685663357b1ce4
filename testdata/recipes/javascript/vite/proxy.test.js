// The pet store at the address that the plugin in ../vite.config.ts prints.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createLogger, createServer } from 'vite'

let vite, url, key
before(async () => {
  const customLogger = createLogger()
  const line = new Promise(resolve => {
    customLogger.info = text => { if (text.includes('Petstore: ')) resolve(text) }
  })
  vite = await createServer({ configFile: fileURLToPath(new URL('../vite.config.ts', import.meta.url)), customLogger, server: { port: 0 } })
  await vite.listen()
  const address = /http\S+/.exec(await line)[0];
  [url, key] = address.split('/#key=')
})
after(async () => {
  await vite.close()
  await assert.rejects(fetch(url))
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
  assert.equal((await fetch(`${url}/admin`, { headers: { Authorization: `Bearer ${key}` } })).status, 200)
})
