// Saves requests as an HTTP Archive, for the network panel of a browser.

import { params } from "../shell/address.js";
import { get, sandbox } from "../shell/api.js";
import { save } from "../shell/download.js";
import { plural } from "../shell/format.js";
import { say } from "../shell/toast.js";
import { archiveOf, MOST, parse } from "./search.js";

/** @typedef {{log: {entries: {_id: number}[], comment?: string}}} HAR */

/**
 * Reads requests as one archive, in the order in which they came.
 * @param {string} path
 * @param {number[]} ids
 * @returns {Promise<HAR>}
 */
async function read(path, ids) {
  /** @type {HAR} */
  const archive = await get(`${path}&since=${Math.min(...ids) - 1}`);
  const all = archive.log.entries;
  for (let more = all; more.length === MOST; all.push(...more)) {
    more = (await get(`${path}&since=${all[all.length - 1]._id}`)).log.entries;
  }
  const wanted = new Set(ids);
  archive.log.entries = all.filter(({ _id }) => wanted.has(_id));
  archive.log.comment = plural(archive.log.entries.length, "request");
  return archive;
}

const LONGEST = 60; // characters of a name, without its time

/** Formats a time, to the second, for the name of a file. @param {string|number} at */
const timeOf = (at) => new Date(Number(at)).toISOString().slice(0, 19).replaceAll(":", "-");

/** Formats the selected part of the strip. @param {string} from @param {string} to */
function partOf(from, to) {
  const [begin, end] = [timeOf(from), timeOf(to)];
  return `${begin}-to-${begin.slice(0, 11) === end.slice(0, 11) ? end.slice(11) : end}`;
}

/**
 * Saves requests as a file, whose name says which they are.
 * @param {number[]} ids
 * @param {string} [path]  reads at least these
 * @param {string} [search]  which found them; missing: a user selected them
 */
export async function saveArchive(ids, path = archiveOf("").path, search) {
  const archive = await read(path, ids);
  const number = archive.log.entries.length;
  const { from, to } = search === undefined ? {} : params();
  const { by, words } = parse(search ?? `${number}-selected`);
  const start = [sandbox, ...Object.values(by), ...words].join("-").replace(/[^\w.]+/g, "-");
  const name = `${start.slice(0, LONGEST)}-${from ? partOf(from, to) : timeOf(Date.now())}.har`;
  save(new Blob([JSON.stringify(archive)], { type: "application/json" }), name);
  say(`Saved ${plural(number, "request")} as ${name}.`, { about: ["copy"] });
}
