// The selection of records in a table.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { opened } from "../shell/later.js";

/** @typedef {import("./nouns.js").Noun} Noun */
/** @typedef {import("./nouns.js").Row} Row */
/**
 * @typedef {object} Picks
 * @property {Set<string>} picked
 * @property {(id: string, range?: boolean) => void} toggle
 * @property {() => void} toggleAll
 * @property {boolean} all
 */

const BulkBar = opened(() => import("./bulkbar.js"), "BulkBar");

/**
 * Returns the selected records of a page, and a bar of actions for them.
 * @param {Noun} noun
 * @param {Row[]} rows  of the page
 * @param {number} total  of all pages
 * @param {string} path  the path that reads the page
 * @returns {{picks?: Picks, bar: any}}  no picks if records of the noun cannot be deleted
 */
export function useBulk(noun, rows, total, path) {
  const [picked, setPicked] = useState(/** @type {Set<string>} */ (new Set()));
  const [every, setEvery] = useState(/** @type {Row[]|null} */ (null)); // the selected rows of all pages
  const last = useRef("");
  const ids = rows.map((row) => String(row[noun.id]));
  const there = ids.filter((id) => picked.has(id));
  const pick = (/** @type {string[]} */ some, /** @type {Row[]|null} */ whole = null) => {
    setPicked(new Set(some));
    setEvery(whole);
  };
  const none = () => pick([]);
  useEffect(none, [noun]);
  useEffect(() => setEvery(null), [total]);
  if (!noun.remove) return { bar: null };
  const toggle = (/** @type {string} */ id, range = false) => { // range: also toggles those since the last one
    const [from, to] = [ids.indexOf(range && ids.includes(last.current) ? last.current : id), ids.indexOf(id)];
    const some = ids.slice(Math.min(from, to), Math.max(from, to) + 1);
    last.current = id;
    pick(picked.has(id) ? there.filter((one) => !some.includes(one)) : [...there, ...some]);
  };
  const all = there.length === ids.length;
  const toggleAll = () => pick(all ? [] : ids);
  const chosen = every ?? rows.filter((row) => picked.has(String(row[noun.id])));
  const bar = chosen.length > 0 && html`
    <${BulkBar} noun=${noun} rows=${chosen} more=${all && !every ? total : 0} path=${path} onDone=${none}
      onAll=${(/** @type {Row[]} */ found) => pick(found.map((row) => String(row[noun.id])), found)} />`;
  return { picks: { picked: new Set(there), toggle, toggleAll, all }, bar };
}
