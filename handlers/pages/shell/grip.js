// An edge that the mouse or the arrow keys move (WAI-ARIA, window splitter).

import { html, useLayoutEffect, useState } from "../library/preact.js";
import { kept } from "./store.js";

const STEP = 24; // px

const ways = /** @type {Record<string, number>} */ ({ ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 });

/**
 * Sets the CSS property named by `of`, in px, and saves it in the browser.
 * @param {object} props
 * @param {string} props.of
 * @param {string} props.label
 * @param {boolean} [props.upright]  whether it sets the width to its left, not the height below it
 * @param {number} props.least
 * @param {number} props.usual
 * @param {number} props.most
 */
export function Grip({ of, label, upright = false, least, usual, most }) {
  const saved = kept("localStorage", `size of ${of}`);
  const [size, setSize] = useState(Number(saved.get()));
  const shown = Math.round(Math.max(least, Math.min(most, size || usual)));
  useLayoutEffect(() => {
    if (size) document.documentElement.style.setProperty(`--${of}`, `${shown}px`);
  }, [shown]);
  const set = (/** @type {number} */ next) => {
    const within = Math.round(Math.max(least, Math.min(most, next)));
    saved.set(String(within));
    setSize(within);
  };
  const lift = (/** @type {any} */ { currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId);
  const drag = (/** @type {any} */ { currentTarget, pointerId, clientX, clientY }) => {
    if (!currentTarget.hasPointerCapture(pointerId)) return;
    const { left, bottom } = currentTarget.parentElement.getBoundingClientRect();
    set(upright ? clientX - left : bottom - clientY);
  };
  const keys = (/** @type {KeyboardEvent} */ event) => {
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    set(shown + way * STEP);
  };
  return html`<div class=${upright ? "grip upright" : "grip"} role="separator" tabindex="0" aria-label=${label}
    title=${`Drag, or ${upright ? "← →" : "↑ ↓"}`} aria-orientation=${upright ? "vertical" : "horizontal"}
    aria-valuenow=${shown} aria-valuemin=${least} aria-valuemax=${most}
    onPointerDown=${lift} onPointerMove=${drag} onKeyDown=${keys}></div>`;
}
