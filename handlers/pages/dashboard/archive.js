// Saves the listed requests as an HTTP Archive, for the network panel of a browser.

import { params } from "../shell/address.js";
import { get, sandbox } from "../shell/api.js";
import { save } from "../shell/download.js";
import { plural } from "../shell/format.js";
import { say } from "../shell/toast.js";
import { MOST, parse, searchOf } from "./search.js";

/** @typedef {import("../shell/types.js").Entry} Entry */
/** @typedef {{log: {entries: {_id: number}[], comment?: string}}} HAR */

/**
 * Reads the whole list of the path as one archive.
 * @param {string} path
 * @param {(entry: {_id: number}) => boolean} wanted  which entries to keep
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

const LONGEST = 80; // characters of a name

/**
 * Saves the listed requests as a file.
 * @param {ReturnType<typeof import("./search.js").archiveOf>} archive
 * @param {Entry[]} found  the listed requests that the page has
 */
export async function saveArchive({ path, by }, found) {
  const listed = new Set(found.map(({ id }) => id));
  const archive = await read(path, ({ _id }) => by.length === 0 || listed.has(_id));
  const address = params();
  const { by: words, text } = parse(searchOf(address));
  const from = address.from && new Date(Number(address.from)).toISOString().slice(0, 19);
  const parts = [...Object.values(words), text, from].filter(Boolean).map((part) => part.replace(/[^\w.]+/g, "-"));
  const name = `${[sandbox, ...parts].join("-").slice(0, LONGEST)}.har`;
  save(new Blob([JSON.stringify(archive)], { type: "application/json" }), name);
  say(`Saved ${plural(archive.log.entries.length, "request")} as ${name}.`, { about: ["copy"] });
}
