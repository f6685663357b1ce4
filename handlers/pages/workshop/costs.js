// Measures the time that refusals cost the room: from each refusal of a stuck attendee to the next request.

import { kept } from "../shell/store.js";

const AWAY = 5 * 60_000; // ms after which the time no longer counts

/**
 * @typedef {{key: string, what: string, status: number, reason: string}} Refusal  key: what refusals of one kind share;
 *   what: the request without ids
 * @typedef {Refusal & {ms: number, more: boolean, times: number, names: Set<string>}} Cost  reason: what the reasons
 *   have in common; more: whether an attendee took longer than AWAY
 * @typedef {{cost: Cost, at: number}} Trouble  a refusal that an attendee has not overcome, and when it came (ms)
 */

/**
 * Returns a reason without the ids, tags and values in which another of its kind differs.
 * @param {string} reason
 * @param {string} other
 */
export function common(reason, other) {
  const words = reason.split(" ");
  const others = other.split(" ");
  if (words.length !== others.length) return reason;
  return words.map((word, i) => (word === others[i] ? word : `…${/[,:;]?$/.exec(word)}`)).join(" ");
}

/** @typedef {{costs: Map<string, Cost>, results: Map<string, Result>}} Day  results: by the name of the store */

/**
 * @typedef {object} Result  the result of an attendee
 * @property {string} title
 * @property {boolean[]} done  which exercises
 * @property {number} requests
 * @property {string[]} [questions]  the attendee's questions
 * @property {string} from  when the attendee joined
 * @property {string} to  when the attendee was last active, or the store was deleted
 */

const memory = kept("localStorage", "day");

const noDay = `{"costs": [], "results": []}`;

/** Returns the results that the last page with the wall stored. @returns {Map<string, Result>} */
export const resultsBefore = () => new Map(JSON.parse(memory.get() || noDay).results);

/**
 * Stores a day for other pages of this browser: the server deletes the stores at its end, and old requests earlier.
 * Without results, as in a new page, restores the stored day.
 * @param {Day} day
 */
export function keep({ costs, results }) {
  const all = [...costs.values()].map((cost) => ({ ...cost, names: [...cost.names] }));
  if (results.size > 0) return memory.set(JSON.stringify({ costs: all, results: [...results] }));
  const before = JSON.parse(memory.get() || noDay);
  for (const cost of before.costs) costs.set(cost.key, { ...cost, names: new Set(cost.names) });
  for (const [name, result] of before.results) results.set(name, result);
}

/** Deletes the stored day. */
export const forgetDay = () => memory.set("");

/**
 * Adds a refusal to its cost, and returns the cost.
 * @param {Map<string, Cost>} costs
 * @param {Refusal} refusal
 * @param {string} name  of the store
 */
export function noted(costs, refusal, name) {
  const { key, reason } = refusal;
  const cost = costs.get(key) ?? { ...refusal, ms: 0, more: false, times: 0, names: new Set() };
  costs.set(key, cost);
  cost.reason = common(cost.reason, reason);
  cost.times++;
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

/** Rounds a time down to what is shown, in seconds, like the ages on the tiles. @param {number} ms */
function shown(ms) {
  const seconds = Math.floor(ms / SECOND);
  return seconds < 60 ? seconds : Math.floor(seconds / 60) * 60;
}

/** Returns the costs that deserve a line, dearest first. @param {Map<unknown, Cost>} costs */
export const dearest = (costs) => [...costs.values()]
  .filter(({ ms, times }) => ms >= SECOND || times > 1)
  .sort((a, b) => shown(b.ms) - shown(a.ms) || b.times - a.times || b.names.size - a.names.size);

/** Formats a time for the teacher. @param {number} ms */
export function timeOf(ms) {
  const seconds = shown(ms);
  const minutes = seconds / 60;
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  if (ms < SECOND) return "< 1 s";
  return seconds < 60 ? `${seconds} s` : `${minutes} min`;
}
