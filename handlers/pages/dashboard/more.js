// Filters that a narrow window shows when they are asked for.

import { html, useState } from "../library/preact.js";

/**
 * Returns the class of a row of filters, and the button that shows them all where they are not.
 * @param {number} chosen  how many of them are set
 * @returns {[string, any]}
 */
export function useMore(chosen) {
  const [open, setOpen] = useState(false);
  const button = html`
    <button type="button" class="more" aria-expanded=${open} onClick=${() => setOpen(!open)}>
      Filters${chosen > 0 ? ` (${chosen})` : ""}
    </button>`;
  return [open ? "filters open" : "filters", button];
}
