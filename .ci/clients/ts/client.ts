// Shows that a TypeScript client typed by the OpenAPI document works with the service: openapi-typescript makes
// petstore.gen.ts of the document before every run, openapi-fetch brings the client, tsc checks the types.
//
//     node client.ts URL
import assert from 'node:assert/strict'
import createClient from 'openapi-fetch'
import type { components, paths } from './petstore.gen.ts'

type Schemas = components['schemas']

const client = createClient<paths>({ baseUrl: process.argv[2]!, headers: { Authorization: 'Bearer demo-key' } })

/** Returns the data of a response, which must have this status. */
async function answered<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>, status: number): Promise<T> {
  const { data, error, response } = await call
  assert.equal(response.status, status, JSON.stringify(error))
  return data!
}

function createCategory(): Promise<Schemas['Category']> {
  return answered(client.POST('/categories', { body: { name: 'Snakes' } }), 201)
}

async function createPet(): Promise<Schemas['Pet']> {
  const { id: categoryId } = await createCategory()
  return answered(client.POST('/pets', { body: { name: 'Slim', categoryId } }), 201)
}

async function pets() {
  const pet = await createPet()
  const { id, categoryId } = pet
  const params = { path: { petId: id } }
  assert.deepEqual(pet, { id, name: 'Slim', categoryId, status: 'available' })
  assert.deepEqual(await answered(client.GET('/pets/{petId}', { params }), 200), pet)

  const sold: Schemas['NewPet'] = { name: 'Jim', categoryId, status: 'sold' }
  assert.deepEqual(await answered(client.PUT('/pets/{petId}', { params, body: sold }), 200), { id, ...sold })
  const patched = await answered(client.PATCH('/pets/{petId}', { params, body: { name: 'Joe', status: null } }), 200)
  assert.deepEqual(patched, { ...pet, name: 'Joe' })

  const query = { id: [1, id], categoryId: [categoryId], sort: '-id' as const }
  assert.deepEqual(await answered(client.GET('/pets', { params: { query } }), 200), [patched])
  await answered(client.DELETE('/pets/{petId}', { params }), 204)
  const { error, response } = await client.GET('/pets/{petId}', { params })
  assert.equal(response.status, 404)
  assert.equal(error?.code, 'not_found')
}

async function categories() {
  const { id } = await createCategory()
  const params = { path: { categoryId: id } }
  assert.deepEqual(await answered(client.GET('/categories/{categoryId}', { params }), 200), { id, name: 'Snakes' })

  const lizards: Schemas['NewCategory'] = { name: 'Lizards', description: 'Quick' }
  const replaced = await answered(client.PUT('/categories/{categoryId}', { params, body: lizards }), 200)
  assert.deepEqual(replaced, { id, ...lizards })
  const patched = await answered(client.PATCH('/categories/{categoryId}', { params, body: { description: null } }), 200)
  assert.deepEqual(patched, { id, name: 'Lizards' })

  const query = { name: 'LIZARD', limit: 5 }
  assert.deepEqual(await answered(client.GET('/categories', { params: { query } }), 200), [patched])
  await answered(client.DELETE('/categories/{categoryId}', { params }), 204)
}

async function orders() {
  const { id: petId } = await createPet()
  const shipDate = '2026-03-14T09:30:00.000Z'
  const order = await answered(client.POST('/store/orders', { body: { petId, shipDate } }), 201)
  const id = order.id!
  const params = { path: { orderId: id } }
  assert.deepEqual(order, { id, petId, quantity: 1, shipDate, complete: false })
  assert.deepEqual(await answered(client.GET('/store/orders/{orderId}', { params }), 200), order)

  const replaced = await answered(client.PUT('/store/orders/{orderId}', { params, body: { petId, quantity: 3 } }), 200)
  assert.deepEqual(replaced, { id, petId, quantity: 3, complete: false })
  const patched = await answered(client.PATCH('/store/orders/{orderId}', { params, body: { complete: true } }), 200)
  assert.deepEqual(patched, { ...replaced, complete: true })

  const query = { petId, complete: true }
  assert.deepEqual(await answered(client.GET('/store/orders', { params: { query } }), 200), [patched])
  await answered(client.DELETE('/store/orders/{orderId}', { params }), 204)
}

async function inventory() {
  const { id: petId } = await createPet()
  const params = { path: { petId } }
  const item = await answered(client.GET('/store/inventory/{petId}', { params }), 200)
  assert.deepEqual(item, { petId, quantity: 0, status: 'available' })
  const written = await answered(client.PUT('/store/inventory/{petId}', { params, body: { quantity: 24 } }), 200)
  assert.deepEqual(written, { ...item, quantity: 24 })

  const query = { sort: '-petId' as const, limit: 1 }
  assert.deepEqual(await answered(client.GET('/store/inventory', { params: { query } }), 200), [written])
}

async function messages() {
  const message = await answered(client.POST('/messages', { body: { message: 'Is Joe still there?' } }), 201)
  assert.equal(message.message, 'Is Joe still there?')
  const params = { path: { messageId: message.id } }
  assert.deepEqual(await answered(client.GET('/messages/{messageId}', { params }), 200), message)

  const query = { sort: '-id' as const, limit: 1 }
  assert.deepEqual(await answered(client.GET('/messages', { params: { query } }), 200), [message])
}

for (const walk of [pets, categories, orders, inventory, messages]) {
  await walk()
  console.log(`ok ${walk.name}`)
}
