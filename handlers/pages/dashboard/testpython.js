// Writes tests for pytest, with the package requests.

import { pythonOf } from "../shell/languages.js";
import { exact } from "./testexact.js";
import { BEFORE, behind, indented, leaves, ownHeaders, pathOf, sendsJSON, WIDE, wordsOf } from "./testparts.js";

/** @typedef {import("./testplan.js").Plan} Plan */
/** @typedef {import("./testplan.js").Step} Step */

/** Formats a function call, on several lines if it is long. @param {string} name @param {string[]} parts */
function called(name, parts) {
  const line = `${name}(${parts.join(", ")})`;
  return line.length <= WIDE ? line : `${name}(\n${parts.map((part) => `    ${behind(part, "    ")},\n`).join("")})`;
}

/** Formats a JSON value, on several lines if it is long. @param {any} value @returns {string} */
function python(value) {
  const line = pythonOf(value);
  if (line.length <= WIDE - 20 || typeof value !== "object" || value === null) return line;
  const list = Array.isArray(value);
  const pair = (/** @type {[string, any]} */ [name, one]) => `${JSON.stringify(name)}: ${python(one)}`;
  const parts = list ? value.map(python) : Object.entries(value).map(pair);
  return `${list ? "[" : "{"}\n${parts.map((part) => `    ${behind(part, "    ")},\n`).join("")}${list ? "]" : "}"}`;
}

/** Formats the fields of an object as named arguments. @param {Record<string, any>} fields */
const named = (fields) => Object.entries(fields).map(([name, value]) => `${name}=${pythonOf(value)}`);

/** @param {Step["call"]} call */
function sentBy(call) {
  const { method, body } = call;
  const type = body === undefined || sendsJSON(call) ? {} : { "Content-Type": "application/json" };
  const headers = { ...type, ...ownHeaders(call) };
  const sent = sendsJSON(call) ? `json=${python(exact(body ?? ""))}` : `data=${JSON.stringify(body)}.encode()`;
  return called("requests.request", [
    `"${method}"`, `pets.url + ${JSON.stringify(pathOf(call))}`,
    ...(Object.keys(headers).length ? [`headers=${python(headers)}`] : []),
    ...(body === undefined ? [] : [sent]),
  ]);
}

/** @param {Step} step */
function checksOf({ expected, text }) {
  if (expected === undefined) return [];
  if (text !== undefined) return [`assert response.json() == ${python(expected)}`];
  const place = (/** @type {(string|number)[]} */ at) => at.map((part) => `[${JSON.stringify(part)}]`).join("");
  const checks = leaves(expected).map(({ at, value }) => `assert body${place(at)} == ${pythonOf(value)}`);
  return ["body = response.json()", ...checks];
}

/** @param {Plan} plan */
export function pytest(plan) {
  const { baseline, state, setup, steps } = plan;
  const lines = [
    ...(baseline ? [called("pets.reset", named(baseline))] : []),
    ...(state || setup.length ? [`# ${BEFORE}`] : []),
    ...(state ? [called("pets.admin", ['"PUT"', '"/state"', python(JSON.parse(state))])] : []),
    ...setup.map(({ method, path, body }) =>
      called("pets.admin", [`"${method}"`, `"${path}"`, ...(body ? [python(body)] : [])])),
  ];
  for (const step of steps) {
    const { clock, fault, call, status } = step;
    if (lines.length > 0) lines.push("");
    if (clock) lines.push(`pets.clock.freeze("${clock}")`);
    if (fault) lines.push(called("pets.fault", named(fault)));
    const sent = sentBy(call);
    if (status === 0) lines.push("with pytest.raises(requests.RequestException):", `    ${behind(sent, "    ")}`);
    else lines.push(`response = ${sent}`, `assert response.status_code == ${status}`, ...checksOf(step));
    if (fault?.abort) lines.push("pets.clear_faults()");
  }
  const broken = steps.some(({ status }) => status === 0);
  const imports = [...(broken ? ["import pytest"] : []), "import requests"];
  return [...imports, "", "", `def test_${wordsOf(plan).join("_")}(pets):`, indented(lines, "    "), ""].join("\n");
}
