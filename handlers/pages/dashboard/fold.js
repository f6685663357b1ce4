// Makes rows of the requests: folds preflights into their requests, and adds a divider where the clock was changed.

/** @typedef {import("../shell/types.js").Entry} Entry */
/** @typedef {{entry: Entry, preflights: Entry[], key: number}} RequestRow */
/** @typedef {{entry?: undefined, divider: string, key: string}} Divider */

const NEAR = 50; // how many requests to search for the one of a preflight

/** Returns the method that a preflight asks for, or "". @param {Entry} entry */
const asksFor = ({ method, headers }) => (method === "OPTIONS" && headers["Access-Control-Request-Method"]) || "";

/**
 * Returns the requests with the preflights of each.
 * @param {Entry[]} entries  newest first
 * @returns {RequestRow[]}
 */
export function folded(entries) {
  /** @type {RequestRow[]} */
  const rows = [];
  for (const entry of entries) {
    const method = asksFor(entry);
    const of = method && rows.slice(-NEAR).reverse().find(({ entry: other, preflights }) =>
      other.method === method && other.path === entry.path && other.client === entry.client && preflights.length === 0);
    if (of) of.preflights.push(entry);
    else rows.push({ entry, preflights: [], key: entry.id });
  }
  return rows;
}

const DRIFT = 1500; // ms by which an unchanged clock can seem to differ

/** Returns how far the sandbox's clock was ahead of the machine's. @param {Entry} entry */
const ahead = ({ time, receivedAt }) => Date.parse(time) - Date.parse(receivedAt ?? time);

/** Whether the sandbox's clock showed the machine's time. @param {Entry} entry */
export const isReal = (entry) => Math.abs(ahead(entry)) < DRIFT;

/**
 * Returns the rows with a divider wherever the clock of the sandbox was changed between two of them.
 * @param {RequestRow[]} rows  newest first
 * @returns {(RequestRow|Divider)[]}
 */
export function divided(rows) {
  return rows.flatMap((row, i) => {
    const older = rows[i + 1]?.entry;
    if (!older || older.time === row.entry.time || Math.abs(ahead(row.entry) - ahead(older)) < DRIFT) return [row];
    const now = new Date(row.entry.time).toISOString();
    const text = isReal(row.entry)
      ? "clock set back to the machine's time"
      : `clock at ${now.slice(0, 10)} ${now.slice(11, 16)}`;
    return [row, { divider: text, key: `before ${row.key}` }];
  });
}
