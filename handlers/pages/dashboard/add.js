// Adds a fault rule at one click. It goes before any rule that would take its requests, so that it applies at once.

import { get } from "../shell/api.js";
import { write } from "../shell/session.js";
import { afterOf, covers, matchOf, PATH, remove, sayRules, signature } from "../shell/throttle.js";
import { sayError } from "../shell/toast.js";
import { isOff, leftOf, nameOf, restarted, targetOf } from "./rules.js";

/** @typedef {import("../shell/types.js").Rule} Rule */

/** Whether a path can match both patterns, by segment. @param {string[]} a @param {string[]} b @returns {boolean} */
const meet = ([one, ...a], [other, ...b]) => one === "**" || other === "**" || one === undefined && other === undefined
  || (one === other || !!one && !!other && [one, other].includes("*")) && meet(a, b);

/** Whether a request can match both rules. @param {Rule} rule @param {Rule} other */
function overlap(rule, other) {
  const [a, b] = [matchOf(rule), matchOf(other)];
  const differ = (/** @type {any} */ one, /** @type {any} */ other) => one && other && one !== other;
  return !["operationId", "method"].some((name) => differ(a[name], b[name]))
    && (!a.path || !b.path || meet(a.path.split("/"), b.path.split("/")))
    && !Object.keys(a.headers ?? {}).some((name) => differ(a.headers[name], b.headers?.[name]));
}

/**
 * Returns the first rule that takes all requests of other before it, or else one that takes some.
 * @param {Rule[]} rules @param {Rule} other
 */
export const takerOf = (rules, other) => firstOf(rules, other)
  ?? rules.find((rule) => !isOff(rule) && leftOf(rule) !== 0 && overlap(rule, other));

/**
 * Returns the first of the rules that takes every request of other, even if only until the rule is used up.
 * @param {Rule[]} rules  those before it
 * @param {Rule} other
 */
export const firstOf = (rules, other) =>
  rules.find(({ times, ...rule }) => leftOf({ times, ...rule }) !== 0 && covers(rule, other));

/** @param {Rule[]} rules @returns {import("../shell/api.js").Call} */
export const allCall = (rules) => ({ method: "PUT", path: PATH, body: rules });

/** Whether a rule matches only a part of the other's requests. @param {Rule} rule @param {Rule} other */
const isPart = ({ match }, { match: whole }) =>
  covers({ match: whole }, { match }) && !covers({ match }, { match: whole });

/** Returns the same rule if it is in the list, but off or used up. @param {Rule[]} rules @param {Rule} rule */
const restOf = (rules, rule) => rules.find(({ off, ...other }) =>
  (off || leftOf(other) === 0) && signature(other) === signature(rule));

/**
 * Returns the call that adds the rule, or starts it again. Rules for a part of its requests stay before it.
 * @param {Rule[]} rules
 * @param {Rule} rule
 * @returns {import("../shell/api.js").Call}
 */
export function addCall(rules, rule) {
  const old = restOf(rules, rule);
  const others = rules.filter((other) => other !== old);
  const places = [others.findIndex((other) =>
    (other.probability ?? 1) === 1 && takerOf([other], rule) && !isPart(other, rule)), rules.indexOf(old ?? rule)];
  const at = Math.min(...places.filter((place) => place >= 0));
  if (at === Infinity) return { method: "POST", path: PATH, body: rule };
  return allCall(others.toSpliced(at, 0, old ? restarted(old) : rule));
}

/** Returns the id of the added rule. @param {Rule|Rule[]} data  the response */
const newest = (data) => Math.max(...[data].flat().map(({ id }) => Number(id)));

/** Returns the Undo for an added rule. @param {Rule|Rule[]} data  the response */
export const undoOf = (data) => remove(newest(data));

/** Adds the rule, and says so with an Undo. @param {Rule} rule @param {string} [name]  of the fault */
export async function add(rule, name) {
  try {
    /** @type {Rule[]} */
    const rules = await get(PATH);
    const old = restOf(rules, rule);
    const { data } = await write(addCall(rules, rule));
    const all = Array.isArray(data) ? data : [...rules, data];
    const id = old?.id ?? newest(data);
    const at = all.findIndex((other) => other.id === id);
    const place = afterOf(all.slice(0, at).filter((other) => takerOf([other], rule)))
      || (data.length > at + 1 ? `, before ${nameOf(data[at + 1])}` : "");
    const done = `${name ? `${name}: rule` : "Rule"} ${id} now applies to ${targetOf(rule)}${place}.`;
    sayRules(done, rules, all, old ? undefined : undoOf(data));
  } catch (error) {
    sayError(error, "faults");
  }
}

/** Returns the call that deletes some of the rules. @param {Rule[]} rules @param {Rule[]} some */
export const dropCall = (rules, some) => (some[1]
  ? allCall(rules.filter((rule) => !some.includes(rule)))
  : { method: "DELETE", path: `${PATH}/${some[0].id}` });

/** Deletes them, and says so with an Undo. @param {Rule[]} rules @param {Rule[]} some @param {string} done */
export async function drop(rules, some, done) {
  const rest = rules.filter((rule) => !some.includes(rule));
  await write(dropCall(rules, some)).then(() => sayRules(done, rules, rest), sayError);
}
