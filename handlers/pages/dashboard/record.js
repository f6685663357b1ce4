// The editor of a record. It writes only the changed fields.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { go, params } from "../shell/address.js";
import { Code } from "../shell/calls.js";
import { Empty, ErrorNote, Field } from "../shell/components.js";
import { useFailure } from "../shell/failure.js";
import { capital } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { opened } from "../shell/later.js";
import { sayError, unsay } from "../shell/toast.js";
import { Control } from "./control.js";
import { dropDraft, keepDraft, tellDraft, untellDraft } from "./drafts.js";
import { pathOf, useRecord } from "./following.js";
import { bodyOf, differences, merged, same } from "./merge.js";
import { textOf, titleOf } from "./nouns.js";
import { enter, entering, open } from "./opening.js";
import { Portrait } from "./portrait.js";
import { writeRecord } from "./writes.js";

/** @typedef {import("./nouns.js").Noun} Noun */
/** @typedef {import("./nouns.js").Row} Row */

const Conflict = opened(() => import("./conflict.js"), "Conflict");
const Remove = opened(() => import("./related.js"), "Remove");
const Steps = opened(() => import("./related.js"), "Steps");
const Related = opened(() => import("./related.js"), "Related");

/**
 * @param {object} props
 * @param {Noun} props.noun
 * @param {string} props.id
 * @param {Map<number, string>} props.categories
 * @param {number} props.changes
 * @param {Row} [props.known]  the record as the table shows it, if it does
 * @param {Row} [props.before]  the record in the baseline, if it differs
 * @param {any} [props.since]  the difference from the baseline
 * @param {(gone?: boolean) => void} props.onClose
 */
export function RecordEditor({ noun, id, categories, changes, known, before, since, onClose }) {
  const isNew = id === "new";
  const panel = useRef(/** @type {HTMLElement|null} */ (null));
  const toEnter = useRef(useState(() => entering.current)[0]);
  const followed = useRecord(noun, id, changes);
  const { read, error, load } = followed;
  useEffect(() => {
    entering.current = false;
    untellDraft(noun, id);
    return () => tellDraft(noun, id, () => {
      entering.current = true;
      const same = params().view === "data" && (params().table ?? "pets") === noun.name;
      go({ ...(same && params()), view: "data", table: noun.name, open: id });
    });
  }, []);
  return html`<aside ref=${panel} class="detail editor" tabindex="-1"
    aria-label=${isNew ? `New ${noun.one}` : `${noun.one} ${id}`}>
    <header class="detail-head">
      <h2 class="grow">${isNew ? `New ${noun.one}` : titleOf(noun, id, (followed.theirs ?? read)?.record)}</h2>
      ${followed.meanwhile === "deleted" ? html`<span class="badge is-removed">deleted</span>` : since}
      <${Steps} panel=${panel} noun=${noun} id=${id} />
      <button type="button" class="icon" aria-label="Close" title="Close (Esc)" onClick=${() => onClose()}>
        <${Icon} name="close" />
      </button>
    </header>
    <div class="detail-body">
      ${error?.status === 404
        ? html`<${Empty} title=${`There is no ${noun.one} ${id}`}><p>It was deleted, or never made.</p><//>`
        : html`<${ErrorNote} error=${error} onRetry=${load} read=${known} />`}
      ${error && !read && known && html`<dl class="facts">${noun.inputs.map(({ name, title }) => html`
        <div key=${name}><dt>${title}</dt><dd>${textOf(name, known[name], categories)}</dd></div>`)}</dl>`}
      ${read && html`
        <${Form} key=${read.round} noun=${noun} id=${id} read=${read} followed=${followed} categories=${categories}
          toEnter=${toEnter} before=${before} onClose=${onClose} />`}
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
 * @param {{current: boolean}} props.toEnter  whether this form, or the next one, takes the focus
 * @param {Row} [props.before]
 * @param {(gone?: boolean) => void} props.onClose  gone: whether it was deleted
 */
function Form({ noun, id, read, followed, categories, toEnter, before, onClose }) {
  const isNew = id === "new";
  const { record, tag } = read;
  const { meanwhile, theirs, writing, load, look, rebase } = followed;
  const [typed, setTyped] = useState(/** @type {Row|null} */ (read.values ?? null)); // null: no difference
  const values = typed ?? record;
  const latest = useRef(values); // to compare after a save
  latest.current = values;
  const form = useRef(/** @type {HTMLElement|null} */ (null));
  useEffect(() => {
    if (toEnter.current) enter(form.current?.closest("aside"));
    toEnter.current = false;
  }, []);
  const [refused, setRefused] = useFailure(); // {problem: any, values: Row}|null
  useEffect(() => { // focuses the first invalid field
    /** @type {HTMLElement|null|undefined} */ (form.current?.querySelector("[aria-invalid]"))?.focus();
  }, [refused]);
  useEffect(() => { // the refused change can no longer be saved
    if (meanwhile === "deleted") setRefused(null);
  }, [meanwhile]);
  const [busy, setBusy] = useState(false);
  const [chosen, setChosen] = useState(/** @type {Record<string, "theirs"|"mine">} */ ({})); // in a conflict
  const conflict = refused?.problem.status === 412 && meanwhile !== "deleted" ? "refused" : meanwhile;
  const choosing = conflict && conflict !== "deleted"; // the conflict's button saves
  useEffect(() => { // a choice ends with its conflict
    if (!conflict) setChosen({});
  }, [!conflict]);
  const isAdded = isNew || conflict === "deleted" && Boolean(noun.create);
  const fields = conflict && theirs ? differences(noun.inputs, record, theirs.record, values, chosen) : [];
  const now = conflict && theirs ? theirs.record : record; // as saved
  const shown = conflict && theirs ? merged(now, fields) : values;
  const fixed = !isNew && !noun.change;
  const call = () => (choosing && theirs ? callOf(noun, id, now, shown, theirs.tag)
    : callOf(noun, isAdded ? "new" : id, record, shown, tag));
  const set = (/** @type {string} */ name, /** @type {any} */ value) => {
    const next = { ...values, [name]: value };
    if (conflict) setChosen({ ...chosen, [name]: "mine" }); // also if it is as it was when the record was opened
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

  const save = async (/** @type {import("../shell/api.js").Call} */ write) => {
    setBusy(true);
    setRefused(null);
    writing.current = true;
    try {
      const did = isAdded ? "Added" : "Changed";
      const { data, headers } = await writeRecord(write, (now) => `${did} ${noun.one} ${now[noun.id]}.`);
      const since = noun.inputs.map(({ name }) => name).filter((name) => !same(latest.current[name], values[name]));
      const next = { ...data, ...Object.fromEntries(since.map((name) => [name, latest.current[name]])) };
      const saved = { record: data, tag: headers.get("ETag") ?? "", ...(since.length > 0 && { values: next }) };
      dropDraft(noun, id);
      if (saved.values) keepDraft(noun, String(data[noun.id]), saved); // the input during the save
      if (isAdded) return open(String(data[noun.id]));
      toEnter.current = !saved.values;
      setTyped(saved.values ?? null);
      rebase(saved);
      writing.current = false;
      void look(new AbortController().signal);
    } catch (/** @type {any} */ problem) {
      setRefused({ problem, values: shown });
      if (problem.status) unsay("undo"); // the last success, which would seem to be this one's
      else sayError(problem);
      writing.current = false; // so that look reads
      if (problem.status === 412) void look(new AbortController().signal); // the current version
    } finally {
      writing.current = false;
      setBusy(false);
    }
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const note = conflict && document.activeElement?.matches("input, select, textarea")
      && form.current?.querySelector(".error-note");
    if (!note) return void save(call());
    // Enter in a field leads to the note, which may be out of sight. Only its button overwrites or adds.
    /** @type {HTMLElement|null|undefined} */ (form.current?.querySelector(".question button, .primary"))?.focus();
    note.scrollIntoView({ block: "nearest" });
  };
  const told = fieldErrors(refused?.problem);
  const known = noun.inputs.some(({ name }) => told[name]);
  const toldOf = (/** @type {import("./nouns.js").Input} */ { name, kind, optional }) =>
    (!same(shown[name], refused?.values[name]) ? undefined
      : told[name] && kind === "pet" ? "Choose a pet by its name or id"
        : told[name] && !optional && (shown[name] ?? "") === "" ? "Required" : told[name]);
  const clashOf = (/** @type {string} */ clash) => choosing && fields.some(({ name, both }) => both && name === clash)
    && `Somebody else has changed this too. ${chosen[clash] === "theirs" ? "Theirs" : "Yours"} is chosen below.`;
  const field = (/** @type {import("./nouns.js").Input} */ input) => html`
    <div key=${input.name} class="of-record">
      <${Field} label=${`${input.title}${input.kind === "time" ? " (UTC)" : ""}`}
        error=${toldOf(input)} hint=${clashOf(input.name)}>${(/** @type {any} */ attributes) => html`
        <${Control} input=${input} attributes=${{ ...attributes, disabled: fixed }} value=${shown[input.name]}
          categories=${categories}
          onChange=${(/** @type {any} */ value) => set(input.name, value)} />`}
      <//>
      ${!isAdded && !same(shown[input.name], now[input.name]) ? html`
        <p class="was" title="Not saved yet">saved: ${textOf(input.name, now[input.name], categories)}</p>`
        : before && html`<${Was} name=${input.name} before=${before} record=${now} categories=${categories}
          title="In the baseline" />`}
    </div>`;
  return html`<form ref=${form} class="stack" onSubmit=${submit}>
    ${noun.photo && now[noun.photo] && html`
      <${Portrait} id=${now[noun.photo]} category=${now.categoryId} large />`}
    ${noun.inputs.map(field)}
    ${!conflict && !known && html`<${ErrorNote} error=${refused?.problem} />`}
    ${conflict && html`
      <${Conflict} is=${conflict} noun=${noun} id=${id} tag=${theirs?.tag} fields=${fields} chosen=${chosen}
        known=${Boolean(theirs)} categories=${categories} onLoad=${again} onChoose=${setChosen} />`}
    ${!fixed && !choosing && html`<div class="row">
      <button class="primary"
        disabled=${busy || !isAdded && (!typed || conflict)}>
        ${isNew ? "Add" : isAdded ? "Add again" : "Save"}
      </button>
      <${Code} label=${isAdded ? "add" : "save"} call=${call} />
      ${typed && html`<button type="button" onClick=${again}>Discard</button>`}
      <span class="grow"></span>
      ${!isNew && noun.remove && meanwhile !== "deleted" && html`
        <${Remove} noun=${noun} id=${id} tag=${tag} writing=${writing} onClose=${() => onClose(true)} />`}
    </div>`}
    ${fixed && html`<p class="note">The API has no way to change ${noun.a}.</p>`}
  </form>
  ${!isNew && meanwhile !== "deleted" && html`<${Related} noun=${noun} record=${now} />`}`;
}

/**
 * Shows what a field was, if it has changed.
 * @param {{name: string, before: Row, record: Row, categories: Map<number, string>, title: string}} props
 */
export const Was = ({ name, before: { [name]: was }, record, categories, title }) => was !== record[name] && html`
  <p class="was" title=${title}>was ${textOf(name, was, categories)}</p>`;

/**
 * Returns the call that saves the record.
 * @param {Noun} noun
 * @param {string} id
 * @param {Row} before
 * @param {Row} values
 * @param {string} tag
 * @returns {import("../shell/api.js").Call}
 */
function callOf(noun, id, before, values, tag) {
  const body = bodyOf(noun.inputs, id === "new" || noun.change === "PUT" ? null : before, values);
  if (id === "new") return { method: "POST", path: pathOf(noun, id), body };
  return { method: noun.change ?? "GET", path: pathOf(noun, id), body, headers: { "If-Match": tag } };
}

/**
 * Returns the messages by field.
 * @param {import("../shell/api.js").ApiError} [error]
 * @returns {Record<string, string>}
 */
function fieldErrors(error) {
  if (!error) return {};
  return Object.fromEntries((error.details ?? []).map(({ field, message }) => [field.replace(/^\//, ""),
    capital(message)]));
}
