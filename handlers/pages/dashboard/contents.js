// Reads a file that may replace the sandbox.

import { tables } from "../shell/api.js";
import { dayAndTime, isShifted, plural, shift } from "../shell/format.js";
import { made } from "./nouns.js";

/**
 * @typedef {object} Taken  a file to import
 * @property {string} name
 * @property {string} text
 * @property {"world"|"state"} what
 * @property {Record<string, number|string>} counts  the number of each kind, and the time of the clock
 */

/**
 * Returns what a file contains.
 * @param {string} name
 * @param {string} text
 * @returns {Taken}
 * @throws {Error}  if the file cannot replace anything
 */
export function contentsOf(name, text) {
  const parsed = parse(text);
  const kinds = tables.map((table) => table.name);
  const unknown = Object.keys(parsed).find((key) => key !== "next" && !kinds.includes(key));
  if (!("format" in parsed) && unknown !== undefined) {
    throw new Error(`${NEITHER}: “${unknown}” is none of ${kinds.join(", ")} and next.`);
  }
  if (Object.keys(parsed).length === 0) throw new Error(`${NEITHER}: it has no ${kinds.join(", no ")}.`);
  const lone = "format" in parsed ? "" : loneIn(parsed);
  if (lone) throw new Error(lone);
  return { name, text, what: "format" in parsed ? "world" : "state", counts: countsIn(parsed) };
}

/** Says which pet of some data has a category that the data lacks, or "". @param {Record<string, any>} data */
function loneIn({ pets, categories }) {
  const ids = new Set(list(categories).map((one) => one?.id));
  const at = list(pets).findIndex((pet) => pet?.categoryId && !ids.has(pet.categoryId));
  return at < 0 ? "" : `pets[${at}].categoryId: there is no category with id ${pets[at].categoryId}. `
    + "Add it to the file, or change the id.";
}

const NEITHER = "It is neither a whole sandbox nor data";

/** @param {string} text @returns {Record<string, any>} */
function parse(text) {
  let parsed;
  try {
    parsed = JSON.parse(text);
  } catch (problem) {
    const { message } = /** @type {Error} */ (problem); // in the browser's words
    const found = /position (\d+)|line (\d+)/.exec(message);
    const line = found && (found[2] ?? text.slice(0, Number(found[1])).split("\n").length);
    const why = line ? `: line ${line} is wrong` : /end of/.test(message) ? ": it ends in the middle" : "";
    throw new Error(`It is not JSON${why}.`);
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new Error(`${NEITHER}: it must be an object.`);
  }
  if ("log" in parsed) {
    throw new Error("It is an HTTP Archive: requests, for the network panel of a browser. Import a sandbox or its data."
    );
  }
  return parsed;
}

/** @param {any} value @returns {any[]} */
const list = (value) => (Array.isArray(value) ? value : []);

/**
 * Formats a clock's time, and how far it is from the machine's. A file's clock goes on from the time in the file.
 * @param {{now: string, frozen?: boolean, offsetSeconds?: number}} clock
 */
export function clockOf({ now, frozen = false, offsetSeconds = (Date.parse(now) - Date.now()) / 1000 }) {
  const other = frozen ? "frozen" : isShifted({ now, frozen, offsetSeconds }) && shift(offsetSeconds);
  return `${dayAndTime(now)}${other ? `, ${other}` : ""}`;
}

/**
 * Counts what a file contains, by the names that the page shows.
 * @param {Record<string, any>} file
 * @returns {Record<string, number|string>}
 */
function countsIn(file) {
  const kinds = made.map(({ name }) => name);
  if (!("format" in file)) return Object.fromEntries(kinds.map((kind) => [kind, list(file[kind]).length]));
  const { baseline, generated, state } = file;
  const records = kinds.map((kind) => { // a world's state is the difference from its baseline
    const known = new Set(list(baseline?.[kind]).map(({ id }) => id));
    const fakes = Number(generated?.[kind]) || 0;
    const added = list(state?.[kind]).filter(({ id }) => id > fakes && !known.has(id)).length;
    return [kind, known.size + fakes + added - list(state?.removed?.[kind]).length];
  });
  const rules = [...list(file.faults), ...list(file.serverFaults)]
    .filter(({ times = Infinity, applied = 0 }) => applied < times).length; // the server counts no others either
  return Object.fromEntries([...records, ["snapshots", list(file.snapshots).length], ["fault rules", rules],
    ...(file.clock ? [["clock", clockOf(file.clock)]] : [])]);
}

const textOf = (/** @type {object} */ record) => JSON.stringify(Object.entries(record).sort());

/**
 * Says how many records two worlds have in different states, and whether their lifecycles differ. A world has the
 * records that differ from its baseline.
 * @param {Record<string, any>} now
 * @param {Record<string, any>} file
 */
export function differenceOfWorlds(now, file) {
  const from = (/** @type {typeof now} */ { seed, generated, baseline }) => JSON.stringify([seed, generated, baseline]);
  if (from(now) !== from(file)) return "Its baseline is another one.";
  let differ = 0;
  for (const { name } of made) {
    const records = (/** @type {typeof now} */ { state }) => new Map([
      ...list(state?.[name]).map((record) => /** @type {const} */ ([record.id, textOf(record)])),
      ...list(state?.removed?.[name]).map((id) => /** @type {const} */ ([id, "removed"])),
    ]);
    const [a, b] = [records(now), records(file)];
    differ += [...new Set([...a.keys(), ...b.keys()])].filter((id) => a.get(id) !== b.get(id)).length;
  }
  const more = JSON.stringify(now.operations) === JSON.stringify(file.operations) ? "" : " Its lifecycles differ.";
  const told = differ > 0 ? `${plural(differ, "record")} ${differ === 1 ? "differs" : "differ"} from now.` : SAME;
  return told + more;
}

const SAME = "Its records are the same as now.";

/**
 * Says how many records a file adds, changes and removes. Inventory entries are added and removed with their pets, and
 * count only as changed.
 * @param {Record<string, any>} now
 * @param {Record<string, any>} file
 */
export function differenceOf(now, file) {
  const n = { added: 0, changed: 0, removed: 0 };
  for (const { name } of made) {
    const before = new Map(list(now[name]).map((record) => [record.id, textOf(record)]));
    for (const record of list(file[name])) {
      const was = before.get(record.id);
      before.delete(record.id);
      if (was === undefined) n.added++;
      else if (was !== textOf(record)) n.changed++;
    }
    n.removed += before.size;
  }
  const stock = new Map(list(now.inventory).map(({ petId, quantity }) => [petId, quantity]));
  n.changed += list(file.inventory).filter(({ petId, quantity }) => (stock.get(petId) ?? quantity) !== quantity).length;
  const told = Object.entries(n).filter(([, many]) => many > 0).map(([what, many]) => `${many} ${what}`).join(", ");
  return told ? `Records: ${told}.` : SAME;
}
