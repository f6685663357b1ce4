// What has just happened, said once, with the way back.

import { html } from "../library/preact.js";
import { createStore, useStore } from "./store.js";

/**
 * @typedef {object} Toast
 * @property {number} id
 * @property {string} text
 * @property {boolean} [bad]
 * @property {{text: string, run: () => void}} [action]
 */

const MOST = 3;
let made = 0;

const store = createStore({ toasts: /** @type {Toast[]} */ ([]) });

/** @param {number} id */
const drop = (id) => store.set({ toasts: store.get().toasts.filter((toast) => toast.id !== id) });

/**
 * Says what has happened.
 * @param {string} text
 * @param {Omit<Toast, "id"|"text">} [more]
 */
export function say(text, more = {}) {
  const id = ++made;
  store.set({ toasts: [...store.get().toasts, { id, text, ...more }].slice(-MOST) });
  setTimeout(() => drop(id), more.action || more.bad ? 12_000 : 5000);
}

/** Says what went wrong. @param {any} error */
export const sayError = (error) => say(error?.message ?? String(error), { bad: true });

/** Where it is said. */
export function Toasts() {
  const { toasts } = useStore(store);
  return html`<div class="toasts" role="status" aria-live="polite">
    ${toasts.map(({ id, text, bad, action }) => html`<div key=${id} class=${bad ? "toast bad" : "toast"}>
      <span class="grow">${bad && html`<strong>Not done. </strong>`}${text}</span>
      ${action && html`<button type="button" class="quiet" onClick=${() => { drop(id); action.run(); }}>${action.text}</button>`}
      <button type="button" class="icon" aria-label="Dismiss" onClick=${() => drop(id)}>✕</button>
    </div>`)}
  </div>`;
}
