import { type TestContext, type TestOptions, after, test as base } from 'node:test'
import type { Flags } from './settings.js'
import { type Fixtures, SharedServer, close, fileOf, keptIn, sandboxFor } from './fixtures.js'

export type { Fixtures } from './fixtures.js'

/** A test, which also gets the context of node:test. */
export type TestFunction = (fixtures: Fixtures, t: TestContext) => void | Promise<void>

/** The `test` of node:test, with fixtures. */
export interface PetstoreTest {
  (name: string, fn?: TestFunction): Promise<void>
  (name: string, options: TestOptions, fn?: TestFunction): Promise<void>
  only: PetstoreTest
  skip: PetstoreTest
  todo: PetstoreTest
}

const passed = (t: TestContext) => (t as TestContext & { passed: boolean }).passed

/**
 * Returns a `test` that starts a server with these flags for the file. Without flags, it uses the server at PETSTORE_URL if
 * that is set.
 */
export function testWith(flags?: Flags): PetstoreTest {
  const server = new SharedServer(flags)
  let stops = false

  /** Runs a test with its sandbox. */
  async function run(fn: TestFunction, t: TestContext): Promise<void> {
    const petstore = await server.get()
    const file = fileOf(t.filePath ?? process.argv[1]) // which node --test runs, before Node.js 22
    const pets = await sandboxFor(petstore, [file, ...t.fullName.split(' > ')])
    let failed = false // in a subtest, of which the test itself learns after its hooks
    t.afterEach(subtest => { failed ||= !passed(subtest as TestContext) })
    t.after(async () => {
      const kept = await close(pets, failed || !passed(t))
      if (kept) t.diagnostic(keptIn(kept.world))
    })
    await fn({ pets, petstore }, t)
  }

  function define(how: typeof base.only): PetstoreTest {
    return ((name: string, ...rest: (TestFunction | TestOptions)[]) => {
      if (!stops) after(() => server.stop())
      stops = true
      const fn = rest.find(one => typeof one === 'function')
      const options = rest.find(one => typeof one === 'object') ?? {}
      return how(name, options, fn && (t => run(fn, t as TestContext))) // without a function, the test is not written yet
    }) as PetstoreTest
  }
  return Object.assign(define(base), { only: define(base.only), skip: define(base.skip), todo: define(base.todo) })
}

/** A test with a sandbox of its own, `pets`, on the server of its file, `petstore`. */
export const test = testWith()
export const it = test
