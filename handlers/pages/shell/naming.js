// The dialogs that create, fork, change or delete a sandbox.

import { html, useEffect, useState } from "../library/preact.js";
import { readTemplate, template as start } from "../dashboard/template.js";
import { ApiError, generated, request, sandbox, sandboxRoot, segment, server } from "./api.js";
import { Code } from "./calls.js";
import { CopyButton, Dialog, ErrorNote, Field } from "./components.js";
import { Confirm } from "./confirm.js";
import { copy } from "./copy.js";
import { checked, typed } from "./events.js";
import { useFailure } from "./failure.js";
import { ago, count, plural } from "./format.js";
import { changeSandbox, dropCall, forkCall, listSandboxes, makeCall, open, parting } from "./sandboxes.js";
import { session } from "./session.js";
import { useStore } from "./store.js";
import { say, sayError } from "./toast.js";

/** @typedef {import("./types.js").Sandbox} Sandbox */

/** Matches the names that are canonical already. */
const plain = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** Matches what no list shows, and what the API takes as no name. */
const unusable = /^([\p{Z}\p{C}]+|\.{1,2}|\*)$/u;

/**
 * Returns the canonical name. Without a secure context, the end is unknown and replaced by "…".
 * @param {string} name
 */
async function canonical(name) {
  if (plain.test(name)) return name;
  const readable = name.replace(/[^a-zA-Z0-9._]/gu, "-").toLowerCase().slice(0, 50).replace(/^[._-]+|[._-]+$/g, "");
  const sum = await crypto.subtle?.digest("SHA-256", new TextEncoder().encode(name));
  const end = sum ? Array.from(new Uint8Array(sum, 0, 6), (byte) => byte.toString(16).padStart(2, "0")).join("") : "…";
  return readable ? `${readable}-${end}` : end;
}

/** Returns a hint about the address of a sandbox with the name. @param {string} name */
function useWhere(name) {
  const [is, setIs] = useState({ name: "", canonical: "" });
  useEffect(() => void canonical(name).then((text) => setIs({ name, canonical: text })), [name]);
  if (!name) return "Any text of up to 200 characters. It becomes a part of the address.";
  return `Its address is /sandboxes/${plain.test(name) ? name : is.canonical}/.`;
}

const SETTLE = 200; // ms without typing
const LOOKED_THROUGH = 50; // sandboxes with the text in their names

/**
 * Whether there is a sandbox with the name. It searches the list first, because a 404 shows as an error in the console.
 * Only if too many names are similar, it requests the sandbox itself.
 * @param {string} name
 * @param {AbortSignal} [signal]
 */
async function isTaken(name, signal) {
  const { rows, total } = await listSandboxes({ name, sort: "name", limit: LOOKED_THROUGH }, signal);
  if (rows.some((one) => one.name === name || one.title === name)) return true;
  if (rows.length === total) return false;
  const found = request({ method: "GET", path: `admin/sandboxes/${segment(name)}`, base: server, signal });
  return await found.then(() => true, (error) => {
    if (error.status === 404) return false;
    throw error;
  });
}

/** Whether the typed name is taken. @param {string} name */
function useTaken(name) {
  const [taken, setTaken] = useState("");
  useEffect(() => {
    if (!name) return;
    const stop = new AbortController();
    const tell = (/** @type {boolean} */ is) => is && setTaken(name);
    // The call that creates the sandbox reports the error.
    const look = () => isTaken(name, stop.signal).then(tell, () => undefined);
    const timer = setTimeout(look, SETTLE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [name]);
  return name !== "" && taken === name;
}

/**
 * Creates a sandbox, unless one has the name already. The call alone would change that one.
 * @param {string} name
 * @param {import("./api.js").Call} call
 */
async function makeNew(name, call) {
  if (await isTaken(name)) throw new ApiError("There is such a sandbox.", 409, "conflict");
  return request(call);
}

/** Opens a new sandbox, whose page says so. @param {Pick<Sandbox, "name"|"title">} made @param {boolean} [fork] */
export function enter({ name, title }, fork) {
  parting.set(fork ? `This is “${title}”, a copy of “${session.get().title}”.` : `Created “${title}”.`);
  open(name);
}

const anyKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join("");

/** Returns a link that opens the sandbox with its key. @param {string} name  @param {string} own */
const linkOf = (name, own) => `${sandboxRoot(name).href}#key=${encodeURIComponent(own)}`;

/**
 * @param {object} props
 * @param {any} props.title
 * @param {string} props.verb
 * @param {boolean} [props.keyed]  whether it can have a key of its own
 * @param {boolean} [props.fork]  whether it forks a sandbox
 * @param {Sandbox} [props.of]  the sandbox to change; missing: a new one
 * @param {string} [props.suggested]  name
 * @param {(name: string, body?: Record<string, unknown>) => import("./api.js").Call} props.call
 * @param {(made: Sandbox, fork?: boolean, own?: string) => void} [props.onMade]  missing: opens the sandbox
 * @param {() => void} props.onClose
 * @param {any} [props.children]  beside the button
 */
export function NameDialog(props) {
  const { title, verb, keyed, fork, of, suggested = "", call, onClose, children } = props;
  const { onMade = enter } = props;
  const [name, setName] = useState(of?.name ?? suggested);
  const [own, setOwn] = useState("");
  const [from, setFrom] = useState("");
  const [ticked, setTicked] = useState(of?.private ?? false);
  const [error, setError] = useFailure();
  const [made, setMade] = useState(/** @type {Sandbox|null} */ (null));
  const taken = useTaken(of ? "" : name);
  const where = useWhere(name);
  const keyless = !own && !of?.keyed;
  const hidden = ticked && !keyless;
  const turned = hidden !== (of?.private ?? false);
  const body = () => (own || turned ? { ...(own && { key: own }), ...(turned && { private: hidden }) } : undefined);
  const sent = () => (from ? forkCall(from)(name || "NAME") : call(name || "NAME", body()));
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const keep = (/** @type {any} */ answer) => (from && body() ? request(call(name, body())) : answer);
    const done = (/** @type {any} */ { data }) => (own && !of ? setMade(data) : onMade(data, fork, own));
    const fail = (/** @type {any} */ problem) => {
      if (!of || problem.status !== 404) return setError(problem);
      say(`“${of.title}” is gone: it was deleted meanwhile.`, { about: ["sandboxes"], bad: true });
      onClose();
    };
    setError(null);
    (of ? changeSandbox(sent()) : fork ? request(sent()) : makeNew(name, sent()).then(keep)).then(done, fail);
  };
  const wrong = taken || error?.code === "conflict"
    ? `There is a sandbox “${name}” already. Choose another name.`
    : unusable.test(name) ? "A name cannot be blank, “*”, “.” or “..”." : error?.status !== 0 && error?.message;
  const atKey = of || error?.details?.[0]?.field === "/key";
  const rename = typed((text) => {
    setName(text);
    setError(null);
  });
  if (made) return html`<${Keep} key="keep" made=${made} own=${own} onClose=${onClose} />`;
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      <form class="stack" onSubmit=${submit}>
        ${!of && html`
          <${Field} label="Name" error=${!atKey && wrong} hint=${where}>
            ${(/** @type {any} */ attributes) => html`
              <input ...${attributes} maxlength="200" value=${name} onInput=${rename}
                onFocus=${(/** @type {any} */ event) => event.target.select()} />`}
          <//>`}
        ${keyed && !of && html`<${Start} from=${from} onChange=${setFrom} />`}
        ${keyed && html`
          <${Field} label=${of?.keyed ? "New sandbox key" : "Sandbox key (optional)"} error=${atKey && wrong}
            hint="Opens this sandbox only. Share it instead of the admin key.">
            ${(/** @type {any} */ attributes) => html`<div class="row">
              <input ...${attributes} class="wire grow" autocomplete="off" placeholder=${of?.keyed ? "unchanged" : ""}
                value=${own} onInput=${typed(setOwn)} />
              <button type="button" class="plain-border" onClick=${() => setOwn(anyKey())}>Generate</button>
            </div>`}
          <//>
          ${!keyless && html`<label class="check">
            <input type="checkbox" checked=${hidden} onChange=${checked(setTicked)} />
            Private: nobody gets in without the key
          </label>`}`}
        ${fork && html`<p class="note">
          It has the data, snapshots, clock, faults and lifecycles as they are now, but no requests, webhooks or key.
        </p>`}
        ${error?.status === 0 && html`<p class="wrong away" role="alert">${error.message}</p>`}
        <div class="row">
          <button class="primary" disabled=${of ? !body() : !name || taken || unusable.test(name)}>${verb}</button>
          <${Code} label=${`${verb.toLowerCase()} ${name}`} call=${sent} />
          <button type="button" onClick=${onClose}>Cancel</button>
          ${of && own && html`
            <${CopyButton} text=${linkOf(name, own)} label="Copy the link with the key" />`}
          ${children}
        </div>
      </form>
    <//>`;
}

const OFFERED = 50; // sandboxes to start from

const TEMPLATE = { method: "GET", path: "admin/template", base: server };

/** Returns the template; null if it cannot be read, undefined while it loads. */
function useTemplate() {
  const [template, setTemplate] = useState(/** @type {any} */ (undefined));
  useEffect(() => void request(TEMPLATE).then(({ data }) => setTemplate(data), () => setTemplate(null)), []);
  return template;
}

/**
 * What a new sandbox starts with: the template, or a copy of another sandbox.
 * @param {{from: string, onChange: (from: string) => void}} props  from: empty for the template
 */
function Start({ from, onChange }) {
  const template = useTemplate();
  const { gone } = useStore(start);
  useEffect(() => void readTemplate(), []);
  const [rows, setRows] = useState(/** @type {Sandbox[]} */ ([]));
  const tell = (/** @type {{rows: Sandbox[]}} */ found) => setRows(found.rows);
  useEffect(() => void listSandboxes({ sort: "-lastUsedAt", limit: OFFERED }).then(tell, () => undefined), []);
  const data = template && generated.map((noun) => `${count(template.counts[noun])} ${noun}`).join(", ");
  const hint = from ? "With its data, snapshots, clock, faults and lifecycles."
    : data ? `With ${data}.${template.from ? " For a fresh one, first choose “Start fresh” in the menu Template." : ""}`
      : "As all new sandboxes start.";
  return html`
    <${Field} label="Start from" hint=${hint}>
      ${(/** @type {any} */ attributes) => html`<select ...${attributes} value=${from} onChange=${typed(onChange)}>
        <option value="">${template?.from ? `Template: copy of “${template.from}”${gone}` : "Fresh"}</option>
        ${rows.map(({ name, title }) => html`<option key=${name} value=${name}>Copy of “${title}”</option>`)}
      </select>`}
    <//>`;
}

/**
 * The key of a new sandbox, which is shown only here.
 * @param {{made: Sandbox, own: string, onClose: () => void}} props
 */
const Keep = ({ made: { name, title }, own, onClose }) => html`
  <${Dialog} title=${html`Created “<bdi>${title}</bdi>”`} onClose=${onClose}>
    <div class="stack">
      <${Field} label="Sandbox key" hint="Copy it now: it is not shown again.">
        ${(/** @type {any} */ attributes) => html`<input ...${attributes} class="wire" readonly value=${own} />`}
      <//>
      <div class="row">
        <${CopyButton} class="primary" text=${linkOf(name, own)} label="Copy the link with the key" />
        <${CopyButton} class="plain-border" text=${own} label="Copy the key" />
        <button type="button" class="plain-border" onClick=${() => open(name)}>Open</button>
        <button type="button" onClick=${onClose}>Done</button>
      </div>
    </div>
  <//>`;

/** Changes the key and the privacy of a sandbox. @param {{row: Sandbox, onClose: () => void}} props */
export function KeyDialog({ row, onClose }) {
  const { name, title, keyed } = row;
  const remove = makeCall(name, { key: "" });
  const gone = (/** @type {any} */ error) => {
    sayError(error, "sandboxes");
    if (error.status === 404) onClose();
  };
  /** @param {Sandbox} after @param {boolean} [_] @param {string} [own]  the new key */
  const done = (after, _, own) => {
    const is = after.private ? "is private" : after.keyed ? "has a key" : "has no key";
    const action = own ? { text: "Copy the link", run: () => void copy(linkOf(name, own)) } : undefined;
    say(`“${title}” ${is} now.`, { about: ["sandboxes"], action });
    onClose();
  };
  return html`
    <${NameDialog} title=${html`Key and privacy of “<bdi>${title}</bdi>”`} verb="Save" keyed of=${row} call=${makeCall}
      onMade=${done} onClose=${onClose}>
      ${keyed && html`
        <span class="grow"></span>
        <button type="button" class="danger"
          onClick=${() => changeSandbox(remove).then(({ data }) => done(data), gone)}>
          Remove the key
        </button>
        <${Code} label="remove the key" call=${() => remove} />`}
    <//>`;
}

/**
 * Asks before a sandbox is deleted. The page of a deleted sandbox then opens the default one.
 * @param {{name: string, title: string, onGone?: () => void, onClose: () => void}} props
 */
export function DropDialog({ name, title, onGone, onClose }) {
  const [error, setError] = useFailure();
  const [row, setRow] = useState(/** @type {Sandbox|null|undefined} */ (undefined));
  const template = useTemplate();
  const call = dropCall(name);
  useEffect(() => void request({ ...call, method: "GET" }).then(({ data }) => setRow(data), () => setRow(null)), []);
  const gone = () => {
    const done = `Deleted “${title}”.`;
    if (name !== sandbox) {
      say(done, { about: ["sandboxes"] });
      return onGone?.();
    }
    parting.set(done);
    open("default");
  };
  const size = row && `${plural(row.counts.pets, "pet")}, ${plural(row.counts.orders, "order")}`;
  const used = row && `It was last used ${ago(row.lastUsedAt)}, and has had ${plural(row.requests ?? 0, "request")}.`;
  return template !== undefined && row !== undefined && html`
    <${Confirm} title=${html`Delete “<bdi>${title}</bdi>”?`} verb="Delete" label=${`delete ${name}`} call=${call}
      onConfirm=${() => request(call).then(gone, setError)} onClose=${onClose}>
      <p>Its data${size && ` (${size})`}, snapshots, faults and requests go with it. ${used} There is no undo.</p>
      ${template?.from === name && html`<p>The template stays: new sandboxes still start as the copy of it.</p>`}
      <${ErrorNote} error=${error} />
    <//>`;
}
