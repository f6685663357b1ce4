// What the wall knows of the room: who is there, and what each has done.

import { request, server } from "../shell/api.js";
import { createStore } from "../shell/store.js";
import { openStream } from "../shell/stream.js";
import { exercises } from "./exercises.js";
import { forEach, read } from "./places.js";

const EVERY = 2000; // ms
const MINUTE = 60; // seconds that the pulse shows
const BEFORE = 200; // requests of each store that count from before the wall was open
const AGAIN = 30_000; // ms after which those that were lost since are asked for, at the earliest

/**
 * @typedef {import("../shell/types.js").Entry} Entry
 * @typedef {{method: string, path: string, status: number}} Last
 * @typedef {{title: string, open: boolean, limit: number, joined: number, ended: boolean}} Door
 *
 * @typedef {object} Known  of a store, by its requests
 * @property {number} id  of the last of them
 * @property {boolean} asked  whether those from before were asked for
 * @property {Last} [last]
 * @property {boolean[]} done  which exercises
 * @property {number[]} pulse  requests of each of the last seconds, the newest last
 * @property {{status: number, times: number}} run  of errors in a row
 *
 * @typedef {Known & {name: string, title: string, lastUsedAt: string, clock: import("../shell/types.js").Clock, faults: number, operations: number}} Tile
 *
 * @typedef {object} Room
 * @property {Tile[]} tiles
 * @property {Door} [door]
 * @property {import("../shell/stream.js").StreamState} stream
 * @property {any} error
 */

/** @type {import("../shell/store.js").Store<Room>} */
export const room = createStore(/** @type {Room} */ ({ tiles: [], stream: { is: "connecting" }, error: null }));

/** The stores as the server has listed them last. @type {any[]} */
let boxes = [];

/** @type {Map<string, Known>} */
const seen = new Map();

/** @param {string} name */
function of(name) {
  let known = seen.get(name);
  if (!known) seen.set(name, (known = { id: 0, asked: false, done: exercises.map(() => false), pulse: Array(MINUTE).fill(0), run: { status: 0, times: 0 } }));
  return known;
}

/** Counts a request that is newer than those that were counted. @param {Known} known  @param {Entry} entry */
function count(known, entry) {
  const { id, method, path, status } = entry;
  known.done = exercises.map(({ done }, i) => known.done[i] || done(entry));
  if (id <= known.id) return;
  known.id = id;
  known.last = { method, path, status };
  const failed = status === 0 || status >= 400;
  known.run = failed ? { status, times: known.run.status === status ? known.run.times + 1 : 1 } : { status: 0, times: 0 };
}

/** Counts what was asked of a store before the wall listened. @param {string} name */
async function catchUp(name) {
  const known = of(name);
  known.asked = true;
  try {
    const { requests } = await read(name, `admin/requests?order=desc&limit=${BEFORE}`);
    for (const entry of requests.toReversed()) count(known, entry);
  } catch {
    known.asked = false; // the next look asks again
  }
}

/** @param {Tile} a  @param {Tile} b */
const byTitle = (a, b) => a.title.localeCompare(b.title, undefined, { numeric: true });

function show() {
  const tiles = boxes.map(({ name, title, lastUsedAt, lastRequest, clock, faults, operations }) => {
    const known = of(name);
    return { ...known, name, title: title || name, lastUsedAt, last: known.last ?? lastRequest, clock, faults, operations };
  });
  room.set({ tiles: tiles.sort(byTitle) });
}

/** Whether requests were lost, and when all were asked for last. */
let lost = false;
let asked = 0;

let asking = false;

/** Asks who is there. */
export async function look() {
  if (asking || document.hidden) return;
  asking = true;
  try {
    const [list, door] = await Promise.all([
      request({ method: "GET", path: "admin/sandboxes?limit=1000", base: server }),
      request({ method: "GET", path: "admin/workshop", base: server }),
    ]);
    boxes = list.data.filter((/** @type {any} */ box) => box.name !== "default");
    for (const name of seen.keys()) if (!boxes.some((box) => box.name === name)) seen.delete(name);
    room.set({ door: door.data, error: null });
    if (lost && Date.now() - asked > AGAIN) {
      lost = false;
      for (const known of seen.values()) known.asked = false;
    }
    if (boxes.some(({ name }) => !of(name).asked)) asked = Date.now();
    await forEach(boxes.filter(({ name }) => !of(name).asked).map(({ name }) => name), catchUp);
    show();
  } catch (error) {
    room.set({ error });
  } finally {
    asking = false;
  }
}

/** @param {import("../shell/stream.js").StreamEvent} event */
function hear({ name, data }) {
  if (name === "gap") lost = true;
  if (!data.sandbox) return;
  if (name === "sandbox.dropped") seen.delete(data.sandbox);
  if (name !== "request") return;
  const known = of(data.sandbox);
  known.pulse = known.pulse.with(-1, known.pulse[MINUTE - 1] + 1);
  count(known, data);
}

/** Begins to look and to listen, until the function that is returned is called. */
export function start() {
  const stream = openStream(new URL("sandboxes/*/admin/events", server).href, { onState: (state) => room.set({ stream: state }), onEvent: hear });
  const beat = setInterval(() => {
    for (const known of seen.values()) known.pulse = [...known.pulse.slice(1), 0];
    if (!document.hidden) show();
  }, 1000);
  const timer = setInterval(look, EVERY);
  void look();
  return () => {
    stream.close();
    clearInterval(beat);
    clearInterval(timer);
  };
}
