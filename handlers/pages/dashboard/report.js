// The tables of the Time view: who still calls deprecated operations, and the lifecycles of operations.

import { html, useState } from "../library/preact.js";
import { follow, link } from "../shell/address.js";
import { send } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Empty, ErrorNote } from "../shell/components.js";
import { count, dayAndTime, short } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { instant } from "../shell/sunset.js";
import { sayError } from "../shell/toast.js";
import { Lifecycles } from "./lifecycles.js";
import { NAMELESS } from "./passed.js";
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
 *   now: number, editing: string, setEditing: (operationId: string) => void}} props
 */
export const Report = ({ report, uses, operations, error, onRetry, now, editing, setEditing }) => html`
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
  ${uses.length > 0 && html`<${Table} uses=${uses} operations=${operations} now=${now} />`}
  ${report && report.otherUses > 0 && html`
    <p class="note">And ${count(report.otherUses)} calls by others, who are too many to be told apart.</p>`}
</section>`}
<${Lifecycles} operations=${operations} editing=${editing} setEditing=${setEditing} />`;

const FIRST = 10; // callers that show at first

/**
 * Returns the uses by caller: first those after the deprecation, then those with most calls.
 * @param {Use[]} uses
 * @param {Operation[]} operations
 * @param {number} now
 */
function byCaller(uses, operations, now) {
  /** @type {Map<string, {userAgent: string, clientName: string, gone: Use[], other: Use[], early: Use[]}>} */
  const callers = new Map();
  for (const use of [...uses].sort((a, b) => b.count - a.count)) {
    const { userAgent, clientName } = use;
    const key = `${userAgent} ${clientName}`;
    const caller = callers.get(key) ?? { userAgent, clientName, gone: [], other: [], early: [] };
    const operation = operations.find(({ operationId }) => operationId === use.operationId);
    const isEarly = latest(use) < instant(operation?.deprecatedSince);
    const isGone = operation?.enforceSunset && instant(operation.sunset) <= now;
    caller[isGone ? "gone" : isEarly ? "early" : "other"].push(use);
    callers.set(key, caller);
  }
  return [...callers].map(([key, { gone, other, early, ...name }]) => {
    const all = [...gone, ...other, ...early];
    const kinds = [
      { uses: gone, title: html`<span class="badge is-removed">answers 410</span>`, look: "" },
      { uses: other, title: "", look: "" },
      { uses: early, title: "before deprecation:", look: "note" },
    ].filter(({ uses }) => uses.length > 0);
    const calls = all.reduce((n, use) => n + use.count, 0);
    return { key, ...name, all, kinds, calls, isEarly: all.length === early.length };
  }).sort((a, b) => Number(a.isEarly) - Number(b.isEarly) || b.calls - a.calls);
}

/** After a travel back, the first call has the later time. @param {Use} use */
const latest = ({ first, last }) => Math.max(instant(first), instant(last));

/** @param {{uses: Use[], operations: Operation[], now: number}} props */
function Table({ uses, operations, now }) {
  const [whole, setWhole] = useState(false);
  const callers = byCaller(uses, operations, now);
  return html`
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
          ${callers.slice(0, whole ? Infinity : FIRST).map((caller) => html`<${Row} ...${caller} />`)}
        </tbody>
      </table>
    </div>
    ${!whole && callers.length > FIRST && html`
      <p>
        <button type="button" class="plain-border" onClick=${() => setWhole(true)}>
          Show all ${count(callers.length)} callers
        </button>
      </p>`}`;
}

/** @param {ReturnType<typeof byCaller>[number]} props */
const Row = ({ userAgent, clientName, all, kinds, calls }) => {
  const op = all.map(({ operationId }) => operationId).join();
  return html`<tr>
    <td title=${userAgent}>
      <a href=${link({ q: withWords("", { op, client: clientName || NO_CLIENT }) })} onClick=${follow}>
        ${clientName && !userAgent.startsWith(clientName) && html`<strong>${short(clientName)}</strong> `}
        ${userAgent || NAMELESS}
      </a>
    </td>
    <td class="number" data-title=${calls === 1 ? "call" : "calls"}>${count(calls)}</td>
    <td class="wire">${dayAndTime(Math.max(...all.map(latest)))}</td>
    <td>
      ${kinds.map(({ uses, title, look }, i) => html`
        ${i > 0 && "; "}<span class=${look}>${title} ${uses.map(({ operationId, count: n }, i) => html`
          ${i > 0 && ", "}<span class="wire keep">${operationId}${all.length > 1 && ` ${count(n)}`}</span>`)}</span>`)}
    </td>
  </tr>`;
};
