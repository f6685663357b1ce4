// Writes of records, each with the way back.

import { html } from "../library/preact.js";
import { request } from "../shell/api.js";
import { capital, plural } from "../shell/format.js";
import { opened } from "../shell/later.js";
import { onEvent, readSummary, refresh, sayWhile, session, write } from "../shell/session.js";
import { createStore, useStore } from "../shell/store.js";
import { say, sayError } from "../shell/toast.js";

/** @typedef {{writes: number, undoable: number}} Counts  how many writes there were, and could be undone */

/**
 * What this page did that undo would take back, oldest first: each with its number of writes, and how many could be
 * undone after it. The counts are those of the last of them.
 */
const mine = createStore({
  done: /** @type {{text: string, steps: number, depth: number}[]} */ ([]), writes: -1, undoable: 0,
});

/** What stays as it is while clients only write, and rises with each undo. @param {Counts} counts */
const undosIn = ({ writes, undoable }) => writes - undoable;

/** What this page did, if nobody has undone since. @param {Counts} now */
const knownOf = (now) => (undosIn(now) === undosIn(mine.get()) ? mine.get().done : []);

/** What this page did, if undo would take that back. @param {Counts} [now] */
export const ownOf = (now) => now && knownOf(now).findLast(({ depth }) => depth === now.undoable);

/** Notes what this page did. @param {string} text @param {number} steps @param {Counts} now */
function note(text, steps, now) {
  const { done, ...before } = mine.get();
  const alone = now.writes === before.writes + steps; // where there was no room, the oldest went
  const gone = undosIn(now) - undosIn(before);
  const known = alone ? done.map((one) => ({ ...one, depth: one.depth - gone })) : knownOf(now);
  mine.set({ done: [...known, { text, steps, depth: now.undoable }], writes: now.writes, undoable: now.undoable });
}

const Question = opened(() => import("./lastwrite.js"), "Question");

let replacing = 0; // writes of this page whose sandbox.reset has not come

/** What is asked before another client's write is taken back. */
export const question = createStore({ asked: false, writes: 0, .../** @type {import("./lastwrite.js").Last} */ ({}) });

export const close = () => question.set({ asked: false });

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
  const before = await readSummary();
  const answer = await (call.path.endsWith("/restore") ? replace : write)(call);
  const now = await readSummary();
  const { writes } = now;
  const run = () => {
    focus?.();
    void undo(writes, (others) => undoLast(1 + others));
  };
  const changed = writes > before.writes; // else the record was so already
  if (changed) note(done, 1, now);
  sayWrites(done, writes, { call, action: changed ? { text: "Undo", run } : undefined });
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
  const now = await readSummary();
  const { writes } = now;
  const steps = writes - before.writes;
  // Else Undo would take back what others have written meanwhile.
  const alone = steps > 0 && steps <= Math.min(sent, now.undoable);
  if (alone) note(done, steps, now);
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
 * @param {() => Promise<Counts>} [read]  how many there are
 * @param {number} [agreed]  how many there were when the user agreed
 */
export async function undo(writes, take, read = readSummary, agreed = writes) {
  try {
    const now = await read();
    const others = now.writes - writes;
    if (others < 0) throw new Error("Couldn't undo: the data was reset since.");
    if (now.writes === agreed) return await take(others);
    const action = { text: "Undo anyway", run: () => void undo(writes, take, read, now.writes) };
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
    const there = await readSummary();
    const last = ownOf(there);
    const left = knownOf(there).filter(({ depth }) => depth <= there.undoable - steps);
    await replace(undoCall(steps));
    const now = await readSummary();
    const alone = undosIn(now) === undosIn(there) + steps + 1; // nobody else has undone
    mine.set({ done: alone ? left : [], writes: now.writes, undoable: now.undoable });
    const known = last?.steps === steps && `Undone: ${last.text}`.replace("Undone: Restored", "Undid the restore of");
    say(said ?? (known || "Undone."), { about: ["data"] });
  } catch (error) {
    sayError(error, "data");
  }
}

/** Takes back what this page did last, else asks first. */
export async function askUndo() {
  try {
    const now = await readSummary();
    const last = ownOf(now);
    if (last) return await undoLast(last.steps);
    if (now.undoable === 0) return say("Nothing to undo.", { about: ["data"] });
    const { lastWrite } = await import("./lastwrite.js");
    question.set({ asked: true, writes: now.writes, entry: undefined, by: undefined, ...await lastWrite() });
  } catch (error) {
    sayError(error, "data");
  }
}

/** Takes back the write that the question names, or asks again if another has come since. */
export async function undoAsked() {
  const { entry, by, writes } = question.get();
  close();
  const now = await readSummary().catch(() => undefined); // then undoLast reports the error
  if (now && now.writes !== writes) return await askUndo();
  return await undoLast(1, entry && !by ? `Undone: ${entry.method} ${entry.path}.` : undefined);
}

/** What Undo would take back, in words; missing: this page does not know. */
export function useUndoText() {
  useStore(mine);
  const last = ownOf(useStore(session).summary);
  return last && `Undo: ${last.text}`;
}

/** Asks before another client's write is taken back. */
export const UndoQuestion = () => useStore(question).asked && html`<${Question} />`;
