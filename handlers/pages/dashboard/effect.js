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
import { nouns } from "./nouns.js";
import { differenceOf, isWrite, writesAround } from "./states.js";
import { askUndo, ownOf, undoCall } from "./writes.js";

/** @typedef {import("../shell/types.js").Entry} Entry */

const MOST = 1 << 20; // characters of a state; a longer one is too much beside a request
const SHOWN = 5; // records
const QUIET = 1000; // ms without a write, after which the states are read again

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

/** @param {{entry: Entry}} props */
const Undone = ({ entry }) => html`
  <section class="message effect-of reverted" aria-label="What it changed">
    <div class="row">
      <h3>Effect</h3>
      <span class="note">Undone</span>
    </div>
    <${Rows} ...${told.get(keyOf(entry))} none="What it changed is no longer kept." />
  </section>`;

/** Returns the number of writes, once it has not changed for a while. @param {number} writes  the current number */
function useSettled(writes) {
  const [settled, setSettled] = useState(writes);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(writes), QUIET);
    return () => clearTimeout(timer);
  }, [writes]);
  return settled;
}

/** @param {{entry: Entry, writes: number}} props  writes: the current number */
function Changed({ entry, writes }) {
  const { entries } = useStore(journal);
  const later = entries.filter(({ id, changed, undone }) => id > entry.id && changed && !undone);
  const settled = useSettled(writes);
  const read = usePast(entry.id, MOST, settled);
  const { state, before } = read ?? {};
  const rows = useMemo(() => (state && before ? allOf(differenceOf(before, state, nouns)) : []), [read]);
  const categories = new Map(state?.categories.map(({ id, name }) => [id, name]));
  if (rows.length > 0) keep(entry, { rows, categories });
  const [found, setFound] = useState({ writes: -1, last: false });
  useEffect(() => {
    if (!read) return undefined;
    const stop = new AbortController();
    const now = rows.length > 0 ? readBounded("admin/state", MOST, stop.signal) : Promise.resolve();
    const note = (/** @type {any} */ state) => setFound({
      writes: settled,
      last: Boolean(state) && !ownOf(session.get().summary) && JSON.stringify(state) === JSON.stringify(read.state),
    });
    now.then(note, () => undefined);
    return () => stop.abort();
  }, [rows, settled]);
  const known = found.writes === writes && later.length === 0;
  return html`<section class="message effect-of" aria-label="What it changed">
    <div class="row">
      <h3>Effect</h3>
      ${known && found.last && html`<span class="pair">
        <button type="button" onClick=${() => askUndo(entry, writes)}><${Icon} name="undo" />Undo</button>
        <${Code} label="undo" call=${() => undoCall()} />
      </span>`}
      ${entry.changed && !read?.error && (later.length > 0 || (known && rows.length > 0 && !found.last)) && html`
        <${Later} entry=${entry} entries=${entries} later=${later} />`}
    </div>
    ${(entry.status === 0 || entry.status >= 400) && html`
      <p class="note">The operation ran, and the client was not told.</p>`}
    <${Rows} rows=${rows} categories=${categories}
      none=${read && (read.error?.code === "unreachable" ? "The server does not answer."
        : state && before ? "Nothing changed." : "It is not kept any more, or is too large to show.")} />
  </section>`;
}

/**
 * Says what must be undone before a write, and links to the store before it.
 * @param {{entry: Entry, entries: Entry[], later: Entry[]}} props  later: the writes after it, newest first
 */
function Later({ entry, entries, later }) {
  const { length: n, 0: last } = later;
  const { previous } = writesAround(entries, entry.id);
  return html`<p class="note grow">
    ${n === 0 ? "A later edit, restore or import must be undone first." : html`
      ${plural(n, "later request")} must be undone first${n > 1 ? "; the last is" : ":"}${" "}
      <a class="wire" href=${link({ view: "requests", id: String(last.id) })} onClick=${follow}>
        ${last.method} ${last.path}</a>.`}
    ${previous && html`${" "}See${" "}
      <a href=${link({ view: "data", at: String(previous) })} onClick=${follow}>the store before this request</a>.`}
  </p>`;
}

/** The changed records. @param {Partial<Told> & {none?: any}} props  none: what to say if there are none */
const Rows = ({ rows = [], categories = new Map(), none }) => html`
  <ul class="effect">
    ${none && rows.length === 0 && html`<li class="note">${none}</li>`}
    ${rows.slice(0, SHOWN).map(({ noun, row: { what, record, before } }) => html`
      <li key=${`${noun.name} ${record[noun.id]}`}>
        <span class=${`badge is-${what}`}>${what}</span>
        ${what === "removed"
          ? html`<span>${noun.one} ${record[noun.id]}</span>`
          : html`<${Record} noun=${noun} id=${String(record[noun.id])} />`}
        <span class="told">${toldOf(categories, record, before)}</span>
      </li>`)}
  </ul>
  ${rows.length > SHOWN && html`<p class="note">And ${rows.length - SHOWN} more.</p>`}`;

/** A link to a record. @param {{noun: import("./nouns.js").Noun, id: string}} props */
const Record = ({ noun, id }) => html`
  <a href=${link({ view: "data", table: noun.name, open: id })} onClick=${follow}>${noun.one} ${id}</a>`;
