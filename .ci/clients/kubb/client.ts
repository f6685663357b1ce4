// Shows that the functions that Kubb makes of the documents work with the service.
//
//     node client.ts URL
import assert from 'node:assert/strict'
import { setConfig } from '@kubb/plugin-client/clients/fetch'
import { resetSandbox } from './admin.gen/index.ts'
import { createPet, listPets, updatePet } from './petstore.gen/index.ts'

setConfig({ baseURL: process.argv[2]!, headers: { 'Content-Type': 'application/json' } })

await resetSandbox()
const pet = await createPet({ name: 'Slim', categoryId: 1 })
assert.deepEqual(pet, { id: pet.id, name: 'Slim', categoryId: 1, status: 'available' })
assert.deepEqual(await updatePet(pet.id, { status: 'sold' }), { ...pet, status: 'sold' })
assert.deepEqual(await listPets({ sort: '-id', limit: 1 }), [{ ...pet, status: 'sold' }])
console.log('ok kubb')
