import { expect } from 'vitest'
import { testWith } from 'petstore-sandbox/vitest'
import { Shop } from '../shop.js'

const test = testWith({ pets: 500 })

test.concurrent('a pet is created when the first two attempts fail', async ({ pets }) => {
  await pets.fault({ match: { operationId: 'createPet' }, times: 2, status: 503, headers: { 'Retry-After': '0' } })
  const rex = await new Shop(pets.url).addPet({ name: 'Rex', categoryId: 6 })
  expect(rex).toEqual({ id: 501, name: 'Rex', categoryId: 6, status: 'available' })
  const attempts = await pets.requests({ operationId: 'createPet' })
  expect(attempts.map(({ status }) => status)).toEqual([503, 503, 201])
})

test.concurrent('a pet is created once when the answer is lost', async ({ pets }) => {
  await pets.fault({ match: { operationId: 'createPet' }, times: 1, status: 502, when: 'after' })
  const shop = new Shop(pets.url)
  const rex = await shop.addPet({ name: 'Rex the Only', categoryId: 6 })
  expect(await shop.pets({ name: 'Rex the Only' })).toEqual([rex])
})

test.concurrent('every page is read', async ({ pets }) => {
  expect(await new Shop(pets.url).pets()).toHaveLength(500)
  expect(await pets.requests({ operationId: 'listPets' })).toHaveLength(5)
})

test.concurrent('the day after the sunset', async ({ pets }) => {
  const shop = new Shop(pets.url, { onDeprecated: () => {} })
  const before = await shop.pet(7)
  await pets.lifecycle('getPet', { enforceSunset: true })
  await pets.clock.set('2031-01-01T00:00:00Z')
  expect(await shop.pet(7)).toEqual(before)
  expect(await pets.requests({ status: 410 })).toHaveLength(1)
})
