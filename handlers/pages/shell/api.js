// Sends requests to the server. Addresses are relative to the sandbox that the page shows.

import { remember } from "./calls.js";
import { kept } from "./store.js";

/** The address of the sandbox, with a slash at its end, behind any path prefix. */
export const root = new URL(import.meta.url.replace(/pages\/([\da-f]{12}\/)?shell\/api\.js$/, ""));

const inSandbox = /\/sandboxes\/([^/]+)\/$/.exec(root.pathname);

/** The name of the sandbox as the address has it. */
export const sandbox = inSandbox ? decodeURIComponent(inSandbox[1]) : "default";

/** The address of the whole server, with a slash at its end. */
export const server = new URL(inSandbox ? "../../" : ".", root);

/** The nouns, in an order in which records can be created. path is relative to admin/data/; id is the id field. */
export const tables = [
  { name: "categories", one: "category", path: "categories", id: "id" },
  { name: "pets", one: "pet", path: "pets", id: "id" },
  { name: "orders", one: "order", path: "store/orders", id: "id" },
  { name: "inventory", one: "inventory entry", path: "store/inventory", id: "petId" },
  { name: "messages", one: "message", path: "messages", id: "id" },
];

/** The nouns of which the server generates fake data. */
export const generated = ["pets", "categories", "orders"];

/**
 * Returns the address of a sandbox.
 * @param {string} name
 */
export function sandboxRoot(name) {
  return name === "default" ? server : new URL(`sandboxes/${encodeURIComponent(name)}/`, server);
}

/**
 * Returns the address of an attendee's page, for another tab or another device.
 * @param {string} name
 * @param {string} own  its key
 */
export const storeAddress = (name, own) =>
  `${new URL("join", server).href}#sandbox=${encodeURIComponent(name)}&key=${encodeURIComponent(own)}`;

/** Whether the page was opened at a loopback address. */
export const loopback = /^(localhost|127\.|\[::1\]$)/.test(server.hostname);

/**
 * Escapes a name for a path. `.` and `..` cannot be escaped; send rejects them.
 * @param {string|number} name
 */
export const segment = (name) => encodeURIComponent(name);

const serverKey = kept("sessionStorage", `key ${server.pathname}`);
const sandboxKey = kept("sessionStorage", `key ${root.pathname}`);

/** The tab's key: the sandbox's if there is one, else the server's. */
export const key = {
  value: sandboxKey.get() || serverKey.get(),
  /** Whether it is only for this sandbox. */
  ofSandbox: root.href !== server.href && Boolean(sandboxKey.get()),
  /** Whether the pet store requires it too, as in a private sandbox. */
  ofService: false,
  /** Whether the pet store requires another key for everything. */
  apart: false,
  /** @param {string} text  @param {boolean} [ofSandbox]  whether it is only for this sandbox */
  set(text, ofSandbox = false) {
    this.value = text.trim();
    this.ofSandbox = ofSandbox;
    sandboxKey.set("");
    (ofSandbox ? sandboxKey : serverKey).set(this.value);
  },
};

/** Stores the key from an address such as …/#key=K, and removes it there, where others could read it. */
function takeKey() {
  const given = new URLSearchParams(location.hash.slice(1));
  const text = given.get("key");
  if (!text || given.has("sandbox")) return; // an attendee's key; the join page reads both
  key.set(text, true);
  history.replaceState(history.state, "", location.pathname + location.search);
}
takeKey();

/**
 * @typedef {object} Call  a request of the pages
 * @property {string} method
 * @property {string} path  relative to the sandbox, such as admin/clock
 * @property {unknown} [body]  sent unchanged if it is a string, else as JSON
 * @property {Record<string, string>} [headers]
 * @property {AbortSignal} [signal]
 * @property {string} [label]  what it does, if no pressed control says so
 * @property {boolean} [service]  whether it calls the pet store, which takes the tab's key only in a private sandbox
 * @property {boolean} [stream]  whether the response is a stream
 * @property {boolean} [fresh]  whether to fail, and not use a cached response, if the server is unreachable
 * @property {RequestPriority} [priority]  low: after everything that the page waits for
 * @property {boolean} [keepalive]  whether it may outlive the page
 * @property {string|URL} [base]  the address that path is relative to; by default the sandbox's
 *
 * @typedef {{field: string, message: string}} Detail
 *
 * @typedef {object} Answer
 * @property {number} status
 * @property {Headers} headers
 * @property {any} data  the parsed JSON, or else the text
 */

/** An error response, or no response. */
export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {number} status  0: no response
   * @param {string} code
   * @param {Detail[]} details
   */
  constructor(message, status, code, details = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/**
 * Returns the headers that a call is sent with.
 * @param {Call} call
 * @returns {Record<string, string>}
 */
export function headersOf(call) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (key.value && (!call.service || key.ofService)) headers.Authorization = `Bearer ${key.value}`;
  if (call.body !== undefined) headers["Content-Type"] = "application/json";
  return { ...headers, ...call.headers };
}

/**
 * Returns headers with their values as UTF-8, a character for each byte, since fetch takes no other characters.
 * @param {Record<string, string>} headers
 */
export const inBytes = (headers) => Object.fromEntries(Object.entries(headers)
  .map(([name, value]) => [name, String.fromCharCode(...new TextEncoder().encode(value))]));

/**
 * Returns the body of a call as it is sent.
 * @param {Call} call
 * @returns {string|undefined}
 */
export function bodyOf(call) {
  return call.body === undefined || typeof call.body === "string" ? call.body : JSON.stringify(call.body);
}

/** The ids of the requests to the pet store that the page has sent. @type {Set<string|null>} */
export const sentHere = new Set();

/**
 * Sends a call and returns its response.
 * @param {Call} call
 * @returns {Promise<Response>}
 */
export async function send(call) {
  // A browser resolves dots (RFC 3986 section 5.2.4), and would request another path.
  const folded = call.path === "." ? null : /(?:^|\/)(\.\.?)(?=[/?]|$)/.exec(call.path);
  if (folded) {
    const why = `“${folded[1]}” cannot be a part of an address. A name begins with a letter or a digit.`;
    throw new ApiError(why, 0, "invalid_parameter");
  }
  const fail = remember(call);
  try {
    const response = await fetch(new URL(call.path, call.base ?? root), {
      method: call.method,
      headers: inBytes(headersOf(call)),
      body: bodyOf(call),
      signal: call.signal,
      keepalive: call.keepalive,
      priority: call.priority,
      cache: call.service ? "no-store" : "no-cache", // so that the user never sees a 304
    });
    if (call.service) sentHere.add(response.headers.get("X-Request-Id"));
    if (response.status >= 400) fail(String(response.status));
    return response;
  } catch (error) {
    fail("no response");
    if (call.signal?.aborted) throw error;
    throw new ApiError("The server does not answer. Is it still running?", 0, "unreachable");
  }
}

/**
 * Sends a call and returns its answer.
 * @param {Call} call
 * @returns {Promise<Answer>}
 * @throws {ApiError}  if the status is 400 or above, or there is no response
 */
export async function request(call) {
  const response = await send(call).catch((error) => lastOf(call, error));
  if (!response.ok && response.status !== 304) throw await errorOf(response);
  return { status: response.status, headers: response.headers, data: await dataOf(response) };
}

/**
 * Returns the browser's cached response if the server is unreachable.
 * @param {Call} call
 * @param {ApiError} error
 */
async function lastOf(call, error) {
  if (call.method !== "GET" || call.fresh || error.code !== "unreachable") throw error;
  const kept = { headers: inBytes(headersOf(call)), cache: "only-if-cached", mode: "same-origin", signal: call.signal };
  return fetch(new URL(call.path, call.base ?? root), /** @type {RequestInit} */ (kept)).catch(() => {
    throw error;
  });
}

/** @param {Response} response */
async function dataOf(response) {
  const text = await response.text();
  return readJSON(text, response.headers.get("Content-Type") ?? "");
}

/** Rewords a message about a key for a user, who types the key. @param {string} message */
export const forPeople = (message) =>
  message.replace("; send Authorization: Bearer KEY, where KEY is ", "; this takes ");

/**
 * Reads an error response.
 * @param {Response} response
 */
export async function errorOf(response) {
  const data = await dataOf(response);
  const { status } = response;
  if (typeof data?.message === "string") {
    return new ApiError(forPeople(data.message), status, String(data.code), data.details);
  }
  return new ApiError(`The response is a ${status}, and not from petstore. Is a proxy in between?`, status, "unknown");
}

/**
 * @param {string} text
 * @param {string} type
 */
function readJSON(text, type) {
  if (!type.includes("json")) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @param {string} path  @param {AbortSignal} [signal] */
export const get = async (path, signal) => (await request({ method: "GET", path, signal })).data;
