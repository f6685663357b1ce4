// Words about operations, their dates and their clients.

import { html } from "../library/preact.js";
import { plural, short } from "../shell/format.js";

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

/** The name of a client that sends none. */
export const NAMELESS = "without a User-Agent";

/** @param {import("../shell/types.js").Use} use */
export const nameOf = ({ clientName, userAgent }) => short(clientName || userAgent || NAMELESS);

/** @param {number} share */
export const percent = (share) => `${+(share * 100).toFixed(1)} %`;

/** Keeps the dates of a text from breaking over two lines. @param {string} text */
export const dated = (text) => text.split(/((?:sunset )?\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d)?)?)/)
  .map((part, i) => (i % 2 ? html`<span class="keep">${part}</span>` : part));
