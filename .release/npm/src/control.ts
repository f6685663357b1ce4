import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { setTimeout } from 'node:timers/promises'
import { shown } from './check.js'
import type { schemas } from './schemas.js'

const pause = setTimeout // before a test replaces the timers

/** The time in which a server whose connection broke is expected to end, in milliseconds. */
const patience = 1000

/** A request that the control plane refused, with what its Error object says. */
export class PetstoreError extends Error {
  override readonly name = 'PetstoreError'

  constructor(
    what: string,
    /** The HTTP status. */
    readonly status: number,
    /** The code, such as `validation_failed`. */
    readonly code: string,
    message: string,
    /** All invalid fields, if there are any. */
    readonly details: schemas['ErrorDetail'][] = [],
  ) {
    const several = details.length > 1 ? details : [] // the message names the first
    super([`${what}: ${message}`, ...several.map(detail => `${detail.field}: ${detail.message}`)].join('\n  '))
  }
}

/** The server of a Control. */
export interface Target {
  /** The server's base address, without a trailing slash. */
  readonly url: string
  /** The server's standard error, as far as it is known. */
  readonly log: string
  /** Says how the server ended, if that is known. */
  readonly end: string | undefined
  /** Resolves when the server has ended, or at once if that cannot be known. */
  readonly ended: Promise<void>
}

/** The control plane of one server. */
export class Control {
  readonly #server: Target
  readonly #adminKey: string | undefined

  constructor(server: Target, adminKey: string | undefined) {
    this.#server = server
    this.#adminKey = adminKey
  }

  /** Makes a request, and returns the body of the answer. Throws a PetstoreError for a status of 400 or above. */
  async text(method: string, path: string, body?: unknown): Promise<string> {
    let answer
    try {
      answer = await this.#exchange(method, path, typeof body === 'string' ? body : JSON.stringify(body))
    } catch (error) {
      throw new Error(`${method} ${path}: ${await this.#whyNone(error as NodeJS.ErrnoException)}`, { cause: error })
    }
    if (answer.status < 400) return answer.body
    throw refusal(`${method} ${path}`, answer.status, answer.body)
  }

  /** As text, for an answer that is JSON; undefined if it has no body. */
  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const text = await this.text(method, path, body)
    try {
      return (text === '' ? undefined : JSON.parse(text)) as T
    } catch {
      throw new Error(`${method} ${this.#server.url}${path} was not answered by a petstore, but with ${shown(text)}`)
    }
  }

  /**
   * Opens a connection for each request, without the global fetch. So a test that replaces fetch or the timers does not
   * affect it, and it never reuses a connection that the server has just closed.
   */
  #exchange(method: string, path: string, body?: string): Promise<{ status: number; body: string }> {
    // Even without a body, so that the error says that it is missing.
    const headers: Record<string, string | number> = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body ?? '') }
    if (this.#adminKey) headers.Authorization = `Bearer ${this.#adminKey}`
    const request = this.#server.url.startsWith('https:') ? requestHttps : requestHttp
    return new Promise((resolve, reject) => {
      const sent = request(this.#server.url + path, { method, headers, agent: false }, response => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', part => { text += part })
        response.on('end', () => resolve({ status: response.statusCode!, body: text }))
        response.on('error', reject)
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  async #whyNone(error: NodeJS.ErrnoException): Promise<string> {
    if (error.code === 'ECONNREFUSED') await this.#server.ended // a server that no longer listens is about to end
    else { // the connections of a killed process break before its end is reported
      const over = new AbortController()
      await Promise.race([this.#server.ended, pause(patience, undefined, { signal: over.signal }).catch(() => {})])
      over.abort()
    }
    const { end, log } = this.#server
    return end ? `the server ${end}${log && ':\n' + log.trim()}` : error.message
  }
}

const howToGiveKey = '; give it to connect() as adminKey, or set PETSTORE_ADMIN_KEY'

function refusal(what: string, status: number, body: string): Error {
  try {
    const { code, message, details } = JSON.parse(body) as schemas['Error']
    return new PetstoreError(what, status, code, status === 401 ? message + howToGiveKey : message, details)
  } catch {
    return new PetstoreError(what, status, 'unknown', `the answer was not a petstore's: ${status} ${shown(body)}`)
  }
}
