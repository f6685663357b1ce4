// Writes several records, with one Undo.

import { request } from "../shell/api.js";
import { capital, count } from "../shell/format.js";
import { readSummary, refresh, session } from "../shell/session.js";
import { sayError } from "../shell/toast.js";
import { note, sayWrites, undo, undoLast, writeRecord } from "./writes.js";

const STOPPED = "Stopped"; // by the user

/** The ETags of what the last run has written, to tell it from the writes of others. @type {Set<string|null>} */
export const written = new Set();
const TRIES = 3; // of a write to a record that another client keeps changing

const sentence = (/** @type {string} */ text) => capital(text).replace(/[^.?]$/, "$&.");

/** @typedef {import("../shell/api.js").Call} Call */

/** Reads the ETag of the record that a call changes; undefined if the call deletes it. @param {Call} [call] */
async function tagOf(call) {
  if (!call?.body) return undefined;
  const { path } = call;
  const { headers } = await request({ method: "HEAD", path }) // it takes half the time of a GET
    .catch(() => request({ method: "GET", path, fresh: true })); // which says what is wrong
  return headers.get("ETag");
}

/**
 * Sends a write, and returns whether it changed the record. The count of writes cannot say that, because other clients
 * write too.
 * @param {Call} call
 * @param {Promise<any>} read  reads the record's ETag
 * @param {number} [tries]
 * @returns {Promise<boolean>}
 */
async function send(call, read, tries = TRIES) {
  const tag = await read;
  if (!tag) return Boolean(await request(call));
  try {
    const { headers } = await request({ ...call, headers: { ...call.headers, "If-Match": tag } });
    written.add(headers.get("ETag"));
    return headers.get("ETag") !== tag;
  } catch (/** @type {any} */ error) {
    if (error.status !== 412 || tries === 1) throw error;
    return send(call, tagOf(call), tries - 1); // another client has changed it since it was read
  }
}

/**
 * Sends several writes, past those that the server refuses, and says what was done, with one Undo for all of them.
 * Returns the calls that succeeded.
 * @param {Call[]} calls
 * @param {(n: number) => string} done  makes the message from the number of records changed
 * @param {(sent: number) => Promise<string|undefined>} [next]  runs after each write; stops if it says why, or ""
 * @param {() => void} [undone]  runs after Undo
 * @param {string} [snapshot]  of the data before, to restore if Undo does not reach that far
 */
export async function writeRecords(calls, done, next, undone, snapshot) {
  const before = await readSummary();
  written.clear();
  /** @type {Call[]} */
  const made = [];
  /** @type {Call[]} */
  const changed = []; // those of them that changed the record
  let gone = 0; // records that another client has deleted
  /** @type {string[]} */
  const refused = [];
  let end = ""; // why it ended early
  let why = /** @type {string|undefined} */ (""); // the user stopped it
  let ahead = tagOf(calls[0]);
  for (const [i, call] of calls.entries()) {
    const read = ahead;
    ahead = tagOf(calls[i + 1]); // while this one is written
    ahead.catch(() => undefined); // it may never be sent
    try {
      if (await send(call, read)) changed.push(call);
      made.push(call);
    } catch (/** @type {any} */ error) {
      if (error.code === "not_found") gone++;
      else if (error.status && ![401, 404].includes(error.status)) refused.push(error.message);
      else end = error.message;
    }
    why = await next?.(i + 1);
    if (why !== undefined && i + 1 < calls.length) end ||= STOPPED;
    if (end) break;
  }
  session.set({ changes: session.get().changes + 1 });
  const steps = changed.length;
  const unknown = { ...before, writes: before.writes + steps, undoable: 0 };
  const now = await readSummary().catch(() => unknown);
  const { writes } = now;
  const mine = steps > 0 && writes === before.writes + steps; // Otherwise Undo would also revert writes by others.
  const alone = mine && steps <= now.undoable;
  if (alone) note(done(steps), steps, now, undone);
  else if (mine) { // more than undo reaches: the last ones, one by one
    for (const [i, { method, path }] of changed.slice(-now.undoable || steps).entries()) {
      const counts = { writes: writes - now.undoable + i + 1, undoable: i + 1 };
      note(`1 of ${count(steps)}, ${method} ${path.replace("admin/data", "")}.`, 1, counts);
    }
  }
  const had = made.length - steps;
  const sent = made.length + gone + refused.length;
  const text = [
    end && `${end === STOPPED ? end : `${sentence(end)} ${STOPPED}`} at ${count(sent)} of ${count(calls.length)}${
      why ?? ""}.`,
    steps > 0 ? done(steps) : had > 0 && "Nothing changed.",
    had > 0 && `${count(had)} had it already.`,
    steps > 0 && writes > before.writes + steps && "Another client wrote meanwhile, so this has no Undo.",
    gone > 0 && `${count(gone)} ${gone === 1 ? "was" : "were"} deleted meanwhile.`,
    refused[0] && `${count(refused.length)} failed${refused[1] ? ". The first" : ""}: ${sentence(refused[0])}`,
  ].filter(Boolean).join(" ");
  const take = (/** @type {number} */ others) => undoLast(steps + others);
  const restore = { method: "POST", path: `admin/snapshots/${snapshot}/restore` };
  const bringBack = () => void writeRecord(restore, `Restored “${snapshot}”.`).then(undone, sayError);
  const action = alone ? { text: "Undo", run: () => void undo(writes, take) }
    : snapshot && steps > 0 ? { text: `Restore ${snapshot}`, run: bringBack } : undefined;
  sayWrites(text, now, { bad: refused.length > 0 || Boolean(end && end !== STOPPED), action });
  void refresh();
  return made;
}
