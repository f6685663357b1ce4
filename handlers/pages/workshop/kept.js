// The snapshots that the wall keeps to take an act back. Each goes with what is offered, at the latest with the page;
// what a browser that broke down has left is found in its storage, and dropped later.

import { request, server } from "../shell/api.js";
import { kept as text } from "../shell/store.js";
import { callOf, EVERYWHERE, run } from "./places.js";

/** @typedef {import("./places.js").Target} Target */

const NOBODY_WAITS = 10 * 60_000; // ms after which no page offers to take back what it has kept

/** Those of this page, by name: where. @type {Map<string, Target>} */
const kept = new Map();

const record = text("localStorage", `wall ${server.pathname}`);

/** Those of all pages of this browser, by name: when they were kept. @returns {Record<string, number>} */
const recorded = () => JSON.parse(record.get() || "{}");

/** @param {Record<string, number>} all */
const write = (all) => record.set(Object.keys(all).length ? JSON.stringify(all) : "");

/** Returns the name of a snapshot that is to be kept. @param {Target} target */
export function keep(target) {
  const name = `wall-${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`;
  kept.set(name, target);
  write({ ...recorded(), [name]: Date.now() });
  return name;
}

/** Says where the snapshot is. @param {string} name  @param {Target} target */
export const keptIn = (name, target) => void kept.set(name, target);

/** @param {string} name */
function forget(name) {
  const { [name]: _, ...others } = recorded();
  write(others);
}

/** @param {string} name */
const drop = (name) => ({ method: "DELETE", path: `admin/snapshots/${name}` });

/** Drops the snapshot. @param {string} name */
export async function letGo(name) {
  const target = kept.get(name);
  kept.delete(name);
  if (!target) return;
  const gone = await run(target, () => [drop(name)]).then(() => true, () => false);
  if (gone) forget(name);
}

/** Drops what a page has left that ended without a word. */
export async function dropLeft() {
  for (const [name, at] of Object.entries(recorded())) {
    if (kept.has(name) || Date.now() - at < NOBODY_WAITS) continue;
    await request(callOf(EVERYWHERE, drop(name))).catch(() => undefined);
    forget(name);
  }
}

addEventListener("pagehide", () => { // one request may outlive the page, but not one for each store
  for (const name of kept.keys()) {
    void request({ ...callOf(EVERYWHERE, drop(name)), keepalive: true }).catch(() => undefined);
  }
});
