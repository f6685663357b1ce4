// The door of the wall: where attendees join, and whether they can.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../library/preact.js";
import { loopback, request, server } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Dialog, Field } from "../shell/components.js";
import { Confirm } from "../shell/confirm.js";
import { typed } from "../shell/events.js";
import { plural } from "../shell/format.js";
import { createStore, kept, useStore } from "../shell/store.js";
import { leaveView, sayError } from "../shell/toast.js";
import { CopyDay, fileOfDay, isUntaken, saveDay, TakeDay, whoOf } from "./day.js";
import { QR } from "./qr.js";
import { read } from "./places.js";
import { called, look, room, today } from "./room.js";
import { Side } from "./side.js";
import { pageSize } from "./size.js";
import { waitersOf } from "./summary.js";
import { Vacant } from "./vacant.js";

/** @typedef {import("./room.js").Door} DoorState */

const CODES = 12; // on a sheet
const SHORTLY = 3000; // ms

/** The address that the teacher has chosen among several. */
const choice = createStore({ address: kept("sessionStorage", "join address").get() });

/** @param {string} address */
function choose(address) {
  kept("sessionStorage", "join address").set(address);
  choice.set({ address });
}

/**
 * Returns the addresses at which attendees join, best first: this page's, if others can reach it, and those that the
 * server knows.
 * @param {DoorState} door
 */
function joinAddresses({ addresses }) {
  const own = new URL("join", server).href;
  const others = addresses.map((base) => `${base}/join`).filter((address) => address !== own);
  return loopback && others.length > 0 ? others : [own, ...others];
}

/** Returns all join addresses, and the chosen one. @param {DoorState} door */
export function useJoinAddress(door) {
  const all = joinAddresses(door);
  const { address } = useStore(choice);
  return { all, address: all.includes(address) ? address : all[0] };
}

/** A note if other machines cannot join. @param {{door: DoorState}} props */
export const Reach = ({ door }) => loopback && door.addresses.length === 0
  ? html`<p class="warning">
      Only this machine reaches this address. For a room, start the server with${" "}
      <code>--addr 0.0.0.0:${server.port || 80}</code> beside its other flags.
    </p>`
  : null;

/** @param {unknown} body  @returns {import("../shell/api.js").Call} */
const changeCall = (body) => ({ method: "PUT", path: "admin/workshop", base: server, body });

/** @param {unknown} body */
const change = (body) => request(changeCall(body)).then(look);

/** An address with a less prominent scheme. @param {{address: string}} props */
function Address({ address }) {
  const [, scheme, rest] = /** @type {RegExpExecArray} */ (/^(\w+:\/\/)(.*)$/.exec(address));
  return html`<p class="where wire" style=${{ "--letters": address.length }}>
    <a href=${address}><span class="scheme">${scheme}</span>${rest}</a>
  </p>`;
}

const FRAME = 6; // the width of a name's frame, in letters
const LINE = 2; // font sizes from one line to the next
const LETTER = 1.05; // the width of a letter, relative to the font size

/** Returns the font size at which the names fit beside the code, in px. @param {string[]} names */
function sizeFor(names) {
  const lengths = names.map((name) => called(name).length + FRAME);
  const letters = lengths.reduce((sum, length) => sum + length, 0);
  const { width, height } = pageSize(0);
  const room = height - 190;
  const several = Math.min(0.02 * width, Math.sqrt((0.28 * width * room) / letters / LETTER)); // in a line
  const one = Math.min(room / names.length / LINE, (0.64 * width) / Math.max(...lengths));
  return Math.floor(Math.max(several, one));
}

/** Says how many have joined, and how many can. @param {DoorState} door */
const crowd = ({ joined, limit }) =>
  joined > limit ? `${joined} are in, the limit is ${limit}` : `${joined} of ${limit} are in`;

const GO_ON = "Those who are in go on.";

/**
 * Returns why nobody can join, and what that means for the room, or [] if attendees can join.
 * @param {DoorState} door
 * @param {import("./room.js").Tile[]} tiles
 */
function whyShut({ ended, open, joined, limit }, tiles) {
  if (ended) return ["The day is over", ""];
  if (!open) return ["The door is closed", joined > 0 ? GO_ON : "Open it, and the code appears here."];
  const full = joined >= limit && !tiles.some(({ vacant }) => vacant);
  return full ? ["All seats are taken", "The teacher can make room."] : [];
}

/** @typedef {{door: DoorState, tiles: import("./room.js").Tile[]}} Entrance */

/** The door for the whole room to see: where to join, and who has joined. @param {Entrance} props */
export function Door({ door, tiles }) {
  const names = tiles.map(({ name }) => name).toReversed();
  return html`<section class="entrance">
    <${WayIn} door=${door} tiles=${tiles} />
    ${!door.ended && html`<div class="who stack">
      <p class="big" role="status">${crowd(door)}</p>
      <ul class="names" style=${{ "--size": `${sizeFor(names)}px` }}>
        ${names.map((name) => html`<li key=${name}><bdi>${called(name)}</bdi></li>`)}
      </ul>
    </div>`}
  </section>`;
}

/** Where to join, readable from the last row of seats, or why nobody can. @param {Entrance} props */
export function WayIn({ door, tiles }) {
  const { address } = useJoinAddress(door);
  const [shut, means] = whyShut(door, tiles);
  return html`<div class="way-in">
    <h2 class="title">${shut ?? (door.title || "Join the workshop")}</h2>
    ${shut
      ? html`<p>${means}</p>${!door.open && html`<${Move} door=${door} />`}`
      : html`
        ${door.title && html`<p class="how">Scan or open to join the workshop</p>`}
        <${QR} text=${address} label=${`QR code of ${address}`} />
        <${Address} address=${address} />
        <${Reach} door=${door} />`}
  </div>`;
}

/** A button that opens or closes the door. It asks before it deletes a report. @param {{door: DoorState}} props */
export function Move({ door }) {
  const [asking, setAsking] = useState(false);
  const move = { open: !door.open };
  const act = () => {
    setAsking(false);
    change(move).catch(sayError);
  };
  const press = () => (door.ended && isUntaken() ? setAsking(true) : act());
  const verb = door.ended ? "Begin another day" : door.open ? "Close the door" : "Open the door";
  return html`<span class="pair">
    <button type="button" class=${door.open || door.ended ? "plain-border" : "primary"}
      onClick=${press}>${verb}</button>
    <${Code} label=${verb.toLowerCase()} call=${() => changeCall(move)} />
    ${asking && html`<${Confirm} title="Begin another day?" verb="Begin another day" label="begin another day"
      call=${changeCall(move)} onConfirm=${act} onClose=${() => setAsking(false)}>
      <p>The report of the last day was neither copied nor saved. It will be deleted.</p>
      <div class="row"><${TakeDay} title=${door.title} /></div>
    <//>`}
  </span>`;
}

/** The open door beside a few tiles. @param {Entrance & {onDoor: () => void}} props */
export function Invitation({ door, tiles, onDoor }) {
  const { address } = useJoinAddress(door);
  const [shut] = whyShut(door, tiles);
  return html`<aside class="invitation" aria-label="How to join">
    <h2>${shut ?? "Join at"}</h2>
    ${!shut && html`
      <${QR} text=${address} label=${`QR code of ${address}`} />
      <${Address} address=${address} />`}
    <p class="note">${crowd(door)}</p>
    <button type="button" class="plain-border" onClick=${onDoor}>Show the door</button>
    ${!shut && html`<${Reach} door=${door} />`}
  </aside>`;
}

let draft = /** @type {{title?: string, limit?: string}} */ ({}); // what closing the settings leaves unsaved

/**
 * The settings of the room, and the end of the day.
 * @param {{door: DoorState, onEnd: () => void, onClose: () => void}} props
 */
export function Settings({ door, onEnd, onClose }) {
  const { all, address } = useJoinAddress(door);
  const [title, setTitle] = useState(draft.title ?? door.title);
  const [limit, setLimit] = useState(draft.limit ?? String(door.limit));
  const [error, setError] = useState(/** @type {any} */ (null));
  const body = () => ({ title, limit: Number(limit) });
  const limited = { ...door, ...body() };
  const same = title === door.title && Number(limit) === door.limit;
  useLayoutEffect(() => {
    draft = same ? {} : { title, limit };
  });
  const short = Number(limit) < 1 ? "At least 1." : "";
  const places = useRef(/** @type {HTMLInputElement|null} */ (null));
  const stores = useStore(room).tiles.length;
  const [saved, setSaved] = useState(false);
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (short) return setError({ details: [{ field: "/limit", message: short }] });
    change(body()).then(() => {
      setError(null);
      setSaved(true);
      setTimeout(() => setSaved(false), SHORTLY);
    }, setError);
  };
  /** @type {{field: string, message: string}[]} */
  const details = error?.details ?? [];
  const wrong = (/** @type {string} */ field) => details.find((detail) => detail.field === field)?.message;
  const other = error && details.length === 0 ? error.message : undefined;
  return html`<${Side} title="Settings" about="settings" onClose=${onClose}>
    ${!door.ended && html`<section class="stack">
      <h3>Door</h3>
      <p class="note">${about(door)}</p>
      <div class="row">
        <${Move} door=${door} />
        ${isFull(door) && html`
          <button type="button" onClick=${() => places.current?.select()}>Raise the limit</button>`}
      </div>
    </section>`}
    <form class=${door.ended ? "stack" : "stack part"} noValidate onSubmit=${save}>
      <${Field} label="Title of the room" error=${wrong("/title") ?? other}
        hint="Shown on the join page, the door, the wall and the codes. A short one can be read from the last row.">
        ${(/** @type {any} */ attributes) => html`
          <input ...${attributes} value=${title} maxlength="100" placeholder="For example: APIs for designers"
            onInput=${typed(setTitle)} />`}
      <//>
      <${Field} label="How many can join" error=${wrong("/limit")}
        hint=${limited.limit > 0 && door.joined > limited.limit && crowd(limited)}>
        ${(/** @type {any} */ attributes) => html`
          <input ...${attributes} ref=${places} value=${limit} type="number" min="1" required
            onInput=${typed(setLimit)} />`}
      <//>
      <div class="row">
        <span class="pair">
          <button class="primary" disabled=${same}>Save</button>
          <${Code} label="title and number" call=${() => changeCall(body())} />
        </span>
        <span class="note" role="status">${same && saved && "Saved."}</span>
      </div>
    </form>
    <${Vacant} />
    ${all.length > 1 && html`<${Field} label="Address shown and printed">
      ${(/** @type {any} */ attributes) => html`
        <select ...${attributes} class="wire" value=${address} onChange=${typed(choose)}>
          ${all.map((one) => html`<option key=${one} value=${one} selected=${one === address}>${one}</option>`)}
        </select>`}
    <//>`}
    ${!door.ended && html`<section class="stack part">
      <h3>Codes to cut out</h3>
      <p class="note">A sheet of ${CODES}, each with the title, the code and the address.</p>
      <div><button type="button" class="plain-border" onClick=${() => print()}>Print codes</button></div>
    </section>
    <section class="stack part">
      <h3>End of the day</h3>
      <p class="note">${outcome(door.open, stores)}</p>
      <div>
        <button type="button" class="danger plain-border" onClick=${onEnd}>
          End the day…
        </button>
      </div>
    </section>`}
  <//>`;
}

/** @param {DoorState} door */
const isFull = ({ open, joined, limit }) => open && joined >= limit;

/** @param {DoorState} door */
function about(door) {
  if (!door.open) return `It is closed. ${door.joined > 0 ? GO_ON : ""}`;
  return isFull(door) ? `Full: ${crowd(door)}.` : "It is open: attendees can join.";
}

/** Says what ends with the day. @param {boolean} open  whether the door is @param {number} stores */
const outcome = (open, stores) => `${[
  open && "The door closes",
  stores > 0 && `${plural(stores, "store")} with all the data will be deleted`,
].filter(Boolean).join(", and ") || "The join page says that the workshop is over"}.`;

/** @param {{onClose: () => void, onEnd: () => void}} props */
export function End({ onClose, onEnd }) {
  const call = { method: "POST", path: "admin/workshop/end", base: server };
  const { tiles } = useStore(room);
  const [prepared, setPrepared] = useState(false); // whether latecomers get another template than the first attendees
  useEffect(() => {
    const first = Math.min(...tiles.map(({ createdAt }) => Date.parse(createdAt)));
    read("default", "admin/template").then(({ takenAt }) => setPrepared(Date.parse(takenAt) > first), () => undefined);
  }, []);
  const { title = "", open = false } = room.get().door ?? {};
  const end = async () => {
    onClose();
    onEnd();
    await request(call).catch(sayError);
    leaveView();
    void look();
  };
  const save = () => saveDay(title).then(end, sayError);
  const reported = today.results.size > 0;
  return html`<${Dialog} title="End the day?" onClose=${onClose}>
    <div class="stack">
      <p>
        ${outcome(open, tiles.length)}${prepared && " What you did for latecomers is forgotten."}
        ${tiles.length > 0 && " You cannot undo this."}
      </p>
      <div>${waitersOf(tiles).map(({ what, those }) => html`
        <p key=${what}>${what}: <bdi>${whoOf(those.map(({ name }) => name))}</bdi></p>`)}
      </div>
      ${reported && html`
        <p>
          The report of the day, on who did what and what cost time, is in this browser only. You can
          save it as <span class="wire">${fileOfDay()}</span> in your downloads.
        </p>`}
      <div class="row">
        ${reported && html`<button type="button" class="primary" onClick=${save}>
          Save the report and end
        </button>`}
        <button type="button" class="danger plain-border" onClick=${end}>
          ${reported ? "End without saving" : "End the day"}
        </button>
        <${Code} label="end the day" call=${() => call} />
        ${reported && html`<${CopyDay} title=${title} class="quiet" />`}
        <button type="button" autofocus onClick=${onClose}>Cancel</button>
      </div>
    </div>
  <//>`;
}

/** The printed sheet: codes to cut out, one for each attendee. @param {{door: DoorState}} props */
export function Sheet({ door }) {
  const { address } = useJoinAddress(door);
  return html`<section class="sheet" aria-hidden="true">
    <${Reach} door=${door} />
    ${Array.from({ length: CODES }, (_, i) => html`
      <div key=${i}>
        <p class="room-title">${door.title || "Join the workshop"}</p>
        <${QR} text=${address} label="" />
        <p class="wire">${address.replace(/^\w+:\/\//, "")}</p>
      </div>`)}
  </section>`;
}
