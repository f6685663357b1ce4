// Counts the requests for the strip above the list: per span of time, by the class of their status.

/** @typedef {{at: number, status: number, aside?: boolean}} Request  aside: the search does not find it */
/** @typedef {{from: number, to: number, counts: number[]}} Bucket  counts: by class, as in classes */

/** The classes of the strip, from the bottom up. */
export const classes = ["ok", "4xx", "5xx", "aside"];

/** @param {number} status */
const classOf = (status) => (status === 0 || status >= 500 ? 2 : status >= 400 ? 1 : 0);

/** Widths of a bucket, in ms. */
const widths = [
  100, 250, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000, 6 * 3_600_000, 86_400_000,
];

/**
 * Returns buckets of one width that cover all requests, the oldest first.
 * @param {Request[]} requests  in any order
 * @param {number} most  buckets
 * @param {number} now
 * @returns {Bucket[]}
 */
export function bucketsOf(requests, most, now) {
  if (requests.length === 0) return [];
  let first = Infinity;
  let last = now;
  for (const { at } of requests) {
    first = Math.min(first, at);
    last = Math.max(last, at);
  }
  first = Math.min(first, last - 60_000); // a minute at least
  const width = widths.find((one) => (last - first) / one <= most - 1) ?? Math.ceil((last - first) / (most - 1));
  const begin = Math.floor(first / width) * width;
  const number = Math.floor((last - begin) / width) + 1;
  const buckets = Array.from({ length: number }, (_, i) => ({
    from: begin + i * width, to: begin + (i + 1) * width, counts: classes.map(() => 0),
  }));
  for (const { at, status, aside } of requests) {
    buckets[Math.floor((at - begin) / width)].counts[aside ? 3 : classOf(status)] += 1;
  }
  return buckets;
}

/** Returns the time that the buckets cover, in words. @param {{from: number, to: number}[]} buckets */
export function spanOf(buckets) {
  if (buckets.length === 0) return "";
  const seconds = Math.round((buckets[buckets.length - 1].to - buckets[0].from) / 1000);
  if (seconds < 55) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 2 * 86_400 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}
