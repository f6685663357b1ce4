// Shows what a write changed: before and after, with a link to the record.

import { html, useEffect, useMemo, useState } from "../library/preact.js";
import { follow, link } from "../shell/address.js";
import { Code } from "../shell/calls.js";
import { plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { session } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { readBounded, usePast } from "./bounded.js";
import { allOf, toldOf } from "./changes.js";
import { journal } from "./journal.js";
import { nounAt, nouns } from "./nouns.js";
import { differenceOf, isWrite, writesAfter } from "./states.js";
import { askUndo, ownOf, undoCall } from "./writes.js";

/** @typedef {import("../shell/types.js").Entry} Entry */

const MOST = 1 << 20; // characters of a state; a longer one is too much beside a request
const SHOWN = 5; // records
const QUIET = 1000; // ms without a write, after which the states are read again
const SOON = 200; // the same in ms, where no later request has to be undone first

/** @typedef {{rows: ReturnType<typeof allOf>, categories: Map<number, string>}} Told */

const KEPT = 100; // writes, as many as undo reaches

/** What the shown writes did, because the server no longer knows it after an undo. @type {Map<string, Told>} */
const told = new Map();

/** Keeps what a write did, and forgets the oldest. @param {Entry} entry @param {Told} what */
function keep(entry, what) {
  told.set(keyOf(entry), what);
  if (told.size > KEPT) told.delete(/** @type {string} */ (told.keys().next().value));
}

/** @param {Entry} entry  the server uses the same id again after a restart */
const keyOf = ({ id, receivedAt }) => `${id} ${receivedAt}`;

/** @param {{entry: Entry}} props */
export function Effect({ entry }) {
  const { summary } = useStore(session);
  if (entry.undone) return html`<${Undone} entry=${entry} />`;
  return isWrite(entry) && (summary?.undoable || told.has(keyOf(entry)))
    ? html`<${Changed} key=${entry.id} entry=${entry} writes=${summary?.writes ?? 0} />`
    : null;
}

/**
 * Returns what the journal's texts say that a request did; undefined if they are cut.
 * @param {Entry} entry @returns {Partial<Told>|undefined}
 */
function toldBy({ method, path, body = "", response }) {
  const noun = nounAt(path);
  try {
    const id = noun && { [noun.id]: Number(path.split("/").at(-1)) };
    const record = method === "DELETE" ? id : JSON.parse(response?.body ?? "");
    if (!noun || !record[noun.id]) return undefined;
    const set = method === "POST" ? {} : JSON.parse(body || "{}");
    const before = { ...record, ...Object.fromEntries(Object.keys(set).map((name) => [name, undefined])) };
    const row = method === "POST" ? { what: "added", record }
      : method === "DELETE" ? { what: "removed", record } : { what: "changed", record, before };
    return { rows: [{ noun, row }] };
  } catch {
    return undefined;
  }
}

/** @param {{entry: Entry}} props */
function Undone({ entry }) {
  const known = told.get(keyOf(entry));
  return html`<section class="message effect-of reverted" aria-label="What it changed">
    <div class="row">
      <h3>Effect</h3>
      <span class="note grow">Undone${!known && entry.method !== "POST" && ". The values before are not kept."}</span>
    </div>
    <${Rows} ...${known ?? toldBy(entry)} undone none="What it changed is no longer kept." />
  </section>`;
}

/**
 * Returns the number of writes, once it has not changed for a while.
 * @param {number} writes  the current number
 * @param {number} quiet  ms
 */
function useSettled(writes, quiet) {
  const [settled, setSettled] = useState(writes);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(writes), quiet);
    return () => clearTimeout(timer);
  }, [writes, quiet]);
  return settled;
}

/** @param {{entry: Entry, writes: number}} props  writes: the current number */
function Changed({ entry, writes }) {
  const { entries } = useStore(journal);
  const later = writesAfter(entries, entry.id);
  const settled = useSettled(writes, later.length > 0 ? QUIET : SOON);
  const read = usePast(entry.id, MOST, settled);
  const { state, before } = read ?? {};
  const rows = useMemo(() => (state && before ? allOf(differenceOf(before, state, nouns)) : []), [read]);
  const categories = new Map(state?.categories.map(({ id, name }) => [id, name]));
  if (rows.length > 0) keep(entry, { rows, categories });
  const [found, setFound] = useState({ writes: -1, last: false, edited: true });
  useEffect(() => {
    if (!read) return undefined;
    const stop = new AbortController();
    const now = rows.length > 0 ? readBounded("admin/state", MOST, stop.signal) : Promise.resolve();
    const note = (/** @type {any} */ state) => {
      const last = Boolean(state) && !ownOf(session.get().summary)
        && JSON.stringify(state) === JSON.stringify(read.state);
      setFound({ writes: settled, last, edited: !last && later.length === 0 });
    };
    now.then(note, () => undefined);
    return () => stop.abort();
  }, [rows, settled]);
  const known = found.writes === writes;
  const edited = known ? !found.last : found.edited; // unknown after a write or an undo: keeps its place meanwhile
  return html`<section class="message effect-of" aria-label="What it changed">
    <div class="row">
      <h3>Effect</h3>
      ${later.length === 0 && !edited && html`<span class="pair">
        <button type="button" disabled=${!known} onClick=${() => askUndo(entry, writes)}>
          <${Icon} name="undo" />Undo
        </button>
        <${Code} label="undo" call=${() => undoCall()} />
      </span>`}
      ${entry.changed && !read?.error && (later.length > 0 || (found.writes >= 0 && edited && rows.length > 0)) && html`
        <${Later} later=${later} before=${(!read || before) && beforeOf(entry, rows)} />`}
    </div>
    ${(entry.status === 0 || entry.status >= 400) && html`
      <p class="note">The operation ran, and the client was not told.</p>`}
    <${Rows} rows=${rows} categories=${categories}
      none=${read && (read.error?.code === "unreachable" ? "The server does not answer."
        : state && before ? "Nothing changed." : "It is not kept any more, or is too large to show.")} />
  </section>`;
}

/**
 * Links to the store before a write: to its table, and its record if that was there.
 * @param {Entry} entry @param {Told["rows"]} rows
 */
function beforeOf({ id, path }, rows) {
  const noun = nounAt(path) ?? rows[0]?.noun;
  const there = rows.find((one) => one.noun === noun && one.row.what !== "added");
  const open = there && String(there.row.record[noun.id]);
  return link({ view: "data", at: String(-id), table: noun?.name, open });
}

/**
 * Says what must be undone before a write.
 * @param {{later: Entry[], before?: any}} props  later: the writes after it, newest first; before: address of the store
 */
export function Later({ later, before }) {
  const { length: n, 0: last } = later;
  return html`<p class="note grow">
    ${n === 0 ? "A later edit, restore or import must be undone first." : html`
      ${plural(n, "later request")} must be undone first${n > 1 ? "; the last is" : ":"}${" "}
      <a class="wire" href=${link({ view: "requests", id: String(last.id) })} onClick=${follow}>
        ${last.method} ${last.path}</a>.`}
    ${before && html`${" "}See <a href=${before} onClick=${follow}>the store before this request</a>.`}
  </p>`;
}

/**
 * The changed records.
 * @param {Partial<Told> & {none?: any, undone?: boolean}} props  none: what to say if there are none
 */
const Rows = ({ rows = [], categories = new Map(), none, undone }) => html`
  <ul class="effect">
    ${none && rows.length === 0 && html`<li class="note">${none}</li>`}
    ${rows.slice(0, SHOWN).map(({ noun, row: { what, record, before } }) => html`
      <li key=${`${noun.name} ${record[noun.id]}`}>
        <span class=${`badge is-${what}`}>${what}</span>
        ${what === "removed" || (undone && what === "added")
          ? html`<span>${noun.one} ${record[noun.id]}</span>`
          : html`<${Record} noun=${noun} id=${String(record[noun.id])} />`}
        <span class="told">${toldOf(categories, record, before)}</span>
      </li>`)}
  </ul>
  ${rows.length > SHOWN && html`<p class="note">And ${rows.length - SHOWN} more.</p>`}`;

/** A link to a record. @param {{noun: import("./nouns.js").Noun, id: string}} props */
const Record = ({ noun, id }) => html`
  <a href=${link({ view: "data", table: noun.name, open: id })} onClick=${follow}>${noun.one} ${id}</a>`;
