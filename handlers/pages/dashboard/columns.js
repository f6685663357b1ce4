// The choices in the menu of columns.

import { html } from "../library/preact.js";
import { Item } from "../shell/components.js";
import { Icon } from "../shell/icon.js";
import { useStore } from "../shell/store.js";
import { hidden, keyOf, saved } from "./table.js";

/** The columns, except the first, which always shows. @param {{noun: import("./nouns.js").Noun}} props */
export function Choices({ noun }) {
  const { names } = useStore(hidden);
  const toggle = (/** @type {string} */ key) => {
    const next = names.includes(key) ? names.filter((name) => name !== key) : [...names, key];
    saved.set(next.join(" "));
    hidden.set({ names: next });
  };
  return noun.columns.slice(1).map((column) => html`
    <${Item} key=${column.name} role="menuitemcheckbox" aria-checked=${!names.includes(keyOf(noun, column))}
      onClick=${() => toggle(keyOf(noun, column))}>
      <${Icon} name="check" />
      ${column.title}
    <//>`);
}
