// Plans a test that repeats requests: its initial data, clock, faults, requests and expected responses. Nothing here
// needs a browser.

import { generated, tables } from "../shell/api.js";
import { errorOf, isOfRule, ranStatus } from "./journal.js";
import { changesOf, isWrite } from "./states.js";
import { exact } from "./testexact.js";

/** @typedef {import("../shell/types.js").Entry} Entry */
/** @typedef {import("../shell/types.js").Rule} Rule */
/** @typedef {import("./nouns.js").Row} Row */
/** @typedef {import("./states.js").State} State */
/** @typedef {import("./states.js").Changes} Changes */
/** @typedef {{method: string, path: string, body?: Row}} Setup  a call of the control plane */
/** @typedef {Record<string, number>} Baseline  the seed and the numbers of fake records */

/**
 * @typedef {object} Step
 * @property {string} [clock]  the time at which the clock is frozen before the call
 * @property {Rule} [fault]  the fault that applies to the call
 * @property {{method: string, path: string, headers: Record<string, string>, body?: string}} call
 * @property {string} line  method, path and status
 * @property {number} status  0: the connection is aborted
 * @property {any} [expected]  the stable part of the body's value
 * @property {string} [text]  the whole body, if all of it is stable
 *
 * @typedef {object} Plan
 * @property {string} name
 * @property {Baseline} [baseline]
 * @property {string} [state]  the data as JSON, if no seed generates it
 * @property {Setup[]} setup
 * @property {Step[]} steps
 * @property {string[]} notes  what the test leaves out
 */

const MOST_STEPS = 50;
const MOST_SETUP = 100; // writes that restore the earlier data
const MOST_STATE = 32 << 10; // characters of data that a test can hold
const DRIFT = 1500; // ms by which an unchanged clock can seem to differ

const KEY = "Idempotency-Key";

/** Whether the response was that of an earlier request. @param {Entry} entry */
const isReplay = ({ response }) => response?.headers["Idempotency-Replayed"] === "true";

/** Whether a request can be the one of which another is a replay. @param {Entry} entry @param {Entry} replay */
const isOriginal = (entry, replay) => entry.id < replay.id && !isReplay(entry) && entry.path === replay.path
  && entry.method === replay.method && entry.status === replay.status && entry.headers[KEY] === replay.headers[KEY];

/**
 * Returns the requests of a test: the chosen ones, those that they replay, and the writes between them, oldest first.
 * @param {Entry[]} entries  newest first
 * @param {Set<number>} chosen  ids
 */
export function requestsOf(entries, chosen) {
  const replays = entries.filter((entry) => chosen.has(entry.id) && isReplay(entry));
  const originals = replays.map((replay) => entries.find((entry) => isOriginal(entry, replay))?.id ?? replay.id);
  const ids = new Set([...chosen, ...originals]);
  const first = Math.min(...ids);
  const last = Math.max(...ids);
  const between = (/** @type {Entry} */ entry) => entry.id > first && entry.id < last && isWrite(entry);
  return entries.filter((entry) => ids.has(entry.id) || between(entry)).sort((a, b) => a.id - b.id);
}

/**
 * Returns the baseline's data.
 * @param {State} now
 * @param {Record<string, Changes>} difference  between the baseline and now
 * @returns {State}
 */
export const baselineOf = (now, difference) => Object.fromEntries(tables.map(({ name, id }) => {
  const { added, changed, removed } = difference[name];
  const rows = new Map((now[name] ?? []).map((row) => [row[id], row]));
  for (const row of added) rows.delete(row[id]);
  for (const { before } of changed) rows.set(before[id], before);
  for (const row of removed) rows.set(row[id], row);
  return [name, [...rows.values()].sort((a, b) => a[id] - b[id])];
}));

/** Returns the fields that create a record like the row. @param {Row} row @returns {Row} */
const sendable = ({ id, petId, createdAt, ...rest }) => (petId === undefined ? rest : { petId, ...rest });

/**
 * Returns the writes that turn one state of the data into another, with the same ids. It also creates and deletes the
 * records of missing ids, so that the next id is the same too.
 * @param {State} from
 * @param {State} to
 * @returns {Setup[]}
 */
export function setupOf(from, to) {
  const making = [];
  const changing = [];
  const deleting = [];
  for (const { name, one, path, id: key } of tables) {
    const { added, changed, removed } = changesOf(from[name] ?? [], to[name] ?? [], key);
    const at = (/** @type {number} */ id) => `/data/${path}/${id}`;
    if (name === "inventory") {
      const stocked = added.filter(({ quantity }) => quantity !== 0);
      const counted = changed.filter(({ before, after }) => before.quantity !== after.quantity);
      for (const { petId, quantity } of [...stocked, ...counted.map(({ after }) => after)]) {
        changing.push({ method: "PUT", path: at(petId), body: { quantity } });
      }
      continue;
    }
    const byId = new Map(added.map((row) => [row[key], row]));
    let next = Math.max(0, ...(from[name] ?? []).map((row) => row[key])) + 1;
    const end = /** @type {any} */ (to).next?.[one] ?? Math.max(0, ...byId.keys()) + 1;
    const standIn = added[0] ?? from[name]?.[0];
    for (; next < end && standIn; next++) {
      const row = byId.get(next);
      making.push({ method: "POST", path: `/data/${path}`, body: sendable(row ?? standIn) });
      if (!row) deleting.push({ method: "DELETE", path: at(next) });
    }
    for (const { before, after } of changed) {
      const emptied = Object.keys(before).filter((field) => after[field] === undefined).map((field) => [field, null]);
      const body = { ...Object.fromEntries(emptied), ...sendable(after) };
      changing.push({ method: "PATCH", path: at(after[key]), body });
    }
    for (const row of removed) deleting.push({ method: "DELETE", path: at(row[key]) });
  }
  return [...making, ...changing, ...deleting.reverse()];
}

/** Names of fields that a server sets from its clock or at random. */
const UNSTABLE = new Set(["createdAt"]);

/** Whether a value is an Error of the API. @param {any} value */
const isError = (value) =>
  typeof value?.code === "string" && typeof value?.message === "string" && value?.status >= 400;

/**
 * Returns the stable part of a body, and whether that is all of it. Of an error, that is its code and the fields.
 * @param {any} value
 * @returns {{value: any, whole: boolean}}
 */
export function stableOf(value) {
  if (isError(value)) {
    const details = value.details?.map((/** @type {{field: string}} */ { field }) => ({ field }));
    return { value: { code: value.code, ...(details && { details }) }, whole: false };
  }
  if (Array.isArray(value)) {
    const all = value.map(stableOf);
    return { value: all.map((one) => one.value), whole: all.every(({ whole }) => whole) };
  }
  if (typeof value !== "object" || value === null) return { value, whole: true };
  let whole = true;
  /** @type {Record<string, any>} */
  const kept = {};
  for (const [name, one] of Object.entries(value)) {
    const stable = stableOf(one);
    whole &&= stable.whole && !UNSTABLE.has(name);
    if (!UNSTABLE.has(name)) kept[name] = stable.value;
  }
  return { value: kept, whole };
}

/** Returns what a test expects of a response. @param {Entry} entry @returns {{expected?: any, text?: string}} */
function expectedOf({ status, response }) {
  if (!status || !response?.body || response.bodyTruncated) return {};
  try {
    const { value, whole } = stableOf(exact(response.body));
    return { expected: value, ...(whole && { text: response.body.trim() }) };
  } catch {
    return {}; // an image, or other text
  }
}

/**
 * Returns the rule that was applied to a request, changed to apply to that request alone and always. If the rule was
 * deleted, returns what the response shows of it.
 * @param {Entry} entry
 * @param {Rule[]} rules  as they are now
 * @returns {Rule}
 */
function faultOf(entry, rules) {
  const { fault, status, durationMs, operationId, response } = entry;
  const only = operationId ? { match: { operationId } } : {};
  const known = rules.find(({ id }) => id === fault);
  if (known) {
    const { id, applied, off, match, probability, times, ...does } = known;
    return { ...only, ...does, ...(!does.abort ? { times: 1 } : does.abort === "hang" && { abort: "reset" }) };
  }
  if (status === 0) return { ...only, abort: response ? "truncate" : "reset" };
  if (!isOfRule(entry)) return { ...only, delay: { fixedMs: Math.round(durationMs) }, times: 1 };
  const { code, message } = errorOf(entry) ?? {};
  const own = message && !message.startsWith("fault rule ") && { message };
  const after = response?.headers["Retry-After"];
  return {
    ...only, status, ...(code && { code }), ...own, ...(after && { headers: { "Retry-After": after } }),
    ...(ranStatus(entry) !== status && { when: "after" }), times: 1,
  };
}

/** Returns how far the sandbox's clock was ahead. @param {Entry} entry */
const ahead = ({ time, receivedAt }) => Date.parse(time) - Date.parse(receivedAt ?? time);

/**
 * @typedef {object} Known  the facts for a plan
 * @property {Entry[]} entries  the test's entries, oldest first
 * @property {(entry: Entry) => Step["call"]} callOf
 * @property {(entry: Entry) => string} incomplete  why an entry cannot be sent again, or ""
 * @property {number|null} seed
 * @property {State} [now]  missing: unknown
 * @property {Record<string, Changes>} [difference]  from the baseline; missing: unknown
 * @property {State} [before]  the data before the first request; missing: unknown
 * @property {Rule[]} rules
 * @property {import("../shell/types.js").Operation[]} operations
 */

/** Whether a refusal does not depend on data. A PATCH is parsed only after its record is found. @param {Entry} entry */
const isOfAnyData = ({ status, method, operationId }) => [401, 405, 415].includes(status)
  || (status === 400 && method !== "PATCH") || (status === 404 && !operationId);

/** Whether a condition was met by the ETag of messages, which contain their time. @param {Entry} entry */
const isOfTime = ({ path, status, headers }) =>
  path.startsWith("/messages") && (status === 304 || (status < 300 && headers["If-Match"] !== undefined));

/** @param {Known} known @returns {Plan} */
export function planOf({ entries, callOf, incomplete, rules, operations, ...known }) {
  /** @type {string[]} */
  const notes = [];
  if (entries.length > MOST_STEPS) {
    notes.push(`The test ends after the first ${MOST_STEPS} of ${entries.length} requests.`);
  }
  const sent = entries.slice(0, MOST_STEPS).filter((entry) => {
    const why = incomplete(entry);
    if (why) notes.push(`${entry.method} ${entry.path} is left out. ${why}`);
    return !why;
  });
  for (const entry of sent) {
    const what = `${entry.method} ${entry.path} ${entry.status}`;
    if (isBrownout(entry)) notes.push(`${what} was a brown-out, which the test does not repeat, so it can fail.`);
    if (entry.undone && entry !== sent.at(-1)) notes.push(`${what} was undone, but not by the test, so it can fail.`);
    if (isOfTime(entry)) notes.push(`${what} depends on when its message was made, so the test can fail.`);
    if (isReplay(entry) && !sent.some((other) => isOriginal(other, entry))) {
      notes.push(`${what} repeated the response of a request that is not known, so the test can fail.`);
    }
  }
  const lifecycles = lifecyclesOf(sent, operations);
  const sunsets = lifecycles.map(({ body }) => Date.parse(body?.sunset));
  let clock = ""; // of the last freeze
  const steps = sent.map((entry, i) => {
    const has = (/** @type {string} */ time) => sunsets.filter((sunset) => sunset <= Date.parse(time)).length;
    const moved = i === 0 || has(entry.time) !== has(clock)
      || (Math.abs(ahead(entry) - ahead(sent[i - 1])) >= DRIFT && entry.time !== sent[i - 1].time);
    if (moved) clock = new Date(entry.time).toISOString();
    const status = entry.status;
    return {
      ...(moved && { clock }),
      ...(entry.fault && { fault: faultOf(entry, rules) }),
      call: callOf(entry),
      line: `${entry.method} ${entry.path} ${status || "broken off"}`, status,
      ...expectedOf(entry),
    };
  });
  const data = sent.every(isOfAnyData) ? { setup: [] } : dataOf(known, notes);
  const setup = [...data.setup, ...lifecycles];
  const more = steps.length > 1 ? ` and ${steps.length - 1} more` : "";
  return { ...data, name: `${steps[0]?.line ?? "nothing"}${more}`, setup, steps, notes };
}

/**
 * Returns the initial data of the test.
 * @param {Pick<Known, "seed"|"now"|"difference"|"before">} known
 * @param {string[]} notes
 * @returns {Pick<Plan, "baseline"|"state"|"setup">}
 */
function dataOf({ seed, now, difference, before }, notes) {
  const base = now && difference && baselineOf(now, difference);
  if (base && !before) {
    notes.push("The data before the first request is no longer kept, after a reset or 100 writes. "
      + "The test begins with what a reset returns to now, so it can fail.");
  }
  if (seed === null) {
    const text = JSON.stringify(before ?? base ?? null);
    if (text !== "null" && text.length <= MOST_STATE) return { state: text, setup: [] };
    notes.push("The data came from a file, and is too much for a test. Start the test's server with the same file.");
    return { setup: [] };
  }
  if (!base || !Number.isSafeInteger(seed)) {
    notes.push("The data is too much for a page, so the test begins with that of its server.");
    return { setup: [] };
  }
  const baseline = { seed, ...Object.fromEntries(generated.map((name) => [name, base[name].length])) };
  if (!before) return { baseline, setup: [] };
  const setup = setupOf(base, before);
  if (setup.length <= MOST_SETUP) return { baseline, setup };
  notes.push(`${setup.length} changes before the first request are too many for a test. It begins with the baseline.`);
  return { baseline, setup: [] };
}

/** Whether a lifecycle refused a request. @param {Entry} entry */
const isSunset = (entry) => errorOf(entry)?.code === "operation_sunset";

/** Whether that happened by chance. @param {Entry} entry */
const isBrownout = (entry) => isSunset(entry) && / browned out: /.test(errorOf(entry)?.message ?? "");

/** Returns the lifecycle that refused a request, from its response. @param {Entry} entry */
function lifecycleOf({ response }) {
  const { Deprecation: since = "", Sunset: sunset = "" } = response?.headers ?? {};
  const day = (/** @type {number} */ ms) => (ms // as in the control plane: midnight is a date
    ? new Date(ms).toISOString().replace(/T00:00:00\.000Z$|\.000(?=Z$)/, "")
    : undefined);
  return {
    changed: true, deprecated: true, deprecatedSince: day(Number(since.slice(1)) * 1000),
    sunset: day(Date.parse(sunset)), enforceSunset: true,
  };
}

/**
 * Returns the calls that set the lifecycles of the called operations: what refused one of their calls, or the current.
 * @param {Entry[]} entries
 * @param {Known["operations"]} operations
 * @returns {Setup[]}
 */
const lifecyclesOf = (entries, operations) => operations
  .map((operation) => {
    const gone = entries.find((entry) =>
      entry.operationId === operation.operationId && isSunset(entry) && !isBrownout(entry));
    return gone ? { ...operation, ...lifecycleOf(gone) } : operation;
  })
  .filter(({ operationId, changed }) => changed && entries.some((entry) => entry.operationId === operationId))
  .map(({ operationId, deprecated, deprecatedSince, sunset, successor, stability = "stable", enforceSunset }) => {
    const old = deprecated ? { deprecatedSince, sunset, successor, enforceSunset } : {};
    const given = Object.entries(old).filter(([, value]) => value !== undefined);
    const body = { stability, deprecated, ...Object.fromEntries(given) };
    return { method: "PATCH", path: `/operations/${operationId}`, body };
  });
