// Which request undo would take back. The journal has the writes of the pet store alone, and also those undone already.

import { get } from "../shell/api.js";
import { readBounded } from "./bounded.js";
import { isWrite } from "./states.js";

/** @typedef {import("../shell/types.js").Entry} Entry */

const LOOKED_THROUGH = 100; // requests of the journal
const MOST = 4 << 20; // characters of a state

/** Reads a state as text; missing: undo does not reach it, or it is too long. @param {string} query */
const stateAt = (query) => readBounded(`admin/state${query}`, MOST).then(JSON.stringify, (error) => {
  if (![404, 410].includes(error.status)) throw error;
});

/**
 * Returns the request whose write undo would take back: the data is as that write left it. Missing: not known.
 * @param {Entry[]} requests  newest first
 */
export async function lastOf(requests) {
  const now = await stateAt("");
  for (const entry of now ? requests.filter(isWrite) : []) {
    const at = `?at=${entry.id}`;
    const [before, after] = await Promise.all([stateAt(`${at}&before=true`), stateAt(at)]);
    if (before && after && before !== after) return after === now ? entry : undefined;
  }
}

/** The one in the journal that undo would take back. Missing: not known. */
export async function lastWrite() {
  const path = `admin/requests?order=desc&limit=${LOOKED_THROUGH}`;
  return lastOf(/** @type {import("../shell/types.js").Journal} */ (await get(path)).requests);
}
