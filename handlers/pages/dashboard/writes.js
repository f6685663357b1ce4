// Writes of records, each with the way back.

import { html } from "../library/preact.js";
import { request } from "../shell/api.js";
import { Confirm } from "../shell/confirm.js";
import { ago, capital, plural } from "../shell/format.js";
import { onEvent, readSummary, refresh, sayWhile, session, write } from "../shell/session.js";
import { createStore, useStore } from "../shell/store.js";
import { say, sayError } from "../shell/toast.js";

/** @typedef {import("../shell/types.js").Entry} Entry */

/**
 * What this page did that undo would take back, oldest first, each with its number of writes, and how many writes there
 * were after the last one, and how many could be undone. Where there are others by now, somebody else has written.
 */
const mine = createStore({ done: /** @type {{text: string, steps: number}[]} */ ([]), writes: -1, undoable: 0 });

/** What this page did last, if nobody has written since. @param {number} [writes]  how many there are now */
export const ownOf = (writes) => (writes === mine.get().writes ? mine.get().done.at(-1) : undefined);

let replacing = 0; // writes of this page whose sandbox.reset has not come

/** What is asked before another client's write is taken back. */
const question = createStore({ asked: false, writes: 0, entry: /** @type {Entry|undefined} */ (undefined) });

const close = () => question.set({ asked: false });

onEvent(({ name }) => {
  if (name !== "sandbox.reset") return;
  close(); // what it names is gone
  if (replacing > 0) replacing--;
  else mine.set({ done: [] });
});

/** Sends what replaces the data. @type {typeof write} */
function replace(call) {
  replacing++;
  return write(call).catch((error) => {
    replacing--;
    throw error;
  });
}

/**
 * Sends a write and says what was done, with Undo.
 * @param {import("../shell/api.js").Call} call
 * @param {string} done  what to say
 * @param {() => void} [focus]  puts the focus where it stays, when Undo goes
 */
export async function writeRecord(call, done, focus) {
  const answer = await (call.path.endsWith("/restore") ? replace : write)(call);
  const { writes, undoable } = await readSummary();
  const known = writes === mine.get().writes + 1 ? mine.get().done : [];
  mine.set({ done: [...known, { text: done, steps: 1 }], writes, undoable });
  const run = () => {
    focus?.();
    void undo(writes, (others) => undoLast(1 + others));
  };
  sayWrites(done, writes, { call, action: { text: "Undo", run } });
  return answer;
}

/**
 * Sends several writes up to the first that is refused, and says what was done, with an Undo of all of them.
 * @param {import("../shell/api.js").Call[]} calls
 * @param {string} done  what to say
 */
export async function writeRecords(calls, done) {
  const before = await readSummary();
  let sent = 0;
  let wrong = "";
  try {
    for (; sent < calls.length; sent++) await request(calls[sent]);
  } catch (/** @type {any} */ error) {
    wrong = `${capital(error.message)}. ${sent} of ${calls.length} done.`;
  }
  session.set({ changes: session.get().changes + 1 });
  const { writes, undoable } = await readSummary();
  const steps = writes - before.writes;
  const alone = steps > 0 && steps <= sent; // else Undo would take back what others have written meanwhile
  const known = mine.get().writes === before.writes ? mine.get().done : [];
  mine.set({ done: alone ? [...known, { text: done, steps }] : steps ? [] : known, writes, undoable });
  const take = (/** @type {number} */ others) => undoLast(steps + others);
  const action = alone ? { text: "Undo", run: () => void undo(writes, take) } : undefined;
  sayWrites(wrong || done, writes, { bad: Boolean(wrong), action });
  void refresh();
}

/**
 * Says what was written, until somebody resets the data.
 * @param {string} done
 * @param {number} writes  how many there are then
 * @param {Partial<import("../shell/toast.js").Toast>} more
 */
const sayWrites = (done, writes, more) => sayWhile(done, (now) => now.writes >= writes, { about: ["data"], ...more });

/** The call that takes the last writes back. @param {number} [steps] @returns {import("../shell/api.js").Call} */
export const undoCall = (steps = 1) => ({ method: "POST", path: "admin/undo", body: { steps } });

/**
 * Takes the last writes back. Where somebody else has written meanwhile, it asks first, since those writes go too.
 * @param {number} writes  how many there were after those that are meant
 * @param {(others: number) => Promise<void>} take  takes them back, with the others since
 * @param {number} [agreed]  how many there were when the user agreed
 */
export async function undo(writes, take, agreed = writes) {
  try {
    const now = await readSummary();
    const others = now.writes - writes;
    if (others < 0) throw new Error("Couldn't undo: the data was reset since.");
    if (now.writes === agreed) return await take(others);
    const action = { text: "Undo anyway", run: () => void undo(writes, take, now.writes) };
    const text = `Something else changed since. Undoing now would revert that too: ${plural(others, "write")}.`;
    say(text, { about: ["data"], bad: true, action });
  } catch (error) {
    sayError(error, "data");
  }
}

/**
 * Undoes the last writes, also those of other clients.
 * @param {number} [steps]
 * @param {string} [said]  what to say; missing: as this page knows it, if it does
 */
async function undoLast(steps = 1, said) {
  try {
    const before = mine.get();
    const there = await readSummary();
    await replace(undoCall(steps));
    const { writes, undoable } = await readSummary();
    const last = before.done.at(-1);
    const since = there.writes - before.writes;
    const known = last?.steps === steps && since === 0;
    const others = since - steps; // which are still in force, if all since are writes that can be undone
    const kept = others >= 0 && there.undoable - before.undoable === since && writes === there.writes + 1;
    if (kept) mine.set({ writes: writes - others, undoable: undoable - others });
    else mine.set({ done: known ? before.done.slice(0, -1) : [], writes, undoable });
    say(said ?? (known ? `Undone: ${last.text}` : "Undone."), { about: ["data"] });
  } catch (error) {
    sayError(error, "data");
  }
}

/** Takes back what this page did last, else asks first. */
export async function askUndo() {
  try {
    const { writes, undoable } = await readSummary();
    const last = ownOf(writes);
    if (last || undoable === 0) return await undoLast(last ? last.steps : 1); // or says that there is none
    const { lastWrite } = await import("./lastwrite.js");
    question.set({ asked: true, writes, entry: await lastWrite() });
  } catch (error) {
    sayError(error, "data");
  }
}

/** Takes back the write that the question names, or asks again if another has come since. */
async function undoAsked() {
  const { entry, writes } = question.get();
  close();
  const now = await readSummary().catch(() => undefined); // then undoLast reports the error
  if (now && now.writes !== writes) return await askUndo();
  return await undoLast(1, entry && `Undone: ${entry.method} ${entry.path}.`);
}

/** What Undo would take back, in words; missing: this page does not know. */
export function useUndoText() {
  useStore(mine);
  const last = ownOf(useStore(session).summary?.writes);
  return last && `Undo: ${last.text}`;
}

/** Asks before another client's write is taken back. */
export function UndoQuestion() {
  const { asked, entry } = useStore(question);
  if (!asked) return null;
  return html`
    <${Confirm} title=${entry ? "Undo a write that was not made on this page?" : "Undo the last write?"}
      verb="Undo it" label="undo" call=${undoCall()} onConfirm=${undoAsked} onClose=${close}>
      ${entry
        ? html`<p>
            The last write in the journal that can be undone is
            <span class="wire"> ${entry.method} ${entry.path}</span> by
            <strong> ${entry.clientName ?? entry.client}</strong>, ${ago(entry.receivedAt ?? entry.time)}.
          </p>`
        : html`<p>
            It is not known which write that is. A page made it, or a test through the control plane, the journal was
            cleared or has had 100 requests since, or the data is longer than 4 MiB.
          </p>`}
    <//>`;
}
