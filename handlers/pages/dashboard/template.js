// What new sandboxes are forks of.

import { html, useState } from "../library/preact.js";
import { request, sandbox, server } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Popover } from "../shell/components.js";
import { say, sayError } from "../shell/toast.js";

/** @typedef {import("../shell/api.js").Call} Call */

const path = "admin/template";
const fresh = { method: "DELETE", path, base: server };

/** @param {string} from  the sandbox that new ones are copies of @returns {Call} */
export const takeCall = (from) => ({ method: "PUT", path, base: server, body: { from } });

/** @param {Call} call @param {string} done  what to say */
const send = (call, done) => request(call).then(() => say(done, { about: ["sandboxes"] }), sayError);

/** Makes new sandboxes copies of this one. @param {string} from */
export const take = (from) => send(takeCall(from), `New sandboxes begin as “${from}” is now.`);

export function Template() {
  const [template, setTemplate] = useState(/** @type {any} */ (null));
  const look = () => {
    const found = request({ method: "GET", path, base: server });
    void found.then(({ data }) => setTemplate(data), () => setTemplate(null));
  };
  const from = template?.from;
  return html`
    <${Popover} text="Template" title="Template: what new sandboxes are forks of">
      ${() => html`
        <${Look} look=${look} />
        <div class="stack">
          <p>
            New sandboxes are forks of ${from
              ? html`a copy of <strong class="wire">${from}</strong>`
              : "a fresh one, with the data that the server started with"}. Those that are there do not change.
          </p>
          <div class="row">
            <button type="button" class="plain-border"
              onClick=${() => take(sandbox).then(look)}>
              Use “${sandbox}” as the template
            </button>
            <${Code} label="take a template" call=${() => takeCall(sandbox)} />
          </div>
          ${from && html`<div class="row">
            <button type="button" onClick=${() => send(fresh, "New sandboxes are fresh again.").then(look)}>
              Stop using the template
            </button>
            <${Code} label="stop using the template" call=${() => fresh} />
          </div>`}
        </div>`}
    <//>`;
}

/** Looks when it is shown. @param {{look: () => void}} props */
function Look({ look }) {
  useState(() => void look());
  return null;
}
