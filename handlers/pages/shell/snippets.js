// Calls as others would write them, to read and to copy.

import { html, useState } from "../library/preact.js";
import { Choice, CopyButton } from "./components.js";
import { languages, masked, scriptOf } from "./curl.js";

/** @typedef {import("./api.js").Call} Call */

const parts = /("[^"\\]*(?:\\.[^"\\]*)*"|'[^']*(?:'\\''[^']*)*'|`[^`]*`|\b(?:POST|PUT|PATCH|DELETE)\b)/;

/** @param {string} part  a quoted text or a method */
const kindOf = (part) => (/^\W?https?:/.test(part) ? "address" : /^\W?[A-Z]+\W?$/.test(part) ? "verb" : "string");

/** A call in one of the languages, with its texts in colour. @param {{text: string, label?: string}} props */
export const Source = ({ text, label }) => html`<pre tabindex="0" aria-label=${label}>
  ${masked(text).split(parts)
    .map((part, i) => (i % 2 ? html`<span class=${`in-${kindOf(part)}`}>${part}</span>` : part))}
</pre>`;

/**
 * A call in the languages that there are snippets in.
 * @param {{call: Call|Call[]}} props  several: one after the other
 */
export function Snippets({ call }) {
  const [language, setLanguage] = useState(/** @type {keyof typeof languages} */ ("curl"));
  const names = Object.keys(languages).map((name) => [name, name]);
  const text = scriptOf(call, language);
  return html`<div class="snippets">
    <div class="row">
      <${Choice} label="Language" options=${names} value=${language} onChange=${setLanguage} />
      <${CopyButton} text=${text} class="primary" />
    </div>
    <${Source} text=${text} label=${`The request in ${language}`} />
  </div>`;
}

/**
 * A line of shell to copy as it stands.
 * @param {{call: Call, from?: Call}} props  from: what answers the body of the call
 */
export function CurlLine({ call, from }) {
  const text = from ? `${languages.curl(from)} | ${languages.curl({ ...call, body: "@-" })}` : languages.curl(call);
  return html`<div class="curl-line">
    <${Source} text=${text} label="curl command" />
    <${CopyButton} text=${text} />
  </div>`;
}
