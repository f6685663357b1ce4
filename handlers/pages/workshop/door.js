// The door of the wall: where attendees join, and who may.

import { html, useState } from "../library/preact.js";
import { loopback, request, server } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Field } from "../shell/components.js";
import { Confirm } from "../shell/confirm.js";
import { createStore, kept, useStore } from "../shell/store.js";
import { say, sayError } from "../shell/toast.js";
import { QR } from "./qr.js";
import { look } from "./room.js";

/** @typedef {import("./room.js").Door} DoorState */

/** The one of several addresses that the teacher has chosen. */
const choice = createStore({ address: kept("sessionStorage", "join address").get() });

/** @param {string} address */
function choose(address) {
  kept("sessionStorage", "join address").set(address);
  choice.set({ address });
}

/** The addresses at which attendees join, best first: that of this page, if others reach it, and what else the server knows. @param {DoorState} door */
function joinAddresses({ addresses }) {
  const own = new URL("join", server).href;
  const others = addresses.map((base) => `${base}/join`).filter((address) => address !== own);
  return loopback && others.length > 0 ? others : [own, ...others];
}

/** Returns the address at which attendees join, of all that there are. @param {DoorState} door */
export function useJoinAddress(door) {
  const all = joinAddresses(door);
  const { address } = useStore(choice);
  return { all, address: all.includes(address) ? address : all[0] };
}

/** Says so where nobody else can join. @param {{door: DoorState}} props */
export const Reach = ({ door }) => loopback && door.addresses.length === 0
  ? html`<p class="warning">Only this machine reaches this address. For a room, start the server with <code>--addr 0.0.0.0:8080 --workshop</code>.</p>` : null;

/** @param {unknown} body  @returns {import("../shell/api.js").Call} */
const changeCall = (body) => ({ method: "PUT", path: "admin/workshop", base: server, body });

/** @param {unknown} body */
const change = (body) => request(changeCall(body)).then(look);

/** @param {{door: DoorState}} props */
export function Door({ door }) {
  const { all, address } = useJoinAddress(door);
  const move = { open: !door.open };
  return html`<section class="entrance">
    ${door.title && html`<h2 class="title huge">${door.title}</h2>`}
    <${QR} text=${address} label=${`QR code of ${address}`} />
    <p class="huge wire"><a href=${address}>${address}</a></p>
    <${Reach} door=${door} />
    ${all.length > 1 && html`<label class="pair">Address shown and printed <select class="wire" value=${address} onChange=${(/** @type {any} */ e) => choose(e.target.value)}>
      ${all.map((one) => html`<option key=${one} value=${one} selected=${one === address}>${one}</option>`)}</select></label>`}
    <p class="big">${door.joined > door.limit ? `${door.joined} are in, more than the ${door.limit} who can be` : `${door.joined} of ${door.limit} are in`}${door.ended ? " · the day is over" : door.open ? "" : " · the door is closed"}</p>
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
    change(body()).then(() => { setError(null); say("Saved."); }, setError);
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
  return html`<${Confirm} title="End the day?" verb="End the day" label="end the day" call=${call} onConfirm=${end} onClose=${onClose}>
    <p>The door closes, and every attendee's store goes, with all that is in it. Another day begins as the server was started: the template is forgotten, and so is what all stores were given. The store <code>default</code> stays as it is. This cannot be taken back.</p><//>`;
}

const CODES = 12; // on a sheet

/** What is printed: codes to cut out, one an attendee. @param {{door: DoorState}} props */
export function Sheet({ door }) {
  const { address } = useJoinAddress(door);
  return html`<section class="sheet" aria-hidden="true"><${Reach} door=${door} />${Array.from({ length: CODES }, (_, i) =>
    html`<div key=${i}><p class="room-title">${door.title || "Join the workshop"}</p><${QR} text=${address} label="" /><p class="wire">${address}</p></div>`)}</section>`;
}
