// Fault rules in words, and those that a click makes.

import { count, plural } from "../shell/format.js";
import { presets, signature } from "../shell/throttle.js";

/** @typedef {import("../shell/types.js").Rule} Rule */

/** @param {Rule} rule */
export const doesOf = ({ match, times, off, ...does }) => signature(does);

/** The preset that does the same. @param {Rule} rule */
export const likeOf = (rule) => presets.find((one) => doesOf(rule) === doesOf(one.rule));

/** @param {Rule} rule */
export const nameOf = (rule) => (likeOf(rule) ? `“${likeOf(rule)?.name}”` : `rule ${rule.id}`);

/** What the rule applies to, in words. @param {Rule} rule */
export function targetOf({ match = {} }) {
  const parts = [];
  if (match.operationId) parts.push(match.operationId);
  if (match.method || match.path) parts.push(`${match.method ?? "any method"} ${match.path ?? "at any path"}`);
  const headers = Object.entries(match.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  const all = parts.join(", ") || "every request";
  return headers.length > 0 ? `${all} with ${headers.join(" and ")}` : all;
}

const aborted = {
  reset: "breaks the connection", truncate: "breaks off in the middle of the response", hang: "never responds",
};

/** How likely it is, in words, where it is not sure. @param {Rule} rule */
export const chanceOf = ({ probability = 1 }) =>
  (probability > 0 && probability < 1 ? `, ${+(probability * 100).toFixed(2)} % of the time` : "");

/** What the rule does, in words. @param {Rule} rule */
export function effectOf({ delay, status, code, message, abort, when, probability, times }) {
  const does = [];
  if (delay?.p50Ms !== undefined) does.push(`waits about ${delay.p50Ms} ms, 1 in 100 over ${delay.p99Ms} ms`);
  else if (delay) {
    const least = delay.fixedMs ?? 0;
    does.push(`waits ${least}${delay.jitterMs ? ` to ${least + delay.jitterMs}` : ""} ms`);
  }
  if (status) does.push(`responds ${status}${code ? ` (${code})` : ""}${message ? ` “${message}”` : ""}`);
  if (abort) does.push(aborted[abort]);
  const often = times === undefined ? "" : times === 1 ? ", once" : `, ${times} times`;
  const what = does.join(", then ") || "leaves the request alone";
  return `${what}${when === "after" ? " after the operation has run" : ""}${chanceOf({ probability })}${often}`;
}

/** A rule that is never drawn is off, too. @param {Rule} rule */
export const isOff = ({ off, probability }) => off || probability === 0;

/** The rule switched off, or on again. @param {Rule} rule @returns {Rule} */
export function toggled({ off, ...rule }) {
  if (off) return rule;
  const { probability, ...always } = rule;
  return probability === 0 ? always : { ...rule, off: true };
}

/** How often it can still be applied; undefined: there is no limit. @param {Rule} rule */
export const leftOf = ({ times, applied = 0 }) => (times === undefined ? undefined : Math.max(0, times - applied));

/** How often it was applied. @param {Rule} rule */
export const hitsOf = ({ times, applied = 0 }) =>
  (times ? `${count(applied)} of ${plural(times, "hit")}` : plural(applied, "hit"));

/** The rule without what the sandbox adds. @param {Rule} rule @returns {Rule} */
export function plain({ id, applied, ...rule }) {
  return rule;
}

/** The rule as it is sent back: with its id, which it keeps. @param {Rule} rule @returns {Rule} */
export function sent({ applied, ...rule }) {
  return rule;
}

/** The rule switched on, and with its count from 0 where that is used up. @param {Rule} rule */
export const restarted = ({ off, ...rule }) => (leftOf(rule) === 0 ? sent(rule) : rule);

/** An operation as a choice. @param {import("../shell/types.js").Operation} operation */
export const named = ({ operationId, method, path }) => `${operationId} · ${method} ${path}`;
