// What the sandbox says of its clock and of the age of its operations, beyond the document.

import { serviceKey } from "../pages/dashboard/calls.js";
import { get, key } from "../pages/shell/api.js";
import { capital } from "../pages/shell/format.js";
import { createStore } from "../pages/shell/store.js";

/**
 * @typedef {object} Facts
 * @property {import("../pages/shell/types.js").Clock} [clock]  missing: not known
 * @property {string} [title]  of the sandbox, as it was first named; missing: not known
 * @property {Map<string, import("../pages/shell/types.js").Operation>} operations  by operationId; empty: not known
 * @property {Map<string, {text?: string, successor?: string}>} heard  what responses said of operations, by operationId
 * @property {any} [document]  as it was last read; missing: not yet
 * @property {boolean} own  whether the key of the tab is that of this sandbox alone
 * @property {number} travels  how often the page has set the clock
 * @property {string} trouble  why something is not known; empty: all is
 */

/** @type {import("../pages/shell/store.js").Store<Facts>} */
export const facts = createStore(/** @type {Facts} */ ({
  operations: new Map(), heard: new Map(), own: false, travels: 0, trouble: "",
}));

/** The key that requests are sent with; empty: none. */
export const authorization = createStore({ key: "" });

/**
 * Whether a document's operations take the key of the tab: those of the admin API, and all of a private sandbox.
 * @param {any} document
 */
export const takesTabKey = ({ paths, components }) =>
  !paths["/pets"] || Boolean(components.securitySchemes.bearerAuth["x-private"]);

/** Sends requests with a key, and keeps it for the tab. @param {string} text */
export function keepKey(text) {
  authorization.set({ key: text });
  if (takesTabKey(facts.get().document)) key.set(text, key.ofSandbox);
  else serviceKey.set(text);
}

/**
 * Keeps what a response says of its operation's age.
 * @param {string} id  of the operation
 * @param {Map<string, string>} headers
 */
export function hear(id, headers) {
  if (!headers.has("deprecation")) return;
  const [, text] = /"([^;"]*)/.exec(headers.get("warning") ?? "") ?? [];
  const [, successor] = /<([^<>]*)>; rel="successor-version"/.exec(headers.get("link") ?? "") ?? [];
  facts.set({ heard: new Map(facts.get().heard).set(id, { text, successor }) });
}

/** Asks the sandbox. Where it refuses, the document alone says what it knows. */
export async function refresh() {
  try {
    // First: nothing else is read of a sandbox that does not exist.
    const { clock, title, ownKey: own } = await get("admin");
    const list = await get("admin/operations");
    const operations = new Map(list.map((/** @type {any} */ o) => [o.operationId, o]));
    facts.set({ clock, title, operations, own, trouble: "" });
  } catch (error) {
    const trouble = words(/** @type {import("../pages/shell/api.js").ApiError} */ (error));
    facts.set({ clock: undefined, operations: new Map(), own: false, trouble });
  }
}

/** Without a key, most of the page works. @param {import("../pages/shell/api.js").ApiError} error */
const words = ({ code, message }) => (["unauthorized", "forbidden"].includes(code) ? "" : capital(message));
