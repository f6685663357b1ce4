// What moving the clock does, in words: the dates that it passes, and which operations answer 410.

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
 * @param {string} [noun]  for more operations than these
 */
const about = (ids, text, most = 3, noun = "operation") => {
  const names = ids.length > most ? plural(ids.length, noun)
    : [ids.slice(0, -1).join(", "), ids.at(-1)].filter(Boolean).join(" and ");
  return `${names} ${ids.length > 1 ? text.replace(/\b(is|has|does|answers|its)\b/g, (word) => PLURAL[word]) : text}`;
};

/**
 * Returns the changes between two instants in words, a sentence for each kind of change, what answers 410 first.
 * @param {Operation[]} operations
 * @param {number} from
 * @param {number} to
 * @returns {{text: string, size: number}[]}  size: how many changes
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
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  kinds.sort((a, b) => Number(b.includes("410")) - Number(a.includes("410")));
  return kinds.map((kind) => {
    const changes = found.filter((one) => one.kind === kind);
    const dates = [...new Set(changes.map(({ at }) => at))].map((date, i) => {
      const ids = changes.filter(({ at }) => at === date).map(({ id }) => id);
      return `${back ? "before" : "from"} ${moment(date)} ${about(ids, i === 0 ? kind : "").trim()}`;
    });
    return { text: `${capital(dates.join("; "))}.`, size: changes.length };
  });
}

/** The name of a client that sends none. */
export const NAMELESS = "without a User-Agent";

/** @param {import("../shell/types.js").Use} use */
export const nameOf = ({ clientName, userAgent }) => short(clientName || userAgent || NAMELESS);

/**
 * Says in one line what a move of the clock does: how many operations answer 410 or do no longer, to how many clients.
 * @param {Operation[]} operations
 * @param {import("../shell/types.js").Use[]|undefined} uses  undefined: not known
 * @param {number} now
 * @param {number} to
 */
export function verdict(operations, uses, now, to) {
  const named = (/** @type {Operation[]} */ of) => of.map(({ operationId }) => operationId);
  const ended = (/** @type {number} */ at) =>
    operations.filter(({ deprecated, sunset }) => deprecated && instant(sunset) <= at);
  const gone = (/** @type {number} */ at) => named(ended(at).filter(({ enforceSunset }) => enforceSunset));
  const [before, after] = [gone(now), gone(to)];
  const ids = [...before, ...after].filter((id) => !(before.includes(id) && after.includes(id)));
  if (ids.length > 0) {
    const { size } = new Set(uses?.filter(({ operationId }) => ids.includes(operationId)).map(nameOf));
    const whom = size > 0 ? plural(size, "client") : "";
    const noun = before.some((id) => after.includes(id)) ? "more operation" : undefined;
    return after.length > before.length ? about(ids, `answers 410${whom && ` to ${whom}`}`, 1, noun)
      : about(ids, `answers ${whom && `${whom} `}again`, 1);
  }
  const late = named(ended(to).filter(({ enforceSunset }) => !enforceSunset));
  const browned = operations.find(({ brownout, operationId, deprecatedSince }) =>
    brownout > 0 && !after.includes(operationId) && !(to < instant(deprecatedSince)));
  return browned ? `${browned.operationId} answers ${percent(browned.brownout)} with 410${
    now < instant(browned.deprecatedSince) ? "" : ", as now"}`
    : late.length > 0 ? about(late, "still answers", 1)
    : after.length > 0 ? about(after, "answers 410, as now", 1) : "no operation answers 410";
}

/** @param {number} share */
export const percent = (share) => `${+(share * 100).toFixed(1)} %`;

/** Keeps the dates of a text from breaking over two lines. @param {string} text */
export const dated = (text) => text.split(/((?:sunset )?\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d)?)?)/)
  .map((part, i) => (i % 2 ? html`<span class="keep">${part}</span>` : part));
