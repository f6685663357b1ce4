// A field with a list to choose from (WAI-ARIA, combobox with a list that filters).

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { useId } from "./components.js";

/**
 * @typedef {object} Option
 * @property {string} value
 * @property {any} text
 * @property {any} [note]
 */

/**
 * @param {object} props
 * @param {string} props.label
 * @param {string} props.value  what is chosen
 * @param {(text: string, signal: AbortSignal) => Promise<Option[]>} props.find  returns what fits the text, a few tens at most
 * @param {(value: string) => void} props.onChoose
 */
export function Combobox({ label, value, find, onChoose }) {
  const id = useId();
  const [text, setText] = useState(/** @type {string|null} */ (null)); // null: closed
  const [found, setFound] = useState({ text: "", options: /** @type {Option[]} */ ([]) });
  const [at, setAt] = useState(0);
  const list = useRef(/** @type {HTMLElement|null} */ (null));
  const open = text !== null;
  const { options } = found;
  const early = useRef(false); // whether Enter came before what fits the text

  const choose = (/** @type {Option|undefined} */ option) => {
    setText(null);
    if (option) onChoose(option.value);
  };
  useEffect(() => {
    if (text === null) return;
    const stop = new AbortController();
    find(text, stop.signal).catch(() => []).then((/** @type {Option[]} */ options) => {
      if (stop.signal.aborted) return;
      setFound({ text, options });
      setAt(0);
      if (early.current) choose(options[0]);
    });
    return () => stop.abort();
  }, [text]);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: "nearest" }), [at]);

  const keys = (/** @type {KeyboardEvent} */ event) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move) {
      event.preventDefault();
      if (!open) setText("");
      else setAt(Math.max(0, Math.min(options.length - 1, at + move)));
    } else if (event.key === "Enter" && open) {
      event.preventDefault();
      if (found.text === text) choose(options[at]);
      else early.current = true;
    } else if (event.key === "Escape" && open) {
      event.stopPropagation();
      setText(null);
    }
  };
  return html`<div class="combobox">
    <input role="combobox" aria-label=${label} aria-expanded=${open} aria-controls=${id} aria-autocomplete="list" autocomplete="off" spellcheck=${false}
      aria-activedescendant=${open && options[at] ? `${id}-${at}` : undefined} class="wire" value=${text ?? value} placeholder=${value}
      onFocus=${(/** @type {any} */ e) => e.target.select()} onClick=${() => open || setText("")} onInput=${(/** @type {any} */ e) => { early.current = false; setText(e.target.value); }}
      onKeyDown=${keys} onBlur=${() => setText(null)} />
    <ul id=${id} ref=${list} role="listbox" aria-label=${label} hidden=${!open || options.length === 0}>
      ${options.map((option, i) => html`<li key=${option.value} id=${`${id}-${i}`} role="option" aria-selected=${i === at}
        onMouseDown=${(/** @type {Event} */ e) => { e.preventDefault(); choose(option); }}>
        <span>${option.text}</span>${option.note && html`<span class="note">${option.note}</span>`}</li>`)}
    </ul>
  </div>`;
}
