// Parts below the fields of a record: the delete button, links to related records, and the JSON.

import { html } from "../library/preact.js";
import { follow, link } from "../shell/address.js";
import { Code } from "../shell/calls.js";
import { CopyButton } from "../shell/components.js";
import { Icon } from "../shell/icon.js";
import { sayError } from "../shell/toast.js";
import { dropDraft } from "./drafts.js";
import { pathOf } from "./following.js";
import { writeRecord } from "./writes.js";

/** @typedef {import("./nouns.js").Noun} Noun */
/** @typedef {import("./nouns.js").Row} Row */

/** Links to the related records, and the JSON. @param {{noun: Noun, record: Row}} props */
export function Related({ noun, record }) {
  const links = noun.links?.(record) ?? [];
  return html`
    ${links.length > 0 && html`<nav class="row" aria-label="Links">
      ${links.map(({ text: to, params: of }) => html`
        <a key=${to} class="button plain-border" href=${link({ view: "data", ...of })} onClick=${follow}>
          ${to}
          <${Icon} name="next" />
        </a>`)}
    </nav>`}
    <${Json} record=${record} />`;
}

/** @param {{record: Row}} props */
export function Json({ record }) {
  const text = JSON.stringify(record, null, 2);
  return html`<details>
    <summary>JSON</summary>
    <div class="json-of">
      <${CopyButton} text=${text} />
      <pre class="json" tabindex="0" aria-label="The record as JSON">${text}</pre>
    </div>
  </details>`;
}

/** @param {{noun: Noun, id: string, tag: string, writing: {current: boolean}, onClose: () => void}} props */
export function Remove({ noun, id, tag, writing, onClose }) {
  const call = () => ({ method: "DELETE", path: pathOf(noun, id), headers: { "If-Match": tag } });
  const done = () => {
    dropDraft(noun, id);
    onClose();
  };
  const fail = (/** @type {any} */ problem) => {
    writing.current = false;
    sayError(problem, "data");
  };
  const run = () => {
    writing.current = true;
    return writeRecord(call(), `Deleted ${noun.one} ${id}.`).then(done, fail);
  };
  return html`<span class="pair">
    <button type="button" class="danger" onClick=${run}>Delete</button>
    <${Code} label="delete" call=${call} />
  </span>`;
}
