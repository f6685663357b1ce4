// What has just happened, said once, with the way back.

import { html } from "../library/preact.js";
import { Code } from "./calls.js";
import { capital } from "./format.js";
import { Icon } from "./icon.js";
import { createStore, useStore } from "./store.js";

/**
 * @typedef {object} Toast
 * @property {number} id
 * @property {any} text
 * @property {string[]} about  its subjects: a newer toast about one of them replaces it
 * @property {boolean} [bad]
 * @property {{text: string, run: () => void}} [action]
 * @property {import("./api.js").Call} [call]  that did it
 * @property {() => void} [gone]  called when it goes and its action was not taken
 * @property {number} [lasts]  ms
 * @property {{text: string, run: () => void}} [also]  another action
 * @property {(now: any) => boolean} [holds]  whether it is still true in a state of its subject
 * @property {number} at  when it was said
 */

const MOST = 3;
const FRESH = 5000; // ms in which an Undo stays when the view changes
const LOOK = 1000; // ms between looks whether its request is still read
let made = 0;

const store = createStore({ toasts: /** @type {Toast[]} */ ([]) });

/** @param {number} id  @param {boolean} [taken]  whether by its action */
function drop(id, taken = false) {
  const { toasts } = store.get();
  const going = toasts.find((toast) => toast.id === id);
  if (!going) return;
  store.set({ toasts: toasts.filter((toast) => toast !== going) });
  if (!taken) going.gone?.();
}

/**
 * Says what has happened, and returns what withdraws that. There is one Undo at a time.
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
 * Withdraws what was said about a subject.
 * @param {string} subject
 * @param {any} [now]  its state, so that only what is no longer true goes
 */
export function unsay(subject, now) {
  for (const { id, about, holds } of store.get().toasts) {
    if (about.includes(subject) && (now === undefined || holds?.(now) === false)) drop(id);
  }
}

/** Withdraws what was said, except errors of a server that is there and what is new. */
export function leaveView() {
  const { toasts } = store.get();
  for (const one of toasts) {
    const isNew = one === toasts.at(-1) && Date.now() - one.at < (one.action ? FRESH : 1000);
    if (one.about[0] === "unreachable" || (!one.bad && !isNew)) drop(one.id);
  }
}

/**
 * Says what went wrong.
 * @param {any} error
 * @param {string} [subject]  missing: any, so that the next error replaces it
 */
export function sayError(error, subject = "error") {
  const away = error?.code === "unreachable";
  const text = away ? "The server does not answer, so nothing was done." : capital(error?.message ?? String(error));
  say(text, { bad: true, about: [away ? "unreachable" : subject] });
}

/** Where it is said. @param {{since?: number}} props  since: when (ms); older ones are shown if they have an action */
export function Toasts({ since = 0 }) {
  const toasts = useStore(store).toasts.filter(({ at, bad, action }) => bad || action || at >= since);
  return html`<div class="toasts" role="status" aria-live="polite">
    ${toasts.map((toast) => html`<${Said} key=${toast.id} toast=${toast} />`)}
  </div>`;
}

/** @param {{toast: Toast}} props */
function Said({ toast: { id, text, bad, about, action, also, call } }) {
  const button = (/** @type {Toast["action"]} */ act) => act && html`
    <button type="button" class="quiet" onClick=${() => {
      drop(id, true);
      act.run();
    }}>${act.text}</button>`;
  return html`<div id=${`toast-${id}`} class=${`toast${bad ? ` bad ${about}` : ""}`}>
    ${bad && html`<${Icon} name="alert" />`}
    <span class="grow">${text}</span>
    ${call && html`<${Code} label="what was done" call=${() => call} />`}
    ${button(also)}
    ${button(action)}
    <button type="button" class="icon" aria-label="Dismiss" onClick=${() => drop(id)}><${Icon} name="close" /></button>
  </div>`;
}
