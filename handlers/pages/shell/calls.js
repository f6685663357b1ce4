// The calls that a page's controls make, and those already made.

import { html, useLayoutEffect, useRef } from "../library/preact.js";
import { createStore } from "./store.js";

/** @typedef {import("./api.js").Call} Call */
/** @typedef {{call: () => Call|Call[], label: string, note?: string}} Control  note: shown beside the call */

const MOST = 100;

/**
 * @typedef {{call: Call, at: number, label?: string, only?: boolean, failed?: string}} Action  label: of the pressed
 *   control; only: it was sent with If-Match; failed: why, so that no script repeats it
 */

/** The user's calls, oldest first. */
export const done = createStore({ actions: /** @type {Action[]} */ ([]) });

/**
 * Remembers a call that changes something, without If-Match, so that it can be repeated.
 * @param {Call} call
 * @returns {(how: string) => void}  notes that it failed
 */
export function remember(call) {
  if (call.method === "GET" || call.method === "HEAD") return () => undefined;
  const { "If-Match": tag, ...headers } = call.headers ?? {};
  const label = pressed?.calls.some(({ method, path }) => method === call.method && path === call.path);
  const by = call.label ?? (label ? pressed?.label : undefined);
  /** @type {Action} */
  const action = { call: { ...call, headers }, at: Date.now(), label: by, only: Boolean(tag) };
  done.set({ actions: [...done.get().actions, action].slice(-MOST) });
  return (how) => {
    action.failed = how;
    done.set({ actions: [...done.get().actions] });
  };
}

/** The note of a control that opens a dialog. */
export const ASKS = "A dialog asks first, and makes this call.";

/** @type {WeakMap<Element, Control>} */
const controls = new WeakMap();

/** Counts changes of controls, whose calls may have changed too. */
export const changed = createStore({ times: 0 });

/** Declares the call of the control before it, or of the form around it. @param {Control} props */
export function Code(props) {
  const mark = useRef(/** @type {Element|null} */ (null));
  useLayoutEffect(() => {
    controls.set(/** @type {Element} */ (mark.current), props);
    changed.set({ times: changed.get().times + 1 });
  });
  return html`<span ref=${mark} class="call" data-label=${props.label} hidden></span>`;
}

/** Returns the current control of a mark. @param {Element|undefined|null} mark */
export const controlOf = (mark) => (mark ? controls.get(mark) : undefined);

/**
 * Returns the mark of the control at target; undefined if it makes no call, null if there is no control.
 * @param {EventTarget|null} target
 * @returns {Element|undefined|null}
 */
export function markAt(target) {
  const controls = "button, a, input, select, textarea, label, .calls";
  const element = target instanceof Element ? target.closest(controls) : null;
  if (!element) return null;
  const next = element.nextElementSibling;
  if (next?.matches(".call")) return next;
  return element.closest("form:not([role=search]), .pair, .calls")?.querySelector(".call") ?? undefined;
}

/** The control that was pressed last, if the drawer knows its calls. */
let pressed = /** @type {{label: string, calls: Call[]}|undefined} */ (undefined);

/** Notes which control a click presses, before its handler runs. @param {Event} event */
export function notePress({ target }) {
  const control = controlOf(markAt(target));
  pressed = control && { label: control.label, calls: [control.call()].flat() };
}
