// How large everything on the wall is. From a width on, it grows with the window, as a slide does: the last row of
// seats can read it.

import { useEffect, useLayoutEffect, useState } from "../library/preact.js";

const PHONE = 640; // px; up to here, the tiles stand one below the other
const NARROW = 1180; // px; up to here, the counts take another row
const SLIDE = 1280; // px; from here on, all grows
// least: the width beside many; tall: the height where there is room; one: that in a single row
const TILE = { width: 224, least: 200, height: 145, tall: 200, one: 280 }; // px
const ROWS = { least: 3, most: 5 }; // that have room in the window
const INVITATION = 254; // px that how to join takes up below a single row of tiles
const COLUMNS = 5; // at most, while all tiles have room
const LEAST = 3; // columns, where a filter shows few tiles
const GAP = 8; // px
const EDGES = 32; // px at the left and right
const SIDE = 380; // px of a drawer
const HEAD = 186; // px above the tiles
const BRIEF = 36; // px less where the strip of those who need the teacher has one line
const ROW = 36; // px

/** How many rows of tiles are to have room in the window. @param {number} tiles */
const rowsFor = (tiles) => Math.max(ROWS.least, Math.min(ROWS.most, Math.ceil(tiles / columnsFor(tiles))));

/**
 * The window, in px of the page, and how many px of the window each of them is: fewer where more tiles have to fit.
 * @param {number} tiles
 */
export function pageSize(tiles) {
  const high = innerHeight / (HEAD + rowsFor(tiles) * (TILE.height + GAP));
  const wide = innerWidth / (EDGES + columnsFor(tiles) * (TILE.least + GAP));
  const scale = Math.max(1, Math.min(innerWidth / SLIDE, high, wide));
  return { scale, width: innerWidth / scale, height: innerHeight / scale };
}

/**
 * How many tiles stand in a row. The window decides, so that nobody who joins moves one to another column, until there
 * are more than have room with so few columns.
 * @param {number} tiles
 */
export function columnsFor(tiles) {
  if (innerWidth <= PHONE) return 1;
  return Math.min(tiles > COLUMNS * ROWS.most ? tiles : COLUMNS, Math.floor((innerWidth - EDGES) / (TILE.width + GAP)));
}

/** Whether the tiles leave room for how to join: they are one row, which is taller. @param {number} tiles */
export const hasInvitation = (tiles) => tiles <= columnsFor(tiles);

/**
 * How many tiles stand in a row, and how tall each is, in px. Beside a drawer, fewer of them stand in a row, so that
 * each is whole and as tall as before. Where a filter leaves few rows, the tiles have their room.
 * @param {number} tiles
 * @param {number} shown  by the filter
 * @param {boolean} beside  a drawer
 */
export function tileSizes(tiles, shown, beside) {
  const { width, height } = pageSize(tiles);
  const isPart = shown < tiles;
  const columns = Math.min(columnsFor(tiles), isPart ? Math.max(LEAST, Math.min(shown, columnsFor(shown))) : Infinity);
  const head = HEAD - (hasInvitation(tiles) ? BRIEF : 0);
  const room = height - head - (innerWidth > PHONE && innerWidth <= NARROW ? ROW : 0);
  const rows = Math.max(1, Math.min(rowsFor(tiles), Math.floor(room / (TILE.height + GAP))));
  const most = hasInvitation(tiles) ? Math.min(TILE.one + GAP, room - INVITATION)
    : Math.min(TILE.tall + GAP, room / (isPart ? Math.min(rows, Math.ceil(shown / columns)) : rows));
  const left = Math.floor((width - EDGES - SIDE) / (TILE.width + GAP));
  return {
    "--columns": beside ? Math.max(1, Math.min(columns, left)) : columns,
    "--tall": Math.max(TILE.height, Math.floor(most) - GAP),
  };
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
