// A test that fails leaves its world, by which its last request fails again on another server.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { start } from 'petstore-sandbox'

const here = path => fileURLToPath(new URL(`../${path}`, import.meta.url))

const commands = {
  'node:test': ['--test', here('node-test/flaky-orders.js')],
  vitest: [here('node_modules/vitest/vitest.mjs'), 'run', '--root', here(''), '--config', here('vitest/flaky.config.ts')],
  Jest: ['--experimental-vm-modules', here('node_modules/jest/bin/jest.js'), '--rootDir', here(''), '--config', here('jest.config.js'), '--testMatch', '**/jest/flaky-orders.js', '--colors=false'],
  Playwright: [here('node_modules/@playwright/test/cli.js'), 'test', '--config', here('playwright/flaky.config.ts'), '--output', 'results'],
}
for (const [runner, command] of Object.entries(commands)) {
  test(`${runner} keeps the world of a test that fails`, async t => {
    const cwd = await mkdtemp(join(tmpdir(), 'petstore-kept-'))
    t.after(() => rm(cwd, { recursive: true }))
    await writeFile(join(cwd, 'package.json'), '{}') // Jest looks for one
    const { NODE_TEST_CONTEXT, ...env } = process.env // with which node:test would be a part of this run
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd, env, encoding: 'utf8' })
    assert.equal(status, 1, stdout)
    const kept = (await readdir(cwd, { recursive: true })).filter(name => /\.(world\.json|har)$/.test(name)).sort()
    assert.equal(kept.length, 2, `${kept}\n${stdout}`)
    const said = `The world is kept in ${runner === 'Playwright' ? join(cwd, kept[1]) : kept[1]}`
    assert.ok((stdout + stderr).includes(said), `it does not say ${said}\n${stdout}${stderr}`)

    const [har, world] = await Promise.all(kept.map(name => readFile(join(cwd, name), 'utf8')))
    const { journal } = JSON.parse(world)
    const entries = JSON.parse(har).log.entries
    assert.deepEqual(entries.map(({ response }) => response.status), journal.map(({ status }) => status))
    const { draw, path } = journal.findLast(({ method }) => method === 'POST')
    const elsewhere = await start({ world: join(cwd, kept[1]) })
    t.after(() => elsewhere.stop())
    await elsewhere.importWorld(world, { draw })
    const again = await elsewhere.fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })
    assert.deepEqual([again.status, path], [503, '/store/orders'])
  })
}
