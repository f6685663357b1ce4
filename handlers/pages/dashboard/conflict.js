// Tells an editor's user that the record has changed meanwhile, and lets them choose a side if both changed a field.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { get } from "../shell/api.js";
import { Choice } from "../shell/components.js";
import { ago } from "../shell/format.js";
import { readSummary, session } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { say } from "../shell/toast.js";
import { draftOf } from "./drafts.js";
import { written } from "./manywrites.js";
import { differences } from "./merge.js";
import { textOf } from "./nouns.js";
import { isWrite } from "./states.js";
import { askUndo } from "./writes.js";

/** @typedef {import("./nouns.js").Noun} Noun */
/** @typedef {"theirs"|"mine"} Whose */
/** @typedef {"refused"|"changed"|"deleted"} Trouble  refused: the server refused to overwrite another change */

const LOOKED_THROUGH = 20; // requests of the record

/**
 * Reads the last write of a record; undefined if the journal does not have it, for example because a page made it.
 * @param {Noun} noun
 * @param {string} id
 * @param {string} [tag]  the record's ETag; "": it is deleted; missing: it is not read yet
 */
async function lastWrite(noun, id, tag) {
  const path = encodeURIComponent(`/${noun.path}/${id}`);
  /** @type {import("../shell/types.js").Journal} */
  const { requests } = await get(`admin/requests?path=${path}&order=desc&limit=${LOOKED_THROUGH}`);
  const last = requests.find(isWrite);
  return (last?.response?.headers.Etag ?? "") === tag ? last : undefined;
}

/**
 * Returns who changed a record, and when, or "" if it is not known.
 * @param {Noun} noun
 * @param {string} id
 * @param {string} [tag]  as in lastWrite
 */
function useWho(noun, id, tag) {
  const [who, setWho] = useState("");
  useEffect(() => void lastWrite(noun, id, tag).then((last) => {
    const when = last && ago(last.receivedAt ?? last.time).replace(/^\d s ago/, "just now");
    const did = last?.method === "DELETE" ? "deleted" : "changed";
    setWho(last ? `${last.clientName ?? last.client} ${did} it ${when}.` : "");
  }, () => undefined), [tag]);
  return who;
}

/**
 * Returns what undoes the deletion of a record, while that is the last write.
 * @param {Noun} noun
 * @param {string} id
 * @param {boolean} deleted
 */
function useRestore(noun, id, deleted) {
  const [restore, setRestore] = useState(/** @type {{writes: number, run: () => void}|null} */ (null));
  const { summary } = useStore(session);
  const find = async () => {
    const { writes } = await readSummary();
    const { lastWrite: undoable } = await import("./lastwrite.js");
    const { entry, by } = await undoable();
    const is = !by && entry?.method === "DELETE" && entry.path === `/${noun.path}/${id}`;
    setRestore(is ? { writes, run: () => void askUndo(entry, writes) } : null);
  };
  useEffect(() => void (deleted && find().catch(() => undefined)), [deleted]);
  return deleted && summary?.writes === restore?.writes ? restore?.run : undefined;
}

/**
 * Says which client has changed the open record, and what.
 * @param {Noun} noun
 * @param {string} id
 * @param {import("./drafts.js").Draft} was
 * @param {import("./drafts.js").Draft} now
 */
export async function sayChanged(noun, id, { record: was }, { record, tag }) {
  const last = await lastWrite(noun, id, tag).catch(() => undefined);
  if (!last) return;
  const fields = differences(noun.inputs, was, record, was, {}).map(({ title }) => title.toLowerCase()).join(", ");
  const what = `${noun.one} ${id}${fields && `: ${fields}`}.`;
  say(`${last.clientName ?? last.client} changed ${what}`, { about: ["followed"] });
}

/** Formats one of the two values to choose from. @param {string} whose @param {string} value */
const side = (whose, value) => html`
  <span><span class="note">${whose}</span><br /><bdi>${value}</bdi></span>`;

/**
 * @param {object} props
 * @param {Trouble} props.is
 * @param {Noun} props.noun
 * @param {string} props.id
 * @param {string} [props.tag]  of the others' version
 * @param {import("./merge.js").Difference[]} props.fields
 * @param {Record<string, Whose>} props.chosen  by the name of the field
 * @param {boolean} props.known  whether the others' version has been read
 * @param {Map<number, string>} props.categories
 * @param {() => void} props.onLoad
 * @param {(chosen: Record<string, Whose>) => void} props.onChoose
 */
export function Conflict({ is, noun, id, tag, fields, chosen, known, categories, onLoad, onChoose }) {
  const who = useWho(noun, id, is === "deleted" ? "" : tag);
  const restore = useRestore(noun, id, is === "deleted");
  const first = useRef(/** @type {HTMLElement|null} */ (null));
  const ready = is === "refused" && known;
  const edited = Boolean(draftOf(noun, id));
  useEffect(() => { // the button that was pressed has gone
    if (ready) first.current?.querySelector("button")?.focus();
  }, [ready]);
  if (is === "deleted") return html`<div class="error-note" role="alert">
    <p>
      This ${noun.one} has been deleted since you opened it${
        edited && ", so your changes cannot be saved"}. ${who}${" "}
      ${noun.create && noun.change && `${restore ? "Undo the deletion, add" : "Add"} it again with a new id, or ${
        edited ? "discard your changes" : "close this"}.`}
    </p>
    ${restore && html`
      <div class="row"><button type="button" class="plain-border" onClick=${restore}>Undo the deletion…</button></div>`}
  </div>`;
  const text = (/** @type {string} */ name, /** @type {any} */ value) => textOf(name, value ?? undefined, categories);
  const others = fields.filter(({ both, chosen }) => !both && chosen === "theirs");
  const clashes = fields.filter(({ both }) => both);
  const mine = fields.some(({ chosen: whose }) => whose === "mine");
  const over = clashes.length > 0 && clashes.every(({ chosen: whose }) => whose === "mine");
  return html`<div class="error-note question" role="alert" ref=${first}>
    <p>
      ${written.has(tag ?? "") ? `You have changed this ${noun.one} in the table` : `This ${noun.one} has changed`
      } since you opened it${is === "refused" && ", so it was not saved (412)"}. ${who}
    </p>
    ${clashes.map(({ name, title, mine, theirs, chosen: whose }) => html`
      <div key=${name} class="field">
        <strong>${title}</strong>
        <${Choice} label=${title} value=${whose}
          options=${[["mine", side("Yours", text(name, mine))], ["theirs", side("Theirs", text(name, theirs))]]}
          onChange=${(/** @type {Whose} */ whose) => onChoose({ ...chosen, [name]: whose })} />
      </div>`)}
    ${others.length > 0 && html`<p>
      Also changed: ${others.map(({ name, title, was, theirs }, i) => html`${i > 0 && ", "}${title.toLowerCase()}${" "}
        <del><bdi>${text(name, was)}</bdi></del> → <ins><bdi>${text(name, theirs)}</bdi></ins>`)}
    </p>`}
    <div class="row">
      ${known && !mine ? html`
        <button class="primary" onClick=${(/** @type {Event} */ event) => {
          event.preventDefault(); // nothing is left to save
          onLoad();
        }}>Take theirs</button>` : html`
        <button class="primary" disabled=${!known}>${over ? "Save mine over theirs" : "Save"}</button>
        <button type="button" class="plain-border" onClick=${onLoad}>Discard mine</button>`}
    </div>
  </div>`;
}
