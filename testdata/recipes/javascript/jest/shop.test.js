import { test } from 'petstore-sandbox/jest'
import { Shop } from '../shop.js'

test('a pet is created when the first two attempts fail', async ({ pets }) => {
  await pets.fault({ match: { operationId: 'createPet' }, times: 2, status: 503, headers: { 'Retry-After': '0' } })
  const rex = await new Shop(pets.url).addPet({ name: 'Rex', categoryId: 6 })
  expect(rex).toEqual({ id: 101, name: 'Rex', categoryId: 6, status: 'available' })
  const attempts = await pets.requests({ operationId: 'createPet' })
  expect(attempts.map(({ status }) => status)).toEqual([503, 503, 201])
})
