// What is said in an editor whose record somebody else has changed, and the choice field by field.

import { html, useEffect, useRef } from "../library/preact.js";
import { same } from "./merge.js";

/** @typedef {import("./nouns.js").Noun} Noun */
/** @typedef {"theirs"|"mine"} Whose */
/** @typedef {"refused"|"changed"|"deleted"} Trouble  refused: a change that would overwrite another */

/**
 * @param {object} props
 * @param {Trouble} props.is
 * @param {Noun} props.noun
 * @param {import("./merge.js").Difference[]} props.fields
 * @param {Record<string, Whose>} props.chosen  by the name of the field
 * @param {boolean} props.known  whether what the others have is
 * @param {() => void} props.onLoad
 * @param {(chosen: Record<string, Whose>) => void} props.onChoose
 */
export function Conflict({ is, noun, fields, chosen, known, onLoad, onChoose }) {
  const first = useRef(/** @type {HTMLElement|null} */ (null));
  const ready = is === "refused" && known;
  useEffect(() => { // the button that was pressed is gone
    if (ready) /** @type {HTMLElement|null|undefined} */ (first.current?.querySelector("[aria-pressed=true]"))?.focus();
  }, [ready]);
  if (is === "deleted") return html`<div class="error-note" role="alert">
    <p>
      This ${noun.one} has been deleted since you opened it, so your changes cannot be saved.
      They stay here until you discard them.
    </p>
  </div>`;
  /** @param {string} name @param {Whose} whose */
  const choose = (name, whose) => () => onChoose({ ...chosen, [name]: whose });
  const cell = (/** @type {typeof fields[0]} */ field, /** @type {"theirs"|"mine"} */ whose) => {
    const before = same(field[whose], field.was) ? " (before)" : "";
    return html`<td>
      <button type="button" class="plain-border" aria-pressed=${(chosen[field.name] ?? field.chosen) === whose}
        aria-label=${`${field.title}: ${whose}, ${shown(field[whose])}${before}`} onClick=${choose(field.name, whose)}>
        <bdi>${shown(field[whose])}</bdi>${before && html`<small>${before}</small>`}
      </button>
    </td>`;
  };
  return html`<div class="error-note" role="alert" ref=${first}>
    <p>${is === "refused"
      ? `Somebody else has changed this ${noun.one} since you opened it. The server refused to overwrite that (412).`
      : `This ${noun.one} has changed since you opened it.`}</p>
    ${fields.length > 0 && html`<table class="merge">
      <thead>
        <tr>
          <td></td>
          <th>Theirs</th>
          <th>Mine</th>
        </tr>
      </thead>
      <tbody>${fields.map((field) => html`
        <tr key=${field.name}>
          <th scope="row">${field.title}</th>
          ${cell(field, "theirs")}
          ${cell(field, "mine")}
        </tr>`)}
      </tbody>
    </table>`}
    <div class="row">
      <button class="primary" disabled=${!known}>Save the choice</button>
      <button type="button" class="plain-border" onClick=${onLoad}>Discard mine</button>
    </div>
  </div>`;
}

/** @param {any} value */
const shown = (value) => (value === undefined || value === null || value === "" ? "none" : String(value));
