// Lists the records that differ from another state.

import { html, useEffect, useMemo, useState } from "../library/preact.js";
import { change, follow, link, params } from "../shell/address.js";
import { request } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Empty } from "../shell/components.js";
import { Confirm } from "../shell/confirm.js";
import { capital, count, plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { session } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { sayError } from "../shell/toast.js";
import { allOf, readDifference, rowsOf, tells, toldOf, useCategories, usePets } from "./changes.js";
import { draftOf } from "./drafts.js";
import { pathOf } from "./following.js";
import { writeRecords } from "./manywrites.js";
import { bodyOf } from "./merge.js";
import { nouns } from "./nouns.js";
import { open } from "./opening.js";
import { PAGE } from "./pager.js";
import { Portrait } from "./portrait.js";
import { writeRecord } from "./writes.js";

const MOST_ROWS = 500;
const FIRST_ROWS = 8; // of a difference from a snapshot

/** @typedef {import("./nouns.js").Noun} Noun */
/** @typedef {import("./changes.js").Changed} Changed */
/** @typedef {import("./changes.js").Difference} Difference */

/**
 * The heading: how many records of a noun differ, and how.
 * @param {object} props
 * @param {Difference} props.difference
 * @param {Noun} props.noun
 * @param {boolean} [props.past]  whether they are from the past, and cannot be changed
 */
export function ChangedHead({ difference, noun, past }) {
  const changes = difference === null || difference === "many" ? undefined : difference[noun.name];
  const parts = Object.entries(changes ?? {}).filter(([, some]) => some.length > 0)
    .map(([what, some]) => `${count(some.length)} ${what}`);
  return html`
    <h2>${noun.title}${parts.length > 0 && `: ${parts.join(", ")}`}</h2>
    ${!past && changes && html`<${RevertAll} noun=${noun} changes=${changes} />`}`;
}

/** @param {{noun: Noun, changes: import("./states.js").Changes}} props */
function RevertAll({ noun, changes }) {
  const [asked, setAsked] = useState(false);
  const all = rowsOf(changes, noun).filter(tells(noun));
  const rows = all.filter(({ what }) => what === "changed" && noun.change || what === "added" && noun.remove);
  if (rows.length < 2) return null;
  const calls = rows.map(({ record, before }) => revertOf(noun, String(record[noun.id]), record, before, "*"));
  const many = (/** @type {number} */ n) => plural(n, noun.one, noun.title.toLowerCase());
  const run = () => {
    setAsked(false);
    writeRecords(calls, (n) => `Reverted ${many(n)}.`).catch(sayError);
  };
  const named = (/** @type {string} */ is) => all.filter(({ what }) => what === is)
    .map(({ record }) => `${record.name ?? ""} #${record[noun.id]}`.trim()).join(", ");
  return html`
    <button type="button" onClick=${() => setAsked(true)}>
      <${Icon} name="undo" />
      Revert ${rows.length < all.length ? `${count(rows.length)} of ${count(all.length)}` : "all"}…
    </button>
    ${asked && html`
      <${Confirm} title=${`Revert ${many(rows.length)}?`} verb="Revert" label="revert all" call=${calls[0]}
        onConfirm=${run} onClose=${() => setAsked(false)}>
        ${named("changed") && html`<p>As in the baseline again: <bdi>${named("changed")}</bdi></p>`}
        ${named("added") && html`<p>Deleted: <bdi>${named("added")}</bdi></p>`}
        ${named("removed") && html`
          <p>Not brought back: <bdi>${named("removed")}</bdi>. A reset or a snapshot does that.</p>`}
      <//>`}`;
}

/** Returns the names of the pets that the first differing records refer to. @param {Difference} difference */
function useNames(difference) {
  const rows = useMemo(() => (difference === null || difference === "many" ? [] : nouns)
    .flatMap((noun) => rowsOf(/** @type {any} */ (difference)[noun.name], noun))
    .flatMap(({ record }) => (record.petId ? [record] : [])).slice(0, PAGE), [difference]);
  const names = usePets(rows);
  if (difference === null || difference === "many") return names;
  for (const { id, name } of difference.pets.removed) names.set(id, name);
  return names;
}

/**
 * The records of a noun that differ from the baseline, or those that a request changed.
 * @param {object} props
 * @param {Difference} props.difference
 * @param {Noun} props.noun
 * @param {Map<number, string>} props.categories
 * @param {boolean} [props.past]  whether they are from the past, and cannot be changed
 */
export function ChangedRows({ difference, noun, categories, past }) {
  const pets = useNames(difference);
  if (difference === null) return null;
  if (difference === "many") return html`
    <${Empty} title="Too much has changed to list it">
      <p>Most of the data is not that of the baseline. <code>GET /admin/state/diff</code> has all of it.</p>
    <//>`;
  const rows = rowsOf(difference[noun.name], noun);
  if (rows.length === 0) return html`
    <${Empty} title=${past ? "This request changed nothing here" : "As in the baseline"}>
      ${!past && html`<p>A reset would change nothing here.</p>`}
      <button type="button" class="plain-border" onClick=${() => change({ changed: "" })}>Show all</button>
    <//>`;
  /** @param {Changed} row */
  const opens = ({ what, record: { [noun.id]: id } }) => (what !== "removed" && {
    class: "opens",
    "aria-selected": params().open === String(id),
    onClick: (/** @type {Event} */ event) =>
      /** @type {Element} */ (event.target).closest("button") || open(String(id)),
  });
  const again = past ? undefined : addedAgain(difference[noun.name], noun);
  const faces = rows.length <= PAGE && Boolean(noun.photo);
  return html`
    <table class="lines changes">
      <thead>
        <tr>
          ${faces && html`<td class="face"></td>`}
          <th class="number">Id</th>
          <th>Change</th>
          <th>Record</th>
          ${!past && html`<td class="does"></td>`}
        </tr>
      </thead>
      <tbody>${rows.slice(0, MOST_ROWS).map((row) => html`
        <tr key=${`${row.what} ${row.record[noun.id]}`} id=${`row-${row.record[noun.id]}`} ...${opens(row)}>
          ${faces && html`<td class="face">${noun.photo && row.record[noun.photo] && html`
            <${Portrait} id=${row.record[noun.photo]} />`}</td>`}
          <td class="number">${row.what === "removed" ? row.record[noun.id] : html`
            <button type="button" class="quiet id" onClick=${() => open(String(row.record[noun.id]))}>
              ${row.record[noun.id]}</button>`}</td>
          <${Cells} row=${row} categories=${categories} pets=${pets} />
          ${!past && html`
            <td class="does">${noun.name === "inventory" && row.what !== "changed"
              ? html`<span class="note">follows pet ${row.record.petId}</span>`
              : row.what === "removed" ? html`
                <${AddAgain} noun=${noun} row=${row} as=${again?.get(row.record)?.[noun.id]} />`
              : html`<${Revert} noun=${noun} row=${row} />`}</td>`}
        </tr>`)}
      </tbody>
    </table>
    <${More} rows=${rows} />`;
}

/**
 * @param {object} props
 * @param {Changed} props.row
 * @param {Map<number, string>} props.categories
 * @param {Map<number, string>} props.pets
 */
const Cells = ({ row: { what, record, before }, categories, pets }) => html`
  <td><span class=${`badge is-${what}`}>${what}</span></td>
  <td class="told">
    ${before && before.name !== record.name && html`<strong><bdi>${record.name}</bdi></strong>${" "}`}
    ${toldOf(categories, record, before, record.name ?? pets.get(record.petId))}
  </td>`;

/** Says how many rows are shown, if not all are. @param {{rows: Changed[]}} props */
const More = ({ rows }) => rows.length > MOST_ROWS && html`
  <p class="page note">The first ${MOST_ROWS} of ${count(rows.length)}.</p>`;

/**
 * The records that differ from a snapshot: the first few, and more on request.
 * @param {{name: string, read: any}} props  read: has another value after each change
 */
export function ChangedSince({ name, read }) {
  const [difference, setDifference] = useState(/** @type {Difference} */ (null));
  const [most, setMost] = useState(FIRST_ROWS);
  const categories = useCategories(useStore(session).changes);
  const pets = useNames(difference);
  useEffect(() => {
    const stop = new AbortController();
    const path = `admin/state/diff?from=${encodeURIComponent(name)}`;
    readDifference(path, stop.signal).then(setDifference, () => undefined);
    return () => stop.abort();
  }, [read]);
  if (difference === null) return null;
  if (difference === "many") return html`<p class="note">Too much has changed to list it.</p>`;
  const all = allOf(difference);
  const shown = all.slice(0, most);
  return html`<div class="differences">
    <table class="lines changes">
      <tbody>${shown.map(({ noun, row }) => {
        const id = row.record[noun.id];
        const text = `${capital(noun.one)} ${id}`;
        return html`
          <tr key=${`${row.what} ${text}`}>
            <td>${row.what === "removed" ? text : html`
              <a href=${link({ view: "data", at: params().at, table: noun.name, open: String(id) })}
                onClick=${follow}>${text}</a>`}</td>
            <${Cells} row=${row} categories=${categories} pets=${pets} />
          </tr>`;
      })}
      </tbody>
    </table>
    ${all.length > shown.length && most === FIRST_ROWS && html`
      <button type="button" onClick=${() => setMost(MOST_ROWS)}>
        Show ${all.length > MOST_ROWS ? `the first ${MOST_ROWS}` : "all"} of ${count(all.length)}
      </button>`}
    ${most === MOST_ROWS && html`<${More} rows=${all} />`}
  </div>`;
}

/**
 * Returns the added record that equals each removed one but for its id, by the removed one.
 * @param {import("./states.js").Changes} changes
 * @param {Noun} noun
 */
function addedAgain({ added, removed }, noun) {
  const textOf = (/** @type {any} */ record) => JSON.stringify(bodyOf(noun.inputs, null, record));
  const free = added.map((record) => ({ record, text: textOf(record) }));
  return new Map(removed.map((record) => {
    const text = textOf(record);
    const at = free.findIndex((one) => one.text === text);
    return [record, at < 0 ? undefined : free.splice(at, 1)[0].record];
  }));
}

/**
 * Adds a removed record again. Only Undo and Restore give it its old id.
 * @param {object} props
 * @param {Noun} props.noun
 * @param {Changed} props.row
 * @param {number} [props.as]  the id of the record if it was added again
 */
function AddAgain({ noun, row: { record }, as }) {
  if (!noun.create) return null;
  if (as) return html`<span class="note">added again as #${as}</span>`;
  const label = `Add ${noun.one} ${record[noun.id]} again`;
  const call = { method: "POST", path: pathOf(noun, "new"), body: bodyOf(noun.inputs, null, record) };
  const done = (/** @type {any} */ data) => `Added ${noun.one} ${record[noun.id]} again, as ${data[noun.id]}.`;
  return html`<span class="pair">
    <button type="button" aria-label=${label} title="It gets a new id. Only Undo and Restore give it its id back."
      onClick=${() => writeRecord(call, done).catch((error) => sayError(error, "data"))}>
      <${Icon} name="plus" />
      Add again
    </button>
    <${Code} label=${label} call=${() => call} />
  </span>`;
}

/** How the open record differs from the baseline. @param {{noun: import("./nouns.js").Noun, row: Changed}} props */
export const SinceBaseline = ({ noun, row }) => html`
  <span class=${`badge is-${row.what}`} title="Since the baseline">${row.what}</span>
  ${row.before && html`<${Revert} noun=${noun} row=${row} />`}`;

/**
 * Reverts a record to the baseline, unless it has changed since it was shown.
 * @param {{noun: import("./nouns.js").Noun, row: Changed}} props
 */
export function Revert({ noun, row: { what, record, before } }) {
  const id = String(record[noun.id]);
  const verb = before ? "Revert" : "Delete";
  if (what === "added" ? !noun.remove : !noun.change) return null;
  const call = (/** @type {string} */ tag) => revertOf(noun, id, record, before, tag);
  const run = async () => {
    try {
      if (draftOf(noun, id)) throw new Error(`Save or discard your changes to ${noun.one} ${id} first.`);
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
    <button type="button" class=${before ? "" : "danger"} aria-label=${`${verb} ${noun.one} ${id}`} onClick=${run}>
      <${Icon} name=${before ? "undo" : "delete"} />
      <span>${verb}</span>
    </button>
    <${Code} label=${`${verb} ${noun.one} ${id}`} call=${() => call("*")} />
  </span>`;
}

/**
 * Returns the call that reverts a record.
 * @param {import("./nouns.js").Noun} noun
 * @param {string} id
 * @param {any} record
 * @param {any} before  missing: the record was added
 * @param {string} tag
 * @returns {import("../shell/api.js").Call}
 */
export function revertOf(noun, id, record, before, tag) {
  const path = pathOf(noun, id);
  const headers = { "If-Match": tag };
  if (!before) return { method: "DELETE", path, headers };
  const body = bodyOf(noun.inputs, noun.change === "PUT" ? null : record, before);
  return { method: noun.change ?? "PATCH", path, body, headers };
}
