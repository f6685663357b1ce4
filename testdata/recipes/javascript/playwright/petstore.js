import { basename } from 'node:path'
import { test as base } from '@playwright/test'
import { start } from 'petstore-sandbox'
import { createServer } from 'vite'

/** A test with a page and its sandbox, pets. If it fails, its world and its requests are attached to its report. */
export const test = base.extend({
  store: [async ({}, use) => {
    const store = await start({ pets: 20 })
    await use(store)
    await store.stop()
  }, { scope: 'worker' }],
  app: [async ({}, use) => {
    const vite = await (await createServer({ root: import.meta.dirname + '/..' })).listen() // at the first free port from 5173
    await use(vite.resolvedUrls.local[0])
    await vite.close()
  }, { scope: 'worker' }],
  pets: async ({ app, store, page }, use, info) => {
    const pets = await store.sandbox(info.titlePath.join(' '))
    await page.goto(`${app}playwright/index.html?store=${pets.url}`)
    await use(pets)
    if (info.status !== info.expectedStatus) {
      const { world, har } = await pets.keep(info.outputDir)
      for (const path of [world, har]) info.attachments.push({ name: basename(path), path, contentType: 'application/json' })
    }
    await pets.drop()
  },
})
