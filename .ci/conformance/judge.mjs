// Sends requests for the operations of one document and keeps score: the expected status, no violation found by Prism,
// and every operation and parameter driven.
import assert from 'node:assert/strict'

const methods = ['get', 'put', 'post', 'delete', 'patch']

/** The operations of a document by operationId, each with its method, path and parameters. */
export function operationsOf(document) {
  const resolve = (node) => (node.$ref ? node.$ref.slice(2).split('/').reduce((at, key) => at[key], document) : node)
  const operations = new Map()
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods.filter((method) => item[method])) {
      const operation = item[method]
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve)
      operations.set(operation.operationId, { ...operation, method: method.toUpperCase(), path, parameters })
    }
  }
  return operations
}

export class Judge {
  #score = new Map()
  #failures = []
  #passed = 0

  /** `strict` is the address of the Prism for good input, `lenient` of the one behind which `tap` waits with bad input. */
  constructor(document, { strict, lenient, tap }) {
    this.operations = operationsOf(document)
    Object.assign(this, { strict, lenient, tap })
    for (const id of this.operations.keys()) this.#score.set(id, { good: 0, bad: 0, parameters: new Set() })
  }

  /** Sends good input through Prism, which checks request and answer. Gives back the answer. */
  async good(id, request, status, check = () => {}) {
    const { method, responses } = this.operations.get(id)
    const { body, headers } = encoded(request)
    const answer = await fetched(this.strict + this.#target(id, request), { method, headers, body })
    this.#note(id, 'good', request)
    this.#judge(`${id} (good) ${JSON.stringify(request)}`, () => {
      assert.ok(!answer.type.startsWith('application/problem+json'), `Prism: ${answer.text}`)
      assert.equal(answer.status, status, answer.text)
      assert.ok(responses[status], `the document does not name ${status}`)
      check(answer)
    })
    return answer
  }

  /** Sends bad input as it is to the service at `origin` and has Prism check the answer, an Error with this code. */
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
      // A status that was asked for may be any; the document has `default` for those.
      assert.ok(responses[status] || request.headers?.Prefer, `the document does not name ${status}`)
      if (status < 400) return
      assert.equal(answer.body.status, status)
      assert.equal(answer.body.code, code, answer.text)
      if (field) assert.ok(answer.body.details?.some((detail) => detail.field === field), `no ${field} in ${answer.text}`)
    })
    return answer
  }

  /** Lets a drive run. One that cannot go on, for lack of an answer that it builds upon, is a failure like any other. */
  async hear(drive, ...services) {
    try {
      await drive(this, ...services)
    } catch (error) {
      this.#failures.push(`${drive.name} could not go on\n       ${error.stack}`)
    }
  }

  /** A check that is not about one answer. */
  check(name, assertion) {
    this.#judge(name, assertion)
  }

  /** Prints a line for each operation, what failed and the total. Gives back whether all passed. */
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

/** A string body goes out as it is, anything else as JSON. Both are sent as JSON unless the headers say otherwise. */
function encoded({ body, headers = {} }) {
  if (body === undefined) return { headers: { ...headers } }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { body: text, headers: { 'Content-Type': 'application/json', ...headers } }
}

async function fetched(url, options) {
  // Prism unpacks gzip but leaves Content-Encoding standing, so nothing compressed may come through it.
  const headers = { 'Accept-Encoding': 'identity', ...options.headers }
  const response = await fetch(url, { ...options, headers })
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  const body = type.startsWith('application/json') ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, type, text, body }
}

/** What Prism holds against the answer, and whether it knew the operation at all. What it holds against the request is meant. */
function violationsOf({ headers }) {
  const violations = JSON.parse(headers.get('sl-violations') ?? '[]')
  return violations.filter(({ location, message }) => location[0] === 'response' || message === 'Selected route not found')
}
