// How new sandboxes start.

import { html, useState } from "../library/preact.js";
import { request, sandbox, server } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Popover } from "../shell/components.js";
import { plural, short } from "../shell/format.js";
import { createStore, useStore } from "../shell/store.js";
import { say, sayError } from "../shell/toast.js";

/** @typedef {import("../shell/api.js").Call} Call */

const path = "admin/template";
const fresh = { method: "DELETE", path, base: server };

/** @param {string} from  the sandbox that new ones are copies of @returns {Call} */
export const takeCall = (from) => ({ method: "PUT", path, base: server, body: { from } });

/** The sandbox that the template is a copy of, if it is one, and how many pets it has. */
export const template = createStore({ from: /** @type {string|undefined} */ (undefined), pets: 0 });

export const readTemplate = () => request({ method: "GET", path, base: server })
  .then(({ data: { from, counts } }) => template.set({ from: from ?? undefined, pets: counts.pets }), () => undefined);

/**
 * @param {Call} call
 * @param {string} done  what to say
 * @param {Call} [undo]
 */
const send = (call, done, undo) => request(call).then(() => {
  const action = undo && { text: "Undo", run: () => void send(undo, FRESH) };
  say(done, { about: ["sandboxes"], action });
  return readTemplate();
}, sayError);

const FRESH = "New sandboxes start fresh again.";

/** Makes new sandboxes copies of this one, with Undo if they were fresh. @param {string} from */
export async function take(from) {
  await readTemplate();
  await send(takeCall(from), `New sandboxes start as a copy of “${from}”.`, template.get().from ? undefined : fresh);
}

export function Template() {
  const { from, pets } = useStore(template);
  return html`
    <${Popover} class="plain-border" text=${html`Template${from && html` <span class="tag">${short(from)}</span>`}`}
      title=${`Template: how new sandboxes start${from ? ` (${from})` : ""}`}>
      ${() => html`
        <${Look} />
        <div class="stack">
          <p>
            New sandboxes start
            ${from ? html` as a copy of “<bdi>${from}</bdi>”` : ` fresh, with ${plural(pets, "pet")}`}.
            Existing ones do not change.
          </p>
          <div class="row">
            <button type="button" class="plain-border" onClick=${() => take(sandbox)}>
              Use “${sandbox}” as the template
            </button>
            <${Code} label="take a template" call=${() => takeCall(sandbox)} />
          </div>
          ${from && html`<div class="row">
            <button type="button" onClick=${() => send(fresh, FRESH)}>Stop using the template</button>
            <${Code} label="stop using the template" call=${() => fresh} />
          </div>`}
        </div>`}
    <//>`;
}

/** Reads the template when it is shown. */
function Look() {
  useState(() => void readTemplate());
  return null;
}
