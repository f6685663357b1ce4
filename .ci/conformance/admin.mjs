// Good and bad input for the admin API.
import assert from 'node:assert/strict'

export async function goodAdminInput(judge, origin) {
  const { body: fresh } = await judge.good('resetSandbox', {}, 200, ({ body }) => assert.deepEqual([body.sandbox, body.seed], ['default', 1]))
  await fetch(`${origin}/pets/1`, { method: 'DELETE' })
  await judge.good('getAdmin', {}, 200, ({ body }) => assert.equal(body.counts.pets, fresh.counts.pets - 1))
  await judge.good('resetSandbox', {}, 200, ({ body }) => assert.deepEqual(body.counts, fresh.counts))
}

export async function badAdminInput(judge, origin, guarded) {
  for (const id of judge.operations.keys()) {
    await judge.bad(id, origin, { headers: { Host: 'petstore.example' } }, 403, 'forbidden')
    await judge.bad(id, guarded, {}, 401, 'unauthorized')
    await judge.bad(id, guarded, { headers: { Authorization: 'Bearer conformance' } }, 401, 'unauthorized')
    const withKey = { headers: { Authorization: 'Bearer conformance-admin' } }
    await judge.bad(id, guarded, { ...withKey, query: { colour: 'red' } }, 400, 'invalid_parameter', 'colour')
  }
  const foreign = { Origin: 'https://petstore.example', 'Sec-Fetch-Site': 'cross-site' }
  await judge.bad('resetSandbox', origin, { headers: foreign }, 403, 'forbidden')
}
