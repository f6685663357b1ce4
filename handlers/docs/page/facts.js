// What the sandbox reports about its clock and the lifecycles of its operations, beyond the document.

import { serviceKey } from "../pages/dashboard/calls.js";
import { get, key } from "../pages/shell/api.js";
import { capital } from "../pages/shell/format.js";
import { createStore } from "../pages/shell/store.js";

/**
 * @typedef {object} Facts
 * @property {import("../pages/shell/types.js").Clock} [clock]  missing: unknown
 * @property {string} [title]  the sandbox's name as first written; missing: unknown
 * @property {Map<string, import("../pages/shell/types.js").Operation>} operations  by operationId; empty: unknown
 * @property {Map<string, {text?: string, successor?: string}>} heard  deprecation notes in responses, by operationId
 * @property {any} [document]  the last document read; missing: none yet
 * @property {boolean} own  whether the tab's key opens only this sandbox
 * @property {number} travels  the number of times that the page has set the clock
 * @property {string} trouble  why some facts are unknown; "": all are known
 */

/** @type {import("../pages/shell/store.js").Store<Facts>} */
export const facts = createStore(/** @type {Facts} */ ({
  operations: new Map(), heard: new Map(), own: false, travels: 0, trouble: "",
}));

/** The key that requests send; "": none. */
export const authorization = createStore({ key: "" });

/**
 * Whether a document's operations take the tab's key: those of the admin API, and all in a private sandbox.
 * @param {any} document
 */
export const takesTabKey = ({ paths, components }) =>
  !paths["/pets"] || Boolean(components.securitySchemes.bearerAuth["x-private"]);

/** Makes requests send a key, and keeps it for the tab. @param {string} text */
export function keepKey(text) {
  authorization.set({ key: text });
  if (takesTabKey(facts.get().document)) key.set(text, key.ofSandbox);
  else serviceKey.set(text);
}

/**
 * Keeps the deprecation note of a response.
 * @param {string} id  of the operation
 * @param {Map<string, string>} headers
 */
export function hear(id, headers) {
  if (!headers.has("deprecation")) return;
  const [, text] = /"([^;"]*)/.exec(headers.get("warning") ?? "") ?? [];
  const [, successor] = /<([^<>]*)>; rel="successor-version"/.exec(headers.get("link") ?? "") ?? [];
  facts.set({ heard: new Map(facts.get().heard).set(id, { text, successor }) });
}

/** Reads the facts from the sandbox. If it refuses, the page shows only the document. */
export async function refresh() {
  try {
    // First, so that a missing sandbox causes only one error.
    const { clock, title, ownKey: own } = await get("admin");
    const list = await get("admin/operations");
    const operations = new Map(list.map((/** @type {any} */ o) => [o.operationId, o]));
    facts.set({ clock, title, operations, own, trouble: "" });
  } catch (error) {
    const trouble = words(/** @type {import("../pages/shell/api.js").ApiError} */ (error));
    facts.set({ clock: undefined, operations: new Map(), own: false, trouble });
  }
}

/** Hides the lack of a key, since most of the page works. @param {import("../pages/shell/api.js").ApiError} error */
const words = ({ code, message }) => (["unauthorized", "forbidden"].includes(code) ? "" : capital(message));
