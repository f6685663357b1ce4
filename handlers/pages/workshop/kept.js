// The snapshots with which the wall takes acts back. Each is deleted with its offer, or at the latest with the page. If
// the browser crashes, a later page finds the names in its storage and deletes the snapshots.

import { request, server } from "../shell/api.js";
import { kept as text } from "../shell/store.js";
import { callOf, EVERYWHERE, run } from "./places.js";

/** @typedef {import("./places.js").Target} Target */

const NOBODY_WAITS = 10 * 60_000; // ms after which no page still offers to take an act back

/** The snapshots of this page: the target by name. @type {Map<string, Target>} */
const kept = new Map();

const record = text("localStorage", `wall ${server.pathname}`);

/** Returns the snapshots of all pages of this browser: the time by name. @returns {Record<string, number>} */
const recorded = () => JSON.parse(record.get() || "{}");

/** @param {Record<string, number>} all */
const write = (all) => record.set(Object.keys(all).length ? JSON.stringify(all) : "");

/** Records a new snapshot, and returns its name. @param {Target} target */
export function keep(target) {
  const name = `wall-${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`;
  kept.set(name, target);
  write({ ...recorded(), [name]: Date.now() });
  return name;
}

/** Records which stores have the snapshot. @param {string} name  @param {Target} target */
export const keptIn = (name, target) => void kept.set(name, target);

/** @param {string} name */
function forget(name) {
  const { [name]: _, ...others } = recorded();
  write(others);
}

/** @param {string} name */
const drop = (name) => ({ method: "DELETE", path: `admin/snapshots/${name}` });

/** Deletes the snapshot. @param {string} name */
export async function letGo(name) {
  const target = kept.get(name);
  kept.delete(name);
  if (!target) return;
  const gone = await run(target, () => [drop(name)]).then(() => true, () => false);
  if (gone) forget(name);
}

/** Deletes snapshots of pages that ended without deleting them. */
export async function dropLeft() {
  for (const [name, at] of Object.entries(recorded())) {
    if (kept.has(name) || Date.now() - at < NOBODY_WAITS) continue;
    await request(callOf(EVERYWHERE, drop(name))).catch(() => undefined);
    forget(name);
  }
}

addEventListener("pagehide", () => { // one request for all stores, since the browser lets few outlive the page
  for (const name of kept.keys()) {
    void request({ ...callOf(EVERYWHERE, drop(name)), keepalive: true }).catch(() => undefined);
  }
});
