// What cost the room time: from each refusal to the attendee's next request.

const AWAY = 5 * 60_000; // ms after which an attendee is taken to have done something else

/**
 * @typedef {{what: string, status: number, reason: string}} Refusal
 * @typedef {Refusal & {ms: number, times: number, names: Set<string>}} Cost
 */

/**
 * Notes a refusal, and returns what it is added to.
 * @param {Map<string, Cost>} costs
 * @param {Refusal} refusal
 * @param {string} name  of the store
 */
export function noted(costs, refusal, name) {
  const key = JSON.stringify([refusal.what, refusal.status, refusal.reason]);
  const cost = costs.get(key) ?? { ...refusal, ms: 0, times: 0, names: new Set() };
  costs.set(key, cost);
  cost.times++;
  cost.names.add(name);
  return cost;
}

/** Adds the time that passed until the next request. @param {Cost} cost  @param {number} ms */
export function spend(cost, ms) {
  cost.ms += Math.min(Math.max(0, ms), AWAY);
}

const SECOND = 1000; // ms

/** The costs that are worth a line, dearest first. @param {Map<string, Cost>} costs */
export const dearest = (costs) => [...costs.values()]
  .filter(({ ms, times }) => ms >= SECOND || times > 1)
  .sort((a, b) => b.ms - a.ms || b.times - a.times);

/** A time as a teacher reads it. @param {number} ms */
export function timeOf(ms) {
  const seconds = Math.round(ms / SECOND);
  return seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
