// Opens the palette of commands: with ⌘K or Ctrl K, or a button.

import { html } from "../library/preact.js";
import { Icon } from "./icon.js";
import { opened } from "./later.js";
import { createStore, useStore } from "./store.js";

export const palette = createStore({ open: false, typed: "" }); // typed: the keys pressed before it loaded

const load = () => import("./palette.js");

let waits = false; // whether keys go to a palette that is still loading

addEventListener("keydown", (event) => {
  const { key } = event;
  if (!waits || key.length > 1 && key !== "Enter" || event.ctrlKey || event.metaKey) return;
  const { open, typed } = palette.get();
  waits = open && !document.querySelector("dialog[open]");
  if (!waits) return;
  event.preventDefault();
  event.stopPropagation();
  if (key !== "Enter") palette.set({ typed: typed + key });
}, true);

const show = () => {
  palette.set({ open: true, typed: "" });
  waits = true;
};

document.addEventListener("keydown", (event) => {
  if (event.key === "Control" || event.key === "Meta") load().catch(() => undefined); // so that no key after K is lost
  if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return;
  event.preventDefault();
  if (!document.querySelector("dialog[open]")) show();
});

export const keys = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘K" : "Ctrl K";

export const PaletteButton = () => html`
  <button type="button" class="find" aria-label=${`Find a command: ${keys}`} title=${`Find a command ( ${keys} )`}
    onClick=${show}>
    <${Icon} name="search" />
    <kbd>${keys}</kbd>
  </button>`;

const Commands = opened(load, "Commands");

/** @param {{views: import("./shell.js").View[]}} props */
export function Palette({ views }) {
  const { open, typed } = useStore(palette);
  return open && html`<${Commands} views=${views} typed=${typed} onClose=${() => palette.set({ open: false })} />`;
}
