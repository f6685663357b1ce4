// Long lists, of which the page contains only the visible rows.

import { useEffect, useLayoutEffect, useRef, useState } from "../library/preact.js";

const BEYOND = 8; // rows above and below the visible ones

/**
 * Returns which rows of a list are in sight. All are of one height, which the list's style --line says.
 * @param {number} count  of rows
 * @returns {{scroller: import("../library/preact.js").Ref<HTMLElement|null>, first: number, last: number, line: number, atTop: boolean, show: (row: number) => void, toTop: () => void}}
 */
export function useWindow(count) {
  const scroller = useRef(/** @type {HTMLElement|null} */ (null));
  const [seen, setSeen] = useState({ top: 0, height: 800, line: 34 });

  useLayoutEffect(() => {
    const element = /** @type {HTMLElement} */ (scroller.current);
    const look = () => {
      const line = parseFloat(getComputedStyle(element).getPropertyValue("--line")) || 34;
      setSeen((before) => {
        const now = { top: element.scrollTop, height: element.clientHeight, line };
        return now.top === before.top && now.height === before.height && line === before.line ? before : now;
      });
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

  // A list that became shorter ends above where it was scrolled to, and the browser says so too late.
  useEffect(() => {
    const element = scroller.current;
    if (element && element.scrollTop !== seen.top) setSeen({ ...seen, top: element.scrollTop });
  }, [count]);

  const { top, height, line } = seen;
  return {
    scroller,
    line,
    atTop: top < line,
    first: Math.max(0, Math.floor(top / line) - BEYOND),
    last: Math.min(count, Math.ceil((top + height) / line) + BEYOND),
    show(row) {
      const element = scroller.current;
      if (!element) return;
      if (row * line < element.scrollTop) element.scrollTop = row * line;
      else if ((row + 1) * line > element.scrollTop + element.clientHeight) element.scrollTop = (row + 1) * line - element.clientHeight;
    },
    toTop() {
      if (scroller.current) scroller.current.scrollTop = 0;
    },
  };
}
