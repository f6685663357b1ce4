// Reads the facts for a test's plan from a sandbox.

import { callOf, incomplete } from "./calls.js";
import { isWrite } from "./states.js";
import { planOf, requestsOf } from "./testplan.js";

/** @typedef {import("../shell/types.js").Entry} Entry */

/**
 * Reads what a test of requests needs.
 * @param {Entry[]} entries  of the journal
 * @param {Set<number>} chosen  ids of the chosen requests
 * @param {(path: string) => Promise<any>} read  returns undefined if the response is too long
 * @returns {Promise<import("./testplan.js").Plan>}
 */
export async function readPlan(entries, chosen, read) {
  const sent = requestsOf(entries, chosen);
  const [first] = sent;
  const at = isWrite(first) ? first.id - 1 : first.id;
  const or = (/** @type {any} */ instead) => () => instead;
  const [summary, operations, rules, now, difference, before] = await Promise.all([
    read("admin"), read("admin/operations"), read("admin/faults"),
    read("admin/state").catch(or(undefined)), read("admin/state/diff").catch(or(undefined)),
    at > 0 ? read(`admin/state?at=${at}`).catch(or(undefined)) : undefined,
  ]);
  const call = /** @type {import("./testplan.js").Known["callOf"]} */ (callOf);
  return planOf({
    entries: sent, callOf: call, incomplete, rules, operations,
    seed: summary.seed, now, difference, before, isFirst: at === 0,
  });
}
