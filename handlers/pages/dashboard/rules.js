// Describes fault rules in words, and changes their state.

import { count, plural } from "../shell/format.js";
import { presets, signature } from "../shell/throttle.js";

/** @typedef {import("../shell/types.js").Rule} Rule */

/** @param {Rule} rule */
export const doesOf = ({ match, times, off, ...does }) => signature(does);

/** Returns the preset with the same effect. @param {Rule} rule */
export const likeOf = (rule) => presets.find((one) => doesOf(rule) === doesOf(one.rule));

/** @param {Rule} rule */
export const nameOf = (rule) => (likeOf(rule) ? `“${likeOf(rule)?.name}”` : `rule ${rule.id}`);

/** Says which requests the rule applies to. @param {Rule} rule */
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

/** Says how likely the rule is to apply, unless always or never. @param {Rule} rule */
export const chanceOf = ({ probability = 1 }) =>
  (probability > 0 && probability < 1 ? `, ${+(probability * 100).toFixed(2)} % of the time` : "");

/** Says what the rule does. @param {Rule} rule */
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

/** Whether the rule is off, or can never be drawn. @param {Rule} rule */
export const isOff = ({ off, probability }) => off || probability === 0;

/** Returns the rule switched off, or on again. @param {Rule} rule @returns {Rule} */
export function toggled({ off, ...rule }) {
  if (off) return rule;
  const { probability, ...always } = rule;
  return probability === 0 ? always : { ...rule, off: true };
}

/** Returns how often it can still apply; undefined: no limit. @param {Rule} rule */
export const leftOf = ({ times, applied = 0 }) => (times === undefined ? undefined : Math.max(0, times - applied));

/** Says how often it was applied. @param {Rule} rule */
export const hitsOf = ({ times, applied = 0 }) =>
  (times ? `${count(applied)} of ${plural(times, "hit")}` : plural(applied, "hit"));

/** Returns the rule without the fields that the sandbox adds. @param {Rule} rule @returns {Rule} */
export function plain({ id, applied, ...rule }) {
  return rule;
}

/** Returns the rule as a body that keeps its id. @param {Rule} rule @returns {Rule} */
export function sent({ applied, ...rule }) {
  return rule;
}

/** Returns the rule switched on, with a new count if it was used up. @param {Rule} rule */
export const restarted = ({ off, ...rule }) => (leftOf(rule) === 0 ? sent(rule) : rule);

/** Formats an operation as a choice. @param {import("../shell/types.js").Operation} operation */
export const named = ({ operationId, method, path }) => `${operationId} · ${method} ${path}`;

/** Whether faults reach an operation: health has none. @param {import("../shell/types.js").Operation} operation */
export const canFail = ({ path }) => path !== "/healthz";
