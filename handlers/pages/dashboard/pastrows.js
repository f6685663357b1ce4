// Filters and sorts the rows of a past state as the API does, and finds the writes around it.

import { isWrite } from "./states.js";

/** @typedef {import("./nouns.js").Row} Row */
/** @typedef {import("./nouns.js").Noun} Noun */
/** @typedef {import("../shell/types.js").Entry} Entry */

/**
 * Returns the filter that the API has under that name, for a value.
 * @param {string} name @param {string} kind @param {string} wanted
 * @returns {(row: Row) => boolean}
 */
function filterOf(name, kind, wanted) {
  if (name === "maxQuantity") return (row) => row.quantity <= Number(wanted);
  if (kind === "text") return (row) => String(row[name] ?? "").toLowerCase().includes(wanted.toLowerCase());
  return (row) => String(row[name]) === wanted;
}

/** @param {any} a @param {any} b */
function compare(a, b) {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * Returns the matching rows, sorted as by the API: equal ones by id, missing values last.
 * @param {Row[]} rows
 * @param {Noun} noun
 * @param {Record<string, string>} query  the filters by name, and sort
 */
export function rowsOf(rows, noun, query) {
  const fits = noun.filters
    .filter(({ name }) => query[name]?.trim())
    .map(({ name, kind }) => filterOf(name, kind, query[name].trim()));
  const found = rows.filter((row) => fits.every((fit) => fit(row)));
  const field = (query.sort ?? "").replace("-", "");
  if (!field) return found;
  const way = query.sort.startsWith("-") ? -1 : 1;
  const missing = (/** @type {Row} */ row) => row[field] === undefined;
  return found.toSorted((a, b) => {
    if (missing(a) || missing(b)) return Number(missing(a)) - Number(missing(b)) || compare(a[noun.id], b[noun.id]);
    return way * compare(a[field], b[field]) || compare(a[noun.id], b[noun.id]);
  });
}

/**
 * Returns the ids of the writes before and after a request, without those that are undone.
 * @param {Entry[]} entries  newest first
 * @param {number} id
 * @returns {{previous?: number, next?: number}}
 */
export function writesAround(entries, id) {
  const writes = entries.filter((entry) => isWrite(entry) && !entry.undone).map((entry) => entry.id);
  return { previous: writes.find((other) => other < id), next: writes.findLast((other) => other > id) };
}

/**
 * Says why there is no state as of a request.
 * @param {{status?: number, message: string}} error
 * @param {number} id
 * @param {boolean} [undone]
 */
export function whyGone({ status, message }, id, undone) {
  if (status === 404) {
    return `There is no request ${id} in the journal. It never came, or the journal no longer keeps it.`;
  }
  if (status === 410 && undone) return `Request ${id} was undone, and the data as it left it is not kept.`;
  if (status === 410) {
    return `The data as of request ${id} is no longer kept. It reaches as far back as undo: 100 writes at most.`;
  }
  if (status === 400) return `“${id}” is no request. Requests have numbers from 1 on.`;
  return message;
}
