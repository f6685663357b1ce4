// The control of one field of a record.

import { html } from "../library/preact.js";
import { checked, typed } from "../shell/events.js";
import { statuses } from "./nouns.js";

/**
 * @param {object} props
 * @param {import("./nouns.js").Input} props.input
 * @param {Record<string, any>} props.attributes
 * @param {any} props.value
 * @param {Map<number, string>} props.categories
 * @param {(value: any) => void} props.onChange
 */
export function Control({ input, attributes, value, categories, onChange }) {
  const text = typed(onChange);
  const unknown = value !== undefined && value !== "" && !categories.has(value);
  const numeric = typed((given) => onChange(number(given)));
  switch (input.kind) {
    case "long":
      return html`<textarea ...${attributes} rows="5" value=${value ?? ""} onInput=${text}></textarea>`;
    case "number":
      return html`<input ...${attributes} inputmode="numeric" class="wire" value=${value ?? ""} onInput=${numeric} />`;
    case "boolean":
      return html`<input ...${attributes} type="checkbox" checked=${Boolean(value)} onChange=${checked(onChange)} />`;
    case "status":
      return html`<select ...${attributes} value=${value ?? statuses[0]} onChange=${text}>
        ${statuses.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
      </select>`;
    case "category":
      return html`<select ...${attributes} value=${value ?? ""} onChange=${numeric}>
        <option value="">choose one</option>
        ${unknown && html`<option value=${value}>${value}</option>`}
        ${[...categories].map(([id, name]) => html`<option key=${id} value=${id}>${name} #${id}</option>`)}
      </select>`;
    case "time":
      return html`<input ...${attributes} class="wire" placeholder="2031-01-31T09:30:00Z" value=${value ?? ""}
          onInput=${text} />`;
    default:
      return html`<input ...${attributes} value=${value ?? ""} onInput=${text} />`;
  }
}

/**
 * A number where the text is one, else the text, which the server then refuses in its own words.
 * @param {string} text
 */
const number = (text) => (/^-?(0|[1-9]\d{0,14})$/.test(text.trim()) ? Number(text) : text);
