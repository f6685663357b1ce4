// Reads an OpenAPI document.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const methods = ['get', 'put', 'post', 'delete', 'patch']

/** Returns the path of a document, such as openapi.yaml, and its contents. */
export async function readDocument(name) {
  const file = fileURLToPath(new URL(`../../handlers/docs/${name}`, import.meta.url))
  return { file, document: parse(await readFile(file, 'utf8')) }
}

/** Adds the common headers to each response that does not describe them itself, so that a judge checks them. */
export function describeCommonHeaders(document) {
  const { paths, components } = document
  const common = components['x-response-headers']
  const operations = Object.values(paths).flatMap((item) => methods.map((method) => item[method] ?? {}))
  const responses = operations.flatMap(({ responses = {} }) => Object.values(responses))
  for (const response of [...responses, ...Object.values(components.responses)]) {
    if (!response.$ref) response.headers = { ...common, ...response.headers }
  }
}

/** Returns a function that resolves a node's $ref, or returns the node itself. */
export function resolverOf(document) {
  return (node) => (node.$ref ? node.$ref.slice(2).split('/').reduce((at, key) => at[key], document) : node)
}

/** Returns the operations of a document by operationId, each with its method, path and parameters. */
export function operationsOf(document, resolve) {
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
