// Resets all or parts of a sandbox to the baseline.

import { html, useEffect, useState } from "../library/preact.js";
import { readBounded } from "../dashboard/bounded.js";
import { backTo } from "../dashboard/clock.js";
import { CLEARED, replace } from "../dashboard/import.js";
import { generated, request, sandbox, sandboxRoot, server } from "./api.js";
import { Code } from "./calls.js";
import { Dialog, ErrorNote, Field } from "./components.js";
import { checked, typed } from "./events.js";
import { useFailure } from "./failure.js";
import { capital, count, dayAndTime, isShifted, plural } from "./format.js";
import { Icon } from "./icon.js";
import { resetting } from "./sandboxes.js";
import { isOwner, refresh, session } from "./session.js";
import { useStore } from "./store.js";
import { lifecycleOf } from "./sunset.js";
import { PATH, undone } from "./throttle.js";

const MOST = 2 << 20; // characters of a difference; if it is longer, the dialog shows the number of writes

/**
 * The parts that a reset can be limited to, and their names.
 * @typedef {"data"|"clock"|"faults"|"lifecycle"|"journal"|"report"|"keys,limit"} Part
 * @type {[Part, string][]}
 */
const parts = [
  ["data", "Data and ids"], ["clock", "Clock"], ["faults", "Faults"], ["lifecycle", "Lifecycle"],
  ["journal", "Requests"], ["report", "Deprecated calls"], ["keys,limit", "Idempotency keys, rate limit"],
];

/** @type {Part[]} */
const forgotten = ["journal", "report", "keys,limit"]; // a reset discards them, and no call restores them

const sizes = ["seed", ...generated];

/**
 * @param {string[]} texts
 * @param {"conjunction"|"disjunction"} [type]
 */
const list = (texts, type = "conjunction") => new Intl.ListFormat("en-GB", { type }).format(texts);

/** @param {Part[]} chosen */
const namesOf = (chosen) => parts.filter(([part]) => chosen.includes(part))
  .flatMap(([, text]) => text.toLowerCase().split(/, | and /));

/**
 * Reads the parts that a reset changes. Returns a function that makes the calls that restore them.
 * @param {Part[]} chosen
 * @param {URL} [base]
 */
async function remember(chosen, base) {
  const read = (/** @type {string} */ path) => request({ method: "GET", path, base }).then(({ data }) => data);
  const at = Date.now();
  const clock = chosen.includes("clock") && await read("admin/clock");
  /** @type {import("./types.js").Rule[]|false} */
  const rules = chosen.includes("faults") && await read(PATH);
  /** @type {import("./types.js").Operation[]} */
  const operations = chosen.includes("lifecycle") ? await read("admin/operations") : [];
  return async () => [
    ...(clock ? [backTo(clock, at)] : []),
    ...(rules ? [{ method: "PUT", path: PATH, body: undone(rules, [], await read(PATH)) }] : []),
    ...operations.filter(({ changed }) => changed).map((one) => ({
      method: "PUT", path: `admin/operations/${one.operationId}`, body: lifecycleOf(one),
    })),
  ];
}

/**
 * Returns the number of the baseline's records of a kind.
 * @param {string} noun
 * @param {Record<string, number>} counts  of the current data
 * @param {Difference} difference
 */
const baselineOf = (noun, counts, difference) =>
  counts[noun] - difference[noun].added.length + difference[noun].removed.length;

/**
 * Returns the call that resets the parts.
 * @param {Part[]} chosen
 * @param {Record<string, any>} body
 * @param {URL} [base]  missing: the sandbox that the page shows
 */
function callOf(chosen, body, base) {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ""));
  const query = chosen.length < parts.length ? `?only=${chosen.join(",")}` : "";
  return { method: "POST", path: `admin/reset${query}`, base, body: Object.keys(given).length ? given : undefined };
}

/** Counts the deprecated calls and their clients. @param {import("./types.js").Use[]} uses */
function callsOf(uses) {
  const clients = new Set(uses.map(({ userAgent, clientName }) => `${clientName} ${userAgent}`)).size;
  const calls = uses.reduce((all, { count: n }) => all + n, 0);
  return `${plural(clients, "client")}, ${plural(calls, "call")}`;
}

/** @typedef {Record<string, {added: any[], changed: {before: any, after: any}[], removed: any[]}>} Difference */

/**
 * Counts the records that were added, changed or removed since the baseline. An inventory entry counts if its quantity
 * has changed; its other fields belong to the pet.
 * @param {Difference} difference
 */
function recordsOf({ inventory, ...nouns }) {
  const changed = inventory.changed.filter(({ before, after }) => before.quantity !== after.quantity);
  const all = [...Object.values(nouns), { added: [], changed, removed: [] }];
  return /** @type {const} */ (["added", "changed", "removed"])
    .map((what) => ({ what, n: all.reduce((sum, changes) => sum + changes[what].length, 0) }))
    .filter(({ n }) => n > 0).map(({ what, n }) => `${count(n)}\u00a0${what}`).join(", ");
}

/** @param {Record<string, number>} counts */
const countsOf = (counts) => ["pets", "orders"].map((noun) => `${count(counts[noun])}\u00a0${noun}`).join(", ");

/** @param {import("./types.js").Clock} clock */
const timeOf = (clock) => `${dayAndTime(clock.now).slice(0, 16)}${clock.frozen ? ", frozen" : ""}`;

/**
 * Returns what each part is now and after a reset, for the parts that a reset changes.
 * @param {Pick<import("./types.js").Sandbox, "counts"|"clock"|"faults"|"journal"|"writes"|"operations">} now
 * @param {import("./types.js").Use[]} uses  of deprecated operations
 * @param {Difference|null|undefined} difference  from the baseline; null: unknown; missing: not loaded yet
 * @param {Record<string, number>|undefined} after  the counts of the baseline; missing: unknown
 * @param {boolean} other  whether there will be another baseline
 * @param {Start} [start]  missing: unknown
 * @returns {Partial<Record<Part, [now: string, after: string, more?: string]>>}
 */
function changesOf({ counts, clock, faults, journal, writes, operations }, uses, difference, after, other, start) {
  const records = difference && recordsOf(difference);
  const more = records || (writes > 0 ? plural(writes, "write") : "");
  const initial = start && (isShifted(start.clock) ? timeOf(start.clock) : "real time");
  const rules = start && (start.faults > 0 ? plural(start.faults, "rule") : "no rules");
  const used = journal.entries + journal.dropped + writes + uses.length > 0;
  return {
    ...((writes > 0 || other || difference === null || records) && { // an import is not a write
      data: [countsOf(counts), after ? countsOf(after) : "the baseline", more],
    }),
    ...(isShifted(clock) && { clock: [timeOf(clock), initial ?? "the initial clock"] }),
    ...(faults > 0 && { faults: [plural(faults, "rule"), rules ?? "the initial rules"] }),
    ...(operations > 0 && { lifecycle: [`${plural(operations, "operation")} changed`,
      start?.operations === 0 ? "as in the document" : "the initial dates"] }),
    ...(journal.entries > 0 && { journal: [count(journal.entries), "0"] }),
    ...(uses.length > 0 && { report: [callsOf(uses), "0 calls"] }),
    ...(used && { "keys,limit": ["as used", "cleared"] }),
  };
}

/** @typedef {Pick<import("./types.js").Sandbox, "clock"|"faults"|"operations">} Start */

/**
 * Returns the parts after a reset, if known: no call returns them for a sandbox made from a template.
 * @param {string} name
 * @returns {Promise<Start|undefined>}
 */
async function startOf(name) {
  if (name !== "default") return undefined;
  const { data } = await request({ method: "GET", path: "admin/template", base: server });
  return data.from === null ? data : undefined;
}

/**
 * Asks what to reset, once it is known what that changes.
 * @param {{onClose: () => void}} props
 */
export function Reset({ onClose }) {
  const { of } = useStore(resetting);
  const base = of && sandboxRoot(of.name);
  const { summary, operations } = useStore(session);
  const now = of ?? (summary && { ...summary, operations: operations.filter(({ changed }) => changed).length });
  const [uses, setUses] = useState(/** @type {import("./types.js").Use[]|null} */ (null));
  const [start, setStart] = useState(/** @type {Start|undefined} */ (undefined));
  useEffect(() => {
    const report = request({ method: "GET", path: "admin/report", base }).then(({ data }) => data.uses);
    const known = startOf(of?.name ?? sandbox).then(setStart, () => undefined);
    void Promise.all([report, refresh(), known]).then(([all]) => setUses(all), () => setUses([]));
  }, []);
  return now && uses && html`
    <${Question} of=${of} now=${now} uses=${uses} start=${start} base=${base} onClose=${onClose} />`;
}

/**
 * @param {object} props
 * @param {import("./types.js").Sandbox} [props.of]  missing: the sandbox that the page shows
 * @param {Parameters<typeof changesOf>[0] & {seed?: number}} props.now
 * @param {import("./types.js").Use[]} props.uses
 * @param {Start} [props.start]
 * @param {URL} [props.base]
 * @param {() => void} props.onClose
 */
function Question({ of, now, uses, start, base, onClose }) {
  const { summary, title = sandbox } = useStore(session);
  const called = of?.title ?? title;
  const [chosen, setChosen] = useState(parts.map(([part]) => part));
  const [body, setBody] = useState(/** @type {Record<string, any>} */ ({}));
  const [error, setError] = useFailure();
  const [other, setOther] = useState(false);
  const withData = chosen.includes("data");
  const call = callOf(chosen, withData ? body : {}, base);
  const [difference, setDifference] = useState(/** @type {Difference|null|undefined} */ (undefined));
  useEffect(() => {
    const stop = new AbortController();
    readBounded("admin/state/diff", MOST, stop.signal, base)
      .then((read = null) => setDifference(read), () => stop.signal.aborted || setDifference(null));
    return () => stop.abort();
  }, [now.writes]);
  const baseline = difference
    ? Object.fromEntries(generated.map((noun) => [noun, baselineOf(noun, now.counts, difference)])) : undefined;
  const typedIn = Object.fromEntries(Object.entries(body).filter(([, value]) => typeof value === "number"));
  const after = baseline && { ...baseline, ...typedIn };
  const changes = changesOf(now, uses, difference, after, Boolean(call.body), start);
  const [first] = useState(changes); // later changes add no row, which would move the buttons
  const isShown = (/** @type {[Part, string]} */ [part]) => part === "data" || part in first;
  const shown = parts.filter(isShown);
  const same = parts.filter((part) => !isShown(part) && part[0] !== "keys,limit").flatMap(([part]) => namesOf([part]));
  const marked = shown.map(([part]) => part).filter((part) => changes[part] && chosen.includes(part));
  const some = Object.keys(changes).length > 0;
  const whole = chosen.length === parts.length && !isOwner(session.get());
  const lost = namesOf(marked.filter((part) => forgotten.includes(part)));
  if (call.body && !whole) lost.push("baseline");
  const undoes = marked.some((part) => !forgotten.includes(part));
  const send = async () => {
    const names = list(namesOf(chosen.filter((part) => part in changes)));
    const text = chosen.length === parts.length ? `Reset “${called}”.` : `Reset the ${names} of “${called}”.`;
    const kept = namesOf(marked.filter((part) => !forgotten.includes(part)));
    const restored = whole ? `Undid the reset. ${capital(CLEARED)} are gone.` : `Restored the ${list(kept)}.`;
    const more = whole || !undoes ? undefined : await remember(marked, base);
    const what = whole ? "world" : marked.includes("data") ? "state" : "";
    await replace(call, what, { text, restored, about: chosen, undoes }, base, more);
  };
  const run = (/** @type {Event} */ event) => {
    event.preventDefault();
    const wrong = Object.keys(body).filter((name) => /\D/.test(body[name]));
    if (wrong.length === 0) return void send().then(onClose, setError);
    setError({ details: wrong.map((field) => ({ field, message: "Write a whole number, 0 or more." })) });
  };
  const change = (/** @type {Record<string, any>} */ to) => {
    setError(null);
    setBody(to);
  };
  const choose = (/** @type {Part} */ part) => checked((on) =>
    setChosen(parts.flatMap(([one]) => ((one === part ? on : chosen.includes(one)) ? one : []))));
  const details = /** @type {{field: string, message: string}[]} */ (error?.details ?? []);
  const told = Object.fromEntries(details.map(({ field, message }) => [field.replace("/", ""), message]));
  return html`
    <${Dialog} title=${html`Reset “<bdi>${called}</bdi>”?`} onClose=${onClose}>
      <form class="stack" onSubmit=${run}>
        <table class="parts">
          <thead>
            <tr>
              <th>Part</th>
              <th>Now</th>
              <th>After</th>
            </tr>
          </thead>
          <tbody>${shown.map(([part, text]) => html`
            <tr key=${part}>
              <th scope="row"><label class=${changes[part] ? "check" : "check note"}>
                <input type="checkbox" disabled=${!changes[part]} checked=${changes[part] && chosen.includes(part)}
                  onChange=${choose(part)} />
                ${text}
              </label></th>
              ${!changes[part]
                ? html`<td colspan="2" class="note">no changes</td>`
                : chosen.includes(part)
                  ? html`
                    <td>${changes[part][0]}<div class="note">${changes[part][2]}</div></td>
                    <td>${changes[part][1]}</td>`
                  : html`<td class="note">${changes[part][0]}</td><td class="note">stays</td>`}
            </tr>`)}
          </tbody>
        </table>
        ${same.length > 0 && html`
          <p class="note">There are no changes to ${list(same, "disjunction")}.</p>`}
        <p>
          Snapshots stay.${" "}
          ${marked.length > 0 && (!undoes ? "There is no undo." : lost.length === 0
            ? "You can undo the reset for a minute."
            : `You can undo the reset for a minute, but not that of the ${list(lost)}.`)}
        </p>
        ${!summary?.ownKey && html`
          <div>
            <button type="button" class="plain-border" disabled=${!withData} aria-expanded=${other}
              onClick=${() => setOther(!other)}>
              <${Icon} name=${other ? "down" : "next"} />
              With another baseline
            </button>
          </div>
          ${other && withData && html`<div class="form-grid">
            ${sizes.map((name) => html`
              <${Size} key=${name} name=${name} title=${capital(name)} error=${told[name]} body=${body}
                now=${String((name === "seed" ? now.seed : baseline?.[name]) ?? "as it is")} onChange=${change} />`)}
          </div>`}`}
        ${Object.keys(told).length === 0 && html`<${ErrorNote} error=${error} />`}
        <div class="row">
          <button class="danger" disabled=${marked.length === 0}>
            ${marked.length > 0 ? `Reset ${plural(marked.length, "part")}` : some ? "Reset" : "Nothing to reset"}
          </button>
          <${Code} label="reset" call=${() => call} />
          <button type="button" autofocus onClick=${onClose}>Cancel</button>
        </div>
      </form>
    <//>`;
}

/**
 * @param {object} props
 * @param {string} props.name
 * @param {string} props.title
 * @param {string} [props.error]
 * @param {Record<string, any>} props.body
 * @param {string} props.now
 * @param {(body: Record<string, any>) => void} props.onChange
 */
function Size({ name, title, error, body, now, onChange }) {
  const set = typed((text) => onChange({ ...body, [name]: /^\d+$/.test(text) ? Number(text) : text }));
  return html`
    <${Field} label=${title} error=${error}>
      ${(/** @type {any} */ attributes) => html`
        <input ...${attributes} inputmode="numeric" placeholder=${now} value=${body[name] ?? ""} onInput=${set} />`}
    <//>`;
}
