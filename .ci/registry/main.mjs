// Publishes the npm packages in a registry on this machine, installs them from there in an empty folder as anybody would,
// and runs their tests there, with each Node.js that is named.
//
//     node .ci/registry/main.mjs DIRECTORY_OF_TARBALLS TSC NODE...
//
// The packages are those of the scope @shop. Tests import petstore-sandbox, which stands for @shop/petstore-sandbox.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { runServer } from 'verdaccio'

const here = dirname(fileURLToPath(import.meta.url))
const [tarballs, tsc, ...nodes] = process.argv.slice(2).map(argument => resolve(argument))
const tests = resolve(here, '../../.release/npm/test')
const work = mkdtempSync(join(tmpdir(), 'petstore-registry-'))
const app = join(work, 'app')

/** Starts a registry without an upstream, so that only packages published here can be installed. */
async function startRegistry() {
  const server = await runServer({
    configPath: join(work, 'config.yaml'), storage: join(work, 'storage'), self_path: work, uplinks: {}, web: { enable: false },
    packages: { '**': { access: '$all', publish: '$all' } }, max_body_size: '100mb', log: { type: 'stdout', format: 'pretty', level: 'fatal' },
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `127.0.0.1:${server.address().port}`
  mkdirSync(app)
  // npm does not publish without a token. This registry ignores it.
  writeFileSync(join(app, '.npmrc'), `registry=http://${address}/\n//${address}/:_authToken=any\ncache=${join(work, 'cache')}\nfund=false\naudit=false\nupdate-notifier=false\n`)
  writeFileSync(join(app, 'package.json'), '{"private": true, "type": "module"}\n')
  return server
}

/** Runs a command in the folder. Its own commands run with the same Node.js. */
async function run(command, ...args) {
  const env = { ...process.env, PATH: `${dirname(command)}:${process.env.PATH}` }
  const child = spawn(command, args, { cwd: app, env, stdio: ['ignore', 'inherit', 'inherit'] })
  const [code, signal] = await once(child, 'exit')
  assert.equal(signal ?? code, 0, `${command} ${args.join(' ')}`)
}

/** Returns the time from the start of npx, with no package installed, to the first response, in seconds. */
async function timeOfNpx() {
  const begun = performance.now()
  const child = spawn('npx', ['--yes', '@shop/petstore-sandbox', '--addr', '127.0.0.1:0', '--exit-with-stdin'], { cwd: app, stdio: ['pipe', 'pipe', 'inherit'] })
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([line]) => line),
    once(child, 'exit').then(([code, signal]) => { throw new Error(`npx ended with ${signal ?? code}`) }),
  ])
  const answer = await fetch(line.replace('petstore listening on ', '') + '/pets?limit=1')
  assert.deepEqual((await answer.json()).map(({ id }) => id), [1])
  const took = (performance.now() - begun) / 1000
  child.stdin.end() // npm passes no signal on
  const [code, signal] = await once(child, 'exit')
  assert.equal(signal ?? code, 0, 'npx when standard input ends')
  return took.toFixed(1)
}

const server = await startRegistry()
try {
  for (const tarball of readdirSync(tarballs).filter(name => name.endsWith('.tgz'))) {
    await run('npm', 'publish', '--silent', '--tag', 'latest', join(tarballs, tarball))
  }
  console.log(`npx to the first answer: ${await timeOfNpx()} s with nothing installed, ${await timeOfNpx()} s with its cache`)
  await run('npm', 'install', '--save-dev', 'petstore-sandbox@npm:@shop/petstore-sandbox')
  cpSync(tests, app, { recursive: true })
  cpSync(resolve(here, '../../testdata/clients/cases.json'), join(app, 'cases.json'))
  await run(tsc, '--project', app)
  for (const node of nodes) {
    await run(node, '--version')
    await run(node, '--test', '--test-reporter', 'spec', ...readdirSync(tests).filter(name => /\.test\.[cm]js$/.test(name)))
    await run(node, 'types.js')
  }
} finally {
  server.close()
  rmSync(work, { recursive: true })
}
process.exit() // the registry leaves timers
