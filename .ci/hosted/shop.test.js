// The test of the recipes for CI: of the recipe's server, or of one that the test starts.
import assert from 'node:assert/strict'
import { test } from 'petstore-sandbox/node'

test('the server is that of the recipe', async ({ pets, petstore }) => {
  const { PETSTORE_URL: url, WANTED_PETS: wanted = '100' } = process.env
  assert.equal(petstore.pid === undefined, url !== undefined)
  assert.equal((await pets.fetch('/pets')).headers.get('X-Total-Count'), wanted)
})
