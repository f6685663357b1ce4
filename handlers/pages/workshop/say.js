// Sends the teacher's messages, to everyone or to selected attendees.

import { html, useState } from "../library/preact.js";
import { Code } from "../shell/calls.js";
import { Field, Popover } from "../shell/components.js";
import { typed } from "../shell/events.js";
import { plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { say, sayError } from "../shell/toast.js";
import { lower, sendByEnter, tellAll, tellOne } from "./hand.js";
import { withdrawAll } from "./offers.js";
import { callOf, rowsOf, run } from "./places.js";
import { called } from "./room.js";

/** @typedef {import("./room.js").Tile} Tile */

/** @param {{to: Tile[], all: boolean, text: string, class?: string, off?: boolean}} props  all: to everyone */
export function Say({ to, all, text, class: name, off }) {
  const label = html`<${Icon} name="send" /><span>${text}</span>`;
  if (off) return html`<button type="button" class=${name} disabled>${label}</button>`;
  return html`<${Popover} class=${name} text=${label}>
    ${(/** @type {() => void} */ close) => html`<${SayForm} to=${to} all=${all} onSaid=${close} onCancel=${close} />`}
  <//>`;
}

/** The unsent texts, by recipients. @type {Map<string, string>} */
const drafts = new Map();

/** @param {{to: Tile[], all?: boolean, onSaid: () => void, onCancel: () => void}} props */
export function SayForm({ to, all, onSaid, onCancel }) {
  const tell = all ? tellAll : tellOne; // an announcement does not count as help
  const names = to.map(({ name }) => name);
  const draft = all ? "*" : names.join(); // who joins meanwhile changes no draft to all
  const [text, setText] = useState(drafts.get(draft) ?? "");
  const write = (/** @type {string} */ words) => {
    drafts.set(draft, words);
    setText(words);
  };
  const [lowers, setLowers] = useState(to.length === 1); // an announcement does not answer hands
  const up = to.filter(({ hand }) => hand > 0);
  const hands = up.map(({ name }) => name);
  const helped = up.filter(({ coming }) => coming).length; // the wall counts them separately
  const stepsIn = (/** @type {string} */ name) =>
    [tell(text), ...(lowers && hands.includes(name) ? [lower] : [])];
  const handsOf = hands.length === 1 ? "the hand" : `${hands.length} hands`;
  const whom = to.length === 1 ? html`<bdi>${called(names[0])}</bdi>` : plural(to.length, "attendee");
  const until = to.length === 1 ? "it is dismissed" : "each dismisses it";
  const after = all ? "; latecomers will not" : "";
  /** Returns whom to tell. The wall's list may be older than those who joined a moment ago. */
  const recipients = async () => (all
    ? (await rowsOf({ all, names })).map(({ name }) => name).filter((name) => name !== "default") : names);
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const there = await recipients().catch(sayError);
    if (!there) return;
    const { done, failed, failures } = await run({ all: false, names: there }, stepsIn);
    if (failures > 0) sayError(failed[0].error);
    if (done.length === 0) return; // the text stays
    drafts.delete(draft);
    const down = lowers && hands.length > 0 ? `, and lowered ${handsOf}` : "";
    const reached = done.length === 1 ? html`<bdi>${called(done[0])}</bdi>` : plural(done.length, "attendee");
    withdrawAll(); // would return when this notice ends
    say(html`Sent to ${reached}${down}.`, { about: ["said"] });
    onSaid();
  };
  return html`<form class="stack" onSubmit=${send}>
    <${Field} label="Message"
      hint=${html`${whom} will see it until ${until}${after}.
        <span class="esc"> Enter sends it; Shift+Enter begins a line.</span>`}>
      ${(/** @type {any} */ attributes) => html`
        <textarea ...${attributes} class="words" value=${text} maxlength="200" rows="2" required autofocus
          autocomplete="off" onInput=${typed(write)} onKeyDown=${sendByEnter}></textarea>`}
    <//>
    ${hands.length > 0 && html`<label class="check">
      <input type="checkbox" checked=${lowers} onChange=${() => setLowers(!lowers)} />
      Lower ${handsOf}${to.length > 1 && helped > 0 && ` (${helped} being helped)`}
    </label>`}
    <div class="row">
      <button class="primary">${lowers && hands.length > 0 ? `Send, and lower ${handsOf}` : "Send"}</button>
      <button type="button" onClick=${onCancel}>Cancel</button>
      <${Code} label="say" call=${() => names.flatMap((name) => stepsIn(name).map((step) => callOf(name, step)))} />
    </div>
  </form>`;
}
