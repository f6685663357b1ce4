// The states of the sandbox: saved, restored, out as a file and in again.

import { html, useEffect, useState } from "../library/preact.js";
import { get, segment } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Empty, ErrorNote, useId } from "../shell/components.js";
import { Confirm } from "../shell/confirm.js";
import { count, dayAndTime } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { session, write } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { say, sayError } from "../shell/toast.js";
import { ChangedRows, readDifference, sizeOf } from "./changes.js";
import { Files } from "./files.js";
import { made } from "./nouns.js";
import { ResetForm } from "./reset.js";
import { undoLast } from "./writes.js";

/** @typedef {import("../shell/types.js").Snapshot} Snapshot */

const PATH = "admin/snapshots";

export default function Snapshots() {
  const { changes, summary } = useStore(session);
  const [snapshots, setSnapshots] = useState(/** @type {Snapshot[]|null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  const load = () => get(`${PATH}?changes=true`).then((all) => { setSnapshots(all); setError(null); }, setError);
  useEffect(() => void load(), [changes, summary?.snapshots]);
  return html`<div class="page stack snapshots">
    <section class="stack" aria-labelledby="snapshots">
      <div class="row">
        <h2 id="snapshots" class="title grow">Snapshots</h2>
        <${SaveForm} taken=${snapshots ?? []} />
      </div>
      <${ErrorNote} error=${error} onRetry=${load} />
      ${snapshots?.length === 0 && html`
        <${Empty} title="No snapshots">
          <p>Save the data under a name, and restore it whenever you like. A snapshot costs nothing until something changes.</p>
        <//>`}
      ${snapshots && snapshots.length > 0 && html`<${Table} snapshots=${snapshots} />`}
    </section>
    ${(snapshots || error) && html`
      <${ResetForm} />
      <${Files} />`}
  </div>`;
}

/** @param {{taken: Snapshot[]}} props */
function SaveForm({ taken }) {
  const [name, setName] = useState("");
  const [wrong, setWrong] = useState(""); // with the name
  const told = useId();
  const call = (/** @type {string} */ n) => ({ method: "PUT", path: `${PATH}/${segment(n || "before")}` });
  const find = (/** @type {Snapshot[]} */ all) => all.find((one) => one.name === name);
  const [asked, setAsked] = useState(/** @type {Snapshot|undefined} */ (undefined));
  const keep = () => {
    setAsked(undefined);
    void write(call(name)).then(() => { say(`Saved snapshot “${name}”.`, { about: ["snapshots"] }); setName(""); },
      (problem) => (problem.code === "invalid_parameter" ? setWrong(problem.details[0]?.message ?? problem.message) : sayError(problem)));
  };
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const there = find(await get(PATH).catch(() => taken)); // which somebody else may just have kept
    if (there) setAsked(there);
    else keep();
  };
  return html`<form class="row" onSubmit=${submit}><input aria-label="Name of the snapshot" placeholder="Name" required value=${name}
      aria-invalid=${wrong ? "true" : undefined} aria-describedby=${wrong ? told : undefined} onInput=${(/** @type {any} */ e) => { setName(e.target.value.trim()); setWrong(""); }} />
    <button class="primary">${find(taken) ? "Replace snapshot…" : "Save snapshot"}</button><${Code} label="save a snapshot" call=${() => call(name)} />
    ${wrong && html`<p id=${told} class="wrong" role="alert">${wrong}</p>`}</form>
    ${asked && html`<${Confirm} title=${`Replace snapshot “${name}”?`} verb="Replace" label="replace the snapshot" call=${call(name)} onConfirm=${keep} onClose=${() => setAsked(undefined)}>
      <p>What it saved at ${dayAndTime(asked.createdAt)} is lost. There is no undo.</p><//>`}`;
}

/** @param {{snapshots: Snapshot[]}} props */
const Table = ({ snapshots }) => html`<div class="wide-table" tabindex="0" role="region" aria-label="Table of the snapshots">
  <table>
    <thead>
      <tr>
        <th>Name</th>
        <th>Saved</th>
        <th>Changed since</th>
        ${made.map(({ name, title }) => html`<th key=${name} class="number">${title}</th>`)}
        <td></td>
      </tr>
    </thead>
    <tbody>
      ${[...snapshots].sort((a, b) => b.createdAt.localeCompare(a.createdAt)).map((one) => html`<${Row} key=${one.name} snapshot=${one} read=${snapshots} />`)}
    </tbody>
  </table>
</div>`;

/** @param {{snapshot: Snapshot, read: Snapshot[]}} props  read: all, anew after each change */
function Row({ snapshot, read }) {
  const { name, createdAt, counts, changes } = snapshot;
  const [open, setOpen] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const restore = { method: "POST", path: `${PATH}/${segment(name)}/restore` };
  const remove = { method: "DELETE", path: `${PATH}/${segment(name)}` };
  const undo = { text: "Undo", run: () => void undoLast() };
  const restored = () => say(`Restored “${name}”.`, { about: ["data"], action: undo });
  const deleted = () => say(`Deleted snapshot “${name}”.`, { about: ["snapshots"] });
  const sum = (/** @type {"added"|"changed"|"removed"} */ what) => made.reduce((all, noun) => all + (changes?.[noun.name]?.[what] ?? 0), 0);
  const [added, changed, removed] = [sum("added"), sum("changed"), sum("removed")];
  return html`
    <tr class="snapshot">
      <td><strong>${name}</strong></td>
      <td class="wire">${dayAndTime(createdAt)}</td>
      <td>
        ${added + changed + removed === 0 ? html`<span class="note">nothing</span>` : html`
          <button type="button" class="delta" aria-expanded=${open} aria-label=${`${added} added, ${changed} changed, ${removed} removed`} onClick=${() => setOpen(!open)}>
            <${Icon} name=${open ? "down" : "next"} />
            ${added > 0 && html`<span class="is-added">+${count(added)}</span>`}
            ${changed > 0 && html`<span class="is-changed">~${count(changed)}</span>`}
            ${removed > 0 && html`<span class="is-removed">−${count(removed)}</span>`}
          </button>`}
      </td>
      ${made.map((noun) => html`<td key=${noun.name} class="number">${count(counts[noun.name])}</td>`)}
      <td class="does">
        <span class="pair">
          <button type="button" onClick=${() => write(restore).then(restored, sayError)}>
            <${Icon} name="undo" />
            Restore
          </button>
          <${Code} label=${`restore ${name}`} call=${() => restore} />
        </span>
        <span class="pair">
          <button type="button" class="danger" onClick=${() => setDeleting(true)}>Delete…</button>
          <${Code} label=${`delete ${name}`} call=${() => remove} />
        </span>
        ${deleting && html`
          <${Confirm} title=${`Delete snapshot “${name}”?`} verb="Delete" label=${`delete ${name}`} call=${remove}
            onConfirm=${() => write(remove).then(deleted, sayError)} onClose=${() => setDeleting(false)}>
            <p>There is no undo. The data of the sandbox stays as it is now.</p>
          <//>`}
      </td>
    </tr>
    ${open && html`<tr><td colspan=${made.length + 4}><${Differences} name=${name} read=${read} /></td></tr>`}`;
}

/** What has changed since a snapshot. @param {{name: string, read: Snapshot[]}} props */
function Differences({ name, read }) {
  const [difference, setDifference] = useState(/** @type {import("./changes.js").Difference} */ (null));
  useEffect(() => {
    const stop = new AbortController();
    readDifference(`admin/state/diff?from=${encodeURIComponent(name)}`, stop.signal).then(setDifference, () => undefined);
    return () => stop.abort();
  }, [read]);
  if (difference === "many") return html`<p class="note">Too much has changed to list it.</p>`;
  return html`${made.filter((noun) => sizeOf(difference, noun.name)).map((noun) => html`
    <section key=${noun.name}>
      <h3>${noun.title}</h3>
      <${ChangedRows} difference=${difference} noun=${noun} since=${`“${name}”`} />
    </section>`)}`;
}
