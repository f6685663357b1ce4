// Replaces the sandbox with a file, after saying what that replaces.

import { html, useEffect, useState } from "../library/preact.js";
import { follow, link, params } from "../shell/address.js";
import { sandbox, send } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Dialog, ErrorNote } from "../shell/components.js";
import { capital, count } from "../shell/format.js";
import { isOwner, readSummary, session, write } from "../shell/session.js";
import { CurlLine } from "../shell/source.js";
import { useStore } from "../shell/store.js";
import { say, sayError } from "../shell/toast.js";
import { readBounded } from "./bounded.js";
import { clockOf, contentsOf, differenceOf, differenceOfWorlds } from "./contents.js";
import { FileInput } from "./drop.js";
import { undo } from "./writes.js";

/** @typedef {import("../shell/api.js").Call} Call */
/** @typedef {import("./contents.js").Taken} Taken */

const LASTS = 60_000; // ms for which it can be undone

/** @param {{file: File, onClose: () => void}} props */
export function Import({ file, onClose }) {
  const [read, setRead] = useState(/** @type {{taken?: Taken, error?: any}|null} */ (null));
  const fail = (/** @type {any} */ error) => setRead({ error });
  useEffect(() => {
    const look = (/** @type {string} */ text) => {
      const taken = contentsOf(file.name, text);
      const denied = taken.what === "world" && isOwner(session.get());
      setRead(denied ? { error: new Error("It is a whole sandbox, which needs the admin key.") } : { taken });
    };
    file.text().then(look).catch(fail);
  }, []);
  if (!read) return null;
  const { taken, error } = read;
  const leave = (/** @type {MouseEvent} */ event) => {
    follow(event);
    onClose();
  };
  if (taken) return html`<${Question} file=${taken} onClose=${onClose} onFail=${fail} />`;
  return html`
    <${Dialog} title=${`“${file.name}” was not imported`} onClose=${onClose}>
      <${Problems} error=${error} />
      <div class="row">
        <label class="button plain-border">Choose another file <${FileInput} /></label>
        ${params().view !== "snapshots" && html`
          <a class="button" href=${link({ view: "snapshots" })} onClick=${leave}>Download one in Snapshots</a>`}
        <button type="button" onClick=${onClose}>Cancel</button>
      </div>
    <//>`;
}

/** Returns a place as people write it: pets[0].name for /pets/0/name. @param {string} pointer */
const placeOf = (pointer) => pointer.slice(1).replaceAll(/\/(\d+)/g, "[$1]").replaceAll("/", ".");

/** Shows what is wrong with a file, and where. @param {{error: any}} props */
function Problems({ error }) {
  if (!error.details?.length) return html`<${ErrorNote} error=${error} />`;
  return html`<div class="error-note" role="alert">
    <ul>
      ${error.details.map((/** @type {any} */ { field, message }) => html`
        <li key=${field}><span class="wire">${placeOf(field)}</span> ${message}</li>`)}
    </ul>
    <p>Nothing was replaced. Correct the file, and choose it again.</p>
  </div>`;
}

export const CLEARED = "the requests, the deprecated calls and the idempotency keys";

const goes = {
  world: `Lifecycle and baseline become those of the file too. ${capital(CLEARED)} are cleared.`
    + " You can undo the rest for a minute.",
  state: "Snapshots, clock, faults, lifecycle and requests stay. You can undo it for a minute.",
};

const MOST = 2 << 20; // characters of the data to compare

/** Says how the file's records differ from the current ones. @param {Taken} file */
function useDifference({ what, text }) {
  const [told, setTold] = useState("");
  useEffect(() => {
    const stop = new AbortController();
    const compare = what === "state" ? differenceOf : differenceOfWorlds;
    const tell = (/** @type {any} */ now) => now && setTold(compare(now, JSON.parse(text)));
    if (text.length < MOST) void readBounded(`admin/${what}`, MOST, stop.signal).then(tell, () => undefined);
    return () => stop.abort();
  }, []);
  return told;
}

/** @param {{file: Taken, onClose: () => void, onFail: (error: any) => void}} props */
function Question({ file, onClose, onFail }) {
  const { summary } = useStore(session);
  const told = useDifference(file);
  const [busy, setBusy] = useState(false);
  const replace = () => {
    setBusy(true);
    void replaceBy(file).then(onClose, onFail);
  };
  /** @type {Record<string, number|string|undefined>} */
  const now = {
    ...summary?.counts, snapshots: summary?.snapshots, "fault rules": summary?.faults,
    clock: summary && clockOf(summary.clock),
  };
  const shown = (/** @type {number|string|undefined} */ n = "") => (typeof n === "number" ? count(n) : n);
  const call = () => callOf(file.what, `@${file.name}`);
  return html`
    <${Dialog} title=${`Replace “${sandbox}” with “${file.name}”?`} onClose=${onClose}>
      <div class="stack">
        <table>
          <thead>
            <tr>
              <td></td>
              <th class="number">Now</th>
              <th class="number">In the file</th>
            </tr>
          </thead>
          <tbody>
            ${Object.entries(file.counts).map(([what, n]) => html`
              <tr key=${what} class=${now[what] === n ? "note" : ""}>
                <td class="keep">${capital(what)}</td>
                <td class="number">${shown(now[what])}</td>
                <td class="number">${now[what] === n ? shown(n) : html`<strong>${shown(n)}</strong>`}</td>
              </tr>`)}
          </tbody>
        </table>
        <p>${told} ${goes[file.what]}</p>
        <${CurlLine} call=${call()} />
        <div class="row">
          <button type="button" class="danger" disabled=${busy} onClick=${replace}>Replace</button>
          <${Code} label="import a file" call=${call} />
          <button type="button" autofocus onClick=${onClose}>Cancel</button>
        </div>
      </div>
    <//>`;
}

/** @param {string} what @param {string} text @returns {Call} */
const callOf = (what, text) => ({ method: "PUT", path: `admin/${what}`, body: text });

/** Replaces what is in the sandbox, and offers an Undo. @param {Taken} file */
const replaceBy = ({ name, what, text }) => replace(callOf(what, text), what, {
  text: `Replaced the ${what === "world" ? "sandbox" : "data"} with “${name}”.${
    what === "world" ? ` Undo does not bring back ${CLEARED}.` : ""}`,
  restored: what === "world" ? `Undid the import. ${capital(CLEARED)} are gone.` : "Undid the import.",
  about: what === "world" ? ["data", "clock", "faults", "snapshots"] : ["data"],
});

/**
 * Sends a call that replaces what is in a sandbox, and offers an Undo.
 * @param {Call} call
 * @param {string} what  what Undo restores: world, state, or "" if the data stays
 * @param {{text: string, restored: string, about: string[], undoes?: boolean}} done  texts for the toasts
 * @param {URL} [base]  missing: the sandbox that the page shows
 * @param {() => Promise<Call[]>} [more]  returns the calls that restore other parts
 */
export async function replace(call, what, { text, restored, about, undoes = true }, base, more) {
  const read = (/** @type {string} */ path) => send({ method: "GET", path, base }).then((answer) => answer.text());
  const clock = what === "world" && JSON.parse(await read("admin/clock"));
  const before = what && await read(`admin/${what}`);
  const began = Date.now();
  const summary = base ? async () => JSON.parse(await read("admin")) : readSummary;
  await write(call);
  if (!undoes) return void say(text, { about });
  const { writes } = await summary();
  const back = async () => {
    try {
      if (what) await write({ ...callOf(what, before), base });
      if (clock && !clock.frozen) await write({ ...goOn(clock, Date.now() - began), base });
      for (const one of await more?.() ?? []) await write({ ...one, base });
      say(restored, { about });
    } catch (problem) {
      sayError(problem, "data");
    }
  };
  const ask = (/** @type {{writes: number}} */ now) =>
    undo(now.writes < writes ? 0 : writes, back, summary); // 0: there was a reset since
  const run = () => void (what ? summary().then(ask).catch(sayError) : back());
  say(text, { about, action: { text: "Undo", run }, lasts: LASTS });
}

/**
 * Returns the call that moves a restored clock, which was not frozen, to the time that it would show by now.
 * @param {import("../shell/types.js").Clock} was
 * @param {number} passed  ms
 * @returns {Call}
 */
function goOn({ offsetSeconds }, passed) {
  if (offsetSeconds === 0) return { method: "DELETE", path: "admin/clock" };
  return { method: "PUT", path: "admin/clock", body: { advance: `${passed}ms` } };
}
