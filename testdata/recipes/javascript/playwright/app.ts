import { testWith } from 'petstore-sandbox/playwright'
import { createServer } from 'vite'

/** A test with the page that Vite serves, which uses the sandbox of the test. */
export const test = testWith({ pets: 20 }).extend<{}, { app: string }>({
  app: [async ({}, use) => {
    const vite = await (await createServer({ configFile: false, root: import.meta.dirname + '/..' })).listen() // at the first free port from 5173
    await use(vite.resolvedUrls!.local[0]!)
    await vite.close()
  }, { scope: 'worker' }],
  page: async ({ app, page, pets }, use) => {
    await page.goto(`${app}playwright/index.html?store=${pets.url}`)
    await use(page)
  },
})
