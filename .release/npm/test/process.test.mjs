// Tests of the start and the end of the server, with the packages that npm installs.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { start } from 'petstore-sandbox'
import { untilGone } from './gone.mjs'

/** Runs a module that finds the package, and returns the process with an iterator of its lines. */
function run(code, env = {}) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] })
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
}

async function directoryFor(t) {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-process-'))
  t.after(() => rm(directory, { recursive: true }))
  return directory
}

test('the server ends with its parent, even when that is killed', async () => {
  const { child, lines } = run(`
    import { start } from 'petstore-sandbox'
    const store = await start()
    console.log(store.url)
    setInterval(() => {}, 1000)`)
  const { value: url } = await lines.next()
  assert.equal((await fetch(`${url}/healthz`)).status, 200)
  child.kill('SIGKILL')
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL'])
  await untilGone(url)
})

test('a server that nobody stops does not keep its parent running', async () => {
  const { child, lines } = run(`
    import { start } from 'petstore-sandbox'
    const store = await start()
    console.log(store.url)`)
  const { value: url } = await lines.next()
  assert.deepEqual(await once(child, 'exit'), [0, null])
  await untilGone(url)
})

test('stop at the end of a module is waited for', async () => {
  const { child, lines } = run(`
    import { start } from 'petstore-sandbox'
    const store = await start()
    await store.stop()
    console.log('stopped')`)
  assert.equal((await lines.next()).value, 'stopped')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

test('a port that is taken, and a flag that is none, are told with what the server says', async t => {
  const first = await start()
  t.after(() => first.stop())
  const port = new URL(first.url).port
  await assert.rejects(start({ addr: `127.0.0.1:${port}` }), new RegExp(`ended with status 1 before it was ready:\n.*${port}.*in use`))
  await assert.rejects(start({ pets: -1, adminKey: 'topsecret', apiKey: ['one-secret', 'two'] }), error => !error.message.includes('secret'))
  await assert.rejects(start({ pest: 5 }), /petstore --pest=5 --addr=127\.0\.0\.1:0 ended with status 2 before it was ready:\nunknown flag: --pest/)
})

test('flags that make no sense here are refused, and HTTPS is', async t => {
  await assert.rejects(start({ tls: true }), /does not take tls: start\(\) serves HTTP/)
  await assert.rejects(start({ exitWithStdin: false }), TypeError)
  process.env.PETSTORE_TLS = 'true'
  t.after(() => { delete process.env.PETSTORE_TLS })
  await assert.rejects(start(), /serves HTTP only.*PETSTORE_TLS/)
})

test('a binary that is missing or cannot be run is told with what to do', async t => {
  const file = join(await directoryFor(t), 'petstore')
  t.after(() => { delete process.env.PETSTORE_BINARY })
  process.env.PETSTORE_BINARY = file
  await assert.rejects(start(), { message: `cannot run ${file}: it is not there; set PETSTORE_BINARY to the path of a petstore binary, or unset it` })
  await writeFile(file, '#!/bin/sh\n')
  await chmod(file, 0o644)
  await assert.rejects(start(), { message: `cannot run ${file}: it is not executable; run chmod +x ${file}, or install petstore-sandbox again` })
})

test('a program that announces no address is given up after 30 s, and named with what it said', async t => {
  const directory = await directoryFor(t)
  const file = join(directory, 'petstore')
  t.after(() => { delete process.env.PETSTORE_BINARY })
  process.env.PETSTORE_BINARY = file
  await writeFile(file, '#!/bin/sh\necho waiting for Godot >&2\n> "$0.waits"\nexec sleep 60\n', { mode: 0o755 })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let settled = false
  const refused = assert.rejects(start({ pets: 5 }), {
    message: `${file} --exit-with-stdin --pets=5 --addr=127.0.0.1:0 announced no address in 30 s, and said:\nwaiting for Godot`,
  }).finally(() => { settled = true })
  while (!(await readdir(directory)).includes('petstore.waits')) {}
  t.mock.timers.tick(29_999)
  await readdir(directory)
  assert.equal(settled, false)
  t.mock.timers.tick(1)
  await refused
})

test('a platform package that is missing is told with what to do', async t => {
  const directory = await directoryFor(t)
  await cp(new URL('node_modules/petstore-sandbox', import.meta.url), join(directory, 'node_modules/petstore-sandbox'), { recursive: true })
  const { name, version } = JSON.parse(await readFile(join(directory, 'node_modules/petstore-sandbox/package.json'), 'utf8'))
  const wanted = `${name}-${process.platform}-${process.arch}`, tarball = `${wanted.replace(/^@(.*)\//, '$1-')}-${version}.tgz`
  const copy = await import(join(directory, 'node_modules/petstore-sandbox/lib/index.js'))
  await assert.rejects(copy.start(), ({ message }) => message.startsWith(
    `the package ${wanted}, which holds the binary for this machine, is not installed; install its tarball ${tarball} too, or, from npm, install again without --omit=optional`))
})

test('a server that was killed is named as the reason why nothing works', async t => {
  const store = await start({ verbose: true })
  t.after(() => store.stop())
  await store.fetch('/pets')
  await store.waitForRequests()
  process.kill(store.pid, 'SIGKILL')
  await untilGone(store.url)
  await assert.rejects(async () => { for (;;) await store.reset() }, /POST \/admin\/reset: the server was ended by SIGKILL:\n(.*\n)*.*listPets/)
})
