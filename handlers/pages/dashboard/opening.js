// Opens a record in the editor, which it focuses.

import { change, params } from "../shell/address.js";

/** Whether the editor that opens next takes the focus. */
export const entering = { current: false };

/** Opens a record, and focuses its editor. @param {string} id  "new": a record that does not exist yet */
export function open(id) {
  entering.current = params().open !== id;
  if (entering.current) change({ open: id });
  else enter(document.querySelector(".editor"));
}

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
