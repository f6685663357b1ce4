// Changes several records of a table at once.

import { html, useState } from "../library/preact.js";
import { get } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Item, Menu } from "../shell/components.js";
import { Confirm } from "../shell/confirm.js";
import { count, plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { session } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { sayError } from "../shell/toast.js";
import { revertOf } from "./changed.js";
import { changeOf, useDifference } from "./changes.js";
import { pathOf } from "./following.js";
import { statuses } from "./nouns.js";
import { writeRecords } from "./writes.js";

const MOST = 1000; // records that the API returns at once
const MOST_UNDONE = 100; // writes
const NAMED = 3; // records in the question

/** @typedef {import("./nouns.js").Noun} Noun */
/** @typedef {import("./nouns.js").Row} Row */

/**
 * The field of each noun that can be set for several records at once, and its values.
 * @type {Record<string, [string, any[]]>}
 */
const settable = { pets: ["status", statuses], orders: ["complete", [true, false]] };

/** What a deletion does to other records. @type {Record<string, string>} */
const follows = {
  pets: "Their inventory entries are deleted too. Their orders stay.",
  pet: "Its inventory entry is deleted too. Its orders stay.",
  categories: "A category that has pets cannot be deleted.",
};

/**
 * @param {object} props
 * @param {Noun} props.noun
 * @param {Row[]} props.rows  the selected rows
 * @param {number} props.away  how many of them are not on this page
 * @param {number} props.more  the number on all pages, if all of this page are selected; otherwise 0
 * @param {string} props.path  the path that reads the page
 * @param {() => void} props.onDone
 * @param {(rows: Row[]) => void} props.onAll
 */
export function BulkBar({ noun, rows, away, more, path, onDone, onAll }) {
  const [deleting, setDeleting] = useState(false);
  const [busy, setBusy] = useState(false);
  const difference = useDifference(useStore(session).changes);
  const ids = rows.map((row) => String(row[noun.id]));
  const many = plural(ids.length, noun.one, noun.title.toLowerCase());
  const [field, values] = settable[noun.name] ?? ["", []];
  const setCalls = (/** @type {any} */ value) =>
    ids.map((id) => ({ method: "PATCH", path: pathOf(noun, id), body: { [field]: value } }));
  const set = (/** @type {any} */ value) => write(setCalls(value), `Set ${field} of ${many} to ${value}.`);
  const drops = ids.map((id) => ({ method: "DELETE", path: pathOf(noun, id) }));
  const reverts = ids.flatMap((id) => {
    const { record, before } = changeOf(difference, noun, id) ?? {};
    return before ? revertOf(noun, id, record, before, "*") : [];
  });
  const reverted = `Reverted ${plural(reverts.length, noun.one, noun.title.toLowerCase())}.`;
  const write = (/** @type {import("../shell/api.js").Call[]} */ calls, /** @type {string} */ done) => {
    setBusy(true);
    return writeRecords(calls, done).then(onDone, sayError).then(() => setBusy(false));
  };
  const remove = () => {
    setDeleting(false);
    void write(drops, `Deleted ${many}.`);
  };
  const selectAll = () => get(path.replace(/limit=.*&offset=\d+/, `limit=${MOST}`)).then(onAll, sayError);
  const names = rows.slice(0, NAMED).map((row) => row.name ?? `${noun.one} ${row[noun.id]}`);
  const others = rows.length - names.length;
  const last = others > 0 ? `${count(others)} more` : names.pop();
  return html`<div class="list-bar"><div class="picks" role="region" aria-label="Selected records" inert=${busy}>
    <strong>${count(ids.length)} selected${away > 0 && `, ${count(away)} elsewhere`}</strong>
    ${more > ids.length && html`
      <button type="button" onClick=${selectAll}>
        Select ${more > MOST ? `the first ${count(MOST)}` : `all ${count(more)}`}
      </button>`}
    ${values.length > 0 && html`
      <${Menu} class="plain-border" text=${html`Set ${field}<${Icon} name="down" />`}>
        ${values.map((value) => html`
          <${Item} key=${value} onClick=${() => void set(value)}
            label=${`set ${field} to ${value}`} call=${() => setCalls(value)}>${String(value)}<//>`)}
      <//>`}
    ${reverts.length > 0 && html`<span class="pair">
      <button type="button" class="plain-border" onClick=${() => write(reverts, reverted)}>
        Revert ${count(reverts.length)}
      </button>
      <${Code} label="revert the selected records" call=${() => reverts} />
    </span>`}
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
      <p><strong><bdi>${names.join(", ")}${names.length > 0 && " and "}${last}</bdi></strong></p>
      <p>${follows[ids.length === 1 ? noun.one : ""] ?? follows[noun.name]} ${ids.length > MOST_UNDONE
        ? `Undo reaches ${MOST_UNDONE} writes, so it cannot bring all of them back.`
        : "Undo brings them back, as long as nothing else is written."}</p>
    <//>`}`;
}
