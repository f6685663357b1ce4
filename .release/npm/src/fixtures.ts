// The common part of the fixtures for all test runners. testdata/clients specifies it for all clients.
import { relative } from 'node:path'
import type { Flags } from './settings.js'
import { type Store, connect, start } from './index.js'
import type { Sandbox } from './sandbox.js'

/** The fixtures of a test. */
export interface Fixtures {
  /** A new sandbox for the test, which is dropped after it. If the test fails, its world and its requests are kept. */
  pets: Sandbox
  /** The server that the test shares with others. */
  petstore: Store
}

/** The directory in which the worlds of failed tests are kept. */
const directory = 'failed'

/**
 * Returns a server for tests. Without flags, it is the one at PETSTORE_URL, if that is set. Otherwise it starts one.
 */
export function serverFor(flags: Flags | undefined): Promise<Store> {
  return !flags && process.env.PETSTORE_URL ? connect() : start(flags)
}

/** The address of the server and the title, for each sandbox of a running test. */
const running = new Set<string>()
const keys = new WeakMap<Sandbox, string>()

/**
 * Returns a sandbox for a test, titled by its file, its suites and its own name. If a test with the same title is running, a
 * number is added to the title.
 */
export async function sandboxFor(store: Store, parts: (string | undefined)[]): Promise<Sandbox> {
  const title = titleOfTest(parts)
  let own = title
  for (let n = 2; running.has(`${store.url} ${own}`); n++) own = `${title} ${n}`
  const key = `${store.url} ${own}`
  running.add(key)
  const pets = await store.sandbox(own)
  keys.set(pets, key)
  return pets
}

/** Returns the path of a test's file from the working directory, the same on all systems. */
export function fileOf(path: string | undefined): string | undefined {
  return path && relative(process.cwd(), path).replaceAll('\\', '/')
}

/** Joins the parts of a test's name, without those that are missing. */
export function titleOfTest(parts: (string | undefined)[]): string {
  return parts.filter(part => part).join(' ')
}

/** Drops the sandbox of a test. If the test failed, keeps its world and its requests before, and returns their paths. */
export async function close(pets: Sandbox, failed: boolean, where = directory): Promise<{ world: string; har: string } | undefined> {
  try {
    return failed ? await pets.keep(where) : undefined
  } finally {
    await pets.drop()
    running.delete(keys.get(pets)!)
  }
}

/** Returns the message of a test that failed. */
export function keptIn(world: string): string {
  return `The world is kept in ${world}`
}

/** A server that the first test starts. */
export class SharedServer {
  readonly #flags: Flags | undefined
  #store: Promise<Store> | undefined

  constructor(flags: Flags | undefined) {
    this.#flags = flags
  }

  get(): Promise<Store> {
    return this.#store ??= serverFor(this.#flags)
  }

  async stop(): Promise<void> {
    await (await this.#store?.catch(() => undefined))?.stop() // a server that did not start has failed the tests
    this.#store = undefined
  }
}
