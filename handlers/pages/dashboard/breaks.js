// Says which clients a sunset or a brown-out breaks.

import { html } from "../library/preact.js";
import { moment, plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { instant } from "../shell/sunset.js";
import { about, dated, nameOf, percent } from "./passed.js";

/** @typedef {import("../shell/types.js").Operation} Operation */

/**
 * @param {object} props
 * @param {Operation[]} props.operations
 * @param {import("../shell/types.js").Use[]|undefined} props.uses  undefined: not read yet
 * @param {number} props.now
 * @param {string} props.word  for now
 */
export function Breaks({ operations, uses, now, word }) {
  const found = uses ? breaks(operations, uses, now, word) : [];
  const [would, are] = [true, false].map((is) => found.filter(({ look }) => (look === "if") === is));
  const ids = would.map(({ operationId }) => operationId);
  return html`<figcaption>
    ${are.map(one)}
    ${would.length < 2 ? would.map(one) : html`<details>
      <summary>${about(ids, "would break clients if their sunsets were enforced.")}</summary>
      ${would.map(one)}
    </details>`}
  </figcaption>`;
}

/** @param {ReturnType<typeof breaks>[number]} found */
const one = ({ operationId, text, look }) => html`
  <p key=${operationId} class=${`breaks ${look}`}><${Icon} name="flag" /><span>${dated(text)}</span></p>`;

const LOOKS = ["now", "then", "if"];

const NAMED = 4; // clients in a sentence; the table of the callers has all

const numbers = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/**
 * Returns which clients break at which sunset, such as “On 2030-12-31 the sunset of getPet breaks two clients:
 * shop-web (41 calls), node (2)”, and whose calls a brown-out refuses: the worst first, then the earliest.
 * @param {Operation[]} operations
 * @param {import("../shell/types.js").Use[]} uses
 * @param {number} now
 * @param {string} [word]  for now
 * @returns {{operationId: string, text: string, look: "if"|"then"|"now"}[]}  look: "if" the sunset were enforced
 */
export function breaks(operations, uses, now, word = "now") {
  const ending = operations.filter(({ sunset, brownout }) => brownout > 0 || !Number.isNaN(instant(sunset)));
  ending.sort((a, b) => (instant(a.sunset) || Infinity) - (instant(b.sunset) || Infinity) || 0);
  /** @type {{operationId: string, text: string, look: "if"|"then"|"now"}[]} */
  const found = ending.flatMap(({ operationId, deprecatedSince, sunset, enforceSunset, brownout, calls: all }) => {
    /** @type {Map<string, number>} */
    const calls = new Map();
    for (const use of uses) {
      if (use.operationId !== operationId) continue;
      const name = nameOf(use);
      calls.set(name, (calls.get(name) ?? 0) + use.count);
    }
    const end = instant(sunset);
    const past = end <= now;
    const early = now < instant(deprecatedSince);
    const is = !enforceSunset ? "if" : past ? "now" : "then";
    const date = Number.isNaN(end) ? "" : moment(end);
    if (calls.size === 0) {
      const then = { if: "would break", now: `break ${word}`, then: `break on ${date}` }[is];
      const text = `${operationId} had ${plural(all, "call")} by clients that are not known any more. They ${then}.`;
      return all > 0 ? [{ operationId, text, look: is }] : [];
    }
    const named = [...calls].sort((a, b) => b[1] - a[1])
      .map(([name, n], i) => `${name} (${i === 0 ? plural(n, "call") : n})`);
    const more = named.length > NAMED + 1 ? [`${named.splice(NAMED).length} more`] : [];
    const who = [named.join(", "), ...more].join(" and ");
    const clients = `${numbers[calls.size] ?? calls.size} ${calls.size === 1 ? "client" : "clients"}`;
    const then = !date || brownout === 1 && is === "if" && !early ? ""
      : !enforceSunset
      ? `If the sunset of ${operationId} were enforced, ${clients} would break ${past ? word : `on ${date}`}`
      : past ? `${operationId} answers 410 ${word}. Its callers so far`
      : `On ${date} the sunset of ${operationId} breaks ${clients}`;
    const browned = brownout > 0 && is !== "now" && !early;
    const already = browned && `${operationId} answers ${percent(brownout)} of its calls with 410 ${word}`;
    if (!already && !then) return [];
    const text = `${[already, then].filter(Boolean).join(". ")}: ${who}.`;
    return [{ operationId, text, look: !browned ? is : brownout < 1 ? "then" : "now" }];
  });
  return found.sort((a, b) => LOOKS.indexOf(a.look) - LOOKS.indexOf(b.look));
}
