// What the teacher says to everyone, or to those who are selected.

import { html, useState } from "../library/preact.js";
import { Code } from "../shell/calls.js";
import { Field, Popover } from "../shell/components.js";
import { typed } from "../shell/events.js";
import { plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { say, sayError } from "../shell/toast.js";
import { tellAll } from "./hand.js";
import { callOf, run } from "./places.js";

/** @param {{names: string[], target: import("./places.js").Target, text?: string}} props */
export function Say({ names, target, text }) {
  const to = target.names.length > 0 ? target.names : names;
  const shown = html`
    <${Icon} name="send" />
    <span>${text ?? (to === names ? "Say to all" : `Say to ${to.length}`)}</span>`;
  return html`<${Popover} text=${shown}>
    ${(/** @type {() => void} */ close) => html`<${Form} to=${to} onSaid=${close} />`}
  <//>`;
}

/** @param {{to: string[], onSaid: () => void}} props */
function Form({ to, onSaid }) {
  const [text, setText] = useState("");
  const step = tellAll(text);
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const { done, failed, failures } = await run({ all: false, names: to }, () => [step]);
    if (failures > 0) sayError(failed[0].error);
    if (done.length > 0) say(`Said to ${plural(done.length, "attendee")}.`);
    onSaid();
  };
  return html`<form class="stack" onSubmit=${send}>
    <${Field} label="What you say" hint="It stands at the top of their pages. It is a message in each of their stores.">
      ${(/** @type {any} */ attributes) => html`
        <input ...${attributes} value=${text} maxlength="200" required autofocus onInput=${typed(setText)} />`}
    <//>
    <div>
      <button class="primary">Say</button>
      <${Code} label="say" call=${() => to.map((name) => callOf(name, step))} />
    </div>
  </form>`;
}
