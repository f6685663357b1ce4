// How large everything on the wall is. From a width on, it grows with the window, as a slide does: the last row of
// seats can read it.

import { useEffect, useLayoutEffect, useState } from "../library/preact.js";

const PHONE = 640; // px; up to here, the tiles stand one below the other
const NARROW = 1180; // px; up to here, the counts take another row
const SLIDE = 1280; // px; from here on, all grows
// least: the width beside many; tall: the height where there is room; one: that in a single row
const TILE = { width: 224, least: 200, height: 145, tall: 216, one: 280 }; // px
const ROWS = { least: 3, most: 5 }; // that have room in the window
const INVITATION = 254; // px that how to join takes up below a single row of tiles
const FEW = 12; // tiles, which fill three rows of fewer columns
const COLUMNS = { few: 4, most: 5 }; // while all tiles have room
const LEAST = 3; // columns, where there are few tiles
const GAP = 8; // px
const EDGES = 36; // px at the left and right
const SIDE = 380; // px that a drawer takes up
const HEAD = 113; // px above the tiles
const STRIP = 73; // px more, of those who need the teacher
const ROW = 36; // px

/** How many rows of tiles are to have room in the window. @param {number} tiles */
const rowsFor = (tiles) => Math.max(ROWS.least, Math.min(ROWS.most, Math.ceil(tiles / columnsFor(tiles))));

/**
 * The window, in px of the page, and how many px of the window each of them is: fewer where more tiles have to fit.
 * @param {number} tiles
 */
export function pageSize(tiles) {
  const high = innerHeight / (headFor(tiles) + rowsFor(tiles) * (TILE.height + GAP));
  const wide = innerWidth / (EDGES + columnsFor(tiles) * (TILE.least + GAP));
  const scale = Math.max(1, Math.min(innerWidth / SLIDE, high, wide));
  return { scale, width: innerWidth / scale, height: innerHeight / scale };
}

/**
 * How many tiles stand in a row. The window decides, so that nobody who joins moves one to another column, until there
 * are more than have room with so few columns. Up to twelve fill three rows.
 * @param {number} tiles
 */
export function columnsFor(tiles) {
  if (innerWidth <= PHONE) return 1;
  const few = Math.min(COLUMNS.few, Math.max(LEAST, tiles));
  const most = tiles <= FEW ? few : tiles <= COLUMNS.most * ROWS.most ? COLUMNS.most : tiles;
  return Math.min(most, Math.floor((innerWidth - EDGES) / (TILE.width + GAP)));
}

/** Whether the tiles leave room for how to join: they are one row, which is taller. @param {number} tiles */
export const hasInvitation = (tiles) => tiles <= columnsFor(tiles);

/** Whether all tiles are in sight, which say themselves who needs the teacher. @param {number} tiles */
export function areInSight(tiles) {
  const rows = Math.ceil(tiles / columnsFor(tiles));
  const tall = HEAD + rows * (TILE.height + GAP);
  return innerWidth > PHONE && (rows <= ROWS.least || (rows <= ROWS.most && tall <= innerHeight));
}

/** The px above the tiles. @param {number} tiles */
const headFor = (tiles) => HEAD + (areInSight(tiles) ? 0 : STRIP);

/**
 * How many tiles stand in a row, and how tall each is, in px. Where a filter leaves few, they fill their rows. Beside a
 * drawer, they are narrower, and fewer stand in a row if they have to.
 * @param {number} tiles
 * @param {number} shown  by the filter
 * @param {boolean} beside  whether a drawer is open
 */
export function tileSizes(tiles, shown, beside) {
  const { height, scale } = pageSize(tiles);
  const isPart = shown < tiles;
  const filled = Math.ceil(shown / Math.ceil(shown / columnsFor(shown)));
  const columns = Math.min(columnsFor(tiles), isPart ? Math.max(LEAST, filled) : Infinity);
  const room = height - headFor(tiles) - (innerWidth > PHONE && innerWidth <= NARROW ? ROW : 0);
  const rows = Math.max(1, Math.min(rowsFor(tiles), Math.floor(room / (TILE.height + GAP))));
  const most = hasInvitation(tiles) ? Math.min(TILE.one + GAP, room - INVITATION)
    : Math.min(TILE.tall + GAP, room / (isPart ? Math.min(rows, Math.ceil(shown / columns)) : rows));
  const left = beside && innerWidth > PHONE ? innerWidth / scale - SIDE - EDGES + GAP : Infinity;
  const fit = Math.max(1, Math.floor(left / (TILE.least + GAP)));
  return { "--columns": Math.min(columns, fit), "--tall": Math.max(TILE.height, Math.floor(most) - GAP) };
}

/** Renders again when the window has another size, and lets the page grow with it. @param {number} tiles */
export function usePageSize(tiles) {
  const [, again] = useState({});
  useEffect(() => {
    const resize = () => again({});
    addEventListener("resize", resize);
    return () => removeEventListener("resize", resize);
  }, []);
  useLayoutEffect(() => document.documentElement.style.setProperty("--scale", String(pageSize(tiles).scale)));
}
