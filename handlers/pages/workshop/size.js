// The size of everything on the wall. From a certain width on, it grows with the window, like a slide, so that the last
// row of seats can read it.

import { useEffect, useLayoutEffect, useState } from "../library/preact.js";

const PHONE = 640; // px; up to here, the tiles stand one below the other
const NARROW = 1180; // px; up to here, the counts need another row
const SLIDE = 1280; // px; from here on, everything grows with the window
// least: the width among many; tall: the height if there is room; one: the height in a single row
const TILE = { width: 224, least: 200, height: 145, tall: 216, one: 280 }; // px
const ROWS = { least: 3, most: 5 }; // that fit in the window
const INVITATION = 254; // px; the height of the invitation below a single row of tiles
const FEW = 12; // tiles, which fill three rows of fewer columns
const COLUMNS = { few: 4, most: 5 }; // as long as all tiles fit
const LEAST = 3; // columns of few tiles
const GAP = 8; // px
const EDGES = 36; // px at the left and right
const SIDE = 380; // px; the width of a drawer
const HEAD = 113; // px above the tiles
const STRIP = 73; // px more, for the cards of those who need the teacher
const ROW = 36; // px
const BAR = { one: 54, two: 86 }; // px; the bar of acts, in one or two rows

/** Returns how many rows of tiles should fit in the window. @param {number} tiles */
const rowsFor = (tiles) => Math.max(ROWS.least, Math.min(ROWS.most, Math.ceil(tiles / columnsFor(tiles))));

/**
 * Returns the window's size in px of the page, and the scale of such a px: smaller if more tiles have to fit.
 * @param {number} tiles
 */
export function pageSize(tiles) {
  const high = innerHeight / (headFor(tiles) + rowsFor(tiles) * (TILE.height + GAP));
  const wide = innerWidth / (EDGES + columnsFor(tiles) * (TILE.least + GAP));
  const scale = Math.max(1, Math.min(innerWidth / SLIDE, high, wide));
  return { scale, width: innerWidth / scale, height: innerHeight / scale };
}

/**
 * Returns how many tiles are in a row. The window decides, so that a newcomer moves no tile to another column until the
 * columns are full. Up to twelve tiles fill three rows.
 * @param {number} tiles
 */
export function columnsFor(tiles) {
  if (innerWidth <= PHONE) return 1;
  const few = Math.min(COLUMNS.few, Math.max(LEAST, tiles));
  const most = tiles <= FEW ? few : tiles <= COLUMNS.most * ROWS.most ? COLUMNS.most : tiles;
  return Math.min(most, Math.floor((innerWidth - EDGES) / (TILE.width + GAP)));
}

/** Whether the tiles leave room for the invitation: they are one row, which is taller. @param {number} tiles */
export const hasInvitation = (tiles) => tiles <= columnsFor(tiles);

/** Whether all tiles are in sight. They then show by themselves who needs the teacher. @param {number} tiles */
export function areInSight(tiles) {
  const rows = Math.ceil(tiles / columnsFor(tiles));
  const tall = HEAD + rows * (TILE.height + GAP);
  return innerWidth > PHONE && (rows <= ROWS.least || (rows <= ROWS.most && tall <= innerHeight));
}

/** Returns the px above the tiles. @param {number} tiles */
const headFor = (tiles) => HEAD + (areInSight(tiles) ? 0 : STRIP);

/**
 * Returns how many tiles are in a row, and how tall each is, in px. If a filter leaves few, they fill their rows.
 * Beside a drawer, they are narrower, and fewer are in a row if necessary.
 * @param {number} tiles
 * @param {number} shown  the number that the filter leaves
 * @param {boolean} beside  whether a drawer is open
 */
export function tileSizes(tiles, shown, beside) {
  const { height, scale } = pageSize(tiles);
  const isPart = shown < tiles;
  const filled = Math.ceil(shown / Math.ceil(shown / columnsFor(shown)));
  const columns = Math.min(columnsFor(tiles), isPart ? Math.max(LEAST, filled) : Infinity);
  const room = height - headFor(tiles) - (innerWidth > PHONE && innerWidth <= NARROW ? ROW : 0);
  const rows = Math.max(1, Math.min(rowsFor(tiles), Math.floor(room / (TILE.height + GAP))));
  const free = room - (innerWidth < SLIDE ? BAR.two : BAR.one); // it then covers no tile when all are in sight
  const most = hasInvitation(tiles) ? Math.min(TILE.one + GAP, room - INVITATION)
    : Math.min(TILE.tall + GAP, free / (isPart ? Math.min(rows, Math.ceil(shown / columns)) : rows));
  const left = beside && innerWidth > PHONE ? innerWidth / scale - SIDE - EDGES + GAP : Infinity;
  const fit = Math.max(1, Math.floor(left / (TILE.least + GAP)));
  return { "--columns": Math.min(columns, fit), "--tall": Math.max(TILE.height, Math.floor(most) - GAP) };
}

/** Renders again when the window's size changes, and scales the page with it. @param {number} tiles */
export function usePageSize(tiles) {
  const [, again] = useState({});
  useEffect(() => {
    const resize = () => again({});
    addEventListener("resize", resize);
    return () => removeEventListener("resize", resize);
  }, []);
  useLayoutEffect(() => document.documentElement.style.setProperty("--scale", String(pageSize(tiles).scale)));
}
