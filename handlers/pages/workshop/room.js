// The wall's knowledge of the room: who has joined, and what each has done. The stream reports it at once. After events
// that change the list of stores, or lost events, the wall reads the list.

import { request, server } from "../shell/api.js";
import { pretty } from "../shell/format.js";
import { createStore } from "../shell/store.js";
import { DROPPED, openStream, paced } from "../shell/stream.js";
import { forgetDay, keep, noted, resultsBefore, spend } from "./costs.js";
import { exercises, isAsked, plain } from "./exercises.js";
import { DOWN, handAfter, handIn, helpIn, isToAll, recent, saidAfter, saidIn, writtenAt } from "./hand.js";
import { dropLeft } from "./kept.js";
import { withdrawAll, withdrawGone } from "./offers.js";
import { forEach, machineOf, read } from "./places.js";

const PACE = 1000; // ms between two readings of the list
const EVERY = 2000; // ms until it reads again after an error
const SEAT = 120_000; // ms after which an unused seat is vacant
const SHOWN = 500; // ms between two renderings: a busy room would render all the time
const BEFORE = 200; // earlier requests of each store that count
const AGAIN = 10_000; // ms between two readings of a store's journal after its stream has dropped events
const NEWS = ["sandbox.created", DROPPED, "sandbox.updated", "workshop.updated", "gap"]; // events that change the list
const RECENT = 20; // requests of each store that are shown
const LINE = 36; // characters of a body that fit in a line of the drawer

/**
 * @typedef {import("../shell/types.js").Entry} Entry
 * @typedef {{method: string, path: string, status: number}} Last
 * @typedef {Last & {id: number, query: string, reason: string, sent: string, at: number, times: number, first: number,
 *   more: boolean, fault: number}} Recent  the last of consecutive requests with the same result. sent: what a refused
 *   one sent, as far as the journal has it; at: when it arrived, by the machine's clock (ms); first: the id of the
 *   first one; more: whether there may be earlier ones; fault: the id of the rule that made an error, or 0
 * @typedef {{title: string, open: boolean, limit: number, joined: number, ended: boolean, addresses: string[]}} Door
 *
 * @typedef {import("./hand.js").Said & {at: number}} Said  at: by the machine's clock (ms), or 0 if unknown
 *
 * @typedef {object} Known  the wall's knowledge of a store's requests
 * @property {number} id  the id of the last one
 * @property {number} asked  when the missed requests were last read; 0: never
 * @property {boolean} lost  whether the stream missed requests
 * @property {number} heard  how many the stream has reported
 * @property {Entry[]} waiting  those that the stream reported while missed ones were still to be read
 * @property {number} total  the number of requests of the store, by the list and the stream
 * @property {boolean} counted  whether the list has given the total since the stream began
 * @property {string} used  when the last counted request arrived; "": none
 * @property {Last} [last]
 * @property {boolean[]} done  which exercises are done
 * @property {Run} run  errors in a row. It does not include errors made by faults
 * @property {Recent[]} recent  the last requests, newest first
 * @property {import("./costs.js").Trouble|null} trouble  the last refusal of an attendee who is stuck
 * @property {number} hand  when the attendee raised the hand (ms); 0: it is down
 * @property {string} coming  the teacher's reaction to the hand, or to the errors until the next request, or ""
 * @property {string} about  the question of the hand, or ""
 * @property {string[]} questions  the questions of all hands
 * @property {import("../shell/types.js").Rule[]} rules  the fault rules that can still apply, when last read
 * @property {(Said & {before?: Said})|undefined} said  the teacher's last message, and the one before. It stays when
 *   the messages are reset
 *
 * @typedef {object} Run  errors with one status in a row
 * @property {number} status
 * @property {number} times
 * @property {string} reason  of the last one
 * @property {string} cause  the key of the last one
 * @property {number} since  when the first one arrived (ms)
 * @property {Recent|undefined} request  the last one
 * @property {{refusal: import("./costs.js").Refusal, at: number}[]} uncounted  those that do not count as a cost yet,
 *   because the attendee is not stuck
 *
 * @typedef {object} Box  a store in the list
 * @property {string} name
 * @property {string} title
 * @property {string} createdAt
 * @property {string} lastUsedAt
 * @property {import("../shell/types.js").Clock} clock
 * @property {number} faults
 * @property {number} operations
 * @property {boolean} vacant
 *
 * @typedef {Known & Box} Tile
 *
 * @typedef {object} Room
 * @property {Tile[]} tiles
 * @property {Door} [door]
 * @property {import("../shell/stream.js").StreamState} stream
 * @property {any} error
 */

/** @type {import("../shell/store.js").Store<Room>} */
export const room = createStore(/** @type {Room} */ ({ tiles: [], stream: { is: "connecting" }, error: null }));

/** The last list of the stores. @type {any[]} */
let boxes = [];

/** @type {Map<string, Known>} */
const seen = new Map();

/** The time that refusals cost the room, and who did which exercises. @type {import("./costs.js").Day} */
export const today = { costs: new Map(), results: new Map() };

const kept = resultsBefore(); // another page's results, which may include requests that the server has dropped

addEventListener("pagehide", () => keep(today));

let skew = 0; // ms by which the browser's clock is ahead of the server's

let lostAt = 0; // when the stream was lost (ms); 0: it is live

/** Returns the machine's time, by which requests are dated (ms). It stands still while the stream is lost. */
export const machine = () => (lostAt || Date.now()) - skew;

/** @type {Known["run"]} */
const NO_ERRORS = {
  status: 0, times: 0, reason: "", cause: "", since: 0, request: undefined, uncounted: [],
};

/** @param {string} name */
function of(name) {
  let known = seen.get(name);
  if (!known) {
    known = {
      id: 0, asked: 0, lost: true, heard: 0, waiting: [], total: 0, counted: false, used: "",
      done: exercises.map(() => false), run: NO_ERRORS, recent: [], trouble: null,
      hand: 0, coming: "", about: "", questions: [], rules: [], said: undefined,
    };
    seen.set(name, known);
  }
  return known;
}

/**
 * Counts a request, if it is newer than the last counted one.
 * @param {string} name
 * @param {Known} known
 * @param {Entry} entry
 */
function count(name, known, entry) {
  const { id, method, path, query = "", status, fault } = entry;
  const asked = isAsked(entry, known.done);
  known.done = known.done.map((is, i) => is || exercises[i].done(entry));
  if (id <= known.id) return;
  known.id = id;
  known.last = { method, path, status };
  known.used = entry.receivedAt ?? entry.time;
  if (known.hand === 0) known.coming = "";
  const at = Date.parse(known.used);
  const failed = status === 0 || status >= 400;
  const own = failed && !asked; // not an error that an exercise asks for
  const refusal = refusalOf(entry);
  const reason = failed ? refusal.reason : "";
  const sent = failed ? sentBy(entry) : "";
  const [before, ...others] = known.recent;
  const made = fault ? isMade(status, reason) : isWished(entry);
  const by = failed && made && fault || 0;
  const more = !before && id > 1;
  const now = { id, method, path, query, status, reason, sent, at, times: 1, first: id, more, fault: by };
  known.recent = before && alike(before, now)
    ? [{ ...now, times: before.times + 1, first: before.first, more: before.more }, ...others]
    : [now, ...known.recent.slice(0, RECENT - 1)];
  if (failed && made) return; // says nothing about the attendee
  const reads = !failed && !asked && ["GET", "HEAD"].includes(method);
  if (reads && known.run.request?.method !== method) return; // solves nothing that another method could not do
  const again = own && known.run.status === status;
  const { times, since, uncounted } = again ? known.run : { ...NO_ERRORS, since: at };
  if (known.trouble) spend(known.trouble, at);
  known.run = own
    ? {
      status, times: times + 1, reason, cause: refusal.key, since, request: known.recent[0],
      uncounted: [...uncounted, { refusal, at }],
    }
    : NO_ERRORS;
  if (!again) known.trouble = null;
  if (isStuck(known)) chargeRun(name, known);
}

/**
 * Counts the refusals of an attendee who is stuck, each until the next one.
 * @param {string} name
 * @param {Known} known
 */
function chargeRun(name, known) {
  for (const { refusal, at } of known.run.uncounted.splice(0)) {
    if (known.trouble) spend(known.trouble, at);
    known.trouble = { cost: noted(today.costs, refusal, name), at };
  }
}

/**
 * Whether a fault made an error, and did not only delay it. The store itself returns no 5xx.
 * @param {number} status
 * @param {string} reason
 */
const isMade = (status, reason) => status === 0 || status >= 500 || reason.startsWith("fault rule ");

/** Whether the client asked for the error. @param {Entry} entry */
const isWished = ({ headers = {} }) => /\bcode=/.test(headers.Prefer ?? "");

/** @param {Recent} a  @param {Recent} b */
const alike = (a, b) => ["method", "path", "query", "status", "reason"].every((part) =>
  a[/** @type {keyof Recent} */ (part)] === b[/** @type {keyof Recent} */ (part)]);

/** The header that a refusal with the status is about. @type {Record<number, string>} */
const ABOUT = { 406: "Accept", 412: "If-Match", 415: "Content-Type" };

/** Returns the header that a refusal is about, and the body of the request. @param {Entry} entry */
function sentBy({ status, headers, body = "", bodyTruncated }) {
  const about = ABOUT[status];
  const is = (/** @type {[string, string]} */ [name]) => name.toLowerCase() === about.toLowerCase();
  const value = about && Object.entries(headers ?? {}).find(is)?.[1];
  const header = about ? `${about}: ${value ?? "(none)"}` : "";
  const text = body.length > LINE && pretty(body) || body;
  return [header, bodyTruncated ? `${text}…` : text].filter(Boolean).join("\n");
}

/** Replaces the ids in a path. @param {string} text */
export const shapeOf = (text) => text.replace(/\b\d+\b/g, "{id}");

/** Forgets a deleted store, except the time of its end and the cost of its last refusal. @param {string} name */
function forget(name) {
  const trouble = seen.get(name)?.trouble;
  const result = today.results.get(name);
  if (trouble) spend(trouble, machine());
  if (result) result.to = new Date(machine()).toISOString();
  seen.delete(name);
  ruled.delete(name);
}

/** The stores whose fault rules were read since their last change. @type {Set<string>} */
const ruled = new Set();

/** Whether a fault rule can still apply. @param {import("../shell/types.js").Rule} rule */
const isLeft = ({ off, probability, times = Infinity, applied = 0 }) => !off && probability !== 0 && applied < times;

/** Makes the next look read the fault rules of a store. @param {string} name */
function readAgain(name) {
  ruled.delete(name);
  lookSoon();
}

/**
 * Counts an application of a fault rule.
 * @param {string} name
 * @param {Known} known
 * @param {number} id  of the rule
 */
function applyRule(name, known, id) {
  const rules = known.rules.map((rule) => (rule.id === id ? { ...rule, applied: (rule.applied ?? 0) + 1 } : rule));
  known.rules = rules.filter(isLeft);
  if (known.rules.length < rules.length) readAgain(name);
}

/** Reads the fault rules of a store. @param {string} name */
async function readRules(name) {
  const known = of(name);
  const { heard } = known;
  ruled.add(name);
  try {
    /** @type {import("../shell/types.js").Rule[]} */
    const rules = await read(name, "admin/faults");
    known.rules = rules.filter(isLeft);
    if (known.heard > heard && rules.some(({ times }) => times)) readAgain(name); // an application may be missing
  } catch {
    ruled.delete(name); // the next look asks again
  }
}

/** The stores that were deleted since the last look began, which may still read them. @type {Set<string>} */
const removed = new Set();

/** Removes a store that the teacher has deleted, also from the report. @param {string} name */
export function remove(name) {
  removed.add(name);
  boxes = boxes.filter((box) => box.name !== name);
  forget(name);
  today.results.delete(name);
  for (const [key, { names }] of today.costs) if (names.delete(name) && names.size === 0) today.costs.delete(key);
  show();
}

/**
 * Returns why a request was refused, in the server's words. The key names the operation, the code and the fields.
 * @param {Entry} entry
 * @returns {import("./costs.js").Refusal}
 */
function refusalOf({ operationId, method, path, status, response }) {
  const what = `${method} ${shapeOf(path)}`;
  const keyOf = (/** @type {any[]} */ ...parts) => [operationId ?? what, ...parts].join(" ");
  try {
    const { code, message = "", details = [] } = JSON.parse(response?.body ?? "");
    /** @type {{field: string, message: string}[]} */
    const all = details.map((/** @type {any} */ { field, message: why }) => ({
      field: field.replace(/^\//, ""), message: why,
    }));
    const fieldsOf = (/** @type {string} */ why) =>
      all.filter((detail) => detail.message === why).map(({ field }) => field).join(", ");
    const reason = all.length < 2 ? String(message) // it contains the only detail
      : [...new Set(all.map((detail) => detail.message))].map((why) => `${fieldsOf(why)}: ${why}`).join(" · ");
    const key = keyOf(code, ...all.map(({ field }) => field).sort());
    return { key, what, status, reason: plain(reason).replace(/, which is "\w+"/, "") }; // an ETag
  } catch { // the response is truncated, or not from the server
    return { key: keyOf(status), what, status, reason: "" };
  }
}

const STUCK = 3; // errors in a row

/** Whether the attendee gets the same status again and again. Only that costs the room time. @param {Known} known */
export const isStuck = ({ run }) => run.times >= STUCK;

/** Returns the attendee's current exercise, from 1; 0 if all are done. @param {Tile} tile */
export const exerciseOf = ({ done }) => done.indexOf(false) + 1;

/** Whether the attendee has sent anything, even before a reset. @param {Tile} tile */
export const hasStarted = ({ total, done }) => total > 0 || done.some(Boolean);

/** Reads and counts the requests of a store that the stream missed. @param {string} name */
async function catchUp(name) {
  const known = of(name);
  const asked = known.asked = Date.now();
  try {
    const reads = [read(name, `admin/requests?order=desc&limit=${BEFORE}`), read(name, recent)];
    const [{ requests }, messages] = await Promise.all(reads);
    const box = boxes.find((one) => one.name === name);
    raiseHand(known, handAfter(messages), signedAt(messages, box));
    noteQuestions(known, messages.toReversed());
    const lastOf = (/** @type {import("./hand.js").Message[]} */ those) => {
      const last = saidAfter(those, 0);
      return last && { ...last, at: written(last, box) };
    };
    const said = lastOf(messages);
    const isSame = said?.id === known.said?.id && said?.createdAt === known.said?.createdAt;
    const isOlder = (/** @type {import("./hand.js").Message} */ { id }) => said && id < said.id;
    if (said && !isSame) known.said = { ...said, before: lastOf(messages.filter(isOlder)) };
    if (known.id > (requests[0]?.id ?? 0)) { // the counted requests were cleared; the exercises stay done
      if (known.trouble) spend(known.trouble, machine());
      Object.assign(known, { id: 0, last: undefined, recent: [], run: NO_ERRORS, trouble: null });
    }
    for (const entry of [...requests.toReversed(), ...known.waiting]) count(name, known, entry);
    const help = messages.find((/** @type {import("./hand.js").Message} */ one) => helpIn(one) !== undefined);
    const isNewest = help && written(help, box) >= Date.parse(known.used);
    if (known.hand === 0) known.coming = isNewest && helpIn(help) || "";
    const was = kept.get(name);
    if (was && was.from === box?.createdAt) {
      known.done = known.done.map((is, i) => is || was.done[i]);
      known.questions = [...new Set([...was.questions ?? [], ...known.questions])];
    }
    known.waiting = [];
    known.lost = known.asked !== asked; // true after a reset in the meantime
  } catch {
    known.asked = 0; // the next look asks again
  }
}

/** @param {Known} known  @param {import("./hand.js").Message[]} messages  oldest first */
function noteQuestions(known, messages) {
  const asked = messages.map((message) => handIn(message)?.about ?? "").filter(Boolean);
  known.questions = [...new Set([...known.questions, ...asked])];
}

/** @param {Known} known  @param {import("./hand.js").Hand} [hand]  @param {number} at  when (ms) */
function raiseHand(known, hand, at = machine()) {
  if (!hand) return;
  known.hand = hand.up ? known.hand || at : 0;
  known.about = hand.about;
  if (hand.up) known.coming = hand.coming ?? "";
}

/**
 * Returns when an attendee last raised or lowered the hand, by the machine's clock (ms). If the message does not tell,
 * returns when the store was last used.
 * @param {import("./hand.js").Message[]} messages  newest first
 * @param {any} box
 */
function signedAt(messages, box) {
  const sign = messages.find((message) => handIn(message) !== undefined);
  return (sign && written(sign, box)) || Date.parse(box?.lastUsedAt) || machine();
}

/** @param {{createdAt: string}} message  @param {any} box */
const written = (message, box) => (box ? writtenAt(message, box, machine() + PACE) : 0);

/**
 * Takes the list's numbers for a store, unless requests have arrived in between.
 * @param {any} box
 * @param {number|undefined} heard  the number of requests when the list was requested
 */
function compare({ name, requests, lastRequest }, heard) {
  const known = of(name);
  if (known.heard !== (heard ?? 0)) return; // a request has arrived in between
  known.counted = true;
  known.lost ||= requests !== known.total; // fewer: they were cleared
  known.total = requests;
  known.last = lastRequest ?? known.last;
}

/** Sorts by arrival, so that nobody moves when others join. @param {Tile} a  @param {Tile} b */
const byArrival = (a, b) =>
  a.createdAt.localeCompare(b.createdAt) || a.title.localeCompare(b.title, undefined, { numeric: true });

/** @returns {Tile[]} */
function tilesNow() {
  const tiles = boxes.map((box) => {
    const { name, title, createdAt, lastUsedAt, clock, faults, operations } = box;
    const known = of(name);
    const used = known.used || (known.total > 0 ? lastUsedAt : createdAt); // the list includes the teacher's requests
    const { done, total, questions } = known;
    const result = { title: called(name), done, requests: total, questions, from: createdAt, to: used };
    if (known.last || !today.results.has(name)) today.results.set(name, result); // a deleted store has no requests
    const vacant = isVacant({ ...box, requests: total }); // the list may be older than the counts
    return { ...known, name, title, createdAt, lastUsedAt: used, clock, faults, operations, vacant };
  });
  return tiles.sort(byArrival);
}

/** Whether a seat was never used, even by requests without its key. @param {any} box  a row of the list */
export const isVacant = ({ vacant = false, requests }) => vacant && requests === 0;

const show = () => room.set({ tiles: tilesNow() });

/** Normalizes a name, so that names that look alike are equal. @param {string} title */
const spelled = (title) => title.normalize("NFC").toLowerCase();

/**
 * Returns the attendee's name of a store. If an earlier attendee has the same name, adds the number at the end of the
 * store's own name, or that whole name if it has no number.
 * @param {string} name
 * @param {{name: string, title: string}[]} all  the stores
 */
export function called(name, all = boxes) {
  const title = all.find((box) => box.name === name)?.title ?? name;
  const namesakes = all.filter((box) => spelled(box.title) === spelled(title) && box.name !== name);
  const [first] = [name, ...namesakes.map((box) => box.name)].sort().sort((a, b) => a.length - b.length);
  const [, number] = /-(\d+)$/.exec(name) ?? [];
  if (name === first) return title;
  return number ? `${title} · ${number}` : `${title} (${name})`;
}

let asking = false;
let again = false;

/** Reads who has joined. */
export async function look() {
  again = asking;
  if (asking || document.hidden) return; // a running look may be older than the change
  asking = true;
  removed.clear();
  try {
    const heard = new Map([...seen].map(([name, known]) => [name, known.heard]));
    const [list, door] = await Promise.all([
      request({ method: "GET", path: "admin/sandboxes?limit=1000", base: server, fresh: true }), // its clock is now
      request({ method: "GET", path: "admin/workshop", base: server, fresh: true }),
    ]);
    boxes = list.data.filter((/** @type {any} */ { name }) => name !== "default" && !removed.has(name));
    const { clock } = list.data.find((/** @type {any} */ box) => box.name === "default");
    skew = Date.now() - machineOf(clock);
    if (room.get().door?.ended && !door.data.ended) for (const part of Object.values(today)) part.clear();
    const names = boxes.map(({ name }) => name);
    for (const name of seen.keys()) if (!names.includes(name)) forget(name);
    if (door.data.ended) keep(today);
    else forgetDay();
    for (const box of boxes) compare(box, heard.get(box.name));
    const changed = boxes.filter(({ name, faults }) => faults > 0 && !ruled.has(name));
    await forEach(changed.map(({ name }) => name), readRules);
    if (room.get().door) room.set({ door: door.data, tiles: tilesNow(), error: null });
    if (door.data.ended) withdrawAll();
    withdrawGone(["default", ...names]);
    await dropLeft();
    await forEach(names.filter((name) => of(name).lost && Date.now() - of(name).asked > AGAIN), catchUp);
    room.set({ door: door.data, tiles: tilesNow(), error: null }); // the first time only once everything is known
  } catch (error) {
    room.set({ error });
  } finally {
    asking = false;
  }
  if (again) await look();
  else wake();
}

let timer = 0;

/** Looks again when a seat becomes vacant, and when a failed reading may succeed. */
function wake() {
  clearTimeout(timer);
  if (locked()) return;
  const seats = boxes.filter(({ requests, vacant }) => !requests && !vacant);
  const waits = seats.map(({ createdAt }) => Date.parse(createdAt) + SEAT - machine()).filter((wait) => wait > 0);
  if (room.get().error) waits.push(EVERY);
  for (const { name } of boxes) {
    const { lost, counted, asked } = of(name);
    if (lost) waits.push(Math.max(EVERY, asked + AGAIN - Date.now()));
    if (!counted) waits.push(EVERY);
  }
  if (waits.length > 0) timer = setTimeout(look, Math.min(...waits) + 1);
}

/** Looks after events that change the list. */
const lookSoon = paced(() => void look(), PACE);

const showSoon = paced(() => document.hidden || show(), SHOWN);

let resumes = false; // whether a lost stream can resume after the last event, since there was one

/** @param {import("../shell/stream.js").StreamEvent} event */
function hear({ name, data }) {
  resumes = true;
  if (name === "gap") {
    for (const known of seen.values()) known.lost = true;
    ruled.clear();
  }
  if (NEWS.includes(name)) lookSoon();
  if (!data.sandbox) return;
  if (name === DROPPED) forget(data.sandbox);
  if (name === "sandbox.updated") ruled.delete(data.sandbox);
  if (name === "message.created") {
    const known = of(data.sandbox);
    const text = saidIn(data);
    known.coming = helpIn(data) ?? known.coming;
    if (text !== undefined) {
      const before = known.said && { ...known.said, before: undefined };
      const { id, createdAt } = data;
      known.said = { id, text, toAll: isToAll(data), asked: known.about, createdAt, at: machine(), before };
    }
    raiseHand(known, handIn(data));
    noteQuestions(known, [data]);
  }
  if (name === "sandbox.reset") { // a reset clears the messages, and perhaps the requests
    const known = of(data.sandbox);
    raiseHand(known, DOWN);
    Object.assign(known, { lost: true, asked: 0 });
    lookSoon();
  }
  if (name === "request") heed(data);
  showSoon();
}

/** @param {Entry & {sandbox: string}} data */
function heed(data) {
  const known = of(data.sandbox);
  known.heard++;
  known.total++;
  if (data.fault) applyRule(data.sandbox, known, data.fault);
  if (!known.lost) return count(data.sandbox, known, data);
  known.last = data;
  known.waiting = [...known.waiting, data].slice(-BEFORE);
}

/** Whether the wall waits for a key that opens it. */
const locked = () => [401, 403].includes(room.get().error?.status);

/** @type {ReturnType<typeof openStream>|undefined} */
let stream;

/** Tries the stream again at once. */
export const retry = () => stream?.retry();

/** Starts looking and listening. */
export function start() {
  stream = openStream(new URL("sandboxes/*/admin/events", server).href, {
    onState(state) {
      const other = state.is !== room.get().stream.is;
      room.set({ stream: state });
      lostAt = state.is === "live" ? 0 : lostAt || Date.now();
      if (state.is !== "live" && !resumes) {
        for (const known of seen.values()) known.lost = true;
        ruled.clear();
      }
      if (!other || !["live", "lost", "refused"].includes(state.is)) return;
      for (const known of seen.values()) known.counted = false;
      void look();
    },
    onEvent: hear,
  });
  setInterval(showSoon, 1000); // the shown ages change
  void look();
}
