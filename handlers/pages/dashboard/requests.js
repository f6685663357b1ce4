// The requests of the sandbox as they arrive, and why each got its response.

import { html, useEffect, useMemo, useRef, useState } from "../library/preact.js";
import { change, useAddress } from "../shell/address.js";
import { ErrorNote } from "../shell/components.js";
import { plural } from "../shell/format.js";
import { useKeys } from "../shell/keys.js";
import { opened } from "../shell/later.js";
import { session } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { Filters } from "./filters.js";
import { folded } from "./fold.js";
import {
  agentOf, cameAt, deprecated, effectOf, errorOf, fieldOf, follow, journal, load, olderKept, reasonOf, textsOf,
} from "./journal.js";
import { List } from "./list.js";
import { addressOf, isStatus, NO_CLIENT, NO_OPERATION, parse, searchOf, valuesOf } from "./search.js";
import { Strip, useBuckets } from "./strip.js";

/** @typedef {import("../shell/types.js").Entry} Entry */

const Groups = opened(() => import("./groups.js"), "Groups");
const Title = opened(() => import("./groups.js"), "Title");

/** Matches a search for any fault, or any deprecation. */
const ANY = /^(any|yes)$/i;

/** Returns the names of an entry that a word can be a part of. @type {Record<string, (entry: Entry) => string[]>} */
const namesOf = {
  client: (entry) => [entry.clientName?.toLowerCase() ?? NO_CLIENT, entry.client, agentOf(entry).toLowerCase()],
  op: ({ operationId = NO_OPERATION }) => [operationId.toLowerCase()],
};

/**
 * Returns a function that reports whether an entry matches the search: one value of each word, and all free words. An
 * operation or a client that no entry has is part of a name.
 * @param {string} search
 * @param {Entry[]} entries
 * @returns {(entry: Entry) => boolean}
 */
export function matcher(search, entries) {
  const { by, words } = parse(search);
  const named = (/** @type {"client"|"op"} */ word) => {
    const tests = valuesOf(by[word]).map((wanted) => {
      const is = (/** @type {Entry} */ entry) => namesOf[word](entry).includes(wanted);
      return entries.some(is) ? is : (/** @type {Entry} */ entry) =>
        namesOf[word](entry).some((name) => name.includes(wanted));
    });
    return (/** @type {Entry} */ entry) => !by[word] || tests.some((test) => test(entry));
  };
  const [isOfOperation, isOfClient] = [named("op"), named("client")];
  const fits = (/** @type {string} */ word, /** @type {string} */ is) =>
    !by[word] || valuesOf(by[word]).includes(is.toLowerCase());
  return (entry) =>
    isOfOperation(entry) &&
    (!by.method || valuesOf(by.method).some((one) => entry.method.toLowerCase().startsWith(one))) &&
    isOfClient(entry) &&
    (!by.status || isStatus(by.status, entry.status)) &&
    (ANY.test(by.fault) ? Boolean(entry.fault) : fits("fault", String(entry.fault))) &&
    (!by.deprecated || deprecated(entry)) &&
    fits("code", errorOf(entry)?.code ?? "") &&
    fits("field", fieldOf(entry)) &&
    (words.length === 0 || has(searched(entry), words));
}

/** @param {string} text @param {string[]} words */
const has = (text, words) => words.every((word) => text.includes(word));

/** @param {Entry} entry */
const searched = (entry) => [
  entry.method, `${entry.path}?${entry.query ?? ""}`, entry.status, entry.operationId, entry.client,
  ...Array.from(new URLSearchParams(entry.query), (pair) => pair.join("=")), // decoded
  entry.clientName, ...textsOf(entry), errorOf(entry)?.message, reasonOf(entry), effectOf(entry),
].join(" ").toLowerCase();

/** Reports whether an entry is in the selected part of the strip. @param {Record<string, string>} address */
function inPart({ from, to }) {
  if (!from || !to) return () => true;
  return (/** @type {Entry} */ entry) => cameAt(entry) >= Number(from) && cameAt(entry) < Number(to);
}

export default function Requests() {
  const address = useAddress();
  const search = searchOf(address);
  const state = useStore(journal);
  const { entries, loading, error, lost } = state;
  const { summary, paused = false } = useStore(session);
  const { older, gone } = olderKept(state, summary);
  useEffect(follow, []);
  const rows = useMemo(() => folded(entries), [entries]);
  const found = useMemo(() => {
    const matches = matcher(search, entries);
    return rows.filter(({ entry }) => matches(entry));
  }, [rows, search]);
  const buckets = useBuckets(rows, found);
  const part = useMemo(() => {
    const inside = inPart(address);
    return found.filter(({ entry }) => inside(entry));
  }, [found, address.from, address.to]);
  const shown = useMemo(() => part.map(({ entry }) => entry), [part]);
  const [picked, setPicked] = useState(/** @type {Set<number>} */ (new Set()));
  const box = useRef(/** @type {HTMLInputElement|null} */ (null));
  const pause = () => session.set({ paused: !paused });
  useEffect(() => () => session.set({ paused: false }), []);
  useKeys({
    "/": () => {
      box.current?.focus();
      box.current?.select();
    },
    p: pause,
  });
  const showAll = () => change({ ...addressOf(""), from: "", to: "", group: address.group === "1" ? "1" : "" });
  const filtered = Boolean(search || address.from);
  return html`<div class="requests">
    <${Filters} search=${search} filtered=${filtered} group=${address.group} entries=${entries} found=${part}
      picked=${picked} older=${older} gone=${gone}
      preflights=${entries.length - rows.length} box=${box} paused=${paused} onPause=${pause}
      onShowAll=${showAll} />
    <${ErrorNote} error=${error} onRetry=${load} read=${entries[0]} />
    ${lost > 0 && html`<p class="banner">
      ${plural(lost, "request")} came while the page was not connected, and the journal has no room for them any more.
      <button type="button" class="quiet" onClick=${() => journal.set({ lost: 0 })}>Dismiss</button>
    </p>`}
    ${(rows.length > 0 || !error) && html`
      <${Strip} rows=${rows} buckets=${buckets} from=${Number(address.from) || 0} to=${Number(address.to) || 0} />`}
    ${address.group === "in" && html`<${Title} search=${search} />`}
    ${address.group === "1"
      ? html`<${Groups} entries=${shown} older=${older} search=${search}
          onShowAll=${filtered ? showAll : undefined} />`
      : html`<${List} found=${part} all=${rows} search=${search} older=${older} loading=${loading}
          picked=${picked} onPick=${setPicked}
          paused=${paused} open=${Number(address.id) || 0} onShowAll=${showAll} />`}
  </div>`;
}
