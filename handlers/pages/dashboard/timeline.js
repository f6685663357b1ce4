// The axis of time: what is deprecated from when to when, and where now is.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { count, day, short } from "../shell/format.js";
import { DAY, instant } from "../shell/sunset.js";

/** @typedef {import("../shell/types.js").Operation} Operation */
/** @typedef {import("../shell/types.js").Use} Use */

const YEAR = 365 * DAY;
const HOUR = DAY / 24;
const STILL = 250; // ms for which the handle stands still, as it does not between two presses of a key

/** Returns the first and the last instant of the axis. They stay while now is between them, so that the handle does not jump. @param {Operation[]} operations @param {number} now */
function useSpan(operations, now) {
  const dates = operations.flatMap(({ deprecatedSince, sunset }) => [instant(deprecatedSince), instant(sunset)]).filter((t) => !Number.isNaN(t));
  const drawn = useRef({ dates: "", span: [NaN, NaN] });
  const { dates: before, span: [first, last] } = drawn.current;
  const fits = dates.join() === before && first <= now && now < last + DAY;
  if (!fits) drawn.current = { dates: dates.join(), span: spanOf([now, ...dates]) };
  return drawn.current.span;
}

/** @param {number[]} instants */
function spanOf(instants) {
  const first = Math.min(...instants);
  const last = Math.max(...instants);
  const margin = Math.max((last - first) * 0.12, YEAR / 4);
  return [Math.floor((first - margin) / DAY) * DAY, Math.ceil((last + margin) / DAY) * DAY];
}

/** The dates that the axis names: years, or months where it is short. @param {number} first @param {number} last */
function ticksOf(first, last) {
  const months = (last - first) / YEAR < 2 ? 3 : 12 * Math.ceil((last - first) / YEAR / 10);
  const ticks = [];
  const at = new Date(first);
  at.setUTCMonth(months < 12 ? Math.floor(at.getUTCMonth() / 3) * 3 : 0, 1);
  for (; at.getTime() <= last && ticks.length < 40; at.setUTCMonth(at.getUTCMonth() + months)) {
    if (at.getTime() >= first) ticks.push({ at: at.getTime(), text: months < 12 ? at.toISOString().slice(0, 7) : at.toISOString().slice(0, 4) });
  }
  return ticks;
}

/**
 * What is passed on the way from one instant to another, in words.
 * @param {Operation[]} operations @param {number} from @param {number} to
 */
export function passed(operations, from, to) {
  const back = to < from;
  const [first, last] = back ? [to, from] : [from, to];
  const between = (/** @type {number} */ t) => first < t && t <= last;
  /** @type {{at: number, text: string}[]} */
  const found = [];
  for (const { operationId, deprecatedSince, sunset, enforceSunset, brownout } of operations) {
    const since = instant(deprecatedSince);
    const end = instant(sunset);
    if (between(since)) found.push({ at: since, text: back ? `${operationId} is not deprecated yet` : `${operationId} is deprecated from here` });
    if (between(end)) {
      const then = enforceSunset ? "answers 410 from here" : "is past its sunset, and goes on answering, since that is not enforced";
      const before = `is before its sunset again${brownout ? ", and brown-outs go on" : ""}`;
      found.push({ at: end, text: `${operationId} ${back ? before : then}` });
    }
  }
  return found.sort((a, b) => (back ? b.at - a.at : a.at - b.at));
}

/**
 * @param {{operations: Operation[], uses: Use[], now: number, onMove: (to: number) => Promise<boolean>}} props  onMove: returns whether it is that time then
 */
export function Timeline({ operations, uses, now, onMove }) {
  const old = operations.filter(({ deprecated }) => deprecated);
  const [moved, setMoved] = useState(/** @type {number|null} */ (null));
  const [first, last] = useSpan(old, now);
  const shown = moved ?? now;
  const place = (/** @type {number} */ t) => `${(100 * (Math.max(first, Math.min(last, t)) - first)) / (last - first)}%`;
  const words = moved === null ? [] : passed(old, now, moved);
  const still = useRef(0); // the timer of the travel to where the handle stays
  useEffect(() => {
    if (moved !== null && !still.current && Math.abs(now - moved) < HOUR) setMoved(null); // now is there
  }, [now]);
  const drop = (/** @type {any} */ event) => {
    const to = Number(event.target.value);
    clearTimeout(still.current);
    still.current = setTimeout(async () => {
      still.current = 0;
      if (!(await onMove(to)) && !still.current) setMoved(null);
    }, STILL);
  };
  return html`<figure class="timeline" aria-label="Deprecations over time" style=${{ "--at": place(shown) }}>
    <div class="axis">
      ${ticksOf(first, last).map(({ at, text }) => html`<span key=${at} class="tick" style=${{ "--at": place(at) }}>${text}</span>`)}
      <input type="range" aria-label="Now: drag to travel in time" aria-valuetext=${day(shown)} min=${first} max=${last} step=${DAY} value=${shown}
        onInput=${(/** @type {any} */ e) => setMoved(Number(e.target.value))} onChange=${drop} onBlur=${() => still.current || setMoved(null)} />
    </div>
    <div class="lanes">
      <span class="now-line"><span>${moved === null ? "now" : day(moved)}</span></span>
      ${old.map((operation) => html`<${Lane} key=${operation.operationId} operation=${operation} uses=${uses.filter((use) => use.operationId === operation.operationId)} place=${place} past=${shown >= instant(operation.sunset)} />`)}
      ${old.length === 0 && html`<p class="note">Nothing is deprecated. Deprecate an operation in the table below, and it gets a bar here.</p>`}
    </div>
    <figcaption><div role="status">${moved === null ? "" : words.length === 0 ? `${day(moved)}: nothing changes on the way.`
      : html`<ul>${words.map(({ at, text }) => html`<li key=${at + text}><span class="wire">${day(at)}</span> ${text}.</li>`)}</ul>`}</div></figcaption>
  </figure>`;
}

/** @param {{operation: Operation, uses: Use[], place: (t: number) => string, past: boolean}} props */
function Lane({ operation, uses, place, past }) {
  const { operationId, deprecatedSince, sunset, successor, calls, enforceSunset } = operation;
  const start = instant(deprecatedSince);
  const end = instant(sunset);
  const callers = uses.map(({ clientName }) => short(clientName || "unknown"));
  const open = Number.isNaN(end);
  return html`<div class="lane">
    <span class=${`bar-of ${past ? "past" : ""} ${open ? "open" : ""}`} style=${{ left: Number.isNaN(start) ? "0%" : place(start), right: open ? "0%" : `calc(100% - ${place(end)})` }}></span>
    <p class="lane-text"><strong class="wire">${operationId}</strong> ${day(start)} to ${open ? "no date" : day(end)}
      ${successor && html`<span> · then <span class="wire">${successor}</span></span>`}
      <span class="note"> · called ${count(calls)}×${callers.length > 0 && ` by ${[...new Set(callers)].slice(0, 3).join(", ")}`}${past ? (enforceSunset ? " · answers 410" : " · past its sunset, still answers") : ""}</span></p>
  </div>`;
}
