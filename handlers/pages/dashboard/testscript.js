// Writes tests for vitest and for Playwright.

import { isJSON } from "../shell/languages.js";
import { exact, isLarge } from "./testexact.js";
import { BEFORE, behind, indented, pathOf, sendsJSON, WIDE } from "./testparts.js";

/** @typedef {import("./testplan.js").Plan} Plan */
/** @typedef {import("./testplan.js").Step} Step */

/** @param {string} text */
const quoted = (text) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** @param {string} name */
const key = (name) => (/^[a-z_$][\w$]*$/i.test(name) ? name : quoted(name));

/**
 * Formats a JSON value as JavaScript, on several lines if it is long.
 * @param {any} value
 * @param {number} [room]  the length of a line
 * @returns {string}
 */
function script(value, room = WIDE - 20) {
  if (typeof value === "string") return quoted(value);
  if (typeof value !== "object" || value === null) return String(value);
  const list = Array.isArray(value);
  const pair = (/** @type {[string, any]} */ [name, one]) => `${key(name)}: ${script(one)}`;
  const parts = list ? value.map((one) => script(one)) : Object.entries(value).map(pair);
  const line = list ? `[${parts.join(", ")}]` : parts.length ? `{ ${parts.join(", ")} }` : "{}";
  if (line.length <= room && !line.includes("\n")) return line;
  return `${list ? "[" : "{"}\n${parts.map((part) => `  ${behind(part, "  ")},\n`).join("")}${list ? "]" : "}"}`;
}

/** Formats the options of a request, without undefined ones. @param {[string, string|undefined][]} fields */
function options(fields) {
  const given = fields.filter(([, text]) => text !== undefined);
  const lines = given.map(([name, text]) => `  ${name}: ${behind(String(text), "  ")},\n`);
  return lines.length ? `, {\n${lines.join("")}}` : "";
}

/** Formats a call of the control plane with a body that JSON.stringify would round. @param {string[]} parts */
const adminText = (...[method, path, body]) => `await pets.fetch(${quoted(`/admin${path}`)}${options([
  ["method", quoted(method)], ["headers", script({ "Content-Type": "application/json" })], ["body", quoted(body)],
])})`;

/** Whether a test can write the body as a value. @param {Step["call"]} call */
const isValue = (call) => sendsJSON(call) && !isLarge(exact(call.body ?? ""));

/**
 * @param {Plan} plan
 * @param {string[]} imports
 * @param {string} given  the parameters of the test's function
 * @param {(step: Step) => {sent: string, fails: string, status: string}} write  fails: rejects if it is cut off
 */
function testOf({ name, baseline, state, setup, steps }, imports, given, write) {
  let declared = false;
  const declare = () => {
    const word = declared ? "" : steps.filter(({ status }) => status).length > 1 ? "let " : "const ";
    declared = true;
    return word;
  };
  const lines = [
    ...(baseline ? [`await pets.reset(${script(baseline)})`] : []),
    ...(state || setup.length ? [`// ${BEFORE}`] : []),
    ...(state ? [isLarge(state) ? adminText("PUT", "/state", state)
      : `await pets.admin('PUT', '/state', ${script(JSON.parse(state))})`] : []),
    ...setup.map(({ method, path, body }) => {
      if (isLarge(body ?? {})) return adminText(method, path, JSON.stringify(body));
      const call = `await pets.admin('${method}', '${path}'`;
      return `${call}${body ? `, ${script(body, WIDE - call.length - 3)}` : ""})`;
    }),
  ];
  for (const step of steps) {
    const { clock, fault, status, expected } = step;
    const { sent, fails, status: found } = write(step);
    if (lines.length > 0) lines.push("");
    if (clock) lines.push(`await pets.clock.freeze('${clock}')`);
    if (fault) lines.push(`await pets.fault(${script(fault)})`);
    if (status === 0) lines.push(`await expect(${fails}).rejects.toThrow()`);
    else {
      lines.push(`${declare()}response = await ${sent}`, `expect(${found}).toBe(${status})`);
      if (expected !== undefined) lines.push(`expect(await response.json()).toMatchObject(${script(expected)})`);
    }
    if (fault?.abort) lines.push("await pets.clearFaults()");
  }
  const head = `test(${quoted(name)}, async ({ ${given} }) => {`;
  return [...imports, "", head, indented(lines, "  "), "})", ""].join("\n");
}

/** @param {Record<string, string>} headers */
const some = (headers) => (Object.keys(headers).length ? script(headers) : undefined);

/** @param {Plan} plan */
export function vitest(plan) {
  const imports = ["import { expect } from 'vitest'", "import { test } from 'petstore-sandbox/vitest'"];
  return testOf(plan, imports, "pets", ({ call }) => {
    const { method, headers, body } = call;
    const json = isValue(call);
    const typed = body === undefined ? headers : { "Content-Type": "application/json", ...headers };
    const sent = `pets.fetch(${quoted(pathOf(call))}${options([
      ["method", method === "GET" ? undefined : quoted(method)],
      ["headers", some(typed)],
      ["body", body === undefined ? undefined : json ? `JSON.stringify(${script(JSON.parse(body))})` : quoted(body)],
    ])})`;
    return { sent, fails: `${sent}.then(response => response.text())`, status: "response.status" };
  });
}

/** Formats a text for Playwright, which would send one that is not JSON as a string of JSON. @param {string} body */
const bytesOf = (body) => (isJSON(body) ? quoted(body) : `Buffer.from(${quoted(body)})`);

/** @param {Plan} plan */
export function playwright(plan) {
  const imports = ["import { expect, test } from 'petstore-sandbox/playwright'"];
  return testOf(plan, imports, "request, pets", ({ call }) => {
    const { method, headers, body } = call;
    const sent = `request.fetch(pets.url + ${quoted(pathOf(call))}${options([
      ["method", method === "GET" ? undefined : quoted(method)],
      ["headers", some(body === undefined ? headers : { "Content-Type": "application/json", ...headers })],
      ["data", body === undefined ? undefined : isValue(call) ? script(JSON.parse(body)) : bytesOf(body)],
    ])})`;
    return { sent, fails: sent, status: "response.status()" };
  });
}
