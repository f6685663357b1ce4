// The way back to the baseline, of all or of parts.

import { html, useEffect, useState } from "../library/preact.js";
import { readBounded } from "../dashboard/bounded.js";
import { CLEARED, replace } from "../dashboard/import.js";
import { generated, request, sandbox, sandboxRoot } from "./api.js";
import { Code } from "./calls.js";
import { Dialog, ErrorNote, Field } from "./components.js";
import { checked, typed } from "./events.js";
import { capital, count, dayAndTime, isShifted, plural } from "./format.js";
import { Icon } from "./icon.js";
import { resetting } from "./sandboxes.js";
import { isOwner, refresh, session, write } from "./session.js";
import { useStore } from "./store.js";
import { say } from "./toast.js";

const MOST = 2 << 20; // characters of a difference; of a longer one, the writes are told

/**
 * What a reset can be of, and what else is so called.
 * @typedef {"data"|"clock"|"faults"|"lifecycle"|"journal"|"report"|"keys,limit"} Part
 * @type {[Part, string][]}
 */
const parts = [
  ["data", "Data and ids"], ["clock", "Clock"], ["faults", "Faults"], ["lifecycle", "Lifecycle"],
  ["journal", "Requests"], ["report", "Deprecated calls"], ["keys,limit", "Idempotency keys, rate limit"],
];

const sizes = ["seed", ...generated];

/** @param {string[]} texts */
const either = (texts) => new Intl.ListFormat("en-GB", { type: "disjunction" }).format(texts);

/**
 * The call that resets these parts.
 * @param {Part[]} chosen
 * @param {Record<string, any>} body
 * @param {URL} [base]  missing: the sandbox that the page shows
 */
function callOf(chosen, body, base) {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ""));
  const query = chosen.length < parts.length ? `?only=${chosen.join(",")}` : "";
  return { method: "POST", path: `admin/reset${query}`, base, body: Object.keys(given).length ? given : undefined };
}

/** How many clients called what is deprecated, and how often. @param {import("./types.js").Use[]} uses */
function callsOf(uses) {
  const clients = new Set(uses.map(({ userAgent, clientName }) => `${clientName} ${userAgent}`)).size;
  const calls = uses.reduce((all, { count: n }) => all + n, 0);
  return `${plural(clients, "client")}, ${plural(calls, "call")}`;
}

/** @typedef {Record<string, {added: any[], changed: {before: any, after: any}[], removed: any[]}>} Difference */

/**
 * How many records were added, changed or removed since the baseline. An entry of the inventory counts where its
 * quantity has changed: the rest of it is that of its pet.
 * @param {Difference} difference
 */
function recordsOf({ inventory, ...nouns }) {
  const changed = inventory.changed.filter(({ before, after }) => before.quantity !== after.quantity);
  const all = [...Object.values(nouns), { added: [], changed, removed: [] }];
  return /** @type {const} */ (["added", "changed", "removed"])
    .map((what) => ({ what, n: all.reduce((sum, changes) => sum + changes[what].length, 0) }))
    .filter(({ n }) => n > 0).map(({ what, n }) => `${count(n)}\u00a0${what}`).join(", ");
}

/**
 * How many records there are now, and in the baseline.
 * @param {Record<string, number>} counts  of the data now
 * @param {Difference} [difference]  missing: now
 */
const countsOf = (counts, difference) => ["pets", "orders"].map((noun) => {
  const { added, removed } = difference?.[noun] ?? { added: [], removed: [] };
  return `${count(counts[noun] - added.length + removed.length)}\u00a0${noun}`;
}).join(", ");

/**
 * What each part is now, and after a reset, as far as a reset changes it.
 * @param {Pick<import("./types.js").Sandbox, "counts"|"clock"|"faults"|"journal"|"writes"|"operations">} now
 * @param {import("./types.js").Use[]} uses  of what is deprecated
 * @param {Difference|null|undefined} difference  from the baseline; null: it is not known; missing: not yet
 * @param {boolean} other  whether there will be another baseline
 * @returns {Partial<Record<Part, [now: string, after: string, more?: string]>>}
 */
function changesOf({ counts, clock, faults, journal, writes, operations }, uses, difference, other) {
  const time = `${dayAndTime(clock.now).slice(0, 16)}${clock.frozen ? ", frozen" : ""}`;
  const records = difference && recordsOf(difference);
  const baseline = difference ? countsOf(counts, difference) : "the baseline";
  const more = records || (writes > 0 ? plural(writes, "write") : "");
  return {
    ...((writes > 0 || other || difference === null || records) && { // an import is no write
      data: [countsOf(counts), other ? "another baseline" : baseline, more],
    }),
    ...(isShifted(clock) && { clock: [time, "the initial clock"] }),
    ...(faults > 0 && { faults: [plural(faults, "rule"), "the initial rules"] }),
    ...(operations > 0 && { lifecycle: [`${plural(operations, "operation")} changed`, "the initial dates"] }),
    ...(journal.entries > 0 && { journal: [count(journal.entries), "0"] }),
    ...(uses.length > 0 && { report: [callsOf(uses), "0 calls"] }),
    "keys,limit": ["as used", "cleared"],
  };
}

/**
 * The question what is reset, when it is known what that changes.
 * @param {{onClose: () => void}} props
 */
export function Reset({ onClose }) {
  const { of } = useStore(resetting);
  const base = of && sandboxRoot(of.name);
  const { summary, operations } = useStore(session);
  const now = of ?? (summary && { ...summary, operations: operations.filter(({ changed }) => changed).length });
  const [uses, setUses] = useState(/** @type {import("./types.js").Use[]|null} */ (null));
  useEffect(() => {
    const report = request({ method: "GET", path: "admin/report", base }).then(({ data }) => data.uses);
    void Promise.all([report, refresh()]).then(([all]) => setUses(all), () => setUses([]));
  }, []);
  return now && uses && html`<${Question} of=${of} now=${now} uses=${uses} base=${base} onClose=${onClose} />`;
}

/**
 * @param {object} props
 * @param {import("./types.js").Sandbox} [props.of]  missing: the sandbox that the page shows
 * @param {Parameters<typeof changesOf>[0] & {seed?: number}} props.now
 * @param {import("./types.js").Use[]} props.uses
 * @param {URL} [props.base]
 * @param {() => void} props.onClose
 */
function Question({ of, now, uses, base, onClose }) {
  const { summary, title = sandbox } = useStore(session);
  const called = of?.title ?? title;
  const [chosen, setChosen] = useState(parts.map(([part]) => part));
  const [body, setBody] = useState(/** @type {Record<string, any>} */ ({}));
  const [error, setError] = useState(/** @type {any} */ (null));
  const [other, setOther] = useState(false);
  const call = callOf(chosen, body, base);
  const [difference, setDifference] = useState(/** @type {Difference|null|undefined} */ (undefined));
  useEffect(() => {
    const stop = new AbortController();
    readBounded("admin/state/diff", MOST, stop.signal, base)
      .then((read = null) => setDifference(read), () => stop.signal.aborted || setDifference(null));
    return () => stop.abort();
  }, [now.writes]);
  const changes = changesOf(now, uses, difference, Boolean(call.body));
  const [first] = useState(changes); // what comes later adds no row, which would move the buttons
  const isShown = (/** @type {[Part, string]} */ [part]) => part === "data" || part in first;
  const shown = parts.filter(isShown);
  const same = parts.filter((part) => !isShown(part));
  const marked = shown.filter(([part]) => changes[part] && chosen.includes(part));
  const whole = chosen.length === parts.length && !isOwner(session.get());
  const undoes = whole ? "world" : chosen.includes("data") && "state";
  const send = async () => {
    const left = parts.filter(([part]) => !chosen.includes(part)).map(([, text]) => text.toLowerCase()).join(", ");
    const done = { text: `Reset “${called}”${left && `, except ${left}`}.`, about: chosen };
    if (undoes) return await replace(call, undoes, done, base);
    await write(call);
    say(done.text, done);
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
          <p class="note">There are no changes to ${either(same.map(([, text]) => text.toLowerCase()))}.</p>`}
        <p>
          Snapshots stay. ${!undoes ? "There is no undo." : undoes === "state"
            ? "You can undo the reset of the data for a minute."
            : `You can undo the reset for a minute, but not that of ${CLEARED}.`}
        </p>
        ${!summary?.ownKey && html`
          <div>
            <button type="button" class="plain-border" aria-expanded=${other} onClick=${() => setOther(!other)}>
              <${Icon} name=${other ? "down" : "next"} />
              With another baseline
            </button>
          </div>
          ${other && html`<div class="form-grid">
            ${sizes.map((name) => html`
              <${Size} key=${name} name=${name} title=${capital(name)} error=${told[name]} body=${body}
                now=${String((name === "seed" ? now.seed : null) ?? "as it is")} onChange=${change} />`)}
          </div>`}`}
        ${Object.keys(told).length === 0 && html`<${ErrorNote} error=${error} />`}
        <div class="row">
          <button class="danger" disabled=${marked.length === 0}>Reset ${plural(marked.length, "part")}</button>
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
