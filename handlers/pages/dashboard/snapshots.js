// The view of snapshots: saves, restores and deletes them, and downloads and imports files.

import { html, useEffect, useState } from "../library/preact.js";
import { get, segment } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Empty, ErrorNote } from "../shell/components.js";
import { Confirm } from "../shell/confirm.js";
import { typed } from "../shell/events.js";
import { count, dayAndTime, plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { opened } from "../shell/later.js";
import { nameOf, offered } from "../shell/offered.js";
import { session, write } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { say, sayError } from "../shell/toast.js";
import { Files } from "./files.js";
import { nouns } from "./nouns.js";
import { writeRecord } from "./writes.js";

const ChangedSince = opened(() => import("./changed.js"), "ChangedSince");

/** @typedef {import("../shell/types.js").Snapshot} Snapshot */

const PATH = "admin/snapshots";

export default function Snapshots() {
  const { changes, summary } = useStore(session);
  const [snapshots, setSnapshots] = useState(/** @type {Snapshot[]|null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  const tell = (/** @type {Snapshot[]} */ all) => {
    setSnapshots(all);
    setError(null);
  };
  const load = () => get(`${PATH}?changes=true`).then(tell, setError);
  useEffect(() => void load(), [changes, summary?.snapshots]);
  if (!snapshots && !error) return html`<div class="page"></div>`;
  return html`<div class="page stack snapshots">
    <section class=${snapshots?.length === 0 ? "stack none" : "stack"} aria-labelledby="snapshots">
      <div class="row">
        <h2 id="snapshots" class="title grow">Snapshots</h2>
        <${SaveForm} taken=${snapshots ?? []} />
      </div>
      <${ErrorNote} error=${error} onRetry=${load} read=${snapshots} />
      ${snapshots?.length === 0 && html`
        <${Empty} title="No snapshots">
          <p>
            Save the data under a name, and restore it whenever you like. A snapshot costs nothing until something
            changes.
          </p>
        <//>`}
      ${snapshots && snapshots.length > 0 && html`
        <${Table} snapshots=${snapshots} />
        <p class="note">
          Restore brings back the data alone. The clock, the faults and the lifecycles stay as they are.</p>`}
    </section>
    <${Files} />
  </div>`;
}

/** @param {{taken: Snapshot[]}} props */
function SaveForm({ taken }) {
  const [typedName, setName] = useState(/** @type {string|null} */ (null)); // null: the suggested name
  const [asked, setAsked] = useState(/** @type {Snapshot|undefined} */ (undefined));
  const [rewritten, setRewritten] = useState(false);
  const next = offered(taken.map((one) => one.name));
  const name = typedName?.replace(/-+$/, "") || next;
  const call = { method: "PUT", path: `${PATH}/${segment(name)}` };
  const rename = typed((text) => {
    setName(nameOf(text));
    setRewritten(text !== "" && (rewritten || nameOf(text) !== text));
  });
  const find = (/** @type {Snapshot[]} */ all) => all.find((one) => one.name === name);
  const done = () => {
    say(`Saved snapshot “${name}”.`, { about: ["snapshots"] });
    setName(null);
    setRewritten(false);
  };
  const keep = () => {
    setAsked(undefined);
    void write(call).then(done, sayError);
  };
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const there = find(await get(PATH).catch(() => taken)); // others may just have saved one
    if (there) setAsked(there);
    else keep();
  };
  return html`
    <form class="row" onSubmit=${submit}>
      <label for="snapshot">Name</label>
      <input id="snapshot" aria-label="Name of the snapshot" placeholder=${next}
        value=${typedName ?? name}
        onFocus=${(/** @type {FocusEvent} */ event) => /** @type {HTMLInputElement} */ (event.target).select()}
        onInput=${rename} />
      ${rewritten && html`<span class="note" role="status">
        Names have up to 63 of a–z, 0–9, “.”, “_” and “-”.</span>`}
      <button class="primary">${find(taken) ? "Replace snapshot…" : "Save snapshot"}</button>
      <${Code} label="save a snapshot" call=${() => call} />
    </form>
    ${asked && html`
      <${Confirm} title=${`Replace snapshot “${name}”?`} verb="Replace" label="replace the snapshot" call=${call}
        onConfirm=${keep} onClose=${() => setAsked(undefined)}>
        <p>What it saved at ${dayAndTime(asked.createdAt)} is lost. There is no undo.</p>
      <//>`}`;
}

/** @param {{snapshots: Snapshot[]}} props */
function Table({ snapshots }) {
  const newestFirst = [...snapshots].sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  return html`
    <div class="wide-table" tabindex="0" role="region" aria-label="Table of the snapshots">
      <table class="lines">
        <thead>
          <tr>
            <th>Name</th>
            <th class="saved" title="UTC, by the clock of the sandbox">Saved</th>
            <th class="since">Difference to now</th>
            <th class="spare">Data</th>
            <td></td>
          </tr>
        </thead>
        <tbody>${newestFirst.map((one) => html`
          <${Row} key=${one.name} snapshot=${one} read=${snapshots} />`)}
        </tbody>
      </table>
    </div>`;
}

/**
 * @param {object} props
 * @param {Snapshot} props.snapshot
 * @param {Snapshot[]} props.read  all snapshots; another array after each change
 */
function Row({ snapshot: { name, createdAt, counts, changes = {} }, read }) {
  const [opened, setOpen] = useState(false);
  const told = wordsOf(changes);
  const differs = told.length > 0;
  const open = opened && differs;
  const toggle = (/** @type {Event} */ event) => {
    const inside = /** @type {Element} */ (event.target).closest("button, dialog");
    if (differs && !inside) setOpen(!open);
  };
  return html`
    <tr class=${differs ? "snapshot opens" : "snapshot"} onClick=${toggle}>
      <td><strong>${name.split(/(?<=[-._])/).map((part) => html`${part}<wbr />`)}</strong></td>
      <td class="saved">${dayAndTime(createdAt).slice(0, 16)}</td>
      <td>
        ${differs
          ? html`<${Delta} told=${told} open=${open} onToggle=${() => setOpen(!open)} />`
          : html`<span class="note">no changes</span>`}
      </td>
      <td class="spare">${count(counts.pets)} pets, ${count(counts.orders)} orders</td>
      <td class="does"><${Actions} name=${name} differs=${differs} /></td>
    </tr>
    ${open && html`<tr><td colspan="5"><${ChangedSince} name=${name} read=${read} /></td></tr>`}`;
}

/** @type {("added"|"changed"|"removed")[]} */
const ways = ["added", "changed", "removed"];

/**
 * Says how many records changed: 2 pets added, 1 removed. Of several kinds together: 3 records added. Empty if none.
 * @param {Record<string, import("../shell/types.js").ChangeCount>} changes
 */
function wordsOf(changes) {
  // Inventory entries are added and removed with their pets.
  /** @type {(name: string, what: typeof ways[number]) => number} */
  const number = (name, what) => (name === "inventory" && what !== "changed" ? 0 : changes[name]?.[what] ?? 0);
  const kinds = nouns.filter(({ name }) => ways.some((what) => number(name, what)));
  const one = kinds.length === 1 ? kinds[0].one : "record";
  return ways.map((what) => ({ what, n: kinds.reduce((all, { name }) => all + number(name, what), 0) }))
    .filter(({ n }) => n > 0)
    .map(({ what, n }, i) => `${i === 0 ? plural(n, one, `${one.replace(/y$/, "ie")}s`) : n} ${what}`);
}

/** @param {{told: string[], open: boolean, onToggle: () => void}} props */
const Delta = ({ told, open, onToggle }) => html`
  <button type="button" class="delta" aria-expanded=${open} onClick=${onToggle}>
    <span>${told.map((part, i) => html`${i > 0 && ", "}<span class="keep">${part}</span>`)}</span>
    <${Icon} name=${open ? "down" : "next"} />
  </button>`;

/** Focuses the list if it has at least that many snapshots, else the name. @param {number} least */
function toList(least) {
  const rows = document.querySelectorAll("tr.snapshot");
  const to = rows.length < least ? document.getElementById("snapshot") : rows[0].closest(".wide-table");
  /** @type {HTMLElement|null} */ (to)?.focus({ preventScroll: true });
}

/** @param {{name: string, differs: boolean}} props */
function Actions({ name, differs }) {
  const [deleting, setDeleting] = useState(false);
  const restore = { method: "POST", path: `${PATH}/${segment(name)}/restore` };
  const remove = { method: "DELETE", path: `${PATH}/${segment(name)}` };
  const deleted = () => {
    toList(2); // including the one that is being deleted
    say(`Deleted snapshot “${name}”.`, { about: ["snapshots"] });
  };
  const bringBack = () => {
    toList(1); // its button is disabled soon
    writeRecord(restore, `Restored “${name}”.`, () => toList(1)).catch(sayError);
  };
  return html`
    <span class="pair">
      <button type="button" disabled=${!differs} onClick=${bringBack}>
        <${Icon} name="undo" />
        Restore
      </button>
      <${Code} label=${`restore ${name}`} call=${() => restore} />
    </span>
    <span class="pair apart">
      <button type="button" class="icon" title=${`Delete “${name}”…`} aria-label=${`Delete “${name}”…`}
        onClick=${() => setDeleting(true)}>
        <${Icon} name="delete" />
      </button>
      <${Code} label=${`delete ${name}`} call=${() => remove} />
    </span>
    ${deleting && html`
      <${Confirm} title=${`Delete snapshot “${name}”?`} verb="Delete" label=${`delete ${name}`} call=${remove}
        onConfirm=${() => write(remove).then(deleted, sayError)} onClose=${() => setDeleting(false)}>
        <p>There is no undo. The data of the sandbox stays as it is now.</p>
      <//>`}`;
}
