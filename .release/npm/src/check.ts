// Checks arguments, because not every caller has types.
import { inspect } from 'node:util'

/** Returns a value as code has it, on one line. */
export function shown(value: unknown): string {
  return inspect(value, { depth: 0, breakLength: Infinity, maxStringLength: 80 })
}

/** Wants an object that is no array. */
export function wantObject(call: string, takes: string, value: unknown): void {
  want(typeof value === 'object' && value !== null && !Array.isArray(value), call, takes, value)
}

/** Wants what is true of the value. `call` and `takes` are the words of the TypeError: `reset() takes an object, not null`. */
export function want(holds: boolean, call: string, takes: string, value: unknown): void {
  if (!holds) throw new TypeError(`${call} takes ${takes}, not ${shown(value)}`)
}
