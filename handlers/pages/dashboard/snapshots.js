// The states of the sandbox: kept, returned to, out as a file and in again.

import { html, useEffect, useState } from "../library/preact.js";
import { get, request, sandbox, segment, send } from "../shell/api.js";
import { Code, Empty, ErrorNote } from "../shell/components.js";
import { save } from "../shell/download.js";
import { count, dayAndTime } from "../shell/format.js";
import { session, write } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { say, sayError } from "../shell/toast.js";
import { readDifference } from "./changes.js";
import { ResetForm } from "./reset.js";
import { undoLast } from "./writes.js";

/** @typedef {import("../shell/types.js").Snapshot} Snapshot */

const PATH = "admin/snapshots";
const parts = /** @type {const} */ (["pets", "categories", "orders", "inventory", "messages"]);

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
      ${snapshots?.length === 0 && html`<${Empty} title="No snapshots"><p>Keep the data as it is now under a name, and return to it whenever you like. A snapshot costs nothing until something changes.</p><//>`}
      ${snapshots && snapshots.length > 0 && html`<ul class="cards">${[...snapshots].sort((a, b) => b.createdAt.localeCompare(a.createdAt)).map((one) => html`<${Card} key=${one.name} snapshot=${one} changes=${changes} />`)}</ul>`}
    </section>
    <${ResetForm} />
    <${Files} />
  </div>`;
}

/** @param {{taken: Snapshot[]}} props */
function KeepForm({ taken }) {
  const [name, setName] = useState("");
  const call = (/** @type {string} */ n) => ({ method: "PUT", path: `${PATH}/${segment(n || "NAME")}` });
  const there = taken.some((one) => one.name === name);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    write(call(name)).then(() => { say(`Kept as ${name}.`); setName(""); }, sayError);
  };
  return html`<form class="row" onSubmit=${submit}><input aria-label="Name of the snapshot" placeholder="Name" required value=${name} onInput=${(/** @type {any} */ e) => setName(e.target.value.trim())} />
    <button class="primary">${there ? "Keep again, instead" : "Keep the data now"}</button><${Code} label="keep a snapshot" call=${() => call(name)} /></form>`;
}

/** @param {{snapshot: Snapshot, changes: number}} props */
function Card({ snapshot, changes }) {
  const { name, createdAt, counts } = snapshot;
  const [difference, setDifference] = useState(/** @type {import("./changes.js").Difference} */ (null));
  useEffect(() => {
    const stop = new AbortController();
    readDifference(`admin/state/diff?from=${encodeURIComponent(name)}`, stop.signal).then(setDifference, () => undefined);
    return () => stop.abort();
  }, [changes, createdAt]);
  const restore = { method: "POST", path: `${PATH}/${segment(name)}/restore` };
  const drop = { method: "DELETE", path: `${PATH}/${segment(name)}` };
  return html`<li class="snapshot">
    <div class="row"><h2 class="grow">${name}</h2><span class="wire note">${dayAndTime(createdAt)}</span></div>
    <table><thead><tr><td></td><th class="number">Then</th><th class="number">Added</th><th class="number">Changed</th><th class="number">Removed</th></tr></thead>
      <tbody>${parts.filter((part) => part !== "inventory").map((part) => {
        const d = difference && difference !== "many" ? difference[part] : null;
        return html`<tr key=${part}><td>${part}</td><td class="number">${count(counts[part])}</td>
          ${[d?.added, d?.changed, d?.removed].map((list, i) => html`<td key=${i} class="number">${list?.length ? count(list.length) : difference === "many" ? "many" : ""}</td>`)}</tr>`;
      })}</tbody></table>
    <div class="row"><button type="button" onClick=${() => write(restore).then(() => say(`The data is that of ${name}.`, { action: { text: "Undo", run: () => void undoLast() } }), sayError)}>Return to it</button><${Code} label=${`return to ${name}`} call=${() => restore} />
      <span class="grow"></span><button type="button" class="danger" onClick=${() => write(drop).then(() => say(`Dropped ${name}.`), sayError)}>Drop</button><${Code} label=${`drop ${name}`} call=${() => drop} /></div>
  </li>`;
}

const files = /** @type {const} */ ([
  { what: "world", title: "World", text: "All that the sandbox holds: data, baseline, snapshots, clock, faults, lifecycle. It makes a failure happen again on another machine." },
  { what: "state", title: "Data", text: "The records alone, in the format of --fixtures." },
]);

function Files() {
  const [over, setOver] = useState(false);
  const [error, setError] = useState(/** @type {any} */ (null));
  const [hasWorld, setHasWorld] = useState(false);
  useEffect(() => void request({ method: "GET", path: "admin/openapi.json" }).then(({ data }) => setHasWorld(Boolean(data.paths["/admin/world"])), () => undefined), []);

  const out = (/** @type {string} */ what) => send({ method: "GET", path: `admin/${what}` }).then(async (response) => save(await response.blob(), `${sandbox}-${what}.json`), sayError);
  const take = async (/** @type {File|undefined} */ file) => {
    if (!file) return;
    setError(null);
    try {
      const text = await file.text();
      const what = "format" in JSON.parse(text) ? "world" : "state";
      await write({ method: "PUT", path: `admin/${what}`, body: text });
      say(`The sandbox is that of ${file.name}.`, what === "state" ? { action: { text: "Undo", run: () => void undoLast() } } : {});
    } catch (problem) {
      setError(problem instanceof SyntaxError ? new Error(`${file.name} is not JSON: ${problem.message}`) : problem);
    }
  };
  const dropped = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer?.files[0]);
  };
  return html`<section class="stack" aria-labelledby="files"><h2 id="files">As a file</h2>
    ${files.filter(({ what }) => what === "state" || hasWorld).map(({ what, title, text }) => html`<div class="row" key=${what}>
      <button type="button" onClick=${() => out(what)}>Save ${title.toLowerCase()}</button><${Code} label=${`the ${what} as a file`} call=${() => ({ method: "GET", path: `admin/${what}` })} /><p class="grow note">${text}</p></div>`)}
    <label class=${over ? "drop over" : "drop"} onDragOver=${(/** @type {Event} */ e) => { e.preventDefault(); setOver(true); }} onDragLeave=${() => setOver(false)} onDrop=${dropped}>
      <span>Drop a file here, or <u>choose one</u>. It replaces what is in the sandbox.</span>
      <input type="file" class="offscreen" accept=".json,application/json" onChange=${(/** @type {any} */ e) => { void take(e.target.files[0]); e.target.value = ""; }} />
    </label>
    ${error?.details?.length ? html`<div class="error-note" role="alert"><ul>${error.details.map((/** @type {any} */ d) => html`<li key=${d.field}><span class="wire">${d.field}</span> ${d.message}</li>`)}</ul></div>` : html`<${ErrorNote} error=${error} />`}
  </section>`;
}
