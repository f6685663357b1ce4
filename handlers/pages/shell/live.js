// Parts of the pages' headers: the logo, the theme, and the state of the stream.

import { html } from "../library/preact.js";
import { key } from "./api.js";
import { Icon } from "./icon.js";
import { createStore, kept, useStore } from "./store.js";

const theme = kept("localStorage", "theme");

const chosen = createStore({ theme: theme.get() });

const system = matchMedia("(prefers-color-scheme: dark)");

/** Whether the colours are dark. */
export const isDark = () => (chosen.get().theme ? chosen.get().theme === "dark" : system.matches);

/** Makes the colours dark, or light again. */
export function toggleTheme() {
  const next = isDark() ? "light" : "dark";
  theme.set(next === (system.matches ? "dark" : "light") ? "" : next);
  document.documentElement.dataset.theme = next;
  chosen.set({ theme: next });
}

const mark = new URL("icon.svg", import.meta.url).href;

/** The logo. */
export const Mark = () => html`<img src=${mark} alt="" width="24" height="24" />`;

const lights = /** @type {const} */ ({
  connecting: "connecting",
  live: "live",
  "catching up": "catching up",
  hidden: "paused",
  refused: "refused",
  lost: "lost",
});

/**
 * The state of the stream.
 * @param {{state: import("./stream.js").StreamState, paused?: boolean, onRetry: () => void}} props
 */
export function Live({ state, paused, onRetry }) {
  const keyless = state.error?.status === 401 && !key.value; // the user has not given a key yet
  const is = paused && state.is === "live" ? "hidden" : state.is;
  const text = keyless ? "no key" : lights[is];
  return html`
    <button type="button" class=${`live is-${is.replace(" ", "-")}${keyless ? " no-key" : ""}`} onClick=${onRetry}
      title=${`Live updates: ${is === "live" ? "connected" : text}. Press to reconnect.`}>
      <span class="dot" aria-hidden="true"></span>
      <span role="status">${text}</span>
    </button>`;
}

/** Returns the title of the theme button. */
export function useThemeTitle() {
  useStore(chosen);
  return isDark() ? "Use light colours" : "Use dark colours";
}

/** Switches between light and dark colours. */
export function ThemeButton() {
  const title = useThemeTitle();
  return html`
    <button type="button" class="icon theme" title=${title} aria-label=${title} onClick=${toggleTheme}>
      <${Icon} name=${isDark() ? "sun" : "theme"} />
    </button>`;
}
