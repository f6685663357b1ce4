// Records of a table that are selected, and what is done with all of them.

import { html, useEffect, useRef, useState } from "../library/preact.js";
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
/** @typedef {import("./nouns.js").Row} Row */
/**
 * @typedef {object} Picks
 * @property {Set<string>} picked
 * @property {(id: string, range?: boolean) => void} toggle
 * @property {() => void} toggleAll
 * @property {boolean} all
 */

/**
 * What can be set of several records at once: the name of the field, and its values.
 * @type {Record<string, [string, any[]]>}
 */
const settable = { pets: ["status", statuses], orders: ["complete", [true, false]] };

/**
 * Returns the records of a page that are selected, and the bar of what can be done with them.
 * @param {Noun} noun
 * @param {Row[]} rows  of the page
 * @returns {{picks?: Picks, bar: any}}  without picks: nothing can be done with several
 */
export function useBulk(noun, rows) {
  const [picked, setPicked] = useState(/** @type {Set<string>} */ (new Set()));
  const last = useRef("");
  const ids = rows.map((row) => String(row[noun.id]));
  const there = ids.filter((id) => picked.has(id));
  const none = () => setPicked(new Set());
  useEffect(none, [noun]);
  if (!noun.remove) return { bar: null };
  const toggle = (/** @type {string} */ id, range = false) => { // range: those since the last one too
    const [from, to] = [ids.indexOf(range && ids.includes(last.current) ? last.current : id), ids.indexOf(id)];
    const some = ids.slice(Math.min(from, to), Math.max(from, to) + 1);
    last.current = id;
    setPicked(new Set(picked.has(id) ? there.filter((one) => !some.includes(one)) : [...there, ...some]));
  };
  const all = there.length === ids.length;
  const toggleAll = () => setPicked(new Set(all ? [] : ids));
  const bar = there.length > 0 && html`<${Bar} noun=${noun} ids=${there} onDone=${none} />`;
  return { picks: { picked: new Set(there), toggle, toggleAll, all }, bar };
}

/** @param {{noun: Noun, ids: string[], onDone: () => void}} props */
function Bar({ noun, ids, onDone }) {
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
