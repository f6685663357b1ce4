// Every command by its name, for the palette.

import { go } from "./address.js";
import { get, request, root, sandbox, segment, server } from "./api.js";
import { toggleDrawer } from "./drawer.js";
import { listSandboxes, makeCall, open } from "./sandboxes.js";
import { isOwner, session, write } from "./session.js";
import { throttle, presets } from "./throttle.js";
import { say, sayError } from "./toast.js";

/**
 * @typedef {object} Command
 * @property {string} text
 * @property {string} [key]  that does the same
 * @property {() => unknown} run
 * @property {{title: string, text: string, verb: string, call: import("./api.js").Call}} [ask]  what is asked first
 */

/** @param {import("./api.js").Call} call @param {string} done @param {string[]} about */
const does = (call, done, about) => () => write(call).then(() => say(done, { about, call }), sayError);

const reset = { method: "POST", path: "admin/reset" };

const RESET = "Data, clock, faults and lifecycle are then as when the sandbox was made, and the requests that are shown go. "
  + "There is no undo. Snapshots stay.";

/** @param {Record<string, unknown>} body */
const clock = (body) => ({ method: "PUT", path: "admin/clock", body });

/**
 * The commands that are always there.
 * @param {import("./shell.js").View[]} views
 * @returns {Command[]}
 */
export function commandsOf(views) {
  const { operations, summary } = session.get();
  return [
    ...views.map(({ name, title, key }) => ({ text: `Go to ${title}`, key: key && `g ${key}`, run: () => go({ view: name }) })),
    { text: "Go to the docs", run: () => location.assign(new URL("docs/", root)) },
    { text: "Show the API calls", key: "`", run: toggleDrawer },
    {
      text: "Reset the sandbox…",
      run: does(reset, "Sandbox reset.", ["data", "clock", "faults"]),
      ask: { title: "Reset the sandbox?", text: RESET, verb: "Reset", call: reset },
    },
    { text: "Save snapshot", run: saveSnapshot },
    { text: "Undo the last write", run: does({ method: "POST", path: "admin/undo", body: { steps: 1 } }, "Undone.", ["data"]) },
    { text: "Add a pet…", run: () => go({ view: "data", open: "new" }) },
    { text: "Travel one hour ahead", run: does(clock({ advance: "1h" }), "An hour later.", ["clock"]) },
    { text: "Travel one day ahead", run: does(clock({ advance: "24h" }), "A day later.", ["clock"]) },
    summary?.clock.frozen
      ? { text: "Let the clock run", run: does(clock({ frozen: false }), "The clock runs.", ["clock"]) }
      : { text: "Freeze the clock", run: does(clock({ frozen: true }), "The clock is frozen.", ["clock"]) },
    { text: "Travel back to the machine's time", run: does({ method: "DELETE", path: "admin/clock" }, "It is the machine's time again.", ["clock"]) },
    { text: "Clear all faults", run: does({ method: "DELETE", path: "admin/faults" }, "Cleared all faults.", ["faults"]) },
    { text: "Throttle: Normal", run: () => throttle(undefined) },
    ...presets.map((preset) => ({ text: `Throttle: ${preset.name}`, run: () => throttle(preset) })),
    ...operations.map(({ operationId }) => ({
      text: `Break ${operationId}: fail the next one`,
      run: does({ method: "POST", path: "admin/faults", body: { match: { operationId }, status: 503, times: 1 } }, `The next ${operationId} fails.`, ["faults"]),
    })),
  ];
}

/** Saves a snapshot by the time of day. */
function saveSnapshot() {
  const name = new Date().toISOString().slice(0, 19).replaceAll(/[T:]/g, "-");
  return does({ method: "PUT", path: `admin/snapshots/${name}` }, `Saved snapshot “${name}”.`, ["snapshots"])();
}

/** The records that a text can name, by the word for one. @type {Record<string, string>} */
const tables = { pet: "pets", category: "categories", order: "orders", message: "messages" };

/**
 * The commands that a text makes: a record, or a date.
 * @param {string} text
 * @returns {Command[]}
 */
export function commandsBy(text) {
  const record = /^(?:open )?(pet|category|order|message) (\d+)$/i.exec(text.trim());
  if (record) return [{ text: `Open ${record[1].toLowerCase()} ${record[2]}`, run: () => go({ view: "data", table: tables[record[1].toLowerCase()], open: record[2] }) }];
  const date = /^(?:travel (?:to )?)?(\d{4}-\d\d-\d\d)$/i.exec(text.trim())?.[1];
  if (date && new Date(`${date}T00:00Z`).toJSON()?.startsWith(date)) {
    return [{ text: `Travel to ${date}`, run: does(clock({ now: `${date}T00:00:00Z` }), `It is ${date} now.`, ["clock"]) }];
  }
  return [];
}

/**
 * Reads the snapshots and the sandboxes that a text can name.
 * @param {string} text
 * @param {AbortSignal} signal
 * @returns {Promise<Command[]>}
 */
export async function commandsFound(text, signal) {
  const word = text.trim().split(/\s+/).at(-1) ?? "";
  if (!word) return [];
  const boxes = isOwner(session.get()) ? { rows: [] } : listSandboxes({ name: word, sort: "-lastUsedAt", limit: 5 }, signal).catch(() => ({ rows: [] }));
  const [snapshots, { rows }] = await Promise.all([get("admin/snapshots", signal).catch(() => []), boxes]);
  return [
    ...snapshots.map((/** @type {{name: string}} */ { name }) => ({
      text: `Restore snapshot “${name}”`,
      run: does({ method: "POST", path: `admin/snapshots/${segment(name)}/restore` }, `Restored “${name}”.`, ["data"]),
    })),
    ...rows.filter(({ name }) => name !== sandbox).map(({ name, title }) => ({ text: `Go to sandbox ${title}`, run: () => open(name) })),
    { text: `Fork this sandbox as “${word}”`, run: () => fork(word) },
    { text: `Make sandbox “${word}”`, run: () => request(makeCall(word)).then(({ data }) => open(data.name), sayError) },
  ];
}

/** @param {string} name */
const fork = (name) => request({ method: "POST", path: `admin/sandboxes/${segment(sandbox)}/fork`, base: server, body: { name } }).then(({ data }) => open(data.name), sayError);
