// The list of requests, newest first, with the open one beside it.

import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../library/preact.js";
import { change, go, params, shut } from "../shell/address.js";
import { Status, useLongTouch } from "../shell/components.js";
import { copy } from "../shell/copy.js";
import { clockTime, count, dayAndTime, duration, statusClass } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { useKeys } from "../shell/keys.js";
import { ahead, later, opened } from "../shell/later.js";
import { say, sayError } from "../shell/toast.js";
import { useWindow } from "../shell/virtual.js";
import { divided } from "./fold.js";
import { cameAt, deprecated, effectOf, isFresh, isOfRule, placeIn, reasonOf } from "./journal.js";
import { parse } from "./search.js";

/** @typedef {import("../shell/types.js").Entry} Entry */
/** @typedef {import("./fold.js").RequestRow} RequestRow */

const Detail = later(() => import("./detail.js"), "Detail");
const Grip = later(() => import("../shell/grip.js"), "Grip");
const NoMatch = opened(() => import("./absent.js"), "NoMatch");
const Missing = opened(() => import("./absent.js"), "Missing");
const NoRequests = later(() => import("./norequests.js"), "NoRequests");
const Older = opened(() => import("./older.js"), "Older");
const Picks = opened(() => import("./picks.js"), "Picks");
const calls = ahead(() => import("./calls.js"));

const SLOW = 500; // ms from which a duration is emphasized

/** @param {import("../shell/types.js").Listing} props */
export function List({ found, all, search, older, loading, picked, onPick, paused, open, onShowAll }) {
  const [at, setAt] = useState(0); // the id of the row with the keyboard
  const [held, setHeld] = useState(/** @type {number|null} */ (null)); // the newest id to show; null: all
  const oldest = all.at(-1)?.entry.id ?? 0;
  const upTo = held !== null && (paused || oldest <= held) ? held : Infinity; // a reset removes what was held
  const kept = useMemo(() => found.filter(({ entry }) => entry.id <= upTo), [found, upTo]);
  const rows = useMemo(() => divided(kept), [kept]);
  const current = open || at;
  const { words } = parse(search);
  const { scroller, first, last, line, atTop, show, toTop } =
    useWindow(rows.length, rows.findIndex(({ key }) => key === current));
  const still = paused || open > 0 || picked.size > 0; // so that the next click hits the row that it aims at
  const hold = still || !atTop;
  const newest = all[0]?.entry.id ?? 0;
  useEffect(() => setHeld(hold && !loading ? Math.max(held ?? newest, open) : null), [hold, loading, open]);
  const waiting = found.length - kept.length;
  const shown = useMemo(() => (open ? all.find((row) => holds(row, open)) : undefined), [all, open]);
  const pickedLast = useRef(0);
  const pick = (/** @type {number} */ id, range = false) => {
    const next = new Set(picked);
    const from = range ? pickedLast.current || current : 0;
    const between = (/** @type {RequestRow} */ { key }) => Math.min(from, id) <= key && key <= Math.max(from, id);
    if (from) for (const { key } of kept.filter(between)) next.add(key);
    else if (!next.delete(id)) next.add(id);
    pickedLast.current = id;
    setAt(id); // it has the focus ring
    onPick(next);
  };
  const now = shown && [shown.entry, ...shown.preflights].find(({ id }) => id === open);
  const was = useRef(now); // the open request stays when it is gone, with what is typed in its dialog
  if (now || was.current?.id !== open) was.current = now;
  const entry = was.current;
  // Keep the row of the open request in sight, even when the rows become higher.
  const openAt = rows.findIndex(({ key }) => key === open);
  useLayoutEffect(() => show(openAt), [entry?.id, openAt < 0, line]);

  const list = useRef(/** @type {HTMLElement|null} */ (null));
  const panel = useRef(/** @type {HTMLElement|null} */ (null));
  const entering = useRef(false); // whether the panel takes the focus
  const enter = (/** @type {HTMLElement|null} */ shown) => {
    if (shown) panel.current = shown; // the previous panel is removed only later
    if (!shown || !entering.current) return;
    shown.focus({ preventScroll: true });
    entering.current = false;
  };
  const select = (/** @type {number} */ id) => {
    setAt(id);
    if (open) change({ id: String(id) }, history.state);
    else go({ ...params(), id: String(id) }, "opened"); // so that Back closes it
  };
  const close = () => { // returns the keyboard to the list
    if (picked.size === 0 && !open) return change({ from: "", to: "" });
    if (!open) return onPick(new Set());
    setAt(open);
    shut("id");
    list.current?.focus({ preventScroll: true });
  };
  const nextTo = (/** @type {number} */ by) => {
    const now = kept.findIndex(({ key }) => key === (open || at));
    return kept[now < 0 ? 0 : now + by];
  };
  const move = (/** @type {number} */ by) => {
    const next = nextTo(by);
    if (!next) return;
    show(rows.indexOf(next));
    entering.current = Boolean(panel.current?.contains(document.activeElement)); // the focus stays in the panel
    if (!entering.current) list.current?.focus({ preventScroll: true }); // so that Enter opens the row
    if (open) select(next.key);
    else setAt(next.key);
  };
  const extend = (/** @type {number} */ by) => { // as in the data
    const [from, to] = [nextTo(0)?.key, nextTo(by)?.key];
    if (!to) return;
    const next = new Set(picked).add(to);
    if (picked.has(to)) next.delete(from);
    else next.add(from);
    move(by);
    pickedLast.current = to;
    onPick(next);
  };
  const chosen = () => kept.find(({ key }) => key === (open || at))?.entry;
  const showNew = () => {
    toTop();
    setHeld(still ? newest : null);
  };
  const question = [search, params().from, params().to].join();
  const asked = useRef(question);
  useLayoutEffect(() => { // a new question shows its newest request
    if (asked.current === question) return;
    asked.current = question;
    if (paused) toTop();
    else showNew();
    if (open && !found.some((row) => holds(row, open))) change({ id: "" });
    if (document.activeElement === document.body) list.current?.focus({ preventScroll: true });
  }, [question]);
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    J: () => extend(1),
    K: () => extend(-1),
    Enter: () => {
      const one = chosen();
      entering.current = Boolean(one);
      if (one) select(one.id);
    },
    Escape: close,
    x: () => {
      const one = chosen();
      if (one) pick(one.id);
    },
    X: () => {
      const one = chosen();
      if (one) pick(one.id, true);
    },
    c: () => {
      const one = chosen();
      if (one) calls().then(({ curlOf }) => copy(curlOf(one)))
        .then((ok) => say(ok ? "Copied as curl" : "Could not copy", { about: ["copy"] }), sayError);
    },
  });
  const arrows = (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const all = event.key.toLowerCase() === "a" && (event.ctrlKey || event.metaKey);
    if (!by && !all) return;
    event.preventDefault();
    if (all) onPick(new Set(kept.map(({ key }) => key)));
    else (event.shiftKey ? extend : move)(by ?? 0);
  };
  return html`<div class=${open > 0 && !loading ? "split has-detail" : "split"}>
    <div class="list-side">
      <div class="news" role="status">
        ${waiting > 0 && html`
          <button type="button" class="primary" onClick=${showNew}>
            <${Icon} name="up-arrow" />
            ${count(waiting)} new
          </button>`}
      </div>
      ${picked.size > 0 && html`
        <div class="list-bar" role="status">
          <${Picks} rows=${kept} all=${all} picked=${picked} onPick=${onPick} />
        </div>`}
      <div class=${picked.size > 0 ? "list picking" : "list"} ref=${scroller}>
        ${kept.length > 0 && html`
          <ul ref=${list} role="listbox" aria-label="Requests, newest first" tabindex="0" onKeyDown=${arrows}
            aria-multiselectable="true" aria-activedescendant=${current ? `request-${current}` : undefined}
            style=${{ height: `${rows.length * line}px` }}>
            ${rows.slice(first, last).map((row, i) => (row.entry
              ? html`<${Row} key=${row.key} row=${row} top=${(first + i) * line}
                  current=${row.key === current}
                  words=${words} beside=${open > 0} picked=${picked.has(row.key)} picking=${picked.size > 0}
                  onPick=${(/** @type {boolean} */ range) => pick(row.key, range)} onOpen=${() => select(row.key)} />`
              : html`
                <li key=${row.key} class="divider" role="presentation" style=${placed((first + i) * line)}>
                  <span>${row.divider}</span>
                </li>`))}
          </ul>`}
        ${found.length === 0 && !loading && (all.length === 0 ? html`<${NoRequests} />`
          : html`<${NoMatch} search=${search} all=${all.length} onShowAll=${onShowAll} />`)}
        ${older > 0 && html`<${Older} older=${older} />`}
      </div>
    </div>
    ${open > 0 && !loading && html`
      <${Grip} of="list" label="Width of the list" upright least=${420} usual=${0.42 * wide()} most=${wide() - 440} />`}
    ${entry && html`
      <${Detail} key=${entry.id} panel=${enter} entry=${entry}
        preflights=${entry === shown?.entry ? shown.preflights : []} gone=${!now}
        stepOf=${(/** @type {number} */ by) => nextTo(by) && (() => move(by))}
        onClose=${close} />`}
    ${open > 0 && !entry && !loading && html`
      <${Missing} older=${older > 0 && open < oldest ? older : 0} onClose=${close} />`}
  </div>`;
}

/** The width of the view, in px: at most --widest. */
const wide = () => Math.min(innerWidth, 1440);

/** Whether a row has the request, also as a preflight. @param {RequestRow} row @param {number} open */
const holds = ({ entry, preflights }, open) => entry.id === open || preflights.some(({ id }) => id === open);

/** @param {RequestRow} row */
const tagsOf = ({ entry, preflights }) => [
  entry.fault && !isOfRule(entry) && html`<${Icon} name="faults" />rule ${entry.fault}`,
  deprecated(entry) && "deprecated",
  preflights.length > 0 && "preflight",
].filter(Boolean);

/** Marks each searched word once in a value. @param {string} value @param {string[]} words @returns {any} */
function lit(value, words) {
  const place = (/** @type {string} */ word) => value.toLowerCase().indexOf(word);
  const [first, ...more] = words.filter((word) => place(word) >= 0).sort((a, b) => place(a) - place(b));
  if (!first) return value;
  const [at, to] = [place(first), place(first) + first.length];
  return html`${value.slice(0, at)}<mark>${value.slice(at, to)}</mark>${lit(value.slice(to), more)}`;
}

/** @param {number} top */
const placed = (top) => ({ transform: `translateY(${top}px)` });

/** @param {import("../shell/types.js").RequestItem} props */
function Row({ row, top, current, words, beside, picked, picking, onPick, onOpen }) {
  const { entry } = row;
  const touches = useLongTouch(() => onPick());
  const press = (/** @type {any} */ { shiftKey, ctrlKey, metaKey, pointerType, target }) => {
    const one = ctrlKey || metaKey || target.className === "pick" || (picking && pointerType === "touch");
    if (shiftKey || one) onPick(shiftKey);
    else onOpen();
  };
  const reason = reasonOf(entry);
  const effect = effectOf(entry);
  const found = placeIn(entry, words);
  const look = ["request", `is-${statusClass(entry.status)}`, isFresh(entry) && "fresh", entry.undone && "reverted"]
    .filter(Boolean).join(" ");
  return html`
    <li id=${`request-${entry.id}`} role="option" aria-selected=${current} aria-checked=${picked} class=${look}
      style=${placed(top)} onClick=${press} ...${touches}>
      <span class="pick" title="Select it ( x )"></span>
      <span class="when" title=${`${dayAndTime(cameAt(entry))} UTC`}>${clockTime(cameAt(entry))}</span>
      <${Status} status=${entry.status} />
      <span class="method">${lit(entry.method, words)}</span>
      <span class="what" title=${entry.path}>
        <span class="path">
          ${lit(entry.path, words)}${entry.query && html`<span class="query">?${lit(entry.query, words)}</span>`}
        </span>
      </span>
      <span key=${`reason ${beside}`} class="reason" title=${reason}>
        ${reason ? html`<span>${isOfRule(entry) && html`<${Icon} name="faults" /> `}${lit(reason, words)}</span>` : ""}
        ${found ? html`<span class="wire note">${lit(found, words)}</span>`
          : !reason && effect && html`<span class="note">${lit(effect, words)}</span>`}
        ${tagsOf(row).map((tag, i) => html` <span key=${i} class="tag">${tag}</span>`)}
      </span>
      <span key=${`took ${beside}`} class=${entry.durationMs < SLOW ? "took" : "took slow"}>
        ${duration(entry.durationMs)}
      </span>
      <span class="client" title=${entry.client}>${lit(entry.clientName ?? entry.client, words)}</span>
    </li>`;
}
