// Turns a request of the journal into a call that can be sent again.

import { key } from "../shell/api.js";
import { curl } from "../shell/curl.js";
import { kept } from "../shell/store.js";

/** @typedef {import("../shell/types.js").Entry} Entry */

/** The last used key of the pet store, if it requires one. */
export const serviceKey = kept("sessionStorage", "service key");

/** The public key of the messages, on a server without --api-key. */
const DEMO_KEY = "demo-key";

/** What the journal has in place of a secret. */
export const REDACTED = "[redacted]";

/** Headers that clients add by themselves, and those that a resent request must not repeat. */
const added = new RegExp(`^(${[
  "accept-encoding", "accept-language", "authorization", "cache-control", "connection", "content-length", "cookie",
  "dnt", "forwarded", "host", "if-none-match", "keep-alive", "origin", "pragma", "priority", "referer", "sec-.*", "te",
  "traceparent", "transfer-encoding", "upgrade.*", "user-agent", "via", "x-forwarded-.*", "x-request-id", "x-sandbox",
].join("|")})$`, "i");

/**
 * Returns the call that the entry records.
 * @param {Entry} entry
 * @returns {import("../shell/api.js").Call}
 */
export function callOf(entry) {
  /** @type {Record<string, string>} */
  const headers = {};
  for (const [name, value] of Object.entries(entry.headers)) {
    if (!added.test(name) && value !== REDACTED) headers[name] = value;
  }
  const known = serviceKey.get() || (entry.status !== 401 && entry.path.startsWith("/messages") ? DEMO_KEY : "");
  if (entry.headers.Authorization && !key.ofService && known) headers.Authorization = `Bearer ${known}`;
  if (headers.Accept === "*/*") delete headers.Accept;
  return { method: entry.method, path: pathOf(entry), headers, body: entry.body || undefined, service: true };
}

/** Returns the entry as a curl command. @param {Entry} entry */
export const curlOf = (entry) => curl(callOf(entry));

/** Returns the path relative to the sandbox, escaped for an address. @param {Entry} entry */
export function pathOf({ path, query }) {
  const plain = path.slice(1).replace(/[?#]/g, encodeURIComponent);
  const relative = plain.startsWith("/") || plain.includes(":") ? `./${plain}` : plain;
  return query ? `${relative}?${query}` : relative || ".";
}

/** Returns why the entry cannot be sent again unchanged, or "". @param {Entry} entry */
export function incomplete(entry) {
  if (entry.bodyTruncated) return "The journal keeps the first 4 KiB of a body, so the whole of this one is not known.";
  if (entry.body?.includes("\uFFFD")) return "Its body is not UTF-8, so the whole of it is not known.";
  if (entry.query?.includes(REDACTED)) return "A secret in its query is not known.";
  if (entry.headersTruncated) return "Not all of its headers are known: there were too many.";
  return "";
}
