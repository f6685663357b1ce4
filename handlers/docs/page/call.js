// Makes the request of an operation from its form, and sends it.

import { get, inBytes, root } from "../pages/shell/api.js";
import { needsKey } from "./document.js";
import { facts } from "./facts.js";

/** The key that /messages takes on a server without --api-key. */
export const DEMO_KEY = "demo-key";

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {[string, string][]} headers
 * @property {string} type
 * @property {string} body
 * @property {number} ms
 * @property {boolean} open  whether more of the body may come
 * @property {number} [lasted]  how long a stream was open, in ms
 */

/**
 * Returns a request for the operation.
 * @param {import("./document.js").Operation} operation
 * @param {FormData} form  the parameters, named by place and name, such as query.limit, and body and type
 * @param {string} key  "": no key
 */
export function requestOf(operation, form, key) {
  const { method, parameters, described } = operation;
  const takesKey = key === DEMO_KEY ? needsKey(described) : described.security?.length > 0;
  /** @type {Record<string, string>} */
  const headers = takesKey && key ? { Authorization: `Bearer ${key}` } : {};
  const query = new URLSearchParams();
  let path = operation.path;
  for (const { in: place, name, schema, explode } of parameters) {
    const value = form.getAll(`${place}.${name}`).join(",").trim();
    if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value === "") continue;
    else if (name === "X-Sandbox") headers[name] = value.replaceAll(/[^ -~]+/g, encodeURIComponent); // for any client
    else if (place === "header") headers[name] = value;
    else if (schema.type !== "array" || explode === false) query.append(name, value);
    else for (const part of value.split(",")) query.append(name, part.trim());
  }
  const body = form.get("body");
  if (body) headers["Content-Type"] = String(form.get("type") ?? "application/json");
  const address = new URL(path.slice(1), root);
  address.search = String(query);
  const stream = Boolean(described.responses["200"]?.content?.["text/event-stream"]);
  return { method, address, headers, body: body ? String(body) : undefined, stream };
}

/** Returns a header's name as the server writes it: fetch returns it in lower case. @param {string} name */
export const headerName = (name) => name.replaceAll(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());

/**
 * Returns a request as a call, which the pages format in several languages.
 * @param {ReturnType<typeof requestOf>} request
 * @returns {import("../pages/shell/api.js").Call}
 */
export function callOf({ method, address, headers, body, stream }) {
  return { method, path: address.href, headers, body, stream, service: true };
}

/**
 * Sends a request, and reports its response at once and with each part of a stream.
 * @param {ReturnType<typeof requestOf>} request
 * @param {AbortSignal} signal
 * @param {(answer: Answer) => void} report
 */
export async function send({ method, address, headers, body }, signal, report) {
  const begun = performance.now();
  const response = await fetch(address, { method, headers: inBytes(headers), body, signal, cache: "no-store" });
  const type = response.headers.get("Content-Type") ?? "";
  const answer = {
    status: response.status,
    headers: [...response.headers],
    type,
    body: "",
    ms: performance.now() - begun,
    open: true,
  };
  if (response.body && type.startsWith("text/event-stream")) {
    report(answer);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const read = () => reader.read().catch(() => ({ done: true, value: "" })); // stopped, or cut off
    for (let part = await read(); !part.done; part = await read()) {
      answer.body += part.value;
      report({ ...answer });
    }
    return report({ ...answer, open: false, lasted: performance.now() - begun });
  }
  report({ ...answer, body: await response.text(), open: false });
}

/** The view of the dashboard for the operations of each tag of the admin API. */
const views = new Map(Object.entries({
  State: "data", World: "data", Snapshots: "snapshots", Clock: "time", Lifecycle: "time", Faults: "faults",
  Journal: "requests", Sandboxes: "sandboxes",
}));

/**
 * Returns where the dashboard shows a request of the service, or the subject of an admin request; no href if unknown.
 * rule is the fault rule that applied.
 * @param {import("./document.js").Operation} operation
 * @param {string} [requestId]  missing: there was no response
 * @returns {Promise<{href?: string, rule?: number}>}
 */
export async function placeOf({ id, tag, path }, requestId) {
  if (path.startsWith("/admin")) return views.has(tag) ? { href: new URL(`?view=${views.get(tag)}`, root).href } : {};
  if (!facts.get().clock) return {}; // the key cannot read the sandbox
  const none = () => ({ requests: [] }); // so no link is shown
  const { requests } = await get("admin/requests?order=desc&limit=50").catch(none);
  const entry = requests.find((/** @type {any} */ request) =>
    (requestId ? request.requestId === requestId : request.operationId === id && !request.status));
  return entry ? { href: new URL(`?id=${entry.id}`, root).href, rule: entry.fault } : {};
}
