// The data as tables, with an editor at the side.

import { html, useEffect, useMemo, useRef, useState } from "../library/preact.js";
import { change, follow, link, useAddress } from "../shell/address.js";
import { get, request } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { CurlLine, Empty, ErrorNote } from "../shell/components.js";
import { count } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { useKeys } from "../shell/keys.js";
import { retry, session } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { sayError } from "../shell/toast.js";
import { ChangedRows, sizeOf, useDifference } from "./changes.js";
import { useMore } from "./more.js";
import { open, RecordEditor } from "./record.js";
import { nouns, statuses } from "./nouns.js";
import { isThere, PAGE, Pager, pageOf } from "./pager.js";
import { Portrait } from "./portrait.js";
import { askUndo, undoCall, UndoQuestion, undoText, writeRecord } from "./writes.js";

const MOST_CATEGORIES = 1000;

/** @typedef {import("./nouns.js").Noun} Noun */
/** @typedef {import("./nouns.js").Row} Row */

export default function Data() {
  const address = useAddress();
  const { summary, changes } = useStore(session);
  const noun = nouns.find(({ name }) => name === address.table) ?? nouns[0];
  const categories = useCategories(changes);
  const difference = useDifference(changes);
  const changed = sizeOf(difference, noun.name);
  const id = address.open ?? "";
  const close = (gone = false) => { // back to where the keyboard was
    change({ open: "" });
    if (gone || !goTo(id)) /** @type {HTMLElement|null} */ (document.querySelector(".table-side .add"))?.focus();
  };
  useKeys({ Escape: () => id && close() });
  return html`<div class="data">
    <nav class="tables" aria-label="Tables">${nouns.map(({ name, title }) => html`<a key=${name} href=${link({ view: "data", table: name })} aria-current=${name === noun.name ? "page" : undefined} onClick=${follow}>
      ${title} <span class="note">${summary?.counts && count(/** @type {any} */ (summary.counts)[name])}</span></a>`)}</nav>
    <div class="split ${id ? "has-detail" : ""}">
      <div class="table-side">
        <${Toolbar} key=${noun.name} noun=${noun} address=${address} categories=${categories} changed=${changed} undoable=${summary?.undoable} />
        ${address.changed
          ? html`<div class="table-scroll"><${ChangedRows} difference=${difference} noun=${noun} /></div>`
          : html`<${Table} key=${noun.name} noun=${noun} address=${address} categories=${categories} changes=${changes} />`}
      </div>
      ${id && html`<${RecordEditor} key=${`${noun.name} ${id}`} noun=${noun} id=${id} categories=${categories} changes=${changes} onClose=${close} />`}
    </div>
  </div>`;
}

/** Goes to the row of the record, if it is there. @param {string} id */
function goTo(id) {
  const row = document.getElementById(`row-${id}`);
  row?.scrollIntoView({ block: "nearest" });
  /** @type {HTMLElement|null|undefined} */ (row?.querySelector("button.id") ?? row)?.focus({ preventScroll: true });
  return row !== null;
}

/** The names of the categories by id. @param {number} changes @returns {Map<number, string>} */
function useCategories(changes) {
  const [names, setNames] = useState(/** @type {Map<number, string>} */ (new Map()));
  useEffect(() => {
    const stop = new AbortController();
    get(`admin/data/categories?limit=${MOST_CATEGORIES}`, stop.signal)
      .then((/** @type {Row[]} */ all) => setNames(new Map(all.map(({ id, name }) => [id, name]))), () => undefined); // the table says what is wrong
    return () => stop.abort();
  }, [changes]);
  return names;
}

/** @param {{noun: Noun, address: Record<string, string>, categories: Map<number, string>, changed: number|"many"|null, undoable?: number}} props */
function Toolbar({ noun, address, categories, changed, undoable }) {
  const first = useRef(/** @type {HTMLElement|null} */ (null));
  useKeys({
    "/": () => /** @type {HTMLElement|null} */ (first.current?.querySelector("input, select"))?.focus(),
    ...(noun.create && { n: () => open("new") }),
  });
  const shown = address.changed ? [] : noun.filters;
  const [look, more] = useMore(shown.slice(1).filter(({ name }) => address[name]).length + (address.changed ? 1 : 0));
  return html`<div class=${look} ref=${first}>
    ${shown.map((filter) => html`<${FilterInput} key=${filter.name} filter=${filter} value=${address[filter.name] ?? ""} categories=${categories} />`)}
    ${more}
    <button type="button" aria-pressed=${Boolean(address.changed)} onClick=${() => change({ changed: address.changed ? "" : "1", open: "" })}>
      Changed since the baseline ${changed !== null && html`<span class="count">${changed === "many" ? "many" : count(changed)}</span>`}</button>
    <span class="grow"></span>
    <span class="pair">
      <button type="button" disabled=${undoable === 0} onClick=${askUndo}
        title=${undoText() ? `Undo: ${undoText()}` : undoable === undefined ? undefined : `${undoable} writes can be undone`}>
        <${Icon} name="undo" />
        Undo
      </button>
      <${Code} label="undo" call=${undoCall} />
    </span>
    <${UndoQuestion} />
    ${noun.create && html`<button type="button" class="primary add" onClick=${() => open("new")}><${Icon} name="plus" />Add ${noun.a}</button>`}
  </div>`;
}

/** @param {{filter: import("./nouns.js").Filter, value: string, categories: Map<number, string>}} props */
function FilterInput({ filter, value, categories }) {
  const { name, title, kind } = filter;
  const set = (/** @type {any} */ event) => change({ [name]: event.target.value, page: "" });
  if (kind === "text" || kind === "number") {
    return html`<input type="search" inputmode=${kind === "number" ? "numeric" : undefined} class=${kind === "number" ? "short" : ""} aria-label=${title} placeholder=${title} value=${value} onInput=${set} />`;
  }
  /** @type {[string, string][]} */
  const options = kind === "status" ? statuses.map((s) => [s, s])
    : kind === "boolean" ? [["true", "complete"], ["false", "not complete"]]
    : [...categories].map(([id, text]) => [String(id), text]);
  return html`<select aria-label=${title} value=${value} onChange=${set}><option value="">any ${title}</option>${options.map(([v, text]) => html`<option key=${v} value=${v}>${text}</option>`)}</select>`;
}

/** The query of a page of the table. @param {Noun} noun @param {Record<string, string>} address */
function queryOf(noun, address) {
  const query = new URLSearchParams({ limit: String(PAGE), offset: String(pageOf(address) * PAGE) });
  if (address.sort) query.set("sort", address.sort);
  for (const { name } of noun.filters) if (address[name]) query.set(name, address[name].trim());
  return query.toString();
}

/** @param {string} path @param {number} number  of the page @param {number} changes */
function usePage(path, number, changes) {
  const [page, setPage] = useState(/** @type {{rows: Row[], total: number, error: any}|null} */ (null));
  useEffect(() => {
    const stop = new AbortController();
    request({ method: "GET", path, signal: stop.signal }).then(
      ({ data, headers }) => {
        const total = Number(headers.get("X-Total-Count"));
        if (!stop.signal.aborted && isThere(number, total)) setPage({ rows: data, total, error: null });
      },
      (error) => stop.signal.aborted || setPage((before) => (error.status === 400 || !before ? { rows: [], total: 0, error } : { ...before, error })), // a filter that is refused shows nothing
    );
    return () => stop.abort();
  }, [path, changes]);
  return page;
}

/** Reads again what was not answered. */
function again() {
  retry();
  session.set({ changes: session.get().changes + 1 });
}

/** @param {{noun: Noun, address: Record<string, string>, categories: Map<number, string>, changes: number}} props */
function Table({ noun, address, categories, changes }) {
  const path = `admin/data/${noun.path}?${queryOf(noun, address)}`;
  const page = usePage(path, pageOf(address), changes);
  const [at, setAt] = useState(-1);
  const rows = page?.rows ?? [];
  const context = useMemo(() => ({ categories, setStatus }), [categories]);
  const idOf = (/** @type {Row} */ row) => String(row[noun.id]);
  const move = (/** @type {number} */ by) => {
    const next = Math.max(0, Math.min(rows.length - 1, at + by));
    setAt(next);
    if (!rows[next]) return;
    goTo(idOf(rows[next]));
    if (address.open) change({ open: idOf(rows[next]) });
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => rows[at] && open(idOf(rows[at])),
  });
  const filtered = noun.filters.some(({ name }) => address[name]);
  return html`<div class="table-scroll">
      <${ErrorNote} error=${page?.error} onRetry=${page?.error?.status === 400 ? undefined : again} />
      ${rows.length > 0 && html`<table>
        <thead><tr>${noun.photo && html`<th class="face"><span class="offscreen">Portrait</span></th>`}${noun.columns.map((column) => html`<${Heading} key=${column.name} column=${column} sort=${address.sort || noun.id} />`)}</tr></thead>
        <tbody>${rows.map((row, i) => html`<tr key=${row[noun.id]} id=${`row-${row[noun.id]}`} tabindex="-1" class=${`opens ${i === at ? "at" : ""}`} aria-selected=${address.open === String(row[noun.id])} onClick=${() => { setAt(i); open(idOf(row)); }}>
          ${noun.photo && html`<td class="face">${row[noun.photo] ? html`<${Portrait} id=${row[noun.photo]} category=${row.categoryId} />` : ""}</td>`}
          ${noun.columns.map((column, n) => html`<td key=${column.name} class=${column.number ? "number" : ""}>${cell(row, column, context, n === 0)}</td>`)}
        </tr>`)}</tbody></table>`}
      ${page && rows.length === 0 && !page.error && (filtered ? html`<${Empty} title="Nothing matches"><button type="button" onClick=${() => change(Object.fromEntries(noun.filters.map(({ name }) => [name, ""])))}>Show all</button><//>`
        : html`<${Empty} title=${`No ${noun.title.toLowerCase()}`}>${noun.create && html`<p>Add one here, or with</p><${CurlLine} call=${example(noun)} />`}<//>`)}
    </div>
    <${Pager} page=${pageOf(address)} total=${page?.total ?? 0} call=${{ method: "GET", path }} />`;
}

/** The status is changed in place, where the record is still as it is shown. @param {Row} row @param {string} status */
async function setStatus(row, status) {
  try {
    const { data, headers } = await request({ method: "GET", path: `admin/data/pets/${row.id}` });
    if (JSON.stringify(data) !== JSON.stringify(row)) throw new Error(`Somebody has changed pet ${row.id} meanwhile. Look at it again.`);
    const call = { method: "PATCH", path: `admin/data/pets/${row.id}`, body: { status }, headers: { "If-Match": headers.get("ETag") ?? "*" } };
    await writeRecord(call, `${row.name} is ${status} now.`);
  } catch (error) {
    sayError(error, "data");
    session.set({ changes: session.get().changes + 1 }); // shows what is true
  }
}

/** A call that makes a record. @param {Noun} noun @returns {import("../shell/api.js").Call} */
const example = (noun) => ({
  method: "POST", path: noun.path, service: true,
  body: noun.create,
  headers: noun.name === "messages" ? { Authorization: "Bearer demo-key" } : undefined,
});

/** @param {Row} row @param {import("./nouns.js").Column} column @param {import("./nouns.js").Context} context @param {boolean} first */
function cell(row, column, context, first) {
  const value = column.show ? column.show(row, context) : String(row[column.name] ?? "");
  return first && !column.show ? html`<button type="button" class="quiet id">${value}</button>` : value;
}

/** @param {{column: import("./nouns.js").Column, sort: string}} props */
function Heading({ column, sort }) {
  const up = sort === column.name;
  const down = sort === `-${column.name}`;
  return html`<th class=${column.number ? "number" : ""} aria-sort=${up ? "ascending" : down ? "descending" : undefined}>
    <button type="button" onClick=${() => change({ sort: up ? `-${column.name}` : column.name, page: "" })}>${column.title}${(up || down) && html`<span aria-hidden="true">${up ? "↑" : "↓"}</span>`}</button></th>`;
}
