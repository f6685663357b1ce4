// The keyboard. Each component sets its keys while it is shown.

import { useLayoutEffect } from "../library/preact.js";

/** @typedef {Record<string, (event: KeyboardEvent) => void>} Keys */

/** @type {Keys[]} */
const layers = [];

/**
 * Makes the keys work while the component is shown. Two keys, such as "g r", are pressed one after the other, except
 * "Ctrl z", which is also ⌘Z.
 * @param {Keys} keys
 * @param {boolean} [under]  whether the same keys of other components win
 */
export function useKeys(keys, under) {
  useLayoutEffect(() => { // before the next key press
    layers[under ? "unshift" : "push"](keys);
    return () => void layers.splice(layers.indexOf(keys), 1);
  });
}

const TOGETHER = 1000; // ms between the keys of a pair such as g r

let before = { key: "", at: 0 };

const TEXT = "textarea, select, input:not([type=checkbox], [type=radio], [type=range])";

/** @param {EventTarget|null} target */
const takesText = (target) => target instanceof HTMLElement && (target.isContentEditable || target.matches(TEXT));

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.defaultPrevented) return;
  const over = document.querySelector("dialog[open]:modal, [popover]:popover-open"); // which has keys of its own
  if (over && event.key !== "`") return;
  const { target } = event;
  if (takesText(target) && event.key !== "Escape") return;
  if (event.key === "Enter" && target instanceof HTMLElement && target.matches("button, a, summary")) return;
  const pressed = event.ctrlKey || event.metaKey ? `Ctrl ${event.key}` : event.key;
  const both = event.timeStamp - before.at < TOGETHER ? `${before.key} ${pressed}` : "";
  before = { key: pressed, at: event.timeStamp };
  for (const key of [both, pressed]) {
    const run = layers.findLast((layer) => layer[key])?.[key];
    if (!run) continue;
    event.preventDefault();
    return run(event);
  }
});
