// Reads the facts for a test's plan from a sandbox.

import { callOf, incomplete } from "./calls.js";
import { exact } from "./testexact.js";
import { planOf, requestsOf } from "./testplan.js";

/** @typedef {import("../shell/types.js").Entry} Entry */

/**
 * Reads what a test of requests needs.
 * @param {Entry[]} entries  of the journal
 * @param {Set<number>} chosen  ids of the chosen requests
 * @param {(path: string, parse: (text: string) => any) => Promise<any>} read  returns undefined if it is too long
 * @returns {Promise<import("./testplan.js").Plan>}
 */
export async function readPlan(entries, chosen, read) {
  const sent = requestsOf(entries, chosen);
  const [first] = sent;
  const get = (/** @type {string} */ path) => read(`admin${path}`, exact);
  const ifKept = (/** @type {string} */ path) => get(path).catch(() => undefined);
  const [summary, operations, rules, now, difference, before] = await Promise.all([
    get(""), get("/operations"), get("/faults"),
    ifKept("/state"), ifKept("/state/diff"), ifKept(`/state?at=${first.id}&before=true`),
  ]);
  return planOf({
    entries: sent, callOf: conditional, incomplete, rules, operations, seed: summary.seed, now, difference, before,
  });
}

/** Returns the call of an entry, with the condition that a page leaves out. @param {Entry} entry */
function conditional(entry) {
  const call = /** @type {import("./testplan.js").Step["call"]} */ (callOf(entry));
  const tag = entry.headers["If-None-Match"];
  return tag ? { ...call, headers: { ...call.headers, "If-None-Match": tag } } : call;
}
