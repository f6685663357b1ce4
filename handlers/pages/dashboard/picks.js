// The selected requests of the list, and what can be done with them.

import { html, useState } from "../library/preact.js";
import { Popover } from "../shell/components.js";
import { count, plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { opened } from "../shell/later.js";
import { sayError } from "../shell/toast.js";
import { saveArchive } from "./archive.js";
import { callOf } from "./calls.js";

const CopyTest = opened(() => import("./copytest.js"), "CopyTest");

const Snippets = opened(() => import("../shell/snippets.js"), "Snippets");

const MOST = 50; // the most requests of a test

/**
 * Shows how many are selected, with buttons for them.
 * @param {object} props
 * @param {import("./fold.js").RequestRow[]} props.rows  the listed rows
 * @param {import("./fold.js").RequestRow[]} props.all  also those that a filter hides
 * @param {Set<number>} props.picked  the ids of the selected rows, listed or not
 * @param {(ids: Set<number>) => void} props.onPick
 */
export function Picks({ rows, all, picked, onPick }) {
  const [copying, setCopying] = useState(false);
  const first = rows.slice(0, MOST);
  const pickAll = () => onPick(new Set(first.map(({ key }) => key)));
  const hidden = picked.size - rows.filter(({ key }) => picked.has(key)).length;
  const chosen = () => all.filter(({ key }) => picked.has(key)).map(({ entry }) => entry);
  const snippets = () => html`<${Snippets} call=${chosen().reverse().map(callOf)} />`;
  const save = () => saveArchive([...picked]).catch(sayError);
  return html`<div class="picks">
    <strong>${count(picked.size)} selected
      ${hidden > 0 && html` <small class="note">${count(hidden)} not shown</small>`}</strong>
    ${picked.size - hidden < first.length && html`
      <button type="button" onClick=${pickAll}>
        Select ${rows.length > MOST ? "the newest" : "all"} ${count(first.length)}
      </button>`}
    <button type="button" class="har" title=${`Save ${plural(picked.size, "request")} as an HTTP Archive`}
      onClick=${save}>
      <${Icon} name="save" />
      HAR
    </button>
    <${Popover} class="plain-border" text="Copy as…">${snippets}<//>
    ${matchMedia("(max-width: 640px)").matches && html`
      <${Popover} class="icon" title="Copy as…" text=${html`<${Icon} name="more" />`}>${snippets}<//>`}
    <button type="button" class="primary" onClick=${() => setCopying(true)}>
      <${Icon} name="copy" />
      Copy as a test…
    </button>
    <button type="button" class="icon" aria-label="Select none" title="Select none"
      onClick=${() => onPick(new Set())}>
      <${Icon} name="close" />
    </button>
    ${copying && html`<${CopyTest} chosen=${picked} onClose=${() => setCopying(false)} />`}
  </div>`;
}
