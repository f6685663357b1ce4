// Formats a call for fetch, Python, Go, Java and PowerShell, besides curl.

import { bodyOf, headersOf } from "./api.js";
import { WIDE, addressOf, curl, joined, textOf } from "./curl.js";

/** @typedef {import("./api.js").Call} Call */

/** The languages of the snippets, with their formatters. */
export const languages = {
  curl, fetch: fetchCall, Python: pythonCall, Go: goCall, Java: javaCall, PowerShell: powerShellCall,
};

/** Formats calls as one script. @param {Call|Call[]} calls @param {keyof typeof languages} language */
export const scriptOf = (calls, language) => (language === "Python" ? "import requests\n\n" : "")
  + [calls].flat().map((call) => languages[language](call)).join(language === "curl" ? "\n" : "\n\n");

/** @param {string} before  @param {string[]} args  @param {string} [indent]  @param {string} [last] */
function callWith(before, args, indent = "  ", last = ",\n") {
  const line = `${before}(${args.join(", ")})`;
  if (line.length <= WIDE && !line.includes("\n")) return line;
  return `${before}(\n${args.map((arg) => indent + arg).join(",\n")}${last})`;
}

/** @param {Call} call */
function fetchCall(call) {
  const headers = headersOf(call);
  const body = textOf(call);
  const options = [];
  if (call.method !== "GET") options.push(`method: ${JSON.stringify(call.method)},`);
  if (Object.keys(headers).length) options.push(`headers: ${JSON.stringify(headers)},`);
  if (body !== undefined) {
    const json = headers["Content-Type"] === "application/json" && isJSON(body);
    options.push(`body: ${json ? `JSON.stringify(${body.replaceAll("\n", "\n    ")})` : JSON.stringify(body)},`);
  }
  const rest = options.length ? [`{\n${options.map((line) => `    ${line}\n`).join("")}  }`] : [];
  const opened = `${callWith("const response = await fetch", [JSON.stringify(addressOf(call)), ...rest])};\n`;
  return opened + (call.stream
    ? "const text = response.body.pipeThrough(\n  new TextDecoderStream(),\n);\n"
      + "for await (const part of text) console.log(part);"
    : "console.log(response.status, await response.text());");
}

/** @param {string} text */
export function isJSON(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Quotes a text. In PowerShell, curved quotes end one too. @param {string} text */
const literal = (text) => `'${text.replaceAll(/['‘’‚‛]/g, "$&$&")}'`;

/** @param {Call} call */
function powerShellCall(call) {
  const { "Content-Type": type, ...headers } = headersOf(call);
  const body = textOf(call);
  if (call.stream) { // Invoke-RestMethod would wait for its end
    const pairs = Object.entries(headers).map(([name, value]) => `-H ${literal(`${name}: ${value}`)}`);
    return joined(["curl.exe -sN", ...pairs, literal(addressOf(call))], "`");
  }
  const parts = [`Invoke-RestMethod -Method ${call.method}`];
  const pairs = Object.entries(headers).map(([name, value]) => `${literal(name)} = ${literal(value)}`);
  if (pairs.length) parts.push(`-Headers @{ ${pairs.join("; ")} }`);
  // Without the charset, PowerShell 5 sends Latin-1.
  if (type) parts.push(`-ContentType ${literal(/json$/.test(type) ? `${type}; charset=utf-8` : type)}`);
  if (body !== undefined) parts.push(`-Body ${literal(body)}`);
  return joined([...parts, literal(addressOf(call))], "`");
}

/** Quotes a text for Go, whose source cannot have a byte order mark. @param {string} text */
export const goQuoted = (text) => JSON.stringify(text).replaceAll("\uFEFF", "\\uFEFF");

/** Formats a text for Go: as a raw string, if that can hold it. @param {string} text */
export const goText = (text) => (/[`\uFEFF]|[^\P{Cc}\t\n]/u.test(text) ? goQuoted(text) : "`" + text + "`");

/** @param {Call} call */
function goCall(call) {
  const body = textOf(call);
  const args = [JSON.stringify(call.method), JSON.stringify(addressOf(call)),
    body === undefined ? "nil" : `strings.NewReader(${goText(body)})`];
  const lines = [
    callWith("request, err := http.NewRequest", args, "\t"),
    "if err != nil {\n\treturn err\n}",
  ];
  for (const [name, value] of Object.entries(headersOf(call))) {
    lines.push(`request.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})`);
  }
  lines.push("response, err := http.DefaultClient.Do(request)", "if err != nil {\n\treturn err\n}");
  lines.push("defer response.Body.Close()");
  if (call.stream) lines.push("_, err = io.Copy(os.Stdout, response.Body)", "return err");
  return lines.join("\n");
}

/** Formats a JSON value for Python. @param {any} value @returns {string} */
export function pythonOf(value) {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${pythonOf(one)}`).join(", ")}}`;
}

/** @param {Call} call */
function pythonCall(call) {
  const { "Content-Type": type, ...headers } = headersOf(call);
  const body = bodyOf(call);
  const json = body !== undefined && /json$/.test(type) && isJSON(body);
  const parts = [JSON.stringify(call.method), JSON.stringify(addressOf(call))];
  const sent = type && (type !== "application/json" || !json) ? { ...headers, "Content-Type": type } : headers;
  if (Object.keys(sent).length) parts.push(`headers=${pythonOf(sent)}`);
  if (call.stream) parts.push("stream=True");
  if (json) parts.push(`json=${pythonOf(JSON.parse(body))}`);
  else if (body !== undefined) parts.push(`data=${JSON.stringify(body)}.encode()`);
  return `${callWith("response = requests.request", parts, "    ")}\n` + (call.stream
    ? "for line in response.iter_lines(decode_unicode=True):\n    print(line)"
    : "print(response.status_code, response.text)");
}

/** @param {Call} call */
function javaCall(call) {
  const body = bodyOf(call);
  const text = body === undefined ? "noBody()" : `ofString(${JSON.stringify(body)})`;
  const lines = [
    callWith("var request = HttpRequest.newBuilder", [`URI.create(${JSON.stringify(addressOf(call))})`], "    ", ""),
    ...Object.entries(headersOf(call))
      .map(([name, value]) => `    .header(${JSON.stringify(name)}, ${JSON.stringify(value)})`),
    callWith("    .method", [JSON.stringify(call.method), `HttpRequest.BodyPublishers.${text}`], "        ", ""),
    "    .build();",
    `var response = HttpClient.newHttpClient().send(\n    request,\n    HttpResponse.BodyHandlers.of${
      call.stream ? "Lines" : "String"}());`,
    call.stream ? "response.body().forEach(System.out::println);"
      : 'System.out.println(\n    response.statusCode() + " " + response.body());',
  ];
  return lines.join("\n");
}
