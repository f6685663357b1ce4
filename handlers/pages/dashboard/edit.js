// An editor that changes a request and sends it.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { send } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { CopyButton, Dialog, ErrorNote, Field, Status } from "../shell/components.js";
import { typed } from "../shell/events.js";
import { pretty } from "../shell/format.js";
import { serviceKey } from "./calls.js";
import { errorOf, openOf } from "./journal.js";
import { headerOf, inOrder, placeOf } from "./marks.js";

const [FEWEST, MOST] = [2, 14]; // lines of the body

const BROKEN = "The connection was broken off. Faults shows whether a rule does that.";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/**
 * @typedef {object} Result
 * @property {number} status
 * @property {string} text
 * @property {() => void} open  shows its request
 */

/** Selects the value of a query parameter. @param {HTMLInputElement|null} input @param {string} [name] */
function selectParameter(input, name = "") {
  const { value } = /** @type {HTMLInputElement} */ (input);
  const from = Math.max(value.indexOf(`?${name}=`), value.indexOf(`&${name}=`)) + name.length + 2;
  if (from < name.length + 2) return;
  const end = value.indexOf("&", from);
  input?.focus();
  input?.setSelectionRange(from, end < 0 ? value.length : end);
}

/**
 * @param {object} props
 * @param {import("../shell/api.js").Call} props.call
 * @param {string} [props.note]
 * @param {import("./detail.js").Problem} [props.error]  the error to fix
 * @param {() => void} props.onClose
 */
export function Editor({ call, note, error: refused, onClose }) {
  const [method, setMethod] = useState(call.method);
  const [path, setPath] = useState(`/${call.path}`);
  const [headers, setHeaders] = useState(textOf(call.headers ?? {}));
  const [body, setBody] = useState(() => pretty(String(call.body ?? "")) ?? String(call.body ?? ""));
  const [result, setResult] = useState(/** @type {Result|null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState(refused && { ...refused, details: inOrder(refused.details, body) });
  const area = useRef(/** @type {HTMLTextAreaElement|null} */ (null));
  const [wrong, setWrong] = useState(""); // of the headers
  const line = useRef(/** @type {HTMLInputElement|null} */ (null));
  const keys = useRef(/** @type {HTMLTextAreaElement|null} */ (null));
  const end = useRef(/** @type {HTMLElement|null} */ (null));
  const done = result && !problem;
  const leave = () => {
    onClose();
    result?.open();
  };
  useEffect(() => {
    if (done) {
      end.current?.focus({ preventScroll: true });
      end.current?.closest("dialog")?.scrollTo(0, 0); // to the start of the response
    }
    if (!problem) return;
    const name = headerOf(problem);
    const value = valueIn(headers, name);
    if (!value && !body) return selectParameter(line.current, name);
    const field = /** @type {HTMLTextAreaElement} */ ((value ? keys : area).current);
    const [from, to] = value ?? placeOf(body, name);
    field.focus();
    field.setSelectionRange(from, to);
  }, [result]);

  const edited = () => ({
    method, path: path.replace(/^\//, "") || ".", headers: parseHeaders(headers), body: body || undefined,
    service: true,
  });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setError(null);
    const line = wrongLine(headers);
    setWrong(line > 0 ? `Headers, line ${line}: write it as Name: value` : "");
    if (line > 0) return keys.current?.focus();
    try {
      const sent = edited();
      const bearer = /^Bearer (.+)$/i.exec(sent.headers.Authorization ?? "");
      const response = await send(sent);
      const { status } = response;
      if (bearer && status !== 401) serviceKey.set(bearer[1]);
      const text = await response.text();
      setResult({ status, text, open: () => openOf(response) });
      const wrong = errorOf(/** @type {any} */ ({ status, response: { body: text } }));
      setProblem(wrong && { ...wrong, details: inOrder(wrong.details, body) });
    } catch (problem) {
      setProblem(undefined);
      setResult(null);
      setError(problem instanceof TypeError ? { message: BROKEN } : problem);
    }
  };
  const typeHeaders = typed((text) => {
    setHeaders(text);
    setWrong("");
  });
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void submit(event);
  };
  const asked = askedFor(problem?.message);
  const put = () => {
    setHeaders(withHeader(headers, asked));
    keys.current?.focus();
  };
  const rows = Math.max(FEWEST, Math.min(MOST, body.split("\n").length + 1));
  return html`
    <${Dialog} title=${done ? "Sent" : refused ? "Fix and send" : "Edit and send"} class="wide" onClose=${onClose}>
      <form class="stack" onSubmit=${submit} onKeyDown=${press}>
        ${note && html`<p class="note cut">${note}</p>`}
        <${ErrorNote} error=${error} />
        ${problem && html`
          <${Refusal} error=${problem} status=${result?.status}>
            ${asked && withHeader(headers, asked) !== headers && html`
              <button type="button" class="plain-border" onClick=${put}>Use ${asked.join(": ")}</button>`}
          <//>`}
        ${result && !problem && html`<${Answer} result=${result} />`}
        <div class="row request-line">
          <select aria-label="Method" value=${method} onChange=${typed(setMethod)}>
            ${methods.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
          </select>
          <input ref=${line} class="wire grow" aria-label="Path" required value=${path} onInput=${typed(setPath)} />
        </div>
        ${(body || !/GET|HEAD/.test(method)) && html`<${Field} label="Body">
          ${(/** @type {any} */ attributes) => html`
            <textarea ...${attributes} ref=${area} rows=${rows} spellcheck=${false} value=${body}
              onInput=${typed(setBody)}></textarea>`}
        <//>`}
        <${Field} label="Headers" hint="One per line." error=${wrong}>
          ${(/** @type {any} */ attributes) => html`
            <textarea ...${attributes} ref=${keys} rows=${FEWEST} spellcheck=${false} value=${headers}
              onInput=${typeHeaders}></textarea>`}
        <//>
        <div class="row">
          ${done && html`<button type="button" class="primary" ref=${end} onClick=${leave}>Done</button>`}
          <button class=${done ? "plain-border" : "primary"}>${done ? "Send again" : "Send"}</button>
          <${Code} label="send" call=${edited} />
          <kbd>Ctrl Enter</kbd>
        </div>
      </form>
    <//>`;
}

/**
 * Shows why the server refused the request.
 * @param {{error: import("./detail.js").Problem, status?: number, children?: any}} props  status: of the last try here
 */
const Refusal = ({ error: { code, message, details }, status, children }) => html`<div class="why" role="alert">
  ${status && html`<p>Sent: <${Status} status=${status} long /></p>`}
  ${details.length > 0 && code !== "precondition_failed" // its message has the current ETag
    ? details.map((d) => html`<p key=${d.field}><strong class="wire">${d.field}</strong> ${d.message}</p>`)
    : html`<p>${message}</p>`}
  ${children && html`<div>${children}</div>`}
</div>`;

/** Finds the header that the server asks for, and its value. @param {string} [message] @returns {string[]|undefined} */
function askedFor(message = "") {
  const [, tag] = /current ETag, which is ("[^"]*")/.exec(message) ?? [];
  return tag ? ["If-Match", tag] : /send ([A-Z][\w-]+): ([^;]+)$/.exec(message)?.slice(1);
}

/** Sets one of the headers, which are lines. @param {string} headers @param {string[]|undefined} header */
function withHeader(headers, [name, value] = []) {
  const others = headers.split("\n").filter((line) => line && !line.toLowerCase().startsWith(`${name}:`.toLowerCase()));
  return [...others, `${name}: ${value}`].join("\n");
}

/** @param {{result: Result}} props */
const Answer = ({ result: { status, text } }) => html`<section aria-label="Response">
  <div class="row">
    <h3>Response</h3>
    <span class="grow"><${Status} status=${status} long /></span>
    ${text && html`<${CopyButton} text=${text} />`}
  </div>
  ${text && html`<pre class="json" tabindex="0">${pretty(text) ?? text}</pre>`}
</section>`;

/**
 * Returns where a header's value is in the headers, which are lines. For a missing key, returns their end.
 * @param {string} headers @param {string} name @returns {[number, number]|undefined}
 */
function valueIn(headers, name) {
  const at = `\n${headers}`.toLowerCase().indexOf(`\n${name.toLowerCase()}: `);
  if (at < 0) return name === "Authorization" ? [headers.length, headers.length] : undefined;
  const [line] = headers.slice(at).split("\n", 1);
  return [at + (/^.*?: (Bearer )?/i.exec(line)?.[0].length ?? 0), at + line.length];
}

/** Formats headers as lines. @param {Record<string, string>} headers */
const textOf = (headers) => Object.entries(headers).map(([name, value]) => `${name}: ${value}`).join("\n");

/** Matches a line that a browser can send as a header (RFC 9110 section 5.1). */
const isHeader = /^\s*[\w!#$%&'*+.^`|~-]+\s*:[\t\x20-\x7e\x80-\xff]*$/;

/** Returns the number of the first invalid line, or 0. @param {string} text */
const wrongLine = (text) => text.split("\n").findIndex((line) => line.trim() && !isHeader.test(line)) + 1;

/**
 * @param {string} text
 * @returns {Record<string, string>}
 */
function parseHeaders(text) {
  const lines = text.split("\n").filter((line) => isHeader.test(line));
  return Object.fromEntries(lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  }));
}
