// The keyboard. A view says which keys it has while it is shown.

import { useLayoutEffect } from "../library/preact.js";

/** @typedef {Record<string, (event: KeyboardEvent) => void>} Keys */

/** @type {Keys[]} */
const layers = [];

/**
 * Makes the keys work while the component is shown.
 * @param {Keys} keys
 */
export function useKeys(keys) {
  useLayoutEffect(() => { // before the next key can come
    layers.push(keys);
    return () => void layers.splice(layers.indexOf(keys), 1);
  });
}

/** @param {EventTarget|null} target */
const takesText = (target) => target instanceof HTMLElement && (target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=range])"));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (document.querySelector("dialog[open]:modal, [popover]:popover-open")) return;
  if (takesText(event.target) && event.key !== "Escape") return;
  if (event.key === "Enter" && event.target instanceof HTMLElement && event.target.matches("button, a, summary")) return;
  for (const layer of [...layers].reverse()) {
    const run = layer[event.key];
    if (!run) continue;
    event.preventDefault();
    return run(event);
  }
});
