// A tile of the wall: one attendee's store, what goes on there, and whether the teacher is needed.

import { html } from "../library/preact.js";
import { server } from "../shell/api.js";
import { ago, day, plural, statusClass, statusText } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { called, isStuck } from "./room.js";

const IDLE = 120_000; // ms
const SECOND = 1000; // ms

/** @typedef {import("./room.js").Tile} TileOf */

/** @param {{tile: TileOf, marked: boolean, onMark: () => void}} props */
export function Tile({ tile, marked, onMark }) {
  const { name, title, last, vacant, hand } = tile;
  const stuck = isStuck(tile);
  const classes = ["tile", stuck && "stuck", marked && "marked", vacant && "vacant", hand && "raised"].filter(Boolean).join(" ");
  return html`<li class=${classes}>
    <div class="row">
      <label class="check mark"><input type="checkbox" aria-label=${`Select ${called(name)}`} checked=${marked} onChange=${onMark} /></label>
      <a class="look grow" title=${`${title}, ${name}: open the dashboard`} href=${new URL(`sandboxes/${encodeURIComponent(name)}/`, server).href}>
        <bdi>${called(name)}</bdi></a>
      ${hand > 0 && html`<span class="hand" role="img" aria-label=${`hand raised ${since(hand)} ago`} title=${`Hand raised ${since(hand)} ago`}>
        <${Icon} name="hand" />${since(hand)}</span>`}
      <${Unusual} tile=${tile} />
    </div>
    ${stuck ? html`<p class="reason" title=${tile.run.reason}>${tile.run.reason || "The connection was cut."}</p>` : html`<${Pulse} pulse=${tile.pulse} />`}
    <p class="last wire">${last
      ? html`<span class="asked">${last.method} ${last.path}</span>
        <b class=${`s-${statusClass(last.status)}`} title=${statusText(last.status)}>${last.status || "cut"}</b>`
      : "no request yet"}</p>
    <p class="row progress">
      <${Pips} done=${tile.done} />
      ${stuck ? html`<strong class="alarm grow"><${Icon} name="alert" />stuck ${since(tile.run.since)}</strong>` : html`<span class="grow note">${idleText(tile)}</span>`}
    </p>
  </li>`;
}

/** A time that has passed, as short as can be. @param {number} from  ms */
function since(from) {
  const seconds = Math.max(0, Math.floor((Date.now() - from) / SECOND));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
}

/** @param {TileOf} tile */
function idleText({ vacant, lastUsedAt }) {
  if (vacant) return `seat never used, taken ${ago(lastUsedAt)}`;
  return Date.now() - Date.parse(lastUsedAt) > IDLE ? `idle ${ago(lastUsedAt).replace(" ago", "")}` : "";
}

/** Which exercises are done. @param {{done: boolean[]}} props */
const Pips = ({ done }) => html`<span class="pips" role="img" aria-label=${`${done.filter(Boolean).length} of ${done.length} exercises done`}>
  ${done.map((is, i) => html`<i key=${i} class=${is ? "pip full" : "pip"}></i>`)}</span>`;

/** @param {{pulse: number[]}} props */
function Pulse({ pulse }) {
  const most = Math.max(4, ...pulse);
  const path = pulse.map((n, i) => (n ? `M${i} 10v-${(n / most) * 10}h.8v${(n / most) * 10}z` : "")).join("");
  return html`<svg class="pulse" viewBox=${`0 0 ${pulse.length} 10`} preserveAspectRatio="none" role="img"
    aria-label=${`${plural(pulse.reduce((a, b) => a + b, 0), "request")} in the last minute`}><path d=${path} /></svg>`;
}

/** What is not as usual in the store. @param {{tile: TileOf}} props */
function Unusual({ tile: { clock, faults, operations } }) {
  const shifted = clock.frozen || Math.abs(clock.offsetSeconds) >= 1;
  const mark = (/** @type {string} */ icon, /** @type {string} */ text) => html`<span role="img" aria-label=${text} title=${text}><${Icon} name=${icon} /></span>`;
  return html`<span class="unusual">
    ${shifted && mark("time", `${day(clock.now)}${clock.frozen ? ", frozen" : ""}`)}
    ${faults > 0 && mark("faults", plural(faults, "fault"))}
    ${operations > 0 && mark("flag", plural(operations, "lifecycle change"))}</span>`;
}
