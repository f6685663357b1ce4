// Fails now and then, since it does not repeat what failed. kept-world.test.js runs it.
import { test } from 'petstore-sandbox/jest'

test('twenty orders', async ({ pets }) => {
  await pets.fault({ match: { operationId: 'createOrder' }, probability: 0.3, status: 503 })
  for (let petId = 1; petId <= 20; petId++) {
    const response = await pets.fetch('/store/orders', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: `{"petId": ${petId}}` })
    expect(response.status).toBe(201)
  }
})
