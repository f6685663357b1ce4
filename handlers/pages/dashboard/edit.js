// A request to be edited and sent.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { send } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { CopyButton, Dialog, ErrorNote, Field, Status } from "../shell/components.js";
import { typed } from "../shell/events.js";
import { pretty } from "../shell/format.js";
import { serviceKey } from "./calls.js";
import { placeOf } from "./marks.js";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/**
 * @typedef {object} Result
 * @property {number} status
 * @property {string} text
 */

/**
 * @param {object} props
 * @param {import("../shell/api.js").Call} props.call
 * @param {string} [props.note]
 * @param {import("./detail.js").Problem} [props.error]  what is to be fixed
 * @param {() => void} props.onClose
 */
export function Editor({ call, note, error: refused, onClose }) {
  const [method, setMethod] = useState(call.method);
  const [path, setPath] = useState(`/${call.path}`);
  const [headers, setHeaders] = useState(textOf(call.headers ?? {}));
  const [body, setBody] = useState(() => pretty(String(call.body ?? "")) ?? String(call.body ?? ""));
  const [result, setResult] = useState(/** @type {Result|null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  const area = useRef(/** @type {HTMLTextAreaElement|null} */ (null));
  useEffect(() => {
    if (!refused || !area.current) return;
    const [from, to] = placeOf(body, refused.details[0]?.field ?? "");
    area.current.focus();
    area.current.setSelectionRange(from, to);
  }, []);

  const edited = () => ({
    method, path: path.replace(/^\//, "") || ".", headers: parseHeaders(headers), body: body || undefined,
    service: true,
  });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setError(null);
    setResult(null);
    try {
      const sent = edited();
      const bearer = /^Bearer (.+)$/i.exec(sent.headers.Authorization ?? "");
      if (bearer) serviceKey.set(bearer[1]);
      const response = await send(sent);
      setResult({ status: response.status, text: await response.text() });
    } catch (problem) {
      setError(problem);
    }
  };
  const keys = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void submit(event);
  };
  return html`
    <${Dialog} title=${refused ? "Fix and send" : "Edit and send"} class="wide" onClose=${onClose}>
      <form class="stack" onSubmit=${submit} onKeyDown=${keys}>
        ${note && html`<p class="note cut">✂ ${note}</p>`}
        ${refused && html`<${Refusal} error=${refused} />`}
        <div class="row request-line">
          <select aria-label="Method" value=${method} onChange=${typed(setMethod)}>
            ${methods.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
          </select>
          <input class="wire grow" aria-label="Path" required value=${path} onInput=${typed(setPath)} />
        </div>
        <${Field} label="Body">
          ${(/** @type {any} */ attributes) => html`
            <textarea ...${attributes} ref=${area} rows="8" spellcheck=${false} value=${body}
              onInput=${typed(setBody)}></textarea>`}
        <//>
        <${Field} label="Headers" hint="One on a line.">
          ${(/** @type {any} */ attributes) => html`
            <textarea ...${attributes} rows="3" spellcheck=${false} value=${headers}
              onInput=${typed(setHeaders)}></textarea>`}
        <//>
        <div class="row">
          <button class="primary">Send</button>
          <${Code} label="send" call=${edited} />
          <span class="note">Ctrl Enter</span>
        </div>
        <${ErrorNote} error=${error} />
        ${result && html`<${Answer} result=${result} />`}
      </form>
    <//>`;
}

/** What the server said of the request. @param {{error: import("./detail.js").Problem}} props */
const Refusal = ({ error: { message, details } }) => html`<div class="why">
  ${details.length > 0
    ? details.map((d) => html`<p key=${d.field}><strong class="wire">${d.field}</strong> ${d.message}</p>`)
    : html`<p>${message}</p>`}
</div>`;

/** @param {{result: Result}} props */
const Answer = ({ result: { status, text } }) => html`<section aria-label="Response">
  <div class="row">
    <h3>Response</h3>
    <span class="grow"><${Status} status=${status} long /></span>
    ${text && html`<${CopyButton} text=${text} />`}
  </div>
  ${text && html`<pre class="json" tabindex="0">${pretty(text) ?? text}</pre>`}
</section>`;

/** The headers as lines. @param {Record<string, string>} headers */
const textOf = (headers) => Object.entries(headers).map(([name, value]) => `${name}: ${value}`).join("\n");

/**
 * @param {string} text
 * @returns {Record<string, string>}
 */
function parseHeaders(text) {
  const lines = text.split("\n").filter((line) => line.includes(":"));
  return Object.fromEntries(lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  }));
}
