// Shows and sets the template: how new sandboxes start.

import { html, useEffect } from "../library/preact.js";
import { request, server } from "../shell/api.js";
import { Item, Menu } from "../shell/components.js";
import { short } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { listSandboxes } from "../shell/sandboxes.js";
import { createStore, useStore } from "../shell/store.js";
import { say, sayError } from "../shell/toast.js";

/** @typedef {import("../shell/api.js").Call} Call */

const path = "admin/template";
const fresh = { method: "DELETE", path, base: server };

/** @param {string} from  the sandbox to copy @returns {Call} */
export const takeCall = (from) => ({ method: "PUT", path, base: server, body: { from } });

/** The sandbox that was copied as the template, if any, and a remark if that sandbox is deleted. */
export const template = createStore({ from: /** @type {string|undefined} */ (undefined), gone: "" });

export const readTemplate = () => request({ method: "GET", path, base: server }).then(async ({ data: { from } }) => {
  const { rows, total } = await listSandboxes({ name: from ?? "", sort: "name", limit: from ? 50 : 1 });
  const gone = from && rows.length === total && !rows.some(({ name }) => name === from) ? " (deleted)" : "";
  template.set({ from: from ?? undefined, gone });
}).catch(() => undefined);

/**
 * @param {Call} call
 * @param {string} done  the message
 * @param {Call} [undo]
 */
const send = (call, done, undo) => request(call).then(() => {
  const action = undo && { text: "Undo", run: () => void send(undo, FRESH) };
  say(done, { about: ["sandboxes"], action });
  return readTemplate();
}, sayError);

const FRESH = "New sandboxes start fresh again.";

/** Makes new sandboxes copies of this one. Undo makes them fresh again, if they were. @param {string} from */
export async function take(from) {
  await readTemplate();
  const done = `New sandboxes start as a copy of “${from}”: data, clock, faults and lifecycles.`;
  await send(takeCall(from), done, template.get().from ? undefined : fresh);
}

/** @param {{rows: {name: string, title: string}[]}} props */
export function Template({ rows }) {
  const { from, gone } = useStore(template);
  return html`
    <${Menu} class="plain-border" title=${`Template: how new sandboxes start${from ? ` (${from}${gone})` : ""}`}
      text=${html`Template${from && html` <span class="tag">${short(from)}${gone}</span>`}<${Icon} name="down" />`}>
      <${Choices} rows=${rows} from=${from} />
    <//>`;
}

/**
 * The choices of the menu. It reads the template when it opens, because no event reports changes by other clients.
 * @param {{rows: {name: string, title: string}[], from: string|undefined}} props
 */
function Choices({ rows, from }) {
  useEffect(() => void readTemplate(), []);
  const { gone } = useStore(template);
  /** @param {string} text @param {boolean} is @param {Call} call @param {() => void} run */
  const item = (text, is, call, run) => html`
    <${Item} role="menuitemradio" aria-checked=${is} label=${text} call=${() => call} onClick=${run}>
      <${Icon} name="check" />${text}
    <//>`;
  return html`
    ${item("Start fresh", !from, fresh, () => send(fresh, FRESH))}
    <hr />
    ${from && gone && html`<${Item} role="menuitemradio" aria-checked="true" onClick=${() => undefined}>
      <${Icon} name="check" />Copy of “${from}”${gone}<//>`}
    ${rows.map(({ name, title }) =>
      item(`Copy of “${title}”`, name === from, takeCall(name), () => take(name)))}`;
}
