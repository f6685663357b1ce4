// The exercises as a path. The open one shows its request, the button that runs it, and the response.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { errorOf, request, send } from "../shell/api.js";
import { Status } from "../shell/components.js";
import { typed } from "../shell/events.js";
import { Icon } from "../shell/icon.js";
import { later } from "../shell/later.js";
import { exercises, plain } from "./exercises.js";

/**
 * @typedef {import("./exercises.js").Exercise} Exercise
 * @typedef {import("./exercises.js").Reply} Reply
 * @typedef {import("./exercises.js").Records} Records
 * @typedef {import("../shell/api.js").Call} Call
 * @typedef {{url: string, key: string}} Store
 */

const Snippets = later(() => import("../shell/snippets.js"), "Snippets");

/** @param {Store} store  @param {Call} call  @returns {Call} */
const inStore = ({ url, key }, call) => ({
  ...call, path: `${url}/${call.path}`, service: true, headers: { Authorization: `Bearer ${key}`, ...call.headers },
});

/** Returns a pet and a category of the store, and a function that looks for them. @param {Store} store */
function useRecords(store) {
  const [records, setRecords] = useState(/** @type {Records} */ ({ pet: 1, category: 1 }));
  const look = async () => {
    const first = async (/** @type {string} */ nouns) => {
      const call = inStore(store, { method: "GET", path: `admin/data/${nouns}?limit=1` });
      return (await request(call)).data[0]?.id ?? 1;
    };
    try {
      const [pet, category] = await Promise.all([first("pets"), first("categories")]);
      setRecords({ pet, category });
    } catch {
      // Then the requests use the first records, and their responses explain the errors.
    }
  };
  return { records, look };
}

/** @param {{store: Store, done: boolean[], known: boolean, dashboard: string}} props  known: whether done was read */
export function Path({ store, done, known, dashboard }) {
  const [open, setOpen] = useState(() => done.indexOf(false));
  const { records, look } = useRecords(store);
  const list = useRef(/** @type {HTMLElement|null} */ (null));
  const acted = useRef(false);
  useEffect(() => void look(), [open]);
  useEffect(() => setOpen((i) => (done[i] && !acted.current ? done.indexOf(false) : i)), [known]);
  const next = done.findIndex((is, i) => !is && i !== open);
  const advance = () => {
    setOpen(next);
    requestAnimationFrame(() => {
      const exercise = list.current?.children[next];
      exercise?.querySelector("button")?.focus({ preventScroll: true });
      exercise?.scrollIntoView();
    });
  };
  const count = done.filter(Boolean).length;
  return html`<section class="stack" aria-label="Exercises">
    <div class="row">
      <h2 class="grow">Exercises</h2>
      <span class=${count < exercises.length ? "note" : "s-2xx well"} role="status">
        ${count} of ${exercises.length} done${count === exercises.length && ". Well done!"}
      </span>
    </div>
    <ol class="exercises" ref=${list} onClick=${() => void (acted.current = true)}>
      ${exercises.map((exercise, i) => html`
        <li key=${exercise.text} class=${`${done[i] ? "done" : ""}${i === open ? " open" : ""}`}>
          <h3>
            <button type="button" class="head" aria-expanded=${i === open}
              onClick=${() => setOpen(i === open ? -1 : i)}>
              <${Tick} n=${i + 1} isDone=${done[i]} />
              <span class="grow">${exercise.text}</span>
              <${Icon} name="down" />
            </button>
          </h3>
          ${i === open && html`
            <${Open} key=${i} exercise=${exercise} store=${store} records=${records} isDone=${done[i]} />
            ${done[i] && html`
              <p class="yours"><strong>If you like:</strong> ${exercise.more}</p>`}
            ${done[i] && next >= 0 && html`
              <div class="row onward">
                <strong class="s-2xx"><${Icon} name="check" />Done</strong>
                <button type="button" class="primary" onClick=${advance}>
                  Next: ${exercises[next].text}<${Icon} name="next" />
                </button>
              </div>`}`}
        </li>`)}
    </ol>
    ${count === exercises.length && html`
      <div class="row finish">
        <strong class="grow s-2xx" role="status">
          <${Icon} name="check" />
          <span>
            All five exercises are done.
            <small>The store stays yours until the day ends: go on with your own client.</small>
          </span>
        </strong>
        <a class="button plain-border" href=${dashboard}>See your requests on the dashboard</a>
      </div>`}
  </section>`;
}

/** A tick, or the number of an exercise to do. @param {{n: number, isDone: boolean}} props  n: from 1 */
export const Tick = ({ n, isDone }) => html`
  <span class="tick" role="img" aria-label=${isDone ? "done" : "to do"}>
    ${isDone ? html`<${Icon} name="check" />` : n}
  </span>`;

/**
 * The open exercise: its next request, and the responses so far.
 * @param {{exercise: Exercise, store: Store, records: Records, isDone: boolean}} props
 */
function Open({ exercise: { hint, steps }, store, records, isDone }) {
  const [replies, setReplies] = useState(/** @type {Reply[]} */ ([])); // of the completed steps
  const [last, setLast] = useState(/** @type {{step: number, reply: Reply}|null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  const [busy, setBusy] = useState(false);
  const [edited, setEdited] = useState(/** @type {string|null} */ (null));
  const response = useRef(/** @type {HTMLElement|null} */ (null));
  const over = replies.length === steps.length;
  useEffect(() => {
    const exercise = response.current?.closest("li");
    if (!exercise) return;
    const { top, bottom, height } = exercise.getBoundingClientRect();
    const from = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
    const isPhone = Math.min(innerWidth, innerHeight) <= NARROW;
    if (!isPhone || (top > from - 1 && bottom <= innerHeight)) return exercise.scrollIntoView({ block: "nearest" });
    (over && height > innerHeight - from ? response.current : exercise)?.scrollIntoView();
  }, [last, isDone]); // the button to the next exercise appears when this one is done
  const at = Math.min(replies.length, steps.length - 1); // after the last step, its request stays
  const step = steps[at];
  const several = steps.length > 1;
  const text = edited ?? textOf(step.call(records, replies));
  const run = async (/** @type {MouseEvent} */ { detail }) => {
    if (over && detail > 1) return; // the second click of a double click on Run
    const before = replies.slice(0, at);
    setBusy(true);
    setError(null);
    try {
      if (!REQUEST.test(text)) throw new Error("Line 1 must be a method and a path, for example POST /pets");
      const asked = edited === null ? step.call(records, before) : callIn(edited);
      const reply = { ...await replyTo(inStore(store, asked)), sent: text };
      setLast({ step: at, reply });
      setReplies(step.wants(reply.status) ? [...before, reply] : before);
      if (at + 1 < steps.length && step.wants(reply.status)) setEdited(null); // the next step has another request
    } catch (problem) {
      const { status, message } = /** @type {any} */ (problem);
      setError({ message: status === 0 ? "The server does not answer. Run it again." : message, at: text });
    }
    setBusy(false);
  };
  const startOver = () => {
    setReplies([]);
    setLast(null);
    setEdited(null);
  };
  const sent = last?.reply.sent ?? "";
  const isOther = edited !== null && text !== sent; // whether the text differs from the sent request
  const to = several ? `step ${(last?.step ?? 0) + 1}: ${lineOf(sent)}` : isOther ? lineOf(sent) : "";
  const isUnsent = error?.at === text && !REQUEST.test(text);
  const bad = error ? Number(isUnsent) : last && text === sent ? badLine(last.reply) : 0;
  const mend = (/** @type {string} */ path) => setEdited(text.replace(/^(\s*\w+ +)[^\s?]+/, `$1${path}`));
  return html`<div class="stack work">
    <div class="step stack">
      <p>${several && html`<strong>Step ${at + 1} of ${steps.length}.</strong>${" "}`}${step.says(replies)}</p>
      <p class="note">${hint}</p>
      <div class="ask">
        <textarea class=${`request wire${bad ? " has-bad" : ""}`} style=${{ "--bad": bad }} aria-label="The request"
          spellcheck="false" rows=${text.split("\n").length} value=${text} onInput=${typed(setEdited)}></textarea>
        <button type="button" class=${isDone ? "plain-border run" : "primary run"} disabled=${busy} onClick=${run}>
          <${Icon} name="play" />${last?.step === at && sent === text ? "Run again" : "Run"}
        </button>
      </div>
      ${at > 0 && last?.step === at && html`
        <button type="button" class="quiet again" onClick=${startOver}>Start over at step 1</button>`}
      <details class="code" onToggle=${reveal}>
        <${Opener} text="As curl, Python, Go…" /><${Snippets} call=${inStore(store, callIn(text))} />
      </details>
    </div>
    ${error && html`<p class="reply" role="alert">${error.message}</p>`}
    ${last && !error && html`<div class="reply stack" role="status" ref=${response}>
      ${replies.slice(0, last.step).map((reply, i) => html`
        <${Shown} key=${i} reply=${{ ...reply, data: "" }} names=${steps[i].shows} onMend=${mend}
          to=${`step ${i + 1}: ${lineOf(reply.sent)}`} />`)}
      <${Shown} reply=${last.reply} names=${steps[last.step].shows} to=${to} onMend=${mend} />
    </div>`}
  </div>`;
}

/** The summary that opens details. @param {{text: string}} props */
const Opener = ({ text }) => html`<summary><${Icon} name="next" />${text}</summary>`;

/** Scrolls opened details into view. @param {Event} event */
function reveal({ currentTarget }) {
  const details = /** @type {HTMLDetailsElement} */ (currentTarget);
  if (details.open) details.scrollIntoView({ block: "nearest" });
}

const REQUEST = /^\s*(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) +\//;

/** Returns the method and the path of a request. @param {string} text */
const lineOf = (text) => text.trim().split("\n")[0];

/** Returns the line of the editor, from 1, with the unknown path or the bad JSON, or 0. @param {Reply} reply */
function badLine({ data, sent }) {
  if (/^there is nothing at /.test(data?.message)) return 1;
  const [, line] = /^line (\d+),/.exec(data?.message) ?? [];
  const [head] = /^[^]*?\n\s*\n/.exec(sent) ?? [""];
  return line ? head.split("\n").length - 1 + Number(line) : 0;
}

/** @param {Call} call  @returns {Promise<Omit<Reply, "sent">>} */
async function replyTo(call) {
  const response = await send(call);
  const type = response.headers.get("Content-Type") ?? "";
  if (/event-stream/.test(type)) { // it has no end
    await response.body?.cancel();
    return { status: response.status, headers: response.headers, data: "Events follow. curl -N shows them." };
  }
  const data = /json/.test(type) ? await response.json() : await response.text();
  if (!response.ok && typeof data?.message !== "string") throw await errorOf(new Response("", response));
  return { status: response.status, headers: response.headers, data };
}

/** Formats a request as HTTP, without the headers that all requests have. @param {Call} call */
function textOf({ method, path, headers = {}, body }) {
  const lines = [`${method} /${path}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return body === undefined ? lines.join("\n") : `${lines.join("\n")}\n\n${JSON.stringify(body, null, 2)}`;
}

/** Parses such a text as a call. @param {string} text  @returns {Call} */
function callIn(text) {
  const [head, body] = text.trim().split(/\n\s*\n([^]*)/);
  const [first, ...lines] = head.split("\n");
  const [method, path = ""] = first.split(/\s+/);
  const headers = Object.fromEntries(lines.map((line) => line.split(/:\s*(.*)/)).filter(([, value]) => value));
  return { method, path: path.replace(/^\/+/, ""), headers, body: method === "GET" ? undefined : body };
}

/** Formats a header, with the date of a Deprecation. @param {string} name  @param {string|null} value */
function readable(name, value) {
  if (name === "Link") return folded(value);
  if (name !== "Deprecation") return value;
  return `${value} (${new Date(1000 * Number(value?.slice(1))).toISOString().slice(0, 10)})`;
}

const NARROW = 640; // px of a phone

/** Shortens an address within the store. @param {string} address */
const brief = (address) => address.replace(/^.*?\/sandboxes\/[^/]+/, "…");

/** Formats Link: where each link leads, and the original text in details. @param {string|null} value */
const folded = (value) => html`
  ${[...(value ?? "").matchAll(/<([^>]*)>; rel="([^"]*)"/g)].map(([, address, rel]) => html`
    <span key=${rel}>${rel}: ${brief(address)}</span>`)}
  <details><${Opener} text="As sent" />${value}</details>`;

/** Colours the strings of JSON, but not its names. @param {string} text */
const coloured = (text) => text.split(/("(?:[^"\\]|\\.)*")/).map((part, i, all) => (i % 2 && all[i + 1][0] !== ":"
  ? html`<span class="in-string">${part}</span>`
  : part));

/** Formats JSON: a list with a line for each record. @param {any} data */
const pretty = (data) => (Array.isArray(data)
  ? html`[${data.map((record, i) => html`<span>${
    coloured(JSON.stringify(record, null, 1).replace(/\n */g, " "))}${i < data.length - 1 && ","}</span>`)}]`
  : coloured(JSON.stringify(data, null, 2)));

/**
 * @param {{reply: Reply, names: string[], to: string, onMend: (path: string) => void}} props  names: the headers that
 *   matter; to: what it responds to, or "" if that is clear; onMend: takes the path that the server suggests
 */
function Shown({ reply, names, to, onMend }) {
  const { status, headers, data } = reply;
  const there = names.filter((name) => headers.has(name));
  /** @type {{field: string, message: string}[]} */
  const details = data?.details ?? [];
  const isFault = /^fault rule/.test(data?.message);
  const message = plain(data?.message ?? "").replace(/^line \d+/, "$& of the body"); // like the wall
  const [, before, path, after] = /^(.* did you mean )(\/[^\s?]*)(\?.*)$/.exec(message) ?? [];
  const says = isFault ? "The teacher made this fail. Run it again."
    : path ? html`${before}<button type="button" class="quiet" onClick=${() => onMend(path)}>${path}</button>${after}`
    : details.length < 2 && message;
  const body = html`<pre class="json" tabindex="0" aria-label="The response">${pretty(data)}</pre>`;
  return html`
    <p class="row">
      ${to && html`<span class="to">Response to ${to}</span>`}
      <${Status} status=${status} long />
      ${says && html`<span class="grow">${says}</span>`}
    </p>
    ${details.length > 1 && html`<ul class="details">
      ${details.map(({ field, message }) => html`
        <li key=${field + message}><code>${field.slice(1)}</code> ${message}</li>`)}
    </ul>`}
    ${there.length > 0 && html`<dl class="headers wire">
      ${there.map((name) => html`
        <div key=${name}><dt>${name}</dt><dd>${readable(name, headers.get(name))}</dd></div>`)}
    </dl>`}
    ${data?.message ? html`<details><${Opener} text="The response as sent" />${body}</details>` : data !== "" && body}`;
}
