// Unsaved input of editors. It lasts until it is saved or discarded, or the tab goes.

import { kept } from "../shell/store.js";
import { say } from "../shell/toast.js";

/** @typedef {import("./nouns.js").Noun} Noun */
/** @typedef {import("./nouns.js").Row} Row */
/**
 * @typedef {{record: Row, tag: string, values?: Row}} Draft  record and tag: as read; values: as typed
 */

const saved = kept("sessionStorage", `drafts of ${location.pathname}`);

/** @type {Map<string, Draft>} */
const drafts = new Map(JSON.parse(saved.get() || "[]"));

const save = () => saved.set(drafts.size ? JSON.stringify([...drafts]) : "");

/** Withdraws the toast about each unsaved draft. @type {Map<string, () => void>} */
const said = new Map();

/** @param {Noun} noun @param {string} id */
const keyOf = (noun, id) => `${noun.name} ${id}`;

/** @param {Noun} noun @param {string} id */
export const draftOf = (noun, id) => drafts.get(keyOf(noun, id));

/** @param {Noun} noun @param {string} id @param {Draft} draft */
export function keepDraft(noun, id, draft) {
  drafts.set(keyOf(noun, id), draft);
  save();
}

/** @param {Noun} noun @param {string} id */
export function dropDraft(noun, id) {
  drafts.delete(keyOf(noun, id));
  save();
}

/**
 * Shows a toast about the draft in a closed editor.
 * @param {Noun} noun
 * @param {string} id
 * @param {() => void} open  opens the editor
 */
export function tellDraft(noun, id, open) {
  if (!draftOf(noun, id)) return;
  const text = id === "new" ? `The new ${noun.one} is not added.` : `Unsaved changes to ${noun.one} ${id}.`;
  said.set(keyOf(noun, id), say(text, { action: { text: "Resume", run: open, here: true }, lasts: 2 ** 31 - 1 }));
}

/** Withdraws that toast. @param {Noun} noun @param {string} id */
export const untellDraft = (noun, id) => said.get(keyOf(noun, id))?.();
