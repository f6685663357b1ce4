// What differs from the baseline, as far as it is worth showing.

import { html, useEffect, useState } from "../library/preact.js";
import { change, follow, link, params } from "../shell/address.js";
import { request } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Empty } from "../shell/components.js";
import { capital, count } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { sayError } from "../shell/toast.js";
import { readBounded } from "./bounded.js";
import { pathOf } from "./following.js";
import { bodyOf } from "./merge.js";
import { open } from "./record.js";
import { writeRecord } from "./writes.js";

const MOST_BYTES = 2 << 20; // of a difference; more is too much to look through
const MOST_ROWS = 500;
const SETTLE = 400; // ms without another change

/** @type {Map<number, any>} */
const NONE = new Map();

/** @typedef {import("./states.js").Changes} Changes */
/** @typedef {Record<string, Changes>|"many"|null} Difference */

let known = /** @type {Difference} */ (null); // what was read last, for a view that opens while the server is away

/**
 * Reads a difference, as long as it is not too long.
 * @param {string} path
 * @param {AbortSignal} signal
 * @returns {Promise<Difference>}
 */
export const readDifference = async (path, signal) => (await readBounded(path, MOST_BYTES, signal)) ?? "many";

/**
 * Returns what differs from the baseline; null: it is not known yet.
 * @param {number} changes  counts up with every change
 * @returns {Difference}
 */
export function useDifference(changes) {
  const [difference, setDifference] = useState(known);
  useEffect(() => {
    const stop = new AbortController();
    const tell = (/** @type {Difference} */ read) => setDifference(known = read);
    const read = () => readDifference("admin/state/diff", stop.signal).then(tell, () => undefined);
    const timer = setTimeout(read, SETTLE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [changes]);
  return difference;
}

/** How many records of a noun differ. @param {Difference} difference @param {string} noun */
export function sizeOf(difference, noun) {
  if (difference === null || difference === "many") return difference;
  const { added, changed, removed } = difference[noun];
  return added.length + changed.length + removed.length;
}

/** The fields that differ, with both values as texts. @param {any} before @param {any} after */
const differing = (before, after) => [...new Set([...Object.keys(before), ...Object.keys(after)])]
  .filter((name) => before[name] !== after[name])
  .map((name) => [name, String(before[name] ?? "none"), String(after[name] ?? "none")]);

/** The fields that differ, as words. @param {any} before @param {any} after */
const fields = (before, after) => differing(before, after).map(([name, was, is]) => html`
  <span key=${name} class="changed-field">
    <span class="note">${name}</span>${" "}
    <del><bdi>${was}</bdi></del> → <ins><bdi>${is}</bdi></ins>
  </span>`);

/** The same as a title, for where it is cut. @param {any} before @param {any} after */
const titleOf = (before, after) =>
  differing(before, after).map(([name, was, is]) => `${name} ${was} → ${is}`).join(", ");

/** What is in a record. A text that is read from right to left turns nothing else around. @param {any} record */
const words = (record) => Object.entries(record).filter(([name]) => name !== "id").map(([name, value], i) => html`
  <span key=${name}>${i > 0 && ", "}${name}: <bdi>${String(value)}</bdi></span>`);

/** The name of a record that has changed otherwise. @param {any} before @param {any} after */
const nameOf = (before, after) =>
  before.name === after.name && after.name && html`<strong><bdi>${after.name}</bdi></strong> `;

/** What is in a record, or what has changed in it. @param {any} record @param {any} [before] */
export const toldOf = (record, before) => (before ? fields(before, record) : words(record));

/**
 * What has become of the records that are there, by id.
 * @param {Difference} difference
 * @param {import("./nouns.js").Noun} noun
 */
export function since(difference, noun) {
  if (difference === null || difference === "many") return NONE;
  const { added, changed } = difference[noun.name];
  const told = new Map(changed.map(({ before, after }) => [after[noun.id], {
    mark: "changed", text: html`<span title=${titleOf(before, after)}>${fields(before, after)}</span>`,
  }]));
  for (const record of added) {
    told.set(record[noun.id], { mark: "added", text: html`<span class="badge is-added">added</span>` });
  }
  return told;
}

/** @typedef {{what: string, record: any, before?: any}} Changed */

/**
 * What has become of one record since the baseline. Missing: nothing, or it is not known.
 * @param {Difference} difference
 * @param {import("./nouns.js").Noun} noun
 * @param {string} id
 * @returns {Changed|undefined}
 */
export function changeOf(difference, noun, id) {
  if (difference === null || difference === "many") return undefined;
  const { added, changed } = difference[noun.name];
  const is = (/** @type {any} */ record) => String(record[noun.id]) === id;
  const both = changed.find(({ after }) => is(after));
  if (both) return { what: "changed", record: both.after, before: both.before };
  const record = added.find(is);
  return record && { what: "added", record };
}

/** What has become of an open record. @param {{noun: import("./nouns.js").Noun, row: Changed}} props */
export const SinceBaseline = ({ noun, row }) => html`
  <span class=${`badge is-${row.what}`} title="Since the baseline">${row.what}</span>
  ${row.before && html`<${RowUndo} noun=${noun} row=${row} />`}`;

/**
 * Adds a record that was removed. Only Undo and Restore give it its id back.
 * @param {{noun: import("./nouns.js").Noun, record: any}} props
 */
function AddAgain({ noun, record }) {
  const label = `Add ${noun.one} ${record[noun.id]} again`;
  const call = { method: "POST", path: pathOf(noun, "new"), body: bodyOf(noun.inputs, null, record) };
  const done = `Added the ${noun.one} again, with a new id.`;
  return html`<span class="pair">
    <button type="button" aria-label=${label} title="It gets a new id. Only Undo and Restore give it its id back."
      onClick=${() => writeRecord(call, done).catch((error) => sayError(error, "data"))}>
      <${Icon} name="plus" />
      Add again
    </button>
    <${Code} label=${label} call=${() => call} />
  </span>`;
}

/**
 * Takes back what has changed of one record, unless it changes meanwhile.
 * @param {{noun: import("./nouns.js").Noun, row: Changed}} props
 */
function RowUndo({ noun, row: { what, record, before } }) {
  const id = String(record[noun.id]);
  if (what === "removed") return noun.create && html`<${AddAgain} noun=${noun} record=${record} />`;
  if (what === "added" ? !noun.remove : !noun.change) return null;
  const call = (/** @type {string} */ tag) => revertOf(noun, id, record, before, tag);
  const run = async () => {
    try {
      const { data, headers } = await request({ method: "GET", path: pathOf(noun, id) });
      if (JSON.stringify(data) !== JSON.stringify(record)) {
        throw new Error(`${capital(noun.one)} ${id} has changed meanwhile. Look at it again.`);
      }
      const done = before ? `${capital(noun.one)} ${id} is as in the baseline.` : `Deleted ${noun.one} ${id}.`;
      await writeRecord(call(headers.get("ETag") ?? "*"), done);
    } catch (error) {
      sayError(error, "data");
    }
  };
  return html`<span class="pair">
    <button type="button" aria-label=${`Undo the change of ${noun.one} ${id}`} onClick=${run}>
      <${Icon} name="undo" />
      Undo
    </button>
    <${Code} label=${`undo the change of ${noun.one} ${id}`} call=${() => call("*")} />
  </span>`;
}

/**
 * The call that takes back what has changed of one record.
 * @param {import("./nouns.js").Noun} noun
 * @param {string} id
 * @param {any} record
 * @param {any} before  missing: it was added
 * @param {string} tag
 * @returns {import("../shell/api.js").Call}
 */
function revertOf(noun, id, record, before, tag) {
  const path = pathOf(noun, id);
  const headers = { "If-Match": tag };
  if (!before) return { method: "DELETE", path, headers };
  const body = bodyOf(noun.inputs, noun.change === "PUT" ? null : record, before);
  return { method: noun.change ?? "PATCH", path, body, headers };
}

/**
 * @param {object} props
 * @param {Difference} props.difference
 * @param {import("./nouns.js").Noun} props.noun
 * @param {string} [props.since]  what it is from; missing: the baseline
 */
export function ChangedRows({ difference, noun, since }) {
  if (difference === null) return null;
  if (difference === "many") return html`
    <${Empty} title="Too much has changed to list it">
      <p>Most of the data is not that of the baseline. <code>GET /admin/state/diff</code> has all of it.</p>
    <//>`;
  const { added, changed, removed } = difference[noun.name];
  const rows = [
    ...added.map((record) => ({ what: "added", record, told: toldOf(record) })),
    ...changed.map(({ before, after }) => (
      { what: "changed", record: after, before, told: html`${nameOf(before, after)}${toldOf(after, before)}` })),
    ...removed.map((record) => ({ what: "removed", record, told: toldOf(record) })),
  ].sort((a, b) => a.record[noun.id] - b.record[noun.id]);
  if (rows.length === 0 && since) return html`
    <${Empty} title="Nothing changed here">
      <p>These ${noun.title.toLowerCase()} are those of ${since}.</p>
    <//>`;
  if (rows.length === 0) return html`
    <${Empty} title="As in the baseline">
      <p>A reset would change nothing here.</p>
      <button type="button" class="plain-border" onClick=${() => change({ changed: "" })}>Show all</button>
    <//>`;
  /** @param {typeof rows[0]} row */
  const idOf = ({ what, record: { [noun.id]: id } }) => {
    if (what === "removed") return id;
    if (!since) return html`<button type="button" class="quiet id" onClick=${() => open(String(id))}>${id}</button>`;
    const to = link({ view: "data", at: params().at, table: noun.name, open: String(id) });
    return html`<a href=${to} onClick=${follow}>${id}</a>`;
  };
  /** @param {typeof rows[0]} row */
  const opens = ({ what, record: { [noun.id]: id } }) => (what !== "removed" && !since && {
    class: "opens",
    "aria-selected": params().open === String(id),
    onClick: (/** @type {Event} */ event) =>
      /** @type {Element} */ (event.target).closest("button") || open(String(id)),
  });
  return html`
    <table>
      <thead>
        <tr>
          <th class="number">Id</th>
          <th>Since ${since ?? "the baseline"}</th>
          <th>What</th>
          ${!since && html`<td class="does"></td>`}
        </tr>
      </thead>
      <tbody>${rows.slice(0, MOST_ROWS).map((row) => html`
        <tr key=${`${row.what} ${row.record[noun.id]}`} id=${since ? undefined : `row-${row.record[noun.id]}`}
          ...${opens(row)}>
          <td class="number">${idOf(row)}</td>
          <td><span class=${`badge is-${row.what}`}>${row.what}</span></td>
          <td class="told">${row.told}</td>
          ${!since && html`<td class="does"><${RowUndo} noun=${noun} row=${row} /></td>`}
        </tr>`)}
      </tbody>
    </table>
    ${rows.length > MOST_ROWS && html`<p class="page note">The first ${MOST_ROWS} of ${count(rows.length)}.</p>`}`;
}
