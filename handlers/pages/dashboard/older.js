// A button for the requests that the server keeps, but the page has not read.

import { html, useState } from "../library/preact.js";
import { count, plural } from "../shell/format.js";
import { sayError } from "../shell/toast.js";
import { loadOlder } from "./journal.js";

/** @param {{older: number}} props  the number of them */
export function Older({ older }) {
  const [reading, setReading] = useState(false);
  if (older <= 0) return null;
  const read = () => {
    setReading(true);
    loadOlder().catch(sayError).finally(() => setReading(false));
  };
  const which = older > 1000 ? `${count(1000)} of them` : older === 1 ? "it" : "them";
  return html`<p class="older note">
    <span>${plural(older, "older request")} ${older === 1 ? "is" : "are"} in the journal, but not in this list.</span>
    <button type="button" disabled=${reading} onClick=${read}>Show ${which}</button>
  </p>`;
}
