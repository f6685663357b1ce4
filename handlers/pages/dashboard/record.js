// One record in an editor at the side, which writes only what was changed, and only over what was read.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { change, go, params } from "../shell/address.js";
import { Code } from "../shell/calls.js";
import { Empty, ErrorNote, Field } from "../shell/components.js";
import { capital } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { sayError } from "../shell/toast.js";
import { dropDraft, keepDraft, tellDraft, untellDraft } from "./drafts.js";
import { pathOf, useRecord } from "./following.js";
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

/** @param {{noun: Noun, id: string, categories: Map<number, string>, changes: number, onClose: (gone?: boolean) => void}} props */
export function RecordEditor({ noun, id, categories, changes, onClose }) {
  const isNew = id === "new";
  const panel = useRef(/** @type {HTMLElement|null} */ (null));
  const toEnter = useRef(useState(() => entering)[0]);
  const followed = useRecord(noun, id, changes, () => { // the keyboard stays in the panel
    if (panel.current?.querySelector("form")?.contains(document.activeElement)) panel.current.querySelector("button")?.focus();
  });
  const { read, error, load } = followed;
  useEffect(() => {
    entering = false;
    untellDraft(noun, id);
    return () => tellDraft(noun, id, () => {
      entering = true;
      const same = params().view === "data" && (params().table ?? "pets") === noun.name;
      go({ ...(same && params()), view: "data", table: noun.name, open: id });
    });
  }, []);
  return html`<aside ref=${panel} class="detail editor" aria-label=${isNew ? `New ${noun.one}` : `${noun.one} ${id}`}>
    <header class="detail-head"><h2 class="grow">${isNew ? `New ${noun.one}` : html`${capital(noun.one)} <span class="id">${id}</span>`}</h2>
      <button type="button" class="icon" aria-label="Close" title="Close (Esc)" onClick=${() => onClose()}><${Icon} name="close" /></button></header>
    <div class="detail-body">
      ${error?.status === 404 ? html`<${Empty} title=${`There is no ${noun.one} ${id}`}><p>It was deleted, or never made.</p><//>` : html`<${ErrorNote} error=${error} onRetry=${load} />`}
      ${read && html`<${Form} key=${read.round} noun=${noun} id=${id} read=${read} followed=${followed} categories=${categories} toEnter=${toEnter} onClose=${onClose} />`}
    </div>
  </aside>`;
}

/**
 * @param {object} props
 * @param {Noun} props.noun
 * @param {string} props.id
 * @param {import("./following.js").Read} props.read
 * @param {ReturnType<typeof useRecord>} props.followed
 * @param {Map<number, string>} props.categories
 * @param {{current: boolean}} props.toEnter  whether the keyboard goes into this form, or into the next one
 * @param {(gone?: boolean) => void} props.onClose  gone: whether the record is
 */
function Form({ noun, id, read, followed, categories, toEnter, onClose }) {
  const isNew = id === "new";
  const { record, tag } = read;
  const { meanwhile, writing, load, look } = followed;
  const [typed, setTyped] = useState(/** @type {Row|null} */ (read.values ?? null)); // null: nothing that differs
  const values = typed ?? record;
  const form = useRef(/** @type {HTMLElement|null} */ (null));
  useEffect(() => {
    if (toEnter.current) enter(form.current?.closest("aside"));
    toEnter.current = false;
  }, []);
  const [refused, setRefused] = useState(/** @type {{problem: any, values: Row}|null} */ (null));
  useEffect(() => { // what is wrong is where the keyboard goes
    /** @type {HTMLElement|null|undefined} */ (form.current?.querySelector("[aria-invalid]"))?.focus();
  }, [refused]);
  const [busy, setBusy] = useState(false);
  const fixed = !isNew && !noun.change;
  const call = (/** @type {boolean} */ force) => callOf(noun, id, record, values, force ? "" : tag);
  const set = (/** @type {string} */ name, /** @type {any} */ value) => {
    const next = { ...values, [name]: value };
    if (noun.inputs.some((input) => !same(next[input.name], record[input.name]))) {
      setTyped(next);
      keepDraft(noun, id, { record, tag, values: next });
    } else {
      setTyped(null);
      dropDraft(noun, id);
      if (!meanwhile) return;
      setRefused(null);
      void look(new AbortController().signal);
    }
  };
  const again = () => {
    toEnter.current = true;
    void load();
  };

  const save = async (/** @type {boolean} */ force) => {
    setBusy(true);
    setRefused(null);
    writing.current = true;
    try {
      const { data } = await writeRecord(call(force), isNew ? `Added ${noun.a}.` : `Changed ${noun.one} ${id}.`);
      dropDraft(noun, id);
      if (isNew) open(String(data[noun.id]));
      else again();
    } catch (problem) {
      setRefused({ problem, values });
    } finally {
      writing.current = false;
      setBusy(false);
    }
  };
  const told = fieldErrors(refused?.problem);
  const known = noun.inputs.some(({ name }) => told[name]);
  const toldOf = (/** @type {string} */ name) => (same(values[name], refused?.values[name]) ? told[name] : undefined);
  const conflict = refused?.problem.status === 412 && meanwhile !== "deleted" ? "refused" : meanwhile;
  return html`<form ref=${form} class="stack" onSubmit=${(/** @type {Event} */ e) => { e.preventDefault(); void save(false); }}>
    ${noun.photo && record[noun.photo] && html`<${Portrait} id=${record[noun.photo]} category=${record.categoryId} large />`}
    ${noun.inputs.map((input) => html`<${Field} key=${input.name} label=${input.title} error=${toldOf(input.name)}>${(/** @type {any} */ attributes) =>
      html`<${Control} input=${input} attributes=${{ ...attributes, disabled: fixed }} value=${values[input.name]} categories=${categories} onChange=${(/** @type {any} */ value) => set(input.name, value)} />`}<//>`)}
    ${!conflict && !known && html`<${ErrorNote} error=${refused?.problem} />`}
    ${!fixed && html`<div class="row">
      <button class="primary" disabled=${busy || !isNew && !typed || meanwhile === "deleted"}>${isNew ? "Add" : "Save"}</button>
      <${Code} label=${isNew ? "add" : "save"} call=${() => call(false)} />
      ${typed && html`<button type="button" onClick=${again}>Discard</button>`}
      <span class="grow"></span>
      ${!isNew && noun.remove && meanwhile !== "deleted" && html`<${Remove} noun=${noun} id=${id} tag=${tag} writing=${writing} onClose=${() => onClose(true)} />`}
    </div>`}
    ${conflict && html`<${Conflict} is=${conflict} noun=${noun} onLoad=${again} onForce=${() => save(true)} />` /* below, so that no button moves when it comes */}
    ${fixed && html`<p class="note">The API has no way to change ${noun.a}.</p>`}
  </form>`;
}

/** Whether a field has one value in both. @param {any} a @param {any} b */
const same = (a, b) => (a ?? "") === (b ?? "");

/** @typedef {"refused"|"changed"|"deleted"} Trouble  refused: a change that would overwrite another */

/** @param {{is: Trouble, noun: Noun, onLoad: () => void, onForce: () => void}} props */
function Conflict({ is, noun, onLoad, onForce }) {
  if (is === "deleted") return html`<div class="error-note" role="alert"><p>This ${noun.one} has been deleted since you opened it, so your changes cannot be saved. They stay here until you discard them.</p></div>`;
  return html`<div class="error-note" role="alert">
    <p>${is === "refused" ? `Somebody else has changed this ${noun.one} since you opened it. The server refused to overwrite that (412).` : `This ${noun.one} has changed since you opened it.`}</p>
    <button type="button" onClick=${onLoad}>Show theirs</button><button type="button" class="danger" onClick=${onForce}>Overwrite</button></div>`;
}

/** @param {{noun: Noun, id: string, tag: string, writing: {current: boolean}, onClose: () => void}} props */
function Remove({ noun, id, tag, writing, onClose }) {
  const call = () => ({ method: "DELETE", path: pathOf(noun, id), headers: { "If-Match": tag } });
  const run = () => {
    writing.current = true;
    return writeRecord(call(), `Deleted ${noun.one} ${id}.`).then(() => { dropDraft(noun, id); onClose(); }, (problem) => { writing.current = false; sayError(problem, "data"); });
  };
  return html`<span class="pair"><button type="button" class="danger" onClick=${run}>Delete</button><${Code} label="delete" call=${call} /></span>`;
}

/**
 * Returns the call that saves the record: of a PATCH what is different, null for what was emptied and may be missing.
 * @param {Noun} noun @param {string} id @param {Row} before @param {Row} values @param {string} tag  empty: over whatever is there
 * @returns {import("../shell/api.js").Call}
 */
function callOf(noun, id, before, values, tag) {
  /** @type {Row} */
  const body = {};
  for (const { name, optional } of noun.inputs) {
    const value = values[name] === "" ? undefined : values[name];
    if (id === "new" || noun.change === "PUT" ? value !== undefined : value !== before[name]) body[name] = value ?? (optional ? null : "");
  }
  if (id === "new") return { method: "POST", path: pathOf(noun, id), body };
  const headers = tag ? { "If-Match": tag } : undefined;
  return { method: noun.change ?? "GET", path: pathOf(noun, id), body, headers };
}

/** The messages by field. @param {import("../shell/api.js").ApiError} [error] @returns {Record<string, string>} */
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
