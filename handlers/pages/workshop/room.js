// What the wall knows of the room: who is there, and what each has done.

import { request, server } from "../shell/api.js";
import { createStore } from "../shell/store.js";
import { openStream } from "../shell/stream.js";
import { exercises } from "./exercises.js";

const EVERY = 2000;
const MINUTE = 60; // seconds that the pulse shows

/**
 * @typedef {object} Tile
 * @property {string} name
 * @property {string} title
 * @property {string} lastUsedAt
 * @property {{method: string, path: string, status: number}} [last]
 * @property {boolean[]} done  which exercises
 * @property {number[]} pulse  requests of each of the last seconds, the newest last
 * @property {{status: number, times: number}} run  of errors in a row
 *
 * @typedef {object} Room
 * @property {Tile[]} tiles
 * @property {{open: boolean, limit: number, joined: number, ended: boolean}} [door]
 * @property {import("../shell/stream.js").StreamState} stream
 * @property {any} error
 */

/** @type {import("../shell/store.js").Store<Room>} */
export const room = createStore(/** @type {Room} */ ({ tiles: [], stream: { is: "connecting" }, error: null }));

/** @type {Map<string, Pick<Tile, "done"|"pulse"|"run"|"last">>} */
const seen = new Map();

/** @param {string} name */
function of(name) {
  let known = seen.get(name);
  if (!known) seen.set(name, (known = { done: exercises.map(() => false), pulse: Array(MINUTE).fill(0), run: { status: 0, times: 0 } }));
  return known;
}

/** Counts a request. @param {string} name  @param {import("../shell/types.js").Entry} entry */
function count(name, entry) {
  const known = of(name);
  const { method, path, status } = entry;
  known.last = { method, path, status };
  known.pulse[MINUTE - 1]++;
  known.done = exercises.map(({ done }, i) => known.done[i] || done(entry));
  const failed = status === 0 || status >= 400;
  known.run = !failed ? { status: 0, times: 0 } : { status, times: known.run.status === status ? known.run.times + 1 : 1 };
}

/** @param {Tile} a  @param {Tile} b */
const byTitle = (a, b) => a.title.localeCompare(b.title, undefined, { numeric: true });

let asking = false;

/** Asks who is there, and shows what has been counted since. */
export async function look() {
  if (asking || document.hidden) return;
  asking = true;
  try {
    const [list, door] = await Promise.all([
      request({ method: "GET", path: "admin/sandboxes?limit=1000", base: server }),
      request({ method: "GET", path: "admin/workshop", base: server }),
    ]);
    const boxes = list.data.filter((/** @type {any} */ box) => box.name !== "default");
    for (const name of seen.keys()) if (!boxes.some((/** @type {any} */ box) => box.name === name)) seen.delete(name);
    room.set({ door: door.data, error: null, tiles: boxes.map(tile).sort(byTitle) });
  } catch (error) {
    room.set({ error });
  } finally {
    asking = false;
  }
}

/** @param {any} box  @returns {Tile} */
function tile({ name, title, lastUsedAt, last }) {
  const known = of(name);
  return { name, title: title || name, lastUsedAt, last: known.last ?? last, done: known.done, pulse: [...known.pulse], run: known.run };
}

/** Begins to look and to listen, until the function that is returned is called. */
export function start() {
  const stream = openStream("sandboxes/*/admin/events", {
    onState: (state) => room.set({ stream: state }),
    onEvent: ({ name, data }) => {
      if (name === "request" && data.sandbox) count(data.sandbox, data);
    },
  });
  const beat = setInterval(() => {
    for (const known of seen.values()) known.pulse = [...known.pulse.slice(1), 0];
  }, 1000);
  const timer = setInterval(look, EVERY);
  void look();
  return () => {
    stream.close();
    clearInterval(beat);
    clearInterval(timer);
  };
}
