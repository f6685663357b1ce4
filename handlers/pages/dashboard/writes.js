// Writes of records, each with the way back.

import { readSummary, write } from "../shell/session.js";
import { say, sayError } from "../shell/toast.js";

/**
 * Sends a write and says what was done, with Undo.
 * @param {import("../shell/api.js").Call} call
 * @param {string} done  what to say
 */
export async function writeRecord(call, done) {
  const answer = await write(call);
  const { writes } = await readSummary();
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
      return say("Something else changed since. Undoing now would revert that too.", { about: ["data"], bad: true, action: { text: "Undo anyway", run: () => void undoLast() } });
    }
    await undoLast();
  } catch (error) {
    sayError(error, "data");
  }
}

/** Takes the last write back, whoever made it. */
export async function undoLast() {
  try {
    await write(undoCall());
    say("Undone.", { about: ["data"] });
  } catch (error) {
    sayError(error, "data");
  }
}

