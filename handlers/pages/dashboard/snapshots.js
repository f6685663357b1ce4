// The states of the sandbox: saved, restored, out as a file and in again.

import { html, useEffect, useState } from "../library/preact.js";
import { get, segment } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Empty, ErrorNote, useId } from "../shell/components.js";
import { Confirm } from "../shell/confirm.js";
import { count, dayAndTime } from "../shell/format.js";
import { session, write } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { say, sayError } from "../shell/toast.js";
import { readDifference } from "./changes.js";
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
  const load = () => get(PATH).then((all) => { setSnapshots(all); setError(null); }, setError);
  useEffect(() => void load(), [changes, summary?.snapshots]);
  return html`<div class="page stack snapshots">
    <section class="stack" aria-labelledby="snapshots">
      <div class="row"><h2 id="snapshots" class="title grow">Snapshots</h2><${KeepForm} taken=${snapshots ?? []} /></div>
      <${ErrorNote} error=${error} onRetry=${load} />
      ${snapshots?.length === 0 && html`<${Empty} title="No snapshots"><p>Save the data under a name, and restore it whenever you like. A snapshot costs nothing until something changes.</p><//>`}
      ${snapshots && snapshots.length > 0 && html`<ul class="cards">${[...snapshots].sort((a, b) => b.createdAt.localeCompare(a.createdAt)).map((one) => html`<${Card} key=${one.name} snapshot=${one} read=${snapshots} />`)}</ul>`}
    </section>
    <${ResetForm} />
    <${Files} />
  </div>`;
}

/** @param {{taken: Snapshot[]}} props */
function KeepForm({ taken }) {
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

/** @param {{snapshot: Snapshot, read: Snapshot[]}} props  read: all, anew after each change */
function Card({ snapshot, read }) {
  const { name, createdAt, counts } = snapshot;
  const [difference, setDifference] = useState(/** @type {import("./changes.js").Difference} */ (null));
  useEffect(() => {
    const stop = new AbortController();
    readDifference(`admin/state/diff?from=${encodeURIComponent(name)}`, stop.signal).then(setDifference, () => undefined);
    return () => stop.abort();
  }, [read]);
  const restore = { method: "POST", path: `${PATH}/${segment(name)}/restore` };
  const drop = { method: "DELETE", path: `${PATH}/${segment(name)}` };
  const [dropping, setDropping] = useState(false);
  return html`<li class="snapshot">
    <div class="row"><h2 class="grow">${name}</h2><span class="wire note">${dayAndTime(createdAt)}</span></div>
    <table><thead><tr><td></td><th class="number">Then</th><th class="number">Added</th><th class="number">Changed</th><th class="number">Removed</th></tr></thead>
      <tbody>${made.map(({ name: part }) => {
        const d = difference && difference !== "many" ? difference[part] : null;
        return html`<tr key=${part}><td>${part}</td><td class="number">${count(counts[part])}</td>
          ${[d?.added, d?.changed, d?.removed].map((list, i) => html`<td key=${i} class="number">${list?.length ? count(list.length) : difference === "many" ? "many" : ""}</td>`)}</tr>`;
      })}</tbody></table>
    <div class="row"><button type="button" onClick=${() => write(restore).then(() => say(`Restored “${name}”.`, { about: ["data"], action: { text: "Undo", run: () => void undoLast() } }), sayError)}>Restore</button><${Code} label=${`restore ${name}`} call=${() => restore} />
      <span class="grow"></span><button type="button" class="danger" onClick=${() => setDropping(true)}>Delete…</button><${Code} label=${`delete ${name}`} call=${() => drop} /></div>
    ${dropping && html`<${Confirm} title=${`Delete snapshot “${name}”?`} verb="Delete" label=${`delete ${name}`} call=${drop} onConfirm=${() => write(drop).then(() => say(`Deleted snapshot “${name}”.`, { about: ["snapshots"] }), sayError)} onClose=${() => setDropping(false)}>
      <p>There is no undo. The data of the sandbox stays as it is now.</p><//>`}
  </li>`;
}
