import { basename } from 'node:path'
import { type TestType, test as base, type PlaywrightTestArgs, type PlaywrightTestOptions, type PlaywrightWorkerArgs, type PlaywrightWorkerOptions } from '@playwright/test'
import type { Flags } from './settings.js'
import { type Fixtures, close, keptIn, sandboxFor, serverFor } from './fixtures.js'
import type { Store } from './index.js'
import type { Sandbox } from './sandbox.js'

export type { Fixtures } from './fixtures.js'

/** The `test` of Playwright, with fixtures. */
export type PetstoreTest = TestType<PlaywrightTestArgs & PlaywrightTestOptions & { pets: Sandbox }, PlaywrightWorkerArgs & PlaywrightWorkerOptions & { petstore: Store }>

/**
 * Returns a `test` whose workers each start a server with these flags. Without flags, it uses the server at PETSTORE_URL if
 * that is set.
 */
export function testWith(flags?: Flags): PetstoreTest {
  return base.extend<Pick<Fixtures, 'pets'>, Pick<Fixtures, 'petstore'>>({
    petstore: [async ({}, use) => {
      const petstore = await serverFor(flags)
      await use(petstore)
      await petstore.stop()
    }, { scope: 'worker' }],
    pets: async ({ petstore }, use, info) => {
      const repeated = info.repeatEachIndex ? String(info.repeatEachIndex) : undefined
      const pets = await sandboxFor(petstore, [info.project.name, ...info.titlePath, repeated])
      await use(pets)
      const kept = await close(pets, info.status !== info.expectedStatus, info.outputDir)
      if (!kept) return
      for (const path of [kept.world, kept.har]) info.attachments.push({ name: basename(path), path, contentType: 'application/json' })
      console.error(keptIn(kept.world))
    },
  })
}

/** A test with a sandbox of its own, `pets`, on the server of its worker, `petstore`. */
export const test = testWith()
export { expect } from '@playwright/test'
