import assert from 'node:assert/strict'
import { testWith } from 'petstore-sandbox/node'
import { Shop } from '../shop.js'

const test = testWith({ pets: 500 })

test('a pet is created when the first two attempts fail', async ({ pets }) => {
  await pets.fault({ match: { operationId: 'createPet' }, times: 2, status: 503, headers: { 'Retry-After': '0' } })
  const rex = await new Shop(pets.url).addPet({ name: 'Rex', categoryId: 6 })
  assert.deepEqual(rex, { id: 501, name: 'Rex', categoryId: 6, status: 'available' })
  const attempts = await pets.requests({ operationId: 'createPet' })
  assert.deepEqual(attempts.map(({ status }) => status), [503, 503, 201])
})

test('a pet is created once when the answer is lost', async ({ pets }) => {
  await pets.fault({ match: { operationId: 'createPet' }, times: 1, status: 502, when: 'after' })
  const shop = new Shop(pets.url)
  const rex = await shop.addPet({ name: 'Rex the Only', categoryId: 6 })
  assert.deepEqual(await shop.pets({ name: 'Rex the Only' }), [rex])
  assert.equal((await pets.requests({ operationId: 'createPet' })).length, 2)
})

test('every page is read', async ({ pets }) => {
  const all = await new Shop(pets.url).pets()
  assert.deepEqual(all.map(({ id }) => id), Array.from({ length: 500 }, (_, i) => i + 1))
})

test('it gives up', async ({ pets }) => {
  await pets.fault({ match: { operationId: 'createPet' }, status: 502 })
  await assert.rejects(new Shop(pets.url).addPet({ name: 'Rex', categoryId: 6 }), /502/)
  assert.equal((await pets.requests()).length, 5)
})

test('the day after the sunset', async ({ pets }) => {
  const warnings = []
  const shop = new Shop(pets.url, { onDeprecated: text => warnings.push(text) })
  const before = await shop.pet(7)
  assert.match(warnings[0], /\/pets\/7 is removed on Tue, 31 Dec 2030/)
  await pets.lifecycle('getPet', { enforceSunset: true })
  await pets.clock.set('2031-01-01T00:00:00Z')
  assert.deepEqual(await shop.pet(7), before)
  assert.equal((await pets.requests({ status: 410 })).length, 1)
})

test('background request', async ({ pets }) => {
  setImmediate(() => new Shop(pets.url).order(7, 2))
  const [order] = await pets.waitForRequests({ operationId: 'createOrder' }, { timeout: 60_000 })
  assert.equal(order.status, 201)
})
