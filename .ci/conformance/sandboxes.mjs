// Tests of sandboxes in all operations: how a request names one, and that they share no data.
import assert from 'node:assert/strict'

/** Runs a good day in the default sandbox, in one named by the header, and in one named by the path. */
export function inEverySandbox(day) {
  return async function inEverySandbox(judge, { origin }) {
    const ways = [
      { name: 'default', prefix: '', headers: {} },
      { name: 'by-header', prefix: '', headers: { 'X-Sandbox': 'by-header' } },
      { name: 'by-prefix', prefix: '/sandboxes/by-prefix', headers: {}, prism: judge.prefixed },
    ]
    for (const way of ways) way.base = origin + way.prefix
    for (const way of ways) {
      const others = ways.filter((other) => other !== way)
      const before = await Promise.all(others.map(contents))
      await day(judge.goodIn(way), way, judge)
      const after = await Promise.all(others.map(contents))
      judge.check(`a day in ${way.name} changes nothing elsewhere`, () => assert.deepEqual(after, before))
    }
  }
}

/** Returns all data of a sandbox. */
export async function contents({ base, headers }) {
  const { next, ...records } = await (await fetch(`${base}/admin/state`, { headers })).json()
  return records
}

/** Tests the prefix of a sandbox, which is not a part of the document's paths. */
export async function sandboxes(judge, { origin }) {
  const ada = `${origin}/sandboxes/ada`
  const get = (url, headers) => fetch(url, { headers })
  const post = (url, body) => fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })

  const made = await post(`${ada}/pets`, { name: 'Rex', categoryId: 1 })
  const { id } = await made.json()
  judge.check('Location keeps the prefix', () => assert.equal(made.headers.get('location'), `/sandboxes/ada/pets/${id}`))
  const page = await get(`${ada}/pets?limit=1`)
  judge.check('Link keeps the prefix', () => assert.match(page.headers.get('link'), /^<\/sandboxes\/ada\/pets\?/))
  judge.check('X-Sandbox says which one', () => assert.equal(page.headers.get('x-sandbox'), 'ada'))

  const same = await (await get(`${origin}/pets?id=${id}`, { 'X-Sandbox': 'ada' })).json()
  judge.check('the header and the prefix name the same', () => assert.equal(same[0]?.name, 'Rex'))
  const both = await get(`${ada}/pets?id=${id}`, { 'X-Sandbox': 'ada' })
  judge.check('both may name it', () => assert.equal(both.status, 200))
  for (const [url, headers, field] of [
    [`${ada}/pets`, { 'X-Sandbox': 'grace' }, 'X-Sandbox'],
    [`${origin}/sandboxes/*/pets`, {}, 'sandbox'],
    [`${origin}/sandboxes//pets`, {}, 'sandbox'],
  ]) {
    const refused = await get(url, headers)
    const error = await refused.json()
    judge.check(`${url} with ${JSON.stringify(headers)} is refused`, () => {
      assert.deepEqual([refused.status, error.code, error.details?.[0].field], [400, 'invalid_parameter', field])
      assert.equal(refused.headers.get('x-sandbox'), null)
    })
  }
  const anyText = await get(`${origin}/pets`, { 'X-Sandbox': 'Ada%20Lovelace' })
  judge.check('any text names one', () => assert.equal(anyText.headers.get('x-sandbox'), 'ada-lovelace-767402161715'))
  for (const path of ['openapi.json', 'admin/openapi.json']) {
    const document = await (await get(`${ada}/${path}`)).json()
    judge.check(`${path} names the server with the prefix`, () => assert.equal(document.servers[0].url, ada))
  }
}
