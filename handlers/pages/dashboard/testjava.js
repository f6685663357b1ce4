// Writes tests for JUnit. They compare bodies as text, so they need no JSON library.

import { BEFORE, capital, indented, ownHeaders, pathOf, textsOf, WIDE, wordsOf } from "./testparts.js";

/** @typedef {import("./testplan.js").Plan} Plan */
/** @typedef {import("./testplan.js").Step} Step */

/** Formats a string, or the JSON of a value, as a Java string. @param {any} value */
const text = (value) => JSON.stringify(typeof value === "string" ? value : JSON.stringify(value));

/** @param {Step["call"]} call */
function sentBy(call) {
  const { method, body } = call;
  const headers = body === undefined ? ownHeaders(call) : { "Content-Type": "application/json", ...call.headers };
  const pairs = Object.entries(headers).map((pair) => pair.map(text).join(", "));
  const first = `"${method}", ${text(pathOf(call))}, ${body === undefined ? "null" : text(body)}`;
  const line = `send(pets, ${[first, ...pairs].join(", ")})`;
  return line.length <= WIDE ? line : `send(pets, ${[first, ...pairs].join(",\n    ")})`;
}

/** @param {Step} step */
function checksOf(step) {
  if (step.expected === undefined) return [];
  if (step.text !== undefined) return [`assertEquals(${text(step.text)}, response.body().strip());`];
  return textsOf(step).map((part) => `assertTrue(response.body().contains(${text(part)}), response.body());`);
}

/** @param {Plan} plan */
export function junit(plan) {
  const { baseline, state, setup, steps } = plan;
  const fakes = Object.entries(baseline ?? {}).map(([name, n]) => `.${name}(${n}${name === "seed" ? "L" : ""})`);
  const lines = [
    ...(baseline ? [`pets.reset(new Baseline()${fakes.join("")});`] : []),
    ...(state || setup.length ? [`// ${BEFORE}`] : []),
    ...(state ? [`pets.admin("PUT", "/state", ${text(state)});`] : []),
    ...setup.map(({ method, path, body }) => `pets.admin("${method}", "${path}", ${body ? text(body) : "null"});`),
  ];
  let declared = "var ";
  for (const step of steps) {
    const { clock, fault, call, status } = step;
    if (lines.length > 0) lines.push("");
    if (clock) lines.push(`pets.clock.freeze(Instant.parse("${clock}"));`);
    if (fault) lines.push(`pets.fault(${text(fault)});`);
    if (status === 0) lines.push(`assertThrows(IOException.class, () -> ${sentBy(call)});`);
    else {
      lines.push(`${declared}response = ${sentBy(call)};`, `assertEquals(${status}, response.statusCode());`);
      lines.push(...checksOf(step));
      declared = "";
    }
    if (fault?.abort) lines.push("pets.clearFaults();");
  }
  const used = (/** @type {string} */ word) => lines.some((line) => line.includes(word));
  const asserts = ["assertEquals", "assertThrows", "assertTrue"].filter((name) => used(`${name}(`));
  const classes = [
    ...(baseline ? ["com.example.petstore.Baseline"] : []),
    "com.example.petstore.Petstore", "com.example.petstore.Sandbox",
    ...(used("IOException") ? ["java.io.IOException"] : []),
    "java.net.URI", "java.net.http.HttpClient", "java.net.http.HttpRequest", "java.net.http.HttpRequest.BodyPublishers",
    "java.net.http.HttpResponse", "java.net.http.HttpResponse.BodyHandlers",
    ...(used("Instant.parse") ? ["java.time.Instant"] : []),
    "org.junit.jupiter.api.Test", "org.junit.jupiter.api.extension.ExtendWith",
  ];
  const [first, ...rest] = wordsOf(plan);
  return [
    ...asserts.map((name) => `import static org.junit.jupiter.api.Assertions.${name};`), "",
    ...classes.map((name) => `import ${name};`), "",
    "@ExtendWith(Petstore.class)",
    "class CopiedTest {",
    "  @Test",
    `  void ${[first, ...rest.map(capital)].join("")}(Sandbox pets) throws Exception {`,
    indented(lines, "    "),
    "  }", "", indented([SEND], "  "), "}", "",
  ].join("\n");
}

const SEND = `private static HttpResponse<String> send(
    Sandbox pets, String method, String path, String body, String... headers) throws Exception {
  var publisher = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
  var request = HttpRequest.newBuilder(URI.create(pets.url + path)).method(method, publisher);
  if (headers.length > 0) {
    request.headers(headers);
  }
  return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
}`;
