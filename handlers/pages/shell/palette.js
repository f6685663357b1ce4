// The palette: every command by its name, at ⌘K or Ctrl K.

import { html, useEffect, useMemo, useRef, useState } from "../library/preact.js";
import { commandsBy, commandsFound, commandsOf } from "./commands.js";
import { useId } from "./components.js";
import { Confirm } from "./confirm.js";
import { typed } from "./events.js";
import { palette } from "./finder.js";
import { Icon } from "./icon.js";
import { ranked } from "./rank.js";

/** @typedef {import("./commands.js").Command} Command */

const SHOWN = 50;
const SETTLE = 120; // ms without another key

/** @param {{command: Command, ask: NonNullable<Command["ask"]>}} props */
export function Question({ command, ask: { title, text, verb, call } }) {
  const close = () => palette.set({ asking: undefined });
  const confirm = () => {
    close();
    void command.run();
  };
  return html`<${Confirm} title=${title} verb=${verb} label=${verb.toLowerCase()} call=${call} onConfirm=${confirm} onClose=${close}><p>${text}</p><//>`;
}

/** @param {{views: import("./shell.js").View[]}} props */
export function Commands({ views }) {
  const id = useId();
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  const list = useRef(/** @type {HTMLElement|null} */ (null));
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const [found, setFound] = useState(/** @type {Command[]} */ ([]));
  const always = useMemo(() => commandsOf(views), [views]);
  const commands = useMemo(() => [...commandsBy(text), ...ranked([...always, ...found], text)].slice(0, SHOWN), [always, found, text]);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    const stop = new AbortController();
    const look = () => commandsFound(text, stop.signal).then((some) => stop.signal.aborted || setFound(some), () => undefined);
    const timer = setTimeout(look, SETTLE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text]);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: "nearest" }), [at]);
  const close = () => dialog.current?.close();
  const run = (/** @type {Command|undefined} */ command) => {
    if (!command) return;
    close();
    if (command.ask) palette.set({ open: false, asking: command });
    else void command.run();
  };
  const keys = (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) setAt((commands.length + at + by) % Math.max(1, commands.length));
    else if (event.key === "Enter") run(commands[at]);
    else return;
    event.preventDefault();
  };
  const outside = (/** @type {MouseEvent} */ event) => event.target === dialog.current && close();
  return html`<dialog ref=${dialog} class="palette" aria-label="Commands" onClose=${() => palette.set({ open: false })} onMouseDown=${outside}>
    <div class="palette-search">
      <${Icon} name="search" />
      <input role="combobox" aria-label="Command" aria-expanded="true" aria-controls=${id} aria-autocomplete="list" autocomplete="off" autofocus
        spellcheck=${false} aria-activedescendant=${commands[at] ? `${id}-${at}` : undefined}
        placeholder="Find a command, a view, a sandbox, “pet 7”, a date" value=${text}
        onInput=${typed((next) => { setText(next); setAt(0); })} onKeyDown=${keys} />
    </div>
    <ul id=${id} ref=${list} role="listbox" aria-label="Commands">
      ${commands.map((command, i) => html`
        <li key=${command.text} id=${`${id}-${i}`} role="option" aria-selected=${i === at} onMouseMove=${() => i !== at && setAt(i)} onClick=${() => run(command)}>
          ${command.text}
          ${command.key && html`<span>${command.key.split(" ").map((key) => html`<kbd key=${key}>${key}</kbd>`)}</span>`}
        </li>`)}
    </ul>
    ${commands.length === 0 && html`<p class="note">No command has these words.</p>`}
  </dialog>`;
}
