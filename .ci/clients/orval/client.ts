// Shows that the functions that Orval makes of the documents work with the service. They contain its address.
//
//     node client.ts
import assert from 'node:assert/strict'
import { createFault, resetSandbox } from './admin.gen.ts'
import { createPet, deletePet, listPets, updatePet } from './petstore.gen.ts'

assert.equal((await resetSandbox()).status, 200)
const created = await createPet({ name: 'Slim', categoryId: 1 })
assert.ok(created.status === 201, JSON.stringify(created.data))
const pet = created.data
assert.deepEqual(pet, { id: pet.id, name: 'Slim', categoryId: 1, status: 'available' })

const sold = await updatePet(pet.id, { status: 'sold' })
assert.deepEqual(sold.data, { ...pet, status: 'sold' })
const cleared = await updatePet(pet.id, { status: null })
assert.deepEqual(cleared.data, pet)
const pets = await listPets({ id: [pet.id], sort: '-id' })
assert.deepEqual(pets.data, [pet])

assert.equal((await createFault({ match: { operationId: 'deletePet' }, status: 503, times: 1 })).status, 201)
const failed = await deletePet(pet.id)
assert.ok(failed.status === 503)
assert.equal(failed.data.code, 'unavailable')
assert.equal((await deletePet(pet.id)).status, 204)
console.log('ok orval')
