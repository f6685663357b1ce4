// Writes records, each with an Undo.

import { html } from "../library/preact.js";
import { sentHere } from "../shell/api.js";
import { plural } from "../shell/format.js";
import { opened } from "../shell/later.js";
import { onEvent, readSummary, sayWhile, session, write } from "../shell/session.js";
import { createStore, useStore } from "../shell/store.js";
import { say, sayError, unsay } from "../shell/toast.js";

/** @typedef {{writes: number, undoable: number}} Counts  the number of writes, and of those that can be undone */

/**
 * The writes of this page that can be undone, oldest first: each with its number of steps, and with how many writes
 * could be undone after it. The counts are those after the last of them.
 */
const mine = createStore({
  done: /** @type {{text: string, steps: number, depth: number, undone?: () => void}[]} */ ([]), writes: -1,
  undoable: 0,
});

/** Returns a number that a write leaves unchanged, and an undo raises. @param {Counts} counts */
const undosIn = ({ writes, undoable }) => writes - undoable;

/** Returns what this page did, if there was no undo since. @param {Counts} now */
const knownOf = (now) => (undosIn(now) === undosIn(mine.get()) ? mine.get().done : []);

/** Returns the act of this page that undo would revert, if it is one. @param {Counts} [now] */
export const ownOf = (now) => now && knownOf(now).findLast(({ depth }) => depth === now.undoable);

/**
 * Notes what this page did.
 * @param {string} text @param {number} steps @param {Counts} now @param {() => void} [undone]  runs after undo
 */
export function note(text, steps, now, undone) {
  const { done, ...before } = mine.get();
  const alone = now.writes === before.writes + steps; // only this page wrote; the server may have dropped the oldest
  const gone = undosIn(now) - undosIn(before);
  const known = alone ? done.map((one) => ({ ...one, depth: one.depth - gone })) : knownOf(now);
  const { writes, undoable } = now;
  mine.set({ done: [...known, { text, steps, depth: undoable, undone }], writes, undoable });
}

const Question = opened(() => import("./lastwrite.js"), "Question");

let replacing = 0; // replacements by this page whose sandbox.reset has not arrived

/** The question before another client's write is undone. */
export const question = createStore({
  asked: false, writes: 0, opened: false, .../** @type {import("./lastwrite.js").Last} */ ({}),
});

export const close = () => question.set({ asked: false });

onEvent(({ name }) => {
  if (name !== "sandbox.reset") return;
  if (replacing > 0) replacing--;
  else mine.set({ done: [] });
});

/** Sends a call that replaces the data. @type {typeof write} */
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
 * @param {string|((data: any) => string)} done  the message, or makes it from the response
 * @param {() => void} [focus]  moves the focus before Undo goes
 */
export async function writeRecord(call, done, focus) {
  const before = await readSummary();
  const answer = await (call.path.endsWith("/restore") ? replace : write)(call);
  const now = await readSummary();
  const { writes } = now;
  const text = typeof done === "string" ? done : done(answer.data);
  const run = () => {
    focus?.();
    void undo(writes, (others) => undoLast(1 + others));
  };
  const changed = writes > before.writes; // otherwise the record was the same already
  if (changed) note(text, 1, now);
  sayWrites(text, now, { call, action: changed ? { text: "Undo", run } : undefined });
  return answer;
}

/**
 * Says what was written, until the data is reset, or an undo elsewhere takes it back.
 * @param {string} done
 * @param {Counts} after  the counts after the writes
 * @param {Partial<import("../shell/toast.js").Toast>} more
 */
export const sayWrites = (done, { writes, undoable }, more) =>
  sayWhile(done, (now) => now.writes >= writes && now.undoable >= undoable, { about: ["data"], ...more });

/** Returns the call that undoes the last writes. @param {number} [steps] @returns {import("../shell/api.js").Call} */
export const undoCall = (steps = 1) => ({ method: "POST", path: "admin/undo", body: { steps } });

/**
 * Undoes the last writes. If others have written since, asks first, because their writes would be undone too.
 * @param {number} writes  the number of writes right after those to undo
 * @param {(others: number) => Promise<void>} take  undoes them, and the others since
 * @param {() => Promise<Counts>} [read]  reads the counts
 * @param {number} [agreed]  the number of writes to which the user agreed
 */
export async function undo(writes, take, read = readSummary, agreed = writes) {
  try {
    const now = await read();
    const others = now.writes - writes;
    if (others < 0) throw new Error("Couldn't undo: the data was reset since.");
    if (now.writes === agreed) return await take(others);
    const action = { text: "Undo anyway", run: () => void undo(writes, take, read, now.writes) };
    const name = () => import("./lastwrite.js").then((module) => module.nameOfLast()).catch(() => "");
    const what = others === 1 && read === readSummary && await name() || plural(others, "write");
    const text = `Something else changed since. Undoing now would revert that too: ${what}.`;
    const more = { about: ["data"], bad: true, action };
    if (read === readSummary) sayWrites(text, now, more);
    else say(text, more);
  } catch (error) {
    sayError(error, "data");
  }
}

/**
 * Undoes the last writes, also those of other clients.
 * @param {number} [steps]
 * @param {import("../shell/types.js").Entry} [entry]  the request that made the write; missing: an act of a page
 */
export async function undoLast(steps = 1, entry) {
  try {
    const there = await readSummary();
    const last = knownOf(there).find(({ depth, steps: own }) => depth - own === there.undoable - steps);
    const others = last && there.undoable - last.depth;
    const left = knownOf(there).filter(({ depth }) => depth <= there.undoable - steps);
    await replace(undoCall(steps));
    const now = await readSummary();
    const alone = undosIn(now) === undosIn(there) + steps + 1; // no other undo happened
    mine.set({ done: alone ? left : [], writes: now.writes, undoable: now.undoable });
    const known = last && `Undone: ${last.text}`.replace("Undone: Restored", "Undid the restore of");
    last?.undone?.();
    const text = entry ? `Undone: ${entry.method} ${entry.path}.` : known ?? "Undone.";
    say(others ? text.replace(/.$/, `, and ${plural(others, "later write")}.`) : text, { about: ["data"] });
  } catch (error) {
    sayError(error, "data");
  }
}

/**
 * Undoes the last act of this page, or asks before undoing another client's write.
 * @param {any} [open]  the open request, which made the last write
 * @param {number} [writes]  the number of writes then
 */
export async function askUndo(open, writes) {
  try {
    const now = await readSummary();
    const last = ownOf(now);
    session.set({ summary: now });
    const isOpen = writes !== undefined;
    if (last && !isOpen) return await undoLast(last.steps);
    if (now.undoable === 0) return say("Nothing to undo.", { about: ["data"] });
    const { lastWrite } = await import("./lastwrite.js");
    unsay("data"); // one offer at a time
    const { entry, by } = isOpen ? { entry: open } : await lastWrite();
    const own = !by && (sentHere.has(entry.requestId) || entry === open && entry.clientName === "browser");
    question.set({ asked: !own, writes: writes ?? now.writes, opened: isOpen, entry, by });
    if (own) await undoAsked();
  } catch (error) {
    sayError(error, "data");
  }
}

/** Undoes the write that the question names. If there was another since, the question shows it. */
export async function undoAsked() {
  const { entry, by, writes } = question.get();
  close();
  const now = await readSummary().catch(() => undefined); // then undoLast reports the error
  if (now && now.writes !== writes) {
    session.set({ summary: now });
    return question.set({ asked: true });
  }
  return await undoLast(1, by ? undefined : entry);
}

/** Says what Undo would revert; undefined if this page does not know. */
export function useUndoText() {
  useStore(mine);
  const last = ownOf(useStore(session).summary);
  return last && `Undo: ${last.text}`;
}

/** Asks before another client's write is undone. */
export const UndoQuestion = () => useStore(question).asked && html`<${Question} />`;
