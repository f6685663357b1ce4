// The clock of the sandbox, and what the lifecycles of the operations make of it.

import { html, useEffect, useState } from "../library/preact.js";
import { get, send } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Empty, ErrorNote } from "../shell/components.js";
import { save } from "../shell/download.js";
import { count, day, dayAndTime, short } from "../shell/format.js";
import { session, write } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { DAY, instant, nextSunset } from "../shell/sunset.js";
import { say, sayError } from "../shell/toast.js";
import { LifecycleDialog } from "./lifecycle.js";
import { enforceCall, Timeline } from "./timeline.js";

/** @typedef {import("../shell/types.js").Operation} Operation */

const HOUR = 3_600_000;

/**
 * The clock of the sandbox now, which goes on between two looks at it.
 * @param {import("../shell/types.js").Clock|undefined} clock
 */
function useNow(clock) {
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
 * @param {import("../shell/types.js").Clock} clock  as it is then
 * @param {{text: string, run: () => void}} [action]
 */
function sayClock(done, { frozen, now, offsetSeconds }, action) {
  let seen = false; // the clock in the session may still be that of before
  const stop = session.listen(() => {
    const is = session.get().summary?.clock;
    const same = is?.frozen === frozen && (frozen ? is.now === now : Math.abs(is.offsetSeconds - offsetSeconds) < 1);
    if (seen && !same) withdraw();
    seen ||= same;
  });
  const withdraw = say(done, { about: ["clock"], gone: stop, action });
}

/**
 * The operations that still answer although their sunset has passed.
 * @param {Operation[]} operations
 * @param {number} now
 */
const overdue = (operations, now) => operations.filter(({ deprecated, sunset, enforceSunset }) => deprecated && !enforceSunset && instant(sunset) <= now);

/** Makes the operations answer 410 after their sunset. @param {Operation[]} operations */
async function enforce(operations) {
  try {
    for (const operation of operations) await write(enforceCall(operation, true));
    say(`${operations.map(({ operationId }) => operationId).join(", ")} answers 410 from now on.`, { about: ["clock"] });
  } catch (problem) {
    sayError(problem, "clock");
  }
}

export default function Time() {
  const { summary, operations, changes } = useStore(session);
  const [report, setReport] = useState(/** @type {{uses: import("../shell/types.js").Use[], otherUses: number}|null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  const clock = summary?.clock;
  const now = useNow(clock);
  const calls = operations.reduce((sum, operation) => sum + operation.calls, 0);
  useEffect(() => void get("admin/report").then((data) => { setReport(data); setError(null); }, setError), [changes, calls]);
  if (!clock || now === undefined) return html`<div class="page"></div>`;

  const set = async (/** @type {Record<string, any>} */ body, /** @type {string} */ done) => {
    try {
      const { data } = await write({ method: "PUT", path: "admin/clock", body });
      const late = Date.parse(data.now) > now ? overdue(operations, Date.parse(data.now)) : [];
      if (late.length === 0) sayClock(done, data);
      else sayClock(`${done} ${namesOf(late)} still ${late.length === 1 ? "answers" : "answer"}: the sunset is not enforced.`, data, { text: "Enforce it", run: () => void enforce(late) });
      return true;
    } catch (problem) {
      sayError(problem, "clock");
      return false;
    }
  };
  const travel = (/** @type {number} */ to) => set({ now: new Date(to).toISOString() }, `It is ${day(to)} now.`);
  return html`<div class="page time stack">
    <section class="stack" aria-label="Clock">
      <${ClockPanel} clock=${clock} now=${now} set=${set} travel=${travel} operations=${operations} />
      <${Timeline} operations=${operations} uses=${report?.uses ?? []} now=${now} onMove=${travel} />
    </section>
    <${Operations} operations=${operations} />
    <${Report} report=${report} error=${error} />
  </div>`;
}

/** @param {Operation[]} operations */
const namesOf = (operations) => operations.map(({ operationId }) => operationId).join(", ");

/**
 * @param {{clock: import("../shell/types.js").Clock, now: number, set: (body: Record<string, any>, done: string) => void, travel: (to: number) => void, operations: Operation[]}} props
 */
function ClockPanel({ clock, now, set, travel, operations }) {
  const call = (/** @type {Record<string, any>} */ body) => () => ({ method: "PUT", path: "admin/clock", body });
  const release = { method: "DELETE", path: "admin/clock" };
  const asUsual = !clock.frozen && Math.abs(clock.offsetSeconds) < 1;
  const next = nextSunset(operations, now);
  /** @param {any} text @param {Record<string, any>} body @param {string} done */
  const step = (text, body, done) => html`<span class="pair"><button type="button"
      onClick=${() => set(body, done)}>${text}</button><${Code} label=${text} call=${call(body)} /></span>`;
  return html`<div class="row clock">
      <h2 class="wire">${dayAndTime(now)}</h2>
      <p class="grow">${clock.frozen ? "frozen" : "running"}${asUsual ? ", the machine's time" : `, ${shift(clock.offsetSeconds)}`}</p>
      ${clock.frozen ? step("Let it run", { frozen: false }, "The clock runs.") : step("Freeze", { frozen: true }, "The clock is frozen.")}
      <span class="pair"><button type="button" disabled=${asUsual}
        onClick=${() => write(release).then(() => say("It is the machine's time again.", { about: ["clock"] }), sayError)}>Real time</button>
        <${Code} label="real time" call=${() => release} /></span>
    </div>
    <div class="row">
      ${step("+1 h", { advance: "1h" }, "An hour later.")}
      ${step("+1 day", { advance: "24h" }, "A day later.")}
      ${next !== undefined && html`${step("The day before the sunset", { now: new Date(next - DAY).toISOString() }, `It is ${day(next - DAY)}, the day before the sunset.`)}
        ${step("The day after the sunset", { now: new Date(next + DAY).toISOString() }, `It is ${day(next + DAY)}, the day after the sunset.`)}`}
      <${Travel} travel=${travel} />
    </div>`;
}

/** The instant that a text such as 2031-01-01 or 2031-01-01 12:30 names in UTC, or NaN. @param {string} text */
function instantOf(text) {
  const [date, time = "00:00"] = text.trim().split(/[T ]+/);
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || new Date(`${date}T00:00Z`).toJSON()?.slice(0, 10) !== date) return NaN; // a 30 February would be taken for March
  return Date.parse(`${date}T${/[Zz]$|[+-]\d\d:\d\d$/.test(time) ? time : `${time}Z`}`);
}

/** To the date that is typed. @param {{travel: (to: number) => void}} props */
function Travel({ travel }) {
  const [typed, setTyped] = useState("");
  const [wrong, setWrong] = useState("");
  const to = instantOf(typed);
  const go = (/** @type {Event} */ event) => {
    event.preventDefault();
    setWrong(Number.isNaN(to) ? "Write a date such as 2031-01-01, or 2031-01-01 12:30. Times are UTC." : "");
    if (!Number.isNaN(to)) travel(to);
  };
  return html`<form class="row" onSubmit=${go}><label for="travel">Go to</label>
    <input id="travel" class="wire" autocomplete="off" size="18" placeholder="2031-01-01 00:00"
      aria-invalid=${wrong ? "true" : undefined} aria-describedby="travel-wrong" value=${typed}
      onInput=${(/** @type {any} */ e) => setTyped(e.target.value)} />
    <span class="pair"><button>Go</button>${!Number.isNaN(to) && html`<${Code} label="go" call=${() => ({ method: "PUT", path: "admin/clock", body: { now: new Date(to).toISOString() } })} />`}</span>
    <span id="travel-wrong" class="wrong" role="alert">${wrong}</span></form>`;
}

/** @param {number} seconds */
function shift(seconds) {
  const size = Math.abs(seconds) * 1000;
  const text = size >= 2 * DAY ? `${count(Math.round(size / DAY))} days` : size >= 2 * HOUR ? `${Math.round(size / HOUR)} h` : `${Math.round(size / 60_000)} min`;
  return `${text} ${seconds < 0 ? "behind" : "ahead of"} the machine's time`;
}

/** Whether there is something to say of an operation. @param {Operation} operation */
const isNotable = ({ deprecated, changed, stability, brownout }) => deprecated || changed || Boolean(stability) || brownout > 0;

/** @param {{operations: Operation[]}} props */
function Operations({ operations }) {
  const [editing, setEditing] = useState("");
  const [all, setAll] = useState(false);
  const operation = operations.find(({ operationId }) => operationId === editing);
  const shown = all ? operations : operations.filter(isNotable);
  return html`<section class="stack" aria-labelledby="operations">
    <div class="row">
      <h2 id="operations" class="grow">Operations</h2>
      ${operations.length > 0 && html`
        <button type="button" aria-expanded=${all} onClick=${() => setAll(!all)}>
          ${all ? "Show those with a lifecycle" : "Show all operations"}
        </button>`}
    </div>
    <div class="wide-table" tabindex="0" role="region" aria-label="Table of the operations">
      <table>
        <thead>
          <tr>
            <th>Operation</th>
            <th>Path</th>
            <th class="number">Calls</th>
            <th>Stability</th>
            <th>Deprecated since</th>
            <th>Sunset</th>
            <th>After sunset</th>
            <th class="number">Brown-out</th>
            <td></td>
          </tr>
        </thead>
        <tbody>${shown.map((o) => html`
          <tr key=${o.operationId} class=${o.changed ? "is-own" : ""}>
            <td class="wire">${o.operationId}${o.changed && html` <span class="tag" title="In this sandbox">changed</span>`}</td>
            <td class="wire"><span class="note">${o.method}</span> ${o.path}</td>
            <td class="number">${count(o.calls)}</td>
            <td>${o.stability ?? ""}</td>
            <td class="wire">${o.deprecated ? o.deprecatedSince : ""}</td>
            <td class="wire">${o.sunset ?? ""}</td>
            <td>${o.sunset ? (o.enforceSunset ? "410" : "still answers") : ""}</td>
            <td class="number">${o.brownout ? `${+(o.brownout * 100).toFixed(1)} %` : ""}</td>
            <td>
              <button type="button" class="quiet" aria-label=${`Change ${o.operationId}`}
                onClick=${() => setEditing(o.operationId)}>Change…</button>
            </td>
          </tr>`)}
        </tbody>
      </table>
    </div>
    ${operation && html`<${LifecycleDialog} operation=${operation} onClose=${() => setEditing("")} />`}
  </section>`;
}

/** @param {{report: {uses: import("../shell/types.js").Use[], otherUses: number}|null, error: any}} props */
function Report({ report, error }) {
  const junit = { method: "GET", path: "admin/report?format=junit" };
  const download = () => send(junit).then(async (response) => save(await response.blob(), "deprecated-use.xml"), sayError);
  return html`<section class="stack" aria-labelledby="report">
    <div class="row"><h2 id="report" class="grow">Who still calls deprecated operations</h2><span class="pair"><button
      type="button" onClick=${download}>Save as JUnit XML</button><${Code} label="the report as JUnit XML"
      call=${() => junit} /></span></div>
    <${ErrorNote} error=${error} />
    ${report?.uses.length === 0 && html`<${Empty} title="Nobody yet"><p>A call to a deprecated operation shows here with its caller.</p><//>`}
    ${report && report.uses.length > 0 && html`<div class="wide-table" tabindex="0" role="region" aria-label="Table of the callers"><table><thead><tr><th>Operation</th><th>Caller</th><th class="number">Calls</th><th>First</th><th>Last</th><th>Instead</th></tr></thead>
      <tbody>${report.uses.map((use) => html`<tr key=${`${use.operationId} ${use.userAgent} ${use.clientName}`}><td class="wire">${use.operationId}</td><td class="told"><span class="caller" title=${use.userAgent}>${use.clientName && html`<strong>${short(use.clientName)}</strong> `}<span class="note">${use.userAgent || "without a User-Agent"}</span></span></td>
        <td class="number">${count(use.count)}</td><td class="wire">${dayAndTime(use.first)}</td><td
          class="wire">${dayAndTime(use.last)}</td><td
          class="wire">${use.successor ?? ""}</td></tr>`)}</tbody></table></div>
      ${report.otherUses > 0 && html`<p class="note">And ${count(report.otherUses)} calls by others, who are too many to be told apart.</p>`}`}
  </section>`;
}
