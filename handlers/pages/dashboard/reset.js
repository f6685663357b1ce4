// The way back to the baseline, of all or of parts.

import { html, useState } from "../library/preact.js";
import { Code } from "../shell/calls.js";
import { ErrorNote, Field } from "../shell/components.js";
import { Confirm } from "../shell/confirm.js";
import { session, write } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { say } from "../shell/toast.js";

/** What a reset can be of. */
const parts = [
  ["data", "data and ids"], ["clock", "clock"], ["faults", "faults"], ["lifecycle", "lifecycle"], ["journal", "requests"], ["report", "report"], ["keys", "idempotency keys"], ["limit", "rate limit"],
];
const sizes = [["seed", "Seed"], ["pets", "Pets"], ["categories", "Categories"], ["orders", "Orders"]];

export function ResetForm() {
  const { summary } = useStore(session);
  const [only, setOnly] = useState(/** @type {string[]} */ ([]));
  const [body, setBody] = useState(/** @type {Record<string, any>} */ ({}));
  const [error, setError] = useState(/** @type {any} */ (null));
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ""));
  const call = () => ({ method: "POST", path: `admin/reset${only.length ? `?only=${only.join(",")}` : ""}`, body: Object.keys(given).length ? given : undefined });
  const toggle = (/** @type {string} */ part) => setOnly(only.includes(part) ? only.filter((p) => p !== part) : [...only, part]);
  const [asked, setAsked] = useState(false);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    setAsked(true);
  };
  const run = () => {
    setAsked(false);
    setError(null);
    write(call()).then(() => { say(only.length ? `Reset: ${only.join(", ")}.` : "Sandbox reset.", { about: only.length ? only : parts.map(([part]) => part) }); setBody({}); }, setError);
  };
  const told = Object.fromEntries((error?.details ?? []).map((/** @type {any} */ d) => [d.field.replace("/", ""), d.message]));
  return html`<form class="stack" aria-labelledby="reset" onSubmit=${submit}><h2 id="reset">Reset</h2>
    <fieldset class="row"><legend class="offscreen">What is reset</legend>
      <label class="check"><input type="checkbox" checked=${only.length === 0} onChange=${() => setOnly([])} /> everything</label>
      ${parts.map(([part, text]) => html`<label class="check" key=${part}><input type="checkbox" checked=${only.includes(part)} onChange=${() => toggle(part)} /> ${text}</label>`)}
    </fieldset>
    ${!summary?.ownKey && html`<details><summary>With another baseline</summary><div class="form-grid">${sizes.map(([name, title]) => html`<${Field} key=${name} label=${title} error=${told[name]}>${(/** @type {any} */ a) =>
      html`<input ...${a} inputmode="numeric" placeholder=${name === "seed" ? String(summary?.seed ?? "as it is") : "as it is"} value=${body[name] ?? ""} onInput=${(/** @type {any} */ e) => setBody({ ...body, [name]: /^\d+$/.test(e.target.value) ? Number(e.target.value) : e.target.value })} />`}<//>`)}</div></details>`}
    ${Object.keys(told).length === 0 && html`<${ErrorNote} error=${error} />`}
    <div class="row"><button class="danger">${only.length ? `Reset ${only.length === 1 ? "this part" : "these parts"}` : "Reset the sandbox"}…</button><${Code} label="reset" call=${call} /><span class="note">Snapshots stay.</span></div>
    ${asked && html`<${Confirm} title=${only.length ? `Reset ${only.join(", ")}?` : "Reset the sandbox?"} verb="Reset" label="what is reset" call=${call()} onConfirm=${run} onClose=${() => setAsked(false)}>
      <p>${only.length ? "What you have chosen is" : "Data, clock, faults and lifecycle are"} then as when the sandbox was made${only.length ? "" : ", and the requests that are shown go"}. There is no undo; a snapshot, saved first, brings the data back.</p><//>`}
  </form>`;
}
