// The clock of the sandbox, and controls that move it.

import { html, useEffect, useState } from "../library/preact.js";
import { get } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Item, Menu } from "../shell/components.js";
import { typed } from "../shell/events.js";
import { capital, dayAndTime, isShifted, moment, shift } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { sayWhile, session, write } from "../shell/session.js";
import { DAY, dayAfter, instant, withSunset } from "../shell/sunset.js";
import { sayError } from "../shell/toast.js";

/** @typedef {import("../shell/types.js").Clock} Clock */
/**
 * @typedef {(body: Record<string, any>|undefined, done: string, label?: string) => Promise<boolean>} Set
 *   without a body: sets the machine's time
 */

/**
 * Returns the current time of the sandbox. Between two readings it advances, while the server is reachable.
 * @param {Clock|undefined} clock
 */
export function useNow(clock) {
  const [read, setRead] = useState({ clock, at: Date.now() });
  const [at, tick] = useState(0);
  useEffect(() => setRead({ clock, at: Date.now() }), [clock?.now, clock?.frozen]);
  useEffect(() => {
    const timer = setInterval(() => session.get().stream.is === "lost" || tick(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  if (!read.clock) return undefined;
  return Date.parse(read.clock.now) + (read.clock.frozen ? 0 : Math.max(0, at - read.at));
}

/**
 * Says what was done to the clock, until the clock is changed again.
 * @param {string} done
 * @param {Clock} clock  after the change
 * @param {Partial<import("../shell/toast.js").Toast>} more
 */
const sayClock = (done, { frozen, now, offsetSeconds }, more) => sayWhile(done, ({ clock: is }) =>
  is.frozen === frozen && (frozen ? is.now === now : Math.abs(is.offsetSeconds - offsetSeconds) < 1),
{ about: ["clock"], ...more });

/**
 * Returns the call that takes back a change of the clock.
 * @param {Clock} was
 * @param {number} at  when the clock was read, by the browser's clock
 * @returns {import("../shell/api.js").Call}
 */
export function backTo(was, at) {
  if (!isShifted(was)) return release;
  const { now, frozen } = was;
  const to = Date.parse(now) + (frozen ? 0 : Date.now() - at);
  return { method: "PUT", path: "admin/clock", body: { now: new Date(to).toISOString(), frozen } };
}

/** Sets the clock to another time. @param {number} to */
export const travelCall = (to) => ({ method: "PUT", path: "admin/clock", body: { now: new Date(to).toISOString() } });

/** Sets the clock to the machine's time. */
export const release = { method: "DELETE", path: "admin/clock" };

/** The clock after a release, whose response does not include it. */
const REAL = { now: "", frozen: false, offsetSeconds: 0 };

/**
 * Changes the clock and says so, with Undo.
 * @param {import("../shell/api.js").Call} call
 * @param {string} done  the message
 * @param {(clock: Clock) => Promise<(Partial<import("../shell/toast.js").Toast> & {what: string})|undefined>} [more]
 *   by the new clock; what: what it does
 */
export async function setClock(call, done, more) {
  try {
    const began = Date.now();
    const was = await get("admin/clock");
    const { data } = await write(call);
    const action = { text: "Undo", run: () => void write(backTo(was, began)).catch(sayError) };
    const { what, ...rest } = await more?.(data || REAL) ?? {};
    sayClock(what ? `${done.slice(0, -1)}: ${what}.` : done, data || REAL, { call, action, ...rest });
    return true;
  } catch (problem) {
    sayError(problem, "clock");
    return false;
  }
}

/**
 * @param {object} props
 * @param {Clock} props.clock
 * @param {number} props.now
 * @param {number|null} props.moved  where the handle is dragged to
 * @param {string} props.on  what moves the clock there
 * @param {any} props.then  what is true at moved
 * @param {Set} props.set
 * @param {(to: number) => Promise<boolean>} props.travel
 * @param {import("../shell/types.js").Operation[]} props.operations
 */
export function ClockPanel({ clock, now, moved, on, then, set, travel, operations }) {
  const asUsual = !isShifted(clock);
  const by = asUsual ? "the machine's time" : shift(clock.offsetSeconds);
  const lost = session.get().stream.is === "lost";
  const state = ["UTC", clock.frozen ? "frozen" : !lost && "running", lost && "when last seen", by]
    .filter(Boolean).join(", ");
  const realTime = () => set(undefined, "It is the machine's time again.");
  return html`
    <div class="row clock">
      <h2 class="wire">${dayAndTime(moved ?? now)}${clock.frozen && html`<${Icon} name="pause" />`}</h2>
      <p class=${asUsual && moved === null ? "" : "shifted"}>
        ${moved === null ? state : lost ? "the server does not answer, so this changes nothing"
          : html`on ${on}: ${then}<span class="esc">; Esc cancels</span>`}
      </p>
    </div>
    <div class="row">
      <${Step} text="+1 h" body=${{ advance: "1h" }} done="An hour later." set=${set} />
      <${Step} text="+1 day" body=${{ advance: "24h" }} done="A day later." set=${set} />
      <${Sunsets} operations=${withSunset(operations)} now=${now} set=${set} />
      <${Travel} travel=${travel} />
      <span class="pair">
        <button type="button" class="plain-border" disabled=${asUsual} onClick=${realTime}>Real time</button>
        <${Code} label="real time" call=${() => release} />
      </span>
      ${clock.frozen
        ? html`<${Step} text="Resume" body=${{ frozen: false }} done="The clock runs." set=${set} />`
        : html`<${Step} text="Freeze" body=${{ frozen: true }} done="The clock is frozen." set=${set} />`}
    </div>`;
}

/**
 * A menu of days around each sunset, with a line at now.
 * @param {{operations: import("../shell/types.js").Operation[], now: number, set: Set}} props
 */
const Sunsets = ({ operations, now, set }) => operations.length > 0 && html`
  <${Menu} class="plain-border" text=${html`Sunsets<${Icon} name="down" />`}>
    ${[...new Set(operations.map(({ sunset }) => instant(sunset)))].flatMap((end) => {
      const [{ operationId }, ...more] = operations.filter(({ sunset }) => instant(sunset) === end);
      const whose = `${operationId}'s sunset${more.length > 0 ? ` and ${more.length} more` : ""}`;
      return [
        { to: end - DAY, text: `the day before ${whose}` },
        { to: dayAfter(end), text: `the day after ${whose}` },
      ];
    }).sort((a, b) => a.to - b.to).map(({ to, text }, i, { [i - 1]: before }) => {
      const go = () => set({ now: new Date(to).toISOString() }, `It is ${moment(to)}, ${text}.`);
      return html`${before?.to <= now && now < to && html`<hr />`}<${Item} key=${text} onClick=${go}
        label=${text} call=${() => travelCall(to)}>${capital(text)} <small class="wire keep">${moment(to)}</small><//>`;
    })}
  <//>`;

/** @param {{text: string, body: Record<string, any>, done: string, set: Set}} props */
const Step = ({ text, body, done, set }) => html`<span class="pair">
  <button type="button" class="plain-border" onClick=${() => set(body, done)}>${text}</button>
  <${Code} label=${text} call=${() => ({ method: "PUT", path: "admin/clock", body })} />
</span>`;

/** Parses a text such as 2031-01-01 or 2031-01-01 12:30 in UTC; NaN if it is invalid. @param {string} text */
export function instantOf(text) {
  const [date, time = "00:00"] = text.trim().replace(/(?<=[-T ])\d(?!\d)/g, "0$&").split(/[T ]+/);
  const isDate = /^\d{4}-\d\d-\d\d$/.test(date);
  if (!isDate || new Date(`${date}T00:00Z`).toJSON()?.slice(0, 10) !== date) return NaN; // a 30 February would be March
  return Date.parse(`${date}T${/[Zz]$|[+-]\d\d:\d\d$/.test(time) ? time : `${time}Z`}`);
}

/** Sets the clock to a typed date. @param {{travel: (to: number) => Promise<boolean>}} props */
function Travel({ travel }) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState("");
  useEffect(() => { // until the next action
    const clear = (/** @type {any} */ { target }) => {
      if (!wrong || target.closest(".travel")) return;
      setWrong("");
      setText("");
    };
    addEventListener("click", clear);
    return () => removeEventListener("click", clear);
  }, [wrong]);
  const to = instantOf(text);
  const known = !Number.isNaN(to);
  const go = (/** @type {Event} */ event) => {
    event.preventDefault();
    setWrong(known ? "" : "Write a date, or a date with a time, such as 2031-01-01 12:30 in UTC.");
    if (known) void travel(to).then((done) => done && setText(""));
  };
  const call = () => travelCall(to);
  return html`<form class="row travel" onSubmit=${go}>
    <label for="travel">Go to</label>
    <input id="travel" class="wire" autocomplete="off" size="18" placeholder="YYYY-MM-DD HH:MM"
      aria-invalid=${wrong ? "true" : undefined} aria-describedby="travel-wrong" value=${text}
      onInput=${typed(setText)} />
    <span class="pair">
      <button class="plain-border">Go</button>
      ${known && html`<${Code} label="go" call=${call} />`}
    </span>
    <span id="travel-wrong" class="wrong" role="alert">${wrong}</span>
  </form>`;
}
