// Shows why a page cannot show its sandbox, and what to do.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { key, request, sandbox, server } from "./api.js";
import { Code } from "./calls.js";
import { ErrorNote, Field } from "./components.js";
import { checked, typed } from "./events.js";
import { capital } from "./format.js";
import { open, useAnotherKey } from "./sandboxes.js";
import { retry, write } from "./session.js";
import { sayError } from "./toast.js";

/** @param {{state: import("./session.js").Session, error: import("./api.js").ApiError}} props */
export function Trouble({ state: { gone, title }, error }) {
  if (gone || key.ofSandbox && [401, 404].includes(error.status)) return html`<${Gone} title=${title} />`;
  if (error.status === 401 || error.status === 403) return html`<${KeyForm} error=${error} />`;
  if (error.code === "unknown_sandbox") return html`<${NoSandbox} />`;
  return html`<div class="page"><${ErrorNote} error=${error} onRetry=${retry} /></div>`;
}

/** @param {{error: import("./api.js").ApiError}} props */
function KeyForm({ error }) {
  const [text, setText] = useState("");
  const [seen, setSeen] = useState(false);
  const { ended } = useDoor();
  if (ended && sandbox !== "default") return html`<${Gone} ended />`; // the sandbox then has no other page
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    key.set(text);
    retry();
  };
  const said = key.value || error.status === 403;
  const apart = error.status === 401 ? " An --api-key does not open this page." : "";
  const input = useRef(/** @type {HTMLInputElement|null} */ (null));
  useEffect(() => input.current?.select(), [error]);
  return html`<form class="sign-in stack" onSubmit=${submit}>
    <h1>This page needs a key</h1>
    <${Field} label="Key" error=${said ? `${capital(error.message.split(";")[0])}.${apart}` : ""}
      hint="The tab keeps it until you close it.">
      ${(/** @type {any} */ attributes) => html`
        <input ...${attributes} ref=${input} type=${seen ? "text" : "password"} autocomplete="off" autofocus required
          value=${text} onInput=${typed(setText)} />`}
    <//>
    <label class="check">
      <input type="checkbox" checked=${seen} onChange=${checked(setSeen)} />
      Show the key
    </label>
    <button class="primary">Open</button>
    <dl class="note">
      <dt>The server's <code>--admin-key</code></dt>
      <dd>opens every sandbox. Without that flag, a server that needs a key prints one when it starts.</dd>
      <dt>The key of a sandbox</dt>
      <dd>opens that sandbox alone. Whoever created it has the key.</dd>
      <dt>An <code>--api-key</code></dt>
      <dd>does not open this page. It is for requests to the pet store.</dd>
    </dl>
  </form>`;
}

/** Returns the workshop's door as everybody may read it, or {} without a workshop. */
function useDoor() {
  const [door, setDoor] = useState(/** @type {{ended?: boolean}} */ ({}));
  useEffect(() => {
    const ask = (/** @type {string} */ path) => request({ method: "GET", path, base: server, service: true });
    ask("")
      .then(({ data }) => data.workshop && ask("join/door").then((answer) => setDoor(answer.data)))
      .catch(() => undefined); // other parts of the page report the error
  }, []);
  return door;
}

/**
 * Shown to the holder of the sandbox's key, such as an attendee, and to everybody after the workshop.
 * @param {{title?: string, ended?: boolean}} props
 */
const Gone = ({ title = sandbox, ended }) => html`<div class="page narrow stack">
  <h1>The sandbox “<bdi>${title}</bdi>” is gone</h1>
  <p>${ended
    ? "The workshop is over, and its stores are gone with their keys."
    : "It was deleted, or the workshop has ended. Your key opens nothing any more."}</p>
  <div class="row">
    ${ended
      ? html`<a class="button plain-border" href=${new URL("join", server).href}>Go to the door</a>`
      : html`<button type="button" class="plain-border" onClick=${useAnotherKey}>Use another key</button>`}
    <a class="button plain-border" href=${server.href}>Go to default</a>
  </div>
</div>`;

function NoSandbox() {
  const sharded = sandbox === "default"; // there always is one otherwise
  const all = "admin/sandboxes";
  const call = sharded ? { method: "POST", path: all, base: server }
    : { method: "PUT", path: `${all}/${encodeURIComponent(sandbox)}`, base: server };
  const made = (/** @type {any} */ { data }) => (sharded ? open(data.name) : retry());
  return html`<div class="page narrow stack">
    <h1>There is no sandbox “<bdi>${sandbox}</bdi>”</h1>
    <p>${sharded ? "This replica of the server has only sandboxes whose names end in its own name."
      : "It was deleted, expired after being idle, went with a restart of the server, or never existed."}</p>
    <div class="row">
      <button type="button" class="primary" onClick=${() => write(call).then(made, sayError)}>
        ${sharded ? "Create a sandbox" : "Create it"}
      </button>
      <${Code} label="make the sandbox" call=${() => call} />
      ${!sharded && html`<a class="button plain-border" href=${server.href}>Go to default</a>`}
    </div>
  </div>`;
}
