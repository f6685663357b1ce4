// Long lists: the page has only the rows in sight.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "../library/preact.js";

const BEYOND = 8; // rows above and below the visible ones

/** How many of the ascending numbers are at most the limit. @param {number[]} numbers @param {number} limit */
function countUpTo(numbers, limit) {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns which rows of a list are in sight, and where each row begins. The styles --line and --tall say how high
 * rows are.
 * @template T
 * @param {T[]} rows
 * @param {(row: T) => boolean} isTall  the same function while no row changes its height
 * @param {number} anchor  the row that stays where it is when heights change; -1: the first
 */
export function useWindow(rows, isTall, anchor) {
  const scroller = useRef(/** @type {HTMLElement|null} */ (null));
  const [seen, setSeen] = useState({ top: 0, height: 800, line: 34, tall: 34 });
  const { top, height, line, tall } = seen;
  const tops = useMemo(() => {
    const all = [0];
    for (const row of rows) all.push(all[all.length - 1] + (tall !== line && isTall(row) ? tall : line));
    return all;
  }, [rows, isTall, line, tall]);

  useLayoutEffect(() => {
    const element = /** @type {HTMLElement} */ (scroller.current);
    const look = () => {
      const style = getComputedStyle(element);
      const lineNow = parseFloat(style.getPropertyValue("--line"));
      const now = {
        top: element.scrollTop, height: element.clientHeight, line: lineNow,
        tall: parseFloat(style.getPropertyValue("--tall")) || lineNow,
      };
      setSeen((before) => (JSON.stringify(now) === JSON.stringify(before) ? before : now));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);

  const before = useRef({ tops, line, tall, isTall });
  useLayoutEffect(() => {
    const was = before.current;
    before.current = { tops, line, tall, isTall };
    const at = Math.max(0, anchor);
    const same = was.line === line && was.tall === tall && was.isTall === isTall;
    if (same || was.tops.length !== tops.length) return;
    /** @type {HTMLElement} */ (scroller.current).scrollTop += tops[at] - was.tops[at];
  });

  // A list that became shorter ends above where it was scrolled to, and the browser says so too late.
  useEffect(() => {
    const element = scroller.current;
    if (element && element.scrollTop !== seen.top) setSeen({ ...seen, top: element.scrollTop });
  }, [rows.length]);

  return {
    scroller,
    tops,
    tall,
    atTop: top < line,
    first: Math.max(0, countUpTo(tops, top) - 1 - BEYOND),
    last: Math.min(rows.length, countUpTo(tops, top + height) + BEYOND),
    /** Shows a row where it is nearest, or in the middle if it is far. @param {number} row */
    show(row) {
      const element = scroller.current;
      if (!element || row < 0) return;
      const { scrollTop, clientHeight } = element;
      const over = Math.min(tops[row] - scrollTop, 0) || Math.max(tops[row + 1] - scrollTop - clientHeight, 0);
      const isFar = Math.abs(over) > tops[row + 1] - tops[row];
      element.scrollTop = isFar ? tops[row] - clientHeight / 2 : scrollTop + over;
    },
    toTop() {
      if (scroller.current) scroller.current.scrollTop = 0;
    },
  };
}
