// The lifecycle of one operation, changed in this sandbox.

import { html, useState } from "../library/preact.js";
import { Code } from "../shell/calls.js";
import { Dialog, ErrorNote, Field } from "../shell/components.js";
import { write } from "../shell/session.js";
import { say } from "../shell/toast.js";

/** @param {{operation: import("../shell/types.js").Operation, onClose: () => void}} props */
export function LifecycleDialog({ operation, onClose }) {
  const { operationId, changed } = operation;
  const [before] = useState(() => ({
    deprecated: operation.deprecated, deprecatedSince: operation.deprecatedSince ?? "", sunset: operation.sunset ?? "", successor: operation.successor ?? "",
    stability: operation.stability ?? "stable", enforceSunset: operation.enforceSunset, brownout: operation.brownout ? String(operation.brownout) : "",
  }));
  const [values, setValues] = useState(before);
  const [error, setError] = useState(/** @type {any} */ (null));
  const path = `admin/operations/${operationId}`;
  const patch = () => ({ method: "PATCH", path, body: patchOf(before, values) });
  const back = { method: "DELETE", path };
  const set = (/** @type {string} */ name) => (/** @type {any} */ e) => setValues({ ...values, [name]: e.target.type === "checkbox" ? e.target.checked : e.target.value });
  const run = (/** @type {import("../shell/api.js").Call} */ call, /** @type {string} */ done) => write(call).then(() => { say(done); onClose(); }, setError);
  const told = Object.fromEntries((error?.details ?? []).map((/** @type {any} */ d) => [d.field.slice(1), d.message]));
  const old = values.deprecated;
  return html`<${Dialog} title=${operationId} onClose=${onClose}>
    <form class="stack"
      onSubmit=${(/** @type {Event} */ e) => { e.preventDefault(); run(patch(), `Changed ${operationId} in this sandbox.`); }}>
      <p class="wire">${operation.method} ${operation.path}</p>
      <${Field} label="Stability"
        error=${told.stability}>${(/** @type {any} */ a) => html`<select ...${a} value=${values.stability} onChange=${set("stability")}>${["stable", "beta", "experimental"].map((s) => html`<option key=${s} value=${s}>${s}</option>`)}</select>`}<//>
      <label class="check"><input type="checkbox" checked=${old} onChange=${set("deprecated")} /> Deprecated</label>
      ${old && html`<div class="form-grid">
        <${Field} label="Deprecated since"
          error=${told.deprecatedSince}>${(/** @type {any} */ a) => html`<input ...${a} class="wire" placeholder="today" value=${values.deprecatedSince} onInput=${set("deprecatedSince")} />`}<//>
        <${Field} label="Sunset"
          error=${told.sunset}>${(/** @type {any} */ a) => html`<input ...${a} class="wire" placeholder="no date" value=${values.sunset} onInput=${set("sunset")} />`}<//>
        <${Field} label="Successor" error=${told.successor}
          hint="A path, such as /pets?id={petId}">${(/** @type {any} */ a) => html`<input ...${a} class="wire" value=${values.successor} onInput=${set("successor")} />`}<//>
        <${Field} label="Brown-out" error=${told.brownout}
          hint="The share of calls that is answered 410 before the sunset, from 0 to 1">${(/** @type {any} */ a) => html`<input ...${a} inputmode="decimal" placeholder="0" value=${values.brownout} onInput=${set("brownout")} />`}<//>
      </div>
      <label class="check"><input type="checkbox" checked=${values.enforceSunset}
        onChange=${set("enforceSunset")} /> Answer 410 after the sunset</label>
      ${told.enforceSunset && html`<p class="wrong" role="alert">${told.enforceSunset}</p>`}`}
      ${error && Object.keys(told).length === 0 && html`<${ErrorNote} error=${error} />`}
      <div class="row"><button class="primary">Save</button><${Code} label=${`change ${operationId}`}
        call=${patch} /><span class="grow"></span>
        <button type="button" disabled=${!changed}
          onClick=${() => run(back, `${operationId} is as in the document again.`)}>Back to the document</button><${Code} label="back to the document" call=${() => back} /></div>
    </form><//>`;
}

/** The fields that differ. @param {Record<string, any>} before  @param {Record<string, any>} values */
function patchOf(before, values) {
  const fields = values.deprecated ? Object.keys(values) : ["deprecated", "stability"];
  return Object.fromEntries(fields.filter((name) => values[name] !== before[name]).map((name) => [name, written(name, values[name])]));
}

/** @param {string} name  @param {any} value */
function written(name, value) {
  if (name === "deprecatedSince") return value || null; // as in the document, or now
  return name === "brownout" && !Number.isNaN(Number(value)) ? Number(value) : value;
}
