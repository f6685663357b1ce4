// Tests the event streams, without Prism: it cannot pass a stream on, because it waits for the end of the response.
import assert from 'node:assert/strict'

const json = { 'Content-Type': 'application/json' }

export async function serviceStream(judge, { origin, guarded }) {
  const headers = { 'X-Sandbox': 'streamed' }
  const seen = await watch(judge, 'streamEvents', origin, headers)
  judge.check('streamEvents tells of no requests', () => assert.ok(seen.every(({ name }) => name !== 'request')))

  const withKey = { query: { access_token: 'conformance' } }
  const reset = () => fetch(`${guarded}/admin/reset`, { method: 'POST', headers: { Authorization: 'Bearer conformance-admin' } })
  await judge.stream('streamEvents', guarded, withKey, 'sandbox.reset', reset)
  await judge.stream('streamEvents', guarded, { headers: { Authorization: 'Bearer conformance', Prefer: 'delay=1' } }, 'sandbox.reset', reset)
}

/**
 * Waits for the event of a created pet, resumes the stream from just before it, and checks the events since. Finally
 * resumes after an id that never existed, which is a gap.
 */
export async function watch(judge, id, origin, headers, query) {
  const send = (method, path, body) => fetch(origin + path, { method, headers: { ...headers, ...json }, body: JSON.stringify(body) })
  let pet
  const first = await judge.stream(id, origin, { headers, query }, 'pet.created', async () => {
    pet = await (await send('POST', '/pets', { name: 'Rex', categoryId: 1 })).json()
  })
  const created = first.find(({ name }) => name === 'pet.created')
  judge.check(`${id} sends the resource`, () => assert.deepEqual(created?.data, pet))

  await send('PUT', `/store/inventory/${pet.id}`, { quantity: 3 })
  const last = created?.id - 1
  const resumed = { headers: { ...headers, 'Last-Event-ID': String(last) }, query }
  const next = await judge.stream(id, origin, resumed, 'pet.deleted', () => send('DELETE', `/pets/${pet.id}`))
  judge.check(`${id} resumes after the last event`, () => {
    const changes = next.filter(({ name }) => name !== 'request')
    assert.deepEqual(changes.map(({ name }) => name), ['pet.created', 'inventory.updated', 'pet.deleted'])
    assert.deepEqual(changes.map(({ data }) => data), [pet, { petId: pet.id, quantity: 3, status: 'available' }, { id: pet.id }])
    assert.ok(next.every((event, i) => event.id > (next[i - 1]?.id ?? last)), 'ids count up')
  })
  await judge.stream(id, origin, { headers: { ...headers, 'Last-Event-ID': '4000000000' }, query }, 'gap')
  return [...first, ...next]
}
