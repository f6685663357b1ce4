// Reads responses that may be too long for a page.

import { useEffect, useState } from "../library/preact.js";
import { errorOf, send } from "../shell/api.js";
import { session } from "../shell/session.js";
import { useStore } from "../shell/store.js";

/** @typedef {import("./states.js").State} State */
/** @typedef {{at: number, state?: State, before?: State, error?: any}} Read  without state and error: too long */

const MOST = 4 << 20; // characters of a state; a longer one is too much for a page

/**
 * Reads JSON, unless it is too long.
 * @param {string} path
 * @param {number} most  characters
 * @param {AbortSignal} [signal]
 * @param {URL} [base]
 * @param {(text: string) => any} [parse]
 * @returns {Promise<any>}  undefined: it is too long
 * @throws {import("../shell/api.js").ApiError}  if the status is 400 or above, or there is no response
 */
export async function readBounded(path, most, signal, base, parse = JSON.parse) {
  const response = await send({ method: "GET", path, signal, base });
  if (!response.ok || !response.body) throw await errorOf(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return parse(text);
    text += value;
    if (text.length > most) {
      void reader.cancel();
      return undefined;
    }
  }
}

/** @param {number} at  a request's id; negative: the data right before it */
export const pathOf = (at) => `admin/state?at=${Math.abs(at)}${at < 0 ? "&before=true" : ""}`;

/**
 * Reads the data right after a request and right before it, if the server still has them.
 * @param {number} at  negative: right before it only
 * @param {number} [most]  characters of a state
 * @param {number} [writes]  the current number of writes; undo may stop reaching the request after more
 * @returns {Read|null}  null: not read yet
 */
export function usePast(at, most = MOST, writes = 0) {
  const [read, setRead] = useState(/** @type {Read|null} */ (null));
  const [round, again] = useState(0);
  const isBack = useStore(session).stream.is === "live" && read?.error?.code === "unreachable";
  useEffect(() => {
    if (isBack) again(round + 1);
  }, [isBack]);
  useEffect(() => {
    const stop = new AbortController();
    const load = (/** @type {string} */ path) => readBounded(path, most, stop.signal);
    const before = at < 0 ? undefined : load(pathOf(-at)).catch(() => undefined);
    Promise.all([load(pathOf(at)), before]).then(
      ([state, was]) => setRead({ at, state, before: state && was }),
      async (error) => {
        const was = await before;
        if (!stop.signal.aborted) setRead({ at, error, before: was });
      },
    );
    return () => stop.abort();
  }, [at, writes, round]);
  return read;
}
