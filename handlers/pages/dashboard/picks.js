// The requests of the list that are selected, and what can be done with them.

import { html, useState } from "../library/preact.js";
import { count } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { opened } from "../shell/later.js";

const CopyTest = opened(() => import("./copytest.js"), "CopyTest");

const MOST = 50; // requests of a test

/**
 * Returns which requests are selected, what selects one or takes it away, and the buttons for them.
 * @param {import("./fold.js").RequestRow[]} rows  that are listed
 * @returns {{picked: Set<number>, pick: (id: number) => void, buttons: any}}
 */
export function usePicks(rows) {
  const [picked, setPicked] = useState(/** @type {Set<number>} */ (new Set()));
  const [copying, setCopying] = useState(false);
  const pick = (/** @type {number} */ id) => {
    const next = new Set(picked);
    if (!next.delete(id)) next.add(id);
    setPicked(next);
  };
  const all = rows.slice(0, MOST);
  const pickAll = () => setPicked(new Set(all.map(({ key }) => key)));
  const buttons = picked.size > 0 && html`<div class="picks">
    <strong>${count(picked.size)} selected</strong>
    ${picked.size < all.length && html`
      <button type="button" onClick=${pickAll}>
        Select ${rows.length > MOST ? "the newest" : "all"} ${count(all.length)}
      </button>`}
    <button type="button" class="primary" onClick=${() => setCopying(true)}>
      <${Icon} name="copy" />
      Copy as a test…
    </button>
    <button type="button" class="icon" aria-label="Select none" title="Select none"
      onClick=${() => setPicked(new Set())}>
      <${Icon} name="close" />
    </button>
    ${copying && html`<${CopyTest} chosen=${picked} onClose=${() => setCopying(false)} />`}
  </div>`;
  return { picked, pick, buttons };
}
