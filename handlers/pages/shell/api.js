// Requests to the server, by addresses relative to the sandbox that the page shows.

import { remember } from "./calls.js";
import { kept } from "./store.js";

/** The address of the sandbox, with a slash at its end, behind any path prefix. */
export const root = new URL(import.meta.url.replace(/pages\/([\da-f]{12}\/)?shell\/api\.js$/, ""));

const inSandbox = /\/sandboxes\/([^/]+)\/$/.exec(root.pathname);

/** The name of the sandbox as the address has it. */
export const sandbox = inSandbox ? decodeURIComponent(inSandbox[1]) : "default";

/** The address of the whole server, with a slash at its end. */
export const server = new URL(inSandbox ? "../../" : ".", root);

/** The nouns in the order in which their records can be made. The path is below admin/data/, id is the field. */
export const tables = [
  { name: "categories", one: "category", path: "categories", id: "id" },
  { name: "pets", one: "pet", path: "pets", id: "id" },
  { name: "orders", one: "order", path: "store/orders", id: "id" },
  { name: "inventory", one: "inventory entry", path: "store/inventory", id: "petId" },
  { name: "messages", one: "message", path: "messages", id: "id" },
];

/** The nouns that fake data is generated of. */
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

/** Whether the page was opened by an address that this machine alone reaches. */
export const loopback = /^(localhost|127\.|\[::1\]$)/.test(server.hostname);

/**
 * Returns the path segment of a name. There is none of `.` and `..`, which [send] refuses.
 * @param {string|number} name
 */
export const segment = (name) => encodeURIComponent(name);

const serverKey = kept("sessionStorage", `key ${server.pathname}`);
const sandboxKey = kept("sessionStorage", `key ${root.pathname}`);

/** The key of the tab: that of the sandbox if there is one, else the server's. */
export const key = {
  value: sandboxKey.get() || serverKey.get(),
  /** Whether it was given for this sandbox alone. */
  ofSandbox: Boolean(sandboxKey.get()),
  /** Whether the pet store requires it too, as in a private sandbox. */
  ofService: false,
  /** Whether the pet store requires another for all that it does. */
  apart: false,
  /** @param {string} text  @param {boolean} [ofSandbox]  whether it opens this sandbox alone */
  set(text, ofSandbox = false) {
    this.value = text.trim();
    this.ofSandbox = ofSandbox;
    sandboxKey.set("");
    (ofSandbox ? sandboxKey : serverKey).set(this.value);
  },
};

/** Takes the key out of an address such as …/#key=K, where others would read it. */
function takeKey() {
  const given = new URLSearchParams(location.hash.slice(1));
  const text = given.get("key");
  if (!text || given.has("sandbox")) return; // an attendee's, and the page where they join takes both
  key.set(text, true);
  history.replaceState(history.state, "", location.pathname + location.search);
}
takeKey();

/**
 * @typedef {object} Call  a request as the pages write it
 * @property {string} method
 * @property {string} path  relative to the sandbox, such as admin/clock
 * @property {unknown} [body]  a text is sent as it is, all else as JSON
 * @property {Record<string, string>} [headers]
 * @property {AbortSignal} [signal]
 * @property {string} [label]  what it does, where no control that was pressed says so
 * @property {boolean} [service]  whether it is of the pet store, whose keys are the page's in a private sandbox alone
 * @property {boolean} [stream]  whether the body of its response has no end
 * @property {boolean} [fresh]  whether an earlier answer does not do where the server gives none
 * @property {RequestPriority} [priority]  low: after all that the page waits for
 * @property {boolean} [keepalive]  whether it may outlive the page
 * @property {string|URL} [base]  the address that path is relative to; missing: that of the sandbox
 *
 * @typedef {{field: string, message: string}} Detail
 *
 * @typedef {object} Answer
 * @property {number} status
 * @property {Headers} headers
 * @property {any} data  of JSON its value, else the text
 */

/** An answer of status 400 or above, or none at all. */
export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {number} status  0: there was no answer
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
 * Returns the body of a call as it is sent.
 * @param {Call} call
 * @returns {string|undefined}
 */
export function bodyOf(call) {
  return call.body === undefined || typeof call.body === "string" ? call.body : JSON.stringify(call.body);
}

/**
 * Sends a call and returns whatever is answered.
 * @param {Call} call
 * @returns {Promise<Response>}
 */
export async function send(call) {
  // A browser folds dots (RFC 3986 section 5.2.4), and would ask for something else.
  const folded = call.path === "." ? null : /(?:^|\/)(\.\.?)(?=[/?]|$)/.exec(call.path);
  if (folded) {
    const why = `“${folded[1]}” cannot be a part of an address. A name begins with a letter or a digit.`;
    throw new ApiError(why, 0, "invalid_parameter");
  }
  const fail = remember(call);
  try {
    const response = await fetch(new URL(call.path, call.base ?? root), {
      method: call.method,
      headers: headersOf(call),
      body: bodyOf(call),
      signal: call.signal,
      keepalive: call.keepalive,
      priority: call.priority,
      cache: call.service ? "no-store" : "no-cache", // a user is to see what came, and no 304
    });
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
 * @throws {ApiError}  where the status is 400 or above, or there is none
 */
export async function request(call) {
  const response = await send(call).catch((error) => lastOf(call, error));
  if (!response.ok && response.status !== 304) throw await errorOf(response);
  return { status: response.status, headers: response.headers, data: await dataOf(response) };
}

/**
 * What the browser still has of an answer, where the server gives none.
 * @param {Call} call
 * @param {ApiError} error
 */
async function lastOf(call, error) {
  if (call.method !== "GET" || call.fresh || error.code !== "unreachable") throw error;
  const kept = { headers: headersOf(call), cache: "only-if-cached", mode: "same-origin", signal: call.signal };
  return fetch(new URL(call.path, call.base ?? root), /** @type {RequestInit} */ (kept)).catch(() => {
    throw error;
  });
}

/** @param {Response} response */
async function dataOf(response) {
  const text = await response.text();
  return readJSON(text, response.headers.get("Content-Type") ?? "");
}

/** What is said of a key, without how a client sends one: in a page it is typed. @param {string} message */
const forPeople = (message) => message.replace("; send Authorization: Bearer KEY, where KEY is ", "; this takes ");

/**
 * Returns what an answer of status 400 or above says.
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
