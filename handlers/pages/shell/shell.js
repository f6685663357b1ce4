// The frame of a page: the header, the view and the toasts.

import { html, render, useEffect, useState } from "../library/preact.js";
import { go, useAddress } from "./address.js";
import { sandbox } from "./api.js";
import { ErrorNote } from "./components.js";
import { Drawer } from "./drawer.js";
import { Palette } from "./finder.js";
import { Header } from "./header.js";
import { useKeys } from "./keys.js";
import { opened } from "./later.js";
import { resetting } from "./sandboxes.js";
import { isOwner, isShut, retry, session } from "./session.js";
import { useStore } from "./store.js";
import { leaveView, Toasts } from "./toast.js";

const Keys = opened(() => import("./help.js"), "Keys");
const Reset = opened(() => import("./reset.js"), "Reset");
const Trouble = opened(() => import("./trouble.js"), "Trouble");

/**
 * @typedef {object} View
 * @property {string} name
 * @property {string} title
 * @property {boolean} [ofServer]  useless with the key of a single sandbox
 * @property {string} [key]  opens the view, after g
 */

/** Moves the focus to another row of a table without a cursor. @param {number} by */
const step = (by) => () => {
  const rows = [...document.querySelectorAll("tbody tr")];
  const at = rows.findIndex((row) => row.matches(":focus-within")) + by;
  /** @type {HTMLElement|null|undefined} */ (rows[at]?.querySelector("a, button:enabled"))?.focus();
};

/**
 * A page: the header and the view.
 * @param {{views: View[], view: string, children?: any}} props
 */
export function Shell({ views, view, children }) {
  const state = useStore(session);
  const [help, setHelp] = useState(false);
  const gone = views.filter(({ key }) => key).map(({ name, key }) => [`g ${key}`, () => go({ view: name })]);
  const undo = () => [...document.querySelectorAll("button")]
    .findLast((one) => one.matches(".toast *") && one.textContent === "Undo")?.click();
  useKeys({ "?": () => setHelp(true), j: step(1), k: step(-1), "Ctrl z": undo, ...Object.fromEntries(gone) }, true);
  const error = state.summary ? undefined : state.error;
  const unreachable = error?.status === 0; // the server cannot send the module that shows other errors
  return html`
    <${Header} state=${state} views=${error ? [] : views} view=${view} />
    <main id="main" tabindex="-1">
      ${unreachable ? html`<div class="page"><${ErrorNote} error=${error} onRetry=${retry} /></div>`
        : error ? html`<${Trouble} state=${state} error=${error} />` : html`
        <h1 class="offscreen">${views.find(({ name }) => name === view)?.title}</h1>
        ${children}`}
    </main>
    <${Drawer} />
    ${!isShut(state) && html`<${Palette} views=${views} />`}
    ${useStore(resetting).open && html`<${Reset} onClose=${() => resetting.set({ open: false })} />`}
    <${Toasts} />
    ${help && html`<${Keys} views=${views} onClose=${() => setHelp(false)} />`}`;
}

/**
 * Shows the view that the address names, or else the first.
 * @param {(View & {Show: import("../library/preact.js").Component})[]} views
 * @param {import("../library/preact.js").Component} Always  part of every view
 */
export function run(views, Always) {
  const page = document.getElementById("page");
  if (page) render(html`<${App} views=${views} Always=${Always} />`, page);
}

/** @param {{views: Parameters<typeof run>[0], Always: Parameters<typeof run>[1]}} props */
function App({ views, Always }) {
  const { view: name } = useAddress();
  const own = isOwner(useStore(session));
  const shown = views.filter(({ ofServer }) => !own || !ofServer);
  const view = shown.find((v) => v.name === name) ?? shown[0];
  useEffect(() => {
    document.title = `${view.title} · ${sandbox} · Petstore`;
  }, [view.name]);
  useEffect(() => leaveView, [view.name]);
  return html`
    <${Shell} views=${shown} view=${view.name}>
      <${view.Show} key=${view.name} />
    <//>
    <${Always} />`;
}
