// What a store needs once: where it is there already, it is not done again.

import { forEach, read, rowsOf, run } from "./places.js";

/** @typedef {import("./places.js").Target} Target */
/** @typedef {(rule: import("../shell/types.js").Rule) => boolean} Same  whether a rule is the one to be added */

/**
 * Where in the target a rule is to be added.
 * @param {Target} target
 * @param {Same} same
 * @returns {Promise<{where: Target, having: string[]}>}  where: nowhere, if all have it; having: the stores there that
 *   have it all the same
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
 * Takes the rule away where it is now twice.
 * @param {string[]} names
 * @param {number} id  of the one that was added last
 */
export const withoutSecond = (names, id) =>
  run({ all: false, names }, () => [{ method: "DELETE", path: `admin/faults/${id}` }]);
