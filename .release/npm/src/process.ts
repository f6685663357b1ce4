import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers'
import { environmentOfBinary, findBinary, whyNotStarted } from './binary.js'

/** The length of standard error that is kept, in characters. */
const keptLog = 64 * 1024

/** The time that a program has to announce its address, in milliseconds. */
const patience = 30_000

/**
 * A running petstore binary. It ends with this process, however this one ends: its standard input is a pipe that no
 * other process holds. It does not keep this process running.
 */
export class ServerProcess {
  /** The base address that the server has announced. */
  url = ''
  /** The last part of what the server wrote to standard error. */
  log = ''
  /** Says how the process ended, once it has. */
  end: string | undefined

  /** Resolves when the process has ended. */
  readonly ended: Promise<void>

  readonly #child: ChildProcess
  readonly #command: string

  private constructor(args: string[], environment: Record<string, string>) {
    const binary = findBinary()
    const child = spawn(binary, ['--exit-with-stdin', ...args], { stdio: 'pipe', windowsHide: true, env: environmentOfBinary(environment) })
    this.#child = child
    this.#command = child.spawnargs.join(' ')
    child.stdin.on('error', () => {}) // for a write to a process that has ended
    child.stderr.setEncoding('utf8').on('data', text => {
      this.log = (this.log + text).slice(-keptLog)
    })
    this.ended = new Promise((resolve, reject) => {
      child.on('error', error => reject(whyNotStarted(binary, error)))
      child.on('close', (code, signal) => {
        this.end = signal ? `was ended by ${signal}` : `ended with status ${code}`
        resolve()
      })
    })
    this.ended.catch(() => {}) // start() reports it
  }

  /** Starts the binary and returns when it accepts requests. If it does not, the Error has its standard error. */
  static async start(args: string[], environment: Record<string, string>): Promise<ServerProcess> {
    const server = new ServerProcess(args, environment)
    const line = await Promise.race([server.#firstLine(), server.ended, after(patience)])
    if (line === null) {
      await server.#abandon()
      throw new Error(`${server.#command} announced no address in ${patience / 1000} s, and said:\n${server.log.trim()}`)
    }
    if (line === undefined) throw new Error(`petstore ${args.join(' ')} ${server.end} before it was ready:\n${server.log.trim().replace(/^petstore: /gm, '')}`)
    const announced = /^petstore listening on (http:\S+)$/.exec(line)?.[1]
    if (!announced) {
      await server.#abandon()
      throw new Error(`start() serves HTTP only, and petstore says ${JSON.stringify(line)}; is PETSTORE_TLS or PETSTORE_TLS_CERT set?`)
    }
    server.url = reachable(announced)
    server.#hold(false)
    return server
  }

  get pid(): number {
    return this.#child.pid!
  }

  /** Ends the server as SIGTERM does, and returns when it has ended. */
  async stop(): Promise<void> {
    this.#hold(true)
    this.#child.stdin!.end()
    await this.ended
  }

  /** Kills a program that is not the expected server. It waits at most a second, because children may hold the pipes open. */
  async #abandon(): Promise<void> {
    this.#child.stdin!.end()
    this.#child.kill('SIGKILL')
    await Promise.race([this.ended, after(1000)])
    this.#hold(false)
  }

  #firstLine(): Promise<string> {
    return new Promise(resolve => {
      createInterface({ input: this.#child.stdout! }).on('line', resolve)
    })
  }

  /** Sets whether this process waits for the server before it ends. */
  #hold(held: boolean): void {
    for (const part of [this.#child, this.#child.stdin, this.#child.stdout, this.#child.stderr]) {
      const handle = part as unknown as { ref(): void; unref(): void }
      if (held) handle.ref()
      else handle.unref()
    }
  }
}

/** Resolves after this time, but does not keep the process running. */
function after(milliseconds: number): Promise<null> {
  return new Promise(resolve => setTimeout(resolve, milliseconds, null).unref())
}

/** Replaces the address for "all addresses", to which not every system connects, by a loopback address. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
