// Shows that the classes that swagger-typescript-api makes of the documents work with the service.
//
//     node client.ts URL
import assert from 'node:assert/strict'
import { Api as AdminApi } from './admin.gen.ts'
import { Api, PetStatus } from './petstore.gen.ts'

const options = { baseUrl: process.argv[2]! }
const { pets } = new Api(options)

await new AdminApi(options).admin.resetSandbox()
const { data: pet } = await pets.createPet({ name: 'Slim', categoryId: 1 })
assert.deepEqual(pet, { id: pet.id, name: 'Slim', categoryId: 1, status: 'available' })
assert.deepEqual((await pets.updatePet(pet.id, { status: PetStatus.Sold })).data, { ...pet, status: 'sold' })
assert.deepEqual((await pets.updatePet(pet.id, { status: null })).data, pet)
assert.deepEqual((await pets.listPets({ id: [pet.id] })).data, [pet])
console.log('ok swagger-typescript-api')
