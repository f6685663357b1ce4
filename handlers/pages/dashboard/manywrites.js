// Writes several records, with one Undo.

import { request } from "../shell/api.js";
import { capital, count } from "../shell/format.js";
import { readSummary, refresh, session } from "../shell/session.js";
import { note, sayWrites, undo, undoLast } from "./writes.js";

const sentence = (/** @type {string} */ text) => capital(text).replace(/[^.?]$/, "$&.");

/**
 * Sends several writes, past those that the server refuses, and says what was done, with one Undo for all of them.
 * Returns the calls that succeeded.
 * @param {import("../shell/api.js").Call[]} calls
 * @param {(n: number) => string} done  makes the message from the number of records changed
 * @param {(sent: number) => Promise<boolean>} [next]  runs after each write; false stops
 * @param {() => void} [undone]  runs after Undo
 */
export async function writeRecords(calls, done, next, undone) {
  const before = await readSummary();
  /** @type {import("../shell/api.js").Call[]} */
  const made = [];
  let gone = 0; // records that another client has deleted
  /** @type {string[]} */
  const refused = [];
  let end = ""; // why it ended early
  for (const [i, call] of calls.entries()) {
    try {
      await request(call);
      made.push(call);
    } catch (/** @type {any} */ error) {
      if (error.code === "not_found") gone++;
      else if (error.status && ![401, 404].includes(error.status)) refused.push(error.message);
      else end = error.message;
    }
    if (await next?.(i + 1) === false && i + 1 < calls.length) end ||= "Stopped";
    if (end) break;
  }
  session.set({ changes: session.get().changes + 1 });
  const unknown = { ...before, writes: before.writes + made.length, undoable: 0 };
  const now = await readSummary().catch(() => unknown);
  const { writes } = now;
  const steps = writes - before.writes;
  // Otherwise Undo would also revert writes by others.
  const alone = steps > 0 && steps <= Math.min(made.length, now.undoable);
  if (alone) note(done(steps), steps, now, undone);
  else if (steps > 0 && steps === made.length) { // more than undo reaches: the last ones, one by one
    for (const [i, { method, path }] of made.slice(-now.undoable || made.length).entries()) {
      const counts = { writes: writes - now.undoable + i + 1, undoable: i + 1 };
      note(`${method} ${path.replace("admin/data", "")}.`, 1, counts);
    }
  }
  const had = Math.max(0, made.length - steps);
  const text = [
    end ? `${sentence(end)} ${count(made.length)} of ${count(calls.length)} done.`
      : made.length > had ? done(made.length - had) : had > 0 && "Nothing changed.",
    had > 0 && `${count(had)} had it already.`,
    gone > 0 && `${count(gone)} ${gone === 1 ? "was" : "were"} deleted meanwhile.`,
    refused[0] && `${count(refused.length)} failed${refused[1] ? ". The first" : ""}: ${sentence(refused[0])}`,
  ].filter(Boolean).join(" ");
  const take = (/** @type {number} */ others) => undoLast(steps + others);
  const action = alone ? { text: "Undo", run: () => void undo(writes, take) } : undefined;
  sayWrites(text, writes, { bad: refused.length > 0 || Boolean(end && end !== "Stopped"), action });
  void refresh();
  return made;
}
