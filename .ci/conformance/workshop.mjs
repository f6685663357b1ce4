// A day of a workshop, on a server that was started with --workshop.
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { startPrism } from './processes.mjs'

const file = fileURLToPath(new URL('../../handlers/docs/admin.yaml', import.meta.url))

export async function workshop(judge, { workshop, origin }) {
  const good = judge.goodIn({ headers: { 'X-Sandbox': 'default' }, prism: await startPrism(file, workshop, '--errors') })
  await good('getWorkshop', {}, 200, ({ body }) => assert.deepEqual(body, { title: '', open: true, limit: 60, joined: 0, ended: false, addresses: [] }))
  for (const body of judge.examplesOf('joinWorkshop')) {
    await good('joinWorkshop', { body }, 201, ({ body }) => assert.deepEqual([body.sandbox, body.title, body.key.length > 20], ['ada-lovelace', 'Ada Lovelace', true]))
  }
  await judge.bad('makeSandbox', workshop, { params: { sandboxName: 'ada-lovelace' }, headers: { Via: '1.1 proxy' } }, 403, 'forbidden')
  await good('setWorkshop', { body: { limit: 1 } }, 200, ({ body }) => assert.deepEqual([body.limit, body.joined], [1, 1]))
  await judge.bad('joinWorkshop', workshop, { body: { name: 'Grace' } }, 403, 'forbidden')
  for (const body of judge.examplesOf('setWorkshop')) {
    await good('setWorkshop', { body }, 200, (answer) => assert.deepEqual({ ...answer.body, ...body }, answer.body))
  }
  await good('getDoor', {}, 200, ({ body }) => assert.deepEqual(body, { title: 'APIs for designers', open: true, full: false, joined: 1, ended: false, adminKey: false }))
  await good('endWorkshop', {}, 200, ({ body }) => assert.deepEqual([body.open, body.joined, body.ended], [false, 0, true]))
  await judge.bad('createSandbox', workshop, {}, 409, 'conflict')
  await judge.bad('makeSandbox', workshop, { params: { sandboxName: 'ada' } }, 409, 'conflict')
  await judge.bad('joinWorkshop', workshop, { body: { name: 'Ada' } }, 403, 'forbidden')
  for (const id of ['getWorkshop', 'getDoor', 'endWorkshop']) await judge.bad(id, origin, {}, 404, 'not_found')
  await judge.bad('setWorkshop', origin, { body: { open: true } }, 404, 'not_found')
  await judge.bad('joinWorkshop', origin, { body: { name: 'Ada' } }, 404, 'not_found')
}
