// Enforces sunsets.

import { session, write } from "../shell/session.js";
import { enforceCall, instant } from "../shell/sunset.js";
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
    const at = instant(session.get().summary?.clock.now);
    const when = operations.every(({ sunset }) => instant(sunset) <= at) ? "now" : "after the sunset";
    const does = operations.length === 1 ? "answers" : "answer";
    say(`${names} ${does} ${on ? `410 ${when}` : "after the sunset too"}.`, {
      about: ["clock"], call: operations.map((operation) => enforceCall(operation, on)),
      action: { text: "Undo", run: () => void send(!on).catch(sayError) },
    });
  } catch (problem) {
    sayError(problem, "clock");
  }
}
