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

  /** Sets the time, from which the clock runs on unless it is frozen. */
  async set(now: Date | string): Promise<ClockReading> {
    want(now instanceof Date ? !Number.isNaN(now.getTime()) : typeof now === 'string', 'clock.set()', 'a Date, or a text such as 2031-01-01T00:00:00Z', now)
    return this.#call('PUT', { now: now instanceof Date ? now.toISOString() : now })
  }

  /** Moves the clock on, by milliseconds or by a duration such as `72h`; what is negative moves it back. */
  async advance(by: number | string): Promise<ClockReading> {
    want(Number.isFinite(by) || typeof by === 'string', 'clock.advance()', 'milliseconds, or a text such as 72h', by)
    return this.#call('PUT', { advance: typeof by === 'number' ? `${by}ms` : by })
  }

  /** Stops the clock at its current time. set and advance still move it. */
  freeze(): Promise<ClockReading> {
    return this.#call('PUT', { frozen: true })
  }

  /** Lets a frozen clock run on from its current time. */
  unfreeze(): Promise<ClockReading> {
    return this.#call('PUT', { frozen: false })
  }

  /** Returns the clock to the machine's time. */
  async release(): Promise<void> {
    await this.#call('DELETE')
  }
}
