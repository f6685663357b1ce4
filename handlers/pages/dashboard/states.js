// Compares states of the data, and finds the writes that led to them.

import { ranStatus } from "./journal.js";

/** @typedef {import("./nouns.js").Row} Row */
/** @typedef {import("./nouns.js").Noun} Noun */
/** @typedef {import("../shell/types.js").Entry} Entry */
/** @typedef {Record<string, Row[]>} State  as GET /admin/state returns it */
/** @typedef {{added: Row[], changed: {before: Row, after: Row}[], removed: Row[]}} Changes */

/** Whether a request may have changed the data. @param {Entry} entry */
export function isWrite(entry) {
  const status = ranStatus(entry);
  return !["GET", "HEAD", "OPTIONS"].includes(entry.method) && (status === 0 || (status >= 200 && status < 300));
}

/** Returns the writes to undo before that of a request, newest first. @param {Entry[]} entries @param {number} id */
export const writesAfter = (entries, id) => entries.filter((one) => one.id > id && one.changed && !one.undone);

/** @param {any} a @param {any} b */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Returns the difference between two lists of records.
 * @param {Row[]} before
 * @param {Row[]} after
 * @param {string} id  the field with the id
 * @returns {Changes}
 */
export function changesOf(before, after, id) {
  const old = new Map(before.map((row) => [row[id], row]));
  const ids = new Set(after.map((row) => row[id]));
  const changed = [];
  for (const row of after) {
    const was = old.get(row[id]);
    if (was && !same(was, row)) changed.push({ before: was, after: row });
  }
  const added = after.filter((row) => !old.has(row[id]));
  return { added, changed, removed: before.filter((row) => !ids.has(row[id])) };
}

/**
 * Returns the difference between two states, by noun.
 * @param {State} before
 * @param {State} after
 * @param {Noun[]} nouns
 * @returns {Record<string, Changes>}
 */
export const differenceOf = (before, after, nouns) =>
  Object.fromEntries(nouns.map(({ name, id }) => [name, changesOf(before[name] ?? [], after[name] ?? [], id)]));
