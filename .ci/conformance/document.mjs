// Reads an OpenAPI document.

const methods = ['get', 'put', 'post', 'delete', 'patch']

/** Gives back what a node of the document refers to, or the node itself. */
export function resolverOf(document) {
  return (node) => (node.$ref ? node.$ref.slice(2).split('/').reduce((at, key) => at[key], document) : node)
}

/** The operations of a document by operationId, each with its method, path and parameters. */
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
