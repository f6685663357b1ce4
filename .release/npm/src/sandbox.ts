import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Clock } from './clock.js'
import type { Control } from './control.js'
import type { Baseline, FaultRule, JournalEntry, NewFaultRule, Part, World, schemas } from './schemas.js'

/** Which requests of the journal to return; what is left out matches all. */
export interface Filter {
  operationId?: string
  method?: string
  /** The path without the sandbox prefix; `*` stands for one segment, `**` at the end for the rest. */
  path?: string
  /** A status, such as 404, a class of them, such as `4xx`, or 0 for requests whose connection was broken off. */
  status?: number | `${1 | 2 | 3 | 4 | 5}xx`
  /** Only requests after the one with this id. */
  since?: number
}

/** Up to how many records keep() writes fake data out, so that other versions can read it. */
const maxWrittenOut = 10_000

/** The longest wait that the server grants one request, in milliseconds. */
const longestWait = 60_000

/** What every sandbox has: that of a test, and the default one, which is the Store itself. */
export class AnySandbox {
  /** What the header X-Sandbox calls it: the canonical form of the title. */
  readonly name: string
  /** The text by which it was named. */
  readonly title: string
  /** The base address, such as `http://127.0.0.1:40123/sandboxes/ada`, without a slash at its end. */
  readonly url: string
  readonly clock: Clock

  readonly #control: Control
  readonly #prefix: string

  /** @internal */
  constructor(control: Control, serverUrl: string, info: { name: string; title: string }) {
    this.name = info.name
    this.title = info.title
    this.#control = control
    this.#prefix = info.name === 'default' ? '' : `/sandboxes/${info.name}`
    this.url = serverUrl + this.#prefix
    this.clock = new Clock((method, body) => this.admin(method, '/clock', body))
  }

  /**
   * The global fetch, for a path of the service such as `/pets?status=sold`. A path that already has the prefix of the
   * sandbox, such as that of a Location header, is taken as it is.
   */
  fetch(path: string, init?: RequestInit): Promise<Response> {
    if (!path.startsWith('/')) throw new TypeError(`fetch wants a path that begins with a slash, not ${JSON.stringify(path)}`)
    const whole = this.#prefix !== '' && (path + '/').startsWith(this.#prefix + '/')
    return globalThis.fetch((whole ? this.url.slice(0, -this.#prefix.length) : this.url) + path, init)
  }

  /** Resets everything except the snapshots, or only some parts, or to other fake data, which later resets return to. */
  async reset(how: { only?: Part[] } & Baseline = {}): Promise<void> {
    const { only, ...baseline } = how
    await this.admin('POST', '/reset' + query({ only: only?.join() }), Object.keys(baseline).length ? baseline : undefined)
  }

  /** Adds a rule behind those that are there: the first that matches a request is applied to it. */
  fault(rule: NewFaultRule): Promise<FaultRule> {
    return this.admin('POST', '/faults', rule)
  }

  /** Removes all fault rules. */
  async clearFaults(): Promise<void> {
    await this.admin('DELETE', '/faults')
  }

  /** Returns all requests to the service that match, oldest first; requests to the control plane are not recorded. */
  async requests(filter: Filter = {}): Promise<JournalEntry[]> {
    const found: JournalEntry[] = []
    for (let since = filter.since ?? 0; ;) {
      const page = await this.admin<schemas['RequestList']>('GET', '/requests' + query({ ...filter, since, limit: 1000 }))
      found.push(...page.requests)
      if (page.requests.length === page.matched) return found
      since = page.requests.at(-1)!.id
    }
  }

  /**
   * Returns what requests() does as soon as `count` requests match, one if it is left out. After `timeout` milliseconds,
   * five seconds if it is left out, it throws an Error that lists what came instead.
   */
  async waitForRequests(filter: Filter = {}, { count = 1, timeout = 5000 } = {}): Promise<JournalEntry[]> {
    const end = performance.now() + timeout
    for (;;) {
      const left = Math.min(Math.max(end - performance.now(), 0), longestWait)
      const { matched } = await this.admin<schemas['RequestList']>('GET', '/requests' + query({ ...filter, count, wait: `${Math.ceil(left)}ms`, limit: 1 }))
      if (matched >= count) return this.requests(filter)
      if (performance.now() >= end) throw new Error(await this.#whatCame(matched, count, timeout, filter.since))
    }
  }

  async #whatCame(matched: number, count: number, timeout: number, since = 0): Promise<string> {
    const came = await this.requests({ since })
    const lines = came.slice(-10).map(({ id, method, path, status }) => `\n  ${id}: ${method} ${path} ${status}`)
    return `${matched} of ${count} requests arrived in ${timeout} ms; the journal of ${this.name} has ${came.length}`
      + (lines.length < came.length ? `, of which the last ${lines.length} are` : '') + lines.join('')
  }

  /**
   * Returns everything that the sandbox holds as JSON text, of the type World. It is text, since a seed can be larger than
   * a number of JavaScript holds exactly. With `data`, fake data is written out, so that other versions can read it.
   */
  world({ data = false } = {}): Promise<string> {
    return this.#control.text('GET', `${this.#prefix}/admin/world${query({ data: data || undefined })}`)
  }

  /** Replaces everything by a world. With `draw`, of a journal entry, the next request meets the same chance as that one. */
  async importWorld(world: string | World, { draw }: { draw?: number } = {}): Promise<void> {
    await this.admin('PUT', '/world' + query({ draw }), world)
  }

  /** Returns the first 1,000 requests that match as an HTTP Archive (HAR 1.2), which the network panel of a browser can open. */
  har(filter: Filter = {}): Promise<string> {
    return this.#control.text('GET', `${this.#prefix}/admin/requests${query({ ...filter, format: 'har', limit: 1000 })}`)
  }

  /**
   * Writes two files that are named after the sandbox into the directory, which is made if needed: the world
   * (`NAME.world.json`) and the requests (`NAME.har`). Call it when a test has failed, before the sandbox is dropped.
   * `petstore --world FILE` and importWorld() bring the sandbox back.
   */
  async keep(directory: string): Promise<{ world: string; har: string }> {
    const { counts } = await this.admin<schemas['AdminSummary']>('GET', '')
    const records = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const files = { world: join(directory, `${this.name}.world.json`), har: join(directory, `${this.name}.har`) }
    await mkdir(directory, { recursive: true })
    await writeFile(files.world, await this.world({ data: records <= maxWrittenOut }))
    await writeFile(files.har, await this.har())
    return files
  }

  /**
   * Makes any other request to the control plane, such as `admin('PUT', '/snapshots/full')`: see `/docs/` for what there
   * is. Returns the JSON of the answer; a refusal is a PetstoreError.
   */
  admin<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    return this.#control.json(method, `${this.#prefix}/admin${path}`, body)
  }
}

/** One isolated copy of the whole service: data, ids, clock, faults, lifecycles, journal and snapshots of its own. */
export class Sandbox extends AnySandbox {
  readonly #control: Control

  /** @internal */
  constructor(control: Control, serverUrl: string, info: { name: string; title: string }) {
    super(control, serverUrl, info)
    this.#control = control
  }

  /** Drops the sandbox with all that it holds. */
  async drop(): Promise<void> {
    try {
      await this.#control.text('DELETE', `/admin/sandboxes/${this.name}`)
    } catch (error) {
      if ((error as { status?: number }).status !== 404) throw error // else it is gone already
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.drop()
  }
}

/** Returns a query of the parameters that have a value, with the question mark, or nothing. */
function query(parameters: Record<string, string | number | boolean | undefined>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
  return given.length ? '?' + new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])) : ''
}
