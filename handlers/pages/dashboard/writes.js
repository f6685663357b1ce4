// Writes of records, each with the way back.

import { html } from "../library/preact.js";
import { get, request } from "../shell/api.js";
import { Confirm } from "../shell/confirm.js";
import { ago, capital, plural } from "../shell/format.js";
import { onEvent, readSummary, refresh, sayWhile, session, write } from "../shell/session.js";
import { createStore, useStore } from "../shell/store.js";
import { say, sayError } from "../shell/toast.js";
import { isWrite } from "./states.js";

/** @typedef {import("../shell/types.js").Entry} Entry */

const LOOKED_THROUGH = 100; // requests of the journal, for the last that wrote

/**
 * What this page did that undo would take back, oldest first, each with its number of writes, and how many writes there
 * were after the last one. Where there are others by now, somebody else has written.
 */
let mine = { done: /** @type {{text: string, steps: number}[]} */ ([]), writes: -1 };

/** What is asked before another client's write is taken back. */
const question = createStore({ asked: false, writes: 0, entry: /** @type {Entry|undefined} */ (undefined) });

const close = () => question.set({ asked: false });

onEvent(({ name }) => void (name === "sandbox.reset" && close())); // what it names is gone

/**
 * Sends a write and says what was done, with Undo.
 * @param {import("../shell/api.js").Call} call
 * @param {string} done  what to say
 * @param {() => void} [focus]  puts the focus where it stays, when Undo goes
 */
export async function writeRecord(call, done, focus) {
  const answer = await write(call);
  const { writes } = await readSummary();
  mine = { done: [...(writes === mine.writes + 1 ? mine.done : []), { text: done, steps: 1 }], writes };
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
  const { writes } = await readSummary();
  const steps = writes - before.writes;
  const alone = steps > 0 && steps <= sent; // else Undo would take back what others have written meanwhile
  const known = mine.writes === before.writes ? mine.done : [];
  mine = { done: alone ? [...known, { text: done, steps }] : steps ? [] : known, writes };
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
    const before = mine;
    const { writes: there } = await readSummary();
    await write(undoCall(steps));
    const { writes } = await readSummary();
    const last = before.done.at(-1);
    const known = last?.steps === steps && before.writes === there;
    mine = { done: known ? before.done.slice(0, -1) : [], writes };
    say(said ?? (known ? `Undone: ${last.text}` : "Undone."), { about: ["data"] });
  } catch (error) {
    sayError(error, "data");
  }
}

/** Takes back what this page did last, else asks first. */
export async function askUndo() {
  try {
    const { writes, undoable } = await readSummary();
    const last = writes === mine.writes && mine.done.at(-1);
    if (last || undoable === 0) return await undoLast(last ? last.steps : 1); // or says that there is none
    const path = `admin/requests?order=desc&limit=${LOOKED_THROUGH}`;
    const { requests } = /** @type {import("../shell/types.js").Journal} */ (await get(path));
    const entry = requests.find((one) => isWrite(one) && one.status > 0);
    question.set({ asked: true, writes, entry });
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

/** What Undo would take back, in words; empty: this page does not know. */
export const undoText = () => mine.done.at(-1)?.text ?? "";

/** Asks before another client's write is taken back. */
export function UndoQuestion() {
  const { asked, entry } = useStore(question);
  if (!asked) return null;
  return html`
    <${Confirm} title="Undo a write that was not made on this page?" verb="Undo it" label="undo" call=${undoCall()}
      onConfirm=${undoAsked} onClose=${close}>
      ${entry
        ? html`<p>
            The last write in the journal is <span class="wire">${entry.method} ${entry.path}</span> by
            <strong> ${entry.clientName ?? entry.client}</strong>, ${ago(entry.receivedAt ?? entry.time)}.
          </p>`
        : html`<p>The journal does not have it: another page made it, or a test through the control plane.</p>`}
    <//>`;
}
