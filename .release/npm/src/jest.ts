import type { Flags } from './settings.js'
import { type Fixtures, SharedServer, close, fileOf, keptIn, sandboxFor } from './fixtures.js'
import type { Sandbox } from './sandbox.js'

export type { Fixtures } from './fixtures.js'

/** A test. */
export type TestFunction = (fixtures: Fixtures) => void | Promise<void>

/** The `test` of Jest, with fixtures. */
export interface PetstoreTest {
  (name: string, fn: TestFunction, timeout?: number): void
  only: PetstoreTest
  skip: PetstoreTest
}

/** The part of @jest/globals that this module uses. */
interface JestGlobals {
  test: JestTest & Record<'only' | 'skip', JestTest>
  afterEach(fn: () => Promise<void>): void
  afterAll(fn: () => Promise<void>): void
  expect: { getState(): { currentTestName?: string; testPath?: string } }
}
type JestTest = (name: string, fn: () => Promise<void>, timeout?: number) => void

/**
 * Returns a `test` that starts a server with these flags for the file. Without flags, it uses the server at PETSTORE_URL if
 * that is set.
 */
export function testWith(flags?: Flags): PetstoreTest {
  const { test: base, afterEach, afterAll, expect } = require('@jest/globals') as JestGlobals
  const server = new SharedServer(flags)
  let current: { pets: Sandbox; passed: boolean } | undefined

  async function run(fn: TestFunction): Promise<void> {
    const { testPath, currentTestName } = expect.getState()
    const petstore = await server.get()
    const pets = await sandboxFor(petstore, [fileOf(testPath), currentTestName])
    const mine = { pets, passed: false }
    current = mine
    await fn({ pets, petstore })
    mine.passed = true // not current.passed: a test that timed out may end during another one
  }

  // Jest runs this even after a test that timed out.
  afterEach(async () => {
    if (!current) return
    const { pets, passed } = current
    current = undefined
    const kept = await close(pets, !passed)
    if (kept) console.error(keptIn(kept.world))
  })
  afterAll(() => server.stop())

  function define(how: JestTest): PetstoreTest {
    return ((name: string, fn: TestFunction, timeout?: number) => how(name, () => run(fn), timeout)) as PetstoreTest
  }
  return Object.assign(define(base), { only: define(base.only), skip: define(base.skip) })
}

/** A test with a sandbox of its own, `pets`, on the server of its file, `petstore`. */
export const test = testWith()
export const it = test
