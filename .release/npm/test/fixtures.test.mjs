// Tests of the fixtures for node:test, and of the common part of all fixtures, with the packages that npm installs. The
// recipes for JavaScript test the other fixtures.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'node:test'
import { fileURLToPath } from 'node:url'
import { test, testWith } from 'petstore-sandbox/node'

const { SharedServer, serverFor } = createRequire(import.meta.url)('./node_modules/petstore-sandbox/lib/fixtures.js')

describe('a suite', () => {
  test('a test has a sandbox, which is named after it', async ({ pets, petstore }, t) => {
    assert.equal(pets.title, 'fixtures.test.mjs a suite a test has a sandbox, which is named after it')
    assert.ok(pets.url.startsWith(petstore.url))
    assert.equal(t.name, 'a test has a sandbox, which is named after it')
    assert.equal((await pets.fetch('/pets')).headers.get('X-Total-Count'), '100')
  })
})

describe('tests of one name at the same time', { concurrency: true }, () => {
  const titles = []
  let haveMet
  const both = new Promise(resolve => { haveMet = resolve })
  for (const _ of [1, 2]) {
    test('have two sandboxes', async ({ pets }) => {
      if (titles.push(pets.title) === 2) haveMet()
      await both
      const title = 'fixtures.test.mjs tests of one name at the same time have two sandboxes'
      assert.deepEqual(titles.toSorted(), [title, `${title} 2`])
    })
  }
})

testWith({ pets: 3 })('with flags the file has another server', async ({ pets }) => {
  assert.equal((await pets.fetch('/pets')).headers.get('X-Total-Count'), '3')
})

test('the server at PETSTORE_URL is used, unless there are flags', async ({ petstore }, t) => {
  t.after(() => { delete process.env.PETSTORE_URL })
  process.env.PETSTORE_URL = petstore.url
  const found = await serverFor(undefined)
  assert.deepEqual([found.url, found.pid], [petstore.url, undefined])
  const own = await serverFor({ pets: 3 })
  t.after(() => own.stop())
  assert.notEqual(own.url, petstore.url)
})

test('a server that does not start fails the tests, and nothing else', async () => {
  const server = new SharedServer({ pets: -1 })
  await assert.rejects(server.get(), /ended with status 2/)
  await server.stop()
})

test('a test that fails, also in a subtest, or takes too long keeps its world, and its sandbox is dropped', async ({}, t) => {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-failed-'))
  t.after(() => rm(directory, { recursive: true }))
  const { NODE_TEST_CONTEXT, ...env } = process.env // which would make node:test a part of this run
  const file = fileURLToPath(new URL('failing.mjs', import.meta.url))
  const { status, stdout } = spawnSync(process.execPath, ['--test', '--test-reporter', 'spec', file], { cwd: directory, env, encoding: 'utf8' })
  assert.equal(status, 1, stdout)
  const kept = await readdir(join(directory, 'failed'))
  assert.equal(kept.length, 6, `${kept}\n${stdout}`)
  for (const name of kept.filter(name => name.endsWith('.world.json'))) {
    assert.ok(stdout.includes(`The world is kept in failed/${name}`), stdout)
  }
  assert.match(stdout, /sandboxes: default\n/)
})
