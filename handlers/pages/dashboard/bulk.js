// The selection of records in each table. It lasts while the user pages, sorts, filters and visits other views.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { opened } from "../shell/later.js";

/** @typedef {import("./nouns.js").Noun} Noun */
/** @typedef {import("./nouns.js").Row} Row */
/**
 * @typedef {object} Picks
 * @property {Set<string>} picked  of this page
 * @property {boolean} some  whether any record is selected, on this page or another
 * @property {(id: string, range?: boolean) => void} toggle
 * @property {(from: string, to: string) => void} extend  selects both, or no longer the first if the second is selected
 * @property {() => void} toggleAll
 * @property {boolean} all
 */

/** The selected records of each noun. @type {Record<string, Row[]>} */
const kept = {};

const BulkBar = opened(() => import("./bulkbar.js"), "BulkBar");

/**
 * Returns the selected records, and a bar of actions for them.
 * @param {Noun} noun
 * @param {Row[]} rows  of the page
 * @param {number} total  of all pages
 * @param {string} path  the path that reads the page
 * @returns {{picks?: Picks, bar: any}}  no picks if records of the noun cannot be deleted
 */
export function useBulk(noun, rows, total, path) {
  const idOf = (/** @type {Row} */ row) => String(row[noun.id]);
  const last = useRef("");
  const left = useRef(false); // whether another view or table shows, which ends what the bar does
  useEffect(() => () => void (left.current = true), []);
  const ids = rows.map(idOf);
  const [old, pick] = useState(kept[noun.name] ?? []); // of any page, as of their selection
  const isBack = useRef(old.length > 0).current;
  kept[noun.name] = old;
  const chosen = old.map((row) => rows[ids.indexOf(idOf(row))] ?? row);
  const picked = new Set(chosen.map(idOf));
  const there = ids.filter((id) => picked.has(id));
  const away = chosen.filter((row) => !ids.includes(idOf(row)));
  if (!noun.remove) return { bar: null };
  const put = (/** @type {string[]} */ some) => pick([...away, ...rows.filter((row) => some.includes(idOf(row)))]);
  const toggle = (/** @type {string} */ id, range = false) => { // range: also toggles those since the last one
    const [from, to] = [ids.indexOf(range && ids.includes(last.current) ? last.current : id), ids.indexOf(id)];
    const some = ids.slice(Math.min(from, to), Math.max(from, to) + 1);
    last.current = id;
    put(picked.has(id) ? there.filter((one) => !some.includes(one)) : [...there, ...some]);
  };
  const extend = (/** @type {string} */ from, /** @type {string} */ to) => {
    last.current = to;
    put(picked.has(to) ? there.filter((one) => one !== from) : [...there, from, to]);
  };
  const all = there.length === ids.length;
  const toggleAll = () => put(all ? [] : ids);
  const bar = chosen.length > 0 && html`
    <${BulkBar} noun=${noun} rows=${chosen} away=${away} more=${there[0] && (all || away[0]) ? total : 0} path=${path}
      onPick=${pick} left=${left} isBack=${isBack} />`;
  return { picks: { picked: new Set(there), some: chosen.length > 0, toggle, extend, toggleAll, all }, bar };
}
