// The tables of the Time view: who still calls deprecated operations, and the lifecycles of operations.

import { html, useMemo, useState } from "../library/preact.js";
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
/** @typedef {import("../shell/types.js").Entry} Entry */
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
 *   entries: Entry[], editing: string, setEditing: (operationId: string) => void}} props
 */
export const Report = ({ report, uses, operations, error, onRetry, entries, editing, setEditing }) => html`
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
  ${uses.length > 0 && html`<${Table} uses=${uses} operations=${operations} entries=${entries} />`}
  ${report && report.otherUses > 0 && html`
    <p class="note">And ${count(report.otherUses)} calls by others, who are too many to be told apart.</p>`}
</section>`}
<${Lifecycles} operations=${operations} editing=${editing} setEditing=${setEditing} />`;

const FIRST = 10; // callers that show at first

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((a, b) => a + b, 0);

/** After a travel back, the first call has the later time. @param {Use} use */
const latest = ({ first, last }) => Math.max(instant(first), instant(last));

/**
 * Returns the callers: first those of deprecated operations, last those from before a deprecation.
 * @param {Use[]} uses
 * @param {Operation[]} operations
 * @param {Entry[]} entries
 */
function byCaller(uses, operations, entries) {
  /** @type {Map<string, number>} */
  const refused = new Map(); // of the requests that the journal keeps
  for (const { status, operationId, clientName = "" } of entries) {
    const key = `${operationId} ${clientName}`;
    if (status === 410) refused.set(key, (refused.get(key) ?? 0) + 1);
  }
  const callers = [...new Set(uses.map(({ clientName }) => clientName))].map((name) => {
    const own = uses.filter(({ clientName }) => clientName === name);
    const by = operations.map(({ operationId, deprecatedSince }) => {
      const some = own.filter((use) => use.operationId === operationId);
      const isEarly = some.every((use) => latest(use) < instant(deprecatedSince));
      const gone = refused.get(`${operationId} ${name}`) ?? 0;
      return { operationId, calls: sum(some.map(({ count }) => count)), isEarly, gone };
    }).filter(({ calls }) => calls > 0).sort((a, b) => b.calls - a.calls);
    const agents = [...new Set(own.map(({ userAgent }) => userAgent))];
    const isEarly = by.every((one) => one.isEarly);
    return { name, agents, by, isEarly, calls: sum(by.map(({ calls }) => calls)), last: Math.max(...own.map(latest)) };
  });
  return callers.sort((a, b) => Number(a.isEarly) - Number(b.isEarly) || b.calls - a.calls);
}

/** @param {{uses: Use[], operations: Operation[], entries: Entry[]}} props */
function Table({ uses, operations, entries }) {
  const [whole, setWhole] = useState(false);
  const callers = useMemo(() => byCaller(uses, operations, entries), [uses, operations, entries]);
  return html`
    <div class="wide-table" tabindex="0" role="region" aria-label="Table of the callers">
      <table class="lines same-grid of-callers">
        <thead>
          <tr>
            <th>Caller</th>
            <th class="number">Calls</th>
            <th>Last, by the sandbox's clock</th>
            <th>Operations</th>
          </tr>
        </thead>
        <tbody>
          ${callers.slice(0, whole ? Infinity : FIRST).map((caller) => html`
            <${Row} key=${caller.name} ...${caller} />`)}
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
const Row = ({ name, agents, by, calls, last }) => {
  const op = by.map(({ operationId }) => operationId).join();
  const agent = agents.join(", ") || NAMELESS;
  const listed = (/** @type {typeof by} */ some) => some.map(({ operationId, calls: n, gone }, i) => html`
    ${i > 0 && ", "}<span class="keep"><span class="wire">${operationId}${by.length > 1 && ` ${count(n)}`}</span>${
      gone > 0 && html` <strong class="wrong">(${gone} × 410)</strong>`}</span>`);
  const [early, others] = [true, false].map((is) => by.filter(({ isEarly }) => isEarly === is));
  return html`<tr>
    <td title=${agent}>
      <a href=${link({ q: withWords("", { op, client: name || NO_CLIENT }) })} onClick=${follow}>
        ${!agent.startsWith(name) && html`<strong>${short(name)}</strong> `}
        ${agent}
      </a>
    </td>
    <td class="number" data-title=${calls === 1 ? "call" : "calls"}>${count(calls)}</td>
    <td class="wire">${dayAndTime(last)}</td>
    <td>
      ${listed(others)}${early.length > 0 && html`
        <span class="note">${others.length > 0 && "; "}before deprecation: ${listed(early)}</span>`}
    </td>
  </tr>`;
};
