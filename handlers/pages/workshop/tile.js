// A tile of the wall: one attendee's store, and what goes on there.

import { html } from "../library/preact.js";
import { server } from "../shell/api.js";
import { ago, day, plural, statusClass, statusText } from "../shell/format.js";
import { called } from "./room.js";

const STUCK = 3; // errors in a row
const IDLE = 120_000; // ms

/** @param {{tile: import("./room.js").Tile, marked: boolean, onMark: () => void}} props */
export function Tile({ tile: { name, title, last, lastUsedAt, done, pulse, run, clock, faults, operations, vacant }, marked, onMark }) {
  const stuck = run.times >= STUCK;
  const idle = Date.now() - Date.parse(lastUsedAt) > IDLE;
  const most = Math.max(4, ...pulse);
  const asked = plural(pulse.reduce((a, b) => a + b, 0), "request");
  return html`<li class=${`tile${stuck ? " stuck" : ""}${marked ? " marked" : ""}${vacant ? " vacant" : ""}`}>
    <div class="row"><label class="check mark"><input type="checkbox" aria-label=${`Mark ${called(name)}`} checked=${marked} onChange=${onMark} /></label>
      <a class="look grow" title=${`${title}, ${name}: look over the shoulder`} href=${new URL(`sandboxes/${encodeURIComponent(name)}/`, server).href}><bdi>${called(name)}</bdi></a>
      <${Unusual} clock=${clock} faults=${faults} operations=${operations} /></div>
    <svg class="pulse" viewBox=${`0 0 ${pulse.length} 10`} preserveAspectRatio="none" role="img" aria-label=${`${asked} in the last minute`}>
      <path d=${pulse.map((n, i) => (n ? `M${i} 10v-${(n / most) * 10}h.8v${(n / most) * 10}z` : "")).join("")} /></svg>
    <p class="last wire">${last ? html`<span class="asked">${last.method} ${last.path}</span> <b class=${`s-${statusClass(last.status)}`} title=${statusText(last.status)}>${last.status || "cut"}</b>` : "no request yet"}</p>
    <p class="row progress"><span class="grow note">${vacant ? `seat never used, taken ${ago(lastUsedAt)}` : html`${done.filter(Boolean).length}${stuck ? "/" : " of "}${done.length}${stuck ? "" : idle ? ` · idle ${ago(lastUsedAt).replace(" ago", "")}` : " done"}`}</span>
      ${stuck && html`<strong class="alarm">▲ stuck on ${run.status || "cut"}</strong>`}</p></li>`;
}

/** What is not as usual in the store. @param {{clock: import("../shell/types.js").Clock, faults: number, operations: number}} props */
function Unusual({ clock, faults, operations }) {
  const shifted = clock.frozen || Math.abs(clock.offsetSeconds) >= 1;
  const mark = (/** @type {string} */ icon, /** @type {string} */ text) => html`<span role="img" aria-label=${text} title=${text}>${icon}</span>`;
  return html`<span class="unusual">${shifted && mark("◷", `${day(clock.now)}${clock.frozen ? ", frozen" : ""}`)}${faults > 0 && mark("⚡", plural(faults, "fault"))}${operations > 0 && mark("◌", plural(operations, "lifecycle change"))}</span>`;
}
