// Groups the errors by operation and code, with their reasons, clients, number, and last time.

import { html, useMemo } from "../library/preact.js";
import { change, follow, link, params } from "../shell/address.js";
import { Empty, Status } from "../shell/components.js";
import { clockTime, count, dayAndTime, plural, statusClass, statusText } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { session } from "../shell/session.js";
import { cameAt, errorOf, fieldOf, isOfRule, reasonOf } from "./journal.js";
import { Older } from "./older.js";
import { addressOf, NO_OPERATION, parse, withWords } from "./search.js";

/** @typedef {import("../shell/types.js").Entry} Entry */
/**
 * @typedef {object} Group
 * @property {string} key
 * @property {string} operation
 * @property {string} code
 * @property {string} field  the first wrong field
 * @property {Entry[]} entries
 */

const SHOWN = 5; // paths of a group

/** Returns the rule that failed the request, or "". @param {Entry} entry */
const ruleOf = (entry) => (isOfRule(entry) ? String(entry.fault) : "");

/**
 * @param {Entry[]} entries  newest first
 * @returns {Group[]}  the largest group first
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
 * @param {number} props.older  the number of further requests on the server
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
          <th class="number">Count ↓</th>
          <th>Status</th>
          <th>Operation</th>
          <th>Code</th>
          <th>Reason</th>
          <th>Clients</th>
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

const VALUE = /"[^"]*"|\d+/g; // in a reason, such as an id
const MORE = / \(and (?:\d+|one) more errors?\)$/;

/** Merges reasons that differ only in values, with … for those values. @param {string[]} reasons */
function shared([first, ...others]) {
  const values = others.map((reason) => reason.match(VALUE) ?? []);
  let next = 0;
  return first.replace(VALUE, (value) => {
    const i = next++;
    return values.every((of) => of[i] === value) ? value : "…";
  });
}

/**
 * Returns the newest reason of the requests, and the number of others, which do not only differ in values.
 * @param {Entry[]} entries  newest first
 */
export function reasonsOf(entries) {
  const all = [...new Set(entries.map(reasonOf))];
  /** @type {Map<string, string[]>} */
  const alike = new Map();
  for (const reason of all.length > 1 ? new Set(all.map((one) => one.replace(MORE, ""))) : all) {
    const plain = reason.replace(VALUE, "");
    alike.set(plain, [...alike.get(plain) ?? [], reason]);
  }
  const [newest, ...others] = [...alike.values()].map(shared);
  return others.length > 0 ? `${newest} +${plural(others.length, "other")}` : newest;
}

/** Returns the method and path of an operation. @param {string} id */
function callOf(id) {
  const operation = session.get().operations.find(({ operationId }) => operationId === id);
  return operation ? `${operation.method} ${operation.path}` : id;
}

/** The search words of a group, removed. */
const WHOLE = { op: "", code: "", field: "", status: "", fault: "" };

/** What the listed requests have in common, and a button back to all groups. @param {{search: string}} props */
export function Title({ search }) {
  const { op = "", code, field, status, fault } = parse(search).by;
  const back = () => change({ ...addressOf(withWords(search, WHOLE)), group: "1", id: "" });
  const more = [code ?? status, field?.replace("/", ""), fault && `rule ${fault}`].filter(Boolean);
  return html`<div class="group-title row">
    <button type="button" class="icon" aria-label="Error groups" title="Error groups" onClick=${back}>
      <${Icon} name="previous" />
    </button>
    <h2>${op === NO_OPERATION ? "No operation" : callOf(op)}</h2>
    <span class="note">${more.join(" · ")}</span>
  </div>`;
}

/** @param {{group: Group, search: string}} props */
function Row({ group: { operation, code, field, entries }, search }) {
  const newest = entries[0];
  const paths = [...new Set(entries.map(({ path }) => path))];
  const others = paths.length - SHOWN;
  const said = reasonsOf(entries) || statusText(newest.status);
  const rule = ruleOf(newest);
  const told = rule && !said.startsWith("rule ") ? `rule ${rule}: ${said}` : said;
  const reason = operation || paths.length === 1 ? told
    : `no operation at ${paths.slice(0, SHOWN).join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
  const codeless = /^\d|^$/.test(code);
  const words = {
    op: operation || NO_OPERATION, code: codeless ? "" : code, field,
    status: !codeless ? "" : newest.status ? statusClass(newest.status) : "cut",
    fault: rule,
  };
  const methods = [...new Set(entries.map(({ method }) => method))];
  const clients = [...new Set(entries.map(({ clientName, client }) => clientName ?? client))];
  const id = entries.length > 1 ? "" : String(newest.id);
  const open = (/** @type {any} */ { target, currentTarget }) =>
    target.closest("a") || currentTarget.querySelector("a").click();
  return html`<tr class="opens" onClick=${open}>
    <td class="number"><b>${count(entries.length)}</b></td>
    <td><${Status} status=${newest.status} /></td>
    <td class="wire">
      ${operation ? callOf(operation) : `${methods.join(", ")} ${paths.length === 1 ? paths[0] : "(no operation)"}`}
      ${!codeless && html`<div class="note">${code}</div>`}
    </td>
    <td class="code wire note">${!codeless && code}</td>
    <td class="told">
      <a href=${link({ ...params(), ...addressOf(withWords(search, words)), group: "in", id })}
        onClick=${follow}>${rule && html`<${Icon} name="faults" /> `}${reason}</a>
    </td>
    <td class="clients" title=${clients.join(", ")}>
      ${clients.length > 1 ? plural(clients.length, "client") : clients[0]}
    </td>
    <td class="wire minor" title=${`${dayAndTime(cameAt(newest))} UTC`}>${clockTime(cameAt(newest)).slice(0, 8)}</td>
  </tr>`;
}
