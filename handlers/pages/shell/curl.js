// Formats a call as a curl command.

import { bodyOf, headersOf, key, root } from "./api.js";

/** @typedef {import("./api.js").Call} Call */

/** Hides the tab's key in a text that is shown. Copied texts keep it. @param {string} text */
export const masked = (text) => (key.value ? text.replaceAll(`Bearer ${key.value}`, "Bearer ••••••") : text);

/** @param {Call} call */
export const addressOf = (call) => new URL(call.path, call.base ?? root).href;

/** Returns the body, on several lines if it is long and not the user's own text. @param {Call} call */
export function textOf(call) {
  const text = bodyOf(call);
  return call.body instanceof Object && text && text.length > WIDE ? JSON.stringify(call.body, null, 2) : text;
}

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

export const WIDE = 52; // characters in the docs; a longer call has a line for each argument

/** @param {string[]} parts  @param {string} on  continues the command on the next line */
export const joined = (parts, on) => parts.join(parts.join(" ").length > WIDE ? ` ${on}\n  ` : " ");

/** @param {Call} call */
export function curl(call) {
  const parts = [];
  let command = call.stream ? "curl -sN" : "curl -s";
  const { "Content-Type": type, ...headers } = headersOf(call);
  const body = textOf(call);
  const json = body !== undefined && type === "application/json";
  if (call.method === "HEAD") command += " -I";
  else if (call.method !== (body === undefined ? "GET" : "POST") || (body !== undefined && !json)) {
    command += ` -X ${call.method}`;
  }
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (type && !json) parts.push(`-H ${quoted(`Content-Type: ${type}`)}`);
  if (body !== undefined) parts.push(`${json ? "--json" : "--data-binary"} ${quoted(body)}`);
  const address = addressOf(call);
  if (/[[\]{}]/.test(address)) command += " -g"; // otherwise they are patterns
  return joined([command, ...parts, quoted(address)], "\\");
}
