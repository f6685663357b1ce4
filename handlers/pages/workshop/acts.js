// What the teacher does in the sandboxes that are marked, and how each is taken back.

import { request, server } from "../shell/api.js";

/** @typedef {{method: string, path: string, body?: unknown}} Step  of one sandbox, below its address */

/**
 * @typedef {object} Act
 * @property {string} name  of the button
 * @property {string} did  what is said when it is done
 * @property {(from: string) => Promise<Step[]>|Step[]} steps
 * @property {Step[]} back
 */

const AT_ONCE = 6; // as many connections as a browser has
const KEPT = "before-the-last-act";
const keep = { method: "PUT", path: `admin/snapshots/${KEPT}` };
const restore = { method: "POST", path: `admin/snapshots/${KEPT}/restore` };

/** @type {Record<string, Act>} */
export const acts = {
  reset: { name: "Reset", did: "reset", steps: () => [keep, { method: "POST", path: "admin/reset?only=data" }], back: [restore] },
  freeze: { name: "Freeze time", did: "time stands still", steps: () => [{ method: "PUT", path: "admin/clock", body: { frozen: true } }],
    back: [{ method: "PUT", path: "admin/clock", body: { frozen: false } }] },
  travel: { name: "Go to the day after the sunset", did: "it is 2031-01-01", back: [{ method: "DELETE", path: "admin/clock" }],
    steps: () => [{ method: "PUT", path: "admin/clock", body: { now: "2031-01-01T00:00:00Z" } }] },
  fault: { name: "Be flaky (30 % 503)", did: "3 of 10 requests fail", back: [{ method: "DELETE", path: "admin/faults" }],
    steps: () => [{ method: "PUT", path: "admin/faults", body: [{ match: {}, probability: 0.3, status: 503 }] }] },
  lifecycle: { name: "Enforce the sunset", did: "getPet answers 410 after its sunset", back: [{ method: "DELETE", path: "admin/operations/getPet" }],
    steps: () => [{ method: "PUT", path: "admin/operations/getPet", body: { enforceSunset: true } }] },
  push: { name: "Give them the data of", did: "the data was replaced", back: [restore],
    steps: async (from) => [keep, { method: "PUT", path: "admin/state", body: (await request({ method: "GET", path: at(from, "admin/state"), base: server })).data }] },
};

/** @param {string} name  @param {string} path */
const at = (name, path) => (name === "default" ? path : `sandboxes/${encodeURIComponent(name)}/${path}`);

/**
 * Takes the steps in each sandbox.
 * @param {string[]} names
 * @param {Step[]} steps
 * @returns {Promise<{done: string[], failed: {name: string, error: any}[]}>}
 */
export async function run(names, steps) {
  /** @type {string[]} */
  const done = [];
  /** @type {{name: string, error: any}[]} */
  const failed = [];
  const waiting = [...names];
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      try {
        for (const { method, path, body } of steps) await request({ method, path: at(name, path), base: server, body });
        done.push(name);
      } catch (error) {
        failed.push({ name, error });
      }
    }
  }));
  return { done, failed };
}
