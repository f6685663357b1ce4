// The page through which an attendee gets a sandbox, and what it shows from then on.

import { html, render, useEffect, useState } from "../library/preact.js";
import { request, server } from "../shell/api.js";
import { Choice, CopyButton, ErrorNote, Field } from "../shell/components.js";
import { kept } from "../shell/store.js";
import { say, sayError, Toasts } from "../shell/toast.js";
import { doneBy, exercises } from "./exercises.js";
import { QR } from "./qr.js";
import { snippets } from "./snippets.js";

/** @typedef {{sandbox: string, key: string, url: string, docs: string, dashboard: string}} Attendee */

const EVERY = 3000;
const mine = kept("sessionStorage", `attendee ${server.pathname}`);

/** What was joined before in this tab, or is in the address: #sandbox=ada&key=K. @returns {Attendee|null} */
function joined() {
  const given = new URLSearchParams(location.hash.slice(1));
  const [sandbox, key] = [given.get("sandbox"), given.get("key")];
  if (sandbox && key) {
    history.replaceState(null, "", location.pathname);
    const url = new URL(`sandboxes/${encodeURIComponent(sandbox)}`, server).href;
    return keep({ sandbox, key, url, docs: `${url}/docs/`, dashboard: `${url}/` });
  }
  return JSON.parse(mine.get() || "null");
}

/** @param {Attendee} attendee */
function keep(attendee) {
  mine.set(JSON.stringify(attendee));
  return attendee;
}

function App() {
  const [attendee, setAttendee] = useState(joined);
  return html`<main class="room">${attendee ? html`<${Store} attendee=${attendee} />` : html`<${Door} onJoin=${(/** @type {Attendee} */ a) => setAttendee(keep(a))} />`}</main><${Toasts} />`;
}

/** @param {{onJoin: (attendee: Attendee) => void}} props */
function Door({ onJoin }) {
  const [name, setName] = useState("");
  const [error, setError] = useState(/** @type {any} */ (null));
  const [busy, setBusy] = useState(false);
  const join = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setBusy(true);
    try {
      onJoin((await request({ method: "POST", path: "join", base: server, body: { name }, service: true })).data);
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return html`<form class="door" onSubmit=${join}>
    <h1>Join the workshop</h1>
    <p>You get a pet store of your own, with an address and a key.</p>
    <${Field} label="Your name">${(/** @type {any} */ attributes) =>
      html`<input ...${attributes} value=${name} required maxlength="200" autocomplete="name" autofocus onInput=${(/** @type {any} */ e) => setName(e.target.value)} />`}<//>
    <button class="primary" disabled=${busy}>Join</button>
    <${ErrorNote} error=${error} />
  </form>`;
}

/** @param {{attendee: Attendee}} props */
function Store({ attendee }) {
  const { sandbox, key, url, docs, dashboard } = attendee;
  const again = `${new URL("join", server).href}#sandbox=${encodeURIComponent(sandbox)}&key=${encodeURIComponent(key)}`;
  const hash = `#key=${encodeURIComponent(key)}`;
  return html`<header class="row"><h1 class="grow">${sandbox}</h1>
      <a class="button" href=${dashboard + hash}>Dashboard</a><a class="button" href=${docs + hash}>Docs</a></header>
    <section class="address"><div class="grow stack">
      <h2>The address of your store</h2>
      <p class="large wire">${url}</p>
      <div class="row"><${CopyButton} text=${url} label="Copy address" class="primary" /><${CopyButton} text=${key} label="Copy key" /><${Reset} attendee=${attendee} /></div>
      <p class="note">Your key opens your own store alone. Keep this page, or scan the code with your phone: it brings you back here.</p>
    </div><${QR} text=${again} label=${`QR code of the store ${sandbox}`} /></section>
    <${Snippets} url=${url} sandboxKey=${key} />
    <${Exercises} attendee=${attendee} />`;
}

/** @param {{attendee: Attendee}} props */
function Reset({ attendee: { key, url } }) {
  const reset = async () => {
    try {
      await request({ method: "POST", path: `${url}/admin/reset`, headers: { Authorization: `Bearer ${key}` } });
      say("Your store is as it was at the beginning.");
    } catch (error) {
      sayError(error);
    }
  };
  return html`<button type="button" onClick=${reset}>Reset my store</button>`;
}

/** @param {{url: string, sandboxKey: string}} props */
function Snippets({ url, sandboxKey }) {
  const names = Object.keys(snippets);
  const [language, setLanguage] = useState(names[0]);
  const text = snippets[language](url, sandboxKey);
  return html`<section class="stack"><div class="row"><h2 class="grow">Try it</h2>
      <${Choice} label="Language" options=${names.map((name) => [name, name])} value=${language} onChange=${setLanguage} />
      <${CopyButton} text=${text} class="primary" /></div>
    <pre class="snippet" tabindex="0" aria-label=${`A first request in ${language}`}>${text}</pre></section>`;
}

/** @param {{attendee: Attendee}} props */
function Exercises({ attendee: { key, url } }) {
  const [done, setDone] = useState(/** @type {boolean[]} */ ([]));
  const [error, setError] = useState(/** @type {any} */ (null));
  useEffect(() => {
    const look = async () => {
      if (document.hidden) return;
      try {
        const { data } = await request({ method: "GET", path: `${url}/admin/requests?order=desc&limit=1000`, headers: { Authorization: `Bearer ${key}` } });
        const now = doneBy(data.requests);
        setDone((before) => now.map((is, i) => is || Boolean(before[i]))); // the journal forgets, the page does not
        setError(null);
      } catch (problem) {
        setError(problem);
      }
    };
    void look();
    const timer = setInterval(look, EVERY);
    return () => clearInterval(timer);
  }, [url]);
  return html`<section class="stack"><h2>Exercises: ${done.filter(Boolean).length} of ${exercises.length} done</h2>
    <ol class="exercises">${exercises.map(({ text, hint }, i) => html`<li key=${text} class=${done[i] ? "done" : ""}>
      <span class="tick" role="img" aria-label=${done[i] ? "done" : "to do"}>${done[i] ? "✓" : i + 1}</span><span><strong>${text}</strong> <span class="note">${hint}</span></span></li>`)}</ol>
    <${ErrorNote} error=${error} /></section>`;
}

render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("page")));
