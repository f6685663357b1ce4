import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addressIn, isBelow } from './address.js'
import { shown, want, wantObject } from './check.js'
import { type Client, type ClientOptions, clientFor } from './client.js'
import { Clock } from './clock.js'
import type { Control } from './control.js'
import type { Baseline, FaultRule, JournalEntry, LifecyclePatch, NewFaultRule, OperationStatus, Part, World, schemas } from './schemas.js'

/** Which requests of the journal to return; a field that is left out matches everything. */
export interface Filter {
  operationId?: string
  method?: string
  /** The path without the sandbox prefix; `*` stands for one segment, `**` at the end for the rest. */
  path?: string
  /** A status, such as 404, a class of them, such as `4xx`, or 0 for requests whose connection was broken off. */
  status?: number | `${1 | 2 | 3 | 4 | 5}xx`
  /** Only requests after the one with this id. */
  since?: number
  /** The most requests to return, the oldest of those that match. */
  limit?: number
}

const filters = ['operationId', 'method', 'path', 'status', 'since', 'limit']

/** The number of requests that the server lists at once. */
const longestPage = 1000

/** Up to this number of records, keep() includes fake data, so that other versions can read it. */
const maxWrittenOut = 10_000

/** The longest wait that the server allows for a request, in milliseconds. */
const longestWait = 60_000

/** The methods of every sandbox: a test's, and the default one, which is the Store itself. */
export class AnySandbox {
  /** The sandbox's name, as the header X-Sandbox takes it: the canonical form of the title. */
  readonly name: string
  /** The text from which the name was made. */
  readonly title: string
  /** The base address, such as `http://127.0.0.1:40123/sandboxes/ada`, without a trailing slash. */
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
   * Calls the global fetch for a path of the service, such as `/pets?status=sold`. It also accepts a path that already has
   * the prefix of the sandbox, such as that of a Location header, and addresses and Requests of this sandbox.
   */
  async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    // Checks fields, because a test's Request and URL need not be this module's globals.
    const asRequest = typeof input === 'object' && input !== null && 'url' in input
    const given = asRequest ? input.url : typeof input === 'object' && input !== null ? input.href : input
    want(typeof given === 'string', 'fetch()', "a path that begins with a slash, such as '/pets'", input)
    const address = addressIn(this.url, this.#prefix, given)
    return globalThis.fetch(asRequest ? input : address, init)
  }

  /**
   * Returns a client of openapi-fetch, with the types of petstore-sandbox/api: `client().GET('/pets/{petId}', { params: … })`.
   * It needs the package openapi-fetch.
   */
  client(options: ClientOptions = {}): Client {
    return clientFor(this.url, options)
  }

  /** Resets everything except the snapshots, or only some parts, or to other fake data, which later resets return to. */
  async reset(how: { only?: Part | Part[] } & Baseline = {}): Promise<void> {
    wantObject('reset()', "what to reset, such as { only: ['data', 'faults'] }", how)
    const { only, ...baseline } = how
    await this.admin('POST', '/reset' + query({ only: only && [only].flat().join() }), Object.keys(baseline).length ? baseline : undefined)
  }

  /** Adds a fault rule after the existing ones. The first rule that matches a request is applied to it. */
  async fault(rule: NewFaultRule): Promise<FaultRule> {
    wantObject('fault()', 'a rule, such as { status: 503, times: 2 }', rule)
    return this.admin('POST', '/faults', rule)
  }

  /**
   * Changes when an operation is deprecated and removed: `lifecycle('getPet', { enforceSunset: true })`. A field that is left
   * out stays unchanged, and null returns one to the document's value.
   */
  async lifecycle(operationId: string, changes: LifecyclePatch): Promise<OperationStatus> {
    want(typeof operationId === 'string' && operationId !== '', 'lifecycle()', "an operation, such as 'getPet'", operationId)
    wantObject('lifecycle()', 'changes, such as { enforceSunset: true }', changes)
    return this.admin('PATCH', `/operations/${encodeURIComponent(operationId)}`, changes)
  }

  /** Removes all fault rules. */
  async clearFaults(): Promise<void> {
    await this.admin('DELETE', '/faults')
  }

  /** Returns all requests to the service that match, oldest first; requests to the control plane are not recorded. */
  async requests(filter: Filter = {}): Promise<JournalEntry[]> {
    wantFilter('requests()', filter)
    const found: JournalEntry[] = []
    for (let { since = 0, limit = Infinity } = filter; ;) {
      const page = await this.admin<schemas['RequestList']>('GET', '/requests' + query({ ...filter, since, limit: Math.min(limit, longestPage) }))
      found.push(...page.requests)
      limit -= page.requests.length
      if (page.requests.length === page.matched || limit === 0) return found
      since = page.requests.at(-1)!.id
    }
  }

  /**
   * Waits until `count` requests match, by default one, then returns what requests() does. After `timeout` milliseconds, by
   * default 5,000, throws an Error that lists the last requests.
   */
  async waitForRequests(filter: Filter = {}, how: { count?: number; timeout?: number } = {}): Promise<JournalEntry[]> {
    wantFilter('waitForRequests()', filter)
    wantObject('waitForRequests()', 'a count and a timeout, such as { count: 2, timeout: 5000 }', how)
    const { count = 1, timeout = 5000 } = how
    want(Number.isInteger(count) && count > 0, 'waitForRequests()', 'a count of 1 or more', count)
    want(typeof timeout === 'number' && timeout >= 0, 'waitForRequests()', 'a timeout in milliseconds, such as 5000', timeout)
    const end = performance.now() + timeout
    for (;;) {
      const left = Math.min(Math.max(end - performance.now(), 0), longestWait)
      const { matched } = await this.admin<schemas['RequestList']>('GET', '/requests' + query({ ...filter, count, wait: `${Math.ceil(left)}ms`, limit: 1 }))
      if (matched >= count) return this.requests(filter)
      if (performance.now() >= end) throw new Error(`${matched} of ${count} requests ${which(filter)}arrived in ${timeout} ms; ${await this.#whatCame(filter.since)}`)
    }
  }

  async #whatCame(since = 0): Promise<string> {
    const came = await this.requests({ since })
    const lines = came.slice(-10).map(({ id, method, path, status }) => `\n  ${id}: ${method} ${path} ${status}`)
    return `the journal of ${this.name} has ${came.length}`
      + (lines.length < came.length ? `, of which the last ${lines.length} are` : '') + lines.join('')
  }

  /**
   * Returns everything that the sandbox holds as JSON text, of the type World. It is text because a seed can be larger
   * than the integers that JavaScript represents exactly. With `data`, fake data is included, so that other versions can
   * read it.
   */
  async world(how: { data?: boolean } = {}): Promise<string> {
    wantObject('world()', 'how to write it, such as { data: true }', how)
    const { data } = how
    return this.#control.text('GET', `${this.#prefix}/admin/world${query({ data: data || undefined })}`)
  }

  /** Replaces everything by a world. With the `draw` of a journal entry, the next request gets the same random faults as it. */
  async importWorld(world: string | World, how: { draw?: number | undefined } = {}): Promise<void> {
    if (typeof world !== 'string') wantObject('importWorld()', 'the text of a world, or what that says', world)
    wantObject('importWorld()', 'what to begin with, such as { draw: 5 }', how)
    const { draw } = how
    await this.admin('PUT', '/world' + query({ draw }), world)
  }

  /**
   * Returns the requests that match as an HTTP Archive (HAR 1.2), which the network panel of a browser can open: the first
   * 1,000, unless `limit` says fewer.
   */
  async har(filter: Filter = {}): Promise<string> {
    wantFilter('har()', filter)
    return this.#control.text('GET', `${this.#prefix}/admin/requests${query({ limit: longestPage, ...filter, format: 'har' })}`)
  }

  /**
   * Writes two files that are named after the sandbox into the directory, which it creates if needed: the world
   * (`NAME.world.json`) and the last 1,000 requests (`NAME.har`). Call it when a test has failed, before the sandbox is dropped.
   * `petstore --world FILE` and importWorld() bring the sandbox back.
   */
  async keep(directory: string): Promise<{ world: string; har: string }> {
    want(typeof directory === 'string', 'keep()', 'the path of a directory', directory)
    const { counts } = await this.admin<schemas['AdminSummary']>('GET', '')
    const records = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const files = { world: join(directory, `${this.name}.world.json`), har: join(directory, `${this.name}.har`) }
    await mkdir(directory, { recursive: true })
    await writeFile(files.world, await this.world({ data: records <= maxWrittenOut }))
    await writeFile(files.har, await this.har({ since: await this.#sinceLastPage() }))
    return files
  }

  /** Returns the id after which the requests fit on one page. */
  async #sinceLastPage(): Promise<number> {
    const { requests: [newest] } = await this.admin<schemas['RequestList']>('GET', '/requests' + query({ order: 'desc', limit: 1 }))
    return Math.max(0, (newest?.id ?? 0) - longestPage)
  }

  /**
   * Makes any other request to the control plane, such as `admin('PUT', '/snapshots/full')`: `/docs/` lists them.
   * Without a path, it calls `/admin` itself. Returns the JSON of the response, or throws a PetstoreError.
   */
  async admin<T = unknown>(method: string, path = '', body?: unknown): Promise<T> {
    want(typeof method === 'string', 'admin()', "a method and a path, such as ('PUT', '/snapshots/full')", method)
    want(typeof path === 'string' && /^($|[/?])/.test(path), 'admin()', "a path that begins with a slash, such as '/snapshots/full'", path)
    want(isBelow(`${this.url}/admin`, `${this.url}/admin${path}`), 'admin()', 'a path that stays below /admin', path)
    return this.#control.json(method, `${this.#prefix}/admin${path}`, body)
  }
}

/** An isolated copy of the whole service, with its own data, ids, clock, faults, lifecycles, journal and snapshots. */
export class Sandbox extends AnySandbox {
  readonly #control: Control

  /** @internal */
  constructor(control: Control, serverUrl: string, info: { name: string; title: string }) {
    super(control, serverUrl, info)
    this.#control = control
  }

  /** Drops the sandbox with everything in it. */
  async drop(): Promise<void> {
    try {
      await this.#control.text('DELETE', `/admin/sandboxes/${this.name}`)
    } catch (error) {
      if ((error as { status?: number }).status !== 404) throw error // otherwise it has already been dropped
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.drop()
  }
}

/** Throws a TypeError for an unknown name in a filter, such as order, which would break the paging of the list. */
function wantFilter(call: string, filter: Filter): void {
  wantObject(call, "a filter, such as { operationId: 'listPets' }", filter)
  for (const name of Object.keys(filter)) {
    if (!filters.includes(name)) throw new TypeError(`${call} has no filter ${shown(name)}; there are ${filters.join(', ')}`)
  }
}

/** Describes the filter, with a trailing space; empty if it matches all requests. */
function which(filter: Filter): string {
  return Object.keys(filter).length ? `for ${shown(filter)} ` : ''
}

/** Returns the query of the parameters that have a value, with the question mark, or an empty text if none has. */
function query(parameters: Record<string, string | number | boolean | undefined>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
  return given.length ? '?' + new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])) : ''
}
