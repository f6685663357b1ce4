// The line above the tiles: how many are in, need help, and are on each exercise. Each part shows those alone.

import { html } from "../library/preact.js";
import { Icon } from "../shell/icon.js";
import { exercises } from "./exercises.js";
import { exerciseOf, isStuck } from "./room.js";

/**
 * @typedef {import("./room.js").Tile} Tile
 * @typedef {{name: string, text: (n: number) => string, icon?: string, has: (tile: Tile) => boolean}} Part
 */

/** @type {Part[]} */
const parts = [
  { name: "hands", icon: "hand", text: (n) => `${n} ${n === 1 ? "hand" : "hands"} up`, has: ({ hand }) => hand > 0 },
  { name: "stuck", icon: "alert", text: (n) => `${n} stuck`, has: isStuck },
  ...exercises.map((_, i) => ({ name: `exercise ${i + 1}`, text: (/** @type {number} */ n) => `${n} on exercise ${i + 1}`, has: (/** @type {Tile} */ tile) => exerciseOf(tile) === i + 1 })),
  { name: "done", icon: "check", text: (n) => `${n} done`, has: (tile) => exerciseOf(tile) === 0 },
];

/** The tiles that a part has; of no part, all. @param {Tile[]} tiles  @param {string} name */
export const only = (tiles, name) => tiles.filter(parts.find((part) => part.name === name)?.has ?? (() => true));

/** @param {{tiles: Tile[], shown: string, onShow: (name: string) => void}} props */
export const Summary = ({ tiles, shown, onShow }) => html`<div class="summary" role="group" aria-label="Show only">
  ${parts.map((part) => ({ ...part, n: tiles.filter(part.has).length })).filter(({ n, name }) => n > 0 || name === shown).map(({ name, icon, text, n }) => html`
    <button type="button" key=${name} class=${`count is-${name.split(" ")[0]}`} aria-pressed=${name === shown} onClick=${() => onShow(name === shown ? "" : name)}>
      ${icon && html`<${Icon} name=${icon} />`}${text(n)}</button>`)}
</div>`;
