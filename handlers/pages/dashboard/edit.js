// An editor that changes a request and sends it.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../library/preact.js";
import { forPeople, key, send } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { CopyButton, Dialog, ErrorNote, Field, Status } from "../shell/components.js";
import { typed } from "../shell/events.js";
import { useFailure } from "../shell/failure.js";
import { pretty } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { session } from "../shell/session.js";
import { callOf, incomplete, REDACTED, serviceKey } from "./calls.js";
import { errorOf, openOf } from "./journal.js";
import { headerOf, inOrder, placeOf } from "./marks.js";

const [FEWEST, MOST] = [2, 14]; // lines of a field

const BROKEN = "The connection was broken off. Faults shows whether a rule does that.";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/**
 * @typedef {object} Result
 * @property {number} status
 * @property {string} text
 * @property {() => void} open  shows its request
 */

/** Returns how many lines a field for the text has. @param {string} text */
const lines = (text) => Math.max(FEWEST, Math.min(MOST, text.split("\n").length + 1));

/** Selects the value of a parameter. @param {HTMLInputElement|null} input @param {string} name */
function selectParameter(input, name) {
  const { value } = /** @type {HTMLInputElement} */ (input);
  const before = session.get().operations.map(({ path }) => path.split(`{${name}}`))
    .find(([start, end]) => end !== undefined && value.startsWith(start))?.[0]
    ?? new RegExp(`^.*?[?&]${name}=`).exec(value)?.[0];
  if (!name || !before) return;
  const [rest] = value.slice(before.length).split(before.includes("?") ? "&" : /[/?]/);
  input?.focus();
  input?.setSelectionRange(before.length, before.length + rest.length);
}

/**
 * Returns which headers must be typed again, or "".
 * @param {import("../shell/types.js").Entry} entry @param {Record<string, string>} [headers]  those that are known
 */
function redactedIn(entry, headers = {}) {
  const names = Object.keys(entry.headers).filter((name) => entry.headers[name] === REDACTED
    && !(name in headers) && name !== "Cookie" && !(name === "Authorization" && key.ofService));
  return names.length > 0 ? `The journal does not keep secrets. Not in the headers below: ${names.join(", ")}.` : "";
}

/**
 * @param {object} props
 * @param {import("../shell/types.js").Entry} props.entry
 * @param {import("./detail.js").Problem} [props.error]  the error to fix
 * @param {string} [props.gone]  why the journal has the request no more
 * @param {() => void} props.onClose
 */
export function Editor({ entry, error: refused, gone, onClose }) {
  const call = callOf(entry);
  const note = incomplete(entry) || redactedIn(entry, call.headers);
  const [method, setMethod] = useState(call.method);
  const [path, setPath] = useState(`/${call.path}`);
  const [headers, setHeaders] = useState(textOf(call.headers ?? {}));
  const [body, setBody] = useState(() => pretty(String(call.body ?? "")) ?? String(call.body ?? ""));
  const [result, setResult] = useState(/** @type {Result|null} */ (null));
  const [error, setError] = useFailure();
  const [problem, setProblem] = useState(refused && { ...refused, details: inOrder(refused.details, body) });
  const area = useRef(/** @type {HTMLTextAreaElement|null} */ (null));
  const [bare, setBare] = useState(!headers); // no header is there yet
  const [wrong, setWrong] = useState(""); // of the headers
  const line = useRef(/** @type {HTMLInputElement|null} */ (null));
  const keys = useRef(/** @type {HTMLTextAreaElement|null} */ (null));
  const token = useRef(/** @type {HTMLInputElement|null} */ (null));
  const end = useRef(/** @type {HTMLElement|null} */ (null));
  const done = result && !problem;
  const leave = () => {
    onClose();
    result?.open();
  };
  /** Selects the value of a header, a parameter or a field of the body. @param {string} name */
  const select = (name) => {
    const value = valueIn(headers, name);
    if (!value && (!body || /^[^/]/.test(name))) return selectParameter(line.current, name);
    const field = /** @type {HTMLTextAreaElement} */ ((value ? keys : area).current);
    const [from, to] = value ?? placeOf(body, name);
    field.focus();
    field.setSelectionRange(from, to);
  };
  useEffect(() => {
    if (done) {
      end.current?.focus({ preventScroll: true });
      end.current?.closest("dialog")?.scrollTo(0, 0); // to the start of the response
    }
    token.current?.focus();
    if (token.current) token.current.select();
    else if (problem) select(headerOf(problem));
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
      if (sent.body && /GET|HEAD/.test(method)) {
        throw { message: `A browser sends no body with ${method}. Empty it, or choose another method.` };
      }
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
    setBare(false);
    setWrong("");
  });
  useLayoutEffect(() => { // before the next key press; also while nothing in the dialog has the focus
    const press = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void submit(event);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });
  const [tag, setTag] = useState(""); // the current ETag; the record may have changed since the refusal
  useEffect(() => {
    if (refused?.code !== "precondition_failed") return;
    const read = send({ method: "GET", path: `admin/data/${call.path}` });
    read.then((response) => setTag(response.headers.get("ETag") ?? ""), () => undefined);
  }, []);
  const told = askedFor(problem?.message);
  const changed = told && tag && !result && told[1] !== tag;
  const asked = changed ? ["If-Match", tag] : told;
  const open = !bare || headers || asked || /^[A-Z]/.test(headerOf(problem)); // whether it shows the headers
  useLayoutEffect(() => {
    if (!bare && !headers) keys.current?.focus();
  }, [bare]);
  const put = () => {
    setHeaders(withHeader(headers, asked));
    keys.current?.focus();
  };
  const typeKey = typed((text) => setHeaders(withHeader(headers, ["Authorization", text && `Bearer ${text}`])));
  return html`
    <${Dialog} title=${done ? "Sent" : refused ? "Fix and send" : "Edit and send"} class="wide" onClose=${onClose}>
      <form class="stack" onSubmit=${submit}>
        ${gone && html`<p class="note cut" role="status">The original is gone. ${gone} You can still send this.</p>`}
        ${note && html`<p class="note cut">${note}</p>`}
        <${ErrorNote} error=${error} />
        ${problem && html`
          <${Refusal} error=${problem} status=${result?.status} onPick=${select}>
            ${changed && html`<p>It has changed again since: its ETag is now ${tag}.</p>`}
            ${problem.code === "unauthorized" && !asked && html`<${Field} label="Key">
              ${(/** @type {any} */ attributes) => html`
                <input ...${attributes} ref=${token} class="wire" autocomplete="off" spellcheck=${false}
                  value=${bearerIn(headers)} onInput=${typeKey} />`}
            <//>`}
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
            <textarea ...${attributes} ref=${area} rows=${lines(body)} spellcheck=${false} value=${body}
              onInput=${typed(setBody)}></textarea>`}
        <//>`}
        ${!open && html`<div class="row">
          <button type="button" class="quiet" onClick=${() => setBare(false)}><${Icon} name="plus" />Headers</button>
        </div>`}
        ${open && html`<${Field} label="Headers" hint="One per line." error=${wrong}>
          ${(/** @type {any} */ attributes) => html`
            <textarea ...${attributes} ref=${keys} rows=${lines(headers)} spellcheck=${false} value=${headers}
              onInput=${typeHeaders}></textarea>`}
        <//>`}
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
 * @param {object} props
 * @param {import("./detail.js").Problem} props.error
 * @param {number} [props.status]  of the last try here
 * @param {(field: string) => void} props.onPick  selects its value
 * @param {any} [props.children]
 */
const Refusal = ({ error: { code, message, details }, status, onPick, children }) => html`
  <div class="why" role="alert">
    ${status && html`<p>Sent: <${Status} status=${status} long /></p>`}
    ${details.length > 0 && code !== "precondition_failed" // its message has the current ETag
      ? details.map((d) => html`<p key=${d.field}>
          <button type="button" class="quiet wire" onClick=${() => onPick(d.field)}>
            ${d.field || "body"}</button> ${d.message}
        </p>`)
      : html`<p>${forPeople(message)}</p>`}
    ${children && html`<div class="stack">${children}</div>`}
  </div>`;

/** Finds the header that the server asks for, and its value. @param {string} [message] @returns {string[]|undefined} */
function askedFor(message = "") {
  const [, tag] = /current ETag, which is ("[^"]*")/.exec(message) ?? [];
  return tag ? ["If-Match", tag] : /send ([A-Z][\w-]+): ([^;,]+)$/.exec(message)?.slice(1);
}

/** Returns the key in the headers, which are lines. @param {string} headers */
const bearerIn = (headers) => /^authorization: *bearer +(.*)$/im.exec(headers)?.[1] ?? "";

/** Sets or removes one of the headers, which are lines. @param {string} headers @param {string[]|undefined} header */
function withHeader(headers, [name, value] = []) {
  const others = headers.split("\n").filter((line) => line && !line.toLowerCase().startsWith(`${name}:`.toLowerCase()));
  return [...others, ...(value ? [`${name}: ${value}`] : [])].join("\n");
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
