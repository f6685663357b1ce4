// Without a browser.
import { expect, test } from 'petstore-sandbox/playwright'

test('a pet is created once when the answer is lost', async ({ request, pets }) => {
  await pets.fault({ match: { operationId: 'createPet' }, times: 1, status: 502, when: 'after' })
  const create = () => request.post(`${pets.url}/pets`, { data: { name: 'Rex the Only', categoryId: 6 }, headers: { 'Idempotency-Key': '"one"' } })
  expect((await create()).status()).toBe(502)
  expect(await (await create()).json()).toMatchObject({ id: 101 })
  expect(await pets.requests({ operationId: 'createPet' })).toHaveLength(2)
})
