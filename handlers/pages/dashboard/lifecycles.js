// The operations of which the lifecycle says something, or all of them.

import { html, useState } from "../library/preact.js";
import { count, day } from "../shell/format.js";
import { opened } from "../shell/later.js";
import { write } from "../shell/session.js";
import { enforceCall } from "../shell/sunset.js";
import { say, sayError } from "../shell/toast.js";
import { dated, percent } from "./breaks.js";

/** @typedef {import("../shell/types.js").Operation} Operation */

const LifecycleDialog = opened(() => import("./lifecycle.js"), "LifecycleDialog");

/** Makes the operations answer 410 after their sunset. @param {Operation[]} operations */
export async function enforce(operations) {
  try {
    for (const operation of operations) await write(enforceCall(operation, true));
    const names = operations.map(({ operationId }) => operationId).join(", ");
    say(`${names} answers 410 from now on.`, { about: ["clock"] });
  } catch (problem) {
    sayError(problem, "clock");
  }
}

/** Whether there is something to say of an operation. @param {Operation} operation */
const isNotable = ({ deprecated, changed, stability, brownout }) =>
  deprecated || changed || Boolean(stability) || brownout > 0;

/** @param {{operations: Operation[]}} props */
export function Lifecycles({ operations }) {
  const [editing, setEditing] = useState("");
  const [all, setAll] = useState(false);
  const operation = operations.find(({ operationId }) => operationId === editing);
  const shown = all ? operations : operations.filter(isNotable);
  return html`<section class="stack" aria-labelledby="operations">
    <div class="row">
      <h2 id="operations">Operations</h2>
      ${operations.length > 0 && html`
        <button type="button" class="plain-border" aria-expanded=${all} onClick=${() => setAll(!all)}>
          ${all ? "Show those with a lifecycle" : "Show all operations"}
        </button>`}
    </div>
    <div class="wide-table" tabindex="0" role="region" aria-label="Table of the operations">
      <table class="lines of-operations">
        <thead>
          <tr>
            <th>Operation</th>
            <th class="spare">Path</th>
            <th class="number">All calls</th>
            <th>Lifecycle</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map((one) => html`
            <${Row} key=${one.operationId} operation=${one} onOpen=${() => setEditing(one.operationId)} />`)}
        </tbody>
      </table>
    </div>
    ${operation && html`<${LifecycleDialog} operation=${operation} onClose=${() => setEditing("")} />`}
  </section>`;
}

/** What the lifecycle says of an operation, in words. @param {Operation} operation */
const wordsOf = ({ stability, deprecated, deprecatedSince, sunset, enforceSunset, brownout }) => [
  stability,
  deprecated && (deprecatedSince ? `deprecated since ${day(deprecatedSince)}` : "deprecated"),
  sunset && `sunset ${sunset}, ${enforceSunset ? "enforced" : "not enforced"}`,
  brownout > 0 && `${percent(brownout)} brown-out`,
].filter(Boolean).join(", ");

/** @param {{operation: Operation, onOpen: () => void}} props */
const Row = ({ operation: o, onOpen }) => html`
  <tr class=${`opens ${o.changed ? "is-own" : ""}`} onClick=${onOpen}>
    <td class="wire">
      <button type="button" class="quiet id" aria-label=${`Change ${o.operationId}`}>${o.operationId}</button>
    </td>
    <td class="wire spare"><span class="note">${o.method}</span> ${o.path}</td>
    <td class="number" data-title=${o.calls === 1 ? "call in all" : "calls in all"}>${count(o.calls)}</td>
    <td class="told minor">${dated(wordsOf(o))}${!wordsOf(o) && html`<span class="note">stable</span>`}
      ${o.changed && html` <span class="tag" title="In this sandbox">changed</span>`}
    </td>
  </tr>`;
