// The data as tables, with an editor at the side.

import { html, useEffect, useMemo, useRef, useState } from "../library/preact.js";
import { change, params, useAddress } from "../shell/address.js";
import { get, request } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { ErrorNote, useMore } from "../shell/components.js";
import { count, plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { useKeys } from "../shell/keys.js";
import { opened, whenIdle } from "../shell/later.js";
import { retry, session } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { sayError } from "../shell/toast.js";
import { useBulk } from "./bulk.js";
import { changeOf, since, sizeOf, useCategories, useDifference, usePets } from "./changes.js";
import { close, open } from "./opening.js";
import { isThere, PAGE, Pager, pageOf } from "./pager.js";
import { Columns, FilterInputs, goTo, isFiltered, nounOf, Rows, Tables } from "./table.js";
import { askUndo, undoCall, useUndoText } from "./writes.js";

const ChangedRows = opened(() => import("./changed.js"), "ChangedRows");
const ChangedHead = opened(() => import("./changed.js"), "ChangedHead");
const SinceBaseline = opened(() => import("./changed.js"), "SinceBaseline");
const Nothing = opened(() => import("./nothing.js"), "Nothing");
const record = () => import("./record.js");
const RecordEditor = opened(record, "RecordEditor");
const Past = opened(() => import("./past.js"), "Past");
const status = whenIdle(() => import("./setstatus.js"));

/** @type {Row[]} */
const NONE = [];

/** Changes a pet's status. @param {Row} row @param {string} to */
const setStatus = (row, to) => status().then((module) => module.setStatus(row, to), sayError);

/** @typedef {import("./nouns.js").Noun} Noun */
/** @typedef {import("./nouns.js").Row} Row */

export default function Data() {
  const { at } = useAddress();
  return at ? html`<${Past} at=${Number(at) || 0} />` : html`<${Now} />`;
}

function Now() {
  const address = useAddress();
  const { summary, changes } = useStore(session);
  const noun = nounOf(address);
  const categories = useCategories(changes);
  const difference = useDifference(changes);
  const changed = sizeOf(difference, noun.name);
  const id = address.open ?? "";
  const row = changeOf(difference, noun, id);
  const known = useRef(NONE); // the rows of the table
  const toRow = (gone = false) => {
    if (gone || !goTo(id)) /** @type {HTMLElement|null} */ (document.querySelector(".table-side .add"))?.focus();
  };
  const shut = (gone = false) => {
    close();
    toRow(gone);
  };
  useEffect(() => () => { // the browser's Back has closed it
    if (id && !params().open && document.activeElement === document.body) toRow();
  }, [id]);
  const leave = () => {
    const on = /** @type {HTMLElement|null} */ (document.activeElement);
    if (on?.matches("input:not([type=checkbox]), select")) return on.blur(); // a filter, which stays
    const none = /** @type {HTMLElement|null} */ (document.querySelector(".picks > :last-child"));
    if (!none || !on?.closest("tr")) on?.blur();
    none?.click();
  };
  useEffect(() => void record().catch(() => undefined), []); // so that the first record opens at once
  useKeys({ Escape: () => (id ? shut() : leave()) });
  return html`<div class="data">
    <${Tables} noun=${noun} counts=${summary?.counts} difference=${difference} changed=${address.changed} />
    <div class="split ${id ? "has-detail" : ""}">
      <div class="table-side">
        <${Toolbar} key=${noun.name} noun=${noun} address=${address} categories=${categories} changed=${changed}
          difference=${difference} undoable=${summary?.undoable} />
        ${address.changed
          ? html`<div class="table-scroll"><${ChangedRows} difference=${difference} noun=${noun}
              categories=${categories} /></div>`
          : html`<${Table} key=${noun.name} noun=${noun} address=${address} categories=${categories}
              changes=${changes} difference=${difference} known=${known} />`}
      </div>
      ${id && html`
        <${RecordEditor} key=${`${noun.name} ${id}`} noun=${noun} id=${id} categories=${categories} changes=${changes}
          known=${known.current.find((one) => String(one[noun.id]) === id)}
          before=${row?.before} since=${row && html`<${SinceBaseline} noun=${noun} row=${row} />`}
          onClose=${shut} />`}
    </div>
  </div>`;
}

/**
 * @param {object} props
 * @param {Noun} props.noun
 * @param {Record<string, string>} props.address
 * @param {Map<number, string>} props.categories
 * @param {number|"many"|null} props.changed
 * @param {import("./changes.js").Difference} props.difference
 * @param {number} [props.undoable]
 */
function Toolbar({ noun, address, categories, changed, difference, undoable }) {
  const first = useRef(/** @type {HTMLElement|null} */ (null));
  useKeys({
    "/": () => /** @type {HTMLElement|null} */ (first.current?.querySelector("input, select"))?.focus(),
    ...(noun.create && { n: () => open("new") }),
  });
  const set = noun.filters.slice(1).filter(({ name }) => address[name]);
  const [look, more] = useMore(set.length + (address.changed ? 1 : 0));
  const many = undoable === undefined ? undefined : `${plural(undoable, "write")} can be undone`;
  const undoes = useUndoText() ?? many;
  return html`<div class=${look} ref=${first}>
    ${address.changed ? html`<${ChangedHead} difference=${difference} noun=${noun} />` : html`
      <${FilterInputs} noun=${noun} address=${address} categories=${categories} call=${pageCall} />
      ${more}`}
    <button type="button" class="plain-border" aria-pressed=${Boolean(address.changed)}
      disabled=${changed === 0 && !address.changed}
      onClick=${() => change({ changed: address.changed ? "" : "1", open: "" })}>
      <span>Changed<span class="rest"> since the baseline</span></span>
      ${changed !== null && html` <span class="count">${changed === "many" ? "many" : count(changed)}</span>`}
    </button>
    <span class="acts">
      <span class="pair" style=${address.changed && "visibility: hidden"}><${Columns} noun=${noun} /></span>
      <span class="pair">
        <button type="button" disabled=${undoable === 0} onClick=${askUndo} title=${undoes}>
          <${Icon} name="undo" />
          Undo
        </button>
        <${Code} label="undo" call=${undoCall} />
      </span>
      ${noun.create && html`
        <button type="button" class="primary add" aria-label=${`Add ${noun.a}`} onClick=${() => open("new")}>
          <${Icon} name="plus" />
          <span>Add<span class="rest"> ${noun.a}</span></span>
        </button>`}
    </span>
  </div>`;
}

/** Returns the call that reads a page of the table. @param {Noun} noun @param {Record<string, string>} address */
export function pageCall(noun, address) {
  const query = new URLSearchParams({ limit: String(PAGE), offset: String(pageOf(address) * PAGE) });
  if (address.sort) query.set("sort", address.sort);
  for (const { name } of noun.filters) if (address[name]) query.set(name, address[name].trim());
  return { method: "GET", path: `admin/data/${noun.path}?${query}` };
}

/** @typedef {{rows: Row[], total: number, error: any}} Page */

/** @param {string} path @param {number} number  of the page @param {number} changes */
function usePage(path, number, changes) {
  const [page, setPage] = useState(/** @type {Page|null} */ (null));
  useEffect(() => {
    const stop = new AbortController();
    const fail = (/** @type {any} */ error) => setPage((before) => // a rejected filter shows no rows
      (error.status === 400 || !before ? { rows: [], total: 0, error } : { ...before, error }));
    request({ method: "GET", path, signal: stop.signal }).then(
      ({ data, headers }) => {
        const total = Number(headers.get("X-Total-Count"));
        if (!stop.signal.aborted && isThere(number, total)) setPage({ rows: data, total, error: null });
      },
      (error) => stop.signal.aborted || fail(error),
    );
    return () => stop.abort();
  }, [path, changes]);
  return page;
}

/** Reads again after an error. */
function again() {
  retry();
  session.set({ changes: session.get().changes + 1 });
}

/**
 * @param {object} props
 * @param {Noun} props.noun
 * @param {Record<string, string>} props.address
 * @param {Map<number, string>} props.categories
 * @param {number} props.changes
 * @param {import("./changes.js").Difference} props.difference
 * @param {{current: Row[]}} props.known  takes the rows
 */
function Table({ noun, address, categories, changes, difference, known }) {
  const call = pageCall(noun, address);
  const page = usePage(call.path, pageOf(address), changes);
  const rows = known.current = page?.rows ?? NONE;
  const pets = usePets(noun.photo === "petId" ? rows : NONE);
  const context = useMemo(
    () => ({ categories, pets, removed: difference === "many" ? [] : difference?.pets.removed, setStatus }),
    [categories, pets, difference],
  );
  const changed = useMemo(() => since(difference, noun, categories), [difference, categories]);
  const hasChanged = rows.some((row) => changed.has(row[noun.id]));
  const { picks, bar } = useBulk(noun, rows, page?.total ?? 0, call.path);
  return html`<div class="table-scroll">
      <${ErrorNote} error=${page?.error} onRetry=${page?.error?.status === 400 ? undefined : again}
        read=${rows[0]} />
      <${Rows} noun=${noun} rows=${rows} address=${address} context=${context} onOpen=${open} picks=${picks}
        since=${hasChanged ? changed : undefined} call=${pageCall} />
      ${page && rows.length === 0 && !page.error && html`
        <${Nothing} noun=${noun} filtered=${isFiltered(noun, address)} categories=${categories} />`}
    </div>
    <div class="bulk">${bar}</div>
    <${Pager} page=${pageOf(address)} total=${page?.total ?? 0} call=${call} />`;
}
