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
  // No fixture of the worker: in vitest 3 there is one of a name for all tests of a file. The server ends with the worker.
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
