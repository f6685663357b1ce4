// A field with a list to choose from (WAI-ARIA, combobox with a list that filters). It shows why a choice is refused.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { useId } from "./components.js";
import { typed } from "./events.js";
import { Icon } from "./icon.js";

/**
 * @typedef {object} Option
 * @property {string} value
 * @property {any} text
 * @property {any} [note]
 */

/**
 * @param {object} props
 * @param {string} props.label
 * @param {string} props.value  the chosen value
 * @param {(text: string, signal: AbortSignal) => Promise<Option[]>} props.find  returns tens of options at most
 * @param {(value: string) => Promise<void>} props.onChoose  rejects with the error of the choice
 */
export function Combobox({ label, value, find, onChoose }) {
  const id = useId();
  const [text, setText] = useState(/** @type {string|null} */ (null)); // null: closed
  const [found, setFound] = useState({ text: "", options: /** @type {Option[]} */ ([]) });
  const [at, setAt] = useState(0);
  const [refused, setRefused] = useState("");
  const list = useRef(/** @type {HTMLElement|null} */ (null));
  const open = text !== null;
  const { options } = found;
  const early = useRef(false); // whether Enter was pressed before the options arrived

  const show = (/** @type {string|null} */ next) => {
    early.current = false;
    setText(next);
    setRefused("");
  };
  const choose = async (/** @type {Option|undefined} */ option) => {
    show(null);
    if (option) await onChoose(option.value).catch((error) => { setText(option.value); setRefused(error.message); });
  };
  useEffect(() => {
    if (text === null) return;
    const stop = new AbortController();
    find(text, stop.signal).catch(() => []).then((/** @type {Option[]} */ options) => {
      if (stop.signal.aborted) return;
      setFound({ text, options });
      setAt(0);
      if (early.current) void choose(options[0]);
    });
    return () => stop.abort();
  }, [text]);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: "nearest" }), [at]);

  const keys = (/** @type {KeyboardEvent} */ event) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move) {
      event.preventDefault();
      if (!open) show("");
      else setAt(Math.max(0, Math.min(options.length - 1, at + move)));
    } else if (event.key === "Enter" && open) {
      event.preventDefault();
      if (refused) return;
      if (found.text === text) void choose(options[at]);
      else early.current = true;
    } else if (event.key === "Escape" && open) {
      event.stopPropagation();
      show(null);
    }
  };
  const press = (/** @type {Option} */ option) => (/** @type {Event} */ event) => {
    event.preventDefault();
    void choose(option);
  };
  const listed = open && !refused && options.length > 0;
  return html`<div class="combobox">
    <input role="combobox" aria-label=${label} aria-expanded=${listed} aria-controls=${id} aria-autocomplete="list"
      aria-activedescendant=${listed && options[at] ? `${id}-${at}` : undefined}
      aria-invalid=${refused ? "true" : undefined} aria-describedby=${`${id}-refused`}
      class="wire" size=${value.length + 5}
      autocomplete="off" spellcheck=${false} value=${text ?? value} placeholder=${value}
      onFocus=${(/** @type {any} */ event) => event.target.select()} onClick=${() => open || show("")}
      onInput=${typed(show)} onKeyDown=${keys} onBlur=${() => show(null)} />
    <${Icon} name="down" />
    <p id=${`${id}-refused`} class="wrong" role="alert">${refused}</p>
    <ul id=${id} ref=${list} role="listbox" aria-label=${label} hidden=${!listed}>
      ${options.map((option, i) => html`
        <li key=${option.value} id=${`${id}-${i}`} role="option" aria-selected=${i === at} onMouseDown=${press(option)}>
          <bdi>${option.text}</bdi>
          ${option.note && html`<span class="note">${option.note}</span>`}
        </li>`)}
    </ul>
  </div>`;
}
