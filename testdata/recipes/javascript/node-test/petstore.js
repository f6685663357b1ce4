import { after, before } from 'node:test'
import { start } from 'petstore-sandbox'

let store
before(async () => { store = await start({ pets: 500 }) })
after(() => store.stop())

/** Returns a sandbox for the test. If the test fails, its world and its requests stay in the directory "failed". */
export async function sandbox(t) {
  const pets = await store.sandbox(t.fullName)
  t.after(async () => {
    if (!t.passed) t.diagnostic(`The world is kept in ${(await pets.keep('failed')).world}`)
    await pets.drop()
  })
  return pets
}
