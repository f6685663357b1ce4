// The palette of commands, at ⌘K or Ctrl K.

import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../library/preact.js";
import { params } from "./address.js";
import { breaksLast, commandsBy, commandsFound, commandsOf, fewOf, searchCommand } from "./commands.js";
import { useId } from "./components.js";
import { typed } from "./events.js";
import { Icon } from "./icon.js";
import { groupsOf, ranked } from "./rank.js";
import { kept } from "./store.js";

/** @typedef {import("./commands.js").Command} Command */

const SHOWN = 50;
const SETTLE = 120; // ms without typing
const RECENT = 3;
const KEPT = 10; // more than RECENT, since some may no longer be commands

const recent = kept("sessionStorage", "commands");

/** The texts of the commands that were run last, newest first. */
const recentTexts = () => recent.get().split("\n").filter(Boolean);

/** @param {Command} command */
function remember({ text }) {
  recent.set([text, ...recentTexts().filter((other) => other !== text)].slice(0, KEPT).join("\n"));
}

/** The commands that fit a view. @type {Record<string, string>} */
const fits = { faults: "Faults", time: "Time", snapshots: "Sandbox", sandboxes: "Sandbox" };

/** The commands before anything is typed. @param {Command[]} always */
function first(always) {
  const named = (/** @type {string} */ text) => always.find((command) => command.text === text) ?? commandsBy(text);
  const last = recentTexts().flatMap(named).slice(0, RECENT);
  const isHere = (/** @type {Command} */ { group }) => Number(group === fits[params().view]);
  const rest = fewOf(always).filter((command) => !last.includes(command)).sort((a, b) => isHere(b) - isHere(a));
  return [...last.map((command) => ({ ...command, group: "Recent" })), ...rest];
}

/**
 * Returns the commands for a text, in groups.
 * @param {import("./shell.js").View[]} views
 * @param {string} text
 */
function useCommands(views, text) {
  const [found, setFound] = useState(/** @type {Command[]} */ ([]));
  const always = useMemo(() => commandsOf(views), [views]);
  useEffect(() => {
    const stop = new AbortController();
    const tell = (/** @type {Command[]} */ some) => stop.signal.aborted || setFound(some);
    const timer = setTimeout(() => commandsFound(text, stop.signal).then(tell, () => undefined), SETTLE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text]);
  return useMemo(() => {
    if (!text.trim()) return groupsOf(first(always));
    const others = always.filter(({ begins }) => begins !== text); // which it has already begun
    const known = [...commandsBy(text), ...ranked([...others, ...found], text)];
    return groupsOf(breaksLast([...known.slice(0, SHOWN), searchCommand(text)], text));
  }, [always, found, text]);
}

/** @param {{views: import("./shell.js").View[], typed: string, onClose: () => void}} props */
export function Commands({ views, typed: before, onClose }) {
  const id = useId();
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  const [text, setText] = useState(before);
  const [at, setAt] = useState(0);
  const groups = useCommands(views, text);
  const commands = groups.flatMap((group) => group.commands);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const idOf = (/** @type {number} */ i) => `${id}-${i}`;
  useLayoutEffect(() => dialog.current?.showModal(), []); // before the next key press
  useEffect(() => document.getElementById(idOf(at))?.scrollIntoView({ block: "nearest" }), [at]);
  const search = (/** @type {string} */ next) => {
    setText(next);
    setAt(0);
  };
  const run = (/** @type {Command|undefined} */ command) => {
    if (!command) return;
    remember(command);
    if (command.begins) return search(command.begins);
    dialog.current?.close();
    void command.run?.();
  };
  const keys = (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) setAt((commands.length + at + by) % Math.max(1, commands.length));
    else if (event.key === "Enter") run(commands[at]);
    else return;
    event.preventDefault();
  };
  const outside = (/** @type {MouseEvent} */ event) => event.target === dialog.current && dialog.current?.close();
  const option = (/** @type {Command} */ command) => {
    const i = commands.indexOf(command);
    return html`<${Option} key=${command.text} id=${idOf(i)} command=${command} words=${words} at=${i === at}
      onPoint=${() => i !== at && setAt(i)} onRun=${() => run(command)} />`;
  };
  return html`
    <dialog ref=${dialog} class="palette" aria-label="Commands" onClose=${onClose}
      onMouseDown=${outside}>
      <div class="palette-search">
        <${Icon} name="search" />
        <input role="combobox" aria-label="Command" aria-expanded="true" aria-controls=${id} aria-autocomplete="list"
          autocomplete="off" autofocus spellcheck=${false} aria-activedescendant=${commands[at] && idOf(at)}
          placeholder="Command, sandbox, “pet 7” or text" value=${text}
          onInput=${typed(search)} onKeyDown=${keys} />
      </div>
      <div id=${id} class="found" role="listbox" aria-label="Commands"
        onMouseDown=${(/** @type {Event} */ event) => event.preventDefault() /* the text keeps the focus */}>
        ${groups.map(({ name, commands: some }, i) => html`
          <div key=${name} role="group" aria-labelledby=${`${id}-of-${i}`}>
            <p id=${`${id}-of-${i}`} class="group-name" role="presentation">${name}</p>
            ${some.map(option)}
          </div>`)}
      </div>
      <p class="note palette-keys" aria-hidden="true">
        <span><kbd>↑</kbd> <kbd>↓</kbd> move</span>
        <span><kbd>Enter</kbd> run</span>
        <span><kbd>Esc</kbd> close</span>
      </p>
    </dialog>`;
}

/**
 * Returns the text with the typed words in bold where they begin a word.
 * @param {string} text @param {string[]} words
 */
function marked(text, words) {
  const any = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
  return any ? text.split(new RegExp(`(?<!\\p{L})(${any})`, "iu"))
    .map((part, i) => (i % 2 ? html`<b>${part}</b>` : part)) : text;
}

/**
 * @param {{id: string, command: Command, words: string[], at: boolean, onPoint: () => void, onRun: () => void}} props
 */
const Option = ({ id, command: { text, hint, icon, key, on }, words, at, onPoint, onRun }) => html`
  <div id=${id} class="option" role="option" aria-selected=${at} aria-checked=${on}
    onMouseMove=${onPoint} onClick=${onRun}>
    <${Icon} name=${icon} />
    <span class="grow">${marked(text, words)}</span>
    ${hint && html`<small>${hint}</small>`}
    ${on && html`<${Icon} name="check" />`}
    ${key?.split(" ").map((one) => html`<kbd key=${one}>${one}</kbd>`)}
  </div>`;
