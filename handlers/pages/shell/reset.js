// The way back to the baseline, of all or of parts.

import { html, useState } from "../library/preact.js";
import { generated } from "./api.js";
import { Code } from "./calls.js";
import { Dialog, ErrorNote, Field } from "./components.js";
import { checked, typed } from "./events.js";
import { capital, plural } from "./format.js";
import { saveSnapshot } from "./commands.js";
import { resetting } from "./sandboxes.js";
import { session, write } from "./session.js";
import { useStore } from "./store.js";
import { say } from "./toast.js";

/** What a reset can be of, and what else is so called. @type {[string, string][]} */
const parts = [
  ["data", "data and ids"], ["clock", "clock"], ["faults", "faults"], ["lifecycle", "lifecycle"],
  ["journal", "requests"],
  ["report", "report"], ["keys", "idempotency keys"], ["limit", "rate limit"],
];

const sizes = ["seed", ...generated];

/** The call that resets these parts, or everything. @param {string[]} only @param {Record<string, any>} body */
function callOf(only, body) {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ""));
  const query = only.length ? `?only=${only.join(",")}` : "";
  return { method: "POST", path: `admin/reset${query}`, body: Object.keys(given).length ? given : undefined };
}

/** How much goes with everything, as far as the page knows. @param {import("./types.js").Summary} [summary] */
function goneOf(summary) {
  if (!summary) return "";
  const { writes, faults, journal } = summary;
  const some = /** @type {[number, string][]} */ ([[writes, "write"], [faults, "fault"], [journal.entries, "request"]]);
  const told = some.filter(([n]) => n > 0).map(([n, what]) => plural(n, what));
  return told.length > 0 ? `. That is ${told.join(", ")}` : "";
}

/** The question what is reset. */
export function Reset() {
  const onClose = () => resetting.set({ open: false });
  const { summary, title } = useStore(session);
  const [only, setOnly] = useState(/** @type {string[]} */ ([]));
  const [body, setBody] = useState(/** @type {Record<string, any>} */ ({}));
  const [error, setError] = useState(/** @type {any} */ (null));
  const [saved, setSaved] = useState("");
  const call = callOf(only, body);
  const save = () => void saveSnapshot().then((name = "") => setSaved(name));
  const done = () => {
    const about = only.length ? only : parts.map(([part]) => part);
    say(only.length ? `Reset: ${only.join(", ")}.` : "Sandbox reset.", { about });
    onClose();
  };
  const run = (/** @type {Event} */ event) => {
    event.preventDefault();
    setError(null);
    void write(call).then(done, setError);
  };
  const details = /** @type {{field: string, message: string}[]} */ (error?.details ?? []);
  const told = Object.fromEntries(details.map(({ field, message }) => [field.replace("/", ""), message]));
  const lost = only.length > 0
    ? "What you have chosen is then as when the sandbox was made."
    : `Data, clock, faults and lifecycle are then as when the sandbox was made, and its requests go${goneOf(summary)}.`;
  return html`
    <${Dialog} title=${`Reset “${title}”?`} onClose=${onClose}>
      <form class="stack" onSubmit=${run}>
        <p>${lost} Snapshots stay. There is no undo, but a snapshot brings the data back.</p>
        <details>
          <summary>Only some parts</summary>
          <p class="note">None means all.</p>
          <fieldset class="row parts">
            <legend class="offscreen">Which parts</legend>
            ${parts.map(([part, text]) => html`
              <${Part} key=${part} part=${part} text=${text} only=${only} onChange=${setOnly} />`)}
          </fieldset>
        </details>
        ${!summary?.ownKey && html`
          <details>
            <summary>With another baseline</summary>
            <div class="form-grid">
              ${sizes.map((name) => html`
                <${Size} key=${name} name=${name} title=${capital(name)} error=${told[name]} body=${body}
                  onChange=${setBody} />`)}
            </div>
          </details>`}
        ${Object.keys(told).length === 0 && html`<${ErrorNote} error=${error} />`}
        <div class="row">
          <button class="danger">Reset</button>
          <${Code} label="reset" call=${() => call} />
          <span class="grow"></span>
          <button type="button" class="plain-border" disabled=${Boolean(saved)} onClick=${save}>
            ${saved ? `Saved as “${saved}”` : "Save snapshot first"}
          </button>
          <button type="button" autofocus onClick=${onClose}>Cancel</button>
        </div>
      </form>
    <//>`;
}

/** @param {{part: string, text: string, only: string[], onChange: (only: string[]) => void}} props */
function Part({ part, text, only, onChange }) {
  const toggle = checked((on) => onChange(on ? [...only, part] : only.filter((other) => other !== part)));
  return html`<label class="check">
    <input type="checkbox" checked=${only.includes(part)} onChange=${toggle} />
    ${text}
  </label>`;
}

/**
 * @param {object} props
 * @param {string} props.name
 * @param {string} props.title
 * @param {string} [props.error]
 * @param {Record<string, any>} props.body
 * @param {(body: Record<string, any>) => void} props.onChange
 */
function Size({ name, title, error, body, onChange }) {
  const { summary } = useStore(session);
  const set = typed((text) => onChange({ ...body, [name]: /^\d+$/.test(text) ? Number(text) : text }));
  const now = name === "seed" ? String(summary?.seed ?? "as it is") : "as it is";
  return html`
    <${Field} label=${title} error=${error}>
      ${(/** @type {any} */ attributes) => html`
        <input ...${attributes} inputmode="numeric" placeholder=${now} value=${body[name] ?? ""} onInput=${set} />`}
    <//>`;
}
