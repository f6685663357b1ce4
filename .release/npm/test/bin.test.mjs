// Tests of the command, with the packages that npm installs: arguments, output, signals and exit status are the binary's.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, link, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { untilGone } from './gone.mjs'

const modules = fileURLToPath(new URL('node_modules', import.meta.url))
const command = join(modules, '.bin/petstore-sandbox')

/** Starts the command, and returns it with its only line. */
async function started(file, args) {
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  assert.match(line, /^petstore listening on http:\/\/127\.0\.0\.1:\d+$/)
  return child
}

test('output and exit status are passed on', () => {
  const version = spawnSync(command, ['--version'], { encoding: 'utf8' })
  assert.deepEqual([version.status, version.stderr], [0, ''])
  assert.match(version.stdout, /^petstore v\d+\.\d+\.\d+\S*\n$/)
  const wrong = spawnSync(command, ['--pest', '5'], { encoding: 'utf8' })
  assert.deepEqual([wrong.status, wrong.stdout], [2, ''])
  assert.match(wrong.stderr, /--pest/)
})

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
  test(`${signal} is passed on`, async () => {
    const child = await started(command, ['--addr', '127.0.0.1:0'])
    child.kill(signal)
    assert.deepEqual(await once(child, 'exit'), [0, null])
  })
}

test('standard input is passed on', async () => {
  const child = await started(command, ['--addr', '127.0.0.1:0', '--exit-with-stdin'])
  child.stdin.end()
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

const parents = { // they do not pass the signal on
  'npx that is ended by SIGTERM': ['SIGTERM', 'npx', 'petstore-sandbox', '--addr', '127.0.0.1:0'],
  'a shell that is killed': ['SIGKILL', 'sh', '-c', `${command} --addr 127.0.0.1:0 & wait`],
}
for (const [parent, [signal, file, ...args]] of Object.entries(parents)) {
  test(`the server ends with ${parent}, with no standard input`, async () => {
    const child = spawn(file, args, { cwd: join(modules, '..'), stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    const url = line.replace('petstore listening on ', '')
    assert.equal((await fetch(`${url}/healthz`)).status, 200)
    child.kill(signal)
    await untilGone(url)
  })
}

test('Ctrl-C on a terminal ends the server once, so that it finishes', async () => {
  // script gives it a terminal, and exits with its status. The server drains at the first signal, and ends at the second.
  const child = spawn('script', ['--quiet', '--return', '--command', `exec ${command} --addr 127.0.0.1:0 --drain 1s`, '/dev/null'])
  const seen = []
  for await (const line of createInterface({ input: child.stdout })) {
    seen.push(line)
    if (line.includes('listening')) child.stdin.write('\x03')
  }
  await once(child, 'close').catch(() => {})
  assert.equal(child.exitCode, 0, seen.join('\n'))
})

test('what cannot be run is told in a line', () => {
  const { status, stderr } = spawnSync(command, [], { encoding: 'utf8', env: { ...process.env, PETSTORE_BINARY: '/nowhere/petstore' } })
  assert.deepEqual([status, stderr], [1, 'petstore-sandbox: cannot run /nowhere/petstore: it is not there; set PETSTORE_BINARY to the path of a petstore binary, or unset it\n'])
})

test('the launcher does not start itself', async t => {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-launcher-'))
  t.after(() => rm(directory, { recursive: true }))
  // Node.js loads guard.cjs first in each process, so that even a launcher that starts itself stops after three times.
  const guard = join(directory, 'guard.cjs')
  await writeFile(guard, 'process.env.DEPTH = +process.env.DEPTH + 1\nif (process.env.DEPTH > 3) process.exit(9)\n')
  const run = binary => {
    const env = { ...process.env, NODE_OPTIONS: `--require=${guard}`, DEPTH: 0, PETSTORE_BINARY: binary }
    const { status, stdout, stderr } = spawnSync(command, ['--version'], { encoding: 'utf8', env })
    return { status, stdout, stderr }
  }

  const launcher = join(modules, 'petstore-sandbox/lib/bin.js')
  const [linked, hard] = ['linked', 'hard'].map(name => join(directory, name))
  await symlink(command, linked)
  await link(launcher, hard)
  for (const binary of [command, launcher, linked, hard]) {
    const stderr = `petstore-sandbox: PETSTORE_BINARY is ${binary}, the launcher of petstore-sandbox; set it to the path of a petstore binary, or unset it\n`
    assert.deepEqual(run(binary), { status: 1, stdout: '', stderr })
  }

  // A script that starts a launcher, such as pnpm's commands, and a launcher of another installation use their own binary.
  const script = join(directory, 'petstore.sh')
  await writeFile(script, `#!/bin/sh\nexec ${launcher} "$@"\n`)
  await chmod(script, 0o755)
  await cp(modules, join(directory, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  for (const binary of [script, join(directory, 'node_modules/petstore-sandbox/lib/bin.js')]) {
    const { status, stdout } = run(binary)
    assert.deepEqual([status, stdout.startsWith('petstore ')], [0, true])
  }
})
