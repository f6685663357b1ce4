// The requests that are listed, as an HTTP Archive for the network panel of a browser.

import { html } from "../library/preact.js";
import { get, sandbox } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { save } from "../shell/download.js";
import { Icon } from "../shell/icon.js";
import { sayError } from "../shell/toast.js";
import { NO_OPERATION } from "./journal.js";
import { parse } from "./search.js";

/** @typedef {import("../shell/types.js").Entry} Entry */
/** @typedef {{log: {entries: {_id: number}[], comment?: string}}} HAR */

const MOST = 1000; // that the server answers at once

/** The words of a search that only the page understands, and what they are by. @type {Record<string, string>} */
const own = {
  client: "client name", method: "method", fault: "fault", deprecated: "deprecation", code: "error code",
  field: "field at fault",
};

/**
 * Returns where the server has the requests that are searched for, as far as it can tell them apart, and by what it
 * cannot.
 * @param {string} search
 */
function ask(search) {
  const { by: { op, status, ...others }, text } = parse(search);
  const query = new URLSearchParams({ format: "har", limit: String(MOST) });
  const by = [];
  if (op === NO_OPERATION) by.push("the lack of an operation");
  else if (op) query.set("operationId", op);
  if (text) by.push("text");
  by.push(...Object.keys(others).map((name) => own[name]));
  if (status) query.set("status", status === "broken" ? "0" : status);
  return { path: `admin/requests?${query}`, by };
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

/** @param {{search: string, found: Entry[]}} props  found: what is searched for, as far as it is in the page */
export function Archive({ search, found }) {
  const { path, by } = ask(search);
  const run = async () => {
    const listed = new Set(found.map(({ id }) => id));
    const archive = await read(path, ({ _id }) => by.length === 0 || listed.has(_id));
    save(new Blob([JSON.stringify(archive)], { type: "application/json" }), `${sandbox}.har`);
  };
  const more = `The API has no filter by ${by.join(", ")}, so this command gets more than the button saves.`;
  const title = "Save what is listed as an HTTP Archive, for the network panel of a browser";
  return html`<span class="pair">
    <button type="button" disabled=${found.length === 0} title=${title} onClick=${() => run().catch(sayError)}>
      <${Icon} name="save" />
      HAR
    </button>
    <${Code} label="the requests as an HTTP Archive" call=${() => ({ method: "GET", path })}
      note=${by.length > 0 ? more : undefined} />
  </span>`;
}
