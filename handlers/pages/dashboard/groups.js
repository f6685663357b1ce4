// The errors by operation and code: how many, since when, and what to do.

import { html, useMemo } from "../library/preact.js";
import { change } from "../shell/address.js";
import { Empty, Status } from "../shell/components.js";
import { count, moment, plural, statusClass, statusText } from "../shell/format.js";
import { adviceFor } from "./advice.js";
import { errorOf, NO_OPERATION, reasonOf } from "./journal.js";
import { Older } from "./older.js";

/** @typedef {import("../shell/types.js").Entry} Entry */

/**
 * @param {Entry[]} entries  newest first
 * @returns {{key: string, operation: string, code: string, entries: Entry[]}[]}  those with the most first
 */
function group(entries) {
  /** @type {Map<string, {key: string, operation: string, code: string, entries: Entry[]}>} */
  const groups = new Map();
  for (const entry of entries) {
    if (entry.status >= 1 && entry.status < 400) continue;
    const operation = entry.operationId ?? "";
    const code = errorOf(entry)?.code ?? (entry.status === 0 ? "" : String(entry.status));
    const key = `${operation} ${code} ${entry.fault ?? ""}`;
    const one = groups.get(key) ?? { key, operation, code, entries: [] };
    one.entries.push(entry);
    groups.set(key, one);
  }
  return [...groups.values()].sort((a, b) => b.entries.length - a.entries.length);
}

/** @param {{entries: Entry[], older: number, today?: string}} props  older: how many more the server has; today: by the clock of the sandbox */
export function Groups({ entries, older, today }) {
  const groups = useMemo(() => group(entries), [entries]);
  return html`<div class="groups">
    ${groups.length === 0 && html`<${Empty} title="No errors"><p>Of ${plural(entries.length, "request")}, none was refused or failed.</p><//>`}
    <ul>${groups.map(({ key, operation, code, entries: all }) => {
    const last = all[0];
    const codeless = /^\d|^$/.test(code);
    const only = () => change({ group: "", op: operation || NO_OPERATION, code: codeless ? "" : code, class: codeless ? statusClass(last.status) : "", fault: last.fault ? String(last.fault) : "", id: "" });
    return html`<li key=${key}>
      <div class="row"><${Status} status=${last.status} /><strong class="wire">${operation || "no operation"}</strong><span class="wire grow">${/^\d/.test(code) ? "" : code}</span>
        <button type="button" onClick=${only}>${count(all.length)} ${all.length === 1 ? "request" : "requests"}</button></div>
      <p>${reasonOf(last) || statusText(last.status)}</p>
      <p class="note">${adviceFor(last, errorOf(last)?.code)}</p>
      <p class="note">First ${moment(all[all.length - 1].time, today)}, last ${moment(last.time, today)}.
        <button type="button" class="quiet" onClick=${() => change({ group: "", id: String(last.id) })}>Open the last one</button></p>
    </li>`;
  })}</ul>
    <${Older} older=${older} />
  </div>`;
}
