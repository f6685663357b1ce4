// A call as others would write it: for curl, for fetch, in Python, Go, Java and PowerShell.

import { bodyOf, headersOf, key, root } from "./api.js";

/** @typedef {import("./api.js").Call} Call */

/** The languages that there are snippets in, with what makes them. */
export const languages = {
  curl, fetch: fetchCall, Python: pythonCall, Go: goCall, Java: javaCall, PowerShell: powerShellCall,
};

/** Calls as one script. @param {Call|Call[]} calls @param {keyof typeof languages} language */
export const scriptOf = (calls, language) => (language === "Python" ? "import requests\n\n" : "")
  + [calls].flat().map((call) => languages[language](call)).join(language === "curl" ? "\n" : "\n\n");

/** Hides the key of the tab in what is shown, but not in what is copied. @param {string} text */
export const masked = (text) => (key.value ? text.replaceAll(`Bearer ${key.value}`, "Bearer ••••••") : text);

/** @param {Call} call */
const addressOf = (call) => new URL(call.path, call.base ?? root).href;

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

const WIDE = 80; // characters; a longer command has a line for each argument

/** @param {Call} call */
export function curl(call) {
  const parts = [];
  let command = call.stream ? "curl -sN" : "curl -s";
  const { "Content-Type": type, ...headers } = headersOf(call);
  const body = bodyOf(call);
  const json = body !== undefined && type === "application/json";
  if (call.method === "HEAD") command += " -I";
  else if (call.method !== (body === undefined ? "GET" : "POST") || (body !== undefined && !json)) {
    command += ` -X ${call.method}`;
  }
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (type && !json) parts.push(`-H ${quoted(`Content-Type: ${type}`)}`);
  if (body !== undefined) parts.push(`${json ? "--json" : "--data-binary"} ${quoted(body)}`);
  const line = [command, ...parts, quoted(addressOf(call))];
  return line.join(" ").length > WIDE ? line.join(" \\\n  ") : line.join(" ");
}

/** @param {Call} call */
function fetchCall(call) {
  const headers = headersOf(call);
  const body = bodyOf(call);
  const options = [];
  if (call.method !== "GET") options.push(`  method: ${JSON.stringify(call.method)},`);
  if (Object.keys(headers).length) options.push(`  headers: ${JSON.stringify(headers)},`);
  if (body !== undefined) {
    const json = headers["Content-Type"] === "application/json" && isJSON(body);
    options.push(`  body: ${json ? `JSON.stringify(${body})` : JSON.stringify(body)},`);
  }
  const rest = options.length ? `, {\n${options.join("\n")}\n}` : "";
  const address = JSON.stringify(addressOf(call));
  const opened = `const response = await fetch(${address}${rest});\n`;
  return opened + (call.stream
    ? "for await (const text of response.body.pipeThrough(new TextDecoderStream())) console.log(text);"
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

/** In PowerShell, curved quotes end a text too. @param {string} text */
const literal = (text) => `'${text.replaceAll(/['‘’‚‛]/g, "$&$&")}'`;

/** @param {Call} call */
function powerShellCall(call) {
  const { "Content-Type": type, ...headers } = headersOf(call);
  const body = bodyOf(call);
  if (call.stream) { // which Invoke-RestMethod would read to its end
    const pairs = Object.entries(headers).map(([name, value]) => ` -H ${literal(`${name}: ${value}`)}`);
    return `curl.exe -sN${pairs.join("")} ${literal(addressOf(call))}`;
  }
  const parts = [`Invoke-RestMethod -Method ${call.method}`];
  const pairs = Object.entries(headers).map(([name, value]) => `${literal(name)} = ${literal(value)}`);
  if (pairs.length) parts.push(`-Headers @{ ${pairs.join("; ")} }`);
  // Without the charset, PowerShell 5 sends Latin-1.
  if (type) parts.push(`-ContentType ${literal(/json$/.test(type) ? `${type}; charset=utf-8` : type)}`);
  if (body !== undefined) parts.push(`-Body ${literal(body)}`);
  return [...parts, literal(addressOf(call))].join(" ");
}

/** @param {string} text */
export const goText = (text) => (text.includes("`") || text.includes("\r") ? JSON.stringify(text) : "`" + text + "`");

/** @param {Call} call */
function goCall(call) {
  const body = bodyOf(call);
  const lines = [
    `request, err := http.NewRequest(${JSON.stringify(call.method)}, ${JSON.stringify(addressOf(call))}, ` +
      `${body === undefined ? "nil" : `strings.NewReader(${goText(body)})`})`,
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

/** A value of JSON as Python writes it. @param {any} value @returns {string} */
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
  const line = parts.join(", ");
  const args = line.length > WIDE ? `\n    ${parts.join(",\n    ")},\n` : line;
  return `response = requests.request(${args})\n` + (call.stream
    ? "for line in response.iter_lines(decode_unicode=True):\n    print(line)"
    : "print(response.status_code, response.text)");
}

/** @param {Call} call */
function javaCall(call) {
  const body = bodyOf(call);
  const publisher = body === undefined ? "noBody()" : `ofString(${JSON.stringify(body)})`;
  const lines = [
    `var request = HttpRequest.newBuilder(URI.create(${JSON.stringify(addressOf(call))}))`,
    ...Object.entries(headersOf(call))
      .map(([name, value]) => `    .header(${JSON.stringify(name)}, ${JSON.stringify(value)})`),
    `    .method(${JSON.stringify(call.method)}, HttpRequest.BodyPublishers.${publisher})`,
    "    .build();",
    `var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.of${
      call.stream ? "Lines" : "String"}());`,
    call.stream ? "response.body().forEach(System.out::println);"
      : 'System.out.println(response.statusCode() + " " + response.body());',
  ];
  return lines.join("\n");
}
