// All sandboxes of the server.

import { html, useEffect, useState } from "../library/preact.js";
import { change, useAddress } from "../shell/address.js";
import { request, sandbox, sandboxRoot, segment, server } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Empty, ErrorNote, Popover, Status } from "../shell/components.js";
import { Confirm } from "../shell/confirm.js";
import { ago, count } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { useKeys } from "../shell/keys.js";
import { NameDialog, listCall, listSandboxes, makeCall } from "../shell/sandboxes.js";
import { say, sayError } from "../shell/toast.js";
import { isThere, PAGE, Pager, pageOf } from "./pager.js";
import { Template } from "./template.js";

/** @typedef {import("../shell/types.js").Sandbox} Sandbox */

const LOOK = 3000;

const columns = /** @type {const} */ ([
  ["name", "Name"], ["lastUsedAt", "Last used"], ["requests", "Requests"], ["errors", "Errors"], ["writes", "Writes"],
]);

export default function Sandboxes() {
  const address = useAddress();
  const { q = "", sort = "-lastUsedAt" } = address;
  const page = pageOf(address);
  const query = { name: q, sort, limit: PAGE, offset: page * PAGE };
  const [found, setFound] = useState(/** @type {{rows: Sandbox[], total: number}|null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  const [dialog, setDialog] = useState(/** @type {{what: string, of: Sandbox}|null} */ (null));
  const [search, setSearch] = useState(/** @type {HTMLElement|null} */ (null));
  const [making, setMaking] = useState(false);
  const load = (/** @type {AbortSignal} */ signal) => listSandboxes(query, signal)
    .then((all) => { setError(null); if (!signal.aborted && isThere(page, all.total)) setFound(all); }, (problem) => signal.aborted || setError(problem));
  useEffect(() => {
    const stop = new AbortController();
    void load(stop.signal);
    const timer = setInterval(() => document.hidden || load(stop.signal), LOOK);
    return () => { clearInterval(timer); stop.abort(); };
  }, [q, sort, page]);
  useKeys({ "/": () => search?.focus() });
  const total = found?.total ?? 0;
  const close = () => { setDialog(null); void load(new AbortController().signal); };
  return html`<div class="boxes">
    <div class="filters"><input type="search" ref=${setSearch} aria-label="Find a sandbox" placeholder="Name  ( / )" value=${q} onInput=${(/** @type {any} */ e) => change({ q: e.target.value, page: "" })} />
      <span class="grow"></span><${Template} />
      <button type="button" class="primary" onClick=${() => setMaking(true)}>Make a sandbox…</button></div>
    <${ErrorNote} error=${error} />
    <div class="table-scroll"><table>
      <thead><tr>${columns.map(([name, title], i) => html`<th key=${name} class=${i > 1 ? "number" : ""} aria-sort=${sort === name ? "ascending" : sort === `-${name}` ? "descending" : undefined}>
        <button type="button" onClick=${() => change({ sort: sort === `-${name}` ? name : `-${name}`, page: "" })}>${title}${sort.endsWith(name) && html`<span aria-hidden="true">${sort === name ? "↑" : "↓"}</span>`}</button></th>`)}
        <th>Last request</th><td></td></tr></thead>
      <tbody>${found?.rows.map((row) => html`<${Row} key=${row.name} row=${row} onDialog=${(/** @type {string} */ what) => setDialog({ what, of: row })} />`)}</tbody></table>
      ${found && total === 0 && html`<${Empty} title="Nothing matches"><button type="button" onClick=${() => change({ q: "" })}>Show all</button><//>`}</div>
    <${Pager} page=${page} total=${total} call=${listCall(query)} />
    ${making && html`<${NameDialog} title="Make a sandbox" verb="Make" keyed onClose=${() => setMaking(false)} call=${makeCall} />`}
    ${dialog?.what === "fork" && html`<${NameDialog} title=${html`Fork “<bdi>${dialog.of.title}</bdi>”`} verb="Fork" onClose=${close}
      call=${(/** @type {string} */ name) => ({ method: "POST", path: `admin/sandboxes/${segment(dialog.of.name)}/fork`, base: server, body: { name } })} />`}
    ${dialog?.what === "reset" && html`<${Reset} row=${dialog.of} onClose=${close} />`}
    ${dialog?.what === "drop" && html`<${Drop} row=${dialog.of} onClose=${close} />`}
  </div>`;
}

/** @param {{row: Sandbox, onDialog: (what: string) => void}} props */
function Row({ row, onDialog }) {
  const { name, title, lastUsedAt, requests, errors, writes, lastRequest, faults, clock } = row;
  return html`<tr>
    <td><a class="wire" href=${sandboxRoot(name).href}>${name}</a>${title !== name && html` <bdi class="note">${title}</bdi>`}${name === sandbox && html` <span class="tag">this one</span>`}${clock.frozen && html` <span class="tag">frozen</span>`}${faults > 0 && html` <span class="tag">⚡ ${faults}</span>`}</td>
    <td>${ago(lastUsedAt)}</td><td class="number">${count(requests ?? 0)}</td><td class="number">${errors ? html`<span class="s-4xx">${count(errors)}</span>` : "0"}</td><td class="number">${count(writes ?? 0)}</td>
    <td class="wire told">${lastRequest && html`<${Status} status=${lastRequest.status} /> ${lastRequest.method} ${lastRequest.path}`}</td>
    <td class="number"><${Popover} class="icon" title=${`What to do with ${name}`} text=${html`<${Icon} name="more" />`}>${(/** @type {() => void} */ close) => html`<div class="menu">
      <a class="button" href=${sandboxRoot(name).href}>Open</a>
      <button type="button" onClick=${() => { close(); onDialog("fork"); }}>Fork…</button>
      <div class="row"><button type="button" class="grow" onClick=${() => { close(); onDialog("reset"); }}>Reset…</button><${Code} label=${`reset ${name}`} call=${() => resetCall(name)} /></div>
      <button type="button" class="danger" disabled=${name === "default"} onClick=${() => { close(); onDialog("drop"); }}>Delete…</button></div>`}<//></td></tr>`;
}

/** @param {string} name */
const resetCall = (name) => ({ method: "POST", path: "admin/reset", base: sandboxRoot(name) });

/** @param {{row: Sandbox, onClose: () => void}} props */
function Reset({ row: { name, title }, onClose }) {
  const call = resetCall(name);
  const run = () => request(call).then(() => { say(`Reset “${title}”.`, { about: ["sandboxes"] }); onClose(); }, sayError);
  return html`<${Confirm} title=${html`Reset “<bdi>${title}</bdi>”?`} verb="Reset" label=${`reset ${name}`} call=${call} onConfirm=${run} onClose=${onClose}>
    <p>Its data, clock, faults and lifecycle are then as it was made with, and its requests go. Its snapshots stay. There is no undo.</p><//>`;
}

/** @param {{row: Sandbox, onClose: () => void}} props */
function Drop({ row: { name, title }, onClose }) {
  const call = { method: "DELETE", path: `admin/sandboxes/${segment(name)}`, base: server };
  const run = () => request(call).then(() => { say(`Deleted “${title}”.`, { about: ["sandboxes"] }); onClose(); }, sayError);
  return html`<${Confirm} title=${html`Delete “<bdi>${title}</bdi>”?`} verb="Delete" label=${`delete ${name}`} call=${call} onConfirm=${run} onClose=${onClose}>
    <p>Its data, snapshots, faults and requests go with it. There is no undo.</p><//>`;
}
