// What TypeScript knows of the package: tsc must accept this file, and each line that is expected to be wrong must be.
import { PetstoreError, connect, start, type JournalEntry, type World } from 'petstore-sandbox'
import type { ApiError, NewPet, Order, OrderSent, Pet, PetSent, paths } from 'petstore-sandbox/api'

await using store = await start({ pets: 5, errorRate: 0, apiKey: ['a', 'b'], maxMemory: '256MiB', logLevel: 'error' })
await using sandbox = await store.sandbox('types')

await sandbox.fault({ match: { operationId: 'listPets', method: 'GET' }, probability: 0.3, delay: { fixedMs: 1 }, abort: 'reset' })
const found: JournalEntry[] = await sandbox.requests({ status: '4xx' })
const draws: (number | undefined)[] = found.map(entry => entry.draw)
const world = JSON.parse(await sandbox.world()) as World
if (draws.length !== 0 || world.format !== 1) throw new Error('a new sandbox has requests, or another format')
await sandbox.reset({ only: 'faults' })
await sandbox.lifecycle('getPet', { sunset: '2030-12-31', successor: null })
await sandbox.fetch(new URL(`${sandbox.url}/pets`))
const same = await connect(store.url, { adminKey: store.adminKey })
const pid: number | undefined = same.pid
if (pid) throw new Error('what was not started here has a process')
await sandbox.clock.advance('72h').catch((error: unknown) => error instanceof PetstoreError && error.details)

const rex: NewPet = { name: 'Rex', categoryId: 6 }
const created = await sandbox.fetch('/pets', { method: 'POST', headers: { 'Content-Type': 'application/json', Authorization: 'Bearer a' }, body: JSON.stringify(rex) })
const pet = await created.json() as PetSent
const status: 'available' | 'pending' | 'sold' = pet.status
const asInTheDocument: Pet['status'] = status
type Found = paths['/pets/{petId}']['get']['responses'][200]['content']['application/json']
const again: Found = pet
const order: Order = { quantity: 1 }
const refusal: ApiError | undefined = undefined
if (asInTheDocument !== 'available' || again.id !== 6 || order.petId || refusal) throw new Error(`${created.status}`)

/** Never called. The compiler checks it. */
export async function wrong() {
  // @ts-expect-error: no such flag
  await start({ pest: 5 })
  // @ts-expect-error: a number
  await start({ pets: '5' })
  // @ts-expect-error: served by the binary alone
  await start({ tls: true })
  // @ts-expect-error: no such way to break off
  await sandbox.fault({ abort: 'explode' })
  // @ts-expect-error: a field of that name is not there
  await sandbox.lifecycle('getPet', { sunsets: '2030-12-31' })
  // @ts-expect-error: no such part
  await sandbox.reset({ only: ['everything'] })
  // @ts-expect-error: this server always sends all three
  const sent: OrderSent = { quantity: 1 }
  // @ts-expect-error: no such status
  pet.status = sent ? 'lost' : 'sold'
  // @ts-expect-error: the default sandbox stays
  await store.drop()
}
