// Long lists, of which the page has only the visible rows.

import { useEffect, useLayoutEffect, useRef, useState } from "../library/preact.js";

const BEYOND = 8; // rows above and below the visible ones

/**
 * Returns which rows of a list are visible. The CSS property --line sets their height.
 * @param {number} rows
 * @param {number} anchor  the row that stays in place when the row height changes; -1: the first
 */
export function useWindow(rows, anchor) {
  const scroller = useRef(/** @type {HTMLElement|null} */ (null));
  const [seen, setSeen] = useState({ top: 0, height: 800, line: 34 });
  const { top, height, line } = seen;

  useLayoutEffect(() => {
    const element = /** @type {HTMLElement} */ (scroller.current);
    const look = () => {
      const now = {
        top: element.scrollTop, height: element.clientHeight,
        line: parseFloat(getComputedStyle(element).getPropertyValue("--line")),
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

  const before = useRef(line);
  useLayoutEffect(() => {
    /** @type {HTMLElement} */ (scroller.current).scrollTop += Math.max(0, anchor) * (line - before.current);
    before.current = line;
  }, [line]);

  // A list that became shorter scrolls up, but the browser reports that too late.
  useEffect(() => {
    const element = scroller.current;
    if (element && element.scrollTop !== seen.top) setSeen({ ...seen, top: element.scrollTop });
  }, [rows]);

  return {
    scroller,
    line,
    atTop: top < line,
    first: Math.max(0, Math.floor(top / line) - BEYOND),
    last: Math.min(rows, Math.ceil((top + height) / line) + BEYOND),
    /** Scrolls to a row: as little as possible, or to the middle if it is far. @param {number} row */
    show(row) {
      const element = scroller.current;
      if (!element || row < 0) return;
      const { scrollTop, clientHeight } = element;
      const at = row * line;
      const over = Math.min(at - scrollTop, 0) || Math.max(at + line - scrollTop - clientHeight, 0);
      element.scrollTop = Math.abs(over) > line ? at - clientHeight / 2 : scrollTop + over;
    },
    toTop() {
      if (scroller.current) scroller.current.scrollTop = 0;
    },
  };
}
