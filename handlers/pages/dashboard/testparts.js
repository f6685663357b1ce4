// Functions that the tests of all languages share.

import { isJSON } from "../shell/languages.js";

/** @typedef {import("./testplan.js").Plan} Plan */
/** @typedef {import("./testplan.js").Step} Step */
/** @typedef {Step["call"]} Call */

/** The length from which a line of a test is broken. */
export const WIDE = 100;

/** Indents lines by the text. @param {string[]} lines @param {string} by */
export const indented = (lines, by) => lines
  .flatMap((line) => line.split("\n"))
  .map((line) => (line ? by + line : ""))
  .join("\n");

/** Indents the further lines of a text. @param {string} text @param {string} by */
export const behind = (text, by) => text.replaceAll("\n", `\n${by}`);

/** Whether a call sends JSON. @param {Call} call */
export const sendsJSON = ({ headers, body }) =>
  body !== undefined && isJSON(body) && /[/+]json\b/.test(headers["Content-Type"] ?? "application/json");

/** Characters that the journal shows in a path, but that Go or Java do not send in one. */
const UNSENDABLE = /[^!-~]|["<>[\\\]^`{|}]/gu;

/** Returns the path of a call, with a leading slash. @param {Call} call */
export const pathOf = ({ path }) =>
  `/${path.replace(/^\.\//, "").replace(/^\.$/, "").replace(UNSENDABLE, encodeURIComponent)}`;

/** Returns the headers of a call, without the type of JSON. @param {Call} call @returns {Record<string, string>} */
export function ownHeaders({ headers, body }) {
  const { "Content-Type": type, ...others } = headers;
  return type && (!body || type !== "application/json") ? { "Content-Type": type, ...others } : others;
}

/** Returns the words of a test's name, to name a function. @param {Plan} plan */
export const wordsOf = ({ name }) => name.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);

/** @param {string} word */
export const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** The comment on the lines that create the data. */
export const BEFORE = "The data and the next ids, as they were before the first request.";

/** Returns the line of the first request, after those that create data; 0 if there are none. @param {string} text */
export function lineOfRequest(text) {
  if (!text.includes(BEFORE)) return 0;
  const start = text.indexOf("\n\n", text.indexOf(BEFORE)); // the clock and a fault may follow before the request
  const offset = text.slice(start).search(/\b(pets|request)\.fetch\(|\brequests\.request\(|\bsend\((t, )?pets,/);
  return text.slice(0, start + offset).split("\n").length;
}

/**
 * Returns the known values of a body, each with its path.
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
 * Returns the parts of a body as texts, for a test without a JSON library.
 * @param {Step} step
 */
export const textsOf = ({ expected }) => [...new Set(leaves(expected).map(({ at, value }) => {
  const name = at.findLast((part) => typeof part === "string");
  return name === undefined ? JSON.stringify(value) : `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}))];
