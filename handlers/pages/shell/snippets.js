// A call in several languages, to read and to copy.

import { html, useState } from "../library/preact.js";
import { Choice, CopyButton } from "./components.js";
import { languages, scriptOf } from "./languages.js";
import { Source } from "./source.js";

/** @typedef {import("./api.js").Call} Call */

/**
 * A call in the language that the user chooses.
 * @param {{call: Call|Call[]}} props  several: a script
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
