// The search of the requests, its chips, and actions for all that it finds.

import { html, useMemo, useState } from "../library/preact.js";
import { change, params } from "../shell/address.js";
import { sandbox } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Popover, useMore } from "../shell/components.js";
import { typed } from "../shell/events.js";
import { count, plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { later, whenIdle } from "../shell/later.js";
import { write } from "../shell/session.js";
import { sayError } from "../shell/toast.js";
import { load } from "./journal.js";
import { addressOf, archiveOf, completions, ERRORS, isStatus, NO_OPERATION, parse, withWords } from "./search.js";

/** @typedef {import("./fold.js").RequestRow} RequestRow */

const Confirm = later(() => import("../shell/confirm.js"), "Confirm");
const archive = whenIdle(() => import("./archive.js"));
const archiving = () => archive().catch(() => Promise.reject({ code: "unreachable" }));

/** @param {string} search */
const find = (search) => change(addressOf(search));

const statuses = ["2xx", "3xx", "4xx", "5xx", "cut", ERRORS];
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** @param {import("../shell/types.js").Filtering} props */
export function Filters(props) {
  const { search, filtered, group, entries, found, picked, older, gone, preflights, box, paused } = props;
  const { onPause, onShowAll } = props;
  const { by } = parse(search);
  const known = entries.some(({ operationId }) => operationId === by.op);
  const [look, more] = useMore(0);
  const [clearing, setClearing] = useState(false);
  const names = {
    op: useMemo(() => distinct(entries.map(({ operationId = NO_OPERATION }) => operationId), by.op), [entries, by.op]),
    client: useMemo(() => distinct(entries.map(({ clientName = "" }) => clientName), by.client), [entries, by.client]),
  };
  const values = { status: statuses, ...names, method: methods, fault: ["any"], deprecated: ["yes"] };
  const clear = { method: "DELETE", path: "admin/requests" };
  const run = () => {
    setClearing(false);
    write(clear).then(load, sayError);
  };
  /** @param {string} name @param {string} value @param {any} text */
  const chip = (name, value, text) => {
    const on = by[name] === value;
    const next = withWords(search, { [name]: on ? "" : value });
    return html`
      <button type="button" class="filter" aria-pressed=${on} onClick=${() => find(next)}>${text}</button>
      <${Found} label=${`filter by ${value}`} search=${next} known=${known} />`;
  };
  const errors = group === "1" && withWords(search, { status: by.status ?? ERRORS });
  const listed = errors ? found.filter(({ entry }) => isStatus(ERRORS, entry.status)) : found;
  const regroup = () => change({ ...addressOf(search), group: group ? "" : "1", id: "" });
  const leave = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape") return;
    if (!search) return box.current?.blur();
    event.stopPropagation(); // the request stays open
    find("");
  };
  return html`<form class=${`${look} search`} role="search" onSubmit=${(/** @type {Event} */ e) => e.preventDefault()}>
    <div class="searchbox">
      <${Icon} name="search" />
      <input ref=${box} type="search" aria-label="Search the requests" placeholder="status:4xx or text"
        title=${`Each word, or a "phrase", in rows, bodies and request ids ( / )`} spellcheck=${false}
        list="completions" autocomplete="off"
        value=${search} onInput=${typed(find)} onKeyDown=${leave} />
      <${Found} label="find" search=${search} known=${known} />
      <datalist id="completions">
        ${completions(search, values).map((one) => html`<option key=${one} value=${one} />`)}
      </datalist>
      <kbd>/</kbd>
    </div>
    ${more}
    <span class="pair"><${Words} search=${search} names=${names} /></span>
    <span class="chosen">
      ${chip("status", ERRORS, "Errors")}
      ${chip("fault", "any", "Faults")}
      ${chip("deprecated", "yes", "Deprecated")}
    </span>
    <span class="filters-end">
      ${filtered && html`<button type="button" class="quiet" onClick=${onShowAll}>Show all</button>`}
      <span class="note">
        ${group !== "1" && html`<${Number} filtered=${filtered} found=${found.length}
          all=${entries.length - preflights} older=${older} gone=${gone} preflights=${preflights} />`}
      </span>
      <button type="button" aria-pressed=${Boolean(group)} onClick=${regroup}>
        <${Icon} name="group" />
        Group errors
      </button>
      <button type="button" aria-pressed=${paused} title="Pause and go on ( p )" onClick=${onPause}>
        <${Icon} name="pause" />
        Pause
      </button>
      <${Archive} search=${errors || search} rows=${listed} known=${known}
        picking=${!errors && listed.some(({ key }) => picked.has(key))} />
      <span class="pair">
        <button type="button" disabled=${entries.length === 0} onClick=${() => setClearing(true)}>Clear…</button>
        <${Code} label="clear the journal" call=${() => clear} />
      </span>
    </span>
    ${clearing && html`
      <${Confirm} title="Clear all requests?" verb="Clear" label="clear the journal" call=${clear}
        onConfirm=${run} onClose=${() => setClearing(false)}>
        <p>All requests of “${sandbox}” go, for everybody, also those that the filters hide. There is no undo.</p>
      <//>`}
  </form>`;
}

/**
 * Shows the call for the same search, if the API has one.
 * @param {{label: string, search: string, known: boolean}} props  known: op: is the whole name of an operation
 */
function Found({ label, search, known }) {
  const { path, by } = archiveOf(search, known);
  const call = () => ({ method: "GET", path: path.replace("format=har&", "") });
  return by.length === 0 && html`<${Code} label=${label} call=${call} />`;
}

/**
 * Shows the number of matching requests, of all requests, and of those no longer kept.
 * @param {{filtered: boolean, found: number, all: number, older: number, gone: number, preflights: number}} props
 */
function Number({ filtered, found, all, older, gone, preflights }) {
  const total = all + preflights + older + gone;
  if (all === 0) return null;
  const came = gone > 0 ? `${count(all)} of ${count(total)}` : plural(all, "request");
  const first = filtered ? `${count(found)} of ${count(all)}` : came;
  const more = [
    preflights > 0 && `${plural(preflights, "preflight")}`,
    gone > 0 && `${count(gone)} no longer kept`,
  ].filter(Boolean);
  return html`${[first, ...more].join(" · ")}`;
}

/** @param {{search: string, rows: RequestRow[], known: boolean, picking: boolean}} props */
function Archive({ search, rows, known, picking }) {
  const ids = rows.flatMap(({ entry, preflights }) => [entry, ...preflights]).map(({ id }) => id);
  const { path, by } = archiveOf(search, known, params().from);
  const run = () => archiving().then(({ saveArchive }) => saveArchive(ids, path, search)).catch(sayError);
  const more = `The API has no filter by ${by.join(", ")}, so this command gets more than the button saves.`;
  const title = picking ? "The bar of the selection saves the selected"
    : `Save ${plural(ids.length, "request")} as an HTTP Archive, for the network panel of a browser`;
  return html`<span class="pair">
    <button type="button" class="har" disabled=${picking || ids.length === 0} title=${title} onClick=${run}>
      <${Icon} name="save" />
      HAR
    </button>
    <${Code} label="the requests as an HTTP Archive" call=${() => ({ method: "GET", path })}
      note=${by.length > 0 ? more : undefined} />
  </span>`;
}

/** @param {{search: string, names: {op: string[], client: string[]}}} props */
function Words({ search, names }) {
  const { by } = parse(search);
  const put = (/** @type {string} */ name) => (/** @type {string} */ value) =>
    find(withWords(search, { [name]: value }));
  /** @type {[string, string][]} */
  const operations = names.op.map((name) => [name, name === NO_OPERATION ? "no operation" : name]);
  const set = Object.keys(by).length;
  /** @param {string} label @param {string} name @param {[string, string][]} options */
  const choice = (label, name, options) => html`
    <label class="field">
      <span>${label}</span>
      <select aria-label=${label} value=${by[name] ?? ""} onChange=${typed(put(name))}>
        <option value="">any</option>
        ${options.map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}
        ${by[name] && !options.some(([value]) => value === by[name]) && html`
          <option value=${by[name]}>${by[name]}</option>`}
      </select>
    </label>`;
  const text = html`<${Icon} name="filter" />Filter${set > 0 && ` (${set})`}`;
  return html`<${Popover} class="plain-border" text=${text}>${(/** @type {() => void} */ close) => html`
    <div class="stack">
    ${choice("Status", "status", statuses.map((name) => [name, name]))}
    ${choice("Method", "method", methods.map((name) => [name, name]))}
    ${choice("Operation", "op", operations)}
    ${choice("Client name", "client", names.client.map((name) => [name, name]))}
    ${Object.keys(by).filter((name) => !["status", "method", "op", "client"].includes(name)).map((name) => html`
      <button type="button" key=${name} onClick=${() => put(name)("")}>
        ${name}:${by[name]}<${Icon} name="close" />
      </button>`)}
    <button type="button" class="done primary" onClick=${close}>Done</button>
  </div>`}<//>`;
}

/** @param {string[]} values  @param {string} [chosen] */
const distinct = (values, chosen) => [...new Set([...values, chosen ?? ""])].filter(Boolean).sort();
