// Counts the recent requests that a fault rule would have hit.

import { plural } from "../shell/format.js";

/** @typedef {import("../shell/types.js").Entry} Entry */
/** @typedef {import("../shell/types.js").Rule} Rule */

const LAST = 100; // the number of requests to check

/**
 * Whether a path matches the pattern: * stands for one segment, ** at its end for the rest.
 * @param {string} pattern
 * @param {string} path
 */
export function fitsPath(pattern, path) {
  const wanted = pattern.split("/");
  const parts = path.split("/");
  const rest = wanted.at(-1) === "**";
  if (rest) wanted.pop();
  if (rest ? parts.length < wanted.length : parts.length !== wanted.length) return false;
  return wanted.every((part, i) => part === "*" || part === parts[i]);
}

/** Whether the rule matches a request. @param {Rule} rule @param {Entry} entry */
export function fits({ match = {} }, { operationId, method, path, headers }) {
  const { operationId: operation, method: wanted, path: pattern, headers: pairs = {} } = match;
  if (operation && operation !== operationId) return false;
  if (wanted && wanted !== method) return false;
  if (pattern && !fitsPath(pattern, path)) return false;
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return Object.entries(pairs).every(([name, value]) => sent[name.toLowerCase()] === value);
}

/** Whether a rule takes every request that it matches, until it is used up. @param {Rule} rule */
const takesAll = ({ off, probability = 1 }) => !off && probability === 1;

/**
 * Says how many of the last requests the rule would have hit.
 * @param {Rule} rule
 * @param {Entry[]} entries  newest first
 * @param {Rule[]} [before]  the rules before it
 */
export function hitsOf(rule, entries, before = []) {
  const last = entries.slice(0, LAST);
  if (last.length === 0) return "There are no requests yet that it would have hit.";
  const takers = before.filter(takesAll)
    .map((taker) => ({ taker, left: (taker.times ?? Infinity) - (taker.applied ?? 0) }));
  const isTaken = (/** @type {Entry} */ entry) => {
    const first = takers.find(({ taker, left }) => left > 0 && fits(taker, entry));
    if (first) first.left--;
    return Boolean(first);
  };
  const taken = last.toReversed().filter((entry) => isTaken(entry) && fits(rule, entry)).length;
  const fitting = last.filter((entry) => fits(rule, entry));
  const all = fitting.length - taken;
  const { probability = 1, times = Infinity } = rule;
  const few = Math.max(0, Math.min(Math.round(all * probability), times) || 0); // NaN while a number is typed
  const about = probability < 1 && few < times ? "about " : "";
  return `It would have hit ${about}${few} of the last ${plural(last.length, "request")}.${
    taken > 0 ? ` Rules before it take ${taken}.` : ""}`;
}
