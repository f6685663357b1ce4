// The lines above the tiles: counts that each filter the tiles, and who needs the teacher now.

import { html } from "../library/preact.js";
import { Icon } from "../shell/icon.js";
import { common } from "./costs.js";
import { exercises } from "./exercises.js";
import { called, exerciseOf, hasStarted, isStuck, shapeOf } from "./room.js";
import { areInSight, pageSize } from "./size.js";
import { passed, Unbroken } from "./tile.js";

/**
 * @typedef {import("./room.js").Tile} Tile
 *
 * @typedef {object} Part
 * @property {string} name
 * @property {string} label
 * @property {string} [short]  the name of a stage, if the part is one; each attendee is in one stage
 * @property {string} [about]  the exercise in words
 * @property {string} [icon]
 * @property {(tile: Tile) => boolean} has
 * @property {(tile: Tile) => number} [since]  when the attendee began to wait (ms)
 */

const isUp = (/** @type {Tile} */ { hand }) => hand > 0;
const isHeldUp = (/** @type {Tile} */ tile) => isStuck(tile) && !isUp(tile);
const isHelped = (/** @type {Tile} */ tile) => tile.coming !== "" && (isUp(tile) || isStuck(tile));

const LATER = 1e13; // ms, more than any time

/** Sorts: those without help first, then hands before others, then the longest wait. @param {Tile} tile */
const since = (tile) =>
  (tile.coming ? 2 * LATER : 0) + (isUp(tile) ? tile.hand : LATER + tile.run.since);

/** @type {Part[]} */
const parts = [
  { name: "hands", label: "hands up", icon: "hand", has: (tile) => isUp(tile) && !tile.coming, since },
  {
    name: "stuck", label: "stuck", icon: "alert", has: (tile) => isStuck(tile) && !tile.coming,
    since: ({ run }) => run.since,
  },
  { name: "helped", label: "being helped", icon: "people", has: isHelped, since },
  { name: "new", label: "not started", short: "Not started", has: (tile) => !hasStarted(tile) },
  ...exercises.map(({ short, text }, i) => ({
    name: `exercise ${i + 1}`,
    label: `on exercise ${i + 1}`,
    short,
    about: text,
    has: (/** @type {Tile} */ tile) => hasStarted(tile) && exerciseOf(tile) === i + 1,
  })),
  { name: "done", label: "done", short: "Done", has: (tile) => exerciseOf(tile) === 0 },
];

/** Returns the key of a card: a cause, or an attendee who is being helped. @param {Tile} tile */
const keyOf = (tile) => (tile.coming ? `@${tile.name}` : tile.run.cause);

/** Returns the key of a hand's card: a question, or an attendee with help or without a question. @param {Tile} tile */
const askedOf = ({ name, coming, about }) => (coming || !about ? `@${name}` : `? ${about}`);

export const HELP = "help";
export const REFUSAL = "refusal";

/**
 * Returns the part with a name. There are also parts of all who need help, of those with one refusal, of those stuck by
 * one cause, and of those with one question.
 * @param {string} name
 */
export const partOf = (name) => [
  ...parts,
  { name: HELP, label: "who need you", has: (/** @type {Tile} */ tile) => isUp(tile) || isStuck(tile), since },
  { name: REFUSAL, label: "with this refusal", has: () => true, since },
].find((part) => part.name === name) ?? {
  label: name.startsWith("?") ? "with this question" : "with this error",
  has: (/** @type {Tile} */ tile) =>
    (isUp(tile) && askedOf(tile) === name) || (isStuck(tile) && keyOf(tile) === name),
  since,
};

/**
 * Returns the tiles of a part, the longest wait first. Without a part, or if it is empty, returns all tiles.
 * @param {Tile[]} tiles
 * @param {string} name
 */
export function only(tiles, name) {
  const { has, since: from = () => 0 } = partOf(name);
  const found = tiles.filter(has).sort((a, b) => from(a) - from(b));
  return found.length > 0 ? found : tiles;
}

/** Returns the label of a part with n tiles. @param {Part} part  @param {number} n */
const wordsOf = ({ label }, n) => (n === 1 ? label.replace("hands", "hand") : label);

/** Returns those who wait for the teacher, as the wall counts them. @param {Tile[]} tiles */
export const waitersOf = (tiles) => parts.filter((part) => part.since).map((part) => {
  const those = tiles.filter(part.has);
  return { those, what: `${those.length} ${wordsOf(part, those.length)}` };
}).filter(({ those }) => those.length > 0);

/** @param {{tiles: Tile[], shown: string, onShow: (name: string) => void}} props */
export function Summary({ tiles, shown, onShow }) {
  const count = (/** @type {Part} */ part) => {
    const { name, icon, short, has, about } = part;
    const n = tiles.filter(has).length;
    const text = wordsOf(part, n);
    return html`
      <button type="button" key=${name} class=${`count is-${name.split(" ")[0]}`} aria-pressed=${name === shown}
        title=${about ? `${n} ${text}: ${about}` : `${n} ${text}`} disabled=${n === 0}
        onClick=${() => onShow(name === shown ? "" : name)}>
        ${icon && html`<${Icon} name=${icon} />`}${short} <b>${n}</b>${" "}
        ${!short && html`<span class="word">${text}</span>`}
      </button>`;
  };
  return html`<div class="summary" role="group" aria-label="Show only">
    ${parts.filter(({ short }) => !short).map(count)}
    <span class="path"><span class="note">Exercises</span>${parts.filter(({ short }) => short).map(count)}</span>
  </div>`;
}

const WIDTH = 288; // px that a card needs
const LEAST = 248; // px with the gap, if all cards then fit
const MORE = 72; // px; the width of the button for the others
const SHOW_ALL = "Show all";

/**
 * Groups the tiles by key, in the order of each group's first tile.
 * @param {Tile[]} tiles
 * @param {(tile: Tile) => string} key
 */
function grouped(tiles, key) {
  /** @type {Map<string, Tile[]>} */
  const groups = new Map();
  for (const tile of tiles) groups.set(key(tile), [...groups.get(key(tile)) ?? [], tile]);
  return [...groups.values()];
}

/**
 * Groups the stuck attendees by cause: the largest group first, then the longest wait, and those with help last.
 * @param {Tile[]} tiles
 */
const causesOf = (tiles) => grouped(tiles.filter(isStuck).sort((a, b) => a.run.since - b.run.since), keyOf)
  .filter((all) => all.some(isHeldUp))
  .sort(([a, ...others], [b, ...more]) => Number(!!a.coming) - Number(!!b.coming) || more.length - others.length);

/**
 * Shows who needs the teacher now: raised hands, then stuck attendees. Its place stays when nobody does.
 * @param {object} props
 * @param {Tile[]} props.tiles
 * @param {string} props.shown  the part that the tiles are filtered by
 * @param {string} props.side  the open drawer, as the wall names it
 * @param {(name: string) => void} props.onShow
 * @param {(name: string, among: string[]) => void} props.onOpen  among: all who need the teacher
 */
export function Needs({ tiles, shown, side, onShow, onOpen }) {
  const waiting = grouped(tiles.filter(isUp).sort((a, b) => a.hand - b.hand), askedOf);
  const stuck = causesOf(tiles);
  const seen = waiting.filter(([{ coming }]) => coming); // the teacher is on the way
  const unseen = waiting.filter(([{ coming }]) => !coming);
  const among = [...new Set([unseen, stuck, seen].flat(2))].map(({ name }) => name);
  const total = waiting.length + stuck.length;
  const { width: wide } = pageSize(tiles.length);
  const most = Math.floor((wide - 24) / LEAST);
  const room = total <= most ? total : Math.max(1, Math.floor((wide - 24 - MORE) / WIDTH));
  const width = Math.min(wide / 2, (wide - 24 - (total > room ? MORE : 0)) / room);
  const cardOf = (/** @type {Tile[]} */ all, isHand = false) => {
    const [one, ...more] = all;
    const key = isHand ? askedOf(one) : keyOf(one);
    const isOne = more.length === 0;
    return {
      key,
      opens: isOne ? `@${one.name}` : "",
      icon: isHand ? "hand" : "alert",
      coming: one.coming,
      who: html`<${Names} of=${all} tiles=${tiles} room=${width - AROUND} />`,
      age: shown === key ? SHOW_ALL : passed(isHand ? one.hand : one.run.since),
      sent: !isHand && requestOf(all),
      why: isHand ? one.about || (isStuck(one) ? reasonOf([one]) : "no question") : reasonOf(all),
      open: () => (isOne ? onOpen(one.name, among) : onShow(key)),
    };
  };
  const hands = (/** @type {Tile[][]} */ groups) => groups.map((all) => cardOf(all, true));
  const cards = [...hands(unseen), ...stuck.map((all) => cardOf(all)), ...hands(seen)];
  const some = cards.slice(0, room);
  const others = cards.slice(room);
  const isAway = shown !== "" && !parts.some(({ name }) => name === shown) && !some.some(({ key }) => key === shown);
  const look = areInSight(tiles.length) ? "needs in-sight" : "needs";
  return html`<div class=${look} style=${{ "--more": `${MORE}px` }} role="group" aria-label="Who needs you now">
    ${total === 0 && html`
      <p class="note">Nobody needs you now. Raised hands and repeated errors appear here.</p>`}
    ${some.map(({ key, opens, icon, coming, who, age, sent, why, open }) => html`
      <button type="button" key=${key} class=${coming ? "need coming" : `need is-${icon}`}
        aria-pressed=${key === shown || opens === side && side !== ""} title=${why} onClick=${open}>
        <${Icon} name=${icon} />
        <b>${who}</b>
        <span class="age">${age}</span>
        <span class="why">${coming && html`<b>${coming}</b> · `}${sent && html`<span class="wire">${sent}</span> `}
          <${Unbroken} text=${why} /></span>
      </button>`)}
    ${(others.length > 0 || isAway) && html`
      <button type="button" class="need more" aria-pressed=${isAway} title="All who need you"
        onClick=${() => onShow(isAway ? shown : HELP)}>
        ${isAway ? SHOW_ALL : `${among.length} need you`}
      </button>`}
  </div>`;
}

/** Returns the last request of a stuck attendee. @param {Tile} tile */
const lastOf = ({ run, recent }) => run.request ?? recent[0];

/** Describes the last request of stuck attendees with one cause, without ids if they differ. @param {Tile[]} tiles */
function requestOf(tiles) {
  const [{ status, method, path }, ...others] = tiles.map(lastOf);
  return `${status || "cut"} ${method} ${others.every((other) => other.path === path) ? path : shapeOf(path)}`;
}

const NAMED = 2; // attendees
const LETTER = 7.5; // px of a letter of a name
const AROUND = 92; // px of a card's edges, icon, gaps and age

/** Returns the first name of an attendee. @param {Tile} tile */
const firstOf = ({ title }) => title.trim().split(/\s/)[0];

/**
 * The names of those with one cause: as many as fit, at least two if first names suffice to fit and to tell them apart.
 * @param {{of: Tile[], tiles: Tile[], room: number}} props  tiles: all tiles of the wall; room: px
 */
function Names({ of, tiles, room }) {
  const full = of.map(({ name }) => called(name));
  const fits = (/** @type {number} */ n) =>
    (full.slice(0, n).join(", ").length + (n < of.length ? " +9".length : 0)) * LETTER <= room;
  const some = of.slice(0, NAMED);
  const clash = some.some((one) => tiles.some((other) => other !== one && firstOf(other) === firstOf(one)));
  const n = of.map((_, i) => of.length - i).find(fits) ?? 1;
  const names = n < some.length && !clash ? some.map(firstOf) : full.slice(0, n);
  const others = of.length - names.length;
  return html`<bdi>${names.join(", ")}</bdi>${others > 0 && html` <span>+${others}</span>`}`;
}

/** Returns what the reasons of stuck attendees have in common. @param {Tile[]} tiles */
const reasonOf = (tiles) => tiles.map(({ run }) => run.reason || "The connection was cut.").reduce(common);
