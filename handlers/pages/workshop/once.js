// Adds a fault rule only to stores that do not have it.

import { forEach, read, rowsOf, run } from "./places.js";

/** @typedef {import("./places.js").Target} Target */
/** @typedef {(rule: import("../shell/types.js").Rule) => boolean} Same  whether a rule is equal to the one to add */

/**
 * Returns where in the target to add a rule.
 * @param {Target} target
 * @param {Same} same
 * @returns {Promise<{where: Target, having: string[]}>}  where: no stores, if all have the rule; having: those in where
 *   that have it nevertheless
 */
export async function placesWithout(target, same) {
  const rows = await rowsOf(target);
  /** @type {string[]} */
  const having = [];
  await forEach(rows.filter(({ faults }) => faults > 0).map(({ name }) => name), async (name) => {
    if ((await read(name, "admin/faults")).some(same)) having.push(name);
  });
  if (target.all && !(await read("default", "admin/template")).rules.some(same)) return { where: target, having };
  const names = rows.map(({ name }) => name).filter((name) => !having.includes(name));
  return { where: { all: false, names }, having: [] };
}

/**
 * Deletes the second copy of the rule in these stores.
 * @param {string[]} names
 * @param {number} id  the id of the rule added last
 */
export const withoutSecond = (names, id) =>
  run({ all: false, names }, () => [{ method: "DELETE", path: `admin/faults/${id}` }]);
