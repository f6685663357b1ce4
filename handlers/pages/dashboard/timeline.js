// The axis of time: what is deprecated from when to when, and where now is.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { Code } from "../shell/calls.js";
import { count, day, plural, short } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { write } from "../shell/session.js";
import { DAY, instant } from "../shell/sunset.js";
import { say, sayError } from "../shell/toast.js";

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
      const then = enforceSunset ? "answers 410 from here" : "is past its sunset, and still answers, since that is not enforced";
      const before = `is before its sunset again${brownout ? "; brown-outs continue" : ""}`;
      found.push({ at: end, text: `${operationId} ${back ? before : then}` });
    }
  }
  return found.sort((a, b) => (back ? b.at - a.at : a.at - b.at));
}

/**
 * Says who breaks at which sunset that is to come.
 * @param {Operation[]} operations @param {Use[]} uses @param {number} now
 */
export function breaks(operations, uses, now) {
  return operations.filter(({ sunset }) => instant(sunset) > now).flatMap(({ operationId, sunset, enforceSunset }) => {
    /** @type {Map<string, number>} */
    const calls = new Map();
    for (const use of uses) {
      if (use.operationId !== operationId) continue;
      const name = short(use.clientName || "unknown");
      calls.set(name, (calls.get(name) ?? 0) + use.count);
    }
    if (calls.size === 0) return [];
    const who = [...calls].sort((a, b) => b[1] - a[1]).map(([name, n]) => `${name} (${plural(n, "call")})`).join(", ");
    const does = calls.size === 1 ? "breaks" : "break";
    const when = enforceSunset ? does : `would break if the sunset of ${operationId} were enforced`;
    return [`On ${day(instant(sunset))} ${plural(calls.size, "client")} ${when}: ${who}.`];
  });
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
      ${old.map((operation) => html`<${Lane} key=${operation.operationId} operation=${operation} uses=${uses.filter((use) => use.operationId === operation.operationId)} place=${place} now=${shown} />`)}
      ${old.length === 0 && html`<p class="note">Nothing is deprecated. Deprecate an operation in the table below, and it gets a bar here.</p>`}
    </div>
    <figcaption>
      ${moved === null && breaks(old, uses, now).map((text) => html`<p key=${text} class="breaks">${text}</p>`)}
      <div role="status">${moved !== null && (words.length === 0 ? `${day(moved)}: nothing changes on the way.` : html`
        <ul>${words.map(({ at, text }) => html`<li key=${at + text}><span class="wire">${day(at)}</span> ${text}.</li>`)}</ul>`)}
      </div>
    </figcaption>
  </figure>`;
}

/** What makes an operation answer 410 after its sunset, or not. @param {Operation} operation @param {boolean} on */
export const enforceCall = ({ operationId }, on) => ({ method: "PATCH", path: `admin/operations/${operationId}`, body: { enforceSunset: on } });

/** @param {{operation: Operation, uses: Use[], place: (t: number) => string, now: number}} props */
function Lane({ operation, uses, place, now }) {
  const { operationId, deprecatedSince, sunset, successor, calls, enforceSunset } = operation;
  const start = instant(deprecatedSince);
  const end = instant(sunset);
  const past = now >= end;
  const open = Number.isNaN(end);
  const callers = [...new Set(uses.map(({ clientName }) => short(clientName || "unknown")))].slice(0, 3).join(", ");
  const call = enforceCall(operation, !enforceSunset);
  const said = () => say(enforceSunset ? `${operationId} answers after its sunset too.` : `${operationId} answers 410 after its sunset.`, { about: ["clock"], call });
  const from = Number.isNaN(start) ? "0%" : place(start);
  const to = open ? "100%" : place(end);
  return html`<div class="lane">
    <span class=${`bar-of ${past ? "past" : ""} ${open ? "open" : ""}`} style=${{ left: from, right: `calc(100% - ${to})` }}></span>
    ${!past && now > start && html`<span class="bar-of done" style=${{ left: from, right: `calc(100% - ${place(now)})` }}></span>`}
    ${!open && html`<span class=${past ? "sunset past" : "sunset"} style=${{ left: to }}><${Icon} name="flag" /></span>`}
    <div class="lane-text">
      <strong class="wire">${operationId}</strong> ${day(start)} to ${open ? "no date" : day(end)}
      ${successor && html`<span> · then <span class="wire">${successor}</span></span>`}
      <span class="note"> · called ${count(calls)}×${callers && ` by ${callers}`}${past ? (enforceSunset ? " · answers 410" : " · past its sunset, still answers") : ""}</span>
      ${!open && html`
        <span class="pair">
          <button type="button" role="switch" class="switch" aria-checked=${enforceSunset} aria-label=${`Enforce the sunset of ${operationId}`}
            onClick=${() => write(call).then(said, sayError)}>Enforce</button>
          <${Code} label=${`enforce the sunset of ${operationId}`} call=${() => call} />
        </span>`}
    </div>
  </div>`;
}
