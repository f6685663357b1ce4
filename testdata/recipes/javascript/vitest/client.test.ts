// The client of openapi-fetch: paths, bodies and responses have the types of the document.
import { expect } from 'vitest'
import type { ApiError, NewPet, PetSent } from 'petstore-sandbox/api'
import { test } from 'petstore-sandbox/vitest'

const rex: NewPet = { name: 'Rex', categoryId: 6 }

test('a pet is created', async ({ pets }) => {
  const { data } = await pets.client().POST('/pets', { body: rex })
  const sent = data as PetSent
  expect(sent).toEqual({ ...rex, id: 101, status: 'available' })
  const { data: found } = await pets.client().GET('/pets/{petId}', { params: { path: { petId: sent.id } } })
  expect(found).toEqual(sent)
})

test('an error names the field', async ({ pets }) => {
  const { error } = await pets.client().POST('/pets', { body: { ...rex, categoryId: 999 } })
  const { code, details }: ApiError = error!
  expect([code, details?.map(({ field }) => field)]).toEqual(['unknown_category', ['/categoryId']])
})
