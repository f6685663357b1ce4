// The teacher's wall: a tile for each store, the door, and acts in all stores.

import { html, render, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../library/preact.js";
import { key, request, server } from "../shell/api.js";
import { Drawer } from "../shell/drawer.js";
import { ErrorNote, Field } from "../shell/components.js";
import { typed } from "../shell/events.js";
import { clockTime } from "../shell/format.js";
import { useKeys } from "../shell/keys.js";
import { later } from "../shell/later.js";
import { Live, Mark, ThemeButton } from "../shell/live.js";
import { kept, useStore } from "../shell/store.js";
import { Toasts } from "../shell/toast.js";
import { Costs, Day } from "./day.js";
import { Door, End, Invitation, Move, Settings, Sheet, WayIn } from "./door.js";
import { withdrawGone } from "./offers.js";
import { machine, retry, room, start } from "./room.js";
import { Say } from "./say.js";
import { Side } from "./side.js";
import { hasInvitation, tileSizes, usePageSize } from "./size.js";
import { HELP, Needs, only, REFUSAL, Summary } from "./summary.js";
import { frozenIn, Tile } from "./tile.js";

const Bar = later(() => import("./bar.js"), "Bar");
const Person = later(() => import("./person.js"), "Person");

const AGAIN = 2000; // ms
const ranged = kept("localStorage", "ranged"); // whether a range was ever selected

/** Returns which stores are marked: all, including later ones, or some. */
function useMarks(/** @type {string[]} */ names) {
  const [all, setAll] = useState(false);
  const [some, setSome] = useState(/** @type {Set<string>} */ (new Set()));
  const marked = (/** @type {string} */ name) => all || some.has(name);
  const toggle = (/** @type {string} */ name, /** @type {string[]} */ like) => {
    const on = !marked(name);
    if (like.length > 1) ranged.set("true");
    setSome(new Set(names.filter((other) => (like.includes(other) ? on : marked(other)))));
    setAll(false);
  };
  const toggleAll = () => {
    setSome(new Set());
    setAll(!all);
  };
  const pick = (/** @type {string[]} */ these) => {
    setSome(new Set(these));
    setAll(false);
  };
  const clear = () => pick([]);
  return { marked, toggle, toggleAll, pick, clear, target: { all, names: names.filter(marked) } };
}

function App() {
  const { tiles, door, error, stream } = useStore(room);
  const [view, setView] = useState(/** @type {"wall"|"door"} */ ("wall"));
  const [asked, ask] = useState(() => new URLSearchParams(location.search).get("side") ?? "");
  const setSide = (/** @type {string} */ next) => { // causes, settings, or @ and the name of a store
    ask(next);
    history.replaceState(null, "", next ? `?side=${encodeURIComponent(next)}` : location.pathname);
  };
  const [walk, setWalk] = useState({ among: /** @type {string[]} */ ([]), part: "" }); // the drawer's stores
  const [ending, setEnding] = useState(false);
  const [part, setPart] = useState("");
  const names = tiles.map(({ name }) => name);
  const marks = useMarks(names);
  usePageSize(view === "wall" ? tiles.length : 0);
  useEffect(() => void begin(), []);
  useEffect(() => {
    document.title = `${door?.title || "The workshop"} – Petstore`;
  }, [door?.title]);
  const person = tiles.find(({ name }) => asked === `@${name}`);
  const side = asked.startsWith("@") && !person ? "" : asked;
  const onWall = () => setView("wall");
  const onClose = () => setSide("");
  const onDoor = () => { // the whole room sees the door, but should not see an attendee's errors
    onClose();
    setView("door");
  };
  const shown = only(tiles, part);
  const frozen = frozenIn(tiles);
  const open = (/** @type {string} */ of) => (/** @type {string} */ name, /** @type {string[]} */ among) => {
    setSide(`@${name}`);
    setWalk({ among, part: of });
  };
  const filter = shown === tiles ? "" : part; // an empty filter shows all
  useLayoutEffect(() => setPart(filter), [filter]); // before the next click
  const covered = side !== "" && innerWidth <= 640; // by the drawer
  const acting = view === "wall" && marks.target.names.length > 0 && !covered; // the bar has the toasts
  const since = useMemo(() => Date.now(), [acting]); // earlier toasts were read in the bar
  useEffect(() => { // a notice would cover the drawer of another store
    if (person && !acting) withdrawGone([person.name]);
  }, [person?.name, acting]);
  const onAll = () => setPart("");
  const onShow = (/** @type {string} */ name) => setPart(name === filter ? "" : name);
  const onSelect = (/** @type {string[]} */ these) => {
    marks.pick(these);
    onAll();
    onWall();
    onClose();
  };
  const opener = (/** @type {string} */ name, /** @type {string} */ text) => html`
    <button type="button" aria-pressed=${side === name} onClick=${() => setSide(side === name ? "" : name)}>
      ${text}
    </button>`;
  useKeys(side ? {} : view === "door" ? { Escape: onWall } : filter ? { Escape: onAll } : {});
  if (!door && !error) return null; // so that nothing moves later
  return html`
    <header class="top">
      <div class="bar">
        <a class="brand" href=${server.href} aria-label="Petstore"><${Mark} /><span>Petstore</span></a>
        <h1 class="grow">${door?.title || "Workshop"}</h1>
        ${door && html`
          ${!door.ended && html`<${Live} state=${stream} onRetry=${retry} />`}
          ${!door.ended && view === "wall" && html`
            <span class="in" role="status">
              <strong>${door.joined}</strong> in · ${stateOf(door)}${frozen && html` · <b>clocks ${frozen}</b>`}
            </span>`}
          ${view === "door"
            ? html`<button type="button" title="Back to the wall (Esc)" onClick=${onWall}>Wall</button>`
            : !door.ended && html`<button type="button" onClick=${onDoor}>Door</button>`}
          ${!door.ended && view === "wall" && opener("causes", "Time lost")}
          ${opener("settings", "Settings")}
          <${ThemeButton} />`}
      </div>
      ${tiles.length > 0 && view === "wall" && html`
        <div class="above">
          <div class="lead">
            <${Summary} tiles=${tiles} shown=${filter} onShow=${onShow} />
            <${SelectAll} shown=${shown.map(({ name }) => name)} of=${tiles.length} marks=${marks} />
            <${Say} class="plain-border" to=${tiles} all text="Say to all" off=${acting} />
          </div>
          <${Needs} tiles=${tiles} shown=${filter} side=${side} onShow=${onShow}
            onOpen=${open(HELP)} />
        </div>`}
    </header>
    <main id="main">
      ${error && error.status !== 0 && !door ? html`<${Locked} error=${error} />` : html`
        ${error && html`<p class="banner" role="alert">
          ${error.message} What you see is from ${clockTime(machine()).slice(0, 5)} UTC.
        </p>`}
        ${door && view === "door" && html`<${Door} door=${door} tiles=${tiles} />`}
        ${door && view === "wall" && html`
          ${tiles.length === 0
            ? html`<${Nobody} door=${door} onDoor=${onDoor} />`
            : html`<div class="floor">
                <${Tiles} tiles=${shown} of=${tiles.length} marks=${marks} side=${side} common=${frozen}
                  onOpen=${(/** @type {string} */ name) =>
                    open(filter)(name, filter ? shown.map((tile) => tile.name) : [])} onClose=${onClose} />
                ${door.open && hasInvitation(tiles.length) && html`
                  <${Invitation} door=${door} tiles=${tiles} onDoor=${onDoor} />`}
              </div>`}`}`}
      ${ending && html`<${End} onClose=${() => setEnding(false)} onEnd=${onClose} />`}
    </main>
    ${acting && html`<${Bar} target=${marks.target} tiles=${tiles} shown=${shown}
      ranged=${ranged.get() !== ""} onClear=${marks.clear} />`}
    ${person && html`<${Person} tile=${person} ...${walk} tiles=${tiles} onClose=${onClose}
      onOpen=${(/** @type {string} */ name) => setSide(`@${name}`)} />`}
    ${side === "causes" && !door?.ended && html`
      <${Side} title="Time lost" about="causes" onClose=${onClose}>
        <${Costs} onSelect=${onSelect} onOpen=${open(REFUSAL)} />
      <//>`}
    ${door && side === "settings" && html`
      <${Settings} door=${door} onEnd=${() => setEnding(true)} onClose=${onClose} />`}
    ${door && html`<${Sheet} door=${door} />`}
    <${Drawer} />
    ${!acting && html`<${Toasts} since=${since} />`}`;
}

/**
 * The checkbox that selects all shown tiles. Without a filter, it includes latecomers.
 * @param {{shown: string[], of: number, marks: ReturnType<typeof useMarks>}} props
 */
function SelectAll({ shown, of, marks }) {
  const some = shown.filter(marks.marked).length;
  const part = shown.length < of;
  const all = part ? some > 0 && some === shown.length : marks.target.all;
  const select = part ? () => marks.pick(all ? [] : shown) : marks.toggleAll;
  return html`<label class="button plain-border">
    <input type="checkbox" checked=${all} indeterminate=${some > 0 && !all} onClick=${select} />
    Select ${part ? shown.length : "all"}
  </label>`;
}

/** @param {import("./room.js").Door} door */
const stateOf = ({ open, joined, limit }) => {
  if (!open) return "the door is closed";
  return joined >= limit ? "all seats are taken" : "the door is open";
};

/**
 * @param {object} props
 * @param {import("./room.js").Tile[]} props.tiles
 * @param {number} props.of  the number of tiles without a filter
 * @param {ReturnType<typeof useMarks>} props.marks
 * @param {string} props.side
 * @param {string} props.common
 * @param {(name: string) => void} props.onOpen
 * @param {() => void} props.onClose
 */
function Tiles({ tiles, of, marks, side, common, onOpen, onClose }) {
  const last = useRef(""); // the last marked one, where a range with Shift begins
  const mark = (/** @type {string} */ name) => (/** @type {MouseEvent} */ { shiftKey }) => {
    const order = tiles.map((tile) => tile.name);
    const to = order.indexOf(name);
    const from = shiftKey && order.includes(last.current) ? order.indexOf(last.current) : to;
    last.current = name;
    marks.toggle(name, order.slice(Math.min(from, to), Math.max(from, to) + 1));
  };
  return html`<ul class="wall" style=${tileSizes(of, tiles.length, side !== "")}>
    ${tiles.map((tile) => {
      const open = side === `@${tile.name}`;
      return html`<${Tile} key=${tile.name} tile=${tile} marked=${marks.marked(tile.name)} open=${open}
        common=${common} onMark=${mark(tile.name)} onOpen=${() => (open ? onClose() : onOpen(tile.name))} />`;
    })}
  </ul>`;
}

/** Starts to follow the room, unless there is none or a key is needed first. */
async function begin() {
  try {
    const { data } = await request({ method: "GET", path: "join/door", base: server, service: true }); // takes no key
    if (data.adminKey && !key.value) return room.set({ error: { status: 401, message: "" } });
    start();
  } catch (error) {
    room.set({ error });
    if (/** @type {any} */ (error).status === 0) setTimeout(begin, AGAIN);
  }
}

/** @param {{door: import("./room.js").Door, onDoor: () => void}} props */
function Nobody({ door, onDoor }) {
  if (!door.ended) {
    return html`<div class="nobody"><${WayIn} door=${door} tiles=${[]} /></div>`;
  }
  return html`<div class="over">
    <${Day} title=${door.title} />
    <footer class="row">
      <${Move} door=${door} />
      <button type="button" onClick=${onDoor}>Show the door</button>
      <p class="note">All stores are gone. Another day begins when the door opens.</p>
    </footer>
  </div>`;
}

const WHERE = "It is the --admin-key, or the key that the server printed at startup.";

/** @param {{error: any}} props */
function Locked({ error }) {
  const [text, setText] = useState(key.value);
  const enter = (/** @type {Event} */ event) => {
    event.preventDefault();
    key.set(text);
    location.reload();
  };
  if (error.status !== 401 && error.status !== 403) {
    return html`<div class="page"><${ErrorNote} error=${error} /></div>`;
  }
  return html`<form class="sign-in stack" onSubmit=${enter}>
    <h2 class="title">Teacher sign-in</h2>
    <${Field} label="Admin key" error=${key.value && `This key is wrong. ${WHERE}`} hint=${WHERE}>
      ${(/** @type {any} */ attributes) => html`
        <input ...${attributes} type="password" autocomplete="off" autofocus required
          value=${text} onInput=${typed(setText)} />`}
    <//>
    <button class="primary">Sign in</button>
    <p class="note">Attendees need no key: they <a href=${new URL("join", server).href}>join here</a>.</p>
  </form>`;
}

render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("page")));
