// The records that differ from those of another state.

import { html } from "../library/preact.js";
import { change, follow, link, params } from "../shell/address.js";
import { Code } from "../shell/calls.js";
import { Empty } from "../shell/components.js";
import { count } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { sayError } from "../shell/toast.js";
import { Revert, toldOf } from "./changes.js";
import { pathOf } from "./following.js";
import { bodyOf } from "./merge.js";
import { PAGE } from "./pager.js";
import { Portrait } from "./portrait.js";
import { open } from "./record.js";
import { writeRecord } from "./writes.js";

const MOST_ROWS = 500;

/**
 * @param {object} props
 * @param {import("./changes.js").Difference} props.difference
 * @param {import("./nouns.js").Noun} props.noun
 * @param {Map<number, string>} props.categories
 * @param {string} [props.since]  what it is from; missing: the baseline
 */
export function ChangedRows({ difference, noun, categories, since }) {
  if (difference === null) return null;
  if (difference === "many") return html`
    <${Empty} title="Too much has changed to list it">
      <p>Most of the data is not that of the baseline. <code>GET /admin/state/diff</code> has all of it.</p>
    <//>`;
  const { added, changed, removed } = difference[noun.name];
  const rows = [
    ...added.map((record) => ({ what: "added", record, before: undefined })),
    ...changed.map(({ before, after }) => ({ what: "changed", record: after, before })),
    ...removed.map((record) => ({ what: "removed", record, before: undefined })),
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
  const faces = rows.length <= PAGE && noun.photo;
  return html`
    <table class="lines changes">
      <thead>
        <tr>
          ${faces && html`<td class="face"></td>`}
          <th class="number">Id</th>
          <th>Since ${since ?? "the baseline"}</th>
          <th>What</th>
          ${!since && html`<td class="does"></td>`}
        </tr>
      </thead>
      <tbody>${rows.slice(0, MOST_ROWS).map((row) => html`
        <tr key=${`${row.what} ${row.record[noun.id]}`} id=${since ? undefined : `row-${row.record[noun.id]}`}
          ...${opens(row)}>
          ${faces && html`<td class="face">${row.record[faces] && html`<${Portrait} id=${row.record[faces]} />`}</td>`}
          <td class="number">${idOf(row)}</td>
          <td><span class=${`badge is-${row.what}`}>${row.what}</span></td>
          <td class="told">${toldOf(categories, row.record, row.before)}</td>
          ${!since && html`<td class="does">
            <${row.what === "removed" ? AddAgain : Revert} noun=${noun} row=${row} />
          </td>`}
        </tr>`)}
      </tbody>
    </table>
    ${rows.length > MOST_ROWS && html`<p class="page note">The first ${MOST_ROWS} of ${count(rows.length)}.</p>`}`;
}

/**
 * Adds a record that was removed. Only Undo and Restore give it its id back.
 * @param {{noun: import("./nouns.js").Noun, row: import("./changes.js").Changed}} props
 */
function AddAgain({ noun, row: { record } }) {
  if (!noun.create) return null;
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
