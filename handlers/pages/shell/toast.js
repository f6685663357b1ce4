// Toasts: what has just happened, with its Undo.

import { html } from "../library/preact.js";
import { Code } from "./calls.js";
import { capital } from "./format.js";
import { Icon } from "./icon.js";
import { createStore, useStore } from "./store.js";

/** @typedef {import("./types.js").Toast} Toast */

const MOST = 3;
const FRESH = 5000; // ms for which a new Undo survives a change of the view
const LOOK = 1000; // ms between checks whether its popover is still open
let made = 0;

const store = createStore({ toasts: /** @type {Toast[]} */ ([]) });

/** @param {number} id  @param {boolean} [taken]  whether its action was taken */
function drop(id, taken = false) {
  const { toasts } = store.get();
  const going = toasts.find((toast) => toast.id === id);
  if (!going) return;
  store.set({ toasts: toasts.filter((toast) => toast !== going) });
  if (!taken) going.gone?.();
}

/**
 * Shows a toast, and returns a function that withdraws it. There is one Undo at a time.
 * @param {any} text
 * @param {Partial<Toast>} [more]
 */
export function say(text, more = {}) {
  const id = ++made;
  const about = [...more.about ?? [], ...(more.action?.text === "Undo" ? ["undo"] : [])];
  for (const subject of about) unsay(subject);
  for (const { id: old } of store.get().toasts.slice(0, 1 - MOST)) drop(old);
  store.set({ toasts: [...store.get().toasts, { ...more, id, text, about, at: Date.now() }] });
  const leave = () => (document.querySelector(`#toast-${id} :popover-open`) ? void setTimeout(leave, LOOK) : drop(id));
  setTimeout(leave, more.lasts ?? (more.action || more.bad ? 12_000 : 5000));
  return () => drop(id);
}

/**
 * Withdraws the toasts about a subject.
 * @param {string} subject
 * @param {any} [now]  its state: withdraws only what is no longer true
 */
export function unsay(subject, now) {
  for (const { id, about, holds } of store.get().toasts) {
    if (about.includes(subject) && (now === undefined || holds?.(now) === false)) drop(id);
  }
}

/** Withdraws the toasts, except new ones and errors of a reachable server. */
export function leaveView() {
  const { toasts } = store.get();
  for (const one of toasts) {
    const isNew = one === toasts.at(-1) && Date.now() - one.at < (one.action ? FRESH : 1000);
    if (one.about[0] === "unreachable" || (!one.bad && !isNew)) drop(one.id);
  }
}

/** Withdraws what was said of a server that is gone now, except that it did nothing. */
export function leaveServer() {
  for (const { id, about, action } of store.get().toasts) if (about[0] !== "unreachable" && !action?.here) drop(id);
}

/**
 * Shows an error.
 * @param {any} error
 * @param {string} [subject]  missing: the next error replaces it
 */
export function sayError(error, subject = "error") {
  const away = error?.code === "unreachable";
  const text = away ? "The server does not answer, so nothing was done." : capital(error?.message ?? String(error));
  say(text, { bad: true, about: [away ? "unreachable" : subject] });
}

/** The toasts. @param {{since?: number}} props  since (ms): older ones show only with an action or an error */
export function Toasts({ since = 0 }) {
  const toasts = useStore(store).toasts.filter(({ at, bad, action }) => bad || action || at >= since);
  return html`<div class="toasts" role="status" aria-live="polite">
    ${toasts.map((toast) => html`<${Said} key=${toast.id} toast=${toast} />`)}
  </div>`;
}

/** Says in a dialog, which is over the toasts, that the server restarted. */
export const Told = () => {
  const told = useStore(store).toasts.find(({ about }) => about.includes("server"));
  return told && html`<p class="restarted">${told.text}</p>`;
};

/** @param {{toast: Toast}} props */
function Said({ toast: { id, text, bad, about, action, also, call } }) {
  const button = (/** @type {Toast["action"]} */ act) => act && html`
    <button type="button" class=${act.here ? "quiet here" : "quiet"} onClick=${(/** @type {any} */ { detail }) => {
      if (detail > 1) return; // the rest of a double click, on the button of the next toast
      drop(id, true);
      act.run();
    }}>${act.text}</button>`;
  return html`<div id=${`toast-${id}`} class=${`toast ${bad ? "bad" : ""} ${about[0] === "unreachable" ? about : ""}`}>
    ${bad && html`<${Icon} name="alert" />`}
    <span class="grow">${text}</span>
    ${call && html`<${Code} label="what was done" call=${() => call} />`}
    ${button(also)}
    ${button(action)}
    <button type="button" class="icon" aria-label="Dismiss" onClick=${() => drop(id)}><${Icon} name="close" /></button>
  </div>`;
}
