// Finds the request that undo would revert. The journal has only writes to the pet store.

import { html, useLayoutEffect } from "../library/preact.js";
import { get } from "../shell/api.js";
import { Confirm } from "../shell/confirm.js";
import { ago, capital } from "../shell/format.js";
import { onEvent, session } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { say } from "../shell/toast.js";
import { readBounded } from "./bounded.js";
import { allOf, readDifference, toldOf, useCategories } from "./changes.js";
import { Later } from "./effect.js";
import { effectOf, journal } from "./journal.js";
import { nouns } from "./nouns.js";
import { differenceOf, writesAfter } from "./states.js";
import { askUndo, close, question, undoAsked, undoCall } from "./writes.js";

const LOOKED_THROUGH = 100; // requests of the journal to search
const MOST = 4 << 20; // characters of a state
const SHOWN = 5; // changes

/** @typedef {import("../shell/types.js").Entry} Entry */

/** Reads a state as text; undefined if undo does not reach it or it is too long. @param {string} query */
const stateAt = (query) => readBounded(`admin/state${query}`, MOST).then(JSON.stringify, (error) => {
  if (![404, 410].includes(error.status)) throw error;
});

/**
 * The write that undo would revert.
 * @typedef {object} Last
 * @property {Entry} [entry]  the request that made the last write; if by is set, the last request before that write
 * @property {import("./changes.js").Difference} [by]  the changes since, which include the last write
 */

/** Finds the write that undo would revert, or the changes that contain it. @returns {Promise<Last>} */
export async function lastWrite() {
  const now = await stateAt("");
  if (!now) return { by: "many" };
  /** @type {import("../shell/types.js").Journal} */
  const { requests } = await get(`admin/requests?order=desc&limit=${LOOKED_THROUGH}`);
  const entry = requests.find(({ changed, undone }) => changed && !undone);
  const after = entry && await stateAt(`?at=${entry.id}`);
  if (after === now) return { entry };
  if (after) return { entry, by: differenceOf(JSON.parse(after), JSON.parse(now), nouns) };
  return { by: await readDifference("admin/state/diff") };
}

/** Names the write that undo would revert: PATCH /pets/1 by curl. Empty if no request to the pet store made it. */
export async function nameOfLast() {
  const { entry, by } = await lastWrite();
  return entry && !by ? `${entry.method} ${entry.path} by ${entry.clientName ?? entry.client}` : "";
}

/** @param {{entry: Entry}} props */
const Request = ({ entry: { method, path, clientName, client } }) => html`
  <span class="wire">${method} ${path}</span> by <strong>${clientName ?? client}</strong>`;

/** Ends the question after an undo, a reset or a restore, and says why. */
async function end() {
  const { entry, by } = question.get();
  close();
  /** @type {Entry[]} */
  const [now] = !by && entry ? (await get(`admin/requests?since=${entry.id - 1}&limit=1`)).requests : [];
  say(now?.undone ? html`<span class="wire">${now.method} ${now.path}</span> was undone elsewhere.`
    : "The data was reset, restored or undone elsewhere, so nothing was undone here.", { about: ["data"] });
}

/** Asks before another client's write is undone. It follows what happens meanwhile, as the open request does. */
export function Question() {
  const { entry, by, writes, opened } = useStore(question);
  const { summary } = useStore(session);
  const { entries } = useStore(journal);
  useLayoutEffect(() => onEvent(({ name }) => name === "sandbox.reset" && void end().catch(() => undefined)), []);
  const later = entry && !by ? writesAfter(entries, entry.id) : [];
  const isLate = later.length > 0 || (summary?.writes ?? 0) > writes;
  const leave = (/** @type {any} */ { target }) => target.closest("a") && close();
  return html`
    <${Confirm} title=${by ? "Undo the last write?" : html`Undo <${Request} entry=${entry} />?`} verb="Undo it"
      label="undo" call=${undoCall()} disabled=${isLate} onConfirm=${undoAsked} onClose=${close}>
      ${isLate
        ? html`<div class="row" role="status" onClick=${leave}>
          ${opened && later.length > 0 ? html`<${Later} later=${later} />`
            : html`<p class="grow">Another write came meanwhile, so nothing was undone.</p>`}
          ${!opened && html`<button type="button" onClick=${() => void askUndo()}>Look again</button>`}
        </div>`
        : by
        ? html`
          <p>
            A page or a call of the control plane made it${entry && html`, after <${Request} entry=${entry} />,${" "}
            ${ago(entry.receivedAt ?? entry.time)}`}.${" "}
            ${by === "many" ? "Too much has changed to say more."
              : allOf(by).length > 1 ? "It is one of these changes, but the journal does not say which:"
                : "It is the last part of this change:"}
          </p>
          <${Changes} by=${by} />`
        : entry && html`<p>${capital(ago(entry.receivedAt ?? entry.time))}: ${effectOf(entry)}.</p>`}
    <//>`;
}

/** The records that the last write may have changed. @param {{by: import("./changes.js").Difference}} props */
function Changes({ by }) {
  const categories = useCategories(useStore(session).changes);
  if (!by || by === "many") return null;
  const all = allOf(by);
  return html`
    <ul class="stack told">${all.slice(0, SHOWN).map(({ noun, row: { what, record, before } }) => html`
      <li key=${`${noun.name} ${record[noun.id]}`}>
        <span class=${`badge is-${what}`}>${what}</span> ${capital(noun.one)} ${record[noun.id]}:${" "}
        ${toldOf(categories, record, before)}
      </li>`)}
    </ul>
    ${all.length > SHOWN && html`<p class="note">And ${all.length - SHOWN} more.</p>`}`;
}
