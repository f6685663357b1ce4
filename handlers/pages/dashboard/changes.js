// Reads and formats the difference from the baseline.

import { html, useEffect, useState } from "../library/preact.js";
import { get } from "../shell/api.js";
import { readBounded } from "./bounded.js";
import { labelOf, nouns, textOf } from "./nouns.js";
import { PAGE } from "./pager.js";

const MOST_BYTES = 2 << 20; // of a difference; a page cannot list more
const SETTLE = 400; // ms without another change
const MOST_CATEGORIES = 1000;

/** @type {Map<number, any>} */
const NONE = new Map();

/** @typedef {import("./states.js").Changes} Changes */
/** @typedef {Record<string, Changes>|"many"|null} Difference */

let known = /** @type {Difference} */ (null); // the last one read, for a view that opens while the server is away

/**
 * Reads a difference, or returns "many" if it is too long.
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<Difference>}
 */
export const readDifference = async (path, signal) => (await readBounded(path, MOST_BYTES, signal)) ?? "many";

/**
 * Returns the difference from the baseline; null: not known yet.
 * @param {number} changes  has another value after each change
 * @returns {Difference}
 */
export function useDifference(changes) {
  const [difference, setDifference] = useState(known);
  useEffect(() => {
    const stop = new AbortController();
    const tell = (/** @type {Difference} */ read) => setDifference(known = read);
    const read = () => readDifference("admin/state/diff", stop.signal).then(tell, () => undefined);
    const timer = setTimeout(read, SETTLE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [changes]);
  return difference;
}

/** Returns the names of the categories by id. @param {number} changes @returns {Map<number, string>} */
export function useCategories(changes) {
  const [names, setNames] = useState(/** @type {Map<number, string>} */ (new Map()));
  useEffect(() => {
    const stop = new AbortController();
    const take = (/** @type {import("./nouns.js").Row[]} */ all) =>
      setNames(new Map(all.map(({ id, name }) => [id, name])));
    const path = `admin/data/categories?limit=${MOST_CATEGORIES}`;
    get(path, stop.signal).then(take, () => undefined); // the table shows the error
    return () => stop.abort();
  }, [changes]);
  return names;
}

/**
 * Returns the names of the pets that rows refer to, by id; "": no such pet.
 * @param {import("./nouns.js").Row[]} rows
 * @returns {Map<number, string>}
 */
export function usePets(rows) {
  const [names, setNames] = useState(/** @type {Map<number, string>} */ (new Map()));
  useEffect(() => {
    const ids = rows.flatMap(({ petId }) => petId ?? []);
    if (ids.length === 0) return;
    const stop = new AbortController();
    const take = (/** @type {import("./nouns.js").Row[]} */ all) =>
      setNames(new Map(ids.map((petId) => [petId, all.find(({ id }) => id === petId)?.name ?? ""])));
    const query = ids.map((id) => `id=${id}`).join("&");
    get(`admin/data/pets?limit=${PAGE}&${query}`, stop.signal).then(take, () => undefined);
    return () => stop.abort();
  }, [rows]);
  return names;
}

/** Counts the records of a noun that differ. @param {Difference} difference @param {string} noun */
export function sizeOf(difference, noun) {
  if (difference === null || difference === "many") return difference;
  const { added, changed, removed } = difference[noun];
  return added.length + changed.length + removed.length;
}

/**
 * Returns the fields that differ, with their labels and both values as texts.
 * @param {any} before
 * @param {any} after
 * @param {Map<number, string>} categories
 */
const differing = (before, after, categories) => [...new Set([...Object.keys(before), ...Object.keys(after)])]
  .filter((name) => before[name] !== after[name])
  .map((name) => [labelOf(name), textOf(name, before[name], categories), textOf(name, after[name], categories)]);

/** Formats the fields that differ. @param {Parameters<typeof differing>} of */
const fields = (...of) => differing(...of).map(([label, was, is]) => html`
  <span key=${label} class="changed-field">
    <span class="note">${label}</span>${" "}
    ${was === "none" ? "set to" : html`<del><bdi>${was}</bdi></del> →`} <ins><bdi>${is}</bdi></ins>
  </span>`);

/** Formats them as a title, which shows what the line has no room for. @param {Parameters<typeof differing>} of */
const titleOf = (...of) => differing(...of).map(([label, was, is]) => `${label} ${was} → ${is}`).join(", ");

/** Formats the fields of a record. Each bdi keeps right-to-left text from reordering the rest. */
const words = (/** @type {any} */ record, /** @type {Map<number, string>} */ categories) =>
  Object.entries(record).filter(([name]) => name !== "id" && name !== "name").map(([name, value]) => html`
    <span key=${name} class="changed-field">
      <span class="note">${labelOf(name)}</span> <bdi>${textOf(name, value, categories)}</bdi>
    </span>`);

/**
 * Formats a record, or what has changed in it.
 * @param {Map<number, string>} categories
 * @param {any} record
 * @param {any} [before]
 * @param {string} [name]  the name of the record
 */
export const toldOf = (categories, record, before, name = record.name) => html`
  ${name && before?.name === (before && record.name) && html`<strong><bdi>${name}</bdi></strong>${" "}`}
  ${before ? fields(before, record, categories) : words(record, categories)}`;

/** Marks a record that was added or removed. @param {string} mark */
export const marked = (mark) => ({ mark, text: html`<span class=${`badge is-${mark}`}>${mark}</span>` });

/**
 * Formats what has happened to the records that exist since the baseline, by id.
 * @param {Difference} difference
 * @param {import("./nouns.js").Noun} noun
 * @param {Map<number, string>} categories
 */
export function since(difference, noun, categories) {
  if (difference === null || difference === "many") return NONE;
  const { added, changed } = difference[noun.name];
  const told = new Map(changed.map(({ before, after }) => [after[noun.id], {
    mark: "changed", text: html`
      <span title=${titleOf(before, after, categories)}>${fields(before, after, categories)}</span>`,
  }]));
  for (const record of added) told.set(record[noun.id], marked("added"));
  return told;
}

/** @typedef {{what: string, record: any, before?: any}} Changed */

/**
 * Returns what has happened to one record since the baseline, or undefined if nothing has, or it is not known.
 * @param {Difference} difference
 * @param {import("./nouns.js").Noun} noun
 * @param {string} id
 * @returns {Changed|undefined}
 */
export function changeOf(difference, noun, id) {
  if (difference === null || difference === "many") return undefined;
  const { added, changed } = difference[noun.name];
  const is = (/** @type {any} */ record) => String(record[noun.id]) === id;
  const both = changed.find(({ after }) => is(after));
  if (both) return { what: "changed", record: both.after, before: both.before };
  const record = added.find(is);
  return record && { what: "added", record };
}

/**
 * Returns the records of a noun that differ, by id.
 * @param {Changes} changes
 * @param {import("./nouns.js").Noun} noun
 * @returns {Changed[]}
 */
export const rowsOf = ({ added, changed, removed }, noun) => [
  ...added.map((record) => ({ what: "added", record })),
  ...changed.map(({ before, after }) => ({ what: "changed", record: after, before })),
  ...removed.map((record) => ({ what: "removed", record })),
].sort((a, b) => a.record[noun.id] - b.record[noun.id]);

/**
 * Whether a row says more than its pet's row: an inventory entry is added and removed with its pet, and has its status.
 * @param {import("./nouns.js").Noun} noun
 */
export const tells = ({ name }) => (/** @type {Changed} */ { what, record, before }) =>
  name !== "inventory" || (what === "changed" && record.quantity !== before.quantity);

/**
 * Returns all records that differ, with their nouns.
 * @param {Record<string, Changes>} difference
 */
export const allOf = (difference) => nouns.flatMap((noun) =>
  rowsOf(difference[noun.name], noun).filter(tells(noun)).map((row) => ({ noun, row })));
