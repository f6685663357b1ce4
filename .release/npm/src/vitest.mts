import { type TestAPI, test as base } from 'vitest'
import type { Flags } from './settings.js'
import { type Fixtures, SharedServer, close, keptIn, sandboxFor } from './fixtures.js'

export type { Fixtures } from './fixtures.js'

/** The `test` of vitest, with fixtures. */
export type PetstoreTest = TestAPI<Fixtures>

/**
 * Returns a `test` whose workers each start a server with these flags. Without flags, it uses the server at PETSTORE_URL if
 * that is set.
 */
export function testWith(flags?: Flags): PetstoreTest {
  // Not a fixture of the worker: vitest 3 shares those by name, so a second testWith would get the first one's server. The
  // server ends with the worker's process.
  const server = new SharedServer(flags)
  return base.extend<Fixtures>({
    petstore: async ({}, use) => use(await server.get()),
    pets: async ({ petstore, task }, use) => {
      const suites: string[] = []
      for (let suite = task.suite; suite && suite !== task.file; suite = suite.suite) suites.unshift(suite.name)
      const pets = await sandboxFor(petstore, [task.file.name, ...suites, task.name])
      await use(pets)
      const kept = await close(pets, task.result?.state === 'fail' && !task.fails)
      if (kept) console.error(keptIn(kept.world))
    },
  }) as PetstoreTest
}

/** A test with a sandbox of its own, `pets`, on the server of its worker, `petstore`. */
export const test = testWith()
export const it = test
