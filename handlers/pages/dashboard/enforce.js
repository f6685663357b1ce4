// Enforces sunsets.

import { write } from "../shell/session.js";
import { enforceCall } from "../shell/sunset.js";
import { say, sayError } from "../shell/toast.js";

/** @typedef {import("../shell/types.js").Operation} Operation */

/**
 * Makes the operations answer 410 after their sunset, or stops that. It says so, with Undo.
 * @param {Operation[]} operations
 * @param {boolean} [on]
 */
export async function enforce(operations, on = true) {
  const send = async (/** @type {boolean} */ to) => {
    for (const operation of operations) await write(enforceCall(operation, to));
  };
  try {
    await send(on);
    const names = operations.map(({ operationId }) => operationId).join(", ");
    const does = operations.length === 1 ? "answers" : "answer";
    say(`${names} ${does} ${on ? "410 after the sunset" : "after the sunset too"}.`, {
      about: ["clock"], call: operations.map((operation) => enforceCall(operation, on)),
      action: { text: "Undo", run: () => void send(!on).catch(sayError) },
    });
  } catch (problem) {
    sayError(problem, "clock");
  }
}
