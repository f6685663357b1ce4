// A page of one origin that uses the pet store at another.
import { expect } from '@playwright/test'
import type { Pet } from 'petstore-sandbox/api'
import { test } from './app.ts'

test('shows what is for sale', async ({ page, pets }) => {
  const available: Pet[] = await (await pets.fetch('/pets?status=available')).json()
  await expect(page.getByRole('listitem')).toHaveText(available.map(({ name }) => name))
})

test('shows what others do, as it happens', async ({ page, pets }) => {
  await expect(page.getByRole('status')).toContainText('pets')
  await pets.admin('POST', '/data/pets', { name: 'Rex the Only', categoryId: 1 })
  await expect(page.getByRole('listitem').last()).toHaveText('Rex the Only')
})

test('adds a pet, once, though the answer is lost', async ({ page, pets }) => {
  await pets.fault({ match: { operationId: 'createPet' }, times: 1, status: 502, when: 'after' })
  await page.getByLabel('Name').fill('Rex the Only')
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByText('Rex the Only')).toHaveCount(1)
  expect(await pets.waitForRequests({ operationId: 'createPet' }, { count: 2, timeout: 60_000 })).toHaveLength(2)
})

test('says that it will have to change', async ({ page, pets }) => {
  await pets.lifecycle('listPets', { deprecated: true, sunset: '2030-12-31' })
  await page.reload()
  await expect(page.getByRole('alert')).toHaveText(/pets is removed on Tue, 31 Dec 2030/)
})
