// The sandbox as a file: out, and in again when it is said what that replaces.

import { html, useEffect, useState } from "../library/preact.js";
import { request, sandbox, send } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { CurlLine, Dialog, ErrorNote } from "../shell/components.js";
import { save } from "../shell/download.js";
import { count } from "../shell/format.js";
import { isOwner, session, write } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { say, sayError } from "../shell/toast.js";
import { made } from "./nouns.js";

/** @typedef {import("../shell/api.js").Call} Call */
/** @typedef {{name: string, text: string, what: "world"|"state", counts: Record<string, number>}} Taken  a file that was dropped */

const LASTS = 60_000; // ms for which it can be taken back

const WORLD_NEEDS = "The key of one sandbox brings in data; a world needs the admin key.";

const files = /** @type {const} */ ([
  { what: "world", title: "World", text: "All that the sandbox holds: data, baseline, snapshots, clock, faults, lifecycle. It makes a failure happen again on another machine. The requests are in the file to be read; they and the idempotency keys do not come back with it." },
  { what: "state", title: "Data", text: "The records alone, in the format of --fixtures." },
]);

export function Files() {
  const [over, setOver] = useState(false);
  const [error, setError] = useState(/** @type {any} */ (null));
  const [taken, setTaken] = useState(/** @type {Taken|null} */ (null));
  const [hasWorld, setHasWorld] = useState(/** @type {boolean|null} */ (null)); // null: not known yet
  const own = isOwner(useStore(session));
  useEffect(() => void request({ method: "GET", path: "admin/openapi.json" }).then(({ data }) => setHasWorld(Boolean(data.paths["/admin/world"])), () => setHasWorld(false)), []);

  const out = (/** @type {string} */ what) => send({ method: "GET", path: `admin/${what}` }).then(async (response) => save(await response.blob(), `${sandbox}-${what}.json`), sayError);
  const take = (/** @type {File|undefined} */ file) => {
    setError(null);
    if (file) readFile(file).then((read) => (own && read.what === "world" ? setError(new Error(`${read.name} is a world. ${WORLD_NEEDS}`)) : setTaken(read)), setError);
  };
  const dropped = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer?.files[0]);
  };
  const replace = (/** @type {Taken} */ file) => {
    setTaken(null);
    replaceBy(file).catch(setError);
  };
  if (hasWorld === null) return null;
  return html`<section class="stack" aria-labelledby="files"><h2 id="files">As a file</h2>
    ${files.filter(({ what }) => what === "state" || hasWorld).map(({ what, title, text }) => html`<div class="row" key=${what}>
      <button type="button" onClick=${() => out(what)}>Save ${title.toLowerCase()}</button><${Code} label=${`the ${what} as a file`} call=${() => ({ method: "GET", path: `admin/${what}` })} /><p class="about note">${text}</p></div>`)}
    <label class=${over ? "drop over" : "drop"} onDragOver=${(/** @type {Event} */ e) => { e.preventDefault(); setOver(true); }} onDragLeave=${() => setOver(false)} onDrop=${dropped}>
      <span>Drop a file ${own && "of data "}here, or <u>choose one</u>. You are asked before it replaces anything.${own && ` ${WORLD_NEEDS}`}</span>
      <input type="file" class="offscreen" accept=".json,application/json" onChange=${(/** @type {any} */ e) => { take(e.target.files[0]); e.target.value = ""; }} />
    </label>
    ${error?.details?.length ? html`<div class="error-note" role="alert"><ul>${error.details.map((/** @type {any} */ d) => html`<li key=${d.field}><span class="wire">${d.field}</span> ${d.message}</li>`)}</ul></div>` : html`<${ErrorNote} error=${error} />`}
    ${taken && html`<${Question} file=${taken} onReplace=${() => replace(taken)} onClose=${() => setTaken(null)} />`}
  </section>`;
}

/** @param {{file: Taken, onReplace: () => void, onClose: () => void}} props */
function Question({ file, onReplace, onClose }) {
  const { summary } = useStore(session);
  /** @type {Record<string, number|undefined>} */
  const now = { ...summary?.counts, snapshots: summary?.snapshots, "fault rules": summary?.faults };
  return html`<${Dialog} title=${`Replace “${sandbox}” with “${file.name}”?`} onClose=${onClose}><div class="stack">
    <table><thead><tr><td></td><th class="number">Now</th><th class="number">In the file</th></tr></thead>
      <tbody>${Object.entries(file.counts).map(([what, n]) => html`<tr key=${what}><td>${what}</td><td class="number">${now[what] === undefined ? "" : count(now[what])}</td><td class="number">${count(n)}</td></tr>`)}</tbody></table>
    <p class="note">${file.what === "world" ? "Clock, lifecycle and baseline become those of the file too. The requests that are shown, and idempotency keys, go." : "Everything else stays: snapshots, clock, faults and lifecycle."}</p>
    <div class="row"><button type="button" class="primary" onClick=${onReplace}>Replace</button><button type="button" autofocus onClick=${onClose}>Cancel</button></div>
    <${CurlLine} call=${{ ...callOf(file.what, ""), body: `@${file.name}` }} /></div><//>`;
}

/** @param {string} what @param {string} text @returns {Call} */
const callOf = (what, text) => ({ method: "PUT", path: `admin/${what}`, body: text });

/** Replaces what is in the sandbox, and offers the way back. @param {Taken} file */
async function replaceBy({ name, what, text }) {
  const { data: clock } = await request({ method: "GET", path: "admin/clock" });
  const before = await (await send({ method: "GET", path: `admin/${what}` })).text();
  const began = Date.now();
  const about = what === "world" ? ["data", "clock", "faults", "snapshots"] : ["data"];
  await write(callOf(what, text));
  const back = async () => {
    try {
      await write(callOf(what, before));
      if (what === "world" && !clock.frozen) await write(goOn(clock, Date.now() - began));
      say("Restored the sandbox.", { about });
    } catch (problem) {
      sayError(problem, "data");
    }
  };
  say(`Replaced the sandbox with “${name}”.`, { about, action: { text: "Undo", run: () => void back() }, lasts: LASTS });
}

/** What lets a clock that was not frozen show what it would show now. @param {import("../shell/types.js").Clock} was @param {number} passed  ms @returns {Call} */
const goOn = ({ offsetSeconds }, passed) =>
  offsetSeconds === 0 ? { method: "DELETE", path: "admin/clock" } : { method: "PUT", path: "admin/clock", body: { advance: `${passed}ms` } };

/** @param {File} file @returns {Promise<Taken>} */
async function readFile(file) {
  const text = await file.text();
  const parsed = parse(file.name, text);
  const what = "format" in parsed ? "world" : "state";
  return { name: file.name, text, what, counts: countsIn(parsed) };
}

/** @param {string} name @param {string} text @returns {Record<string, any>} */
function parse(name, text) {
  let parsed;
  try {
    parsed = JSON.parse(text);
  } catch (problem) {
    throw new Error(`${name} is not JSON: ${/** @type {Error} */ (problem).message}`);
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) throw new Error(`${name} is neither a world nor data: it must be an object.`);
  return parsed;
}

/** @param {any} value @returns {any[]} */
const list = (value) => (Array.isArray(value) ? value : []);

/** How much of what is in a file, by what a person calls it. @param {Record<string, any>} file @returns {Record<string, number>} */
function countsIn(file) {
  const kinds = made.map(({ name }) => name);
  if (!("format" in file)) return Object.fromEntries(kinds.map((kind) => [kind, list(file[kind]).length]));
  const { baseline, generated, state } = file;
  const records = kinds.map((kind) => { // a world has its data as what differs from its baseline
    const known = new Set(list(baseline?.[kind]).map(({ id }) => id));
    const fakes = Number(generated?.[kind]) || 0;
    const added = list(state?.[kind]).filter(({ id }) => id > fakes && !known.has(id)).length;
    return [kind, known.size + fakes + added - list(state?.removed?.[kind]).length];
  });
  return Object.fromEntries([...records, ["snapshots", list(file.snapshots).length], ["fault rules", list(file.faults).length + list(file.serverFaults).length]]);
}
