// A call to read and to copy.

import { html } from "../library/preact.js";
import { CopyButton } from "./components.js";
import { curl, masked } from "./curl.js";

/** @typedef {import("./api.js").Call} Call */

const parts = /("[^"\\]*(?:\\.[^"\\]*)*"|'[^']*(?:'\\''[^']*)*'|`[^`]*`|\b(?:POST|PUT|PATCH|DELETE)\b)/;

/** @param {string} part  a quoted text or a method */
const kindOf = (part) => (/^\W?https?:/.test(part) ? "address" : /^\W?[A-Z]+\W?$/.test(part) ? "verb" : "string");

/** A call in one of the languages, with syntax colours. @param {{text: string, label?: string}} props */
export const Source = ({ text, label }) => html`<pre tabindex="0" aria-label=${label}>
  ${masked(text).split("\n").map((line, i) => [i > 0 && "\n", html`<span class="in-line">${line.split(parts)
    .map((part, i) => (i % 2 ? html`<span class=${`in-${kindOf(part)}`}>${part}</span>` : part))}</span>`])}
</pre>`;

/**
 * A shell command to copy.
 * @param {{call: Call, from?: Call}} props  from: its response is the body of the call
 */
export function CurlLine({ call, from }) {
  const text = from ? `${curl(from)} | ${curl({ ...call, body: "@-" })}` : curl(call);
  return html`<div class="curl-line">
    <${Source} text=${text} label="curl command" />
    <${CopyButton} text=${text} />
  </div>`;
}
