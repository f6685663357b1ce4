// Requests that a server rejects at a limit, or because it has no such sandbox.
import { samples } from './bad.mjs'

const key = { Authorization: 'Bearer demo-key' }
const json = { 'Content-Type': 'application/json' }

export async function serviceLimits(judge, { full, limited, explicit }) {
  // With a frozen clock, the rate limit never refills after this request.
  await fetch(`${limited}/admin/clock`, { method: 'PUT', headers: json, body: JSON.stringify({ frozen: true }) })
  await fetch(`${limited}/pets`)
  await fetch(`${full}/pets`, { method: 'POST', headers: json, body: JSON.stringify(samples.createPet) })

  for (const [id, { responses }] of judge.operations) {
    const request = { body: samples[id], headers: key }
    if (responses[429]) await judge.bad(id, limited, request, 429, 'rate_limited')
    // A change of a record is limited only by memory: see TestFullForChanges.
    if (responses[507] && id.startsWith('create')) await judge.bad(id, full, request, 507, 'sandbox_full')
    if (responses[503] && id !== 'getHealth') await inAnother(judge, id, full, request, 503, 'sandbox_limit_reached')
    if (responses[404]) await inAnother(judge, id, explicit, request, 404, 'unknown_sandbox')
  }
}

export async function adminLimits(judge, { full, explicit }) {
  for (const [id, { method, path }] of judge.operations) {
    if (/^\/(admin\/(sandboxes|template|workshop)|join|metrics|mcp)/.test(path)) continue // about the server, not a sandbox
    if (method === 'GET') await inAnother(judge, id, full, {}, 404, 'unknown_sandbox')
    else await inAnother(judge, id, full, {}, 503, 'sandbox_limit_reached')
    if (id !== 'importWorld') await inAnother(judge, id, explicit, {}, 404, 'unknown_sandbox') // importWorld creates its sandbox
  }
  for (const id of ['resetSandbox', 'makeSandbox']) {
    for (const body of [{ pets: 1_000_001 }, { pets: 600_000, orders: 600_000 }]) await judge.bad(id, full, { params: { sandboxName: 'default' }, body }, 507, 'sandbox_full')
  }
  await judge.bad('createSandbox', full, {}, 503, 'sandbox_limit_reached')
  await judge.bad('makeSandbox', full, { params: { sandboxName: 'ada' } }, 503, 'sandbox_limit_reached')
  await judge.bad('forkSandbox', full, { params: { sandboxName: 'default' }, body: { name: 'ada' } }, 503, 'sandbox_limit_reached')

  const put = (path, body) => fetch(`${full}/admin/${path}`, { method: 'PUT', headers: json, body: JSON.stringify(body) })
  await Promise.all(Array.from({ length: 100 }, (_, i) => put(`snapshots/s${i}`)))
  await judge.bad('keepSnapshot', full, { params: { snapshotName: 'more' } }, 507, 'sandbox_full')
  await Promise.all(Array.from({ length: 10 }, (_, i) => put(`webhooks/h${i}`, { url: 'http://127.0.0.1:9/' })))
  await judge.bad('setWebhook', full, { params: { webhookName: 'more' }, body: { url: 'http://127.0.0.1:9/' } }, 507, 'sandbox_full')
  await put('faults', Array(1000).fill({ probability: 0 }))
  await judge.bad('createFault', full, { body: {} }, 507, 'sandbox_full')
  await judge.bad('replaceFaults', full, { body: Array(1001).fill({}) }, 507, 'sandbox_full')
  const categories = Array.from({ length: 200 }, (_, i) => ({ id: i + 1, name: `Category ${i + 1}` }))
  await judge.bad('importState', full, { body: { categories } }, 507, 'sandbox_full')
  const snapshots = Array.from({ length: 101 }, (_, i) => ({ name: `s${i}`, createdAt: '2026-01-01T00:00:00Z', state: {} }))
  await judge.bad('importWorld', full, { body: { format: 1, baseline: {}, state: {}, snapshots } }, 507, 'sandbox_full')
}

function inAnother(judge, id, origin, { headers, ...request }, status, code) {
  return judge.bad(id, origin, { ...request, headers: { ...headers, 'X-Sandbox': 'another' } }, status, code)
}
