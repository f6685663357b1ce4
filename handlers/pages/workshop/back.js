// Undoes acts of the teacher: restores the state from before an act, and changes nothing else.

import { server } from "../shell/api.js";
import { lifecycleOf } from "../shell/sunset.js";
import { carried } from "../shell/throttle.js";
import { keep, keptIn, letGo } from "./kept.js";
import {
  at, EVERYWHERE, forEach, granting, machineOf, placesOf, read, rowsOf, run, runEach, together,
} from "./places.js";

/**
 * @typedef {import("./places.js").Target} Target
 * @typedef {import("./places.js").Outcome} Outcome
 * @typedef {import("./places.js").Step} Step
 * @typedef {import("../shell/types.js").Clock} Clock
 * @typedef {import("../shell/types.js").Operation} Operation
 *
 * @typedef {object} Memory  of the state before an act
 * @property {(outcome: Outcome) => Promise<Outcome>} restore  takes the act back
 * @property {() => Promise<void>} [forget]  removes the memory's data from the stores
 * @property {Map<string, any>} [before]  a part of each store before the act, by place
 */

/** Returns the target of what was done. @param {Target} target  @param {Outcome} outcome  @returns {Target} */
const whereDone = (target, { done }) => ({ ...target, names: done });

/** @param {Target} target  @returns {Promise<Memory>} */
async function data(target) {
  const name = keep(target);
  const { done, failed, failures } = await run(target, () => [{ method: "PUT", path: `admin/snapshots/${name}` }]);
  if (failures > 0) {
    await letGo(name);
    const [{ name: first, error }] = failed;
    throw new Error(`nothing was done, since it could not be taken back: ${first}: ${error.message}`);
  }
  keptIn(name, { ...target, names: done });
  const restoring = [{ method: "POST", path: `admin/snapshots/${name}/restore` }];
  return {
    restore: (outcome) => run(whereDone(target, outcome), () => restoring),
    forget: () => letGo(name),
  };
}

/**
 * Remembers a part of each store, and of the template if latecomers are included.
 * @template T
 * @param {Target} target
 * @param {(row: any) => T|Promise<T>} partOf  returns the part, by the store's row
 * @param {(template: any) => T} usual
 * @param {(parts: T[]) => Promise<(was: T) => Step[]>} prepare  given all parts, returns a function that returns the
 *   steps to restore one
 * @returns {Promise<Memory>}
 */
async function remembered(target, partOf, usual, prepare) {
  const rows = new Map((await rowsOf(target)).map((row) => [row.name, row]));
  /** @type {Map<string, T>} */
  const before = new Map();
  await forEach([...rows.keys()], async (name) => void before.set(name, await partOf(rows.get(name))));
  const names = [...before.keys()];
  if (target.all) before.set(EVERYWHERE, usual(await read("default", "admin/template")));
  return {
    before,
    async restore(outcome) {
      const back = await prepare([...before.values()]);
      const own = (/** @type {string} */ place) => back(/** @type {T} */ (before.get(place)));
      return runEach(target.all ? target : whereDone(target, outcome), own, names);
    },
  };
}

/**
 * Returns the step that restores a clock.
 * @param {Clock} was
 * @param {number} machine  the machine's current time
 * @returns {Step}
 */
export function clockStep(was, machine) {
  if (!was.frozen && was.offsetSeconds === 0) return { method: "DELETE", path: "admin/clock" };
  const now = was.frozen ? was.now : new Date(machine + was.offsetSeconds * 1000).toISOString();
  return { method: "PUT", path: "admin/clock", body: { now, frozen: was.frozen } };
}

/** @type {Way} */
const clock = (target) => remembered(target, (row) => row.clock, (template) => template.clock, async () => {
  const machine = machineOf(await read("default", "admin/clock"));
  return (/** @type {Clock} */ was) => [clockStep(was, machine)];
});

/**
 * @param {Operation|undefined} was  the earlier lifecycle; missing: that of the document
 * @param {string} id
 * @returns {Step}
 */
const lifecycleStep = (was, id) => was
  ? { method: "PUT", path: `admin/operations/${id}`, body: lifecycleOf(was) }
  : { method: "DELETE", path: `admin/operations/${id}` };

/** Covers the operations that the steps change; for a reset, all operations. @type {Way} */
const lifecycle = (target, { steps }) => {
  const start = "admin/operations/";
  const all = typeof steps === "function" ? [...placesOf(target), ...target.names].flatMap(steps) : steps;
  const paths = all.map(({ path }) => path);
  const ids = paths.filter((path) => path.startsWith(start)).map((path) => path.slice(start.length));
  const changed = (/** @type {Operation[]} */ operations) => operations.filter(({ changed: is }) => is);
  const own = async (/** @type {any} */ { name, operations }) =>
    (operations > 0 ? changed(await read(name, "admin/operations")) : []);
  return remembered(target, own, ({ lifecycles }) => changed(lifecycles), async (parts) => {
    const every = new Set(ids.length > 0 ? ids : parts.flat().map(({ operationId }) => operationId));
    return (was) => [...every].map((id) => lifecycleStep(was.find(({ operationId }) => operationId === id), id));
  });
};

/** Covers all rules, with the times that remain of each. @type {Way} */
const rules = (target) => remembered(
  target,
  async ({ name, faults: inForce }) => carried(inForce > 0 ? await read(name, "admin/faults") : []),
  (template) => carried(template.rules),
  async () => (was) => [{ method: "PUT", path: "admin/faults", body: was }],
);

/** @type {Way} */
async function normal(target, act) {
  const parts = await Promise.all([clock, lifecycle, rules].map((way) => way(target, act)));
  return {
    async restore(outcome) {
      const outcomes = [];
      for (const part of parts) outcomes.push(await part.restore(outcome));
      return outcomes.reduce(together);
    },
  };
}

/** Returns the id of the added rule. @param {import("../shell/api.js").Answer|undefined} answer  @returns {number} */
export const idIn = (answer) => answer?.data.id ?? Number(/\d+$/.exec(answer?.headers.get("Location") ?? "")?.[0]);

/** @param {Target} target  @returns {Promise<Memory>} */
async function faults(target) {
  return {
    async restore(outcome) {
      const dropping = (/** @type {string} */ place) =>
        [{ method: "DELETE", path: `admin/faults/${idIn(outcome.answers.get(place))}` }];
      const dropped = await run(whereDone(target, outcome), dropping);
      return granting(dropped, "not_found"); // somebody else has deleted the rule
    },
  };
}

/** Whether a store's clock was set since an earlier row. @param {any} now  the row  @param {any} was */
const isSet = ({ clock: now }, { clock: was }) => now.frozen !== was.frozen
  || (now.frozen ? now.now !== was.now : Math.abs(now.offsetSeconds - was.offsetSeconds) >= 1);

/**
 * Counts the changes by others to the part of a store that an act changes, by the kind of part.
 * @type {Record<string, {what: string, count: (now: any, was: any) => number}>}
 */
const changes = {
  data: { what: "write", count: (now, was) => Math.max(0, now.writes - was.writes) },
  clock: { what: "clock change", count: (now, was) => Number(isSet(now, was)) },
};
changes.normal = changes.clock;

/**
 * Returns a function that counts the changes from now on that taking back an act would also revert.
 * @param {Target} target
 * @param {keyof typeof ways} back
 * @returns {Promise<{what: string, since: () => Promise<number>}>}
 */
export async function changesFrom(target, back) {
  if (!changes[back]) return { what: "", since: async () => 0 };
  const { what, count } = changes[back];
  const before = new Map((await rowsOf(target)).map((row) => [row.name, row]));
  const since = async () => (await rowsOf(target)).reduce((sum, row) =>
    sum + count(row, before.get(row.name) ?? (back === "data" ? { writes: 0 } : row)), 0);
  return { what, since };
}

/**
 * @typedef {(target: Target, act: import("./acts.js").Act) => Promise<Memory>} Way
 *
 * How to remember the state before an act, by the part that the act changes.
 * @type {Record<"data"|"clock"|"lifecycle"|"faults"|"rules"|"normal", Way>}
 */
export const ways = { data, clock, lifecycle, faults, rules, normal };

/** Returns the call that reads a store's data. @param {string} name  @returns {import("../shell/api.js").Call} */
export const dataCall = (name) => ({ method: "GET", path: at(name, "admin/state"), base: server });
