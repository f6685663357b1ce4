// What cost the room time: from each refusal to the attendee's next request.

import { kept } from "../shell/store.js";

const AWAY = 5 * 60_000; // ms after which an attendee is taken to have done something else

/**
 * @typedef {{what: string, status: number, reason: string}} Refusal  what: without ids, as its reason
 * @typedef {Refusal & {ms: number, more: boolean, times: number, names: Set<string>, example: string}} Cost  more:
 *   whether somebody took longer than counts; example: a reason as it was sent
 * @typedef {{cost: Cost, at: number}} Trouble  a refusal that an attendee deals with, and when it came (ms)
 */

/** What equal refusals have in common. @param {Refusal} refusal */
export const keyOf = ({ what, status, reason }) => JSON.stringify([what, status, reason]);

/** @typedef {{costs: Map<string, Cost>, results: Map<string, Result>}} Day  results: by the name of the store */

/**
 * @typedef {object} Result  of an attendee
 * @property {string} title
 * @property {boolean[]} done  which exercises
 * @property {number} requests
 * @property {string[]} [questions]  that the attendee has asked
 * @property {string} from  when the attendee joined
 * @property {string} to  when the attendee was active last, or the store was deleted
 */

const memory = kept("localStorage", "day");

const noDay = `{"costs": [], "results": []}`;

/** The results when a page with the wall was left. @returns {Map<string, Result>} */
export const resultsBefore = () => new Map(JSON.parse(memory.get() || noDay).results);

/**
 * Keeps a day for other pages of this browser: the stores are gone when it is over, and their oldest requests earlier.
 * Where there is none, as in such a page, it brings back the one that was kept.
 * @param {Day} day
 */
export function keep({ costs, results }) {
  const all = [...costs.values()].map((cost) => ({ ...cost, names: [...cost.names] }));
  if (results.size > 0) return memory.set(JSON.stringify({ costs: all, results: [...results] }));
  const before = JSON.parse(memory.get() || noDay);
  for (const cost of before.costs) costs.set(keyOf(cost), { ...cost, names: new Set(cost.names) });
  for (const [name, result] of before.results) results.set(name, result);
}

/** Forgets another day. */
export const forgetDay = () => memory.set("");

/**
 * Notes a refusal, and returns what it is added to.
 * @param {Map<string, Cost>} costs
 * @param {Refusal} refusal
 * @param {string} name  of the store
 * @param {string} example  its reason as it was sent
 * @param {number} times  how often it came
 */
export function noted(costs, refusal, name, example, times) {
  const key = keyOf(refusal);
  const cost = costs.get(key) ?? { ...refusal, ms: 0, more: false, times: 0, names: new Set(), example };
  costs.set(key, cost);
  cost.times += times;
  cost.names.add(name);
  return cost;
}

/**
 * Adds the time that passed until the next request.
 * @param {Trouble} trouble
 * @param {number} until
 */
export function spend({ cost, at }, until) {
  const end = Math.min(Math.max(at, until), at + AWAY);
  cost.ms += end - at;
  cost.more ||= until > end;
}

export const SECOND = 1000; // ms

/** A time as exactly as it is shown, in seconds. Like the ages on the tiles, it is cut. @param {number} ms */
function shown(ms) {
  const seconds = Math.floor(ms / SECOND);
  return seconds < 60 ? seconds : Math.floor(seconds / 60) * 60;
}

/** The costs that are worth a line, dearest first. @param {Map<unknown, Cost>} costs */
export const dearest = (costs) => [...costs.values()]
  .filter(({ ms, times }) => ms >= SECOND || times > 1)
  .sort((a, b) => shown(b.ms) - shown(a.ms) || b.times - a.times || b.names.size - a.names.size);

/** A time as a teacher reads it. @param {number} ms */
export function timeOf(ms) {
  const seconds = shown(ms);
  const minutes = seconds / 60;
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  if (ms < SECOND) return "< 1 s";
  return seconds < 60 ? `${seconds} s` : `${minutes} min`;
}
