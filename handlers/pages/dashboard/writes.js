// Writes of records, each with the way back.

import { html } from "../library/preact.js";
import { get } from "../shell/api.js";
import { Confirm } from "../shell/confirm.js";
import { ago } from "../shell/format.js";
import { readSummary, write } from "../shell/session.js";
import { createStore, useStore } from "../shell/store.js";
import { say, sayError } from "../shell/toast.js";

/** @typedef {import("../shell/types.js").Entry} Entry */

const LOOKED_THROUGH = 100; // requests of the journal, for the last that wrote

/**
 * The writes of this page that undo would take back, oldest first, and how many writes there were after the last of them.
 * Where there are others by now, somebody else has written.
 */
let mine = { done: /** @type {string[]} */ ([]), writes: -1 };

/** What is asked before another client's write is taken back. */
const question = createStore({ asked: false, entry: /** @type {Entry|undefined} */ (undefined) });

/**
 * Sends a write and says what was done, with Undo.
 * @param {import("../shell/api.js").Call} call
 * @param {string} done  what to say
 */
export async function writeRecord(call, done) {
  const answer = await write(call);
  const { writes } = await readSummary();
  mine = { done: writes === mine.writes + 1 ? [...mine.done, done] : [done], writes };
  say(done, { about: ["data"], call, action: { text: "Undo", run: () => void undo(writes) } });
  return answer;
}

/** The call that takes the last write back. @returns {import("../shell/api.js").Call} */
export const undoCall = () => ({ method: "POST", path: "admin/undo", body: { steps: 1 } });

/**
 * Takes the last write back, unless somebody else has written meanwhile.
 * @param {number} writes  how many there were after the one that is meant
 */
async function undo(writes) {
  try {
    const now = await readSummary();
    if (now.writes !== writes) {
      const action = { text: "Undo anyway", run: () => void undoLast() };
      return say("Something else changed since. Undoing now would revert that too.", { about: ["data"], bad: true, action });
    }
    await undoLast();
  } catch (error) {
    sayError(error, "data");
  }
}

/** Takes the last write back, whoever made it. */
export async function undoLast() {
  try {
    const before = mine;
    await write(undoCall());
    const { writes } = await readSummary();
    mine = { done: before.done.slice(0, -1), writes };
    say("Undone.", { about: ["data"] });
  } catch (error) {
    sayError(error, "data");
  }
}

/** Takes the last write back if this page has made it, else asks first. */
export async function askUndo() {
  try {
    const { writes } = await readSummary();
    if (writes === mine.writes && mine.done.length > 0) return await undoLast();
    const { requests } = /** @type {import("../shell/types.js").Journal} */ (await get(`admin/requests?order=desc&limit=${LOOKED_THROUGH}`));
    const entry = requests.find(({ method, status }) => !["GET", "HEAD", "OPTIONS"].includes(method) && status >= 200 && status < 300);
    question.set({ asked: true, entry });
  } catch (error) {
    sayError(error, "data");
  }
}

/** What Undo would take back, in words; empty: this page does not know. */
export const undoText = () => mine.done.at(-1) ?? "";

/** Asks before another client's write is taken back. */
export function UndoQuestion() {
  const { asked, entry } = useStore(question);
  if (!asked) return null;
  const close = () => question.set({ asked: false });
  const confirm = () => {
    close();
    void undoLast();
  };
  return html`
    <${Confirm} title="Undo a write that was not made on this page?" verb="Undo it" label="undo" call=${undoCall()} onConfirm=${confirm} onClose=${close}>
      ${entry
        ? html`<p>
            The last write in the journal is <span class="wire">${entry.method} ${entry.path}</span> by
            <strong> ${entry.clientName ?? entry.client}</strong>, ${ago(entry.receivedAt ?? entry.time)}.
          </p>`
        : html`<p>The journal does not have it: another page made it, or a test through the control plane.</p>`}
    <//>`;
}
