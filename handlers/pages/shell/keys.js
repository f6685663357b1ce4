// The keyboard. A view says which keys it has while it is shown; `?` lists all that there are.

import { useLayoutEffect } from "../library/preact.js";

/** @typedef {{key: string, does: string, run: (event: KeyboardEvent) => void}} Key */

/** @type {Key[][]} */
const layers = [];

/** The keys that work now, without those that a later layer has too. */
export function listKeys() {
  /** @type {Map<string, Key>} */
  const keys = new Map();
  for (const layer of layers) for (const key of layer) keys.set(key.key, key);
  return [...keys.values()];
}

/**
 * Makes the keys work while the component is shown.
 * @param {Key[]} keys
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
    const key = layer.find((k) => k.key === event.key);
    if (!key) continue;
    event.preventDefault();
    return key.run(event);
  }
});
