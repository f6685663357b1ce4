// One attendee, looked at closely: the exercises, the last requests with the reasons of refusals, and what to do.

import { html } from "../library/preact.js";
import { server } from "../shell/api.js";
import { Status } from "../shell/components.js";
import { ago } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { exercises } from "./exercises.js";
import { called, machine } from "./room.js";
import { Say } from "./say.js";
import { Side } from "./side.js";
import { Progress } from "./tile.js";

/** @param {{tile: import("./room.js").Tile, onClose: () => void}} props */
export function Person({ tile, onClose }) {
  const { name, done, recent, hand } = tile;
  const names = [name];
  return html`<${Side} title=${html`<bdi>${called(name)}</bdi>`} about=${name} onClose=${onClose}>
    <div class="row">
      <a class="button plain-border" href=${new URL(`sandboxes/${encodeURIComponent(name)}/`, server).href}>
        <${Icon} name="open" />Open dashboard
      </a>
      <${Say} text=${`Say to ${called(name)}`} names=${names} target=${{ all: false, names }} />
    </div>
    <p class="row">
      ${hand > 0 && html`<span class="hand"><${Icon} name="hand" />hand up</span>`}
      <${Progress} tile=${tile} />
    </p>
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
        ${recent.map(({ id, method, path, query, status, reason, at }) => html`
          <li key=${id}>
            <p class="row">
              <${Status} status=${status} />
              <span class="wire grow">${method} ${path}${query && `?${query}`}</span>
              <span class="note">${ago(new Date(at).toISOString(), machine())}</span>
            </p>
            ${reason && html`<p class="why">${reason}</p>`}
          </li>`)}
      </ol>
    </section>
  <//>`;
}
