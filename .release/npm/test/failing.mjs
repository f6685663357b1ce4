// Has failing tests, for fixtures.test.mjs, and then lists the sandboxes that are left.
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { test } from 'petstore-sandbox/node'

test('fails', async ({ pets }) => assert.equal((await pets.fetch('/pets/7')).status, 404))
test('takes too long', { timeout: 1000 }, ({ pets }, t) => setTimeout(60_000, undefined, { signal: t.signal }))
test('fails in a subtest', ({ pets }, t) => t.test('a', t => t.test('b', async () => assert.equal((await pets.fetch('/pets/7')).status, 404))))
test('is still to be written')
test.todo('is still to be written, and says so', { timeout: 1000 })
test('passes', async ({ pets }) => { await pets.drop() })
test('shows what is left', async ({ pets, petstore }) => {
  await pets.drop()
  console.log(`sandboxes: ${(await petstore.admin('GET', '/sandboxes')).map(({ name }) => name)}`)
})
