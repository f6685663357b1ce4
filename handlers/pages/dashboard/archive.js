// The requests that are listed, as an HTTP Archive for the network panel of a browser.

import { html } from "../library/preact.js";
import { get, sandbox } from "../shell/api.js";
import { Code } from "../shell/components.js";
import { save } from "../shell/download.js";
import { sayError } from "../shell/toast.js";
import { NO_OPERATION } from "./journal.js";

/** @typedef {import("../shell/types.js").Entry} Entry */
/** @typedef {{log: {entries: {_id: number}[], comment?: string}}} HAR */

const MOST = 1000; // that the server answers at once

/** The filters that only the page has, and what they are by. @type {[string, string][]} */
const own = [["op", "the lack of an operation"], ["q", "text"], ["clientName", "client name"], ["fault", "fault"], ["deprecated", "deprecation"], ["code", "error code"]];

/** Where the server has the requests that the address asks for, as far as it can tell them apart. @param {Record<string, string>} wanted */
function pathOf({ op, class: of }) {
  const query = new URLSearchParams({ format: "har", limit: String(MOST), ...(op && op !== NO_OPERATION && { operationId: op }), ...(of && { status: of === "broken" ? "0" : of }) });
  return `admin/requests?${query}`;
}

/**
 * Reads all that the server has there as one archive.
 * @param {string} path
 * @param {(entry: {_id: number}) => boolean} wanted  which of them
 * @returns {Promise<HAR>}
 */
async function read(path, wanted) {
  /** @type {HAR} */
  const archive = await get(path);
  const all = archive.log.entries;
  for (let more = all; more.length === MOST; all.push(...more)) {
    more = (await get(`${path}&since=${all[all.length - 1]._id}`)).log.entries;
  }
  const entries = all.filter(wanted);
  if (entries.length < all.length || all.length > MOST) archive.log.comment = `${entries.length} requests`;
  archive.log.entries = entries;
  return archive;
}

/** @param {{wanted: Record<string, string>, found: Entry[]}} props  found: what the address asks for, as far as it is in the page */
export function Archive({ wanted, found }) {
  const by = own.filter(([name]) => wanted[name] && (name !== "op" || wanted.op === NO_OPERATION)).map(([, what]) => what);
  const path = pathOf(wanted);
  const run = async () => {
    const listed = new Set(found.map(({ id }) => id));
    const archive = await read(path, ({ _id }) => by.length === 0 || listed.has(_id));
    save(new Blob([JSON.stringify(archive)], { type: "application/json" }), `${sandbox}.har`);
  };
  const note = by.length > 0 ? `The API has no filter by ${by.join(", ")}, so this command gets more than the button saves.` : undefined;
  return html`<span class="pair"><button type="button" disabled=${found.length === 0} title="Save what is listed as an HTTP Archive, for the network panel of a browser" onClick=${() => run().catch(sayError)}>HAR</button>
    <${Code} label="the requests as an HTTP Archive" call=${() => ({ method: "GET", path })} note=${note} /></span>`;
}
