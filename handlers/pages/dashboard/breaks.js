// What moving the clock does, in words: the dates that it passes, and the clients that a sunset breaks.

import { html } from "../library/preact.js";
import { day, plural, short } from "../shell/format.js";
import { instant } from "../shell/sunset.js";

/** @typedef {import("../shell/types.js").Operation} Operation */
/** @typedef {import("../shell/types.js").Use} Use */

/**
 * Returns the dates between two instants, in words.
 * @param {Operation[]} operations
 * @param {number} from
 * @param {number} to
 * @returns {{at: number, text: string}[]}
 */
export function passed(operations, from, to) {
  const back = to < from;
  const [first, last] = back ? [to, from] : [from, to];
  const between = (/** @type {number} */ t) => first < t && t <= last;
  const found = [];
  for (const { operationId, deprecatedSince, sunset, enforceSunset, brownout } of operations) {
    const since = instant(deprecatedSince);
    const end = instant(sunset);
    if (between(since)) {
      found.push({ at: since, text: `${operationId} is ${back ? "not " : ""}deprecated` });
    }
    if (between(end)) {
      const still = brownout ? "; brown-outs continue" : "";
      const then = enforceSunset ? "answers 410" : `is past its sunset${still || ", and still answers: not enforced"}`;
      found.push({ at: end, text: `${operationId} ${back ? `has not had its sunset${still}` : then}` });
    }
  }
  return found.sort((a, b) => (back ? b.at - a.at : a.at - b.at));
}

const numbers = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/**
 * Returns which clients break at which sunset, the earliest first, such as “On 2030-12-31 two clients break: shop-web
 * (41 calls), node (2)”.
 * @param {Operation[]} operations
 * @param {Use[]} uses
 * @param {number} now
 * @param {boolean} [moved]  whether now is where the user drags the clock, not the real time
 * @returns {{operationId: string, text: string, look: "if"|"then"|"now"}[]}  look: "if" the sunset were enforced
 */
export function breaks(operations, uses, now, moved = false) {
  const ending = operations.filter(({ sunset }) => !Number.isNaN(instant(sunset)));
  ending.sort((a, b) => instant(a.sunset) - instant(b.sunset));
  return ending.flatMap(({ operationId, sunset, enforceSunset, calls: all }) => {
    /** @type {Map<string, number>} */
    const calls = new Map();
    for (const use of uses) {
      if (use.operationId !== operationId) continue;
      const name = short(use.clientName || "unknown");
      calls.set(name, (calls.get(name) ?? 0) + use.count);
    }
    const past = instant(sunset) <= now;
    const date = day(instant(sunset));
    const look = !enforceSunset ? "if" : past ? "now" : "then";
    if (calls.size === 0) {
      const then = { if: "would break", now: "break now", then: `break on ${date}` }[look];
      const text = `${operationId} had ${plural(all, "call")}, not counted by client. Their clients ${then}.`;
      return all > 0 ? [{ operationId, text, look }] : [];
    }
    const who = [...calls].sort((a, b) => b[1] - a[1])
      .map(([name, n], i) => `${name} (${i === 0 ? plural(n, "call") : n})`).join(", ");
    const one = calls.size === 1;
    const clients = `${numbers[calls.size] ?? calls.size} ${one ? "client" : "clients"}`;
    const then = !enforceSunset
      ? `If the sunset of ${operationId} were enforced, ${clients} would break ${past ? "now" : `on ${date}`}`
      : past && !moved ? `${operationId} answers 410 now. Its callers so far`
      : `On ${date} ${clients} ${one ? "breaks" : "break"}`;
    const text = `${then}: ${who}.`;
    return [{ operationId, text, look }];
  });
}

/** @param {number} share */
export const percent = (share) => `${+(share * 100).toFixed(1)} %`;

/** Keeps the dates of a text from breaking over two lines. @param {string} text */
export const dated = (text) => text.split(/((?:sunset )?\d{4}-\d\d-\d\d)/)
  .map((part, i) => (i % 2 ? html`<span class="keep">${part}</span>` : part));
