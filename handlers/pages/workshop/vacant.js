// The seats that were taken and never used: a full workshop gives them away, and the teacher can drop them before.

import { html } from "../library/preact.js";
import { request, server } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { plural } from "../shell/format.js";
import { say, sayError } from "../shell/toast.js";
import { forEach, rowsOf } from "./places.js";
import { look } from "./room.js";

/** @param {string} name  @returns {import("../shell/api.js").Call} */
const dropCall = (name) => ({ method: "DELETE", path: `admin/sandboxes/${encodeURIComponent(name)}`, base: server });

/** Drops those of the seats that are vacant still. @param {string[]} names */
async function drop(names) {
  const rows = await rowsOf({ all: false, names });
  const vacant = rows.filter((row) => row.vacant).map(({ name }) => name);
  await forEach(vacant, (name) => request(dropCall(name)).then(() => undefined));
  say(`Dropped ${plural(vacant.length, "seat")}.`);
  await look();
}

/** @param {{tiles: import("./room.js").Tile[]}} props */
export function Vacant({ tiles }) {
  const names = tiles.filter(({ vacant }) => vacant).map(({ name }) => name);
  return names.length > 0 && html`<div class="vacant-seats">
    <span role="status">
      ${plural(names.length, "seat")} never used, for two minutes or more. In a full workshop a newcomer gets one.
    </span>
    <span class="pair">
      <button type="button" onClick=${() => drop(names).catch(sayError)}>Drop unused seats</button>
      <${Code} label="drop unused seats" call=${() => names.map(dropCall)} />
    </span>
  </div>`;
}
