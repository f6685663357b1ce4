// The way back to the baseline, of all or of parts.

import { html, useEffect, useState } from "../library/preact.js";
import { readBounded } from "../dashboard/bounded.js";
import { generated, request, sandboxRoot } from "./api.js";
import { Code } from "./calls.js";
import { Dialog, ErrorNote, Field } from "./components.js";
import { checked, typed } from "./events.js";
import { capital, count, dayAndTime, isShifted, plural } from "./format.js";
import { saveSnapshot } from "./commands.js";
import { resetting } from "./sandboxes.js";
import { session, write } from "./session.js";
import { useStore } from "./store.js";
import { say } from "./toast.js";

const MOST = 2 << 20; // characters of a difference; of a longer one, the writes are told

/**
 * What a reset can be of, and what else is so called.
 * @typedef {"data"|"clock"|"faults"|"lifecycle"|"journal"|"report"|"keys"|"limit"} Part
 * @type {[Part, string][]}
 */
const parts = [
  ["data", "data and ids"], ["clock", "clock"], ["faults", "faults"], ["lifecycle", "lifecycle"],
  ["journal", "requests"],
  ["report", "report"], ["keys", "idempotency keys"], ["limit", "rate limit"],
];

const sizes = ["seed", ...generated];

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

/**
 * How many records were added, changed or removed since the baseline. An entry of the inventory counts where its
 * quantity has changed: the rest of it is that of its pet.
 * @param {Record<string, {added: any[], changed: {before: any, after: any}[], removed: any[]}>} difference
 */
function recordsOf({ inventory, ...nouns }) {
  const changed = inventory.changed.filter(({ before, after }) => before.quantity !== after.quantity);
  const all = [...Object.values(nouns), { added: [], changed, removed: [] }];
  return /** @type {const} */ (["added", "changed", "removed"])
    .map((what) => ({ what, n: all.reduce((sum, changes) => sum + changes[what].length, 0) }))
    .filter(({ n }) => n > 0).map(({ what, n }) => `${count(n)} ${what}`).join(", ");
}

/**
 * What each part is now, and after a reset, as far as a reset changes it.
 * @param {Pick<import("./types.js").Sandbox, "clock"|"faults"|"journal"|"writes"|"operations">} now
 * @param {import("./types.js").Use[]} uses  of what is deprecated
 * @param {string} records  that differ from the baseline; empty: they are not known
 * @param {boolean} other  whether there will be another baseline
 * @returns {Partial<Record<Part, [string, string]>>}
 */
function changesOf({ clock, faults, journal, writes, operations }, uses, records, other) {
  const START = "as at the start";
  const time = `${dayAndTime(clock.now).slice(0, 16)}${clock.frozen ? ", frozen" : ""}`;
  return {
    ...((writes > 0 || other) && {
      data: [records || plural(writes, "write"), other ? "another baseline" : "the baseline"],
    }),
    ...(isShifted(clock) && { clock: [time, START] }),
    ...(faults > 0 && { faults: [plural(faults, "rule"), START] }),
    ...(operations > 0 && { lifecycle: [`${plural(operations, "operation")} changed`, START] }),
    ...(journal.entries > 0 && { journal: [count(journal.entries), "none"] }),
    ...(uses.length > 0 && { report: [callsOf(uses), "none"] }),
    keys: ["any", "none"],
    limit: ["as used", "full"],
  };
}

/** The question what is reset. @param {{onClose: () => void}} props */
export function Reset({ onClose }) {
  const { of } = useStore(resetting);
  const base = of && sandboxRoot(of.name);
  const { summary, operations, title } = useStore(session);
  const now = of ?? (summary && { ...summary, operations: operations.filter(({ changed }) => changed).length });
  const [chosen, setChosen] = useState(parts.map(([part]) => part));
  const [body, setBody] = useState(/** @type {Record<string, any>} */ ({}));
  const [error, setError] = useState(/** @type {any} */ (null));
  const [saved, setSaved] = useState("");
  const call = callOf(chosen, body, base);
  const [uses, setUses] = useState(/** @type {import("./types.js").Use[]} */ ([]));
  useEffect(() => {
    request({ method: "GET", path: "admin/report", base }).then(({ data }) => setUses(data.uses), () => undefined);
  }, []);
  const [records, setRecords] = useState("");
  useEffect(() => {
    const stop = new AbortController();
    readBounded("admin/state/diff", MOST, stop.signal, base)
      .then((difference) => setRecords(difference ? recordsOf(difference) : ""), () => undefined);
    return () => stop.abort();
  }, [now?.writes]);
  const changes = now ? changesOf(now, uses, records, Boolean(call.body)) : {};
  const save = () => void saveSnapshot(base).then((name = "") => setSaved(name));
  const done = () => {
    const left = parts.filter(([part]) => !chosen.includes(part)).map(([, text]) => text).join(", ");
    say(`${of ? `Reset “${of.title}”` : "Sandbox reset"}${left && `, except ${left}`}.`, { about: chosen });
    onClose();
  };
  const run = (/** @type {Event} */ event) => {
    event.preventDefault();
    const wrong = Object.keys(body).filter((name) => /\D/.test(body[name]));
    if (wrong.length === 0) return void write(call).then(done, setError);
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
    <${Dialog} title=${html`Reset “<bdi>${of?.title ?? title}</bdi>”?`} onClose=${onClose}>
      <form class="stack" onSubmit=${run}>
        <table class="parts">
          <thead>
            <tr>
              <th>Part</th>
              <th>Now</th>
              <th>After</th>
            </tr>
          </thead>
          <tbody>${parts.map(([part, text]) => html`
            <tr key=${part}>
              <th scope="row"><label class=${changes[part] ? "check" : "check note"}>
                <input type="checkbox" disabled=${!changes[part]} checked=${changes[part] && chosen.includes(part)}
                  onChange=${choose(part)} />
                ${text}
              </label></th>
              ${!changes[part]
                ? html`<td colspan="2" class="note">nothing to reset</td>`
                : chosen.includes(part)
                  ? html`<td>${changes[part][0]}</td><td>${changes[part][1]}</td>`
                  : html`<td class="note">${changes[part][0]}</td><td class="note">stays</td>`}
            </tr>`)}
          </tbody>
        </table>
        <div class="row">
          <p class="grow">Snapshots stay. There is no undo, but a snapshot brings the data back.</p>
          <button type="button" class="plain-border" disabled=${Boolean(saved)} onClick=${save}>
            ${saved ? `Saved as “${saved}”` : "Save snapshot first"}
          </button>
        </div>
        ${!summary?.ownKey && html`
          <details>
            <summary>With another baseline</summary>
            <div class="form-grid">
              ${sizes.map((name) => html`
                <${Size} key=${name} name=${name} title=${capital(name)} error=${told[name]} body=${body}
                  now=${String((name === "seed" ? now?.seed : null) ?? "as it is")} onChange=${change} />`)}
            </div>
          </details>`}
        ${Object.keys(told).length === 0 && html`<${ErrorNote} error=${error} />`}
        <div class="row">
          <button class="danger" disabled=${chosen.length === 0}>Reset</button>
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
