// The control of one field of a record.

import { html, useEffect, useState } from "../library/preact.js";
import { get } from "../shell/api.js";
import { useId } from "../shell/components.js";
import { checked, typed } from "../shell/events.js";
import { dayAndTime } from "../shell/format.js";
import { opened } from "../shell/later.js";
import { statuses } from "./nouns.js";

const NoCategory = opened(() => import("./nothing.js"), "NoCategory");

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
      </select>
      <${NoCategory} />`;
    case "time":
      return html`<input ...${attributes} type="datetime-local" step="1" max="9999-12-31T23:59:59"
        value=${value && dayAndTime(value).replace(" ", "T")}
        onInput=${typed((given) => onChange(given && `${given.padEnd(19, ":00")}Z`))} />`;
    case "pet":
      return html`<${Pet} attributes=${attributes} value=${value} onChange=${onChange} />`;
    default:
      return html`<input ...${attributes} value=${value ?? ""} onInput=${text} />`;
  }
}

/**
 * A pet by its name or id, with a list of the pets whose names contain the typed text.
 * @param {{attributes: Record<string, any>, value: any, onChange: (value: any) => void}} props
 */
function Pet({ attributes, value, onChange }) {
  const [text, setText] = useState(/** @type {string|null} */ (null)); // null: the value is shown
  const [{ of, pets }, setFound] = useState({ of: value, pets: /** @type {import("./nouns.js").Row[]} */ ([]) });
  const list = useId();
  useEffect(() => {
    const stop = new AbortController();
    const query = Number.isInteger(value) ? `&id=${value}` : value ? `&name=${encodeURIComponent(value)}` : "";
    get(`admin/data/pets?limit=20${query}`, stop.signal)
      .then((found) => setFound({ of: value, pets: found }), () => undefined);
    return () => stop.abort();
  }, [value]);
  const named = pets.map(({ id, name }) => [id, `${name} #${id}`]);
  const take = typed((given) => {
    setText(given);
    onChange(number(given.replace(/^.*#/, "")));
  });
  const leave = () => {
    setText(null);
    if (text && of === value && pets.length === 1) onChange(pets[0].id);
  };
  return html`
    <input ...${attributes} list=${list} placeholder="name or id" autocomplete="off" onInput=${take} onBlur=${leave}
      value=${text ?? named.find(([id]) => id === value)?.[1] ?? value ?? ""} />
    <datalist id=${list}>${named.map(([id, name]) => html`<option key=${id} value=${name} />`)}</datalist>`;
}

/**
 * Returns a number if the text is one, or else the text, which the server then rejects with its own message.
 * @param {string} text
 */
const number = (text) => (/^-?(0|[1-9]\d{0,14})$/.test(text.trim()) ? Number(text) : text);
