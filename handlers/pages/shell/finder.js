// The way to the palette of commands: ⌘K or Ctrl K, and a button.

import { html } from "../library/preact.js";
import { Icon } from "./icon.js";
import { opened } from "./later.js";
import { createStore, useStore } from "./store.js";

export const palette = createStore({ open: false });

const load = () => import("./palette.js");

document.addEventListener("keydown", (event) => {
  if (event.key === "Control" || event.key === "Meta") load().catch(() => undefined); // so that no key after K is lost
  if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return;
  event.preventDefault();
  if (!document.querySelector("dialog[open]")) palette.set({ open: true });
});

const keys = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘K" : "Ctrl K";

export const PaletteButton = () => html`
  <button type="button" class="find" aria-label=${`Find a command: ${keys}`} title=${`Find a command ( ${keys} )`}
    onClick=${() => palette.set({ open: true })}>
    <${Icon} name="search" />
    <kbd>${keys}</kbd>
  </button>`;

const Commands = opened(load, "Commands");

/** @param {{views: import("./shell.js").View[]}} props */
export const Palette = ({ views }) =>
  useStore(palette).open && html`<${Commands} views=${views} onClose=${() => palette.set({ open: false })} />`;
