// Asks before something that cannot be undone.

import { html } from "../library/preact.js";
import { Code } from "./calls.js";
import { Dialog } from "./components.js";

/**
 * The focus starts on Cancel, so that pressing Enter twice loses nothing.
 * @param {object} props
 * @param {any} props.title
 * @param {any} [props.children]  what is lost
 * @param {string} props.verb  what the button does
 * @param {import("./api.js").Call|import("./api.js").Call[]} props.call
 * @param {string} props.label  of the call
 * @param {boolean} [props.disabled]  whether it cannot be done any more
 * @param {() => void} props.onConfirm
 * @param {() => void} props.onClose
 */
export const Confirm = ({ title, children, verb, call, label, disabled, onConfirm, onClose }) => html`
  <${Dialog} title=${title} onClose=${onClose}>
    <div class="stack">
      ${children}
      <div class="row">
        <button type="button" class="danger" disabled=${disabled} onClick=${onConfirm}>${verb}</button>
        <${Code} label=${label} call=${() => call} />
        <button type="button" autofocus onClick=${onClose}>Cancel</button>
      </div>
    </div>
  <//>`;
