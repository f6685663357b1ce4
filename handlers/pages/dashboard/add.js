// A fault rule that a click adds. It applies from then on: where another would take its requests, it goes before all.

import { get } from "../shell/api.js";
import { session, write } from "../shell/session.js";
import { coverOf, PATH, remove, sayRules } from "../shell/throttle.js";
import { sayError } from "../shell/toast.js";
import { isOff, leftOf, targetOf } from "./rules.js";

/** @typedef {import("../shell/types.js").Rule} Rule */

/** The match of a rule, with method and path of its operation. @param {Rule} rule @returns {Record<string, any>} */
function matchOf({ match = {} }) {
  const operation = session.get().operations?.find((one) => one.operationId === match.operationId);
  return { method: operation?.method, path: operation?.path.replace(/{\w+}/g, "*"), ...match };
}

/** Whether a path can fit two patterns, by segment. @param {string[]} a @param {string[]} b @returns {boolean} */
const meet = ([one, ...a], [other, ...b]) => one === "**" || other === "**" || one === undefined && other === undefined
  || (one === other || !!one && !!other && [one, other].includes("*")) && meet(a, b);

/** Whether a request can fit two rules. @param {Rule} rule @param {Rule} other */
function overlap(rule, other) {
  const [a, b] = [matchOf(rule), matchOf(other)];
  const differ = (/** @type {any} */ one, /** @type {any} */ other) => one && other && one !== other;
  return !["operationId", "method"].some((name) => differ(a[name], b[name]))
    && (!a.path || !b.path || meet(a.path.split("/"), b.path.split("/")))
    && !Object.keys(a.headers ?? {}).some((name) => differ(a.headers[name], b.headers?.[name]));
}

/**
 * The rule that takes requests of another before it: the first that takes all, or else any.
 * @param {Rule[]} rules @param {Rule} other
 */
export const takerOf = (rules, other) => firstOf(rules, other)
  ?? rules.find((rule) => !isOff(rule) && leftOf(rule) !== 0 && overlap(rule, other));

/**
 * The first of the rules that takes every request of another, if only until it is used up.
 * @param {Rule[]} rules  before it
 * @param {Rule} other
 */
export const firstOf = (rules, other) =>
  rules.find(({ times, ...rule }) => leftOf({ times, ...rule }) !== 0 && coverOf([rule], other));

/**
 * What adds the rule to those that there are.
 * @param {Rule[]} rules
 * @param {Rule} rule
 * @returns {import("../shell/api.js").Call}
 */
export function addCall(rules, rule) {
  const sure = rules.filter(({ probability = 1 }) => probability === 1);
  if (!takerOf(sure, rule)) return { method: "POST", path: PATH, body: rule };
  return { method: "PUT", path: PATH, body: [rule, ...rules] };
}

/** The Undo of a rule that was added. @param {Rule|Rule[]} data  the response */
export const undoOf = (data) => remove(Number([data].flat()[0].id));

/** Adds the rule, and says so with the way back. @param {Rule} rule @param {string} [name]  of what it does */
export async function add(rule, name) {
  try {
    /** @type {Rule[]} */
    const rules = await get(PATH);
    const { data } = await write(addCall(rules, rule));
    const added = Array.isArray(data) ? data[0] : data;
    const first = data.length > 1 ? ", before all others" : "";
    const done = `${name ? `${name}: rule` : "Rule"} ${added.id} now applies to ${targetOf(added)}${first}.`;
    sayRules(done, rules, Array.isArray(data) ? data : [...rules, data], undoOf(data));
  } catch (error) {
    sayError(error, "faults");
  }
}

/** @param {number|undefined} id */
export const dropCall = (id) => ({ method: "DELETE", path: `${PATH}/${id}` });

/** Deletes a rule, and says so with the way back. @param {Rule[]} rules @param {Rule} rule @param {string} done */
export async function drop(rules, rule, done) {
  const rest = rules.filter((other) => other !== rule);
  await write(dropCall(rule.id)).then(() => sayRules(done, rules, rest), sayError);
}
