// One record in an editor at the side, which writes only what was changed, and only over what was read.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { change, go, params } from "../shell/address.js";
import { request } from "../shell/api.js";
import { Code, Empty, ErrorNote, Field } from "../shell/components.js";
import { sayError } from "../shell/toast.js";
import { draftOf, dropDraft, keepDraft, tellDraft, untellDraft } from "./drafts.js";
import { statuses } from "./nouns.js";
import { Portrait } from "./portrait.js";
import { writeRecord } from "./writes.js";

/** @typedef {import("./nouns.js").Noun} Noun */
/** @typedef {import("./nouns.js").Row} Row */

let entering = false; // whether the keyboard goes into the editor that is opened next

/** Opens a record, and goes into its editor. @param {string} id  "new": one that is not made yet */
export function open(id) {
  entering = params().open !== id;
  if (entering) change({ open: id });
  else enter(document.querySelector(".editor"));
}

/** Goes to the first that can be changed. @param {Element|null|undefined} editor */
function enter(editor) {
  const first = editor?.querySelector("form :is(input, select, textarea):enabled") ?? editor?.querySelector("button");
  /** @type {HTMLElement|null|undefined} */ (first)?.focus({ preventScroll: true });
}

let rounds = 0; // of forms; each begins with what was read

/** @param {import("./drafts.js").Draft} read */
const begin = (read) => ({ ...read, round: ++rounds });

/** @param {{noun: Noun, id: string, categories: Map<number, string>, onClose: (gone?: boolean) => void}} props */
export function RecordEditor({ noun, id, categories, onClose }) {
  const isNew = id === "new";
  const [read, setRead] = useState(() => {
    const draft = draftOf(noun, id) ?? (isNew ? { record: {}, tag: "" } : null);
    return draft && begin(draft);
  });
  const [error, setError] = useState(/** @type {any} */ (null));
  const toEnter = useRef(useState(() => entering)[0]);
  const load = async () => {
    dropDraft(noun, id);
    setError(null);
    if (isNew) return setRead(begin({ record: {}, tag: "" }));
    return request({ method: "GET", path: pathOf(noun, id) }).then(({ data, headers }) => setRead(begin({ record: data, tag: headers.get("ETag") ?? "" })), setError);
  };
  useEffect(() => {
    entering = false;
    untellDraft(noun, id);
    if (!read) void load();
    return () => tellDraft(noun, id, () => {
      entering = true;
      const same = params().view === "data" && (params().table ?? "pets") === noun.name;
      go({ ...(same && params()), view: "data", table: noun.name, open: id });
    });
  }, []);
  return html`<aside class="detail editor" aria-label=${isNew ? `New ${noun.one}` : `${noun.one} ${id}`}>
    <header class="detail-head"><h2 class="grow">${isNew ? `New ${noun.one}` : html`${capital(noun.one)} <span class="id">${id}</span>`}</h2>
      <button type="button" class="icon" aria-label="Close" title="Close (Esc)" onClick=${() => onClose()}>✕</button></header>
    <div class="detail-body">
      ${error?.status === 404 ? html`<${Empty} title=${`There is no ${noun.one} ${id}`}><p>It was deleted, or never made.</p><//>` : html`<${ErrorNote} error=${error} onRetry=${load} />`}
      ${read && html`<${Form} key=${read.round} noun=${noun} id=${id} read=${read} categories=${categories} toEnter=${toEnter} onLoad=${load} onClose=${onClose} />`}
    </div>
  </aside>`;
}

/** @param {string} text */
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** @param {Noun} noun @param {string} id */
const pathOf = (noun, id) => `admin/data/${noun.path}${id === "new" ? "" : `/${encodeURIComponent(id)}`}`;

/**
 * @param {object} props
 * @param {Noun} props.noun
 * @param {string} props.id
 * @param {import("./drafts.js").Draft} props.read
 * @param {Map<number, string>} props.categories
 * @param {{current: boolean}} props.toEnter  whether the keyboard goes into this form, or into the next one
 * @param {() => void} props.onLoad
 * @param {(gone?: boolean) => void} props.onClose  gone: whether the record is
 */
function Form({ noun, id, read, categories, toEnter, onLoad, onClose }) {
  const isNew = id === "new";
  const { record, tag } = read;
  const [values, setValues] = useState(() => ({ ...(read.values ?? record) }));
  const form = useRef(/** @type {HTMLElement|null} */ (null));
  useEffect(() => {
    if (toEnter.current) enter(form.current?.closest("aside"));
    toEnter.current = false;
  }, []);
  const [error, setError] = useState(/** @type {any} */ (null));
  const [busy, setBusy] = useState(false);
  const fixed = !isNew && !noun.change;
  const call = (/** @type {boolean} */ force) => callOf(noun, id, record, values, force ? "" : tag);
  const differ = (/** @type {Row} */ typed) => JSON.stringify(callOf(noun, id, record, typed, tag).body) !== "{}";
  const typed = differ(values);
  const set = (/** @type {string} */ name, /** @type {any} */ value) => {
    const next = { ...values, [name]: value };
    setValues(next);
    if (differ(next)) keepDraft(noun, id, { record, tag, values: next });
    else dropDraft(noun, id);
  };
  const again = () => {
    toEnter.current = true;
    onLoad();
  };

  const save = async (/** @type {boolean} */ force) => {
    setBusy(true);
    setError(null);
    try {
      const { data } = await writeRecord(call(force), isNew ? `Added ${noun.a}.` : `Changed ${noun.one} ${id}.`);
      dropDraft(noun, id);
      if (isNew) open(String(data[noun.id]));
      else again();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  const told = fieldErrors(error);
  const known = noun.inputs.some(({ name }) => told[name]);
  return html`<form ref=${form} class="stack" onSubmit=${(/** @type {Event} */ e) => { e.preventDefault(); void save(false); }}>
    ${noun.photo && record[noun.photo] && html`<${Portrait} id=${record[noun.photo]} category=${record.categoryId} large />`}
    ${noun.inputs.map((input) => html`<${Field} key=${input.name} label=${input.title} error=${told[input.name]}>${(/** @type {any} */ attributes) =>
      html`<${Control} input=${input} attributes=${{ ...attributes, disabled: fixed }} value=${values[input.name]} categories=${categories} onChange=${(/** @type {any} */ value) => set(input.name, value)} />`}<//>`)}
    ${error?.status === 412 ? html`<${Conflict} noun=${noun} onLoad=${again} onForce=${() => save(true)} />` : !known && html`<${ErrorNote} error=${error} />`}
    ${!fixed && html`<div class="row">
      <button class="primary" disabled=${busy || !isNew && !typed}>${isNew ? "Add" : "Save"}</button>
      <${Code} label=${isNew ? "add" : "save"} call=${() => call(false)} />
      ${typed && html`<button type="button" onClick=${again}>Discard</button>`}
      <span class="grow"></span>
      ${!isNew && noun.remove && html`<${Remove} noun=${noun} id=${id} tag=${tag} onClose=${() => onClose(true)} />`}
    </div>`}
    ${fixed && html`<p class="note">The API has no way to change ${noun.a}.</p>`}
  </form>`;
}

/** @param {{noun: Noun, onLoad: () => void, onForce: () => void}} props */
const Conflict = ({ noun, onLoad, onForce }) => html`<div class="error-note" role="alert">
  <p>Somebody else has changed this ${noun.one} since you opened it. The server refused to overwrite that (412).</p>
  <button type="button" onClick=${onLoad}>Show theirs</button><button type="button" class="danger" onClick=${onForce}>Overwrite</button></div>`;

/** @param {{noun: Noun, id: string, tag: string, onClose: () => void}} props */
function Remove({ noun, id, tag, onClose }) {
  const call = () => ({ method: "DELETE", path: pathOf(noun, id), headers: { "If-Match": tag } });
  const run = () => writeRecord(call(), `Deleted ${noun.one} ${id}.`).then(() => { dropDraft(noun, id); onClose(); }, sayError);
  return html`<span class="pair"><button type="button" class="danger" onClick=${run}>Delete</button><${Code} label="delete" call=${call} /></span>`;
}

/**
 * Returns the call that saves the record: of a PATCH what is different, null for what was emptied.
 * @param {Noun} noun @param {string} id @param {Row} before @param {Row} values @param {string} tag  empty: over whatever is there
 * @returns {import("../shell/api.js").Call}
 */
function callOf(noun, id, before, values, tag) {
  /** @type {Row} */
  const body = {};
  for (const { name } of noun.inputs) {
    const value = values[name] === "" ? undefined : values[name];
    if (id === "new" || noun.change === "PUT" ? value !== undefined : value !== before[name]) body[name] = value ?? null;
  }
  if (id === "new") return { method: "POST", path: pathOf(noun, id), body };
  const headers = tag ? { "If-Match": tag } : undefined;
  return { method: noun.change ?? "GET", path: pathOf(noun, id), body: noun.change === "PUT" && values.quantity === before.quantity ? {} : body, headers };
}

/** The messages by field. @param {import("../shell/api.js").ApiError|null} error @returns {Record<string, string>} */
function fieldErrors(error) {
  if (!error) return {};
  return Object.fromEntries((error.details ?? []).map(({ field, message }) => [field.replace(/^\//, ""), message]));
}

/** @param {{input: import("./nouns.js").Input, attributes: Record<string, any>, value: any, categories: Map<number, string>, onChange: (value: any) => void}} props */
function Control({ input, attributes, value, categories, onChange }) {
  const text = (/** @type {any} */ event) => onChange(event.target.value);
  switch (input.kind) {
    case "long":
      return html`<textarea ...${attributes} rows="5" value=${value ?? ""} onInput=${text}></textarea>`;
    case "number":
      return html`<input ...${attributes} inputmode="numeric" class="wire" value=${value ?? ""} onInput=${(/** @type {any} */ e) => onChange(number(e.target.value))} />`;
    case "boolean":
      return html`<input ...${attributes} type="checkbox" checked=${Boolean(value)} onChange=${(/** @type {any} */ e) => onChange(e.target.checked)} />`;
    case "status":
      return html`<select ...${attributes} value=${value ?? statuses[0]} onChange=${text}>${statuses.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}</select>`;
    case "category":
      return html`<select ...${attributes} value=${value ?? ""} onChange=${(/** @type {any} */ e) => onChange(number(e.target.value))}><option value="">choose one</option>
        ${value !== undefined && value !== "" && !categories.has(value) && html`<option value=${value}>${value}</option>`}
        ${[...categories].map(([id, name]) => html`<option key=${id} value=${id}>${name} (${id})</option>`)}</select>`;
    case "time":
      return html`<input ...${attributes} class="wire" placeholder="2031-01-31T09:30:00Z" value=${value ?? ""} onInput=${text} />`;
    default:
      return html`<input ...${attributes} value=${value ?? ""} onInput=${text} />`;
  }
}

/** A number where the text is one, else the text, which the server then refuses in its own words. @param {string} text */
const number = (text) => (/^-?(0|[1-9]\d{0,14})$/.test(text.trim()) ? Number(text) : text);
