import assert from 'node:assert/strict'

/** Returns when nothing listens at the address any more, in ten seconds at most. */
export async function untilGone(url) {
  for (const end = Date.now() + 10_000; Date.now() < end;) {
    try {
      await fetch(`${url}/healthz`)
    } catch {
      return
    }
  }
  assert.fail(`${url} still answers`)
}
