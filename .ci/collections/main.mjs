// Sends every request of the collections by their tools: Bruno's command line, and httpYac for the .http file. Each
// must work on fresh data.
//
//     node main.mjs URL DIRECTORY
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

const [url, directory] = process.argv.slice(2)
const tool = (name) => join(import.meta.dirname, 'node_modules/.bin', name)

async function download(path) {
  const file = join(directory, basename(path))
  await writeFile(file, Buffer.from(await (await fetch(url + path)).arrayBuffer()))
  return file
}

/** Runs a tool. Its exit status does not matter: the statuses of the responses do. */
function run(cwd, command, ...args) {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], timeout: 120_000, maxBuffer: 64 << 20 })
  } catch (error) {
    if (error.status === null) throw error
    return error.stdout
  }
}

/** Checks the statuses by operationId. Category 3 has pets, so its deletion is refused; a stream of events does not end. */
function check(name, statuses, operations) {
  for (const id of operations) {
    if (id === 'streamEvents') continue
    const status = statuses.get(id)
    assert.ok(id === 'deleteCategory' ? status === 409 : status >= 200 && status < 300, `${name}: ${id}: ${status}`)
  }
  console.log(`ok ${name}, ${statuses.size} requests`)
}

const { paths } = await (await fetch(`${url}/openapi.json`)).json()
const operations = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId).filter(Boolean))
const reset = () => fetch(`${url}/admin/reset`, { method: 'POST' })

await reset()
const http = await download('/docs/petstore.http')
const sent = JSON.parse(run(directory, tool('httpyac'), 'send', http, '--all', '--json', '--timeout', '2000'))
check('httpYac', new Map(sent.requests.map(({ name, response }) => [name, response?.statusCode])), operations)

await reset()
run(directory, 'python3', '-m', 'zipfile', '--extract', await download('/docs/petstore-bruno.zip'), '.')
const collection = join(directory, 'petstore')
// Pets last: its folder deletes the pet of an order and of an inventory entry.
const folders = (await readdir(collection)).filter((name) => !/\.json$|^environments$|^Events$|^Pets$/.test(name))
run(collection, tool('bru'), 'run', ...folders, 'Pets', '--env', 'sandbox', '--reporter-json', 'results.json')
const [{ results }] = JSON.parse(await readFile(join(collection, 'results.json'), 'utf8'))
check('Bruno', new Map(results.map(({ test, response }) => [basename(test.filename, '.bru'), response.status])), operations)
