// The errors by operation and code: why, who, how many, and when last.

import { html, useMemo } from "../library/preact.js";
import { follow, link, params } from "../shell/address.js";
import { Empty, Status } from "../shell/components.js";
import { clockTime, count, dayAndTime, plural, statusClass, statusText } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { cameAt, errorOf, fieldOf, isOfRule, reasonOf } from "./journal.js";
import { Older } from "./older.js";
import { addressOf, NO_OPERATION, withWords } from "./search.js";

/** @typedef {import("../shell/types.js").Entry} Entry */
/**
 * @typedef {object} Group
 * @property {string} key
 * @property {string} operation
 * @property {string} code
 * @property {string} field  the first at fault
 * @property {Entry[]} entries
 */

const SHOWN = 5; // paths of a group

/** The rule that failed the request, or empty. @param {Entry} entry */
const ruleOf = (entry) => (isOfRule(entry) ? String(entry.fault) : "");

/**
 * @param {Entry[]} entries  newest first
 * @returns {Group[]}  those with the most first
 */
function group(entries) {
  /** @type {Map<string, Group>} */
  const groups = new Map();
  for (const entry of entries) {
    if (entry.status >= 1 && entry.status < 400) continue;
    const operation = entry.operationId ?? "";
    const code = errorOf(entry)?.code ?? (entry.status === 0 ? "" : String(entry.status));
    const field = fieldOf(entry);
    const key = `${operation} ${code} ${field} ${ruleOf(entry)}`;
    const one = groups.get(key) ?? { key, operation, code, field, entries: [] };
    one.entries.push(entry);
    groups.set(key, one);
  }
  return [...groups.values()].sort((a, b) => b.entries.length - a.entries.length);
}

/**
 * @param {object} props
 * @param {Entry[]} props.entries
 * @param {number} props.older  how many more the server has
 * @param {string} props.search
 * @param {() => void} [props.onShowAll]  missing: there is no filter
 */
export function Groups({ entries, older, search, onShowAll }) {
  const groups = useMemo(() => group(entries), [entries]);
  return html`<div class="groups" tabindex="0" role="region" aria-label="Errors by operation">
    ${groups.length === 0 && (entries.length === 0 && onShowAll
      ? html`<${Empty} title="No request matches">
          <button type="button" class="plain-border" onClick=${onShowAll}>Show all</button>
        <//>`
      : html`<${Empty} title="No errors">
          <p>Of ${plural(entries.length, "request")}, none was refused or failed.</p>
        <//>`)}
    ${groups.length > 0 && html`<table class="lines">
      <caption>
        ${plural(groups.length, "kind")}, ${plural(groups.flatMap((one) => one.entries).length, "error")}
      </caption>
      <thead>
        <tr>
          <th>Status</th>
          <th>Operation</th>
          <th>Reason</th>
          <th>Clients</th>
          <th class="number">Count ↓</th>
          <th>Last</th>
        </tr>
      </thead>
      <tbody>
        ${groups.map((one) => html`
          <${Row} key=${one.key} group=${one} search=${search} />`)}
      </tbody>
    </table>`}
    <${Older} older=${older} />
  </div>`;
}

const MOST_REASONS = 2; // of a group that are shown
const VALUE = /"[^"]*"|\d+/g; // of a reason, such as an id

/**
 * The reasons of requests, or how many differ in more than a value.
 * @param {Entry[]} entries @param {string} field
 */
export function reasonsOf(entries, field) {
  const plain = (/** @type {string} */ reason) => reason.replace(VALUE, "");
  const reasons = entries.map(reasonOf)
    .filter((one, i, all) => all.findIndex((other) => plain(other) === plain(one)) === i);
  return reasons.length > MOST_REASONS ? `${field && `${field.replace("/", "")}: `}${reasons.length} reasons`
    : reasons.join(" · ");
}

/** @param {{group: Group, search: string}} props */
function Row({ group: { operation, code, field, entries }, search }) {
  const newest = entries[0];
  const paths = [...new Set(entries.map(({ path }) => path))];
  const others = paths.length - SHOWN;
  const reason = operation || paths.length === 1
    ? reasonsOf(entries, field) || statusText(newest.status)
    : `no operation at ${paths.slice(0, SHOWN).join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
  const codeless = /^\d|^$/.test(code);
  const words = {
    op: operation || NO_OPERATION, code: codeless ? "" : code, field,
    status: !codeless ? "" : newest.status ? statusClass(newest.status) : "cut",
    fault: ruleOf(newest),
  };
  const clients = [...new Set(entries.map(({ clientName, client }) => clientName ?? client))];
  const id = entries.length > 1 ? "" : String(newest.id);
  const open = (/** @type {any} */ { target, currentTarget }) =>
    target.closest("a") || currentTarget.querySelector("a").click();
  return html`<tr class="opens" onClick=${open}>
    <td><${Status} status=${newest.status} /></td>
    <td class="wire">
      <span>${operation || "no operation"}</span>${" "}
      ${!codeless && html`<div class="note">${code}</div>`}
    </td>
    <td class="told">
      <a href=${link({ ...params(), ...addressOf(withWords(search, words)), group: "in", id })}
        onClick=${follow}>${isOfRule(newest) && html`<${Icon} name="faults" /> `}${reason}</a>
    </td>
    <td class="clients" title=${clients.join(", ")}>
      ${clients.length > 1 ? plural(clients.length, "client") : clients[0]}
    </td>
    <td class="number" data-title=${entries.length === 1 ? "request" : "requests"}>${count(entries.length)}</td>
    <td class="wire minor" title=${`${dayAndTime(cameAt(newest))} UTC`}>${clockTime(cameAt(newest)).slice(0, 8)}</td>
  </tr>`;
}
