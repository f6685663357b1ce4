// Where the teacher does something: in every store by one request, or in some of them by one each.

import { request, server } from "../shell/api.js";

/** @typedef {{all: boolean, names: string[]}} Target  all: every store, those that come later too */

/** @typedef {{method: string, path: string, body?: unknown}} Step  of one store, below its address */

/**
 * @typedef {object} Outcome
 * @property {string[]} done  the stores in which it was done
 * @property {{name: string, error: {message: string, code?: string}}[]} failed  the first of those in which it was
 *   refused
 * @property {number} failures  how many those are
 * @property {Map<string, import("../shell/api.js").Answer>} answers  by place
 */

/** The place that stands for all of them. */
export const EVERYWHERE = "*";

const AT_ONCE = 6; // as many connections as a browser has

/** @param {Target} target */
export const placesOf = ({ all, names }) => (all ? [EVERYWHERE] : names);

/** The machine's time, by the clock of a store (ms). @param {import("../shell/types.js").Clock} clock */
export const machineOf = ({ now, offsetSeconds }) => Date.parse(now) - offsetSeconds * 1000;

/** The address of a path in a place. @param {string} place  @param {string} path */
export const at = (place, path) => (place === "default" ? path : `sandboxes/${encodeURIComponent(place)}/${path}`);

/** The call of a step. @param {string} place  @param {Step} step  @returns {import("../shell/api.js").Call} */
export const callOf = (place, { method, path, body }) => ({ method, path: at(place, path), base: server, body });

/** @param {string} place  @param {string} path */
export const read = async (place, path) => (await request(callOf(place, { method: "GET", path }))).data;

/**
 * The rows of the target's stores; where it is all of them, of every one.
 * @param {Target} target
 * @returns {Promise<any[]>}
 */
export async function rowsOf({ all, names }) {
  const rows = await read("default", "admin/sandboxes?limit=1000");
  return rows.filter((/** @type {any} */ row) => all || names.includes(row.name));
}

/**
 * Calls the function with every name, a few at a time.
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
 * What came of it where a refusal with the code is as good as having done it: what was to be taken back is no longer
 * there.
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
 * Takes steps in the target: those of every place, one after the other.
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

/** What came of two parts of one task. @param {Outcome} a  @param {Outcome} b  @returns {Outcome} */
export function together(a, b) {
  const failed = new Map([...b.failed, ...a.failed].map((one) => [one.name, one]));
  const failures = Math.max(a.failures, b.failures, failed.size);
  return { ...a, done: a.done.filter((name) => !failed.has(name)), failed: [...failed.values()], failures };
}

/**
 * Takes the steps of each place; where the target is all, those that stand for all, and then those of the stores that
 * have others.
 * @param {Target} target
 * @param {(place: string) => Step[]} steps
 * @param {Iterable<string>} names  of the stores that may have others
 */
export async function runEach(target, steps, names) {
  const outcome = await run(target, steps);
  if (!target.all) return outcome;
  const usual = JSON.stringify(steps(EVERYWHERE));
  const others = [...names].filter((name) => JSON.stringify(steps(name)) !== usual);
  return together(outcome, await run({ all: false, names: others }, steps));
}
