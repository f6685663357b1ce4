// The door of the wall: where attendees join, and who may.

import { html, useState } from "../library/preact.js";
import { request, server } from "../shell/api.js";
import { Code, Dialog, Field } from "../shell/components.js";
import { say, sayError } from "../shell/toast.js";
import { QR } from "./qr.js";
import { look } from "./room.js";

/** @typedef {import("./room.js").Door} DoorState */

export const joinAddress = new URL("join", server).href;

const loopback = /^(localhost|127\.|\[::1\]$)/.test(server.hostname);

/** @param {unknown} body  @returns {import("../shell/api.js").Call} */
const changeCall = (body) => ({ method: "PUT", path: "admin/workshop", base: server, body });

/** @param {unknown} body */
const change = (body) => request(changeCall(body)).then(look);

/** @param {{door?: DoorState}} props */
export function Door({ door }) {
  if (!door) return null;
  const move = { open: !door.open };
  return html`<section class="entrance">
    ${door.title && html`<h2 class="huge">${door.title}</h2>`}
    <${QR} text=${joinAddress} label=${`QR code of ${joinAddress}`} />
    <p class="huge wire">${joinAddress}</p>
    ${loopback && html`<p class="warning">Only this machine reaches this address. For a room, start the server with <code>--addr 0.0.0.0:8080</code>, and open this page at one of the addresses that it prints then.</p>`}
    <p class="big">${door.joined} of ${door.limit} are in${door.ended ? " · the day is over" : door.open ? "" : " · the door is closed"}</p>
    <span class="pair"><button type="button" class="primary" onClick=${() => change(move).catch(sayError)}>${door.ended ? "Begin another day" : door.open ? "Close the door" : "Open the door"}</button>
      <${Code} label=${door.open ? "close the door" : "open the door"} call=${() => changeCall(move)} /></span>
    <${Settings} door=${door} /></section>`;
}

/** The title of the room, and how many can join. @param {{door: DoorState}} props */
function Settings({ door }) {
  const [title, setTitle] = useState(door.title);
  const [limit, setLimit] = useState(String(door.limit));
  const [error, setError] = useState(/** @type {any} */ (null));
  const body = () => ({ title, limit: Number(limit) });
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    change(body()).then(() => { setError(null); say("The door says so now."); }, setError);
  };
  const wrong = (/** @type {string} */ field) => error?.details?.find((/** @type {any} */ d) => d.field === field)?.message;
  return html`<form class="settings" onSubmit=${save}>
    <${Field} label="Title of the room" error=${wrong("/title") ?? (error && !error.details?.length ? error.message : undefined)}>${(/** @type {any} */ attributes) =>
      html`<input ...${attributes} value=${title} maxlength="100" onInput=${(/** @type {any} */ e) => setTitle(e.target.value)} />`}<//>
    <${Field} label="How many can join" error=${wrong("/limit")}>${(/** @type {any} */ attributes) =>
      html`<input ...${attributes} value=${limit} type="number" min="1" required onInput=${(/** @type {any} */ e) => setLimit(e.target.value)} />`}<//>
    <span class="pair"><button>Save</button><${Code} label="title and number" call=${() => changeCall(body())} /></span></form>`;
}

/** @param {{onClose: () => void}} props */
export function End({ onClose }) {
  const call = { method: "POST", path: "admin/workshop/end", base: server };
  const end = async () => {
    onClose();
    await request(call).then(() => say("The day is over. All stores are gone."), sayError);
    void look();
  };
  return html`<${Dialog} title="End the day?" onClose=${onClose}><p>The door closes, and every attendee's store goes, with all that is in it. This cannot be taken back.</p>
    <div class="row"><button type="button" class="danger" onClick=${end}>End the day</button><${Code} label="end the day" call=${() => call} />
      <button type="button" onClick=${onClose}>Cancel</button></div><//>`;
}

const CODES = 12; // on a sheet

/** What is printed: codes to cut out, one an attendee. @param {{title: string}} props */
export const Sheet = ({ title }) => html`<section class="sheet" aria-hidden="true">${Array.from({ length: CODES }, (_, i) =>
  html`<div key=${i}><p class="room-title">${title || "Join the workshop"}</p><${QR} text=${joinAddress} label="" /><p class="wire">${joinAddress}</p></div>`)}</section>`;
