// The clock of the sandbox, and the ways to move it.

import { html, useEffect, useState } from "../library/preact.js";
import { Code } from "../shell/calls.js";
import { typed } from "../shell/events.js";
import { day, dayAndTime, isShifted, shift } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { sayWhile } from "../shell/session.js";
import { DAY, instant, nextSunset, withSunset } from "../shell/sunset.js";

/** @typedef {import("../shell/types.js").Clock} Clock */
/**
 * @typedef {(body: Record<string, any>|undefined, done: string, label?: string) => Promise<boolean>} Set
 *   without a body: to the machine's time
 */

const HOUR = 3_600_000;

/**
 * The clock of the sandbox now, which goes on between two looks at it.
 * @param {Clock|undefined} clock
 */
export function useNow(clock) {
  const [read, setRead] = useState({ clock, at: Date.now() });
  const [, tick] = useState(0);
  useEffect(() => setRead({ clock, at: Date.now() }), [clock?.now, clock?.frozen]);
  useEffect(() => {
    const timer = setInterval(() => tick(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  if (!read.clock) return undefined;
  return Date.parse(read.clock.now) + (read.clock.frozen ? 0 : Date.now() - read.at);
}

/**
 * Says what was done to the clock, until another does something else to it.
 * @param {string} done
 * @param {Clock} clock  as it is then
 * @param {import("../shell/toast.js").Toast["action"]} action
 * @param {import("../shell/toast.js").Toast["also"]} [also]
 */
export const sayClock = (done, { frozen, now, offsetSeconds }, action, also) => sayWhile(done, ({ clock: is }) =>
  is.frozen === frozen && (frozen ? is.now === now : Math.abs(is.offsetSeconds - offsetSeconds) < 1),
{ about: ["clock"], action, also });

/**
 * What takes a change of the clock back.
 * @param {Clock} was
 * @param {number} at  when it was so, by the browser's clock
 * @returns {import("../shell/api.js").Call}
 */
export function backTo(was, at) {
  if (!isShifted(was)) return release;
  const { now, frozen } = was;
  const to = Date.parse(now) + (frozen ? 0 : Date.now() - at);
  return { method: "PUT", path: "admin/clock", body: { now: new Date(to).toISOString(), frozen } };
}

/** What sets the clock to another time. @param {number} to */
export const travelCall = (to) => ({ method: "PUT", path: "admin/clock", body: { now: new Date(to).toISOString() } });

/** What sets the clock to the machine's time. */
export const release = { method: "DELETE", path: "admin/clock" };

/**
 * @param {object} props
 * @param {Clock} props.clock
 * @param {number} props.now
 * @param {number|null} props.moved  where the handle is dragged to
 * @param {Set} props.set
 * @param {(to: number) => void} props.travel
 * @param {import("../shell/types.js").Operation[]} props.operations
 */
export function ClockPanel({ clock, now, moved, set, travel, operations }) {
  const asUsual = !isShifted(clock);
  const next = nextSunset(operations, now);
  const [whose, another] = withSunset(operations).filter(({ sunset }) => instant(sunset) === next);
  const sunset = whose && !another ? `${whose.operationId}'s sunset` : "the sunset";
  const by = asUsual ? "the machine's time" : shift(clock.offsetSeconds);
  const state = `UTC, ${clock.frozen ? "frozen" : "running"}, ${by}`;
  const realTime = () => set(undefined, "It is the machine's time again.");
  return html`
    <div class="row clock">
      <h2 class="wire">${dayAndTime(moved ?? now)}${clock.frozen && html`<${Icon} name="pause" />`}</h2>
      <p class=${asUsual ? "grow" : "grow shifted"}>${moved === null ? state : "when you release the handle; Esc cancels"}</p>
      ${clock.frozen
        ? html`<${Step} text="Resume" body=${{ frozen: false }} done="The clock runs." set=${set} />`
        : html`<${Step} text="Freeze" body=${{ frozen: true }} done="The clock is frozen." set=${set} />`}
      <span class="pair">
        <button type="button" disabled=${asUsual} onClick=${realTime}>Real time</button>
        <${Code} label="real time" call=${() => release} />
      </span>
    </div>
    <div class="row">
      <${Step} text="+1 h" body=${{ advance: "1h" }} done="An hour later." set=${set} />
      <${Step} text="+1 day" body=${{ advance: "24h" }} done="A day later." set=${set} />
      ${next !== undefined && html`
        <${Step} text=${`before ${sunset}`} at="The day " body=${{ now: new Date(next - DAY).toISOString() }}
          done=${`It is ${day(next - DAY)}, the day before ${sunset}.`} set=${set} />
        <${Step} text=${`after ${sunset}`} at="The day " body=${{ now: new Date(next + DAY).toISOString() }}
          done=${`It is ${day(next + DAY)}, the day after ${sunset}.`} set=${set} />`}
      <${Travel} travel=${travel} />
    </div>`;
}

/**
 * @param {{text: string, at?: string, body: Record<string, any>, done: string, set: Set}} props  at: before the text
 */
const Step = ({ text, at = "", body, done, set }) => html`<span class="pair">
  <button type="button" class="plain-border" aria-label=${at + text} onClick=${() => set(body, done)}>
    <span><span class="at">${at}</span>${text}</span>
  </button>
  <${Code} label=${at + text} call=${() => ({ method: "PUT", path: "admin/clock", body })} />
</span>`;

/** The instant that a text such as 2031-01-01 or 2031-01-01 12:30 names in UTC, or NaN. @param {string} text */
function instantOf(text) {
  const [date, time = "00:00"] = text.trim().split(/[T ]+/);
  const isDate = /^\d{4}-\d\d-\d\d$/.test(date);
  if (!isDate || new Date(`${date}T00:00Z`).toJSON()?.slice(0, 10) !== date) return NaN; // a 30 February would be March
  return Date.parse(`${date}T${/[Zz]$|[+-]\d\d:\d\d$/.test(time) ? time : `${time}Z`}`);
}

/** To the date that is typed. @param {{travel: (to: number) => void}} props */
function Travel({ travel }) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState("");
  useEffect(() => { // until the next action
    const clear = (/** @type {any} */ { target }) => target.closest(".travel") || setWrong("");
    addEventListener("click", clear);
    return () => removeEventListener("click", clear);
  }, []);
  const to = instantOf(text);
  const known = !Number.isNaN(to);
  const go = (/** @type {Event} */ event) => {
    event.preventDefault();
    setWrong(known ? ""
      : "Write a date, or a date with a time, such as 2031-01-01 12:30 in UTC.");
    if (known) travel(to);
  };
  const call = () => travelCall(to);
  return html`<form class="row travel" onSubmit=${go}>
    <span id="travel-wrong" class="wrong grow" role="alert">${wrong}</span>
    <label for="travel">Go to</label>
    <input id="travel" class="wire" autocomplete="off" size="18" placeholder="YYYY-MM-DD HH:MM"
      aria-invalid=${wrong ? "true" : undefined} aria-describedby="travel-wrong" value=${text}
      onInput=${typed(setText)} />
    <span class="pair">
      <button class="plain-border">Go</button>
      ${known && html`<${Code} label="go" call=${call} />`}
    </span>
  </form>`;
}
