import { want } from './check.js'
import type { ClockReading, schemas } from './schemas.js'

type Call = (method: 'GET' | 'PUT' | 'DELETE', body?: schemas['ClockSetting']) => Promise<ClockReading>

/** The clock of a sandbox: it sets the times of records and decides whether a sunset has passed. */
export class Clock {
  readonly #call: Call

  /** @internal */
  constructor(call: Call) {
    this.#call = call
  }

  /** Returns the time in the sandbox, whether it is frozen, and how far it is ahead of the machine's. */
  read(): Promise<ClockReading> {
    return this.#call('GET')
  }

  /** Returns the time in the sandbox, to the millisecond. */
  async now(): Promise<Date> {
    return new Date((await this.read()).now)
  }

  /** Sets the time. The clock continues from it unless it is frozen. */
  async set(time: Date | string): Promise<ClockReading> {
    return this.#call('PUT', { now: instant('clock.set()', time) })
  }

  /** Moves the clock forward, by milliseconds or by a duration such as `72h`; a negative value moves it back. */
  async advance(by: number | string): Promise<ClockReading> {
    want(Number.isFinite(by) || typeof by === 'string', 'clock.advance()', 'milliseconds, or a text such as 72h', by)
    return this.#call('PUT', { advance: typeof by === 'number' ? `${by}ms` : by })
  }

  /** Stops the clock at this time, or else at its current one. set and advance still move it. */
  async freeze(time?: Date | string): Promise<ClockReading> {
    return this.#call('PUT', { frozen: true, ...time !== undefined && { now: instant('clock.freeze()', time) } })
  }

  /** Lets a frozen clock continue from its current time. */
  unfreeze(): Promise<ClockReading> {
    return this.#call('PUT', { frozen: false })
  }

  /** Returns the clock to the machine's time. */
  async release(): Promise<void> {
    await this.#call('DELETE')
  }
}

/** Returns a time as the control plane takes it. */
function instant(call: string, time: Date | string): string {
  want(time instanceof Date ? !Number.isNaN(time.getTime()) : typeof time === 'string', call, 'a Date, or a text such as 2031-01-01T00:00:00Z', time)
  return time instanceof Date ? time.toISOString() : time
}
