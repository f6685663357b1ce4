// The strip above the list: the requests by time and class, changes of the clock, and where each fault rule first hit.
// Dragging filters.

import { html, useEffect, useMemo, useRef, useState } from "../library/preact.js";
import { change } from "../shell/address.js";
import { clockTime, day, plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { bucketsOf, classes, spanOf } from "./buckets.js";
import { divided } from "./fold.js";
import { cameAt } from "./journal.js";

const MOST = 120; // bars
const WIDE = 8; // px of a bar on a phone, so that a finger hits it
const NEAR = 16; // px from a bar where a finger still means it
const DAY = 86_400_000; // ms
const LOOK = 5000; // ms between two updates of the time

/** Formats a time to the second. @param {number} at */
const second = (at) => clockTime(new Date(at).toISOString()).slice(0, 8);

/** Says what a bar counts. @param {import("./buckets.js").Bucket} bucket */
function toldOf({ from, counts: [ok, refused, failed, aside] }) {
  const found = ok + refused + failed;
  const of = aside > 0 ? `${found} of ` : "";
  const all = plural(found + aside, "request");
  return found + aside > 0 ? `${second(from)} · ${of}${all}, ${plural(refused + failed, "error")}` : undefined;
}

/**
 * Returns the buckets of all requests, up to now, so that a search does not move the time.
 * @param {import("./fold.js").RequestRow[]} rows
 * @param {import("./fold.js").RequestRow[]} found  of the rows
 */
export function useBuckets(rows, found) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => document.hidden || setNow(Date.now()), LOOK);
    return () => clearInterval(timer);
  }, []);
  const newest = rows.length > 0 ? cameAt(rows[0].entry) : 0;
  return useMemo(() => {
    const all = new Set(found);
    const requests = rows.map((row) => ({ at: cameAt(row.entry), status: row.entry.status, aside: !all.has(row) }));
    const most = innerWidth <= 640 ? innerWidth / WIDE : MOST;
    return bucketsOf(requests, most, Math.abs(now - newest) < 60_000 ? now : newest);
  }, [rows, found, now]);
}

/**
 * @param {object} props
 * @param {import("./fold.js").RequestRow[]} props.rows
 * @param {import("./buckets.js").Bucket[]} props.buckets  of the rows
 * @param {number} props.from  the start of the selected part; 0: no selection
 * @param {number} props.to
 */
export function Strip({ rows, buckets, from, to }) {
  const clocks = useMemo(() => divided(rows).flatMap((row, i, all) => {
    const newer = /** @type {any} */ (all[i - 1]);
    return row.entry ? [] : [{ at: cameAt(newer.entry), text: row.divider }];
  }), [rows]);
  const faults = useMemo(() => {
    const first = new Map(rows.filter(({ entry }) => entry.fault).map(({ entry }) => [entry.fault, cameAt(entry)]));
    return [...first].map(([rule, at]) => ({ at, text: `fault rule ${rule}` }));
  }, [rows]);
  const strip = useRef(/** @type {HTMLElement|null} */ (null));
  const [dragged, setDragged] = useState(/** @type {[number, number]|null} */ (null));
  if (buckets.length === 0) return html`<div class="strip" aria-hidden="true"></div>`;
  const begin = buckets[0].from;
  const end = buckets[buckets.length - 1].to;
  const highest = Math.max(...buckets.map(({ counts }) => counts.reduce((a, b) => a + b)));
  const aside = buckets.reduce((sum, { counts }) => sum + counts[3], 0);
  const share = (/** @type {number} */ at) => (Math.max(begin, Math.min(end, at)) - begin) / (end - begin);
  const place = (/** @type {number} */ at) => `${100 * share(at)}%`;
  const timeAt = (/** @type {PointerEvent} */ event) => {
    const box = /** @type {HTMLElement} */ (strip.current).getBoundingClientRect();
    return begin + ((end - begin) * Math.max(0, Math.min(box.width, event.clientX - box.left))) / box.width;
  };
  const press = (/** @type {PointerEvent} */ event) => {
    /** @type {HTMLElement} */ (strip.current).setPointerCapture(event.pointerId);
    const at = timeAt(event);
    setDragged([at, at]);
  };
  const drag = (/** @type {PointerEvent} */ event) => dragged && setDragged([dragged[0], timeAt(event)]);
  const width = buckets[0].to - begin;
  const barAt = (/** @type {number} */ at, by = 0) => begin + (Math.floor((at - begin) / width) + by) * width;
  const [low, high] = dragged ? [barAt(Math.min(...dragged)), barAt(Math.max(...dragged), 1)] : [from, to];
  const showAll = () => change({ from: "", to: "" });
  const drop = () => {
    if (!dragged) return;
    setDragged(null);
    // A press beside a bar means that bar; again, or far from all, the whole time.
    const away = (/** @type {import("./buckets.js").Bucket} */ one) => Math.max(one.from - high, low - one.to, -1);
    const near = buckets.filter(({ counts }) => counts.some(Boolean)).sort((a, b) => away(a) - away(b))[0];
    const reach = (NEAR * (end - begin)) / /** @type {HTMLElement} */ (strip.current).clientWidth;
    const short = high - low <= reach + width;
    if (short && !(near && away(near) <= reach)) return showAll();
    const [start, stop] = short && away(near) >= 0 ? [near.from, near.to] : [low, high];
    const middle = (start + stop) / 2;
    if (from <= middle && middle < to && to - from <= stop - start) return showAll();
    change({ from: String(start), to: String(stop) });
  };
  const moment = end - begin > DAY ? day : second;
  return html`<div class="strip">
    <p class="note">${moment(begin)}</p>
    <div class="bars" ref=${strip} role="img" title="Drag to filter by time"
      aria-label=${`${plural(rows.length - aside, "request")} in ${spanOf(buckets)}`}
      onPointerDown=${press} onPointerMove=${drag} onPointerUp=${drop} onPointerCancel=${() => setDragged(null)}>
      ${buckets.map((bucket) => html`<span key=${bucket.from} class="bucket" title=${toldOf(bucket)}>
        ${classes.map((name, i) => bucket.counts[i] > 0 && html`
          <span key=${name} class=${`of-${name}`}
            style=${{ height: `max(2px, ${(100 * bucket.counts[i]) / highest}%)` }}></span>`)}
      </span>`)}
      ${high > low && html`
        <span class="part" style=${{ left: place(low), right: `calc(100% - ${place(high)})` }}></span>`}
      ${[...clocks.map((flag) => ({ ...flag, icon: "time" })), ...faults.map((flag) => ({ ...flag, icon: "faults" }))]
        .filter(({ at }) => at >= begin && at <= end)
        .map(({ at, text, icon }) => html`
          <span key=${`${icon} ${at}`} class="flag" style=${{ left: place(at) }} title=${text}>
            <${Icon} name=${icon} />
          </span>`)}
    </div>
    <p class="note">
      ${high > low
        ? html`<span>${second(low)}<br /> to ${second(high)}</span>
            <button type="button" class="icon" aria-label="Show all times" title="Show all times" onClick=${showAll}>
              <${Icon} name="close" />
            </button>`
        : moment(end)}
    </p>
  </div>`;
}
