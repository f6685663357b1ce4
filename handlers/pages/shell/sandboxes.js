// The sandbox in the header: finds, creates, forks and deletes sandboxes.

import { html } from "../library/preact.js";
import { params } from "./address.js";
import { key, request, root, sandbox, sandboxRoot, segment, server } from "./api.js";
import { ASKS } from "./calls.js";
import { Combobox } from "./combobox.js";
import { Item, Menu } from "./components.js";
import { ago } from "./format.js";
import { Icon } from "./icon.js";
import { opened } from "./later.js";
import { toggleTheme, useThemeTitle } from "./live.js";
import { session } from "./session.js";
import { createStore, kept, useStore } from "./store.js";
import { say } from "./toast.js";

const SHOWN = 30;

const naming = () => import("./naming.js");

/** Creates, forks or changes a sandbox. */
export const NameDialog = opened(naming, "NameDialog");

/** Changes the key and the privacy of a sandbox. */
export const KeyDialog = opened(naming, "KeyDialog");

/** Asks before a sandbox is deleted. */
export const DropDialog = opened(naming, "DropDialog");

/** Whether the reset dialog is open, and for which sandbox; missing: the one that the page shows. */
export const resetting = createStore({
  open: false, of: /** @type {import("./types.js").Sandbox|undefined} */ (undefined),
});

/** Opens the reset dialog. @param {import("./types.js").Sandbox} [of] */
export const askReset = (of) => resetting.set({ open: true, of });

/** Opens the same view of another sandbox, without the request that is open here. @param {string} name */
export function open(name) {
  const { at, id, ...rest } = params();
  const to = new URL(sandboxRoot(name));
  to.search = String(new URLSearchParams(rest));
  location.assign(to);
}

const asked = createStore({ dialog: "" });

/** Opens a dialog of the header's menu. @param {""|"make"|"fork"|"drop"} dialog  "": closes it */
export const ask = (dialog) => asked.set({ dialog });

/** A message for the tab's next page to show first. */
export const parting = kept("sessionStorage", "parting");
if (parting.get()) {
  say(parting.get());
  parting.set("");
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
 * Returns sandboxes whose names contain the text, last used first.
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
  const options = rows.map(({ name, title, lastUsedAt }) => (
    { value: name, text: title, note: name === sandbox ? "current" : ago(lastUsedAt) }));
  if (!text) { // the current one first, so that Enter stays there
    const at = rows.findIndex(({ name }) => name === sandbox);
    const [current] = at < 0 ? [] : options.splice(at, 1);
    options.unshift(current ?? { value: sandbox, text: session.get().title ?? sandbox, note: "current" });
    options.push({ value: "", text: "Create a sandbox…" });
  }
  const isNew = text && !rows.some(({ name, title }) => name === text || title === text);
  if (isNew) options.push({ value: text, text: `Create “${text}”` });
  return options;
}

/** Opens the sandbox, and creates it if needed. @param {string} name @throws {Error} if the name is invalid */
async function choose(name) {
  const headers = { "X-Sandbox": segment(name) };
  const named = { method: "GET", path: "healthz", base: server, headers, service: true };
  await request(named).catch(({ details, message }) => {
    throw new Error(details?.[0]?.message ?? message);
  });
  const made = await request(makeCall(name)).catch(() => undefined); // the sandbox's page shows the error
  if (made?.status === 201) parting.set(`Created “${name}”.`);
  open(name);
}

/**
 * Returns the call that creates or changes a sandbox.
 * @param {string} name
 * @param {Record<string, unknown>} [body]
 * @returns {import("./api.js").Call}
 */
export const makeCall = (name, body) => ({
  method: "PUT", path: `admin/sandboxes/${segment(name)}`, base: server, body,
});

/**
 * Changes a sandbox, or fails if it no longer exists. The call alone would create it again.
 * @param {import("./api.js").Call} call  of makeCall
 */
export const changeSandbox = (call) => request({ ...call, method: "GET", body: undefined }).then(() => request(call));

/** The call that deletes a sandbox. @param {string} name @returns {import("./api.js").Call} */
export const dropCall = (name) => ({ method: "DELETE", path: `admin/sandboxes/${segment(name)}`, base: server });

/** @param {string} from @returns {(name: string) => import("./api.js").Call} */
export const forkCall = (from) => (name) => ({
  method: "POST", path: `admin/sandboxes/${segment(from)}/fork`, base: server, body: { name },
});

/** Removes the tab's key, and reloads the page, which asks for another. */
export function useAnotherKey() {
  key.set("", key.ofSandbox);
  location.reload();
}

/** The combobox, and a menu of what can be done with the sandbox. */
export function SandboxPicker() {
  const { dialog } = useStore(asked);
  const close = () => ask("");
  const { title = sandbox } = useStore(session);
  const theme = useThemeTitle();
  return html`<div class="picker">
    <${Combobox} label="Sandbox" value=${title} find=${find}
      onChoose=${async (/** @type {string} */ name) => (name ? choose(name) : ask("make"))} />
    <${Menu} class="icon" title="Reset, fork, create or delete a sandbox" text=${html`<${Icon} name="more" />`}>
      <${Item} onClick=${() => ask("fork")} label="fork the sandbox" note=${ASKS}
        call=${() => forkCall(sandbox)(`${sandbox}-copy`)}><span>Fork “<bdi>${title}</bdi>”…</span><//>
      <${Item} onClick=${() => ask("make")} label="create a sandbox" note=${ASKS}
        call=${() => makeCall("NAME")}>Create a sandbox…<//>
      <hr />
      <${ResetItem} title=${title} />
      ${sandbox !== "default" && html`<${Item} class="danger" onClick=${() => ask("drop")}
        label="delete the sandbox" note=${ASKS} call=${() => dropCall(sandbox)}>
        <span>Delete “<bdi>${title}</bdi>”…</span>
      <//>`}
      ${key.value && html`<${Item} onClick=${useAnotherKey}>Use another key<//>`}
      ${matchMedia("(max-width: 640px)").matches && html`
        <hr /><${Item} onClick=${toggleTheme}>${theme}<//>
        <a class="button" role="menuitem" tabindex="-1" href=${new URL("docs/", root).href}>Docs</a>`}
    <//>
    ${dialog === "make" && html`
      <${NameDialog} title="Create a sandbox" verb="Create" keyed onClose=${close} call=${makeCall} />`}
    ${dialog === "fork" && html`
      <${NameDialog} title=${html`Fork “<bdi>${title}</bdi>”`} verb="Fork"
        fork suggested=${`${sandbox}-copy`} onClose=${close} call=${forkCall(sandbox)} />`}
    ${dialog === "drop" && html`
      <${DropDialog} name=${sandbox} title=${title} onClose=${close} />`}
  </div>`;
}

/** @param {{title: string}} props */
const ResetItem = ({ title }) => html`
  <${Item} onClick=${() => askReset()} label="reset the sandbox" note=${ASKS}
    call=${() => ({ method: "POST", path: "admin/reset" })}><span>Reset “<bdi>${title}</bdi>”…</span><//>`;

/** The sandbox and its menu, for a key that opens no other. @param {{title?: string}} props */
export const OwnSandbox = ({ title = sandbox }) => html`<div class="picker">
  <span class="own" title=${`Your key opens the sandbox “${sandbox}” alone`}><bdi>${title}</bdi></span>
  <${Menu} class="icon" title="Reset the sandbox" text=${html`<${Icon} name="more" />`}>
    <${ResetItem} title=${title} />
  <//>
</div>`;
