// Sends the teacher's steps: to all stores with one request, or to some with one request each.

import { request, server } from "../shell/api.js";

/** @typedef {{all: boolean, names: string[]}} Target  all: every store, including later ones */

/** @typedef {{method: string, path: string, body?: unknown}} Step  a request; path is relative to the store */

/**
 * @typedef {object} Outcome
 * @property {string[]} done  the stores that succeeded
 * @property {{name: string, error: {message: string, code?: string}}[]} failed  the first stores that failed
 * @property {number} failures  the number of stores that failed
 * @property {Map<string, import("../shell/api.js").Answer>} answers  by place
 */

/** The place that stands for all stores. */
export const EVERYWHERE = "*";

const AT_ONCE = 6; // the number of connections of a browser

/** @param {Target} target */
export const placesOf = ({ all, names }) => (all ? [EVERYWHERE] : names);

/** Returns the machine's time, by a store's clock (ms). @param {import("../shell/types.js").Clock} clock */
export const machineOf = ({ now, offsetSeconds }) => Date.parse(now) - offsetSeconds * 1000;

/** Returns a path in a place as a path of the server. @param {string} place  @param {string} path */
export const at = (place, path) => (place === "default" ? path : `sandboxes/${encodeURIComponent(place)}/${path}`);

/** Returns the call of a step. @param {string} place  @param {Step} step  @returns {import("../shell/api.js").Call} */
export const callOf = (place, { method, path, body }) => ({ method, path: at(place, path), base: server, body });

/** @param {string} place  @param {string} path */
export const read = async (place, path) => (await request(callOf(place, { method: "GET", path }))).data;

/**
 * Returns the rows of the target's stores.
 * @param {Target} target
 * @returns {Promise<any[]>}
 */
export async function rowsOf({ all, names }) {
  const rows = await read("default", "admin/sandboxes?limit=1000");
  return rows.filter((/** @type {any} */ row) => all || names.includes(row.name));
}

/**
 * Calls the function with each name, a few at a time.
 * @param {string[]} names
 * @param {(name: string) => Promise<void>} each
 */
export async function forEach(names, each) {
  const waiting = [...names];
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await each(name);
  }));
}

/**
 * Returns the outcome with failures of the given code counted as done: what the act was to remove is no longer there.
 * @param {Outcome} outcome
 * @param {string} code
 * @returns {Outcome}
 */
export function granting(outcome, code) {
  const failed = outcome.failed.filter(({ error }) => error.code !== code);
  const granted = outcome.failed.filter(({ error }) => error.code === code).map(({ name }) => name);
  return { ...outcome, done: [...outcome.done, ...granted], failed, failures: outcome.failures - granted.length };
}

/**
 * Takes the target's steps: the places in parallel, the steps of a place one after the other.
 * @param {Target} target
 * @param {(place: string) => Step[]} steps
 * @returns {Promise<Outcome>}
 */
export async function run(target, steps) {
  /** @type {Outcome} */
  const outcome = { done: [], failed: [], failures: 0, answers: new Map() };
  if (target.all) {
    const failed = new Map();
    for (const step of steps(EVERYWHERE)) {
      const answer = await request(callOf(EVERYWHERE, step));
      outcome.answers.set(EVERYWHERE, answer);
      outcome.failures = Math.max(outcome.failures, answer.data.failures);
      for (const { sandbox, error } of answer.data.failed) failed.set(sandbox, error);
    }
    outcome.failed = [...failed].map(([name, error]) => ({ name, error }));
    outcome.done = target.names.filter((name) => !failed.has(name));
    return outcome;
  }
  await forEach(target.names, async (name) => {
    try {
      for (const step of steps(name)) outcome.answers.set(name, await request(callOf(name, step)));
      outcome.done.push(name);
    } catch (error) {
      outcome.failed.push({ name, error: /** @type {Error} */ (error) });
    }
  });
  outcome.failures = outcome.failed.length;
  return outcome;
}

/** Combines the outcomes of two parts of one task. @param {Outcome} a  @param {Outcome} b  @returns {Outcome} */
export function together(a, b) {
  const failed = new Map([...b.failed, ...a.failed].map((one) => [one.name, one]));
  const failures = Math.max(a.failures, b.failures, failed.size);
  return { ...a, done: a.done.filter((name) => !failed.has(name)), failed: [...failed.values()], failures };
}

/**
 * Takes the steps of each place. If the target is all stores, takes the steps for all first, and then those of the
 * stores whose steps differ.
 * @param {Target} target
 * @param {(place: string) => Step[]} steps
 * @param {Iterable<string>} names  the stores whose steps may differ
 */
export async function runEach(target, steps, names) {
  const outcome = await run(target, steps);
  if (!target.all) return outcome;
  const usual = JSON.stringify(steps(EVERYWHERE));
  const others = [...names].filter((name) => JSON.stringify(steps(name)) !== usual);
  return together(outcome, await run({ all: false, names: others }, steps));
}
