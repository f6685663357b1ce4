// Has Prism mock the service by each document and asks it for every example of every status: who develops against the mock
// must get them all, and no request of the document may be one that Prism refuses.
//
//     node .ci/conformance/mock.mjs
import assert from 'node:assert/strict'
import { operationsOf, readDocument, resolverOf } from './document.mjs'
import { startMock } from './processes.mjs'

/** Some status that the document does not name, which its `default` then is for. */
const otherStatus = 502

/** A request for an operation that the document allows: the examples of its path, and the first of its body. */
function requestFor({ method, path, parameters, requestBody }, resolve) {
  const examples = Object.fromEntries(parameters.map(({ name, example }) => [name, example]))
  const request = { method, target: path.replace(/\{(\w+)\}/g, (_, name) => examples[name]), headers: { Authorization: 'Bearer mock' } }
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (!type) return request
  const [example] = Object.values(media.examples)
  return { ...request, headers: { ...request.headers, 'Content-Type': type }, body: JSON.stringify(resolve(example).value) }
}

/**
 * Every answer that the document shows: an example's status, media type, name and value, or a status that has no body.
 * Of several JSON types Prism gives the first only, since it takes each that ends in +json for it.
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
