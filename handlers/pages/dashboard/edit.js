// A request to be edited and sent.

import { html, useState } from "../library/preact.js";
import { send } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { CopyButton, Dialog, ErrorNote, Field, Status } from "../shell/components.js";
import { pretty } from "../shell/format.js";
import { serviceKey } from "./calls.js";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/**
 * @typedef {object} Result
 * @property {number} status
 * @property {string} text
 */

/** @param {{call: import("../shell/api.js").Call, note?: string, onClose: () => void}} props */
export function Editor({ call, note, onClose }) {
  const [method, setMethod] = useState(call.method);
  const [path, setPath] = useState(`/${call.path}`);
  const [headers, setHeaders] = useState(Object.entries(call.headers ?? {}).map(([name, value]) => `${name}: ${value}`).join("\n"));
  const [body, setBody] = useState(() => pretty(String(call.body ?? "")) ?? String(call.body ?? ""));
  const [result, setResult] = useState(/** @type {Result|null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));

  const edited = () => ({ method, path: path.replace(/^\//, "") || ".", headers: parseHeaders(headers), body: body || undefined, service: true });
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
  const typed = (/** @type {(text: string) => void} */ set) => (/** @type {any} */ event) => set(event.target.value);
  return html`<${Dialog} title="Edit and send" class="wide" onClose=${onClose}><form class="stack" onSubmit=${submit}>
    ${note && html`<p class="note cut">✂ ${note}</p>`}
    <div class="row request-line">
      <select aria-label="Method" value=${method} onChange=${typed(setMethod)}>${methods.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}</select>
      <input class="wire grow" aria-label="Path" required value=${path} onInput=${typed(setPath)} />
    </div>
    <${Field} label="Headers" hint="One on a line.">${(/** @type {any} */ a) => html`<textarea ...${a} rows="3" spellcheck=${false} value=${headers} onInput=${typed(setHeaders)}></textarea>`}<//>
    <${Field} label="Body">${(/** @type {any} */ a) => html`<textarea ...${a} rows="8" spellcheck=${false} value=${body} onInput=${typed(setBody)}></textarea>`}<//>
    <div class="row"><button class="primary">Send</button><${Code} label="send" call=${edited} /></div>
    <${ErrorNote} error=${error} />
    ${result && html`<section aria-label="Response"><div class="row"><h3>Response</h3><span class="grow"><${Status} status=${result.status} long /></span>${result.text && html`<${CopyButton} text=${result.text} />`}</div>
      ${result.text && html`<pre class="json" tabindex="0">${pretty(result.text) ?? result.text}</pre>`}</section>`}
  </form><//>`;
}

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
