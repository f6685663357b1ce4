// Keeps what the page shows in the query of its address, so that a link shows everybody the same.

import { createStore, useStore } from "./store.js";

const read = () => Object.fromEntries(new URLSearchParams(location.search));

const store = createStore({ params: /** @type {Record<string, string>} */ (read()) });

/** @type {(() => void)[]|null} What to do when the browser has gone back. */
let waiting = null;

/** @param {() => void} act */
const soon = (act) => void (waiting ? waiting.push(act) : act());

window.addEventListener("popstate", () => {
  const acts = waiting;
  waiting = null;
  store.set({ params: read() });
  acts?.forEach((act) => act());
});

/** @param {Record<string, string|undefined>} params */
export function link(params) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value);
  return query.size ? `?${query}` : location.pathname;
}

/**
 * Shows another view or record, as a new entry in the history.
 * @param {Record<string, string|undefined>} params  all parameters
 * @param {any} [state]  the history entry's state
 */
export const go = (params, state = null) => soon(() => {
  const to = link(params);
  if (to !== location.search) history.pushState(state, "", to);
  store.set({ params: read() });
});

/**
 * Changes some parameters without a new history entry, for example while a filter is typed.
 * @param {Record<string, string|undefined>} params
 * @param {any} [state]  the history entry's state
 */
export const change = (params, state = null) => soon(() => {
  history.replaceState(state, "", link({ ...store.get().params, ...params }));
  store.set({ params: read() });
});

/** Closes what a parameter names. Goes back if that was opened, once for several calls. @param {string} name */
export function shut(name) {
  if (history.state !== "opened") return change({ [name]: "" });
  if (!waiting) history.back();
  waiting ??= [];
  store.set({ params: { ...params(), [name]: "" } }); // it is closed for what is done next
}

/** Returns the current parameters. */
export const params = () => store.get().params;

/** Returns the parameters, and renders the component again when they change. */
export const useAddress = () => useStore(store).params;

/**
 * Follows a link to another view without reloading the page.
 * @param {MouseEvent} event
 */
export function follow(event) {
  const anchor = /** @type {HTMLAnchorElement} */ (event.currentTarget);
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(Object.fromEntries(new URL(anchor.href).searchParams));
}
