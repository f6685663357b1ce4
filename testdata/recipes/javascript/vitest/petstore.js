import { test as base } from 'vitest'
import { start } from 'petstore-sandbox'

/** A test with a sandbox, pets. If it fails, its world and its requests stay in the directory "failed". */
export const test = base.extend({
  store: [async ({}, use) => {
    const store = await start({ pets: 500 })
    await use(store)
    await store.stop()
  }, { scope: 'worker' }],
  pets: async ({ store, task }, use) => {
    const pets = await store.sandbox(`${task.file.name} ${task.fullTestName}`)
    await use(pets)
    if (task.result.state === 'fail') console.error(`The world is kept in ${(await pets.keep('failed')).world}`)
    await pets.drop()
  },
})
