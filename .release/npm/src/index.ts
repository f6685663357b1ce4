import { Control } from './control.js'
import { toArguments, toEnvironment } from './flags.js'
import type { Flags } from './flags.gen.js'
import { ServerProcess } from './process.js'
import { AnySandbox, Sandbox } from './sandbox.js'
import type { schemas } from './schemas.js'

export type { Clock } from './clock.js'
export { PetstoreError } from './control.js'
export type { Flags } from './flags.gen.js'
export type { AnySandbox, Filter, Sandbox } from './sandbox.js'
export type * from './schemas.js'

/** A running server. It is also its default sandbox. */
export class Store extends AnySandbox {
  readonly #server: ServerProcess
  readonly #control: Control

  /** @internal */
  constructor(server: ServerProcess, control: Control) {
    super(control, server.url, { name: 'default', title: 'default' })
    this.#server = server
    this.#control = control
  }

  /**
   * Returns the sandbox with this name, as new: with the data that the server started with, and nothing else. The name is
   * any text of 1 to 200 characters without control characters, such as the name of a test. Drop the sandbox when the test
   * is over, or declare it with `await using`.
   */
  async sandbox(name: string): Promise<Sandbox> {
    if (typeof name !== 'string' || name === '') throw new TypeError(`the name of a sandbox is a text, not ${name === '' ? 'an empty one' : String(name)}`)
    if (name === '.' || name === '..') throw new TypeError(`a sandbox cannot be named ${JSON.stringify(name)} here, since addresses treat it as a folder`)
    const made = await this.#control.json<schemas['SandboxInfo']>('PUT', `/admin/sandboxes/${encodeURIComponent(name)}`, { fresh: true })
    return new Sandbox(this.#control, this.#server.url, made)
  }

  /** The process id of the server. */
  get pid(): number {
    return this.#server.pid
  }

  /** The last 64 KiB of what the server has written to standard error: warnings, and with `verbose` a line a request. */
  get log(): string {
    return this.#server.log
  }

  /** Ends the server, and returns when it has ended. Requests in flight are finished, in 10 s at most. */
  stop(): Promise<void> {
    return this.#server.stop()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }
}

/**
 * Starts a server on a free port of 127.0.0.1, unless `addr` says otherwise, and returns when it accepts requests. The
 * flags are those of `petstore --help` in camelCase. The server ends with stop(), and in any case when this process ends,
 * even if that is killed.
 */
export async function start(flags: Flags = {}): Promise<Store> {
  const server = await ServerProcess.start(toArguments({ addr: '127.0.0.1:0', ...flags }), toEnvironment(flags))
  return new Store(server, new Control(server, flags.adminKey ?? process.env.PETSTORE_ADMIN_KEY))
}
