// The lines above the tiles: how many are where, each of which shows those alone, and who needs the teacher now.

import { html } from "../library/preact.js";
import { Icon } from "../shell/icon.js";
import { exercises } from "./exercises.js";
import { called, causeOf, exerciseOf, hasStarted, isStuck, shapeOf } from "./room.js";
import { areInSight, pageSize } from "./size.js";
import { passed, Unbroken } from "./tile.js";

/**
 * @typedef {import("./room.js").Tile} Tile
 *
 * @typedef {object} Part
 * @property {string} name
 * @property {string} label
 * @property {string} [short]  of a stage, of which each attendee is in one: what it is
 * @property {string} [about]  the exercise in words
 * @property {string} [icon]
 * @property {(tile: Tile) => boolean} has
 * @property {(tile: Tile) => number} [since]  when the attendee began to wait (ms)
 */

const isUp = (/** @type {Tile} */ { hand }) => hand > 0;
const isHeldUp = (/** @type {Tile} */ tile) => isStuck(tile) && !isUp(tile);
const isHelped = (/** @type {Tile} */ tile) => tile.coming !== "" && (isUp(tile) || isStuck(tile));

const LATER = 1e13; // ms, more than any time

/** Those who wait before those who have help, hands before others, the longest wait first. @param {Tile} tile */
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

/** What a card is about: one cause, or one attendee who is helped. @param {Tile} tile */
const keyOf = (tile) => (tile.coming ? `@${tile.name}` : causeOf(tile));

/** What a raised hand is about: one question, or one attendee who has not said it. @param {Tile} tile */
const askedOf = ({ name, coming, about }) => (coming || !about ? `@${name}` : `? ${about}`);

export const HELP = "help";
export const REFUSAL = "refusal";

/**
 * The part of a name. Beside those above, there are all who need help, those who had one refusal, and those who are
 * stuck by one cause or have one question.
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
 * The tiles that a part has, those that have waited longest first; of no part, and of one that is empty, all.
 * @param {Tile[]} tiles
 * @param {string} name
 */
export function only(tiles, name) {
  const { has, since: from = () => 0 } = partOf(name);
  const found = tiles.filter(has).sort((a, b) => from(a) - from(b));
  return found.length > 0 ? found : tiles;
}

/** What a part is called that has so many. @param {Part} part  @param {number} n */
const wordsOf = ({ label }, n) => (n === 1 ? label.replace("hands", "hand") : label);

/** Those who wait for the teacher, as the wall counts them. @param {Tile[]} tiles */
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

const WIDTH = 288; // px that one needs
const LEAST = 248; // px, with the gap, if that shows all
const MORE = 72; // px of the button for the others
const SHOW_ALL = "Show all";

/**
 * The tiles with the same key, in the order of their first.
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
 * Those who are stuck, by cause: first what most are stuck at, then the longest wait. Those who have help are last.
 * @param {Tile[]} tiles
 */
const causesOf = (tiles) => grouped(tiles.filter(isStuck).sort((a, b) => a.run.since - b.run.since), keyOf)
  .filter((all) => all.some(isHeldUp))
  .sort(([a, ...others], [b, ...more]) => Number(!!a.coming) - Number(!!b.coming) || more.length - others.length);

/**
 * Who needs the teacher now: raised hands, then what attendees are stuck at. Its place is there when nobody does.
 * @param {object} props
 * @param {Tile[]} props.tiles
 * @param {string} props.shown  the part that alone is shown
 * @param {string} props.side  what is open, as the wall names it
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
      sent: !isHand && shared(all, requestOf),
      why: isHand ? one.about || (isStuck(one) ? reasonOf(one) : "no question") : shared(all, reasonOf),
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

/** The last request of an attendee who is stuck. @param {Tile} tile */
const lastOf = ({ run, recent }) => run.request ?? recent[0];

/** That request in words. @param {Tile} tile */
function requestOf(tile) {
  const { status, method, path } = lastOf(tile);
  return `${status || "cut"} ${method} ${path}`;
}

/**
 * What the tiles say of one cause, without the ids by which they differ.
 * @param {Tile[]} tiles
 * @param {(tile: Tile) => string} text
 */
function shared(tiles, text) {
  const [status, ...rest] = text(tiles[0]).split(" ");
  return new Set(tiles.map(text)).size === 1 ? text(tiles[0]) : `${status} ${shapeOf(rest.join(" "))}`;
}

const NAMED = 2; // attendees
const LETTER = 7.5; // px of one of a name
const AROUND = 92; // px of a card's edges, icon, gaps and age

/** The first name of an attendee. @param {Tile} tile */
const firstOf = ({ title }) => title.trim().split(/\s/)[0];

/**
 * The names of those with one cause: as many as have room, at least two, by their first names if these tell who it is.
 * @param {{of: Tile[], tiles: Tile[], room: number}} props  tiles: all of the wall; room: px
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

/** @param {Tile} tile */
const reasonOf = ({ run }) => run.reason || "The connection was cut.";
