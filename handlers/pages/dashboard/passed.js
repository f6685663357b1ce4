// What moving the clock does, in words: the dates that it passes.

import { html } from "../library/preact.js";
import { capital, moment, plural, short } from "../shell/format.js";
import { instant } from "../shell/sunset.js";

/** @typedef {import("../shell/types.js").Operation} Operation */

/** @type {Record<string, string>} */
const PLURAL = { is: "are", has: "have", does: "do", answers: "answer", its: "their" };

/**
 * Puts a text such as “getPet is” in the plural if it is about several operations.
 * @param {string[]} ids
 * @param {string} text
 * @param {number} [most]  names
 */
export const about = (ids, text, most = 3) => {
  const names = ids.length > most ? plural(ids.length, "operation")
    : [ids.slice(0, -1).join(", "), ids.at(-1)].filter(Boolean).join(" and ");
  return `${names} ${ids.length > 1 ? text.replace(/\b(is|has|does|answers|its)\b/g, (word) => PLURAL[word]) : text}`;
};

/**
 * Returns the changes between two instants in words, a sentence for each kind of change, in their order.
 * @param {Operation[]} operations
 * @param {number} from
 * @param {number} to
 * @returns {{text: string, gone: boolean}[]}  gone: by which operations answer 410, or no longer
 */
export function passed(operations, from, to) {
  const back = to < from;
  const found = operations.flatMap(({ operationId: id, deprecatedSince, sunset, enforceSunset, brownout }) => {
    const still = brownout > 0 ? "; brown-outs continue" : "";
    const then = enforceSunset ? "answers 410" : `is past its sunset${still || ", and still answers: not enforced"}`;
    const not = enforceSunset && !still ? "does not answer 410" : `has not had its sunset${still}`;
    return [
      {
        id, at: instant(deprecatedSince),
        kind: back ? "is not deprecated" : `is deprecated${still && "; brown-outs begin"}`,
      },
      { id, at: instant(sunset), kind: back ? not : then },
    ];
  }).filter(({ at }) => Math.min(from, to) < at && at <= Math.max(from, to));
  found.sort((a, b) => (back ? b.at - a.at : a.at - b.at));
  return [...new Set(found.map(({ kind }) => kind))].map((kind) => {
    const changes = found.filter((one) => one.kind === kind);
    const dates = [...new Set(changes.map(({ at }) => at))].map((date, i) => {
      const ids = changes.filter(({ at }) => at === date).map(({ id }) => id);
      return `${back ? "before" : "from"} ${moment(date)} ${about(ids, i === 0 ? kind : "").trim()}`;
    });
    return { text: `${capital(dates.join("; "))}.`, gone: kind.includes("410") };
  });
}

/** The name of a client that sends none. */
export const NAMELESS = "without a User-Agent";

/** @param {import("../shell/types.js").Use} use */
export const nameOf = ({ clientName, userAgent }) => short(clientName || userAgent || NAMELESS);

/** @param {number} share */
export const percent = (share) => `${+(share * 100).toFixed(1)} %`;

/** Keeps the dates of a text from breaking over two lines. @param {string} text */
export const dated = (text) => text.split(/((?:sunset )?\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d)?)?)/)
  .map((part, i) => (i % 2 ? html`<span class="keep">${part}</span>` : part));
