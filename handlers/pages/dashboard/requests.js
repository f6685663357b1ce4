// The requests of the sandbox as they come, and why they were answered as they were.

import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../library/preact.js";
import { change, useAddress } from "../shell/address.js";
import { root, sandbox } from "../shell/api.js";
import { copy } from "../shell/copy.js";
import { curl } from "../shell/curl.js";
import { Code, CurlLine, Empty, ErrorNote, Status } from "../shell/components.js";
import { Confirm } from "../shell/confirm.js";
import { count, day, duration, moment, plural, statusClass } from "../shell/format.js";
import { useKeys } from "../shell/keys.js";
import { session, write } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { say, sayError } from "../shell/toast.js";
import { useWindow } from "../shell/virtual.js";
import { Archive } from "./archive.js";
import { callOf } from "./calls.js";
import { Detail } from "./detail.js";
import { Groups } from "./groups.js";
import { deprecated, errorOf, follow, journal, load, NO_OPERATION, olderKept, reasonOf } from "./journal.js";
import { useMore } from "./more.js";
import { Older } from "./older.js";

/** @typedef {import("../shell/types.js").Entry} Entry */

const ANY = "any"; // fault rule, where it is not an id

const filters = ["q", "op", "class", "clientName", "fault", "deprecated", "code"];

/**
 * Returns whether an entry is one of those that the address asks for.
 * @param {Record<string, string>} wanted
 * @returns {(entry: Entry) => boolean}
 */
function matcher(wanted) {
  const text = (wanted.q ?? "").toLowerCase();
  return (entry) =>
    (!wanted.op || (entry.operationId ?? NO_OPERATION) === wanted.op) &&
    (!wanted.class || statusClass(entry.status) === wanted.class) &&
    (!wanted.clientName || entry.clientName === wanted.clientName) &&
    (!wanted.fault || (wanted.fault === ANY ? Boolean(entry.fault) : String(entry.fault) === wanted.fault)) &&
    (!wanted.deprecated || deprecated(entry)) &&
    (!wanted.code || errorOf(entry)?.code === wanted.code) &&
    (!text || searched(entry).includes(text));
}

/** @param {Entry} entry */
const searched = (entry) =>
  `${entry.method} ${entry.path}?${entry.query ?? ""} ${entry.status} ${entry.operationId ?? ""} ${entry.requestId} ${entry.client} ${entry.clientName ?? ""} ${entry.body ?? ""} ${entry.response?.body ?? ""}`.toLowerCase();

export default function Requests() {
  const wanted = useAddress();
  const state = useStore(journal);
  const { entries, loading, error, lost } = state;
  const { summary } = useStore(session);
  const older = olderKept(state, summary);
  const today = summary && day(summary.clock.now);
  useEffect(follow, []);
  const matches = useMemo(() => matcher(wanted), [filters.map((name) => wanted[name]).join("\n")]);
  const found = useMemo(() => entries.filter(matches), [entries, matches]);
  const search = useRef(/** @type {HTMLInputElement|null} */ (null));
  const [paused, setPaused] = useState(false);
  useKeys({
    "/": () => search.current?.focus(),
    p: () => setPaused(!paused),
  });
  return html`<div class="requests">
    <${Filters} wanted=${wanted} entries=${entries} found=${found} search=${search} paused=${paused} onPause=${() => setPaused(!paused)} />
    <${ErrorNote} error=${error} onRetry=${load} />
    ${lost > 0 && html`<p class="banner">${plural(lost, "request")} came while the page was not connected, and the journal has no room for them any more.
      <button type="button" class="quiet" onClick=${() => journal.set({ lost: 0 })}>Dismiss</button></p>`}
    ${wanted.group
      ? html`<${Groups} entries=${found} older=${older} today=${today} />`
      : html`<${List} found=${found} all=${entries} older=${older} today=${today} loading=${loading} paused=${paused} open=${Number(wanted.id) || 0} />`}
  </div>`;
}

/** @param {{wanted: Record<string, string>, entries: Entry[], found: Entry[], search: any, paused: boolean, onPause: () => void}} props */
function Filters({ wanted, entries, found, search, paused, onPause }) {
  const set = (/** @type {string} */ name) => (/** @type {any} */ event) => change({ [name]: event.target.value, id: "" });
  const toggle = (/** @type {string} */ name, on = "1") => () => change({ [name]: wanted[name] ? "" : on, id: "" });
  const operations = useMemo(() => distinct(entries.map((entry) => entry.operationId ?? NO_OPERATION), wanted.op), [entries, wanted.op]);
  const names = useMemo(() => distinct(entries.map(({ clientName = "" }) => clientName), wanted.clientName), [entries, wanted.clientName]);
  const any = filters.some((name) => wanted[name]);
  const [clearing, setClearing] = useState(false);
  const clear = { method: "DELETE", path: "admin/requests" };
  const [look, more] = useMore(filters.filter((name) => name !== "q" && wanted[name]).length);
  return html`<form class=${look} role="search" onSubmit=${(/** @type {Event} */ e) => e.preventDefault()}>
    <input ref=${search} type="search" aria-label="Filter by text" placeholder="Filter  ( / )" title="Path, query, bodies, status, client, request id" value=${wanted.q ?? ""} onInput=${set("q")}
      onKeyDown=${(/** @type {KeyboardEvent} */ e) => e.key === "Escape" && search.current.blur()} />
    ${more}
    <select aria-label="Status" value=${wanted.class ?? ""} onChange=${set("class")}>
      <option value="">any status</option>${["2xx", "3xx", "4xx", "5xx", "broken"].map((name) => html`<option key=${name} value=${name}>${name === "broken" ? "broken off" : name}</option>`)}
    </select>
    <select aria-label="Operation" value=${wanted.op ?? ""} onChange=${set("op")}>
      <option value="">any operation</option>${operations.map((name) => html`<option key=${name} value=${name}>${name === NO_OPERATION ? "no operation" : name}</option>`)}
    </select>
    <select aria-label="Client name" value=${wanted.clientName ?? ""} onChange=${set("clientName")}>
      <option value="">any client</option>${names.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
    </select>
    <button type="button" aria-pressed=${Boolean(wanted.fault)} onClick=${toggle("fault", ANY)}>⚡ ${!wanted.fault || wanted.fault === ANY ? "faults" : `rule ${wanted.fault}`}</button>
    <button type="button" aria-pressed=${Boolean(wanted.deprecated)} onClick=${toggle("deprecated")}>deprecated</button>
    <button type="button" aria-pressed=${Boolean(wanted.group)} onClick=${toggle("group")}>Group errors</button>
    ${wanted.code && html`<button type="button" aria-pressed="true" onClick=${() => change({ code: "" })}>${wanted.code} ✕</button>`}
    <span class="filters-end"><span class="note">${any ? `${count(found.length)} of ${count(entries.length)}` : entries.length > 0 && plural(entries.length, "request")}
      ${any && html` <button type="button" class="quiet" onClick=${() => change(Object.fromEntries(filters.map((name) => [name, ""])))}>Show all</button>`}</span>
    <button type="button" aria-pressed=${paused} title="Pause and go on ( p )" onClick=${onPause}>${paused ? "Paused" : "Pause"}</button>
    <${Archive} wanted=${wanted} found=${found} />
    <span class="pair"><button type="button" disabled=${entries.length === 0} onClick=${() => setClearing(true)}>Clear…</button>
      <${Code} label="clear the journal" call=${() => clear} /></span></span>
    ${clearing && html`<${Confirm} title="Forget the requests?" verb="Forget them" label="clear the journal" call=${clear} onConfirm=${() => { setClearing(false); write(clear).then(load, sayError); }} onClose=${() => setClearing(false)}>
      <p>The server forgets all requests of ${sandbox}, for everybody, those too that the filters hide. There is no undo.</p><//>`}
  </form>`;
}

/** @param {string[]} values  @param {string} [chosen] */
const distinct = (values, chosen) => [...new Set([...values, chosen ?? ""])].filter(Boolean).sort();

/** @param {{found: Entry[], all: Entry[], older: number, today?: string, loading: boolean, paused: boolean, open: number}} props */
function List({ found, all, older, today, loading, paused, open }) {
  const [at, setAt] = useState(0); // id of the row that the keyboard is at
  const [held, setHeld] = useState(/** @type {number|null} */ (null)); // newest id that is shown; null: whatever comes
  const shown = useMemo(() => (held === null ? found : found.filter((entry) => entry.id <= held)), [found, held]);
  const { scroller, first, last, line, atTop, show, toTop } = useWindow(shown.length);
  const hold = paused || !atTop || open > 0;
  useEffect(() => setHeld(hold && !loading ? (held ?? all[0]?.id ?? 0) : null), [hold, loading]);
  const dated = useMemo(() => today && found.some(({ time }) => day(time) !== today), [found, today]);
  const waiting = found.length - shown.length;
  const entry = open ? all.find(({ id }) => id === open) : undefined;

  const list = useRef(/** @type {HTMLElement|null} */ (null));
  const panel = useRef(/** @type {HTMLElement|null} */ (null));
  const entering = useRef(false); // whether the keyboard goes into the panel
  useLayoutEffect(() => {
    if (entering.current) panel.current?.focus({ preventScroll: true });
    entering.current = false;
  });
  const select = (/** @type {number} */ id) => {
    setAt(id);
    change({ id: String(id) });
  };
  const close = () => { // where the keyboard was before
    setAt(open);
    change({ id: "" });
    list.current?.focus({ preventScroll: true });
  };
  const move = (/** @type {number} */ by) => {
    const now = shown.findIndex(({ id }) => id === (open || at));
    const next = shown[now < 0 ? 0 : Math.max(0, Math.min(shown.length - 1, now + by))];
    if (!next) return;
    show(shown.indexOf(next));
    entering.current = Boolean(panel.current?.contains(document.activeElement)); // it stays there
    if (open) select(next.id);
    else setAt(next.id);
  };
  const chosen = () => shown.find(({ id }) => id === (open || at));
  const showNew = () => {
    toTop();
    setHeld(paused || open ? (all[0]?.id ?? 0) : null);
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => {
      const one = chosen();
      entering.current = Boolean(one);
      if (one) select(one.id);
    },
    Escape: close,
    c: () => {
      const one = chosen();
      if (one) copy(curl(callOf(one))).then((ok) => say(ok ? "Copied as curl" : "Could not copy", { about: ["copy"] }));
    },
  });
  const arrows = (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      event.preventDefault();
      move(by);
    }
  };
  const current = open || at;
  return html`<div class=${open > 0 && !loading ? "split has-detail" : "split"}>
    <div class="list-side">
      <div class="list-bar" role="status">
        ${waiting > 0 && html`<button type="button" class="primary" onClick=${showNew}>↑ ${count(waiting)} new</button>`}
      </div>
      <div class=${dated ? "list dated" : "list"} ref=${scroller}>
        ${shown.length > 0 && html`<ul ref=${list} role="listbox" aria-label="Requests, newest first" tabindex="0" aria-activedescendant=${current ? `request-${current}` : undefined} onKeyDown=${arrows} style=${{ height: `${shown.length * line}px` }}>
          ${shown.slice(first, last).map((one, i) => html`<${Row} key=${one.id} entry=${one} today=${today} top=${(first + i) * line} current=${one.id === current} onOpen=${() => select(one.id)} />`)}
        </ul>`}
        ${shown.length === 0 && !loading && (all.length === 0 ? html`<${NoRequests} />` : html`<${Empty} title="Nothing matches">
          <button type="button" onClick=${() => change(Object.fromEntries(filters.map((name) => [name, ""])))}>Show all ${count(all.length)}</button><//>`)}
        <${Older} older=${older} />
      </div>
    </div>
    ${entry && html`<${Detail} key=${entry.id} panel=${panel} entry=${entry} onClose=${close} />`}
    ${open > 0 && !entry && !loading && html`<aside class="detail">${older > 0 && open < (all.at(-1)?.id ?? 0)
      ? html`<${Empty} title="This request is not shown yet"><p>It is older than those in the list.</p><${Older} older=${older} /><//>`
      : html`<${Empty} title="This request is gone"><p>The journal has no room for it any more, or was cleared.</p><button type="button" onClick=${close}>Close</button><//>`}</aside>`}
  </div>`;
}

const NoRequests = () => html`<${Empty} title="No requests yet">
  <p>Requests to <span class="wire">${root.href}</span> show here as they come. Try:</p>
  <${CurlLine} call=${{ method: "GET", path: "pets?limit=2", service: true }} /><//>`;

/** @param {{entry: Entry, today?: string, top: number, current: boolean, onOpen: () => void}} props */
function Row({ entry, today, top, current, onOpen }) {
  const reason = reasonOf(entry);
  return html`<li id=${`request-${entry.id}`} role="option" aria-selected=${current} class="request" style=${{ top: `${top}px` }} onClick=${onOpen}>
    <span class="when">${moment(entry.time, today)}</span>
    <span class="method">${entry.method}</span>
    <span class="what" title=${entry.path}><span class="path">${entry.path}${entry.query && html`<span class="query">?${entry.query}</span>`}</span>
      ${deprecated(entry) && html` <span class="tag">deprecated</span>`}</span>
    <${Status} status=${entry.status} />
    <span class="took">${duration(entry.durationMs)}</span>
    <span class="reason" title=${reason}>${reason}</span>
    <span class="client" title=${entry.client}>${entry.clientName ?? entry.client}</span>
  </li>`;
}

