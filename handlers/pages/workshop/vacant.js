// The seats that were taken but never used. A full workshop gives them to newcomers, and the teacher can drop them.

import { html, useState } from "../library/preact.js";
import { request, server } from "../shell/api.js";
import { Confirm } from "../shell/confirm.js";
import { plural } from "../shell/format.js";
import { useStore } from "../shell/store.js";
import { say, sayError } from "../shell/toast.js";
import { withdrawAll } from "./offers.js";
import { forEach, rowsOf } from "./places.js";
import { called, isVacant, look, room } from "./room.js";

/** @param {string} name  @returns {import("../shell/api.js").Call} */
export const dropCall = (name) =>
  ({ method: "DELETE", path: `admin/sandboxes/${encodeURIComponent(name)}`, base: server });

/** Drops those of the seats that are still vacant. @param {string[]} names */
async function drop(names) {
  const rows = await rowsOf({ all: false, names });
  const vacant = rows.filter(isVacant).map(({ name }) => name);
  await forEach(vacant, (name) => request(dropCall(name)).then(() => undefined));
  withdrawAll();
  say(`Dropped ${plural(vacant.length, "seat")}.`);
  await look();
}

const NAMED = 12; // seats in the question

export function Vacant() {
  const [asked, setAsked] = useState(false);
  const names = useStore(room).tiles.filter(({ vacant }) => vacant).map(({ name }) => name);
  if (names.length === 0) return null;
  const seats = plural(names.length, "unused seat");
  const confirm = () => {
    setAsked(false);
    drop(names).catch(sayError);
  };
  return html`<section class="stack part vacant-seats">
    <h3>Seats</h3>
    <p class="note">
      ${plural(names.length, "seat")} not used for two minutes. When all seats are taken, a newcomer gets one of these.
    </p>
    <div>
      <button type="button" class="plain-border" onClick=${() => setAsked(true)}>Drop unused seats…</button>
    </div>
    ${asked && html`
      <${Confirm} title=${`Drop ${seats}?`} verb="Drop" label="drop unused seats" call=${names.map(dropCall)}
        onConfirm=${confirm} onClose=${() => setAsked(false)}>
        <ul class="names">
          ${names.slice(0, NAMED).map((name) => html`<li key=${name}><bdi>${called(name)}</bdi></li>`)}
          ${names.length > NAMED && html`<li>and ${names.length - NAMED} more</li>`}
        </ul>
        <p>An attendee who comes back later joins again. Seats used in the meantime stay.</p>
      <//>`}
  </section>`;
}
