// Writes tests in Go, with petstoretest.

import { goQuoted, goText } from "../shell/languages.js";
import { BEFORE, behind, capital, indented, ownHeaders, pathOf, textsOf, WIDE, wordsOf } from "./testparts.js";

/** @typedef {import("./testplan.js").Plan} Plan */
/** @typedef {import("./testplan.js").Step} Step */
/** @typedef {import("../shell/types.js").Rule} Rule */

/** Formats a composite literal, on several lines if it is long. @param {string} type @param {string[]} fields */
function composite(type, fields) {
  const line = `${type}{${fields.join(", ")}}`;
  return line.length <= WIDE ? line : `${type}{\n${fields.map((field) => `\t${behind(field, "\t")},\n`).join("")}}`;
}

/** Formats fields that are pointers to numbers. @param {object} fields */
const pointers = (fields) => Object.entries(fields).map(([name, n]) => `${capital(name)}: new(${n})`);

/** @param {Rule} rule */
function ruleOf({ match, delay, status, code, message, headers, abort, when, times }) {
  const pairs = Object.entries(headers ?? {}).map(([name, value]) => `${JSON.stringify(name)}: ${goText(value)}`);
  return composite("petstoretest.Rule", [
    ...(match ? [`Match: &petstoretest.Match{OperationID: ${JSON.stringify(match.operationId)}}`] : []),
    ...(times ? [`Times: new(${times})`] : []),
    ...(delay ? [composite("Delay: &petstoretest.Delay", pointers(delay))] : []),
    ...(status ? [`Status: new(${status})`] : []),
    ...(code ? [`Code: ${JSON.stringify(code)}`] : []),
    ...(message ? [`Message: ${goText(message)}`] : []),
    ...(headers ? [composite("Headers: map[string]string", pairs)] : []),
    ...(abort ? [`Abort: petstoretest.Abort${capital(abort)}`] : []),
    ...(when === "after" ? ["When: petstoretest.After"] : []),
  ]);
}

/** @param {string} time */
function timeOf(time) {
  const at = new Date(time);
  const day = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()];
  const clock = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds(), at.getUTCMilliseconds() * 1e6];
  return `time.Date(${[...day, ...clock].join(", ")}, time.UTC)`;
}

/** @param {string} method @param {string} path @param {string} [body] @param {Record<string, string>} [headers] */
function sent(method, path, body = "", headers = {}) {
  const pairs = Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: {${goText(value)}}`);
  const header = pairs.length ? composite("http.Header", pairs) : "nil";
  return `send(t, pets, "${method}", ${goQuoted(path)}, ${body ? goText(body) : '""'}, ${header})`;
}

/** Returns the conditions under which a response is wrong. @param {Step} step */
function wrongIf(step) {
  const { status, expected, text } = step;
  if (status === 0 || expected === undefined) return [`status != ${status}`];
  if (text !== undefined) return [`status != ${status}`, `body != ${goText(text)}`];
  return [`status != ${status}`, ...textsOf(step).map((part) => `!strings.Contains(body, ${goText(part)})`)];
}

/** @param {Plan} plan */
export function go(plan) {
  const { baseline, state, setup, steps } = plan;
  const lines = ["pets := petstoretest.Run(t)"];
  if (baseline) {
    const { seed, ...sizes } = baseline;
    const given = Object.entries(sizes).map(([name, n]) => `${capital(name)}: ${n}`).join(", ");
    lines.push(`pets.ResetTo(${seed}, petstoretest.Sizes{${given}})`);
  }
  if (state || setup.length) lines.push(`// ${BEFORE}`);
  if (state) lines.push(sent("PUT", "/admin/state", state));
  for (const { method, path, body } of setup) lines.push(sent(method, `/admin${path}`, body && JSON.stringify(body)));
  for (const step of steps) {
    const { clock, fault, call, line } = step;
    if (lines.length > 0) lines.push("");
    if (clock) lines.push(`pets.SetTime(${timeOf(clock)})`, "pets.Freeze()");
    if (fault) lines.push(`pets.Fault(${ruleOf(fault)})`);
    lines.push(
      `status, body ${step === steps[0] ? ":=" : "="} ${sent(call.method, pathOf(call), call.body, ownHeaders(call))}`,
      `if ${wrongIf(step).join(" ||\n\t")} {`,
      `\tt.Errorf(${goQuoted(`got %d %s, want ${line.replaceAll("%", "%%")}`)}, status, body)`,
      "}",
    );
    if (fault?.abort) lines.push("pets.ClearFaults()");
  }
  const dated = steps.some(({ clock }) => clock);
  const packages = ["io", "net/http", "strings", "testing", ...(dated ? ["time"] : [])];
  const imports = packages.map((name) => JSON.stringify(name));
  return [
    "package shop", "",
    "import (", indented([...imports, "", '"example.com/petstore/handlers/petstoretest"'], "\t"), ")", "",
    `func Test${wordsOf(plan).map(capital).join("")}(t *testing.T) {`, indented(lines, "\t"), "}", "",
    SEND, "",
  ].join("\n");
}

const SEND = `// send returns the status and the body of the response. The status is 0 if the connection was broken off.
func send(t *testing.T, pets *petstoretest.Server, method, path, body string, header http.Header) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, pets.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for name, values := range header {
		request.Header[name] = values
	}
	response, err := pets.Client.Do(request)
	if err != nil {
		return 0, err.Error()
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, err.Error()
	}
	return response.StatusCode, strings.TrimSpace(string(text))
}`;
