// Writes the bodies that README.md sends with curl as TypeScript, each with the type of its operation, for tsc to check.
// Those that are meant to be rejected are left out.
//
//     node readme.mjs > readme.gen.ts
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'

const root = new URL('../../../', import.meta.url)
const read = async (path) => await readFile(new URL(path, root), 'utf8')
const documents = {
  petstore: parse(await read('handlers/docs/openapi.yaml')),
  admin: parse(await read('handlers/docs/admin.yaml')),
}

/** Yields the commands of the README's blocks, each with its output. */
function* steps(text) {
  for (const [, block] of text.matchAll(/^```[^\n]*\n(.*?)^```/gms)) {
    for (const step of `\n${block}`.split(/\n\$ /).slice(1)) {
      const [command, ...output] = step.replaceAll(/\\\n */g, ' ').split('\n')
      yield { command, output: output.join('\n') }
    }
  }
}

/** Returns the words of each simple command of a line, as a shell splits it. */
function commandsOf(line) {
  const commands = [[]]
  for (const [token] of line.matchAll(/[|;&]+|(?:'[^']*'|"[^"]*"|[^\s|;&'"])+/g)) {
    if (/^[|;&]/.test(token)) commands.push([])
    else commands.at(-1).push(token.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double))
  }
  return commands
}

/** Returns the body of a curl command and the type that it must have, or undefined for another command. */
function bodyOf(words) {
  const body = words[words.findIndex((word) => ['-d', '--data', '--json'].includes(word)) + 1]
  const url = words.find((word) => /^https?:/.test(word))
  if (!words.includes('curl') || !url || !body.startsWith('{')) return
  const method = (words[words.indexOf('-X') + 1 || Infinity] ?? 'POST').toLowerCase()
  const path = new URL(url).pathname.replace(/^\/sandboxes\/[^/]+/, '')
  const name = /^\/admin(\/|$)/.test(path) ? 'admin' : 'petstore'
  const template = Object.keys(documents[name].paths).find((template) => new RegExp(`^${template.replaceAll(/{\w+}/g, '[^/]+')}$`).test(path))
  assert.ok(template, `no document has ${path}`)
  return { type: `Body<${name}.paths['${template}']['${method}']>`, body }
}

const lines = []
for (const { command, output } of steps(await read('README.md'))) {
  if (output.includes('"status":400')) continue
  for (const { type, body } of commandsOf(command).map(bodyOf).filter(Boolean)) lines.push(`export const body${lines.length}: ${type} = ${body}`)
}
assert.ok(lines.length > 0, 'README.md sends no body')
console.log(`import type * as admin from './admin.gen.ts'
import type * as petstore from './petstore.gen.ts'

type Body<Operation> = Operation extends { requestBody?: { content: { 'application/json': infer B } } } ? B : never

${lines.join('\n')}`)
