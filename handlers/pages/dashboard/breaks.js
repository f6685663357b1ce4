// What moving the clock does, in words: the dates that it passes, and the clients that a sunset breaks.

import { html } from "../library/preact.js";
import { day, plural, short } from "../shell/format.js";
import { instant } from "../shell/sunset.js";

/** @typedef {import("../shell/types.js").Operation} Operation */

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

/** The name of a client that sends none. */
export const NAMELESS = "without a User-Agent";

/** @param {import("../shell/types.js").Use} use */
const nameOf = ({ clientName, userAgent }) => short(clientName || userAgent || NAMELESS);

const numbers = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/**
 * Returns which clients break at which sunset, the earliest first, such as “On 2030-12-31 the sunset of getPet breaks
 * two clients: shop-web (41 calls), node (2)”, and whose calls a brown-out refuses.
 * @param {Operation[]} operations
 * @param {import("../shell/types.js").Use[]} uses
 * @param {number} now
 * @returns {{operationId: string, text: string, look: "if"|"then"|"now"}[]}  look: "if" the sunset were enforced
 */
export function breaks(operations, uses, now) {
  const ending = operations.filter(({ sunset, brownout }) => brownout > 0 || !Number.isNaN(instant(sunset)));
  ending.sort((a, b) => (instant(a.sunset) || Infinity) - (instant(b.sunset) || Infinity) || 0);
  return ending.flatMap(({ operationId, sunset, enforceSunset, brownout, calls: all }) => {
    /** @type {Map<string, number>} */
    const calls = new Map();
    for (const use of uses) {
      if (use.operationId !== operationId) continue;
      const name = nameOf(use);
      calls.set(name, (calls.get(name) ?? 0) + use.count);
    }
    const end = instant(sunset);
    const past = end <= now;
    const is = !enforceSunset ? "if" : past ? "now" : "then";
    const date = Number.isNaN(end) ? "" : day(end);
    if (calls.size === 0) {
      const then = { if: "would break", now: "break now", then: `break on ${date}` }[is];
      const text = `${operationId} had ${plural(all, "call")} by clients that are not known any more. They ${then}.`;
      return all > 0 ? [{ operationId, text, look: is }] : [];
    }
    const who = [...calls].sort((a, b) => b[1] - a[1])
      .map(([name, n], i) => `${name} (${i === 0 ? plural(n, "call") : n})`).join(", ");
    const clients = `${numbers[calls.size] ?? calls.size} ${calls.size === 1 ? "client" : "clients"}`;
    const then = !date ? ""
      : !enforceSunset
      ? `If the sunset of ${operationId} were enforced, ${clients} would break ${past ? "now" : `on ${date}`}`
      : past ? `${operationId} answers 410 now. Its callers so far`
      : `On ${date} the sunset of ${operationId} breaks ${clients}`;
    const browned = brownout > 0 && is !== "now";
    const already = browned && `${operationId} answers ${percent(brownout)} of its calls with 410 now`;
    const text = `${[already, then].filter(Boolean).join(". ")}: ${who}.`;
    return [{ operationId, text, look: browned ? "then" : is }];
  });
}

/**
 * Says how many operations answer 410 at an instant, and how many clients that breaks, or which still answer after
 * their sunset.
 * @param {Operation[]} operations
 * @param {import("../shell/types.js").Use[]|undefined} uses  undefined: not known
 * @param {number} at
 */
export function verdict(operations, uses, at) {
  const ended = operations.filter(({ deprecated, sunset }) => deprecated && instant(sunset) <= at);
  const gone = ended.filter(({ enforceSunset }) => enforceSunset).map(({ operationId }) => operationId);
  if (gone.length === 0) {
    if (ended.length === 0) return "no operation answers 410";
    return ended.length === 1 ? `${ended[0].operationId} still answers` : `${ended.length} operations still answer`;
  }
  const { size } = new Set(uses?.filter((use) => gone.includes(use.operationId)).map(nameOf));
  const broken = uses && `, ${plural(size, "client")} ${size === 1 ? "breaks" : "break"}`;
  return `${plural(gone.length, "operation")} ${gone.length === 1 ? "answers" : "answer"} 410${broken ?? ""}`;
}

/** @param {number} share */
export const percent = (share) => `${+(share * 100).toFixed(1)} %`;

/** Keeps the dates of a text from breaking over two lines. @param {string} text */
export const dated = (text) => text.split(/((?:sunset )?\d{4}-\d\d-\d\d)/)
  .map((part, i) => (i % 2 ? html`<span class="keep">${part}</span>` : part));
