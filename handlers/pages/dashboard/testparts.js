// What tests in all languages are written with.

import { isJSON } from "../shell/languages.js";

/** @typedef {import("./testplan.js").Plan} Plan */
/** @typedef {import("./testplan.js").Step} Step */
/** @typedef {Step["call"]} Call */

/** How long a line of a test may be before it is broken. */
export const WIDE = 100;

/** Lines, each behind the text. @param {string[]} lines @param {string} by */
export const indented = (lines, by) => lines
  .flatMap((line) => line.split("\n"))
  .map((line) => (line ? by + line : ""))
  .join("\n");

/** A text of several lines within a line that is so far in. @param {string} text @param {string} by */
export const behind = (text, by) => text.replaceAll("\n", `\n${by}`);

/** Whether a call sends JSON. @param {Call} call */
export const sendsJSON = ({ headers, body }) =>
  body !== undefined && isJSON(body) && /[/+]json\b/.test(headers["Content-Type"] ?? "application/json");

/** The path of a call, with a slash. @param {Call} call */
export const pathOf = ({ path }) => `/${path.replace(/^\.\//, "").replace(/^\.$/, "")}`;

/** The headers of a call, but for the type of JSON. @param {Call} call @returns {Record<string, string>} */
export function ownHeaders({ headers }) {
  const { "Content-Type": type, ...others } = headers;
  return type && type !== "application/json" ? { "Content-Type": type, ...others } : others;
}

/** The words of a test's name, for the name of a function. @param {Plan} plan */
export const wordsOf = ({ name }) => name.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);

/** @param {string} word */
export const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** What the lines that make the data are for. */
export const BEFORE = "The data and the next ids, as they were before the first request.";

/** The line on which the first request begins, behind those that make the data; 0: none do. @param {string} text */
export const lineOfRequest = (text) =>
  (text.includes(BEFORE) ? text.slice(0, text.indexOf("\n\n", text.indexOf(BEFORE))).split("\n").length + 2 : 0);

/**
 * The values of a body that is known in part, by their places.
 * @param {any} value
 * @param {(string|number)[]} [at]
 * @returns {{at: (string|number)[], value: any}[]}
 */
export function leaves(value, at = []) {
  if (typeof value !== "object" || value === null) return [{ at, value }];
  const list = Array.isArray(value);
  return Object.entries(value).flatMap(([name, one]) => leaves(one, [...at, list ? Number(name) : name]));
}

/**
 * The parts of a body as texts, for a test that has no library of JSON.
 * @param {Step} step
 */
export const textsOf = ({ expected }) => [...new Set(leaves(expected).map(({ at, value }) => {
  const name = at.findLast((part) => typeof part === "string");
  return name === undefined ? JSON.stringify(value) : `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}))];
