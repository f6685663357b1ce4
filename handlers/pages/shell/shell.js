// The header that every page has: the sandbox, what is not as usual in it, and the state of the stream.

import { html, render, useEffect, useState } from "../library/preact.js";
import { follow, link, useAddress } from "./address.js";
import { key, request, root, sandbox, server, storeAddress } from "./api.js";
import { Code, Dialog, ErrorNote, Field } from "./components.js";
import { day, plural } from "./format.js";
import { useKeys } from "./keys.js";
import { SandboxPicker } from "./sandboxes.js";
import { isOwner, retry, session, start, write } from "./session.js";
import { kept, useStore } from "./store.js";
import { sayError, Toasts } from "./toast.js";

/** @typedef {{name: string, title: string, ofServer?: boolean, keys?: [string, string][]}} View  ofServer: of no use to who has the key of a sandbox alone; keys: with what they do */

const theme = kept("localStorage", "theme");

/**
 * The whole of a page: header, views and what is shown.
 * @param {{views: View[], view: string, children?: any}} props
 */
export function Shell({ views, view, children }) {
  const state = useStore(session);
  const [help, setHelp] = useState(false);
  useKeys({ "?": () => setHelp(true) });
  useEffect(start, []);
  return html`<${Header} state=${state} views=${views} view=${view} />
    <main id="main" tabindex="-1"><${Trouble} state=${state}><h1 class="offscreen">${views.find(({ name }) => name === view)?.title}</h1>${children}<//></main>
    <${Toasts} />
    ${help && html`<${Keys} views=${views} onClose=${() => setHelp(false)} />`}`;
}

/** @param {{state: import("./session.js").Session, views: View[], view: string}} props */
function Header({ state, views, view }) {
  return html`<header class="top">
    <a class="skip" href="#main">Skip to the content</a>
    <div class="bar">
      <a class="brand" href=${root.href}>Petstore</a>
      ${isOwner(state) ? html`<span class="own" title=${`Your key opens the sandbox ${sandbox} alone`}><bdi>${state.title ?? sandbox}</bdi></span>` : html`<${SandboxPicker} />`}
      <div class="chips"><${Chips} state=${state} /></div>
      <a class="plain" href=${new URL("docs/", root).href}>Docs</a>
      <${Workshop} own=${isOwner(state)} />
      <${ThemeButton} />
      <${Live} state=${state.stream} />
    </div>
    ${views.length > 0 && html`<nav class="views" aria-label="Views">
      ${views.map(({ name, title }) => html`<a key=${name} href=${link({ view: name })} aria-current=${name === view ? "page" : undefined} onClick=${follow}>${title}</a>`)}
    </nav>`}
  </header>`;
}

/** The way to the wall, where there is one, or back to the page of the attendee. @param {{own: boolean}} props */
function Workshop({ own }) {
  const [there, setThere] = useState(false);
  useEffect(() => {
    request({ method: "GET", path: "", base: server }).then(({ data: { workshop } }) => setThere(Boolean(workshop)), () => {}); // what is wrong is said elsewhere
  }, []);
  if (!there) return null;
  return own ? html`<a class="plain" href=${storeAddress(sandbox, key.value)}>Exercises</a>` : html`<a class="plain" href=${new URL("workshop", server).href}>Workshop</a>`;
}

/** What is not as usual. @param {{state: import("./session.js").Session}} props */
function Chips({ state: { summary, operations } }) {
  if (!summary) return null;
  const { clock, faults } = summary;
  const changed = operations.filter((operation) => operation.changed).length;
  const shifted = Math.abs(clock.offsetSeconds) >= 1;
  return html`
    ${(clock.frozen || shifted) && html`<${Chip} view="time" icon="◷">${day(clock.now)}${clock.frozen ? " frozen" : ""}<//>`}
    ${faults > 0 && html`<${Chip} view="faults" icon="⚡">${plural(faults, "fault")}<//>`}
    ${changed > 0 && html`<${Chip} view="time" icon="◌">${plural(changed, "lifecycle change")}<//>`}`;
}

/** @param {{view: string, icon: string, children?: any}} props */
const Chip = ({ view, icon, children }) =>
  html`<a class="chip" href=${new URL(`?view=${view}`, root).href} onClick=${follow}><span aria-hidden="true">${icon}</span> ${children}</a>`;

const lights = /** @type {const} */ ({
  connecting: "connecting", live: "live", "catching up": "catching up", hidden: "paused", refused: "not connected",
});

/** @param {{state: import("./stream.js").StreamState}} props */
function Live({ state }) {
  const text = state.is === "lost" ? `lost, trying again in ${state.seconds} s` : lights[state.is];
  return html`<button type="button" class=${`live is-${state.is.replace(" ", "-")}`} title="The state of the event stream. Press to connect anew." onClick=${retry}>
    <span class="dot" aria-hidden="true"></span><span role="status">${text}</span></button>`;
}

function ThemeButton() {
  const [chosen, setChosen] = useState(theme.get());
  const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const toggle = () => {
    const next = dark ? "light" : "dark";
    const bySystem = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    theme.set(next === bySystem ? "" : next);
    document.documentElement.dataset.theme = next;
    setChosen(next);
  };
  return html`<button type="button" class="icon" title=${dark ? "Use light colours" : "Use dark colours"} aria-label=${dark ? "Use light colours" : "Use dark colours"} onClick=${toggle}>◐</button>`;
}

/** What keeps the page from showing the sandbox, else the page. @param {{state: import("./session.js").Session, children?: any}} props */
function Trouble({ state: { error, gone, summary, title, stream }, children }) {
  if (error && !summary) {
    if (gone || key.ofSandbox && [401, 404].includes(error.status)) return html`<${Gone} title=${title} />`;
    if (error.status === 401 || error.status === 403) return html`<${KeyForm} error=${error} />`;
    if (error.code === "unknown_sandbox") return html`<${NoSandbox} error=${error} />`;
    return html`<div class="page"><${ErrorNote} error=${error} onRetry=${retry} /></div>`;
  }
  // The view stays the same element, so that what somebody has typed there is not lost with the connection.
  return html`${error && stream.is === "lost" && html`<p class="banner" role="alert">${error.message} What you see is from before.</p>`}${children}`;
}

/** @param {{error: import("./api.js").ApiError}} props */
function KeyForm({ error }) {
  const [text, setText] = useState("");
  const { ended } = useDoor();
  if (ended && sandbox !== "default") return html`<${Gone} ended />`; // of which there is no other then
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    key.set(text);
    retry();
  };
  return html`<form class="page narrow stack" onSubmit=${submit}>
    <h1>This page needs a key</h1>
    <p>${key.value || error.status === 403 ? error.message : "Enter the server's --admin-key, or the key of this sandbox. The program prints a key that it made when it starts."}</p>
    <${Field} label="Key" hint="It is kept in this tab until you close it.">
      ${(/** @type {any} */ attributes) => html`<input ...${attributes} type="password" autocomplete="off" required value=${text} onInput=${(/** @type {any} */ e) => setText(e.target.value)} />`}
    <//>
    <div><button class="primary">Open</button></div>
  </form>`;
}

/** The door of the workshop, as it is known to anybody. Where there is none, nothing is known of it. */
function useDoor() {
  const [door, setDoor] = useState(/** @type {{ended?: boolean}} */ ({}));
  useEffect(() => {
    const ask = (/** @type {string} */ path) => request({ method: "GET", path, base: server, service: true });
    ask("").then(({ data }) => data.workshop && ask("join/door").then((answer) => setDoor(answer.data))).catch(() => undefined); // what is wrong is said elsewhere
  }, []);
  return door;
}

/** What is shown to whose key opened this sandbox, as an attendee's does, and to all after the end of the day. @param {{title?: string, ended?: boolean}} props */
const Gone = ({ title = sandbox, ended }) => html`<div class="page narrow stack">
  <h1>The sandbox ${html`<bdi class="wire">${title}</bdi>`} is gone</h1>
  <p>${ended ? "The workshop is over, and its stores are gone with their keys." : "Somebody has dropped it, or the teacher has ended the day. Your key opens nothing any more."}</p>
  <div class="row">${ended ? html`<a class="button" href=${new URL("join", server).href}>Go to the door</a>` : html`<button type="button" onClick=${() => { key.set("", key.ofSandbox); location.reload(); }}>Use another key</button>`}<a class="button" href=${server.href}>Go to default</a></div>
</div>`;

/** @param {{error: import("./api.js").ApiError}} props */
function NoSandbox({ error }) {
  const call = { method: "PUT", path: `admin/sandboxes/${encodeURIComponent(sandbox)}`, base: server };
  return html`<div class="page narrow stack">
    <h1>There is no sandbox ${html`<bdi class="wire">${sandbox}</bdi>`}</h1>
    <p>It was dropped, has been idle for too long, or was never made. The server says: <q>${error.message}</q></p>
    <div class="row"><button type="button" class="primary" onClick=${() => write(call).then(retry, sayError)}>Make it</button>
      <${Code} label="make the sandbox" call=${() => call} /><a class="button" href=${server.href}>Go to default</a></div>
  </div>`;
}

/** The keys of all views. @param {{views: View[], onClose: () => void}} props */
const Keys = ({ views, onClose }) => html`<${Dialog} title="Keys" onClose=${onClose}>
  ${[{ title: "Every view", keys: [["?", "show the keys"]] }, ...views].map(({ title, keys }) => keys && html`<section key=${title} class="keys"><h3>${title}</h3>
    <dl class="keys">${keys.map(([name, does]) => html`<div key=${name}><dt><kbd>${name}</kbd></dt><dd>${does}</dd></div>`)}</dl></section>`)}
<//>`;

/**
 * Shows the page of the view that the address names, else the first.
 * @param {(View & {Show: import("../library/preact.js").Component})[]} views
 */
export function run(views) {
  const page = document.getElementById("page");
  if (page) render(html`<${App} views=${views} />`, page);
}

/** @param {{views: Parameters<typeof run>[0]}} props */
function App({ views }) {
  const { view: name } = useAddress();
  const own = isOwner(useStore(session));
  const shown = views.filter(({ ofServer }) => !own || !ofServer);
  const view = shown.find((v) => v.name === name) ?? shown[0];
  useEffect(() => {
    document.title = `${view.title} · ${sandbox} · Petstore`;
  }, [view.name]);
  return html`<${Shell} views=${shown} view=${view.name}><${view.Show} key=${view.name} /><//>`;
}
