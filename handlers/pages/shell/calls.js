// The calls that the controls of a page make, and those that were made.

import { html, useLayoutEffect, useRef } from "../library/preact.js";
import { createStore } from "./store.js";

/** @typedef {import("./api.js").Call} Call */
/** @typedef {{call: () => Call|Call[], label: string, note?: string}} Control  note: what the call does not do */

const MOST = 100;

/** What the user has done, oldest first. */
export const done = createStore({ calls: /** @type {Call[]} */ ([]) });

/** Remembers a call that changes something. @param {Call} call */
export function remember(call) {
  if (call.method !== "GET" && call.method !== "HEAD") done.set({ calls: [...done.get().calls, call].slice(-MOST) });
}

/** @type {WeakMap<Element, Control>} */
const controls = new WeakMap();

/** Says which call the control before it makes, or the form that it is in. @param {Control} props */
export function Code(props) {
  const mark = useRef(/** @type {Element|null} */ (null));
  useLayoutEffect(() => void controls.set(/** @type {Element} */ (mark.current), props));
  return html`<span ref=${mark} class="call" data-label=${props.label} hidden></span>`;
}

/**
 * Returns the call of the control that has the focus or the pointer.
 * @param {EventTarget|null} target
 */
export function controlAt(target) {
  const element = target instanceof Element ? target.closest("button, a, input, select, textarea, label") : null;
  const next = element?.nextElementSibling;
  const mark = next?.matches(".call") ? next : element?.closest("form, .pair, .calls")?.querySelector(".call");
  return mark ? controls.get(mark) : undefined;
}
