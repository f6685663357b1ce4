// Shows what a write changed: before and after, with a link to the record.

import { html, useEffect, useMemo, useState } from "../library/preact.js";
import { follow, link } from "../shell/address.js";
import { Code } from "../shell/calls.js";
import { Icon } from "../shell/icon.js";
import { session, undone } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { readBounded, usePast } from "./bounded.js";
import { toldOf } from "./changes.js";
import { journal } from "./journal.js";
import { nouns } from "./nouns.js";
import { differenceOf, isWrite } from "./states.js";
import { askUndo, ownOf, undoCall } from "./writes.js";

/** @typedef {import("../shell/types.js").Entry} Entry */

const MOST = 1 << 20; // characters of a state; a longer one is too much beside a request
const SHOWN = 5; // records
const QUIET = 1000; // ms without a write, after which the states are read again

/** @param {{entry: Entry}} props */
export function Effect({ entry }) {
  const { summary } = useStore(session);
  return isWrite(entry) && summary?.undoable
    ? html`<${Changed} key=${entry.id} entry=${entry} writes=${summary.writes} />`
    : null;
}

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
  const settled = useSettled(writes);
  const read = usePast(entry.id, MOST, settled);
  const { error, before } = read ?? {};
  const gone = undone.has(entry.requestId) || Boolean(error?.status === 410 && before); // as undo goes back in order
  useEffect(() => {
    if (!gone) return;
    undone.add(entry.requestId);
    journal.set({}); // the list says it too
  }, [gone]);
  const rows = useMemo(() => {
    if (gone || !read?.state || !read.before) return [];
    const difference = differenceOf(read.before, read.state, nouns);
    return nouns.flatMap((noun) => {
      const { added, changed, removed } = difference[noun.name];
      return [
        ...added.map((record) => ({ noun, what: "added", record, before: undefined })),
        ...changed.map(({ before, after }) => ({ noun, what: "changed", record: after, before })),
        ...removed.map((record) => ({ noun, what: "removed", record, before: undefined })),
      ];
    });
  }, [read, gone]);
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
  const last = found.writes === writes && found.last;
  const categories = new Map(read?.state?.categories.map(({ id, name }) => [id, name]));
  return html`<section class="message effect-of" aria-label="What it changed">
    <div class="row">
      <h3>Effect</h3>
      ${last && html`<span class="pair">
        <button type="button" onClick=${() => askUndo(entry, writes)}><${Icon} name="undo" />Undo</button>
        <${Code} label="undo" call=${() => undoCall()} />
      </span>`}
      ${rows.length > 0 && found.writes === writes && !last && html`
        <span class="note">Undo reaches the last write first.</span>`}
    </div>
    ${(entry.status === 0 || entry.status >= 400) && html`
      <p class="note">The operation ran, and the client was not told.</p>`}
    <ul class=${/(create|delete)Pet$/.test(entry.operationId ?? "") ? "effect two" : "effect"}>
      ${read && rows.length === 0 && html`
        <li class="note">
          ${gone ? "It was undone."
            : error?.code === "unreachable" ? "The server does not answer."
            : before ? "Nothing changed." : "It is not kept any more, or is too large to show."}
        </li>`}
      ${rows.slice(0, SHOWN).map(({ noun, what, record, before }) => html`
        <li key=${`${noun.name} ${record[noun.id]}`}>
          <span class=${`badge is-${what}`}>${what}</span>
          ${what === "removed"
            ? html`<span>${noun.one} ${record[noun.id]}</span>`
            : html`<${Record} noun=${noun} id=${String(record[noun.id])} />`}
          <span class="told">${toldOf(categories, record, before)}</span>
        </li>`)}
    </ul>
    ${rows.length > SHOWN && html`<p class="note">And ${rows.length - SHOWN} more.</p>`}
  </section>`;
}

/** A link to a record. @param {{noun: import("./nouns.js").Noun, id: string}} props */
const Record = ({ noun, id }) => html`
  <a href=${link({ view: "data", table: noun.name, open: id })} onClick=${follow}>${noun.one} ${id}</a>`;
