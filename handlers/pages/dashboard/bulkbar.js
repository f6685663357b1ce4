// What is done with several records of a table at once.

import { html, useState } from "../library/preact.js";
import { Code } from "../shell/calls.js";
import { Item, Menu } from "../shell/components.js";
import { Confirm } from "../shell/confirm.js";
import { count, plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { sayError } from "../shell/toast.js";
import { pathOf } from "./following.js";
import { statuses } from "./nouns.js";
import { writeRecords } from "./writes.js";

/** @typedef {import("./nouns.js").Noun} Noun */

/**
 * What can be set of several records at once: the name of the field, and its values.
 * @type {Record<string, [string, any[]]>}
 */
const settable = { pets: ["status", statuses], orders: ["complete", [true, false]] };

/** @param {{noun: Noun, ids: string[], onDone: () => void}} props */
export function BulkBar({ noun, ids, onDone }) {
  const [deleting, setDeleting] = useState(false);
  const many = plural(ids.length, noun.one, noun.title.toLowerCase());
  const [field, values] = settable[noun.name] ?? ["", []];
  const setCalls = (/** @type {any} */ value) =>
    ids.map((id) => ({ method: "PATCH", path: pathOf(noun, id), body: { [field]: value } }));
  const set = (/** @type {any} */ value) => write(setCalls(value), `Set ${field} of ${many} to ${value}.`);
  const drops = ids.map((id) => ({ method: "DELETE", path: pathOf(noun, id) }));
  const write = (/** @type {import("../shell/api.js").Call[]} */ calls, /** @type {string} */ done) =>
    writeRecords(calls, done).then(onDone, sayError);
  const remove = () => {
    setDeleting(false);
    void write(drops, `Deleted ${many}.`);
  };
  return html`<div class="list-bar"><div class="picks" role="region" aria-label="Selected records">
    <strong>${count(ids.length)} selected</strong>
    ${values.length > 0 && html`
      <${Menu} class="plain-border" text=${html`Set ${field}<${Icon} name="down" />`}>
        ${values.map((value) => html`
          <${Item} key=${value} onClick=${() => void set(value)}
            label=${`set ${field} to ${value}`} call=${() => setCalls(value)}>${String(value)}<//>`)}
      <//>`}
    <span class="pair">
      <button type="button" class="danger" onClick=${() => setDeleting(true)}>Delete…</button>
      <${Code} label="delete the selected records" call=${() => drops} />
    </span>
    <button type="button" class="icon" aria-label="Select none" title="Select none" onClick=${onDone}>
      <${Icon} name="close" />
    </button>
  </div></div>
  ${deleting && html`
    <${Confirm} title=${`Delete ${many}?`} verb="Delete" label="delete the selected records" call=${drops[0]}
      onConfirm=${remove} onClose=${() => setDeleting(false)}>
      <p>Undo brings them back, as long as nothing else is written.</p>
    <//>`}`;
}
