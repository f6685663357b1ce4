// How what the teacher has done is taken back: to what was before, and no further.

import { server } from "../shell/api.js";
import { keep, keptIn, letGo } from "./kept.js";
import { at, forEach, granting, machineOf, read, rowsOf, run } from "./places.js";

/**
 * @typedef {import("./places.js").Target} Target
 * @typedef {import("./places.js").Outcome} Outcome
 * @typedef {import("./places.js").Step} Step
 * @typedef {import("../shell/types.js").Clock} Clock
 * @typedef {import("../shell/types.js").Operation} Operation
 *
 * @typedef {object} Memory  of what was before
 * @property {(outcome: Outcome) => Promise<Outcome>} restore  takes back what was done
 * @property {() => Promise<void>} [forget]  leaves nothing of the memory behind
 */

/** What an operation says of its age, as it is set. @param {Operation} operation */
function lifecycleOf({ deprecated, deprecatedSince, sunset = "", successor = "", stability, enforceSunset, brownout }) {
  const always = { deprecated, stability: stability ?? "stable", enforceSunset };
  return deprecated ? { ...always, deprecatedSince, sunset, successor, brownout } : always;
}

/** Where something was done. @param {Target} target  @param {Outcome} outcome  @returns {Target} */
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

/** @param {Clock} clock */
const isReal = ({ frozen, offsetSeconds }) => !frozen && offsetSeconds === 0;

/** @param {Clock} a  @param {Clock} b */
function sameClock(a, b) {
  if (a.frozen || b.frozen) return a.frozen === b.frozen && a.now === b.now;
  return isReal(a) === isReal(b) && Math.abs(a.offsetSeconds - b.offsetSeconds) < 1;
}

/**
 * The step that makes a clock what it was.
 * @param {Clock} was
 * @param {number} machine  the machine's time now
 * @returns {Step}
 */
function clockStep(was, machine) {
  if (isReal(was)) return { method: "DELETE", path: "admin/clock" };
  const now = was.frozen ? was.now : new Date(machine + was.offsetSeconds * 1000).toISOString();
  return { method: "PUT", path: "admin/clock", body: { now, frozen: was.frozen } };
}

/** @param {Target} target  @returns {Promise<Memory>} */
async function clock(target) {
  const before = await rowsOf(target);
  /** @type {Clock|undefined} */
  const template = target.all ? (await read("default", "admin/template")).clock : undefined;
  /** @type {Map<string, Clock>} */
  const clocks = new Map(before.map((row) => [row.name, row.clock]));
  return {
    async restore(outcome) {
      const machine = machineOf(await read("default", "admin/clock"));
      const own = (/** @type {string} */ name) => [clockStep(/** @type {Clock} */ (clocks.get(name)), machine)];
      if (!template) return run(whereDone(target, outcome), own);
      const all = await run(target, () => [clockStep(template, machine)]);
      const others = [...clocks].filter(([, was]) => !sameClock(was, template)).map(([name]) => name);
      return together(all, await run({ all: false, names: others }, own));
    },
  };
}

/**
 * @param {Operation|undefined} was  what was set; missing: it was as in the document
 * @param {string} id
 * @returns {Step}
 */
const lifecycleStep = (was, id) => was
  ? { method: "PUT", path: `admin/operations/${id}`, body: lifecycleOf(was) }
  : { method: "DELETE", path: `admin/operations/${id}` };

/** @param {Target} target  @param {import("./acts.js").Act} act  @returns {Promise<Memory>} */
async function lifecycle(target, { steps }) {
  const ids = steps.map(({ path }) => path.slice("admin/operations/".length));
  const changed = (/** @type {Operation[]} */ operations) =>
    operations.filter((operation) => operation.changed && ids.includes(operation.operationId));
  /** @type {Map<string, Operation[]>} */
  const before = new Map();
  const rows = await rowsOf(target);
  const other = rows.filter(({ operations }) => operations > 0).map(({ name }) => name);
  await forEach(other, async (name) => void before.set(name, changed(await read(name, "admin/operations"))));
  const template = target.all ? changed((await read("default", "admin/template")).lifecycles) : [];
  const back = (/** @type {Operation[]} */ was) =>
    ids.map((id) => lifecycleStep(was.find(({ operationId }) => operationId === id), id));
  const own = (/** @type {string} */ name) => back(before.get(name) ?? []);
  return {
    async restore(outcome) {
      if (!target.all) return run(whereDone(target, outcome), own);
      const all = await run(target, () => back(template));
      const usual = JSON.stringify(back(template));
      const others = rows.map(({ name }) => name).filter((name) => JSON.stringify(own(name)) !== usual);
      return together(all, await run({ all: false, names: others }, own));
    },
  };
}

/** The id of the rule that was added. @param {import("../shell/api.js").Answer|undefined} answer  @returns {number} */
export const idIn = (answer) => answer?.data.id ?? Number(/\d+$/.exec(answer?.headers.get("Location") ?? "")?.[0]);

/** @param {Target} target  @returns {Promise<Memory>} */
async function faults(target) {
  return {
    async restore(outcome) {
      const dropping = (/** @type {string} */ place) =>
        [{ method: "DELETE", path: `admin/faults/${idIn(outcome.answers.get(place))}` }];
      const dropped = await run(whereDone(target, outcome), dropping);
      return granting(dropped, "not_found"); // somebody else has taken the rule away
    },
  };
}

/** @param {Outcome} a  @param {Outcome} b  @returns {Outcome} */
const together = (a, b) => ({ ...a, failed: [...a.failed, ...b.failed], failures: a.failures + b.failures });

/**
 * @typedef {(target: Target, act: import("./acts.js").Act) => Promise<Memory>} Way
 *
 * What is remembered before an act, by what the act changes.
 * @type {Record<"data"|"clock"|"lifecycle"|"faults", Way>}
 */
export const ways = { data, clock, lifecycle, faults };

/** The address that the data of a store is read at. @param {string} name  @returns {import("../shell/api.js").Call} */
export const dataCall = (name) => ({ method: "GET", path: at(name, "admin/state"), base: server });
