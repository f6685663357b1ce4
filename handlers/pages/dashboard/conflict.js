// What is said in an editor whose record somebody else has changed, and the choice field by field.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { get } from "../shell/api.js";
import { ago } from "../shell/format.js";
import { same } from "./merge.js";
import { isWrite } from "./states.js";

/** @typedef {import("./nouns.js").Noun} Noun */
/** @typedef {"theirs"|"mine"} Whose */
/** @typedef {"refused"|"changed"|"deleted"} Trouble  refused: a change that would overwrite another */

const LOOKED_THROUGH = 20; // requests of the record

/**
 * Who has changed a record, and when; empty: it is not known, as where a page did.
 * @param {Noun} noun
 * @param {string} id
 * @param {any} tag  another one, after each change
 */
function useWho(noun, id, tag) {
  const [who, setWho] = useState("");
  useEffect(() => {
    const tell = (/** @type {import("../shell/types.js").Journal} */ { requests }) => {
      const last = requests.find(isWrite);
      setWho(last ? `${last.clientName ?? last.client} changed it ${ago(last.receivedAt ?? last.time)}.` : "");
    };
    const path = encodeURIComponent(`/${noun.path}/${id}`);
    get(`admin/requests?path=${path}&order=desc&limit=${LOOKED_THROUGH}`).then(tell, () => undefined);
  }, [tag]);
  return who;
}

/**
 * @param {object} props
 * @param {Trouble} props.is
 * @param {Noun} props.noun
 * @param {string} props.id
 * @param {string} [props.tag]  of what the others have
 * @param {import("./merge.js").Difference[]} props.fields
 * @param {Record<string, Whose>} props.chosen  by the name of the field
 * @param {boolean} props.known  whether what the others have is
 * @param {() => void} props.onLoad
 * @param {(chosen: Record<string, Whose>) => void} props.onChoose
 */
export function Conflict({ is, noun, id, tag, fields, chosen, known, onLoad, onChoose }) {
  const who = useWho(noun, id, tag);
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
    const before = same(field[whose], field.was) ? " (unchanged)" : "";
    return html`<td>
      <button type="button" class="plain-border" aria-pressed=${(chosen[field.name] ?? field.chosen) === whose}
        aria-label=${`${field.title}: ${whose}, ${shown(field[whose])}${before}`} onClick=${choose(field.name, whose)}>
        <bdi>${shown(field[whose])}</bdi>${before && html`<small>${before}</small>`}
      </button>
    </td>`;
  };
  return html`<div class="error-note question" role="alert" ref=${first}>
    <p>
      This ${noun.one} has changed since you opened it${is === "refused" && ", so it was not saved (412)"}. ${who}
    </p>
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
