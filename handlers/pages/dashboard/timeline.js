// The timeline of deprecations and sunsets, with a handle at the current time.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { Code } from "../shell/calls.js";
import { capital, day, moment, plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { opened } from "../shell/later.js";
import { DAY, dayAfter, END, enforceCall, instant } from "../shell/sunset.js";
import { travelCall } from "./clock.js";
import { enforce } from "./enforce.js";
import { percent } from "./passed.js";

/** @typedef {import("../shell/types.js").Operation} Operation */

const Breaks = opened(() => import("./breaks.js"), "Breaks");
const Preview = opened(() => import("./preview.js"), "Preview");

const YEAR = 365 * DAY;
const HOUR = DAY / 24;
const SNAP = 6; // px
const SLOP = 20; // px: more than a browser waits for before it moves anything under a finger
const STILL = 250; // ms that the handle rests before the clock moves

/**
 * Returns the first and the last instant of the axis, and the ends of the part that is short. They stay while now is
 * between them, so that the handle does not jump, unless an axis of less than half that length suffices.
 * @param {Operation[]} operations
 * @param {number} now
 * @param {number} real
 */
function useSpan(operations, now, real) {
  const dates = operations
    .flatMap(({ deprecatedSince, sunset }) => [instant(deprecatedSince), instant(sunset)])
    .filter((t) => !Number.isNaN(t));
  const drawn = useRef({ dates: "", span: [NaN, NaN, NaN, NaN] });
  const { dates: before, span: [first, last] } = drawn.current;
  const own = spanOf(dates, real);
  const span = own[0] <= now && now <= own[1] ? own : spanOf([now, ...dates]);
  const isClose = last - first <= 2 * (span[1] - span[0]);
  const fits = dates.join() === before && first <= now && now < last + DAY && isClose;
  if (!fits) drawn.current = { dates: dates.join(), span };
  return drawn.current.span;
}

/**
 * @param {number[]} instants
 * @param {number} [real]  after a date that follows it, a long time without dates is short on the axis
 */
function spanOf(instants, real = Infinity) {
  const all = [...new Set(instants)].sort((a, b) => a - b);
  const first = all[0];
  const last = all.at(-1) ?? first;
  const far = all.findIndex((t, i) => i > 1 && all[i - 1] > real && t - all[i - 1] > 0.6 * (last - first));
  const long = last - first - (far < 0 ? 0 : all[far] - all[far - 1]);
  const margin = Math.max(Math.ceil(long * 0.12 / DAY) * DAY, YEAR / 12);
  const end = Math.min(Math.ceil((last + margin * (far < 0 ? 1 : 1.5)) / DAY) * DAY, END);
  const short = far < 0 ? [end, end] : [all[far - 1] + 1.5 * margin, all[far] - margin / 2];
  return [Math.floor((first - margin) / DAY) * DAY, end, ...short.map((t) => Math.floor(t / DAY) * DAY)];
}

/**
 * Returns functions from an instant to its place on the axis, as an instant of one that has no short part, and back.
 * @param {number[]} span
 */
function scaleOf([first, , from, to]) {
  const part = to > from ? (from - first) * 0.12 / (to - from) : 1; // of its length
  const end = from + (to - from) * part;
  return {
    scaled: (/** @type {number} */ t) => (t <= from ? t : t < to ? from + (t - from) * part : end + t - to),
    unscaled: (/** @type {number} */ at) => (at <= from ? at
      : Math.ceil((at < end ? from + (at - from) / part : to + at - end) / DAY) * DAY),
  };
}

/**
 * Returns the dates on the axis: years, or months if it is short. Those between have no text.
 * @param {number} first
 * @param {number} last
 */
function ticksOf(first, last) {
  const years = [1, 2, 5, 10, 20, 50, 100].find((n) => last - first <= 10 * n * YEAR) ?? 1000;
  const few = innerWidth < 641 && last - first > YEAR / 4 ? 2 : 1; // so that no text is over another
  const months = last - first < YEAR / 2 ? few : last - first < 2 * YEAR ? 3 * few : 12 * years;
  const step = { 2: 1, 3: 1, 6: 1, 12: 3 }[months] ?? months;
  const ticks = [];
  const at = new Date(first);
  at.setUTCMonth(months < 12 ? Math.floor(at.getUTCMonth() / months) * months : 0, 1);
  if (months >= 12) at.setUTCFullYear(Math.floor(at.getUTCFullYear() / years) * years);
  for (; at.getTime() <= last && ticks.length < 50; at.setUTCMonth(at.getUTCMonth() + step)) {
    const text = at.getUTCMonth() % months > 0 ? "" : at.toISOString().slice(0, months < 12 ? 7 : 4);
    if (at.getTime() >= first) ticks.push({ at: at.getTime(), text });
  }
  return ticks;
}

/**
 * @param {object} props
 * @param {Operation[]} props.operations
 * @param {import("../shell/types.js").Use[]} [props.uses]  missing: not read yet
 * @param {number} props.now
 * @param {number} props.real  the machine's time
 * @param {number|null} props.moved  where the handle is dragged to
 * @param {(to: number|null, isKeyed?: boolean) => void} props.setMoved  isKeyed: by the keyboard
 * @param {(to: number, what?: string) => Promise<boolean>} props.onMove  resolves to whether the travel succeeded
 * @param {(operationId: string) => void} props.onOpen
 */
export function Timeline({ operations, uses, now, real, moved, setMoved, onMove, onOpen }) {
  const end = (/** @type {Operation} */ { sunset }) => instant(sunset) || Infinity;
  const old = operations.filter(({ deprecated }) => deprecated).sort((a, b) => end(a) - end(b) || 0);
  const span = useSpan(old, now, real);
  const [first, last, from, to] = span;
  const { scaled, unscaled } = scaleOf(span);
  const [low, high] = [first, last].map(scaled);
  const shown = moved ?? now;
  const share = (/** @type {number} */ t) => (scaled(Math.max(first, Math.min(last, t))) - low) / (high - low);
  const place = (/** @type {number} */ t) => `${100 * share(t)}%`;
  const was = moved === null ? real : now;
  const apart = first < was && was < last ? Math.abs(share(was) - share(shown)) : 0;
  const at = share(shown);
  const isCut = from < to;
  const middle = `${50 * (share(from) + share(to))}cqw`;
  const ticks = ticksOf(first, isCut ? from - (from - first) / 12 : last)
    .concat(isCut ? ticksOf(first, last).filter((tick) => tick.at >= to && tick.text.length === 4) : []);
  const isLate = at > 0.7 || at > 0.3 && (apart > 0.01 ? was > shown : at > 0.5); // away from an end and from was
  const lines = Math.min(4, 1 + (old.length || 1)); // for the kinds of changes, so that nothing below moves
  const still = useRef(0); // the timer of a travel to the handle
  useEffect(() => {
    if (moved !== null && !still.current && Math.abs(now - moved) < HOUR) setMoved(null); // the clock has arrived
  }, [now]);
  // From the handle to a finger on it; null: by the keyboard; undefined: by a screen reader, which sends no key.
  const slip = useRef(/** @type {number|null|undefined} */ (undefined));
  const rests = useRef(false); // a finger that has not moved the handle yet
  const aim = useRef(/** @type {number|null} */ (null)); // null: where the drag began
  const hold = (/** @type {any} */ { clientX, pointerType, target }) => {
    const { left, width } = target.parentElement.getBoundingClientRect();
    const to = low + (clientX - left) / width * (high - low);
    slip.current = pointerType === "touch" ? to - scaled(shown) : 0; // a browser moves the handle under a finger
    aim.current = null;
    rests.current = pointerType === "touch";
  };
  const drag = (/** @type {any} */ { target }) => {
    let at = Number(target.value);
    let to = unscaled(at);
    if (slip.current != null) { // stops at a date that is near, as a pixel is days
      const pixel = (high - low) / target.parentElement.clientWidth;
      const far = at - slip.current - scaled(now);
      if (rests.current && Math.abs(far) > pixel) { // no jump over what is near
        rests.current = false;
        if (Math.abs(far) < SLOP * pixel) slip.current += far;
      }
      at -= slip.current;
      if (slip.current) to = unscaled(Math.round(at / DAY) * DAY);
      const away = (/** @type {number} */ t) => Math.abs(scaled(t) - at);
      const near = [now, ...old.map(end)].reduce((a, b) => (away(b) < away(a) ? b : a));
      if (away(near) < SNAP * pixel) to = near;
    }
    aim.current = to === now ? null : to;
    setMoved(aim.current, slip.current === null);
  };
  const go = () => {
    const to = aim.current;
    clearTimeout(still.current);
    still.current = 0;
    if (to !== null) still.current = setTimeout(async () => {
      still.current = 0;
      aim.current = null;
      if (!(await onMove(to)) && !still.current) setMoved(null);
    }, slip.current === null ? 0 : STILL);
  };
  const press = (/** @type {any} */ { key, target }) => { // also of a finger that scrolls
    slip.current = null;
    if (key === "Enter") go();
    if (key && key !== "Escape") return;
    target.disabled = true; // ends the browser's own drag
    target.disabled = false;
    aim.current = null;
    go();
    setMoved(null);
  };
  const leave = () => {
    if (!still.current) setMoved(null);
  };
  return html`<figure class=${moved === null ? "timeline" : "timeline moving"} aria-label="Deprecations over time"
    style=${{ "--at": place(shown) }}>
    <div role="status" style=${{ "--lines": lines }}>
      <${Preview} operations=${old} now=${now} moved=${moved} lines=${lines} />
    </div>
    <div>
      <div class="axis">
        ${isCut && html`<span class="tick" title="The axis is shortened here"
          style=${{ "--tick": middle, "--half": "1ch" }}>//</span>`}
        ${ticks.map(({ at, text }) => html`
          <span key=${at} class="tick" style=${{ "--tick": `${100 * share(at)}cqw`, "--half": `${text.length / 2}ch` }}>
            ${text}
          </span>`)}
        <input type="range" aria-label="Now: drag to travel in time" aria-valuetext=${day(shown)} min=${low}
          max=${high} step=${DAY}
          value=${Math.floor(scaled(shown) / DAY + 1e-6) * DAY} onPointerDown=${hold} onInput=${drag}
          onChange=${() => slip.current !== null && go()} onBlur=${leave}
          onKeyDown=${press} onPointerCancel=${press} />
        <${Code} label="travel to where the handle is" call=${() => travelCall(shown)} />
        <span class=${isLate ? "now late" : "now"}>
          <span>${moved === null ? "now" : moment(moved)}</span>
        </span>
        ${apart * innerWidth > 140 && html`
          <span class=${share(was) > (was < shown ? 0.15 : 0.85) ? "real late" : "real"}
            style=${{ "--at": place(was) }}>
            <span>${moved === null || was === real ? "real time" : "now"}</span>
          </span>`}
      </div>
      <div class="lanes">
        ${isCut && html`<span class="cut" style=${{ left: middle }}></span>`}
        <span class="now-line"></span>
        ${apart > 0.01 && html`<span class="now-line before" style=${{ "--at": place(was) }}></span>`}
        ${old.map((operation) => html`
          <${Lane} key=${operation.operationId} operation=${operation} place=${place} now=${shown}
            onMove=${onMove} onOpen=${onOpen}
            calls=${uses?.reduce((n, use) => n + (use.operationId === operation.operationId ? use.count : 0), 0)} />`)}
      </div>
    </div>
    <${Breaks} operations=${old} uses=${uses} now=${shown} word=${moved === null ? "now" : "then"} />
  </figure>`;
}

/**
 * @param {object} props
 * @param {Operation} props.operation
 * @param {(t: number) => string} props.place
 * @param {number} props.now
 * @param {number} [props.calls]  calls in the report
 * @param {(to: number, what?: string) => Promise<boolean>} props.onMove
 * @param {(operationId: string) => void} props.onOpen
 */
function Lane({ operation, place, now, calls = operation.calls, onMove, onOpen }) {
  const { operationId, deprecatedSince, sunset, successor, enforceSunset, brownout } = operation;
  const unnamed = operation.calls - calls;
  const start = instant(deprecatedSince);
  const end = instant(sunset);
  const past = now >= end;
  const open = Number.isNaN(end);
  const after = `the day after ${operationId}'s sunset`;
  const call = enforceCall(operation, !enforceSunset);
  const from = Number.isNaN(start) ? "0%" : place(start);
  const to = open ? "100%" : place(end);
  const date = open ? "" : (innerWidth < 641 ? day : moment)(end);
  const [look, state] = past && enforceSunset ? ["is-removed", "answers 410"]
    : now < start ? ["", "not yet"]
    : brownout > 0 ? [brownout < 1 ? "b-pending dashed" : "is-removed dashed", `${percent(brownout)} 410`]
    : past ? ["b-pending", "still answers"] : [];
  return html`<div class="lane">
    <div class="lane-text">
      <span>
        <button type="button" class="quiet wire" aria-label=${`Lifecycle of ${operationId}`}
          onClick=${() => onOpen(operationId)}>${operationId}</button>
        ${state && html`<span class=${`badge ${look}`}>${state}</span>`}
      </span>
      ${!open && html`
        <span class="pair">
          <button type="button" role="switch" class="switch" aria-checked=${enforceSunset}
            aria-label=${`Enforce the sunset of ${operationId}`}
            onClick=${() => void enforce([operation], !enforceSunset)}>Enforce</button>
          <${Code} call=${() => call}
            label=${`${enforceSunset ? "stop enforcing" : "enforce"} the sunset of ${operationId}`} />
        </span>`}
      <span class="note" title=${successor && `Successor: ${successor}`}>
        ${plural(operation.calls, "call")}${unnamed > 0 && `, ${unnamed} by unknown clients`}
        ${" · "}${now < start ? "from" : "since"} ${day(start)}
        ${successor && html` · <span class="use">use <span class="wire">${successor}</span></span>`}
      </span>
    </div>
    <div class="track">
      <span class=${`bar-of ${past ? "done" : ""} ${open ? "open" : ""}`}
        style=${{ left: from, right: `calc(100% - ${to})` }}></span>
      ${past && enforceSunset && html`
        <span class="bar-of past" style=${{ left: to, right: `calc(100% - ${place(now)})` }}></span>`}
      ${!open && html`
        <span class=${`bar-of ${enforceSunset ? "gone" : "still"}`}
          style=${{ left: past && enforceSunset ? place(now) : to, right: 0 }}></span>`}
      ${!past && now > start && html`
        <span class="bar-of done" style=${{ left: from, right: `calc(100% - ${place(now)})` }}></span>`}
      ${brownout > 0 && html`
        <span class="browned" style=${{ left: from, right: `calc(100% - ${enforceSunset ? to : "100%"})` }}></span>`}
      ${!open && html`
        <button type="button"
          class=${`sunset ${past ? "past" : ""} ${enforceSunset ? "enforced" : ""}`}
          style=${{ left: to, "--to": `${parseFloat(to)}cqw`, "--long": `${date.length}ch` }} title=${capital(after)}
          data-date=${date} aria-label=${capital(after)} onClick=${() => void onMove(dayAfter(end), after)}>
          <${Icon} name="flag" />
        </button>
        <${Code} label=${capital(after)} call=${() => travelCall(dayAfter(end))} />`}
    </div>
  </div>`;
}
