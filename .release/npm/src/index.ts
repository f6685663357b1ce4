import { version as packageVersion } from './binary.js'
import { want, wantObject } from './check.js'
import { Control, type Target } from './control.js'
import { adminKeyOf, toArguments, toEnvironment } from './flags.js'
import type { Flags } from './settings.js'
import { ServerProcess } from './process.js'
import { AnySandbox, Sandbox } from './sandbox.js'
import type { schemas } from './schemas.js'
import { titleOf } from './title.js'

export type { Client, ClientOptions } from './client.js'
export type { Clock } from './clock.js'
export { PetstoreError } from './control.js'
export type { Flags } from './settings.js'
export type { AnySandbox, Filter, Sandbox } from './sandbox.js'
export type * from './schemas.js'

/** The version of the package, which is that of its binary. */
export const version: string = packageVersion

/** A running server. It is also its default sandbox. */
export class Store extends AnySandbox {
  /** The key of the control plane, for other programs. Undefined if it requires none. */
  readonly adminKey: string | undefined

  readonly #server: Target | ServerProcess
  readonly #control: Control

  /** @internal */
  constructor(server: Target | ServerProcess, adminKey: string | undefined) {
    const control = new Control(server, adminKey)
    super(control, server.url, { name: 'default', title: 'default' })
    this.adminKey = adminKey
    this.#server = server
    this.#control = control
  }

  /**
   * Creates a sandbox with this name, or makes an existing one like new, and returns it. It has only the data that the
   * server started with. The name is any text that is not empty, such as the name of a test. A text that the server does
   * not accept as a name, such as one with more than 200 characters or with line breaks, is shortened, and twelve digits
   * of its hash are added. Drop the sandbox when
   * the test is over, or declare it with `await using`.
   */
  async sandbox(name: string): Promise<Sandbox> {
    want(typeof name === 'string' && name !== '', 'sandbox()', 'a name, such as that of a test', name)
    const made = await this.#control.json<schemas['SandboxInfo']>('PUT', `/admin/sandboxes/${encodeURIComponent(titleOf(name))}`, { fresh: true })
    return new Sandbox(this.#control, this.#server.url, made)
  }

  /** The process id of the server, if start() started it. */
  get pid(): number | undefined {
    return 'pid' in this.#server ? this.#server.pid : undefined
  }

  /** The last 64 KiB of the server's standard error: warnings, and with `verbose` a line for each request. */
  get log(): string {
    return this.#server.log
  }

  /**
   * Ends the server, if start() started it, and returns when it has ended. Requests in flight are finished, in 10 s at
   * most.
   */
  async stop(): Promise<void> {
    if ('stop' in this.#server) await this.#server.stop()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }
}

/**
 * Starts a server on a free port of 127.0.0.1, unless `addr` says otherwise, and returns when it accepts requests. The
 * flags are those of `petstore --help` in camelCase. If other machines can reach the server, by `addr` or `publicUrl`,
 * and no `adminKey` is given, start() generates one. The server ends with stop(), and in any case when this process ends,
 * even if that is killed.
 */
export async function start(flags: Flags = {}): Promise<Store> {
  wantObject('start()', 'flags, such as { pets: 500 }', flags)
  const adminKey = adminKeyOf(flags)
  const server = await ServerProcess.start(toArguments({ ...flags, addr: flags.addr ?? '127.0.0.1:0' }), toEnvironment({ ...flags, adminKey }))
  return new Store(server, adminKey)
}

/**
 * Connects to a running server, such as a container, and returns its store once it has responded. The default address is
 * that of PETSTORE_URL, the default key that of PETSTORE_ADMIN_KEY. stop() does not end that server.
 */
export async function connect(url = process.env.PETSTORE_URL, { adminKey = process.env.PETSTORE_ADMIN_KEY }: { adminKey?: string | undefined } = {}): Promise<Store> {
  const isAddress = typeof url === 'string' && /^https?:/.test(url) && URL.canParse(url) && !/\/sandboxes\/[^/]*\/?$/.test(url)
  want(isAddress, 'connect()', 'the address of a server, such as http://127.0.0.1:8080, or none if PETSTORE_URL has it', url)
  const store = new Store({ url: url!.replace(/\/+$/, ''), log: '', end: undefined, ended: Promise.resolve() }, adminKey || undefined)
  await store.admin('GET')
  return store
}
