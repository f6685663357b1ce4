// Has Prism mock the service from each document, and requests every example of every status: developers who use the mock
// must get them all, and Prism must accept every example of a request.
//
//     node .ci/conformance/mock.mjs
import assert from 'node:assert/strict'
import { operationsOf, readDocument, resolverOf } from './document.mjs'
import { startMock } from './processes.mjs'

/** A status that the document describes only as `default`. */
const otherStatus = 502

/** Returns a valid request for an operation, made of the examples of its parameters and the first one of its body. */
function requestFor({ method, path, parameters, requestBody }, resolve) {
  const examples = Object.fromEntries(parameters.map(({ name, example }) => [name, example]))
  const request = { method, target: path.replace(/\{(\w+)\}/g, (_, name) => examples[name]), headers: { Authorization: 'Bearer mock' } }
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (!type) return request
  const [example] = Object.values(media.examples)
  return { ...request, headers: { ...request.headers, 'Content-Type': type }, body: JSON.stringify(resolve(example).value) }
}

/**
 * Yields every response in the document: an example's status, media type, name and value, or a status without a body. Of
 * several JSON types, Prism returns only the first, because it takes every type ending in +json for it.
 */
function* answersOf({ responses }, resolve) {
  for (const [status, response] of Object.entries(responses)) {
    const code = status === 'default' ? otherStatus : Number(status)
    const { content } = resolve(response)
    if (!content) yield { code }
    for (const [type, { examples }] of Object.entries(content ?? {})) {
      if (type.endsWith('+json') && content['application/json']) continue
      for (const [example, shown] of Object.entries(examples)) yield { code, type, example, value: resolve(shown).value }
    }
  }
}

async function asks(address, { method, target, headers, body }, { code, type, example, value }) {
  const prefer = [`code=${code}`, ...(example ? [`example=${example}`] : [])].join(', ')
  const answer = await fetch(address + target, { method, body, headers: { ...headers, Accept: type ?? '*/*', Prefer: prefer } })
  const text = await answer.text()
  assert.equal(answer.status, code, text)
  assert.equal(answer.headers.get('sl-violations'), null)
  if (!type) return assert.equal(text, '')
  assert.equal(answer.headers.get('content-type'), type)
  assert.deepEqual(type === 'application/json' ? JSON.parse(text) : text, value)
}

async function mocks(name) {
  const { file, document } = await readDocument(name)
  const resolve = resolverOf(document)
  const address = await startMock(file)
  const failures = []
  let passed = 0
  for (const [id, operation] of operationsOf(document, resolve)) {
    const request = requestFor(operation, resolve)
    for (const answer of answersOf(operation, resolve)) {
      try {
        await asks(address, request, answer)
        passed++
      } catch (error) {
        failures.push(`${id} ${answer.code} ${answer.example ?? ''}\n       ${error.message}`)
      }
    }
  }
  for (const failure of failures) console.log(`FAILED ${failure}`)
  console.log(`${name}: Prism gives ${passed} answers, ${failures.length} failed`)
  return passed > 0 && failures.length === 0
}

const service = await mocks('openapi.yaml')
const admin = await mocks('admin.yaml')
process.exit(service && admin ? 0 : 1)
