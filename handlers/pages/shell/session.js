// The sandbox that the page shows: its state and its events.

import { ApiError, get, key, request, sandbox, sentHere } from "./api.js";
import { isShifted, plural } from "./format.js";
import { DROPPED, later, openStream, paced } from "./stream.js";
import { createStore } from "./store.js";
import { leaveServer, say, unsay } from "./toast.js";

const SOON = 200; // ms from a change until the counts are read, once for all changes
const PACE = 600; // ms between two readings after events
const LATE = 5000; // ms until the results of requests, such as calls per operation, are read

const NEW = "The server restarted, or somebody created the sandbox anew. This is what it has now.";

/**
 * @typedef {object} Session
 * @property {import("./types.js").Summary} [summary]  missing: not loaded yet, or no such sandbox
 * @property {string} [title]  the sandbox's name as first written; missing: not loaded yet
 * @property {import("./types.js").Operation[]} operations
 * @property {import("./stream.js").StreamState} stream
 * @property {import("./api.js").ApiError} [error]  why there is no summary
 * @property {boolean} [gone]  whether the sandbox, and its key with it, is gone
 * @property {boolean} [restarted]  whether the server has restarted since the page was opened
 * @property {boolean} [paused]  whether the user has paused the view
 * @property {number} changes  counts everything that may have changed data or settings
 */

/** @type {Session} */
const nothing = { operations: [], stream: { is: "connecting" }, changes: 0 };

export const session = createStore(nothing);

/** @type {Set<(event: import("./stream.js").StreamEvent) => void>} */
const listeners = new Set();

/**
 * Calls the listener with every event of the sandbox, until the returned function is called.
 * @param {(event: import("./stream.js").StreamEvent) => void} listener
 */
export function onEvent(listener) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const UNEVEN = 1000; // ms by which two clocks may drift apart

let started = Infinity; // the latest time at which the server can have started, by the page's clock (ms)

/**
 * Says what a restart lost. A server with a file keeps some of it.
 * @param {import("./types.js").Summary|undefined} was @param {import("./types.js").Summary} now
 */
function lostBy(was, now) {
  const lost = !was ? [] : [
    was.journal.entries > now.journal.entries && plural(was.journal.entries, "request"),
    was.writes > now.writes && `${plural(was.writes, "change")} of the data`,
    was.faults > now.faults && plural(was.faults, "fault"),
    was.snapshots > now.snapshots && plural(was.snapshots, "snapshot"),
    isShifted(was.clock) && !isShifted(now.clock) && "the clock's change",
  ].filter((one) => typeof one === "string");
  return lost.length > 0 ? ` It lost ${new Intl.ListFormat("en").format(lost)}.` : "";
}

let newest = { asked: 0, summary: /** @type {any} */ (undefined) };

/** Reads the summary, and notes whether the server restarted. @returns {Promise<import("./types.js").Summary>} */
export async function readSummary() {
  const asked = performance.now();
  const { data: summary } = await request({ method: "GET", path: "admin", fresh: true });
  if (asked < newest.asked) return newest.summary; // this one is late
  newest = { asked, summary };
  const age = 1000 * summary.uptimeSeconds;
  if (asked - age > started + UNEVEN) {
    const told = `The server restarted.${lostBy(session.get().summary, summary)} This is what it has now.`;
    say(told, { about: ["server"], lasts: 12_000 });
    session.set({ restarted: true });
    sentHere.clear(); // the server uses the same ids again
  }
  started = performance.now() - age;
  return summary;
}

/**
 * Shows a toast until the summary shows that it is no longer true.
 * @param {string} text
 * @param {(summary: import("./types.js").Summary) => boolean} isTrue
 * @param {Partial<import("./toast.js").Toast>} more
 */
export function sayWhile(text, isTrue, more) {
  let seen = false; // the summary may still be the one before the change
  const look = () => {
    const { summary } = session.get();
    const is = Boolean(summary && isTrue(summary));
    if (seen && !is) withdraw();
    seen ||= is;
  };
  const withdraw = say(text, { ...more, gone: session.listen(look) });
  look();
}

/** Whether the key opens only this sandbox, like an attendee's. */
export const isOwner = (/** @type {Session} */ { summary }) => (summary ? summary.ownKey : key.ofSandbox);

/** Whether the page shows nothing but the form for a key. */
export const isShut = (/** @type {Session} */ { summary, error }) =>
  !summary && [401, 403].includes(error?.status ?? 0);

/** Whether the document has been read to learn who may use the pet store. */
let asked = false;

/** Reads from the document whether the pet store requires the tab's key, as a private sandbox does. */
async function askWhoMay() {
  if (asked || !key.value) return;
  const { components, paths } = await get("openapi.json");
  key.ofService = Boolean(components.securitySchemes.bearerAuth["x-private"]);
  key.apart = !key.ofService && Boolean(paths["/pets"].get.security[0].bearerAuth);
  asked = true;
}

/** Reads the counts, so that they match the lists. */
const countSoon = later(() => {
  const ignore = () => undefined; // the next reading reports the error
  if (session.get().summary) readSummary().then((summary) => over || session.set({ summary }), ignore);
}, SOON);

/** Reads the counts of calls. */
const refreshLate = later(() => waits() || void refresh(), LATE);

/** Makes the views read again. */
const changed = () => session.set({ changes: session.get().changes + 1 });

/** Runs after an event about the data. */
const changedByEvent = paced(() => {
  changed();
  countSoon();
}, PACE);

/** Runs after an event about something else or everything. */
const updatedByEvent = paced(() => {
  changed();
  void refresh();
}, PACE);

/** Runs after a rule was applied, maybe for the last time. */
const hitByRule = paced(countSoon, PACE);

let running = false;
let again = false;

/** Reads the summary and the lifecycles. */
export async function refresh() {
  again = running;
  if (running || over) return; // a reading may be older than the change that this call is about
  running = true;
  try {
    const [summary, operations] = await Promise.all([readSummary(), get("admin/operations"), askWhoMay()]);
    if (!over) session.set({ summary, title: summary.title, operations, error: undefined });
  } catch (error) {
    if (over) return;
    const known = /** @type {ApiError} */ (error);
    session.set(known.status === 0 ? { error: known } : { error: known, summary: undefined });
    refreshLate();
  } finally {
    running = false;
  }
  if (again) await refresh();
}

/** Whether to wait for the user before reading again. */
function waits() {
  const { stream, error } = session.get();
  return document.hidden || over || stream.is === "lost" || [401, 403].includes(error?.status ?? 0);
}

/**
 * Sends a write, and then reads the new state.
 * @param {import("./api.js").Call} call
 */
export async function write(call) {
  try {
    return await request(call);
  } finally {
    changed();
    void refresh();
  }
}

/** @type {ReturnType<typeof openStream>|undefined} */
let stream;

/** Whether the sandbox and its key are gone, so that no request can succeed. */
let over = false;

/** Shows that the sandbox is gone. With a key of the server, the page goes on: the sandbox can be created again. */
function dropped() {
  over = key.ofSandbox || isOwner(session.get());
  if (over) stream?.close();
  const error = new ApiError("The sandbox is gone.", 404, "unknown_sandbox");
  session.set({ summary: undefined, error, ...(over && { gone: true, stream: { is: "refused" } }) });
}

/** Reads again what an event may have changed. @param {import("./stream.js").StreamEvent} event */
function heed({ name, data }) {
  switch (name) {
    case "request":
      if (data.fault) hitByRule();
      return refreshLate();
    case "gap":
      if (!data.to) say(NEW, { about: ["server"] }); // the page's last id is from an earlier sandbox
      return updatedByEvent();
    case "sandbox.updated":
    case "sandbox.reset":
      return updatedByEvent();
  }
  changedByEvent();
}

/** Starts reading and listening. */
export function start() {
  stream = openStream("admin/events", {
    onState(state) {
      const { stream: before, error } = session.get();
      const live = state.is === "live" && before.is !== "live";
      if (state.is === "lost" && before.is !== "lost") leaveServer();
      session.set({ stream: state });
      if (live) {
        unsay("unreachable");
        changed();
      }
      const refused = state.is === "refused" && state.error?.status !== error?.status;
      const unreachable = state.is === "lost" && before.is === "connecting";
      if (live || refused || unreachable) void refresh();
    },
    onEvent(event) {
      if (event.name === DROPPED) return dropped();
      heed(event);
      for (const listener of listeners) listener(event);
    },
  });
}

/** Tries the stream again at once, for example with another key. */
export function retry() {
  if (over) return;
  asked = false;
  stream?.retry();
  void refresh();
}
