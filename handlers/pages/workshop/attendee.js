// What an attendee has: the address of the store, first requests, and exercises.

import { html, useEffect, useState } from "../library/preact.js";
import { loopback, request, storeAddress } from "../shell/api.js";
import { Choice, CopyButton, ErrorNote } from "../shell/components.js";
import { Confirm } from "../shell/confirm.js";
import { kept } from "../shell/store.js";
import { DROPPED, openStream } from "../shell/stream.js";
import { say, sayError } from "../shell/toast.js";
import { doneBy, exercises } from "./exercises.js";
import { QR } from "./qr.js";
import { snippets } from "./snippets.js";

/** @typedef {import("./join.js").Attendee} Attendee */

/** @param {string} key */
const bearing = (key) => ({ Authorization: `Bearer ${key}` });

/** @param {{attendee: Attendee, notice: import("./join.js").Notice, onKnown: (attendee: Attendee) => void, onLeave: () => void}} props */
export function Store({ attendee, notice, onKnown, onLeave }) {
  const { key, url, docs, dashboard } = attendee;
  const again = storeAddress(attendee.sandbox, key);
  const hash = `#key=${encodeURIComponent(key)}`;
  const { done, error, gone } = useExercises(attendee, notice.ended);
  const name = attendee.title || attendee.sandbox;
  useEffect(() => { // whoever comes by a code has the store and its key alone
    if (!attendee.title && !gone) request({ method: "GET", path: `${url}/admin`, headers: bearing(key), service: true }).then(({ data: { title } }) => onKnown({ ...attendee, title }), () => undefined);
  }, [url]);
  if (gone) return html`<${Gone} name=${name} onLeave=${onLeave} />`;
  return html`<header class="row">${notice.title && html`<p class="note title-of-room">${notice.title}</p>`}<h1 class="grow"><bdi>${name}</bdi></h1>
      <a class="button" href=${dashboard + hash}>Dashboard</a><a class="button" href=${docs + hash}>Docs</a></header>
    <section class="address"><div class="grow stack">
      <h2>The address of your store</h2>
      <p class="large wire">${url}</p>
      <div class="row"><${CopyButton} text=${url} label="Copy address" class="primary" /><${CopyButton} text=${key} label="Copy key" /><${CopyButton} text=${again} label="Copy the way back" /><${Reset} attendee=${attendee} /></div>
      <p class="note">Your key opens your own store alone, and nobody can tell it to you again. This tab forgets it when you close it: keep the way back, an address with the key in it${loopback ? ". It works on this machine alone" : ", or scan the code with your phone"}.</p>
    </div>${!loopback && html`<${QR} text=${again} label=${`QR code of the store of ${name}`} />`}</section>
    <${Snippets} url=${url} sandboxKey=${key} />
    <section class="stack"><h2>Exercises: ${done.filter(Boolean).length} of ${exercises.length} done</h2>
      <ol class="exercises">${exercises.map(({ text, hint }, i) => html`<li key=${text} class=${done[i] ? "done" : ""}>
        <span class="tick" role="img" aria-label=${done[i] ? "done" : "to do"}>${done[i] ? "✓" : i + 1}</span><span><strong>${text}</strong> <span class="note">${hint}</span></span></li>`)}</ol>
      <${ErrorNote} error=${error} /></section>
    <p class="note">Not <bdi>${name}</bdi>? <button type="button" class="quiet" onClick=${onLeave}>Join as somebody else</button></p>`;
}

/** @param {{name: string, onLeave: () => void}} props */
const Gone = ({ name, onLeave }) => html`<section class="door"><h1>The store of <bdi>${name}</bdi> is gone</h1>
  <p>The teacher has ended the day, or dropped it. Its address and its key open nothing any more.</p>
  <div><button type="button" class="primary" onClick=${onLeave}>Join again</button></div></section>`;

/** @param {{attendee: Attendee}} props */
function Reset({ attendee: { key, url } }) {
  const [asked, setAsked] = useState(false);
  const call = { method: "POST", path: `${url}/admin/reset`, headers: bearing(key), service: true };
  const reset = () => request(call).then(() => say("Your store is as it was at the beginning."), sayError).finally(() => setAsked(false));
  return html`<button type="button" onClick=${() => setAsked(true)}>Reset my store…</button>
    ${asked && html`<${Confirm} title="Reset your store?" verb="Reset" label="reset my store" call=${call} onConfirm=${reset} onClose=${() => setAsked(false)}>
      <p>Its data, clock and faults are then as they were at the beginning, and its requests are forgotten. What you have ticked off stays.</p><//>`}`;
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

/**
 * Which exercises are done, by the store's requests: those of its journal, and those that come.
 * @param {Attendee} attendee
 * @param {boolean} ended  whether the day is over, so that nothing is there to ask
 */
function useExercises({ sandbox, key, url }, ended) {
  const memory = kept("sessionStorage", `exercises ${sandbox} ${key.slice(0, 8)}`); // a reset forgets the requests, the page does not
  const [done, setDone] = useState(/** @type {boolean[]} */ (JSON.parse(memory.get() || "[]")));
  const [error, setError] = useState(/** @type {any} */ (null));
  const [gone, setGone] = useState(ended);
  useEffect(() => {
    if (gone) return;
    const tick = (/** @type {import("../shell/types.js").Entry[]} */ entries) => setDone((before) => {
      const now = doneBy(entries).map((is, i) => is || Boolean(before[i]));
      memory.set(JSON.stringify(now));
      return now;
    });
    const fail = (/** @type {any} */ problem) => ([401, 404].includes(problem.status) ? setGone(true) : setError(problem));
    const readAll = () => request({ method: "GET", path: `${url}/admin/requests?order=desc&limit=1000`, headers: bearing(key), service: true })
      .then(({ data }) => { tick(data.requests); setError(null); }, fail);
    const stream = openStream(`${url}/admin/events`, {
      headers: bearing(key),
      onState: ({ is, error: problem }) => (is === "live" ? void readAll() : is === "refused" ? fail(problem) : undefined),
      onEvent: ({ name, data }) => (name === "request" ? tick([data]) : name === "gap" ? void readAll() : name === DROPPED ? setGone(true) : undefined),
    });
    return () => stream.close();
  }, [url, key, gone]);
  return { done: exercises.map((_, i) => Boolean(done[i])), error, gone };
}
