// Sends requests for the operations of one document and counts passed checks: the expected status, no violation found
// by Prism, and every operation and parameter used.
import assert from 'node:assert/strict'
import { operationsOf, resolverOf } from './document.mjs'

const patienceMs = 30_000

export class Judge {
  #score = new Map()
  #failures = []
  #passed = 0

  /**
   * `strict` is the address of the Prism for good input, `prefixed` that of one which adds a sandbox prefix, and `lenient`
   * that of the one for bad input, whose upstream is `tap`.
   */
  constructor(document, { strict, prefixed, lenient, tap }) {
    this.resolve = resolverOf(document)
    this.operations = operationsOf(document, this.resolve)
    Object.assign(this, { strict, prefixed, lenient, tap })
    for (const id of this.operations.keys()) this.#score.set(id, { good: 0, bad: 0, parameters: new Set() })
  }

  /**
   * Returns a function that sends good input through Prism, which checks the request and the response: `good(id, request,
   * status, check)`. `status` may be an array of allowed ones. `headers` are added to every request; `prism` replaces `strict`.
   */
  goodIn({ headers, prism = this.strict } = {}) {
    return (id, request, ...expected) => this.#good(prism, id, { ...request, headers: { ...headers, ...request.headers } }, ...expected)
  }

  async #good(prism, id, request, status, check = () => {}) {
    const { method, responses } = this.operations.get(id)
    const { body, headers } = encoded(request)
    const answer = await fetched(prism + this.#target(id, request), { method, headers, body })
    this.#note(id, 'good', request)
    this.#judge(`${id} (good) ${JSON.stringify(request)}`, () => {
      assert.ok(!answer.type.startsWith('application/problem+json'), `Prism: ${answer.text}`)
      assert.ok([status].flat().includes(answer.status), `${answer.status}: ${answer.text}`)
      assert.ok(responses[answer.status], `the document does not name ${answer.status}`)
      check(answer)
    })
    return answer
  }

  /**
   * Opens an event stream, calls `act`, and reads until an event with the name. Returns the events up to that one. The
   * request goes to the service itself, because Prism waits for the end of a response, and a stream has none. So the
   * response is validated against the document here.
   */
  async stream(id, origin, request, name, act = () => {}) {
    const { responses } = this.operations.get(id)
    const { headers } = encoded(request)
    const events = []
    const ending = new AbortController()
    const patience = setTimeout(() => ending.abort(), patienceMs)
    let answer
    try {
      answer = await fetch(origin + this.#target(id, request), { headers, signal: ending.signal })
      const reading = answer.body.pipeThrough(new TextDecoderStream())
      await act()
      let text = ''
      for await (const chunk of reading) {
        text += chunk
        const blocks = text.split('\n\n')
        text = blocks.pop()
        events.push(...blocks.map(eventOf).filter(Boolean))
        if (events.some((event) => event.name === name)) break
      }
    } catch (error) {
      if (!ending.signal.aborted) throw error
    } finally {
      clearTimeout(patience)
      ending.abort()
    }
    this.#note(id, 'good', request)
    this.#judge(`${id} (stream) ${JSON.stringify(request)}`, () => {
      assert.equal(answer.status, 200)
      const [type] = Object.keys(responses[200].content)
      assert.equal(answer.headers.get('content-type'), type)
      for (const header of this.#requiredHeaders(responses[200])) assert.ok(answer.headers.has(header), `${header} is missing`)
      assert.ok(events.some((event) => event.name === name), `no ${name} among ${JSON.stringify(events)}`)
    })
    return events
  }

  /**
   * Sends good input to the service itself, and returns the text of its response, which must have the media type. This is
   * for types that Prism confuses: it takes every type ending in +json for the first JSON type of the response.
   * So the response is validated against the document here, and its body by the caller.
   */
  async besidePrism(id, origin, request, type) {
    const { responses } = this.operations.get(id)
    const answer = await fetched(origin + this.#target(id, request), { headers: encoded(request).headers })
    this.#note(id, 'good', request)
    this.#judge(`${id} (${type}) ${JSON.stringify(request)}`, () => {
      assert.deepEqual([answer.status, answer.type], [200, type], answer.text)
      assert.ok(responses[200].content[type], `the document does not name ${type}`)
      for (const header of this.#requiredHeaders(responses[200])) assert.ok(answer.headers.has(header), `${header} is missing`)
    })
    return answer.text
  }

  /** Sends bad input unchanged to the service at `origin`, and has Prism check the response, an Error with this code. */
  async bad(id, origin, request, status, code, field) {
    const { method, responses } = this.operations.get(id)
    const { body, headers } = encoded(request)
    const ticket = this.tap.smuggle({ origin, method, target: this.#target(id, request), headers, body })
    const standIn = this.lenient + this.#target(id, { params: {} })
    const answer = await fetched(standIn, { method, headers: ticket.headers })
    this.#note(id, 'bad')
    this.#judge(`${id} (bad) ${JSON.stringify(request).slice(0, 300)}`, () => {
      assert.ok(ticket.wasSent(), `Prism did not pass the request on: ${answer.text}`)
      assert.deepEqual(violationsOf(answer), [], `the service answered: ${answer.text}`)
      assert.equal(answer.status, status, answer.text)
      // A status requested by Prefer may be any; the document describes it as `default`.
      assert.ok(responses[status] || request.headers?.Prefer, `the document does not name ${status}`)
      if (status < 400) return
      assert.equal(answer.body.status, status)
      assert.equal(answer.body.code, code, answer.text)
      if (field) assert.ok(answer.body.details?.some((detail) => detail.field === field), `no ${field} in ${answer.text}`)
    })
    return answer
  }

  /** Runs a drive. If it throws, because a response that it depends on is missing, that counts as a failure. */
  async hear(drive, services) {
    try {
      await drive(this, services)
    } catch (error) {
      this.#failures.push(`${drive.name} could not go on\n       ${error.stack}`)
    }
  }

  /** Returns the examples of an operation's request body in the document. */
  examplesOf(id) {
    const { content } = this.operations.get(id).requestBody
    return Object.values(content['application/json'].examples).map((example) => this.resolve(example).value)
  }

  /** Makes a check that is not of one response. */
  check(name, assertion) {
    this.#judge(name, assertion)
  }

  /** Prints a line for each operation, the failures and the total. Returns whether all checks passed. */
  report() {
    for (const [id, { parameters }] of this.#score) {
      const forgotten = this.operations.get(id).parameters.filter(({ name }) => !parameters.has(name))
      this.#judge(`${id} driven with every parameter`, () => assert.deepEqual(forgotten.map(({ name }) => name), []))
    }
    for (const [id, { good, bad }] of this.#score) {
      this.#judge(`${id} driven both ways`, () => assert.ok(good > 0 && bad > 0, `${good} good, ${bad} bad`))
      console.log(`${id.padEnd(20)} ${String(good).padStart(4)} good ${String(bad).padStart(4)} bad`)
    }
    for (const failure of this.#failures) console.log(`FAILED ${failure}`)
    console.log(`${this.#passed} passed, ${this.#failures.length} failed`)
    return this.#failures.length === 0
  }

  #judge(name, assertion) {
    try {
      assertion()
      this.#passed++
    } catch (error) {
      this.#failures.push(`${name}\n       ${error.message}`)
    }
  }

  #requiredHeaders({ headers }) {
    return Object.keys(headers).filter((name) => this.resolve(headers[name]).required)
  }

  #note(id, way, { params, query, headers } = {}) {
    const score = this.#score.get(id)
    score[way]++
    for (const name of Object.keys({ ...params, ...query, ...headers })) score.parameters.add(name)
  }

  #target(id, { params, query }) {
    const path = this.operations.get(id).path.replace(/\{(\w+)\}/g, (_, name) => params?.[name] ?? 1)
    const search = typeof query === 'string' ? query : new URLSearchParams(pairs(query)).toString()
    return search ? `${path}?${search}` : path
  }
}

function pairs(query = {}) {
  return Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]))
}

/** Encodes a body as JSON, unless it is a string. The Content-Type is JSON unless the headers have another. */
function encoded({ body, headers = {} }) {
  if (body === undefined) return { headers: { ...headers } }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { body: text, headers: { 'Content-Type': 'application/json', ...headers } }
}

async function fetched(url, options) {
  // Prism decompresses gzip but keeps Content-Encoding, so responses must not be compressed.
  const headers = { 'Accept-Encoding': 'identity', ...options.headers }
  const response = await fetch(url, { ...options, headers, signal: AbortSignal.timeout(patienceMs) })
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  const body = type.startsWith('application/json') ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, type, text, body }
}

/** Returns the id, name and data of a server-sent event, or undefined for a comment. */
function eventOf(block) {
  const fields = Object.fromEntries(block.split('\n').map((line) => [line.split(':')[0], line.slice(line.indexOf(':') + 2)]))
  return fields.event && { id: Number(fields.id), name: fields.event, data: JSON.parse(fields.data) }
}

/** Returns the violations in the response that Prism found, or that it found no operation. Those in the request are intended. */
function violationsOf({ headers }) {
  const violations = JSON.parse(headers.get('sl-violations') ?? '[]')
  return violations.filter(({ location, message }) => location[0] === 'response' || message === 'Selected route not found')
}
