// The line above the tiles: how many need help, are on each exercise, and are done. Each part shows those alone.

import { html } from "../library/preact.js";
import { Icon } from "../shell/icon.js";
import { exercises } from "./exercises.js";
import { exerciseOf, isStuck } from "./room.js";

/**
 * @typedef {import("./room.js").Tile} Tile
 *
 * @typedef {object} Part
 * @property {string} name
 * @property {(n: number) => string} text  after the number
 * @property {string} [icon]
 * @property {(tile: Tile) => boolean} has
 * @property {(tile: Tile) => number} [since]  when the attendee began to wait (ms)
 */

/** @returns {Part} */
const onExercise = (/** @type {unknown} */ _, /** @type {number} */ i) => ({
  name: `exercise ${i + 1}`,
  text: () => `on exercise ${i + 1}`,
  has: (tile) => exerciseOf(tile) === i + 1,
});

/** @type {Part[]} */
const parts = [
  {
    name: "hands",
    icon: "hand",
    text: (n) => (n === 1 ? "hand up" : "hands up"),
    has: ({ hand }) => hand > 0,
    since: ({ hand }) => hand,
  },
  { name: "stuck", icon: "alert", text: () => "stuck", has: isStuck, since: ({ run }) => run.since },
  ...exercises.map(onExercise),
  { name: "done", icon: "check", text: () => "done", has: (tile) => exerciseOf(tile) === 0 },
];

/**
 * The tiles that a part has, those that have waited longest first; of no part, all.
 * @param {Tile[]} tiles
 * @param {string} name
 */
export function only(tiles, name) {
  const part = parts.find((one) => one.name === name);
  if (!part) return tiles;
  const { has, since = () => 0 } = part;
  return tiles.filter(has).sort((a, b) => since(a) - since(b));
}

/** @param {{tiles: Tile[], shown: string, onShow: (name: string) => void}} props */
export function Summary({ tiles, shown, onShow }) {
  const counted = parts.map((part) => ({ ...part, n: tiles.filter(part.has).length }));
  return html`<div class="summary" role="group" aria-label="Show only">
    ${counted.map(({ name, icon, text, n }) => html`
      <button type="button" key=${name} class=${`count is-${name.split(" ")[0]}`} aria-pressed=${name === shown}
        disabled=${n === 0 && name !== shown} onClick=${() => onShow(name === shown ? "" : name)}>
        ${icon && html`<${Icon} name=${icon} />`}<b>${n}</b>${" "}${text(n)}
      </button>`)}
  </div>`;
}
