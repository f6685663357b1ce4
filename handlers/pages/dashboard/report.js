// Shows which clients still call deprecated operations.

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
 * The callers, if an operation is deprecated, before the children.
 * @param {{report: Uses|null, uses: Use[], operations: Operation[], error: any, onRetry: () => void,
 *   children?: any}} props
 */
export const Report = ({ report, uses, operations, error, onRetry, children }) => html`
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
</section>`}${children}`;

/** @param {{uses: Use[], operations: Operation[]}} props */
const Table = ({ uses, operations }) => html`
  <div class="wide-table" tabindex="0" role="region" aria-label="Table of the callers">
    <table class="lines same-grid of-callers">
      <thead>
        <tr>
          <th>Caller</th>
          <th class="number">Calls</th>
          <th>Operation</th>
          <th class="spare">First</th>
          <th>Last</th>
        </tr>
      </thead>
      <tbody>
        ${[...uses].sort((a, b) => b.count - a.count).map((use) => html`
          <${Row} key=${`${use.operationId} ${use.userAgent} ${use.clientName}`} use=${use}
            since=${operations.find(({ operationId }) => operationId === use.operationId)?.deprecatedSince} />`)}
      </tbody>
    </table>
  </div>`;

/** @param {{use: Use, since: string|undefined}} props */
const Row = ({ use: { operationId, userAgent, clientName, count: calls, ...use }, since }) => {
  const [first, last] = [use.first, use.last].sort((a, b) => instant(a) - instant(b)); // after a travel back
  return html`<tr>
    <td title=${userAgent}>
      <a href=${link({ q: withWords("", { op: operationId, client: clientName || NO_CLIENT }) })} onClick=${follow}>
        ${clientName && !userAgent.startsWith(clientName) && html`<strong>${short(clientName)}</strong> `}
        ${userAgent || NAMELESS}
      </a>
    </td>
    <td class="number" data-title=${calls === 1 ? "call" : "calls"}>${count(calls)}</td>
    <td class="wire">${operationId}</td>
    <td class="wire spare">${dayAndTime(first)}</td>
    <td>
      <span class="wire keep">${dayAndTime(last)}</span>
      ${instant(last) < instant(since) && html` <span class="note keep">· before deprecation</span>`}
    </td>
  </tr>`;
};
