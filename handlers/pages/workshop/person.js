// One attendee, looked at closely: the exercises, the last requests with the reasons of refusals, and what to do.

import { html } from "../library/preact.js";
import { request, server } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Status } from "../shell/components.js";
import { ago } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { sayError } from "../shell/toast.js";
import { exercises } from "./exercises.js";
import { lower, tellAll } from "./hand.js";
import { callOf } from "./places.js";
import { called, machine } from "./room.js";
import { Say } from "./say.js";
import { Side } from "./side.js";
import { passed, Progress } from "./tile.js";

/** @param {{tile: import("./room.js").Tile, onClose: () => void}} props */
export function Person({ tile, onClose }) {
  const { name, done, recent, hand, about } = tile;
  return html`<${Side} title=${html`<bdi>${called(name)}</bdi>`} about=${name} onClose=${onClose}>
    <div class="row">
      <a class="button plain-border" href=${new URL(`sandboxes/${encodeURIComponent(name)}/`, server).href}>
        <${Icon} name="open" />Open dashboard
      </a>
      <${Say} text="Say something" to=${[tile]} />
    </div>
    ${hand > 0 && html`<${Raised} name=${name} since=${hand} about=${about} />`}
    <p class="row"><${Progress} tile=${tile} /></p>
    <section class="stack">
      <h3>Exercises</h3>
      <ol class="ticks">
        ${exercises.map(({ text }, i) => html`
          <li key=${text} class=${done[i] ? "is-done" : ""}>
            <i class=${done[i] ? "pip full" : "pip"} role="img" aria-label=${done[i] ? "done" : "to do"}></i>
            ${text}
          </li>`)}
      </ol>
    </section>
    <section class="stack">
      <h3>Last requests</h3>
      ${recent.length === 0 && html`<p class="note">None yet.</p>`}
      <ol class="requests-of">
        ${alike(recent).map((same) => html`<${Request} key=${same[same.length - 1].id} same=${same} />`)}
      </ol>
    </section>
  <//>`;
}

/** A raised hand, and what the teacher answers. @param {{name: string, since: number, about: string}} props */
function Raised({ name, since, about }) {
  const answer = (/** @type {string} */ text, /** @type {import("./places.js").Step} */ step) => html`
    <span class="pair">
      <button type="button" class="plain-border" onClick=${() => request(callOf(name, step)).catch(sayError)}>
        ${text}
      </button>
      <${Code} label=${text.toLowerCase()} call=${() => callOf(name, step)} />
    </span>`;
  return html`<div class="row raised">
    <span class="grow hand"><${Icon} name="hand" />Hand up ${passed(since)}</span>
    ${answer("On my way", tellAll("I am on my way."))}
    ${answer("Lower hand", lower)}
    ${about && html`<p class="about">${about}</p>`}
  </div>`;
}

/** @typedef {import("./room.js").Recent} Recent */

/** Puts requests together that follow each other with the same result, the newest first. @param {Recent[]} recent */
function alike(recent) {
  /** @type {Recent[][]} */
  const groups = [];
  const key = (/** @type {Recent} */ { method, path, query, status, reason }) =>
    [method, path, query, status, reason].join("\n");
  for (const request of recent) {
    const last = groups.at(-1);
    if (last && key(last[0]) === key(request)) last.push(request);
    else groups.push([request]);
  }
  return groups;
}

/**
 * Requests with the same result, with what the newest of them sent if it was refused.
 * @param {{same: Recent[]}} props
 */
function Request({ same }) {
  const { method, path, query, status, reason, sent, at } = same[0];
  return html`<li>
    <p class="row">
      <${Status} status=${status} />
      <span class="wire grow">${method} ${path}${query && `?${query}`}</span>
      ${same.length > 1 && html`<span class="note">${same.length}×</span>`}
      <span class="note">${ago(new Date(at).toISOString(), machine())}</span>
    </p>
    ${reason && html`<p class="why">${reason}</p>`}
    ${sent && html`<pre class="sent wire" aria-label="Body sent">${sent}</pre>`}
  </li>`;
}
