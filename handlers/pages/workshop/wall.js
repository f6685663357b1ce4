// The teacher's wall: a tile a sandbox, the door, and what is done in all of them.

import { html, render, useEffect, useState } from "../library/preact.js";
import { key, request, server } from "../shell/api.js";
import { Dialog, Empty, Field } from "../shell/components.js";
import { ago, plural, statusText } from "../shell/format.js";
import { useStore } from "../shell/store.js";
import { say, sayError, Toasts } from "../shell/toast.js";
import { acts, run } from "./acts.js";
import { QR } from "./qr.js";
import { look, room, start } from "./room.js";

const STUCK = 3; // errors in a row
const IDLE = 120_000; // ms

const joinAddress = new URL("join", server).href;

/** Returns how many tiles stand in a row, so that all fill the screen. @param {number} n */
const columnsFor = (n) => Math.max(1, Math.min(n, Math.ceil(Math.sqrt((n * innerWidth) / innerHeight / 1.3))));

function App() {
  const state = useStore(room);
  const [marked, setMarked] = useState(/** @type {Set<string>} */ (new Set()));
  const [view, setView] = useState("wall");
  const [ending, setEnding] = useState(false);
  useEffect(start, []);
  const { tiles, door, error } = state;
  const mark = (/** @type {string} */ name) => setMarked((before) => (before.has(name) ? new Set([...before].filter((n) => n !== name)) : new Set([...before, name])));
  const names = tiles.map(({ name }) => name);
  const chosen = names.filter((name) => marked.has(name));
  return html`<header class="top"><div class="bar">
      <a class="brand" href=${server.href}>Petstore</a><h1 class="grow">Workshop</h1>
      ${door && html`<span role="status"><strong>${door.joined}</strong> in · the door is ${door.ended ? "closed, the day is over" : door.open ? "open" : "closed"}</span>
        <button type="button" aria-pressed=${view === "door"} onClick=${() => setView(view === "door" ? "wall" : "door")}>Door</button>
        <button type="button" onClick=${() => print()}>Print codes</button>
        <button type="button" class="danger" disabled=${door.ended} onClick=${() => setEnding(true)}>End the day</button>`}
    </div>
    ${tiles.length > 0 && html`<${Acts} names=${names} chosen=${chosen} onAll=${() => setMarked(chosen.length === names.length ? new Set() : new Set(names))} />`}
  </header>
  <main id="main">${error && error.status !== 0 && !door ? html`<${Locked} error=${error} />` : html`
    ${error && html`<p class="banner" role="alert">${error.message}</p>`}
    ${view === "door" ? html`<${Door} door=${door} />` : tiles.length === 0 ? html`<${Empty} title="Nobody is here yet"><p>Show the door: attendees join at</p><p class="wire">${joinAddress}</p><//>`
      : html`<ul class="wall" style=${{ "--columns": columnsFor(tiles.length) }}>${tiles.map((tile) => html`<${Tile} key=${tile.name} tile=${tile} marked=${marked.has(tile.name)} onMark=${() => mark(tile.name)} />`)}</ul>`}`}
  ${ending && html`<${End} onClose=${() => setEnding(false)} />`}</main><${Sheet} /><${Toasts} />`;
}

/** @param {{tile: import("./room.js").Tile, marked: boolean, onMark: () => void}} props */
function Tile({ tile: { name, title, last, lastUsedAt, done, pulse, run }, marked, onMark }) {
  const stuck = run.times >= STUCK;
  const idle = Date.now() - Date.parse(lastUsedAt) > IDLE;
  const most = Math.max(4, ...pulse);
  return html`<li class=${`tile${stuck ? " stuck" : ""}${marked ? " marked" : ""}`}>
    <div class="row"><input type="checkbox" aria-label=${`Mark ${title}`} checked=${marked} onChange=${onMark} />
      <a class="look grow" title="Look over the shoulder" href=${new URL(`sandboxes/${encodeURIComponent(name)}/`, server).href}>${title}</a></div>
    <svg class="pulse" viewBox=${`0 0 ${pulse.length} 10`} preserveAspectRatio="none" role="img" aria-label=${plural(pulse.reduce((a, b) => a + b, 0), "request") + " in the last minute"}>
      <path d=${pulse.map((n, i) => (n ? `M${i} 10v-${(n / most) * 10}h.8v${(n / most) * 10}z` : "")).join("")} /></svg>
    <p class="last wire">${last ? html`${last.method} ${last.path} <b class=${`s-${last.status ? `${Math.floor(last.status / 100)}xx` : "broken"}`} title=${statusText(last.status)}>${last.status || "cut"}</b>` : "no request yet"}</p>
    <p class="row"><span class="grow note">${done.filter(Boolean).length} of ${done.length} done${idle ? ` · idle, ${ago(lastUsedAt)}` : ""}</span>
      ${stuck && html`<strong class="alarm">▲ stuck on ${run.status || "cut"}</strong>`}</p></li>`;
}

/** @param {{names: string[], chosen: string[], onAll: () => void}} props */
function Acts({ names, chosen, onAll }) {
  const [from, setFrom] = useState("default");
  const [busy, setBusy] = useState(false);
  const act = async (/** @type {import("./acts.js").Act} */ { did, steps, back }) => {
    setBusy(true);
    try {
      tell(did, await run(chosen, await steps(from)), back);
    } catch (error) {
      sayError(error);
    }
    setBusy(false);
  };
  const button = (/** @type {string} */ id) => html`<button type="button" disabled=${busy || chosen.length === 0} onClick=${() => act(acts[id])}>${acts[id].name}</button>`;
  return html`<div class="acts" role="group" aria-label="What is done in the marked stores">
    <button type="button" onClick=${onAll}>${chosen.length === names.length ? "Mark none" : "Mark all"}</button><span role="status">${chosen.length} marked</span>
    ${["reset", "freeze", "travel", "fault", "lifecycle"].map(button)}
    <span class="row">${button("push")}<select aria-label="The store whose data they get" onChange=${(/** @type {any} */ e) => setFrom(e.target.value)}>
      ${["default", ...names].map((name) => html`<option key=${name} value=${name} selected=${name === from}>${name}</option>`)}</select></span></div>`;
}

/**
 * Says once what was done, with the way back.
 * @param {string} did
 * @param {Awaited<ReturnType<typeof run>>} outcome
 * @param {import("./acts.js").Step[]} back  none: it was a way back
 */
function tell(did, { done, failed }, back) {
  if (failed.length) say(`${plural(failed.length, "store")} refused, ${failed[0].name} first: ${failed[0].error.message}`, { bad: true });
  if (!done.length) return;
  const undo = async () => tell("taken back", await run(done, back), []);
  say(`${plural(done.length, "store")}: ${did}.`, back.length ? { action: { text: "Take it back", run: undo } } : {});
}

/** @param {{door?: import("./room.js").Room["door"]}} props */
function Door({ door }) {
  if (!door) return null;
  const change = async (/** @type {unknown} */ body) => {
    await request({ method: "PUT", path: "admin/workshop", base: server, body }).catch(sayError);
    void look();
  };
  return html`<section class="entrance"><${QR} text=${joinAddress} label=${`QR code of ${joinAddress}`} />
    <p class="huge wire">${joinAddress}</p>
    <p class="big">${door.joined} of ${door.limit} are in</p>
    <button type="button" class="primary" onClick=${() => change({ open: !door.open })}>${door.open ? "Close the door" : "Open the door"}</button></section>`;
}

/** @param {{onClose: () => void}} props */
function End({ onClose }) {
  const end = async () => {
    onClose();
    await request({ method: "POST", path: "admin/workshop/end", base: server }).then(() => say("The day is over. All stores are gone."), sayError);
    void look();
  };
  return html`<${Dialog} title="End the day?" onClose=${onClose}><p>The door closes, and every attendee's store goes, with all that is in it. This cannot be taken back.</p>
    <div class="row"><button type="button" class="danger" onClick=${end}>End the day</button><button type="button" onClick=${onClose}>Cancel</button></div><//>`;
}

/** What is printed: codes to cut out, one an attendee. */
const Sheet = () => html`<section class="sheet" aria-hidden="true">${Array.from({ length: 12 }, (_, i) => html`<div key=${i}><${QR} text=${joinAddress} label="" /><p>Join the workshop</p><p class="wire">${joinAddress}</p></div>`)}</section>`;

/** @param {{error: any}} props */
function Locked({ error }) {
  const [text, setText] = useState("");
  const enter = (/** @type {Event} */ event) => {
    event.preventDefault();
    key.set(text);
    location.reload();
  };
  if (error.status !== 401) return html`<${Empty} title="No workshop"><p>${error.message}</p><//>`;
  return html`<form class="page narrow stack" onSubmit=${enter}><h2>The wall is the teacher's</h2>
    <${Field} label="Admin key" hint="The server has printed it at its start.">${(/** @type {any} */ attributes) =>
      html`<input ...${attributes} type="password" autocomplete="off" value=${text} onInput=${(/** @type {any} */ e) => setText(e.target.value)} />`}<//>
    <button class="primary">Show the wall</button></form>`;
}

render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("page")));
