// One request with its response, and actions for it.

import { html, useState } from "../library/preact.js";
import { follow, link } from "../shell/address.js";
import { send } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Choice, CopyButton, Popover, Status } from "../shell/components.js";
import { clockTime, dayAndTime, duration, plural, pretty, size } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { opened } from "../shell/later.js";
import { session, write } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { say, sayError } from "../shell/toast.js";
import { drop, dropCall, firstOf } from "./add.js";
import { adviceFor } from "./advice.js";
import { callOf, incomplete } from "./calls.js";
import { Effect } from "./effect.js";
import { FaultMenu, useRules } from "./faultmenu.js";
import { isReal } from "./fold.js";
import { cameAt, deprecated, errorOf, isMisread, isOfRule, openOf, whyGone } from "./journal.js";
import { headerOf, marked } from "./marks.js";
import { nounAt } from "./nouns.js";
import { effectOf, isOff, leftOf, likeOf, nameOf, targetOf } from "./rules.js";

/** @typedef {import("../shell/types.js").Entry} Entry */
/** @typedef {NonNullable<import("./journal.js").Problem>} Problem */

const KEPT = 4096; // bytes of a body that the journal keeps

const CopyTest = opened(() => import("./copytest.js"), "CopyTest");
const Snippets = opened(() => import("../shell/snippets.js"), "Snippets");
const Editor = opened(() => import("./edit.js"), "Editor");

/**
 * @param {object} props
 * @param {(panel: HTMLElement|null) => void} props.panel  called with the element
 * @param {Entry} props.entry
 * @param {Entry[]} props.preflights
 * @param {(by: number) => (() => void)|undefined} props.stepOf  returns a function that opens another request, if any
 * @param {boolean} props.gone  whether the journal has the request no more
 * @param {() => void} props.onClose
 */
export function Detail({ panel, entry, preflights, stepOf, gone, onClose }) {
  const error = errorOf(entry);
  const fix = error && entry.status < 500 && !isOfRule(entry);
  const refused = fix && entry.body;
  const [editing, setEditing] = useState(false);
  const { operations, restarted } = useStore(session);
  const operation = operations.find(({ operationId }) => operationId === entry.operationId);
  return html`<aside ref=${panel} class="detail" tabindex="-1" aria-label="Request ${entry.id}">
    <header class="detail-head">
      <${Status} status=${entry.status} long />
      <h2 class="wire grow">
        ${entry.method} ${parted(entry.path, error, /(\/)/, operation?.path)}
        ${entry.query && html`<span class="query">?${parted(entry.query, error, /(&)/)}</span>`}
      </h2>
      <span class="pair">
        ${operation && html`<${FaultMenu} operation=${operation} />`}
        <${Step} name="Newer request" icon="up-arrow" run=${stepOf(-1)} />
        <${Step} name="Older request" icon="down-arrow" run=${stepOf(1)} />
        <button type="button" class="icon" aria-label="Close" title="Close (Esc)" onClick=${onClose}>
          <${Icon} name="close" />
        </button>
      </span>
    </header>
    <div class="detail-body">
      ${gone && html`<p class="note cut" role="status">This request is gone. ${whyGone(restarted)}</p>`}
      <div class="row">
        <p class="note wire grow">
          ${clockTime(cameAt(entry))} · ${duration(entry.durationMs)} · ${entry.clientName ?? entry.client}
        </p>
        ${gone ? "" : entry.undone
          ? html`<p class="note no-store">Undone, so no store as of this request is kept.</p>`
          : html`<a class="button" href=${storeAsOf(entry)} onClick=${follow}>
            <${Icon} name="rewind" />Store as of this request
          </a>`}
      </div>
      ${deprecated(entry) && html`<p class="note">
        Deprecated.${operation?.successor && html` Its successor is <span class="wire">${operation.successor}</span>.`}
      </p>`}
      ${error || entry.status === 0 || isOfRule(entry)
        ? html`<${Why} entry=${entry} error=${error}
          below=${refused && isMarked(entry, error)} />`
        : html`<${RuleApplied} entry=${entry} />`}
      ${!gone && html`<${Effect} entry=${entry} />`}
      <${Actions} entry=${entry} fix=${fix} onEdit=${() => setEditing(true)} />
      <${Message} title="Request" message=${entry} error=${fix ? error : undefined} />
      ${entry.response && html`<${Message} title="Response" message=${entry.response} />`}
      <${Facts} entry=${entry} preflights=${preflights} />
    </div>
    ${editing && html`
      <${Editor} entry=${entry} error=${fix ? error : undefined} gone=${gone && whyGone(restarted)}
        onClose=${() => setEditing(false)} />`}
  </aside>`;
}

/** A button to another request, where no list shows. @param {{name: string, icon: string, run?: () => void}} props */
const Step = ({ name, icon, run }) => html`
  <button type="button" class="icon step" aria-label=${name} title=${name} disabled=${!run} onClick=${run}>
    <${Icon} name=${icon} />
  </button>`;

/**
 * Formats a path or a query, with its wrong parameters marked.
 * @param {string} text @param {Problem|undefined} error @param {RegExp} by  between parts
 * @param {string} [template]  of the path
 */
const parted = (text, error, by, template = "") => text.split(by).map((part, i) =>
  (error?.details.some(({ field }) => part.startsWith(`${field}=`) || template.split(by)[i] === `{${field}}`)
    ? html`<mark>${part}</mark>` : part));

/** @param {Entry} entry @param {Problem} error */
function isMarked({ body = "" }, { details, message }) {
  const { lines, others } = marked(body, details, message);
  return others.length === 0 && lines.some(({ wrong }) => wrong.length > 0);
}

/**
 * @param {object} props
 * @param {Entry} props.entry
 * @param {Problem} [props.error]
 * @param {boolean} [props.below]  whether the body below shows all errors
 */
function Why({ entry, error, below }) {
  const advice = adviceFor(entry, error);
  const listed = error?.message.endsWith(", see details)"); // not if the message says that some are missing
  const number = error && plural(error.details.length || 1, "error");
  const text = below ? `${number} in the body` : listed ? number : error?.message;
  const begun = entry.response ? " after the response had begun" : " before the response began";
  return html`<div class=${entry.status >= 500 || entry.status === 0 ? "why failed" : "why"}>
    ${error && html`<p>
      <strong class="wire">${error.code}</strong> · ${text}
    </p>`}
    ${error && !below && error.details.length > 1 && html`<ul>
      ${error.details.map((d) => html`<li key=${d.field}><span class="wire">${d.field}</span> ${d.message}</li>`)}
    </ul>`}
    ${isMisread(entry) && html`<${Misread} entry=${entry} />`}
    ${!error && entry.status === 0 && html`<p>The connection was broken off${begun}.</p>`}
    ${advice && !isOfRule(entry) && html`<p class="note">${advice}</p>`}
    <${RuleApplied} entry=${entry} />
  </div>`;
}

/** Says how a path was read that no operation has, and which one is near it. @param {{entry: Entry}} props */
function Misread({ entry: { method, path, operationId } }) {
  const { operations } = session.get();
  const template = operations.find((one) => one.operationId === operationId)?.path ?? "";
  const near = operations.find((one) => one.method === method && one.path === template.split("/{")[0]);
  return html`<p>
    There is no <span class="wire">${path}</span> here, so this was read as <span class="wire">${template}</span>.
    ${near && html` Try <span class="wire">${method} ${near.path}</span>.`}
  </p>`;
}

/** @param {{entry: Entry}} props */
const RuleApplied = ({ entry }) => entry.fault && html`<${Applied} entry=${entry} />`;

/** @param {{entry: Entry}} props */
function Applied({ entry }) {
  const rules = useRules();
  const id = entry.fault;
  const rule = rules?.find((one) => one.id === id);
  const on = rule && !isOff(rule) && leftOf(rule) !== 0;
  const taker = rules && on && firstOf(rules.slice(0, rules.indexOf(rule)), rule);
  const named = rule && likeOf(rule) ? ` (${nameOf(rule)})` : "";
  const what = `rule ${id}${named}`;
  const is = rule && (taker ? `on, but ${nameOf(taker)} comes before it`
    : on ? "on" : isOff(rule) ? "switched off" : "used up");
  return html`<div class="row">
    <p class="note">
      <${Icon} name="faults" /> ${isOfRule(entry) ? "Failed by " : `Took ${duration(entry.durationMs)} under `}
      ${rules && !rule ? what
        : html`<a href=${link({ view: "faults", rule: String(id) })} onClick=${follow}>${what}</a>`}
      ${rules && (rule ? `, which is ${is}: ${targetOf(rule)} ${effectOf(rule)}.` : ", since deleted.")}
    </p>
    ${on && html`<span class="pair">
      <button type="button" class="quiet" onClick=${() => void drop(rules ?? [], [rule], `Deleted rule ${id}.`)}>
        Delete rule ${id}</button>
      <${Code} label=${`delete rule ${id}`} call=${() => dropCall(rules ?? [], [rule])} />
    </span>`}
  </div>`;
}

/**
 * @param {object} props
 * @param {Entry} props.entry
 * @param {any} props.fix  whether editing can fix the request
 * @param {() => void} props.onEdit
 */
function Actions({ entry, fix, onEdit }) {
  const call = callOf(entry);
  const missing = incomplete(entry);
  const [testing, setTesting] = useState(false);
  const again = () => send(call).then(
    (response) => say(`Sent again: ${response.status}`, {
      about: ["requests"], action: { text: "Open", run: () => openOf(response) },
    }),
    sayError,
  );
  const editButton = html`
    <button type="button" class=${fix ? "primary" : ""} onClick=${onEdit}>
      <${Icon} name="edit" />
      ${fix ? "Fix" : "Edit"} and send…
    </button>`;
  return html`<div class="row actions">
    ${fix && editButton}
    <button type="button" class=${isOfRule(entry) ? "primary" : ""} disabled=${Boolean(missing)} title=${missing}
      onClick=${again}>
      <${Icon} name="send" />
      Send again
    </button>
    ${!missing && html`<${Code} label="send again" call=${() => call} />`}
    ${!fix && editButton}
    <${Popover} text=${html`<${Icon} name="copy" />Copy as…`}>${() => html`
      <${Snippets} call=${call} />
      ${missing && html`<p class="note">${missing}</p>`}`}
    <//>
    <button type="button" disabled=${Boolean(missing)} title=${missing} onClick=${() => setTesting(true)}>
      <${Icon} name="api" />
      Copy as a test…
    </button>
    ${testing && html`<${CopyTest} chosen=${new Set([entry.id])} onClose=${() => setTesting(false)} />`}
  </div>`;
}

/** @param {Entry} entry */
const storeAsOf = ({ id, method, path }) =>
  link({ view: "data", at: String(id), table: method === "GET" ? nounAt(path)?.name : "" });

/** Rarely needed facts, behind one line. @param {{entry: Entry, preflights: Entry[]}} props */
function Facts({ entry, preflights }) {
  const sunset = entry.response?.headers.Sunset;
  const removed = sunset ? `will be removed on ${new Date(sunset).toISOString().slice(0, 10)}` : "yes";
  const facts = /** @type {[string, any][]} */ ([
    ["Time", `${dayAndTime(cameAt(entry))} UTC, took ${duration(entry.durationMs)}`],
    ...(isReal(entry) ? [] : [["Sandbox's time", `${dayAndTime(entry.time)} UTC`]]),
    ["Operation", entry.operationId ?? "none: no operation has this path and method"],
    ["Client", entry.client],
    ...(entry.clientName ? [["Client name", entry.clientName]] : []),
    ["Request id", entry.requestId],
    ...(entry.draw ? [["Draw", `${entry.draw}, the number that its chance was drawn from`]] : []),
    ...(deprecated(entry) ? [["Deprecated", removed]] : []),
    ...preflights.map((one) => ["Preflight", `${one.method} ${one.status}, took ${duration(one.durationMs)}`]),
  ]);
  const line = [
    "Ids and time",
    ...(isReal(entry) ? [] : [`sandbox's time ${dayAndTime(entry.time)}`]),
    ...(preflights.length > 0 ? [plural(preflights.length, "preflight")] : []),
  ];
  return html`<details>
    <summary>${line.join(" · ")}</summary>
    <dl class="facts">${facts.map(([name, value]) => html`
      <div key=${name}>
        <dt>${name}</dt>
        <dd class="wire">${value}</dd>
      </div>`)}
    </dl>
  </details>`;
}

/**
 * Shows the headers and the body of a request or a response.
 * @param {object} props
 * @param {string} props.title
 * @param {import("../shell/types.js").Message} props.message
 * @param {Problem} [props.error]  what is wrong with the body, or with a header
 */
function Message({ title, message, error }) {
  const { body, bodyTruncated, bodySize, headers, headersTruncated } = message;
  const tidy = body && pretty(body);
  const [raw, setRaw] = useState(false);
  const text = tidy && !raw ? tidy : body;
  const wrong = headerOf(error);
  const missing = wrong === "Authorization" && !headers[wrong];
  const names = Object.keys(missing ? { ...headers, [wrong]: "" } : headers).sort()
    .sort((a, b) => Number(b === wrong) - Number(a === wrong));
  const label = `Body of the ${title.toLowerCase()}`;
  return html`<section class="message" aria-label=${title}>
    <div class="row">
      <h3>${title}</h3>
      <span class="note grow">${bodySize > 0 ? size(bodySize) : bodySize === 0 ? "no body" : "of unknown size"}</span>
      ${tidy && html`
        <${Choice} label="How the body is shown" options=${[["", "Pretty"], ["raw", "Raw"]]} value=${raw ? "raw" : ""}
          onChange=${(/** @type {string} */ v) => setRaw(v === "raw")} />`}
      ${text && html`<${CopyButton} text=${text} />`}
    </div>
    ${text && (error && !raw
      ? html`<${MarkedBody} body=${body} error=${error} label=${label} />`
      : html`<pre class="json" tabindex="0" aria-label=${label}>${text}</pre>`)}
    ${!text && bodySize > 0 && html`<p class="note">The journal keeps no bodies of this type.</p>`}
    ${bodyTruncated && html`
      <p class="note cut">
        ${bodySize > 0 && bodySize <= KEPT
          ? "The connection was broken off here."
          : `Cut here: the journal keeps the first 4 KiB${bodySize > 0 ? ` of ${size(bodySize)}` : ""}.`}
      </p>`}
    <details open=${wrong !== "" && names[0] === wrong}>
      <summary>${Object.keys(headers).length} headers</summary>
      <dl class="headers wire">${names.map((name) => html`
        <div key=${name} class=${name === wrong && "bad"}>
          <dt>${name}</dt>
          <dd>${headers[name] ?? "missing"}</dd>
        </div>`)}
      </dl>
      ${headersTruncated && html`<p class="note cut">There were more headers than the journal keeps.</p>`}
    </details>
  </section>`;
}

/** @param {{body: string, error: Problem, label: string}} props */
function MarkedBody({ body, error, label }) {
  const { lines } = marked(body, error.details, error.message);
  return html`<pre class="json marked" tabindex="0" aria-label=${label}>${
    lines.map(({ text, wrong, at = text.length }, i) => html`
    <span key=${i} class=${wrong.length > 0 ? "line bad" : "line"}>
      <code>${text.slice(0, at)}${at < text.length && html`<mark>${text[at]}</mark>${text.slice(at + 1)}`}</code>
      ${wrong.length > 0 && html`<em>${wrong.join("; ")}</em>`}
    </span>`)}
  </pre>`;
}
