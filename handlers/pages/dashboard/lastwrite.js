// Which request undo would take back. The journal has the writes of the pet store alone, and also those undone already.

import { html } from "../library/preact.js";
import { get } from "../shell/api.js";
import { Confirm } from "../shell/confirm.js";
import { ago } from "../shell/format.js";
import { useStore } from "../shell/store.js";
import { readBounded } from "./bounded.js";
import { isWrite } from "./states.js";
import { close, question, undoAsked, undoCall } from "./writes.js";

const LOOKED_THROUGH = 100; // requests of the journal
const MOST = 4 << 20; // characters of a state

/** Reads a state as text; missing: undo does not reach it, or it is too long. @param {string} query */
const stateAt = (query) => readBounded(`admin/state${query}`, MOST).then(JSON.stringify, (error) => {
  if (![404, 410].includes(error.status)) throw error;
});

/** The one in the journal that undo would take back: the data is as it left it. Missing: not known. */
export async function lastWrite() {
  const now = await stateAt("");
  if (!now) return undefined;
  /** @type {import("../shell/types.js").Journal} */
  const { requests } = await get(`admin/requests?order=desc&limit=${LOOKED_THROUGH}`);
  for (const entry of requests.filter(isWrite)) {
    const at = `?at=${entry.id}`;
    const [before, after] = await Promise.all([stateAt(`${at}&before=true`), stateAt(at)]);
    if (before && after && before !== after) return after === now ? entry : undefined;
  }
  return undefined;
}

/** Asks before another client's write is taken back. */
export function Question() {
  const { entry } = useStore(question);
  return html`
    <${Confirm} title=${entry ? "Undo a write that was not made on this page?" : "Undo the last write?"}
      verb="Undo it" label="undo" call=${undoCall()} onConfirm=${undoAsked} onClose=${close}>
      ${entry
        ? html`<p>
            The last write in the journal that can be undone is
            <span class="wire"> ${entry.method} ${entry.path}</span> by
            <strong> ${entry.clientName ?? entry.client}</strong>, ${ago(entry.receivedAt ?? entry.time)}.
          </p>`
        : html`<p>
            It is not known which write that is. A page made it, or a test through the control plane, the journal was
            cleared or has had 100 requests since, or the data is longer than 4 MiB.
          </p>`}
    <//>`;
}
