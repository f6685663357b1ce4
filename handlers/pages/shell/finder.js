// The way to the palette of commands: ⌘K or Ctrl K, and a button.

import { html } from "../library/preact.js";
import { Icon } from "./icon.js";
import { later } from "./later.js";
import { createStore, useStore } from "./store.js";

export const palette = createStore({ open: false });

document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return;
  event.preventDefault();
  if (!document.querySelector("dialog[open]")) palette.set({ open: true });
});

/** Whether the machine has the key ⌘. */
const apple = /Mac|iPhone|iPad/.test(navigator.platform);

export const PaletteButton = () => html`
  <button type="button" class="icon find" aria-label="Find a command"
    title=${`Find a command ( ${apple ? "⌘K" : "Ctrl K"} )`} onClick=${() => palette.set({ open: true })}>
    <${Icon} name="command" />
  </button>`;

const Commands = later(() => import("./palette.js"), "Commands");

/** @param {{views: import("./shell.js").View[]}} props */
export const Palette = ({ views }) => useStore(palette).open && html`<${Commands} views=${views} />`;
