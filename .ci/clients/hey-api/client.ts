// Shows that the functions that Hey API makes of the documents work with the service.
//
//     node client.ts URL
import assert from 'node:assert/strict'
import { createFault, resetSandbox } from './admin.gen/sdk.gen.ts'
import { client as admin } from './admin.gen/client.gen.ts'
import { client } from './petstore.gen/client.gen.ts'
import { createPet, deletePet, listPets, updatePet } from './petstore.gen/sdk.gen.ts'

for (const one of [client, admin]) one.setConfig({ baseUrl: process.argv[2]! })

await resetSandbox({ throwOnError: true })
const { data: pet } = await createPet({ body: { name: 'Slim', categoryId: 1 }, throwOnError: true })
assert.deepEqual(pet, { id: pet.id, name: 'Slim', categoryId: 1, status: 'available' })

const path = { petId: pet.id }
const { data: sold } = await updatePet({ path, body: { status: 'sold' }, throwOnError: true })
assert.deepEqual(sold, { ...pet, status: 'sold' })
const { data: cleared } = await updatePet({ path, body: { status: null }, throwOnError: true })
assert.deepEqual(cleared, pet)
const { data: pets } = await listPets({ query: { id: [pet.id], sort: '-id' }, throwOnError: true })
assert.deepEqual(pets, [pet])

await createFault({ body: { match: { operationId: 'deletePet' }, status: 503, times: 1 }, throwOnError: true })
const { error } = await deletePet({ path })
assert.equal(error?.code, 'unavailable')
await deletePet({ path, throwOnError: true })
console.log('ok hey-api')
