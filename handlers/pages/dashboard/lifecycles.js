// Lists the operations with a notable lifecycle, or all of them.

import { html, useState } from "../library/preact.js";
import { count, moment } from "../shell/format.js";
import { opened } from "../shell/later.js";
import { percent } from "./passed.js";

/** @typedef {import("../shell/types.js").Operation} Operation */

const LifecycleDialog = opened(() => import("./lifecycle.js"), "LifecycleDialog");

/** Whether an operation's lifecycle is notable. @param {Operation} operation */
const isNotable = ({ deprecated, changed, stability, brownout }) =>
  deprecated || changed || Boolean(stability) || brownout > 0;

/** @param {{operations: Operation[], editing: string, setEditing: (operationId: string) => void}} props */
export function Lifecycles({ operations, editing, setEditing }) {
  // All while none is deprecated, since the view asks to choose one.
  const [all, setAll] = useState(() => !operations.some(({ deprecated }) => deprecated));
  const operation = operations.find(({ operationId }) => operationId === editing);
  const shown = all ? operations : operations.filter(isNotable);
  return html`<section class="stack" aria-labelledby="operations">
    <div class="row">
      <h2 id="operations">Operations</h2>
      ${operations.length > 0 && html`
        ${!all && html`
          <span class="note">${shown.length} of ${operations.length}: deprecated, changed or not stable</span>`}
        <button type="button" class="plain-border" aria-expanded=${all} onClick=${() => setAll(!all)}>
          ${all ? "Show those with a lifecycle" : `Show all ${operations.length} operations`}
        </button>`}
    </div>
    <div class="wide-table" tabindex="0" role="region" aria-label="Table of the operations">
      <table class="lines same-grid of-operations">
        <thead>
          <tr>
            <th>Operation</th>
            <th class="number">All calls</th>
            <th class="spare">Path</th>
            <th>Stability</th>
            <th>Deprecated since</th>
            <th>Sunset</th>
          </tr>
        </thead>
        <tbody>
          ${shown.map((one) => html`
            <${Row} key=${one.operationId} operation=${one} onOpen=${() => setEditing(one.operationId)} />`)}
        </tbody>
      </table>
    </div>
    ${operation && html`
      <${LifecycleDialog} operation=${operation} onClose=${() => setEditing("")} onEdit=${setEditing} />`}
  </section>`;
}

/** @param {{operation: Operation, onOpen: () => void}} props */
const Row = ({ operation: o, onOpen }) => html`
  <tr class="opens" onClick=${onOpen}>
    <td>
      <button type="button" class="quiet wire" aria-label=${`Change ${o.operationId}`}>${o.operationId}</button>
      ${o.changed && html` <span class="tag is-changed" title="In this sandbox">changed</span>`}
      <span class="wire note under">${o.method} ${o.path}</span>
    </td>
    <td class="number" data-title=${o.calls === 1 ? "call in all" : "calls in all"}>${count(o.calls)}</td>
    <td class="wire spare"><span class="note">${o.method}</span> ${o.path}</td>
    <td>${o.stability ?? "stable"}</td>
    <td data-title="deprecated since">${o.deprecated && html`
      <span class="wire">${o.deprecatedSince?.slice(0, 10) ?? "yes"}</span>`}</td>
    <td data-title="sunset">${o.sunset && html`
      <span class="wire keep">${moment(o.sunset)}</span>, ${o.enforceSunset ? "enforced" : "not enforced"}`}
      ${o.brownout > 0 && html`, <span class="keep">${percent(o.brownout)} brown-out</span>`}</td>
  </tr>`;
