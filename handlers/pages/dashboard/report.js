// The tables of the Time view: who still calls deprecated operations, and the lifecycles of operations.

import { html } from "../library/preact.js";
import { follow, link } from "../shell/address.js";
import { send } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Empty, ErrorNote } from "../shell/components.js";
import { count, dayAndTime, short } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { instant } from "../shell/sunset.js";
import { sayError } from "../shell/toast.js";
import { NAMELESS } from "./breaks.js";
import { Lifecycles } from "./lifecycles.js";
import { NO_CLIENT, withWords } from "./search.js";

/** @typedef {import("../shell/types.js").Operation} Operation */
/** @typedef {import("../shell/types.js").Use} Use */
/** @typedef {{uses: Use[], otherUses: number}} Uses */

const junit = { method: "GET", path: "admin/report?format=junit" };

async function download() {
  try {
    const response = await send(junit);
    const { save } = await import("../shell/download.js");
    save(await response.blob(), "deprecated-use.xml");
  } catch (problem) {
    sayError(problem);
  }
}

/**
 * The callers, if an operation is deprecated, and the operations.
 * @param {{report: Uses|null, uses: Use[], operations: Operation[], error: any, onRetry: () => void,
 *   editing: string, setEditing: (operationId: string) => void}} props
 */
export const Report = ({ report, uses, operations, error, onRetry, editing, setEditing }) => html`
${operations.some(({ deprecated }) => deprecated) && html`<section class="stack" aria-labelledby="report">
  <div class="row">
    <h2 id="report">Who still calls deprecated operations</h2>
    <span class="pair">
      <button type="button" class="plain-border" disabled=${!report?.uses.length} onClick=${download}>
        <${Icon} name="save" />
        Save as JUnit XML
      </button>
      <${Code} label="the report as JUnit XML" call=${() => junit} />
    </span>
  </div>
  <${ErrorNote} error=${error} onRetry=${onRetry} read=${report} />
  ${report && uses.length === 0 && html`
    <${Empty} title="Nobody yet"><p>A call to a deprecated operation shows here with its caller.</p><//>`}
  ${uses.length > 0 && html`<${Table} uses=${uses} operations=${operations} />`}
  ${report && report.otherUses > 0 && html`
    <p class="note">And ${count(report.otherUses)} calls by others, who are too many to be told apart.</p>`}
</section>`}
<${Lifecycles} operations=${operations} editing=${editing} setEditing=${setEditing} />`;

/** Returns the uses by caller, most calls first. @param {Use[]} uses */
function byCaller(uses) {
  /** @type {Map<string, Use[]>} */
  const callers = new Map();
  for (const use of [...uses].sort((a, b) => b.count - a.count)) {
    const key = `${use.userAgent} ${use.clientName}`;
    callers.set(key, [...callers.get(key) ?? [], use]);
  }
  return [...callers].map(([key, some]) => ({ key, some, calls: some.reduce((n, use) => n + use.count, 0) }))
    .sort((a, b) => b.calls - a.calls);
}

/** @param {{uses: Use[], operations: Operation[]}} props */
const Table = ({ uses, operations }) => html`
  <div class="wide-table" tabindex="0" role="region" aria-label="Table of the callers">
    <table class="lines same-grid of-callers">
      <thead>
        <tr>
          <th>Caller</th>
          <th class="number">Calls</th>
          <th>Last</th>
          <th>Operations</th>
        </tr>
      </thead>
      <tbody>
        ${byCaller(uses).map(({ key, ...caller }) => html`
          <${Row} key=${key} ...${caller} operations=${operations} />`)}
      </tbody>
    </table>
  </div>`;

/** After a travel back, the first call has the later time. @param {Use} use */
const latest = ({ first, last }) => Math.max(instant(first), instant(last));

/** @param {{some: Use[], calls: number, operations: Operation[]}} props */
const Row = ({ some, calls, operations }) => {
  const [{ userAgent, clientName }] = some;
  const op = some.map(({ operationId }) => operationId).join();
  const early = some.filter((use) =>
    latest(use) < instant(operations.find(({ operationId }) => operationId === use.operationId)?.deprecatedSince));
  const listed = (/** @type {Use[]} */ uses) =>
    uses.map(({ operationId, count: n }) => `${operationId}${some.length > 1 ? ` ${count(n)}` : ""}`).join(", ");
  return html`<tr>
    <td title=${userAgent}>
      <a href=${link({ q: withWords("", { op, client: clientName || NO_CLIENT }) })} onClick=${follow}>
        ${clientName && !userAgent.startsWith(clientName) && html`<strong>${short(clientName)}</strong> `}
        ${userAgent || NAMELESS}
      </a>
    </td>
    <td class="number" data-title=${calls === 1 ? "call" : "calls"}>${count(calls)}</td>
    <td class="wire">${dayAndTime(Math.max(...some.map(latest)))}</td>
    <td>
      <span class="wire">${listed(some.filter((use) => !early.includes(use)))}</span>${early.length > 0 && html`
        <span class="note">
          ${early.length < some.length && "; "}before deprecation: <span class="wire">${listed(early)}</span>
        </span>`}
    </td>
  </tr>`;
};
