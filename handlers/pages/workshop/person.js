// One attendee, looked at closely: the exercises, the last requests with the reasons of refusals, and what to do.

import { html, useLayoutEffect, useRef, useState } from "../library/preact.js";
import { request, server } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Popover, Status } from "../shell/components.js";
import { Confirm } from "../shell/confirm.js";
import { ago } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { useKeys } from "../shell/keys.js";
import { say, sayError } from "../shell/toast.js";
import { backToNormal } from "./acts.js";
import { ActIn, EffectsIn, OthersIn } from "./bar.js";
import { exercises } from "./exercises.js";
import { lower, ON_MY_WAY, ON_THE_WAY, tellOne } from "./hand.js";
import { callOf } from "./places.js";
import { called, exerciseOf, hasStarted, isStuck, machine, remove } from "./room.js";
import { SayForm } from "./say.js";
import { Side } from "./side.js";
import { Hand, Stuck, timesOf, unusualIn } from "./tile.js";
import { dropCall } from "./vacant.js";

/**
 * @typedef {import("./room.js").Tile} Tile
 *
 * @param {object} props
 * @param {Tile} props.tile
 * @param {string[]} props.among  the stores that the drawer goes through; none: all
 * @param {string[]} props.names  all stores
 * @param {(name: string) => void} props.onOpen
 * @param {() => void} props.onClose
 */
export function Person({ tile, among, names, onOpen, onClose }) {
  const { name, done, recent, hand, said, total } = tile;
  const [answering, setAnswering] = useState(""); // whom, although the hand may be lowered meanwhile
  const [saying, setSaying] = useState(""); // to whom, without a raised hand
  const [removing, setRemoving] = useState(""); // whom
  const raised = hand > 0 || answering === name;
  const stuck = isStuck(tile);
  const isTold = tile.coming === ON_THE_WAY;
  const there = among.length > 0 ? among.filter((other) => names.includes(other)) : names;
  const at = there.indexOf(name);
  const toward = (/** @type {string|undefined} */ other) => () => other && onOpen(other);
  const [previous, next] = [toward(there[at - 1]), toward(there[at + 1])];
  useKeys({ j: next, k: previous });
  const on = exerciseOf(tile);
  const { request: cause = recent[0] } = tile.run;
  const before = stuck ? recent.filter((one) => one.first !== cause.first) : recent;
  const shownOf = recent.reduce((sum, { times }) => sum + times, 0);
  const dashboard = new URL(`sandboxes/${encodeURIComponent(name)}/`, server).href;
  const says = saying === name;
  const tools = html`
    <a class="button icon" href=${dashboard} title="Open dashboard" aria-label="Open dashboard">
      <${Icon} name="open" />
    </a>
    <span class="note">${at + 1} of ${there.length}</span>
    <button type="button" class="icon" title="Previous (k)" aria-label="Previous attendee" disabled=${at < 1}
      onClick=${previous}>
      <${Icon} name="previous" />
    </button>
    <button type="button" class="icon" title="Next (j)" aria-label="Next attendee" disabled=${at > there.length - 2}
      onClick=${next}>
      <${Icon} name="next" />
    </button>`;
  return html`<${Side} title=${html`<bdi>${called(name)}</bdi>`} about=${name} tools=${tools} onClose=${onClose}>
    ${raised && html`<${Raised} key=${name} tile=${tile} answering=${answering === name}
      onAnswer=${(/** @type {boolean} */ is) => setAnswering(is ? name : "")} />`}
    ${stuck && html`<div class=${tile.coming ? "stuck-by coming" : "stuck-by"}>
      <div class="row">
        <p class="grow">
          <${Stuck} since=${tile.run.since} /> ${!raised && html`<span class="note">${tile.coming}</span>`}
        </p>
        ${!raised && !isTold && html`<${Answer} name=${name} text="On my way" step=${tellOne(ON_MY_WAY)} />`}
      </div>
      <ol class="requests-of">
        <${Request} request=${cause} dashboard=${dashboard} />
      </ol>
      ${!raised && html`<${Standing} tile=${tile} />`}
    </div>`}
    <div class="acts-of">
      ${!raised && html`
        <button type="button" class="primary" aria-pressed=${says} onClick=${() => setSaying(says ? "" : name)}>
          <${Icon} name="send" /><span>Say something</span>
        </button>`}
      <${Popover} class="plain-border" text=${html`More<${Icon} name="down" />`}>
        ${(/** @type {() => void} */ close) => html`
          <div class="others" role="group" aria-label="Clock, lifecycles, faults and data">
            <${OthersIn} tile=${tile} names=${names} />
            <hr />
            <button type="button" class="danger" onClick=${() => {
              close(); // gives the focus back, before the dialog takes it
              setRemoving(name);
            }}>
              Remove from the room…
            </button>
            <p class="note">Deletes the store, and frees the seat</p>
          </div>`}
      <//>
    </div>
    ${removing === name && html`
      <${Removal} name=${name} onGone=${onClose} onClose=${() => setRemoving("")} />`}
    ${says && !raised && html`<${SayHere} tile=${tile} onEnd=${() => setSaying("")} />`}
    ${unusualIn(tile).length > 0 && html`<div class="row">
      <${EffectsIn} tile=${tile} />
      <${ActIn} one=${backToNormal} name=${name} />
    </div>`}
    ${said && html`<div class="talked">
      ${said.asked && (hand === 0 || said.asked !== tile.about) && html`
        <p><span class="note">Asked:</span> “${said.asked}”</p>`}
      <p class="row">
        <span class="grow"><span class="note">You said:</span> ${said.text}</span>
        ${said.at > 0 && html`<span class="note">${ago(new Date(said.at).toISOString(), machine())}</span>`}
      </p>
    </div>`}
    <section class="stack">
      <h3>Exercises</h3>
      <ol class="ticks">
        ${exercises.map(({ text }, i) => html`
          <li key=${text} class=${done[i] ? "is-done" : ""} aria-current=${on === i + 1 ? "step" : undefined}>
            <i class=${done[i] ? "pip full" : "pip"} role="img" aria-label=${done[i] ? "done" : "to do"}></i>
            ${text}
          </li>`)}
      </ol>
    </section>
    ${!(stuck && total <= shownOf && before.length === 0) && html`<section class="stack">
      <h3>${stuck ? "Requests before" : "Last requests"}</h3>
      <ol class="requests-of">
        ${before.map((one) => html`<${Request} key=${one.first} request=${one} dashboard=${dashboard} />`)}
      </ol>
      ${total > shownOf
        ? html`<p class="note"><a href=${dashboard}>Earlier ones are on the dashboard</a></p>`
        : before.length === 0 && html`<p class="note">None.</p>`}
    </section>`}
  <//>`;
}

/** The exercise that the attendee is on. @param {{tile: Tile}} props */
function Standing({ tile }) {
  const on = exerciseOf(tile);
  const begun = hasStarted(tile) ? "" : "Not started. ";
  return html`<span class="note">
    ${on > 0 ? `${begun}On exercise ${on}: ${exercises[on - 1].text}` : "All exercises done"}
  </span>`;
}

/**
 * Asks before it removes an attendee who should not be there, such as one who joined twice.
 * @param {{name: string, onGone: () => void, onClose: () => void}} props
 */
function Removal({ name, onGone, onClose }) {
  const who = called(name);
  const confirm = () => {
    onClose();
    request(dropCall(name)).then(() => {
      remove(name);
      say(html`Removed <bdi>${who}</bdi>.`);
      onGone();
    }).catch(sayError);
  };
  return html`
    <${Confirm} title=${`Remove ${who}?`} verb="Remove" label="remove from the room" call=${dropCall(name)}
      onConfirm=${confirm} onClose=${onClose}>
      <p>
        This deletes the store with its data and requests. The seat is free, and the report does not
        name <bdi>${who}</bdi>. You cannot undo this.
      </p>
    <//>`;
}

/** The form, in its place in the drawer. @param {{tile: Tile, onEnd: () => void}} props */
function SayHere({ tile, onEnd }) {
  const form = useRef(/** @type {HTMLElement|null} */ (null));
  useLayoutEffect(() => { // before the next key, which is typed into it
    const drawer = /** @type {HTMLElement|null|undefined} */ (form.current?.closest(".side"));
    form.current?.querySelector("textarea")?.focus();
    return () => drawer?.focus(); // what had the focus is gone
  }, []);
  return html`<div class="grow" ref=${form}><${SayForm} to=${[tile]} onSaid=${onEnd} onCancel=${onEnd} /></div>`;
}

/**
 * A raised hand, and what the teacher answers.
 * @param {{tile: Tile, answering: boolean, onAnswer: (is: boolean) => void}} props
 */
function Raised({ tile, answering, onAnswer }) {
  const { name, hand, coming, about } = tile;
  return html`<div class=${coming ? "row raised coming" : "row raised"}>
    <p class="row">
      <span role="status">
        ${hand > 0
          ? html`<${Hand} since=${hand} coming=${coming} />`
          : html`<strong><bdi>${called(name)}</bdi> lowered the hand</strong>`}
      </span>
      <${Standing} tile=${tile} />
    </p>
    ${(about || hand > 0) && html`<p class=${about ? "about" : "note"}>${about || "No question."}</p>`}
    ${answering
      ? html`<${SayHere} tile=${tile} onEnd=${() => onAnswer(false)} />`
      : html`
        <button type="button" class="primary" onClick=${() => onAnswer(true)}>
          <${Icon} name="send" /><span>Reply</span>
        </button>
        <${Answer} name=${name} text="On my way" step=${tellOne(ON_MY_WAY)} done=${coming === ON_THE_WAY} />
        <${Answer} name=${name} text="Lower hand" step=${lower} />`}
  </div>`;
}

/**
 * A button that writes a message to an attendee. What is done is disabled: a second click would hit the next button.
 * @param {{name: string, text: string, step: import("./places.js").Step, done?: boolean}} props
 */
const Answer = ({ name, text, step, done }) => html`<span class="pair">
  <button type="button" class="plain-border" disabled=${done}
    onClick=${() => request(callOf(name, step)).catch(sayError)}>
    ${text}
  </button>
  <${Code} label=${text.toLowerCase()} call=${() => callOf(name, step)} />
</span>`;

/** @typedef {import("./room.js").Recent} Recent */

/**
 * Requests with the same result, with what the newest of them sent if it was refused.
 * @param {{request: Recent, dashboard: string}} props
 */
function Request({ request, dashboard }) {
  const { id, method, path, query, status, reason, sent, at, times } = request;
  return html`<li>
    <p class="row">
      <${Status} status=${status} />
      <span class="wire grow">
        <a href=${`${dashboard}?id=${id}`} title="Its line on the dashboard">
          ${method} ${path}${query && `?${query}`}
        </a>
        ${times > 1 && html` <span class="times">×${timesOf(request)}</span>`}
      </span>
      <span class="note">${ago(new Date(at).toISOString(), machine())}</span>
    </p>
    ${reason && reason.split(" · ").map((why) => html`<p class="why">${why}</p>`)}
    ${sent && html`<pre class="sent wire" aria-label="What was sent">${sent}</pre>`}
  </li>`;
}
