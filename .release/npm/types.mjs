// Makes the types of the package from the binary that it ships: those of the control plane from its document, and those of
// the flags from --help.
//
//     node types.mjs BINARY DIRECTORY OPENAPI_TYPESCRIPT
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const [binary, directory, openapiTypescript] = process.argv.slice(2)

/** Returns the document of the control plane, as the binary serves it. */
async function adminDocument() {
  const server = spawn(binary, ['--addr', '127.0.0.1:0', '--exit-with-stdin', '--log-level', 'error'], { stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    const [line] = await once(createInterface({ input: server.stdout }), 'line')
    return await (await fetch(line.replace('petstore listening on ', '') + '/admin/openapi.json')).json()
  } finally {
    server.stdin.end()
    await once(server, 'exit')
  }
}

function writeSchemas({ openapi, info, components: { schemas } }) {
  const temporary = mkdtempSync(join(tmpdir(), 'petstore-types-'))
  const document = join(temporary, 'schemas.json')
  writeFileSync(document, JSON.stringify({ openapi, info, paths: {}, components: { schemas } }))
  execFileSync(openapiTypescript, [document, '--output', join(directory, 'schemas.gen.ts')], { stdio: ['ignore', 'ignore', 'inherit'] })
  rmSync(temporary, { recursive: true })
}

/** Flags that make no sense in start(), which says so. */
const left = new Set(['exit-with-stdin', 'mcp', 'completion', 'help', 'version', 'wait-ready', 'tls', 'tls-cert', 'tls-key'])

/** The types of values, by the word that --help has for them; any other is text. */
const types = { '': 'boolean', number: 'number', share: 'number', bytes: 'number | string' }

function writeFlags(help) {
  const lines = help.matchAll(/^ +(?:-\w, )?--([a-z-]+)(?: (\S+))?  +(.*)$/gm)
  const fields = [...lines].filter(([, name]) => !left.has(name)).map(([, name, word = '', what]) => {
    const camel = name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())
    const type = what.includes('; repeatable') ? 'string | string[]' : types[word] ?? 'string'
    return `  /** ${what.replace('; repeatable', '; an array for several')} */\n  ${camel}?: ${type} | undefined\n`
  })
  if (fields.length < 25) throw new Error(`--help has ${fields.length} flags`)
  writeFileSync(join(directory, 'flags.gen.ts'), `/** The flags of the program, as --help has them. */\nexport interface Flags {\n${fields.join('')}}\n`)
}

writeSchemas(await adminDocument())
writeFlags(execFileSync(binary, ['--help'], { encoding: 'utf8' }))
