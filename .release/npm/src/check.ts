// Checks arguments, because not every caller is type-checked.
import { inspect } from 'node:util'

/** Formats a value as code, on one line. */
export function shown(value: unknown): string {
  return inspect(value, { depth: 0, breakLength: Infinity, maxStringLength: 80 })
}

/** Throws a TypeError unless the value is an object, and not an array. */
export function wantObject(call: string, takes: string, value: unknown): void {
  want(typeof value === 'object' && value !== null && !Array.isArray(value), call, takes, value)
}

/** Throws a TypeError unless the condition holds. Its message is made of call and takes: `reset() takes an object, not null`. */
export function want(holds: boolean, call: string, takes: string, value: unknown): void {
  if (!holds) throw new TypeError(`${call} takes ${takes}, not ${shown(value)}`)
}
