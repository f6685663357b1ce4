// One request with its answer, and what can be done with it.

import { html, useEffect, useState } from "../library/preact.js";
import { go, link, follow } from "../shell/address.js";
import { get, root, send } from "../shell/api.js";
import { Choice, Code, CopyButton, Popover, Snippets, Status } from "../shell/components.js";
import { dayAndTime, duration, pretty, size } from "../shell/format.js";
import { session, write } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { say, sayError } from "../shell/toast.js";
import { add, addCall, PATH } from "./add.js";
import { callOf, incomplete } from "./calls.js";
import { adviceFor } from "./advice.js";
import { deprecated, errorOf } from "./journal.js";
import { Editor } from "./edit.js";

/** @typedef {import("../shell/types.js").Entry} Entry */
/** @typedef {import("../shell/types.js").Rule} Rule */

/** @param {{panel: import("../library/preact.js").Ref<HTMLElement|null>, entry: Entry, onClose: () => void}} props */
export function Detail({ panel, entry, onClose }) {
  const error = errorOf(entry);
  return html`<aside ref=${panel} class="detail" tabindex="-1" aria-label="Request ${entry.id}">
    <header class="detail-head">
      <h2 class="wire grow">${entry.method} ${entry.path}${entry.query && html`<span class="query">?${entry.query}</span>`}</h2>
      <${Status} status=${entry.status} long />
      <button type="button" class="icon" aria-label="Close" title="Close (Esc)" onClick=${onClose}>✕</button>
    </header>
    <div class="detail-body">
      ${(error || entry.fault || entry.status === 0) && html`<${Why} entry=${entry} error=${error} />`}
      <${Actions} entry=${entry} />
      <${Facts} entry=${entry} />
      ${entry.response && html`<${Message} title="Answer" message=${entry.response} />`}
      <${Message} title="Request" message=${entry} />
    </div>
  </aside>`;
}

/** @param {{entry: Entry, error: ReturnType<typeof errorOf>}} props */
function Why({ entry, error }) {
  const advice = adviceFor(entry, error?.code);
  return html`<div class=${entry.status >= 500 || entry.status === 0 ? "why failed" : "why"}>
    ${error && html`<p><strong class="wire">${error.code}</strong> ${error.message}</p>`}
    ${error && error.details.length > 1 && html`<ul class="wire">${error.details.map((d) => html`<li key=${d.field}>${d.field}: ${d.message}</li>`)}</ul>`}
    ${!error && entry.status === 0 && html`<p>The connection was broken off${entry.response ? " after the answer had begun" : " before the answer began"}.</p>`}
    ${advice && html`<p class="note">${advice}</p>`}
    ${entry.fault && html`<p><a href=${link({ view: "faults", rule: String(entry.fault) })} onClick=${follow}>⚡ Rule ${entry.fault}</a> was applied.</p>`}
  </div>`;
}

/** @param {{entry: Entry}} props */
function Actions({ entry }) {
  const { operations } = useStore(session);
  const [editing, setEditing] = useState(false);
  const call = callOf(entry);
  const missing = incomplete(entry);
  const operation = operations.find(({ operationId }) => operationId === entry.operationId);
  const again = () => send(call).then(
    (response) => say(`Sent again: ${response.status}`, { about: ["requests"] }),
    sayError,
  );
  return html`<div class="row actions">
    <${Popover} text="Copy as…">${() => html`<${Snippets} call=${call} />${missing && html`<p class="note">${missing}</p>`}`}<//>
    <button type="button" disabled=${Boolean(missing)} title=${missing} onClick=${again}>Send again</button>
    <button type="button" onClick=${() => setEditing(true)}>Edit and send…</button>
    ${operation && html`<${FaultMenu} operationId=${operation.operationId} />
      <a class="button" href=${new URL(`docs/#/${operation.tag}/${operation.operationId}`, root).href}>In the docs</a>`}
    ${editing && html`<${Editor} call=${call} note=${missing} onClose=${() => setEditing(false)} />`}
  </div>`;
}

/** What a click makes of a request, as a rule for its operation. */
const faults = /** @type {[string, Rule][]} */ ([
  ["Fail the next one (503)", { status: 503, times: 1 }],
  ["Fail every one (503)", { status: 503 }],
  ["Make it slow (2 s)", { delay: { fixedMs: 2000 } }],
  ["Lose the answer, once", { when: "after", abort: "reset", times: 1 }],
]);

/** @param {{operationId: string}} props */
function FaultMenu({ operationId }) {
  const { summary } = useStore(session);
  const [rules, setRules] = useState(/** @type {Rule[]} */ ([]));
  useEffect(() => void get(PATH).then(setRules, () => undefined), [summary?.faults]);
  const asked = (/** @type {Rule} */ rule) => ({ match: { operationId }, ...rule });
  return html`<${Popover} text="⚡ Make this a fault">${(/** @type {() => void} */ close) => html`<div class="menu">
    ${faults.map(([text, rule]) => html`<div class="row" key=${text}><button type="button" class="grow" onClick=${() => { close(); void add(asked(rule)); }}>${text}</button>
      <${Code} label=${text} call=${() => addCall(rules, asked(rule))} /></div>`)}
    <button type="button" onClick=${() => { close(); go({ view: "faults", for: operationId }); }}>Another rule…</button>
  </div>`}<//>`;
}

/** @param {{entry: Entry}} props */
function Facts({ entry }) {
  const sunset = entry.response?.headers.Sunset;
  const facts = /** @type {[string, any][]} */ ([
    ["Time", `${dayAndTime(entry.time)} UTC, took ${duration(entry.durationMs)}`],
    ["Operation", entry.operationId ?? "none: no operation has this path and method"],
    ["Client", entry.client],
    ...(entry.clientName ? [["Client name", entry.clientName]] : []),
    ["Request id", entry.requestId],
    ...(entry.draw ? [["Draw", String(entry.draw)]] : []),
    ...(deprecated(entry) ? [["Deprecated", sunset ? `will be removed on ${new Date(sunset).toISOString().slice(0, 10)}` : "yes"]] : []),
  ]);
  return html`<dl class="facts">${facts.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd class="wire">${value}</dd></div>`)}</dl>`;
}

/** Headers and body of a request or a response. @param {{title: string, message: import("../shell/types.js").Message}} props */
function Message({ title, message }) {
  const { body, bodyTruncated, bodySize, headers, headersTruncated } = message;
  const tidy = body && pretty(body);
  const [raw, setRaw] = useState(false);
  const text = tidy && !raw ? tidy : body;
  const names = Object.keys(headers).sort();
  return html`<section class="message" aria-label=${title}>
    <div class="row"><h3>${title}</h3><span class="note grow">${bodySize > 0 ? size(bodySize) : bodySize === 0 ? "no body" : "of unknown size"}</span>
      ${tidy && html`<${Choice} label="How the body is shown" options=${[["", "Pretty"], ["raw", "Raw"]]} value=${raw ? "raw" : ""} onChange=${(/** @type {string} */ v) => setRaw(v === "raw")} />`}
      ${text && html`<${CopyButton} text=${text} />`}
    </div>
    ${text && html`<pre class="json" tabindex="0" aria-label=${`Body of the ${title.toLowerCase()}`}>${text}</pre>`}
    ${!text && bodySize > 0 && html`<p class="note">The journal keeps no bodies of this type.</p>`}
    ${bodyTruncated && html`<p class="note cut">✂ Cut here: the journal keeps the first 4 KiB${bodySize > 0 ? ` of ${size(bodySize)}` : ""}.</p>`}
    <details><summary>${names.length} headers</summary>
      <dl class="headers wire">${names.map((name) => html`<div key=${name}><dt>${name}</dt><dd>${headers[name]}</dd></div>`)}</dl>
      ${headersTruncated && html`<p class="note cut">✂ There were more headers than the journal keeps.</p>`}
    </details>
  </section>`;
}

