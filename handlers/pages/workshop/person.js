// One attendee, looked at closely: the exercises, the last requests with the reasons of refusals, and what to do.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { request, server } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Status } from "../shell/components.js";
import { ago } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { useKeys } from "../shell/keys.js";
import { sayError } from "../shell/toast.js";
import { ActsIn } from "./bar.js";
import { exercises } from "./exercises.js";
import { lower, ON_MY_WAY, tellAll } from "./hand.js";
import { callOf } from "./places.js";
import { called, exerciseOf, isStuck, machine } from "./room.js";
import { SayForm } from "./say.js";
import { Side } from "./side.js";
import { ON_THE_WAY, passed, Progress, timesOf, unusualIn } from "./tile.js";

/**
 * @typedef {import("./room.js").Tile} Tile
 *
 * @param {{tile: Tile, shown: Tile[], onOpen: (name: string) => void, onClose: () => void}} props  shown: the tiles in
 *   sight
 */
export function Person({ tile, shown, onOpen, onClose }) {
  const { name, done, recent, hand, said, total } = tile;
  const [answering, setAnswering] = useState(""); // whom, although the hand may be lowered meanwhile
  const [saying, setSaying] = useState(""); // to whom, without a raised hand
  const raised = hand > 0 || answering === name;
  const at = shown.findIndex((other) => other.name === name);
  const toward = (/** @type {Tile|undefined} */ other) => () => other && onOpen(other.name);
  const [previous, next] = [toward(shown[at - 1]), toward(shown[at + 1])];
  useKeys({ j: next, k: previous });
  const on = exerciseOf(tile);
  const before = isStuck(tile) ? recent.slice(1) : recent;
  const shownOf = recent.reduce((sum, { times }) => sum + times, 0);
  const dashboard = new URL(`sandboxes/${encodeURIComponent(name)}/`, server).href;
  const unusual = unusualIn(tile);
  const answers = answering === name;
  const says = saying === name;
  const onSay = () => (raised ? setAnswering(answers ? "" : name) : setSaying(says ? "" : name));
  const tools = html`
    <a class="button icon" href=${dashboard} title="Open dashboard" aria-label="Open dashboard">
      <${Icon} name="open" />
    </a>
    <span class="note">${at + 1} of ${shown.length}</span>
    <button type="button" class="icon" title="Previous (k)" aria-label="Previous attendee" disabled=${at < 1}
      onClick=${previous}>
      <${Icon} name="previous" />
    </button>
    <button type="button" class="icon" title="Next (j)" aria-label="Next attendee" disabled=${at > shown.length - 2}
      onClick=${next}>
      <${Icon} name="next" />
    </button>`;
  return html`<${Side} title=${html`<bdi>${called(name)}</bdi>`} about=${name} tools=${tools} onClose=${onClose}>
    <div class="acts-of">
      <p class=${unusual.length > 0 ? "unusual" : "note"}>
        ${unusual.map(({ text }) => text).join(" · ") || "Clock, faults and lifecycles are as usual."}
      </p>
      <button type="button" class=${raised ? "plain-border" : "primary"} aria-pressed=${says || answers}
        onClick=${onSay}>
        <${Icon} name="send" /><span>Say something</span>
      </button>
      <${ActsIn} name=${name} normal=${unusual.length === 0} />
    </div>
    ${says && !raised && html`<${SayHere} tile=${tile} onEnd=${() => setSaying("")} />`}
    ${raised && html`<${Raised} key=${name} tile=${tile} answering=${answers}
      onAnswer=${(/** @type {boolean} */ is) => setAnswering(is ? name : "")} />`}
    ${said && (hand === 0 || said.asked === tile.about) && html`<div class="talked">
      ${said.asked && hand === 0 && html`<p><span class="note">Asked:</span> “${said.asked}”</p>`}
      <p><span class="note">You said:</span> ${said.text}</p>
    </div>`}
    ${isStuck(tile) && html`<div class="stuck-by">
      <p><${Progress} tile=${tile} /></p>
      <ol class="requests-of">
        <${Request} request=${recent[0]} dashboard=${dashboard} />
      </ol>
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
    ${!(isStuck(tile) && total <= shownOf && before.length === 0) && html`<section class="stack">
      <h3>${isStuck(tile) ? "Requests before" : "Last requests"}</h3>
      <ol class="requests-of">
        ${before.map((one) => html`<${Request} key=${one.first} request=${one} dashboard=${dashboard} />`)}
      </ol>
      ${total > shownOf
        ? html`<p class="note"><a href=${dashboard}>Earlier ones are on the dashboard</a></p>`
        : before.length === 0 && html`<p class="note">None.</p>`}
    </section>`}
  <//>`;
}

/** The form, in its place in the drawer. @param {{tile: Tile, onEnd: () => void}} props */
function SayHere({ tile, onEnd }) {
  const form = useRef(/** @type {HTMLElement|null} */ (null));
  useEffect(() => {
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
  const answer = (/** @type {string} */ text, /** @type {import("./places.js").Step} */ step) => html`
    <span class="pair">
      <button type="button" class="plain-border" onClick=${() => request(callOf(name, step)).catch(sayError)}>
        ${text}
      </button>
      <${Code} label=${text.toLowerCase()} call=${() => callOf(name, step)} />
    </span>`;
  return html`<div class="row raised">
    <p class="hand" role="status">
      <${Icon} name="hand" />
      ${hand > 0
        ? `Hand up ${passed(hand)}${coming ? `, ${ON_THE_WAY}` : ""}`
        : html`<bdi>${called(name)}</bdi> lowered the hand`}
    </p>
    ${about && html`<p class="about">${about}</p>`}
    ${answering
      ? html`<${SayHere} tile=${tile} onEnd=${() => onAnswer(false)} />`
      : html`
        <button type="button" class="primary" onClick=${() => onAnswer(true)}>
          <${Icon} name="send" /><span>Reply</span>
        </button>
        ${!coming && answer("On my way", tellAll(ON_MY_WAY))}
        ${answer("Lower hand", lower)}`}
  </div>`;
}

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
      <a class="wire grow" href=${`${dashboard}?id=${id}`} title="Its line on the dashboard">
        ${method} ${path}${query && `?${query}`}
      </a>
      ${times > 1 && html`<span class="note">${timesOf(request)}×</span>`}
      <span class="note">${ago(new Date(at).toISOString(), machine())}</span>
    </p>
    ${reason && html`<p class="why">${reason}</p>`}
    ${sent && html`<pre class="sent wire" aria-label="What was sent">${sent}</pre>`}
  </li>`;
}
