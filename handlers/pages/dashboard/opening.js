// Opens a record in the editor, which it focuses.

import { change, go, params, shut } from "../shell/address.js";

/** Whether the editor that opens next takes the focus. */
export const entering = { current: false };

/** Opens a record, and focuses its editor. @param {string} id  "new": a record that does not exist yet */
export function open(id) {
  entering.current = params().open !== id;
  if (!entering.current) enter(document.querySelector(".editor"));
  else if (params().open) step(id);
  else go({ ...params(), open: id }, "opened"); // so that Back closes it
}

/** Shows another record in the open editor. @param {string} id */
export const step = (id) => change({ open: id }, history.state);

/** Closes the editor. */
export const close = () => shut("open");

/**
 * Focuses the first field, unless that opens an on-screen keyboard or the record was opened with a mouse, to read it.
 * @param {Element|null|undefined} editor
 */
export function enter(editor) {
  const toRead = params().open !== "new" && (matchMedia("(pointer: coarse)").matches
    || document.activeElement?.closest("tr:not(:focus-visible, :has(:focus-visible))"));
  const field = toRead ? editor : editor?.querySelector("form :is(input, select, textarea):enabled");
  const first = field ?? editor?.querySelector("button");
  /** @type {HTMLElement|null|undefined} */ (first)?.focus({ preventScroll: true });
}
