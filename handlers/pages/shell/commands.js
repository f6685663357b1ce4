// The commands of the palette.

import { release, setClock } from "../dashboard/clock.js";
import { take as takeFile } from "../dashboard/drop.js";
import { entering } from "../dashboard/opening.js";
import { download } from "../dashboard/files.js";
import { enforce } from "../dashboard/enforce.js";
import { take } from "../dashboard/template.js";
import { askUndo, writeRecord } from "../dashboard/writes.js";
import { go } from "./address.js";
import { get, request, root, sandbox, segment, tables } from "./api.js";
import { isDrawerOpen, toggleDrawer } from "./drawer.js";
import { day } from "./format.js";
import { isDark, toggleTheme } from "./live.js";
import { enter } from "./naming.js";
import { offered } from "./offered.js";
import { ask, askReset, forkCall, listSandboxes, makeCall, open } from "./sandboxes.js";
import { isOwner, session, write } from "./session.js";
import { DAY, instant, nextSunset, withSunset } from "./sunset.js";
import { PATH, presets, sayRules, throttle, throttled } from "./throttle.js";
import { say, sayError } from "./toast.js";

/**
 * @typedef {object} Command
 * @property {string} text
 * @property {string} group
 * @property {string} icon
 * @property {string} [hint]  what it does, in a few words
 * @property {string} [key]  the key that does the same
 * @property {boolean} [on]  whether the choice is on; missing: not a choice
 * @property {string} [also]  other words that find it
 * @property {string} [begins]  text that starts the command, for the user to complete with a name or a date
 * @property {() => unknown} [run]
 */

/** Other words that find a view. @type {Record<string, string>} */
const alsoIn = { time: "sunset", snapshots: "restore", sandboxes: "template key private" };

/** The group of the commands that break an operation. */
const BREAK = "Break an operation";

const OFTEN = 3; // operations that are offered before anything is typed

/** Changes the fault rules, and says so, with Undo. @param {import("./api.js").Call} call @param {string} done */
const rules = (call, done) => async () => {
  try {
    const before = await get(PATH);
    await write(call);
    sayRules(done, before, await get(PATH), undefined, call);
  } catch (problem) {
    sayError(problem, "faults");
  }
};

function undoOfRules() {
  const { last, rules } = throttled.get();
  return last?.holds(rules) ? [{ text: `Undo: ${last.done}`, icon: "undo", run: last.run }] : [];
}

/** Lets the user choose a file to import. */
function chooseFile() {
  const input = document.createElement("input");
  input.type = "file";
  input.onchange = () => takeFile(input.files?.[0]);
  input.click();
}

/** Opens a record, and focuses its editor. @param {Record<string, string|undefined>} of */
const toRecord = (of) => () => {
  entering.current = true;
  go({ view: "data", ...of });
};

/** Does what a key does. @param {string} key */
const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key }));

/** @param {Record<string, unknown>} body @param {string} done */
const clock = (body, done) => () => setClock({ method: "PUT", path: "admin/clock", body }, done);

/**
 * @param {string} group
 * @param {string} icon
 * @param {(Partial<Command> & {text: string})[]} commands
 * @returns {Command[]}
 */
const grouped = (group, icon, commands) => commands.map((command) => ({ group, icon, ...command }));

/**
 * The commands that are always there.
 * @param {import("./shell.js").View[]} views
 * @returns {Command[]}
 */
export function commandsOf(views) {
  const owner = isOwner(session.get());
  return [
    ...grouped("Go to", "next", [
      ...views.map(({ name, title, key }) => ({
        text: title, icon: name, key: key && `g ${key}`, also: `go to ${alsoIn[name] ?? ""}`,
        run: () => go({ view: name }),
      })),
      { text: "Docs", icon: "docs", also: "go to", run: () => location.assign(new URL("docs/", root)) },
    ]),
    ...grouped("Sandbox", "sandboxes", [
      { text: "Reset the sandbox…", icon: "rewind", run: () => askReset() },
      { text: "Save snapshot", icon: "snapshots", run: () => saveSnapshot() },
      ...(session.get().summary?.snapshots ? [{ text: "Restore a snapshot…", icon: "undo", begins: "restore " }] : []),
      ...(owner ? [] : [
        { text: "Create a sandbox…", icon: "plus", run: () => ask("make") },
        { text: "Fork this sandbox…", begins: "fork " },
        ...(sandbox === "default" ? [] : [
          { text: "Delete this sandbox…", icon: "delete", run: () => ask("drop") },
        ]),
        { text: "Use this sandbox as the template", run: () => take(sandbox) },
        { text: "Download everything", icon: "save", also: "export file", run: () => download("world") },
      ]),
      { text: "Download the data", icon: "save", also: "export file", run: () => download("state") },
      { text: "Import a file…", icon: "open", also: "upload", run: chooseFile },
      { text: "Undo the last write", icon: "undo", run: askUndo },
      { text: "Open a pet…", icon: "open", begins: "pet " },
      { text: "Add a pet…", icon: "plus", run: toRecord({ open: "new" }) },
    ]),
    ...grouped("Time", "time", timeCommands()),
    ...grouped("Faults", "gauge", [
      {
        text: "Throttle: Normal", also: "latency speed", on: throttled.get().on.length === 0,
        run: () => throttle(undefined),
      },
      ...presets.map((preset) => ({
        on: throttled.get().on.includes(preset),
        text: `Throttle: ${preset.name}`, hint: preset.text, also: "latency speed",
        run: () => throttle(preset),
      })),
      { text: "Delay every response…", also: "latency wait slow", begins: "delay " },
      { text: "Clear all faults", icon: "close", run: rules({ method: "DELETE", path: PATH }, "Cleared all faults.") },
      ...undoOfRules(),
    ]),
    ...grouped("Page", "api", [
      {
        text: `${isDrawerOpen() ? "Hide" : "Show"} the API calls`,
        key: "`",
        also: "curl",
        run: toggleDrawer,
      },
      { text: "Show the keys", key: "?", also: "? shortcuts help", run: () => press("?") },
      isDark()
        ? { text: "Use light colours", icon: "sun", also: "theme mode", run: toggleTheme }
        : { text: "Use dark colours", icon: "theme", also: "theme mode", run: toggleTheme },
    ]),
    ...breakCommands(),
  ];
}

function timeCommands() {
  const { operations, summary } = session.get();
  const frozen = summary?.clock.frozen;
  const next = nextSunset(operations, instant(summary?.clock.now));
  const name = withSunset(operations).find(({ sunset }) => instant(sunset) === next)?.operationId;
  const travel = (/** @type {string} */ to, /** @type {number} */ at) => ({
    text: `Travel to ${to}`, hint: day(at),
    run: clock({ now: new Date(at).toISOString() }, `It is ${day(at)} now.`),
  });
  return [
    { text: "Travel one hour ahead", run: clock({ advance: "1h" }, "An hour later.") },
    { text: "Travel one day ahead", run: clock({ advance: "24h" }, "A day later.") },
    { text: "Travel to a date…", begins: "travel to " },
    ...(next === undefined ? [] : [
      travel(`the day before ${name}'s sunset`, next - DAY), travel(`the day after ${name}'s sunset`, next + DAY),
    ]),
    frozen
      ? {
          text: "Let the clock run", icon: "play", also: "freeze unfreeze resume",
          run: clock({ frozen: false }, "The clock runs."),
        }
      : {
          text: "Freeze the clock", icon: "pause",
          run: clock({ frozen: true }, "The clock is frozen."),
        },
    {
      text: "Travel back to the machine's time", icon: "undo", also: "real time now",
      run: () => setClock(release, "It is the machine's time again."),
    },
    ...withSunset(operations).map((operation) => {
      const { operationId, enforceSunset } = operation;
      return {
        text: `${enforceSunset ? "Stop enforcing" : "Enforce"} the sunset of ${operationId}`,
        icon: "flag",
        also: "410 enforce",
        run: () => enforce([operation], !enforceSunset),
      };
    }),
  ];
}

/** Returns commands that make the next request of an operation fail, the most called operation first. */
function breakCommands() {
  const operations = [...session.get().operations].sort((a, b) => b.calls - a.calls);
  return grouped(BREAK, "faults", operations.map(({ operationId }) => {
    const call = { method: "POST", path: PATH, body: { match: { operationId }, status: 503, times: 1 } };
    return {
      text: `Break ${operationId}: fail the next one`,
      run: rules(call, `The next ${operationId} fails.`),
    };
  }));
}

/**
 * Drops all but a few of the commands that break an operation, for the list before anything is typed.
 * @param {Command[]} commands
 */
export function fewOf(commands) {
  let breaks = 0;
  return commands.filter(({ group }) => group !== BREAK || ++breaks <= OFTEN);
}

/**
 * Returns the commands with those that break an operation last, unless the text asks for them. They run at once, and
 * “create” means a sandbox rather than “Break createPet”.
 * @param {Command[]} commands @param {string} text
 */
export function breaksLast(commands, text) {
  if (/\b(bre|fail)/i.test(text)) return commands;
  const isBreak = (/** @type {Command} */ { group }) => Number(group === BREAK);
  return commands.toSorted((a, b) => isBreak(a) - isBreak(b));
}

/** Saves a snapshot under the suggested name. */
async function saveSnapshot() {
  try {
    const { data } = await request({ method: "GET", path: "admin/snapshots" });
    const name = offered(data.map((/** @type {{name: string}} */ one) => one.name));
    const call = { method: "PUT", path: `admin/snapshots/${name}` };
    await write(call);
    say(`Saved snapshot “${name}”.`, { about: ["snapshots"], call });
  } catch (problem) {
    sayError(problem, "snapshots");
  }
}

// Matches a record, such as “pet 7”, “pets/7” or its address.
const words = tables.flatMap(({ one, name }) => [one, name]).join("|");
const RECORD = new RegExp(`^(?:open |\\S*/)?(${words})[ /](\\d+)$`, "i");

/** Returns the command that finds a text in the requests. @param {string} text @returns {Command} */
export const searchCommand = (text) => ({
  text: `Find “${text.trim()}” in the requests`, group: "Requests", icon: "search",
  run: () => go({ q: text.trim() }),
});

/**
 * Returns the commands for a record, a date or a delay that is typed.
 * @param {string} text
 * @returns {Command[]}
 */
export function commandsBy(text) {
  const record = RECORD.exec(text.trim());
  if (record) {
    const word = record[1].toLowerCase();
    const one = tables.find(({ name }) => name === word)?.one ?? word;
    return [openCommand(one, record[2], `${one} ${record[2]}`)];
  }
  const ms = Number(/^(?:delay|latency) (\d{1,5}) ?(?:ms)?$/i.exec(text.trim())?.[1] ?? 0);
  if (ms > 0) {
    const call = { method: "POST", path: PATH, body: { delay: { fixedMs: ms } } };
    const run = rules(call, `Every response waits ${ms} ms.`);
    return [{ text: `Delay every response by ${ms} ms`, group: "Faults", icon: "gauge", run }];
  }
  const date = /^(?:travel (?:to )?)?(\d{4}-\d\d-\d\d)$/i.exec(text.trim())?.[1];
  if (date && new Date(`${date}T00:00Z`).toJSON()?.startsWith(date)) {
    const run = clock({ now: `${date}T00:00:00Z` }, `It is ${date} now.`);
    return [{ text: `Travel to ${date}`, group: "Time", icon: "time", run }];
  }
  return [];
}

/** @param {string} one @param {string} id @param {string} called @returns {Command} */
const openCommand = (one, id, called) => ({
  text: `Open ${called}`, group: "Records", icon: "data",
  run: toRecord({ table: tables.find((table) => table.one === one)?.name, open: id }),
});

/** Matches the words before a name, and the name. */
const NAMED =
  /^\s*(?:(fork|create|restore|open|go to|pet)\b)?\s*(?:(?:a |this )?(?:sandbox|snapshot)\b)?\s*(?:as\b)?\s*(.*)$/i;

/**
 * Returns commands for the pets, snapshots and sandboxes with a name like the typed one.
 * @param {string} text
 * @param {AbortSignal} signal
 * @returns {Promise<Command[]>}
 */
export async function commandsFound(text, signal) {
  const [, verb = "", name = ""] = NAMED.exec(text.trim()) ?? [];
  if (!name && verb.toLowerCase() !== "restore") return [];
  const none = () => ({ rows: [], total: 0 });
  const owner = isOwner(session.get());
  const boxes = owner || !name ? none()
    : listSandboxes({ name, sort: "-lastUsedAt", limit: 5 }, signal).catch(none);
  const called = name ? get(`admin/data/pets?limit=5&name=${encodeURIComponent(name)}`, signal).catch(() => []) : [];
  const kept = get("admin/snapshots", signal).catch(() => []);
  const [snapshots, pets, { rows }] = await Promise.all([kept, called, boxes]);
  const found = [
    ...pets.map((/** @type {{id: number, name: string}} */ pet) =>
      openCommand("pet", String(pet.id), `pet ${pet.id}, ${pet.name}`)),
    ...grouped("Snapshots", "undo", snapshots.map((/** @type {{name: string}} */ one) => ({
      text: `Restore snapshot “${one.name}”`,
      run: () => writeRecord(restoreCall(one.name), `Restored “${one.name}”.`).catch(sayError),
    }))),
    ...grouped("Go to", "sandboxes", rows.filter((row) => row.name !== sandbox).map((row) => ({
      text: `Sandbox ${row.title}`, also: "go to", run: () => open(row.name),
    }))),
  ];
  const verbs = owner ? {} : { fork: `Fork this sandbox as “${name}”`, create: `Create sandbox “${name}”` };
  const acts = {
    fork: () => request(forkCall(sandbox)(name)).then(({ data }) => enter(data, true), sayError),
    create: () => request(makeCall(name)).then(({ data }) => enter(data), sayError),
  };
  const asked = /** @type {("fork"|"create")[]} */ (Object.keys(verbs))
    .filter((one) => name && one === verb.toLowerCase());
  return [...grouped("Sandbox", "plus", asked.map((one) => ({ text: verbs[one] ?? "", run: acts[one] }))), ...found];
}

/** @param {string} name */
const restoreCall = (name) => ({ method: "POST", path: `admin/snapshots/${segment(name)}/restore` });
