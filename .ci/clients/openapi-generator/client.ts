// Shows that the classes that OpenAPI Generator makes of the document work with the service.
//
//     node client.gen/client.js URL
import { deepEqual } from 'node:assert/strict'
import { Configuration, PetsApi, PetStatus } from './petstore.gen'

async function main() {
  const pets = new PetsApi(new Configuration({ basePath: process.argv[2]! }))
  const { data: pet } = await pets.createPet({ name: 'Slim', categoryId: 1 })
  deepEqual(pet, { id: pet.id, name: 'Slim', categoryId: 1, status: 'available' })
  deepEqual((await pets.updatePet(pet.id, { status: PetStatus.Sold })).data, { ...pet, status: 'sold' })
  console.log('ok OpenAPI Generator')
}

main()
