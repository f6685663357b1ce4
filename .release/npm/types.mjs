// Makes the types of the package from the binary that it ships: those of the service and of the control plane from their
// documents. The flags are in src/settings.ts, which handlers/config writes.
//
//     node types.mjs BINARY DIRECTORY OPENAPI_TYPESCRIPT
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const [binary, directory, openapiTypescript] = process.argv.slice(2)

/** Returns the documents of the service and of the control plane, as the binary serves them. */
async function documents() {
  const server = spawn(binary, ['--addr', '127.0.0.1:0', '--exit-with-stdin', '--log-level', 'error'], { stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    const [line] = await once(createInterface({ input: server.stdout }), 'line')
    const url = line.replace('petstore listening on ', '')
    return await Promise.all(['/openapi.json', '/admin/openapi.json'].map(async path => (await fetch(url + path)).json()))
  } finally {
    server.stdin.end()
    await once(server, 'exit')
  }
}

/** Writes the types of a document, with what follows them. */
function writeTypes(document, file, added = '') {
  const temporary = mkdtempSync(join(tmpdir(), 'petstore-types-'))
  const input = join(temporary, 'document.json')
  writeFileSync(input, JSON.stringify(document))
  execFileSync(openapiTypescript, [input, '--output', join(directory, file)], { stdio: ['ignore', 'ignore', 'inherit'] })
  appendFileSync(join(directory, file), added)
  rmSync(temporary, { recursive: true })
}

/** Returns a name for each schema. Error is ApiError, since JavaScript has an Error. */
function aliases({ components: { schemas } }) {
  return Object.entries(schemas).map(([name, { description }]) =>
    `${description ? `/** ${description} */\n` : ''}export type ${name === 'Error' ? 'ApiError' : name} = components['schemas']['${name}']\n`).join('')
}

const [service, admin] = await documents()
writeTypes(service, 'api.gen.ts', aliases(service))
writeTypes({ ...admin, paths: {}, components: { schemas: admin.components.schemas } }, 'schemas.gen.ts')
