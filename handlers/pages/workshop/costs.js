// What cost the room time: from each refusal to the attendee's next request.

import { kept } from "../shell/store.js";

const AWAY = 5 * 60_000; // ms after which an attendee is taken to have done something else

/**
 * @typedef {{what: string, status: number, reason: string}} Refusal  what: without ids, as its reason
 * @typedef {{operation?: string, reason: string}} Example  of a refusal: its reason as it was sent
 * @typedef {Refusal & {ms: number, times: number, names: Set<string>, example: Example}} Cost
 */

/** @param {Refusal} refusal */
const keyOf = ({ what, status, reason }) => JSON.stringify([what, status, reason]);

/** @typedef {{costs: Map<string, Cost>, results: Map<string, Result>}} Day  results: by the name of the store */

/**
 * @typedef {object} Result  of an attendee
 * @property {string} title
 * @property {boolean[]} done  which exercises
 * @property {number} requests
 * @property {string} from  when the attendee joined
 * @property {string} to  when the attendee was active last
 */

const memory = kept("localStorage", "day");

/**
 * Keeps a day that is over for other pages of this browser, since the stores are gone that tell of it.
 * Where there is none, as in such a page, it brings back the one that was kept.
 * @param {Day} day
 */
export function keep({ costs, results }) {
  const all = [...costs.values()].map((cost) => ({ ...cost, names: [...cost.names] }));
  if (results.size > 0) return memory.set(JSON.stringify({ costs: all, results: [...results] }));
  const before = JSON.parse(memory.get() || `{"costs": [], "results": []}`);
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
 * @param {Example} example
 */
export function noted(costs, refusal, name, example) {
  const key = keyOf(refusal);
  const cost = costs.get(key) ?? { ...refusal, ms: 0, times: 0, names: new Set(), example };
  costs.set(key, cost);
  cost.times++;
  cost.names.add(name);
  return cost;
}

/** Adds the time that passed until the next request. @param {Cost} cost  @param {number} ms */
export function spend(cost, ms) {
  cost.ms += Math.min(Math.max(0, ms), AWAY);
}

export const SECOND = 1000; // ms

/** The costs that are worth a line, dearest first. @param {Map<unknown, Cost>} costs */
export const dearest = (costs) => [...costs.values()]
  .filter(({ ms, times }) => ms >= SECOND || times > 1)
  .sort((a, b) => b.ms - a.ms || b.times - a.times);

/** A time as a teacher reads it. @param {number} ms */
export function timeOf(ms) {
  const seconds = Math.round(ms / SECOND);
  const minutes = Math.round(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  if (ms < SECOND) return "< 1 s";
  return seconds < 60 ? `${seconds} s` : `${minutes} min`;
}
