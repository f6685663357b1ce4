// The sandbox in the header: found by typing among all, made, forked, dropped.

import { html, useState } from "../library/preact.js";
import { link, params } from "./address.js";
import { request, sandbox, sandboxRoot, segment, server } from "./api.js";
import { Combobox } from "./combobox.js";
import { Code } from "./calls.js";
import { Dialog, ErrorNote, Field, Popover } from "./components.js";
import { Confirm } from "./confirm.js";
import { checked, typed } from "./events.js";
import { ago } from "./format.js";
import { Icon } from "./icon.js";
import { session } from "./session.js";
import { createStore, useStore } from "./store.js";

const SHOWN = 30;

/** Whether it is asked what is reset. */
export const resetting = createStore({ open: false });

/** Asks what is reset. */
export const askReset = () => resetting.set({ open: true });

/** Opens a sandbox where this one is looked at, but for what is of a request here. @param {string} name */
export function open(name) {
  const { at, id, ...rest } = params();
  location.assign(new URL(link(rest), sandboxRoot(name)).href);
}

/** @typedef {{rows: import("./types.js").Sandbox[], total: number}} Page */

/**
 * The call that lists a page of the sandboxes.
 * @param {{name?: string, sort: string, limit: number, offset?: number}} query  name: a part of the name or the title
 * @returns {import("./api.js").Call}
 */
export function listCall({ name, sort, limit, offset = 0 }) {
  const query = new URLSearchParams({ sort, limit: String(limit), offset: String(offset), ...(name && { name }) });
  return { method: "GET", path: `admin/sandboxes?${query}`, base: server };
}

/**
 * Returns a page of the sandboxes, and how many there are.
 * @param {Parameters<typeof listCall>[0]} query
 * @param {AbortSignal} [signal]
 * @returns {Promise<Page>}
 */
export async function listSandboxes(query, signal) {
  const { data, headers } = await request({ ...listCall(query), signal });
  return { rows: data, total: Number(headers.get("X-Total-Count")) };
}

/**
 * Returns sandboxes whose name has the text in it, those that were used last first.
 * @param {string} text
 * @param {AbortSignal} signal
 */
async function find(text, signal) {
  const listed = listSandboxes({ name: text, sort: "-lastUsedAt", limit: SHOWN }, signal);
  const { rows } = await listed.catch((error) => {
    if (error.status === 403) return { rows: null };
    throw error;
  });
  if (!rows) return text ? [{ value: text, text: `Open “${text}”`, note: "only the admin key lists them" }] : [];
  /** @type {import("./combobox.js").Option[]} */
  const options = rows.map(({ name, title, lastUsedAt }) => ({ value: name, text: title, note: ago(lastUsedAt) }));
  const isNew = text && !rows.some(({ name, title }) => name === text || title === text);
  if (isNew) options.push({ value: text, text: `Make “${text}”`, note: "new" });
  return options;
}

/** Opens the sandbox, which is made if it is not there. @param {string} name @throws {Error} if it cannot be a name */
async function choose(name) {
  const headers = { "X-Sandbox": segment(name) };
  const named = { method: "GET", path: "healthz", base: server, headers, service: true };
  await request(named).catch(({ details, message }) => {
    throw new Error(details?.[0]?.message ?? message);
  });
  await request(makeCall(name)).catch(() => undefined); // the page there shows the error
  open(name);
}

/**
 * The call that makes a sandbox.
 * @param {string} name
 * @param {Record<string, unknown>} [body]
 * @returns {import("./api.js").Call}
 */
export const makeCall = (name, body) => ({
  method: "PUT", path: `admin/sandboxes/${segment(name)}`, base: server, body,
});

/** @param {string} name */
const forkCall = (name) => ({
  method: "POST", path: `admin/sandboxes/${segment(sandbox)}/fork`, base: server, body: { name },
});

/** The combobox with what can be done with the sandbox. */
export function SandboxPicker() {
  const [dialog, setDialog] = useState("");
  const close = () => setDialog("");
  const { title = sandbox } = useStore(session);
  return html`<div class="picker">
    <${Combobox} label="Sandbox" value=${sandbox} find=${find} onChoose=${choose} />
    <${Popover} class="icon" title="Reset, fork, make or delete a sandbox" text=${html`<${Icon} name="more" />`}>
      ${(/** @type {() => void} */ done) => html`<${Menu} title=${title} done=${done} onDialog=${setDialog} />`}
    <//>
    ${dialog === "make" && html`
      <${NameDialog} title="Make a sandbox" verb="Make" keyed onClose=${close} call=${makeCall} />`}
    ${dialog === "fork" && html`
      <${NameDialog} title=${html`Fork “<bdi>${title}</bdi>”`} verb="Fork" onClose=${close} call=${forkCall} />`}
    ${dialog === "drop" && html`<${DropDialog} title=${title} onClose=${close} />`}
  </div>`;
}

/** @param {{title: string, done: () => void, onDialog: (dialog: string) => void}} props */
function Menu({ title, done, onDialog }) {
  const ask = (/** @type {string} */ dialog) => () => {
    done();
    onDialog(dialog);
  };
  return html`<div class="menu">
    <${ResetItem} title=${title} done=${done} />
    <button type="button" onClick=${ask("fork")}><span>Fork “<bdi>${title}</bdi>”…</span></button>
    <button type="button" onClick=${ask("make")}>Make a new sandbox…</button>
    <button type="button" class="danger" disabled=${sandbox === "default"} onClick=${ask("drop")}>
      <span>Delete “<bdi>${title}</bdi>”…</span>
    </button>
  </div>`;
}

/** @param {{title: string, done: () => void}} props */
function ResetItem({ title, done }) {
  const ask = () => {
    done();
    askReset();
  };
  return html`<button type="button" onClick=${ask}><span>Reset “<bdi>${title}</bdi>”…</span></button>`;
}

/** The sandbox of who has the key of no other, with what can be done with it. @param {{title?: string}} props */
export const OwnSandbox = ({ title = sandbox }) => html`<div class="picker">
  <span class="own" title=${`Your key opens the sandbox “${sandbox}” alone`}><bdi>${title}</bdi></span>
  <${Popover} class="icon" title="Reset the sandbox" text=${html`<${Icon} name="more" />`}>
    ${(/** @type {() => void} */ done) => html`<div class="menu"><${ResetItem} title=${title} done=${done} /></div>`}
  <//>
</div>`;

/**
 * @param {object} props
 * @param {any} props.title
 * @param {string} props.verb
 * @param {boolean} [props.keyed]  whether it can have a key of its own
 * @param {import("./types.js").Sandbox} [props.of]  the sandbox that is changed; missing: it is new
 * @param {string} [props.suggested]  name
 * @param {(name: string, body?: Record<string, unknown>) => import("./api.js").Call} props.call
 * @param {(made: import("./types.js").Sandbox) => void} [props.onMade]  missing: it is opened
 * @param {() => void} props.onClose
 * @param {any} [props.children]  beside the button
 */
export function NameDialog(props) {
  const { title, verb, keyed, of, suggested = "", call, onMade = ({ name }) => open(name), onClose, children } = props;
  const [name, setName] = useState(of?.name ?? suggested);
  const [own, setOwn] = useState("");
  const [ticked, setTicked] = useState(of?.private ?? false);
  const [error, setError] = useState(/** @type {any} */ (null));
  const hidden = ticked && Boolean(own || of?.keyed);
  const turned = hidden !== (of?.private ?? false);
  const body = () => (own || turned ? { ...(own && { key: own }), ...(turned && { private: hidden }) } : undefined);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    request(call(name, body())).then(({ data }) => onMade(data), setError);
  };
  const rename = typed((text) => {
    setName(text);
    setError(null);
  });
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      <form class="stack" onSubmit=${submit}>
        ${!of && html`
          <${Field} label="Name" error=${error?.message}
            hint="Any text of up to 200 characters. It becomes a part of the address.">
            ${(/** @type {any} */ attributes) => html`
              <input ...${attributes} required maxlength="200" value=${name} onInput=${rename} />`}
          <//>`}
        ${keyed && html`
          <${Field} label=${of?.keyed ? "New sandbox key" : "Sandbox key (optional)"} error=${of && error?.message}
            hint="It opens this sandbox alone, for somebody who does not have the admin key.">
            ${(/** @type {any} */ attributes) => html`
              <input ...${attributes} class="wire" autocomplete="off" placeholder=${of?.keyed ? "unchanged" : ""}
                value=${own} onInput=${typed(setOwn)} />`}
          <//>
          <label class="check">
            <input type="checkbox" disabled=${!own && !of?.keyed} checked=${hidden} onChange=${checked(setTicked)} />
            Private: nobody gets in without the key
          </label>`}
        <div class="row">
          <button class="primary" disabled=${of && !body()}>${verb}</button>
          <${Code} label=${verb.toLowerCase()} call=${() => call(name || "NAME", body())} />
          ${children}
        </div>
      </form>
    <//>`;
}

/** @param {{title: string, onClose: () => void}} props */
function DropDialog({ title, onClose }) {
  const [error, setError] = useState(/** @type {any} */ (null));
  const call = { method: "DELETE", path: `admin/sandboxes/${segment(sandbox)}`, base: server };
  return html`
    <${Confirm} title=${html`Delete “<bdi>${title}</bdi>”?`} verb="Delete" label="delete the sandbox" call=${call}
      onConfirm=${() => request(call).then(() => open("default"), setError)} onClose=${onClose}>
      <p>Its data, snapshots, faults and requests go with it. There is no undo.</p>
      <${ErrorNote} error=${error} />
    <//>`;
}
