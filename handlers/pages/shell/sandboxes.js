// The sandbox in the header: found by typing among all, made, forked, dropped.

import { html, useState } from "../library/preact.js";
import { get, request, sandbox, sandboxRoot, segment, server } from "./api.js";
import { Combobox } from "./combobox.js";
import { Code, Dialog, ErrorNote, Field, Popover } from "./components.js";
import { ago } from "./format.js";

const SHOWN = 30;

/** @param {string} name */
export const open = (name) => location.assign(new URL(location.search, sandboxRoot(name)).href);

/**
 * Returns sandboxes whose name has the text in it, those that were used last first.
 * @param {string} text
 */
async function find(text) {
  const all = /** @type {import("./types.js").Sandbox[]} */ (await get("admin/sandboxes"));
  const part = text.toLowerCase();
  const found = all.filter(({ name, title }) => name.includes(part) || title.toLowerCase().includes(part));
  found.sort((a, b) => b.lastUsedAt.localeCompare(a.lastUsedAt));
  /** @type {import("./combobox.js").Option[]} */
  const options = found.slice(0, SHOWN).map(({ name, title, lastUsedAt }) => ({ value: name, text: title, note: ago(lastUsedAt) }));
  if (text && !found.some(({ name, title }) => name === text || title === text)) options.push({ value: text, text: `Make “${text}”`, note: "new" });
  return options;
}

/** @param {string} name */
async function choose(name) {
  await request({ method: "PUT", path: `admin/sandboxes/${segment(name)}`, base: server }).catch(() => undefined); // the page there says what is wrong
  open(name);
}

/** The combobox with what can be done with the sandbox. */
export function SandboxPicker() {
  const [dialog, setDialog] = useState("");
  const close = () => setDialog("");
  return html`<div class="picker">
    <${Combobox} label="Sandbox" value=${sandbox} find=${find} onChoose=${choose} />
    <${Popover} class="icon" title="Fork, make or drop a sandbox" text="⋯">${(/** @type {() => void} */ done) => html`<div class="menu">
      <button type="button" onClick=${() => { done(); setDialog("make"); }}>Make a new sandbox…</button>
      <button type="button" onClick=${() => { done(); setDialog("fork"); }}>Fork ${sandbox}…</button>
      <button type="button" class="danger" disabled=${sandbox === "default"} onClick=${() => { done(); setDialog("drop"); }}>Drop ${sandbox}…</button>
    </div>`}<//>
    ${dialog === "make" && html`<${NameDialog} title="Make a sandbox" verb="Make" onClose=${close}
      call=${(/** @type {string} */ name) => ({ method: "PUT", path: `admin/sandboxes/${segment(name)}`, base: server })} />`}
    ${dialog === "fork" && html`<${NameDialog} title=${`Fork ${sandbox}`} verb="Fork" onClose=${close}
      call=${(/** @type {string} */ name) => ({ method: "POST", path: `admin/sandboxes/${segment(sandbox)}/fork`, base: server, body: { name } })} />`}
    ${dialog === "drop" && html`<${DropDialog} onClose=${close} />`}
  </div>`;
}

/** @param {{title: string, verb: string, call: (name: string) => import("./api.js").Call, onClose: () => void}} props */
export function NameDialog({ title, verb, call, onClose }) {
  const [name, setName] = useState("");
  const [error, setError] = useState(/** @type {any} */ (null));
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    request(call(name)).then(({ data }) => open(data.name), setError);
  };
  return html`<${Dialog} title=${title} onClose=${onClose}><form class="stack" onSubmit=${submit}>
    <${Field} label="Name" error=${error?.message} hint="Any text of up to 200 characters. It becomes a part of the address.">
      ${(/** @type {any} */ attributes) => html`<input ...${attributes} required maxlength="200" value=${name} onInput=${(/** @type {any} */ e) => setName(e.target.value)} />`}
    <//>
    <div class="row"><button class="primary">${verb}</button><${Code} label=${title} call=${() => call(name || "NAME")} /></div>
  </form><//>`;
}

/** @param {{onClose: () => void}} props */
function DropDialog({ onClose }) {
  const [error, setError] = useState(/** @type {any} */ (null));
  const call = { method: "DELETE", path: `admin/sandboxes/${segment(sandbox)}`, base: server };
  return html`<${Dialog} title=${`Drop ${sandbox}?`} onClose=${onClose}><div class="stack">
    <p>Its data, snapshots, faults and requests go with it. There is no undo.</p>
    <${ErrorNote} error=${error} />
    <div class="row"><button type="button" class="danger" onClick=${() => request(call).then(() => open("default"), setError)}>Drop it</button><${Code} label="drop the sandbox" call=${() => call} /></div>
  </div><//>`;
}
