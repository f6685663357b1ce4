// The teacher's wall: a tile a store, the door, and what is done in all of them.

import { html, render, useEffect, useState } from "../library/preact.js";
import { key, request, server } from "../shell/api.js";
import { Drawer } from "../shell/drawer.js";
import { Empty, ErrorNote, Field } from "../shell/components.js";
import { useStore } from "../shell/store.js";
import { Toasts } from "../shell/toast.js";
import { Bar } from "./bar.js";
import { Say } from "./say.js";
import { Door, End, Reach, Sheet, useJoinAddress } from "./door.js";
import { room, start } from "./room.js";
import { only, Summary } from "./summary.js";
import { Tile } from "./tile.js";
import { Vacant } from "./vacant.js";

const AGAIN = 2000; // ms
const WIDE = 640; // px; below, the tiles stand one below the other

const TILE = { width: 150, height: 92 }; // px that one needs at least, with the gap below it
const HEAD = 140; // px above the tiles

/** Returns how many tiles stand in a row, so that all fill the screen, and fit it as far as they can. @param {number} n */
function columnsFor(n) {
  const most = Math.min(n, Math.floor(innerWidth / TILE.width));
  let columns = Math.min(most, Math.ceil(Math.sqrt((n * innerWidth) / innerHeight / 1.3)));
  while (columns < most && Math.ceil(n / columns) * TILE.height > innerHeight - HEAD) columns++;
  return Math.max(1, columns);
}

function useWidth() {
  const [width, setWidth] = useState(innerWidth);
  useEffect(() => {
    const resize = () => setWidth(innerWidth);
    addEventListener("resize", resize);
    return () => removeEventListener("resize", resize);
  }, []);
  return width;
}

/** Which stores are marked: all, those that come later too, or some. */
function useMarks(/** @type {string[]} */ names) {
  const [all, setAll] = useState(false);
  const [some, setSome] = useState(/** @type {Set<string>} */ (new Set()));
  const marked = (/** @type {string} */ name) => all || some.has(name);
  const toggle = (/** @type {string} */ name) => {
    setSome(new Set(names.filter((other) => marked(other) !== (other === name))));
    setAll(false);
  };
  const toggleAll = () => {
    setSome(new Set());
    setAll(!all);
  };
  return { marked, toggle, toggleAll, target: { all, names: names.filter(marked) } };
}

function App() {
  const { tiles, door, error, stream } = useStore(room);
  const [view, setView] = useState("wall");
  const [ending, setEnding] = useState(false);
  const [part, setPart] = useState("");
  const names = tiles.map(({ name }) => name);
  const marks = useMarks(names);
  useEffect(() => void begin(), []);
  const width = useWidth();
  useEffect(() => {
    document.title = `${door?.title || "The workshop"} – Petstore`;
  }, [door?.title]);
  return html`<header class="top"><div class="bar">
      <a class="brand" href=${server.href}>Petstore</a><h1 class="grow">${door?.title || "Workshop"}</h1>
      ${door && html`<span class="in" role="status"><strong>${door.joined}</strong> in · ${door.ended ? "the day is over" : door.open ? "the door is open" : "the door is closed"}</span>
        <${Live} stream=${stream} />
        <button type="button" aria-pressed=${view === "door"} onClick=${() => setView(view === "door" ? "wall" : "door")}>Door</button>
        <button type="button" onClick=${() => print()}>Print codes</button>
        <button type="button" class="danger" disabled=${door.ended} onClick=${() => setEnding(true)}>End the day</button>`}
    </div>
    ${tiles.length > 0 && view === "wall" && html`<div class="lead">
      <button type="button" aria-pressed=${marks.target.all} onClick=${marks.toggleAll}>${marks.target.all ? "Select none" : "Select all"}</button>
      <${Summary} tiles=${tiles} shown=${part} onShow=${setPart} />
      <${Say} names=${names} target=${marks.target} /></div>`}
  </header>
  <main id="main">${error && error.status !== 0 && !door ? html`<${Locked} error=${error} />` : html`
    ${error && html`<p class="banner" role="alert">${error.message} What you see is from before.</p>`}
    ${view === "wall" && html`<${Vacant} tiles=${tiles} />`}
    ${view === "door" && door ? html`<${Door} door=${door} />` : tiles.length > 0 ? html`<ul class="wall" style=${{ "--columns": width <= WIDE ? 1 : columnsFor(only(tiles, part).length) }}>
        ${only(tiles, part).map((tile) => html`<${Tile} key=${tile.name} tile=${tile} marked=${marks.marked(tile.name)} onMark=${() => marks.toggle(tile.name)} />`)}</ul>`
      : door && html`<${Nobody} door=${door} onDoor=${() => setView("door")} />`}`}
  ${view === "wall" && marks.target.names.length > 0 && html`<${Bar} target=${marks.target} names=${names} />`}
  ${ending && html`<${End} onClose=${() => setEnding(false)} />`}</main>${door && html`<${Sheet} door=${door} />`}<${Drawer} /><${Toasts} />`;
}

/** Looks into the room, where there is one, with the key that opens it. */
async function begin() {
  try {
    const { data } = await request({ method: "GET", path: "join/door", base: server, service: true }); // which anybody is told
    if (data.adminKey && !key.value) return room.set({ error: { status: 401, message: "" } });
    start();
  } catch (error) {
    room.set({ error });
    if (/** @type {any} */ (error).status === 0) setTimeout(begin, AGAIN);
  }
}

/** @param {{stream: import("../shell/stream.js").StreamState}} props */
const Live = ({ stream }) => html`<span class=${`live is-${stream.is.replace(" ", "-")}`} role="status"><span class="dot" aria-hidden="true"></span>
  ${stream.is === "lost" ? `lost, trying again in ${stream.seconds} s` : stream.is === "hidden" ? "paused" : stream.is === "refused" ? "not connected" : stream.is}</span>`;

/** @param {{door: import("./room.js").Door, onDoor: () => void}} props */
function Nobody({ door, onDoor }) {
  const { address } = useJoinAddress(door);
  return door.ended
    ? html`<${Empty} title="The day is over"><p>All stores are gone. Whoever opens the door begins another day.</p><button type="button" onClick=${onDoor}>Show the door</button><//>`
    : html`<${Empty} title="Nobody is here yet"><p>${door.open ? "Attendees join at" : "The door is closed. When it is open, attendees join at"}</p><p class="wire"><a href=${address}>${address}</a></p>
        <${Reach} door=${door} /><button type="button" class="primary" onClick=${onDoor}>Show the door</button><//>`;
}

/** @param {{error: any}} props */
function Locked({ error }) {
  const [text, setText] = useState("");
  const enter = (/** @type {Event} */ event) => {
    event.preventDefault();
    key.set(text);
    location.reload();
  };
  if (error.status !== 401 && error.status !== 403) return html`<div class="page"><${ErrorNote} error=${error} /></div>`;
  return html`<form class="page narrow stack" onSubmit=${enter}><h2>Teacher sign-in</h2>
    ${key.value && html`<p role="alert">${error.message}</p>`}
    <${Field} label="Admin key" hint="The --admin-key, or the key the server printed at startup.">${(/** @type {any} */ attributes) =>
      html`<input ...${attributes} type="password" autocomplete="off" autofocus required value=${text} onInput=${(/** @type {any} */ e) => setText(e.target.value)} />`}<//>
    <div><button class="primary">Show the wall</button></div></form>`;
}

render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("page")));
