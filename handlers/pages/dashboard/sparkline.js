// A small picture of how many there were when.

import { html } from "../library/preact.js";

const POINTS = 24;
const HIGH = 16; // px

/**
 * Returns how many of the times are in each of the equal parts of a span.
 * @param {number[]} times
 * @param {number} first
 * @param {number} last
 */
export function countsOf(times, first, last) {
  const counts = new Array(POINTS).fill(0);
  for (const at of times) {
    const part = last > first ? Math.floor((POINTS * (at - first)) / (last - first)) : POINTS - 1;
    counts[Math.max(0, Math.min(POINTS - 1, part))] += 1;
  }
  return counts;
}

/** @param {{times: number[], first: number, last: number}} props */
export function Sparkline({ times, first, last }) {
  const counts = countsOf(times, first, last);
  const highest = Math.max(...counts);
  const bar = (/** @type {number} */ n, /** @type {number} */ i) => {
    const height = Math.max(2, (HIGH * n) / highest);
    return n > 0 && html`<rect key=${i} x=${i * 4} width="3" y=${HIGH - height} height=${height} />`;
  };
  return html`<svg class="sparkline" viewBox=${`0 0 ${POINTS * 4} ${HIGH}`}
      aria-hidden="true">${counts.map(bar)}</svg>`;
}
