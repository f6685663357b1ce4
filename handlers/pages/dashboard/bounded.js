// Reads of what may be too long for the memory of a page.

import { errorOf, send } from "../shell/api.js";

/**
 * Reads JSON, and gives up where it is too long.
 * @param {string} path
 * @param {number} most  characters
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}  undefined: it is longer
 * @throws {import("../shell/api.js").ApiError}  where the status is 400 or above, or there is none
 */
export async function readBounded(path, most, signal) {
  const response = await send({ method: "GET", path, signal });
  if (!response.ok || !response.body) throw await errorOf(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return JSON.parse(text);
    text += value;
    if (text.length > most) {
      void reader.cancel();
      return undefined;
    }
  }
}
