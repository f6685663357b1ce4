// The requests of the sandbox, newest first: those that the server keeps, further back if the user asks, and new ones
// as they arrive. Their ids are consecutive.

import { change } from "../shell/address.js";
import { get, tables } from "../shell/api.js";
import { onEvent, session } from "../shell/session.js";
import { createStore } from "../shell/store.js";
import { paced } from "../shell/stream.js";

/** @typedef {import("../shell/types.js").Entry} Entry */

const MOST = 1000; // entries that the server returns at once, and the page keeps until the user asks for older ones
const AGAIN = 2000; // ms until it reads the journal again after an error
const NEW = 600; // ms for which a request fades in
const EVERY = 120; // ms; requests in between show together
const PACE = 600; // ms between two readings or checks after events

/** @type {import("../shell/types.js").Kept} */
const nothing = { entries: [], loading: true, error: null, lost: 0, room: MOST, older: 0 };

export const journal = createStore(nothing);

/** @type {Entry[]} */
let fresh = [];

/** When entries arrived, if the page was open. @type {WeakMap<Entry, number>} */
const arrivals = new WeakMap();

/** @param {Entry} entry */
export const isFresh = (entry) => performance.now() - (arrivals.get(entry) ?? -Infinity) < NEW;
let timer = 0;
let begun = false;
let retry = 0;

/** Opens the request of a response, once it is in the journal. @param {Response} response */
export function openOf({ headers }) {
  const id = headers.get("X-Request-Id");
  const look = () => {
    const entry = journal.get().entries.find(({ requestId }) => requestId === id);
    if (entry) change({ id: String(entry.id) });
    return entry;
  };
  if (!look()) setTimeout(look, 4 * EVERY);
}

/** Says why the journal has a request no more. @param {boolean} [restarted]  the server */
export const whyGone = (restarted) => (restarted ? "The server restarted with an empty journal."
  : "The journal has no room for it any more, or was cleared.");

/** Starts to follow the journal, once. */
export function follow() {
  if (begun) return;
  begun = true;
  onEvent((event) => {
    if (event.name === "request") {
      fresh.push(event.data);
      if (fresh.length > MOST) fresh = fresh.slice(-MOST);
      timer ||= setTimeout(flush, EVERY);
    } else if (event.name === "gap" || event.name === "sandbox.reset") reload();
    else if (event.name === "sandbox.updated") check();
  });
  let state = session.get().stream.is;
  session.listen(() => {
    const now = session.get().stream.is;
    if (now === "live" && state !== "live") void load(); // the stream does not repeat all missed events
    state = now;
  });
  if (state === "live" || state === "lost") void load();
}

function flush() {
  timer = 0;
  for (const entry of fresh) arrivals.set(entry, performance.now());
  const entries = merge(fresh, journal.get().entries);
  fresh = [];
  journal.set({ entries });
}

/**
 * Merges two lists, newest first, without duplicates.
 * @param {Entry[]} some
 * @param {Entry[]} others
 */
function merge(some, others) {
  const byId = new Map(others.map((entry) => [entry.id, entry]));
  for (const entry of some) byId.set(entry.id, entry);
  return [...byId.values()].sort((a, b) => b.id - a.id).slice(0, journal.get().room);
}

/** Counts the kept requests that are older than the entries. @param {Entry[]} entries @param {number} oldest */
const olderThan = (entries, oldest) => Math.max(0, (entries.at(-1)?.id ?? oldest) - oldest);

/** Whether no gap is between the others and the older entries. @param {Entry[]} entries @param {Entry[]} others */
const goOn = ([first], others) => Boolean(first) && others.length > 0 && first.id >= (others.at(-1)?.id ?? 0) - 1;

/** @param {string} query @returns {Promise<import("../shell/types.js").Journal>} */
const read = (query) => get(`admin/requests?${query}&limit=${MOST}`);

/** Reads the requests that the server keeps. */
export async function load() {
  const last = journal.get().entries[0]?.id ?? 0;
  try {
    const { requests, dropped, oldest = 0 } = await read("order=desc");
    const newest = requests[0]?.id ?? 0;
    const same = newest >= last; // false after a restart, which begins again with id 1
    const before = same ? journal.get().entries.filter(({ id }) => id >= oldest) : [];
    const known = journal.get().entries[0]?.id ?? newest;
    const lost = Math.max(0, oldest - known - 1);
    const since = fresh.filter((entry) => entry.id > newest);
    fresh = [];
    const entries = merge([...since, ...requests], goOn(before, requests) ? before : []);
    const first = oldest ? oldest - dropped : undefined;
    journal.set({ entries, loading: false, error: null, lost, older: olderThan(entries, oldest), first });
  } catch (error) {
    journal.set({ error });
    clearTimeout(retry);
    const again = () => session.get().stream.is === "live" && void load(); // otherwise the stream's return reads it
    retry = setTimeout(again, AGAIN);
  }
}

/** Reads the journal again, for example because an undo marks requests. */
const reload = paced(() => void load(), PACE);

/** Reads the journal again if it was cleared, which changes its first id. */
const check = paced(() => {
  flush(); // requests from before the clearing are gone too
  get("admin/requests?limit=1").then(({ oldest, dropped }) => {
    const { entries, first } = journal.get();
    if (oldest ? oldest - dropped !== first : entries.length > 0) void load();
  }, () => undefined);
}, PACE);

/**
 * Returns how many older requests the server keeps, and how many it has dropped, as far as is known: the summary may be
 * older than the newest entries, which replace others once the journal is full.
 * @param {import("../shell/types.js").Kept} state
 * @param {import("../shell/types.js").Summary} [summary]
 */
export function olderKept({ entries, older, first }, summary) {
  if (!summary?.journal) return { older, gone: 0 };
  const { entries: kept, dropped } = summary.journal;
  const since = first && entries.length > 0 ? Math.max(0, entries[0].id - first + 1 - kept - dropped) : 0;
  const [room, gone] = dropped > 0 ? [kept, dropped + since] : [kept + since, 0];
  return { older: entries.length < MOST ? 0 : Math.max(0, room - entries.length), gone };
}

/** Reads the thousand requests before those that the page has. */
export async function loadOlder() {
  const { entries: known } = journal.get();
  const before = known.at(-1)?.id ?? 1;
  const { requests, oldest = 0 } = await read(`since=${Math.max(0, before - 1 - MOST)}`);
  const more = requests.filter(({ id }) => id < before);
  journal.set({ room: journal.get().room + more.length });
  const entries = merge(more, journal.get().entries);
  journal.set({ entries, older: olderThan(entries, oldest) });
}

/** @typedef {{code: string, message: string, details: {field: string, message: string}[]}|undefined} Problem */

/** The parsed errors. @type {WeakMap<Entry, Problem>} */
const errors = new WeakMap();

/** Returns the response as an error of the API, if it is one. @param {Entry} entry @returns {Problem} */
export function errorOf(entry) {
  if (!errors.has(entry)) errors.set(entry, readError(entry));
  return errors.get(entry);
}

/** @param {Entry} entry @returns {Problem} */
function readError({ status, response }) {
  if (status < 400 || !response?.body) return undefined;
  try {
    const { code, message, details } = JSON.parse(response.body);
    return { code: String(code), message: String(message), details: details ?? [] };
  } catch {
    return undefined; // truncated, or not from the service
  }
}

/** Returns the first field that the error names, or "". @param {Entry} entry */
export const fieldOf = (entry) => errorOf(entry)?.details[0]?.field ?? "";

/** @param {Entry} entry */
export const cameAt = ({ receivedAt, time }) => Date.parse(receivedAt ?? time);

/** Whether an operation refused a word of the path as its parameter, such as /pets/findByTags. @param {Entry} entry */
export function isMisread(entry) {
  const [{ field = "/", message = "" } = {}] = errorOf(entry)?.details ?? [];
  const [, word = "/"] = / not "([a-z]\w*)"$/i.exec(message) ?? [];
  return !field.startsWith("/") && entry.path.split("/").includes(word);
}

/** @param {Entry} entry */
export const deprecated = (entry) => Boolean(entry.response?.headers.Deprecation) && !isMisread(entry);

/** Whether a fault rule failed the request. Another rule may have delayed the response. @param {Entry} entry */
export function isOfRule(entry) {
  if (!entry.fault || (entry.status >= 1 && entry.status < 400)) return false;
  const message = errorOf(entry)?.message ?? "fault rule ";
  const full = entry.status === 507; // operations return it too, like a 4xx
  return message.startsWith("fault rule ") || entry.status >= 500 && !full;
}

/** The end of a message, which a line leaves out. */
const END = /;? \S+ describes every path$|, see details(?=\)$)/;

/** The message of a rule that responds instead of the operation. */
const FAILED = /^fault (rule \d+) returned status \d+, so/;

/** The message of a rule whose response replaced the operation's. */
const REPLACED = /^fault rule (\d+) replaced the operation's response \(status (\d+)\) with status (\d+)$/;

/** @param {Entry} entry */
export const ranStatus = (entry) => Number(REPLACED.exec(errorOf(entry)?.message ?? "")?.[2] ?? entry.status);

/** Returns why a request failed, in one line. @param {Entry} entry */
export function reasonOf(entry) {
  const rule = isOfRule(entry) ? `rule ${entry.fault}` : "";
  if (entry.status === 0) return rule ? `${rule} broke the connection` : "the connection was broken off";
  return errorOf(entry)?.message.replace(END, "").replace(FAILED, "$1:")
    .replace(REPLACED, "rule $1: $3 after the operation ran ($2)") ?? rule;
}

/** @type {Record<string, string>} */
const did = { POST: "added", PUT: "replaced", PATCH: "patched", DELETE: "removed" };
const RECORD = new RegExp(`/(${tables.map(({ path }) => path).join("|")})/(\\d+)$`);

const FIELDS = 3; // the most that a line names

/** Says what a PATCH does. @param {string} [body] */
function patchOf(body = "") {
  try {
    const fields = Object.keys(JSON.parse(body));
    return fields.length > 0 && fields.length <= FIELDS ? `set ${fields.join(", ")} of` : did.PATCH;
  } catch {
    return did.PATCH; // truncated
  }
}

/** Says what a write did to which record, as far as is known. @param {Entry} entry */
export function effectOf({ method, path, status, changed, undone, body, response }) {
  if (status < 200 || status > 299) return "";
  const made = status === 201;
  const [, of, id] = RECORD.exec((made && response?.headers.Location) || path) ?? [];
  const one = tables.find(({ path }) => path === of)?.one;
  if (!one || !did[method]) return "";
  if (!changed) return `no change to ${one} ${id}`;
  return `${undone ? "undone: " : ""}${made ? "added" : method === "PATCH" ? patchOf(body) : did[method]} ${one} ${id}`;
}

const AROUND = 12; // characters before the text

/** @param {Entry} entry */
export const agentOf = ({ headers }) => headers?.["User-Agent"] ?? "";

/** Returns the texts of a request that its line does not show: of an error, only values. @param {Entry} entry */
export function textsOf(entry) {
  const error = errorOf(entry);
  const details = error?.details.map(({ field, message }) => `${field.replace("/", "")}: ${message}`) ?? [];
  const response = error ? [error.code, ...details] : [entry.response?.body ?? ""];
  return [entry.body ?? "", ...response, agentOf(entry), entry.requestId ?? ""];
}

/**
 * Returns what surrounds the first word that the request's line does not show, or "".
 * @param {Entry} entry
 * @param {string[]} words  in lower case
 */
export function placeIn(entry, words) {
  const { method, status, path, query = "", clientName } = entry;
  const line = [method, status, `${path}?${query}`, clientName, reasonOf(entry) || effectOf(entry)].join(" ");
  for (const word of words.filter((one) => !line.toLowerCase().includes(one))) {
    const found = textsOf(entry).find((one) => one.toLowerCase().includes(word)) ?? "";
    const from = found.toLowerCase().indexOf(word) - AROUND;
    if (found) return from > AROUND ? `…${found.slice(from).replace(/^\w{1,10}\W/, "")}` : found;
  }
  return "";
}
