// Changes the lifecycle of one operation in this sandbox.

import { html, useEffect, useState } from "../library/preact.js";
import { Code } from "../shell/calls.js";
import { Dialog, ErrorNote, Field } from "../shell/components.js";
import { checked, typed } from "../shell/events.js";
import { useFailure } from "../shell/failure.js";
import { day, moment, plural } from "../shell/format.js";
import { session, write } from "../shell/session.js";
import { DAY, instant, lifecycleOf } from "../shell/sunset.js";
import { say, sayError, unsay } from "../shell/toast.js";
import { instantOf } from "./clock.js";
import { dated } from "./passed.js";

/** @typedef {import("../shell/types.js").Operation} Operation */
/** @typedef {ReturnType<typeof valuesOf>} Values */

/** Returns the values of the form. @param {Operation} operation */
const valuesOf = ({ deprecated, deprecatedSince, sunset, successor, stability, enforceSunset, brownout }) => ({
  deprecated,
  deprecatedSince: deprecatedSince ? moment(deprecatedSince) : "",
  sunset: sunset ? moment(sunset) : "",
  successor: successor ?? "",
  stability: stability ?? "stable",
  enforceSunset,
  brownout: brownout ? String(+(brownout * 100).toFixed(2)) : "",
});

/** Unsaved input by operation, until the page goes. @type {Map<string, {before: Values, values: Values}>} */
const drafts = new Map();

/**
 * @param {{operation: Operation, onClose: () => void, onEdit: (operationId: string) => void}} props
 *   onEdit: opens this dialog
 */
export function LifecycleDialog({ operation, onClose, onEdit }) {
  const { operationId, changed } = operation;
  const [{ before, values }, setDraft] = useState(() => {
    const values = valuesOf(operation);
    return drafts.get(operationId) ?? { before: values, values };
  });
  const [isDraft] = useState(drafts.has(operationId));
  const [error, setError] = useFailure();
  const path = `admin/operations/${operationId}`;
  const patch = () => ({ method: "PATCH", path, body: patchOf(before, values) });
  const back = { method: "DELETE", path };
  const set = (/** @type {string} */ name) => (/** @type {string|boolean} */ value) =>
    setDraft({ before, values: { ...values, [name]: value } });
  useEffect(() => void unsay("lifecycle"), []);
  useEffect(() => {
    /** @type {HTMLElement|null} */ (document.querySelector("dialog [aria-invalid]"))?.focus();
  }, [error]);
  const close = () => {
    drafts.delete(operationId);
    onClose();
  };
  const keep = () => { // as Escape does
    close();
    if (Object.keys(patchOf(before, values)).length === 0) return;
    drafts.set(operationId, { before, values });
    say(`Unsaved changes to ${operationId}.`,
      { about: ["lifecycle"], action: { text: "Keep editing", run: () => onEdit(operationId), here: true } });
  };
  /**
   * @param {import("../shell/api.js").Call} call
   * @param {string} done
   * @param {{text: string, run: () => void}} [action]
   */
  const run = (call, done, action) => {
    const tell = () => {
      say(done, { about: ["clock"], action });
      close();
    };
    void write(call).then(tell, setError);
  };
  const undoBy = (/** @type {import("../shell/api.js").Call} */ call) =>
    ({ text: "Undo", run: () => void write(call).catch(sayError) });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const whole = { method: "PUT", path, body: lifecycleOf(operation) }; // also what ends with a deprecation
    const undo = undoBy(values.deprecated ? { method: "PATCH", path, body: patchOf(values, before) } : whole);
    run(patch(), `Changed ${operationId} in this sandbox.`, undo);
  };
  /** @type {Record<string, any>} */
  const told = {};
  for (const { field, message } of error?.details ?? []) {
    told[field.slice(1)] = dated(message.replace(/T(\d\d:\d\d):\d\dZ \(RFC 3339\)/, " $1 in UTC"));
  }
  if (told.brownout) told.brownout = `must be from 0 to 100, not ${values.brownout}`;
  return html`<${Dialog} title=${operationId} onClose=${keep}>
    <form class="stack" onSubmit=${submit}>
      <p class="wire">${operation.method} ${operation.path}</p>
      ${isDraft && html`<p class="note">With your unsaved changes. Cancel discards them.</p>`}
      <${Field} label="Stability" error=${told.stability}>
        ${(/** @type {any} */ attributes) => html`
          <select ...${attributes} value=${values.stability} onChange=${typed(set("stability"))}>
            ${["stable", "beta", "experimental"].map((s) => html`<option key=${s} value=${s}>${s}</option>`)}
          </select>`}
      <//>
      <label class="check">
        <input type="checkbox" checked=${values.deprecated} onChange=${checked(set("deprecated"))} />
        Deprecated
      </label>
      ${values.deprecated && html`<${Deprecation} values=${values} told=${told} set=${set} />`}
      ${error && Object.keys(told).length === 0 && html`<${ErrorNote} error=${error} />`}
      <div class="row">
        <button class="primary">Save</button>
        <${Code} label=${`change ${operationId}`} call=${patch} />
        <button type="button" onClick=${close}>Cancel</button>
        ${changed && html`
          <button type="button" class="plain-border"
            onClick=${() => run(back, `${operationId} is as in the OpenAPI document again.`, undoBy(
              { method: "PUT", path, body: lifecycleOf(operation) }))}>
            Reset to the OpenAPI document
          </button>
          <${Code} label="reset to the OpenAPI document" call=${() => back} />`}
      </div>
    </form>
  <//>`;
}

/**
 * @typedef {{name: keyof Values, label: string, placeholder?: string, hint?: string, days?: number[]}} Text
 *   days: dates to choose from, relative to today
 */

const FORM = "YYYY-MM-DD HH:MM";

const fields = /** @type {Text[]} */ ([
  {
    name: "deprecatedSince", label: "Deprecated since", placeholder: FORM, days: [0, -30, -90, -365],
    hint: "UTC. Empty: the document's, or now",
  },
  { name: "sunset", label: "Sunset", placeholder: FORM, hint: "UTC. Empty: none", days: [1, 30, 90, 365] },
  { name: "successor", label: "Successor", hint: "A path, such as /pets?id={petId}" },
  {
    name: "brownout", label: "Brown-out (%)", placeholder: "none",
    hint: "Share of 410s until the sunset is enforced",
  },
]);

/** Dates to choose from, by the sandbox's clock. @param {{id: string, days: number[]}} props */
function Days({ id, days }) {
  const now = instant(session.get().summary?.clock.now);
  return html`<datalist id=${id}>${days.map((n) => html`
    <option key=${n} value=${day(now + n * DAY)}>
      ${n > 0 ? `in ${plural(n, "day")}` : n < 0 ? `${-n} days ago` : "today"}
    </option>`)}
  </datalist>`;
}

/**
 * @param {object} props
 * @param {Values} props.values
 * @param {Record<string, any>} props.told  errors by field
 * @param {(name: string) => (value: string|boolean) => void} props.set
 */
const Deprecation = ({ values, told, set }) => html`
  <div class="form-grid">
    ${fields.map(({ name, label, days, ...more }) => html`
      <${Field} key=${name} label=${label} error=${told[name]} hint=${more.hint}>
        ${(/** @type {any} */ attributes) => html`
          <input ...${attributes} class="wire" placeholder=${more.placeholder} list=${days && `${attributes.id}-days`}
            value=${values[name]} onInput=${typed(set(name))} />
          ${days && html`<${Days} id=${`${attributes.id}-days`} days=${days} />`}`}
      <//>
      ${name === "sunset" && html`<div class="whole">
        <label class="check">
          <input type="checkbox" checked=${values.enforceSunset} onChange=${checked(set("enforceSunset"))} />
          Enforce the sunset: answer 410 after it
        </label>
        ${told.enforceSunset && html`<p class="wrong" role="alert">${told.enforceSunset}</p>`}
      </div>`}`)}
  </div>`;

/** Returns the fields that differ. @param {Record<string, any>} before  @param {Record<string, any>} values */
function patchOf(before, values) {
  const names = values.deprecated ? Object.keys(values) : ["deprecated", "stability"];
  const differ = names.filter((name) => values[name] !== before[name]);
  return Object.fromEntries(differ.map((name) => [name, written(name, values[name])]));
}

/** @param {string} name  @param {any} value */
function written(name, value) {
  const at = name === "deprecatedSince" || name === "sunset" ? instantOf(value) : NaN;
  if (!Number.isNaN(at)) return new Date(at).toISOString().replace("T00:00:00.000Z", "");
  if (name === "deprecatedSince") return value || null; // null: as in the document, or now
  const share = name === "brownout" ? Number(value.replace(/ ?%$/, "")) : NaN;
  return Number.isNaN(share) ? value : +(share / 100).toFixed(6);
}
