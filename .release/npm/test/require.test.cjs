// The package in CommonJS, as Jest has it, against the packages as npm installs them.
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { PetstoreError, connect, start } = require('petstore-sandbox')

test('require gives the same as import', async t => {
  const store = await start({ pets: 3 })
  t.after(() => store.stop())
  const pets = await (await connect(store.url)).sandbox(t.fullName)
  assert.equal((await pets.fetch('/pets')).headers.get('X-Total-Count'), '3')
  await assert.rejects(pets.fault({ status: 900 }), PetstoreError)
  assert.equal((await import('petstore-sandbox')).start, start)
})
