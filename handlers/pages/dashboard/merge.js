// What two people have made of one record, field by field.

/** @typedef {import("./nouns.js").Row} Row */
/**
 * @typedef {{name: string, title: string, was: any, theirs: any, mine: any, chosen: "theirs"|"mine", both: boolean}}
 *   Difference  both: whether each has changed it, to another value
 */

/** Whether a field has one value in both. @param {any} a @param {any} b */
export const same = (a, b) => (a ?? "") === (b ?? "");

/**
 * Returns the fields that one of them has changed. Of one that both have, mine is chosen.
 * @param {{name: string, title: string}[]} fields
 * @param {Row} was
 * @param {Row} theirs
 * @param {Row} mine
 * @returns {Difference[]}
 */
export const differences = (fields, was, theirs, mine) => fields
  .filter(({ name }) => !same(was[name], theirs[name]) || !same(was[name], mine[name]))
  .map(({ name, title }) => ({
    name, title, was: was[name], theirs: theirs[name], mine: mine[name],
    chosen: same(was[name], mine[name]) ? "theirs" : "mine",
    both: ![theirs, mine].some((one) => same(was[name], one[name])) && !same(theirs[name], mine[name]),
  }));

/**
 * Returns the record with what is chosen of each field.
 * @param {Row} theirs
 * @param {Difference[]} fields
 * @param {Record<string, "theirs"|"mine">} chosen  by the name of the field; missing: as it is chosen there
 * @returns {Row}
 */
export const merged = (theirs, fields, chosen) => Object.fromEntries([
  ...Object.entries(theirs),
  ...fields.map((field) => [field.name, field[chosen[field.name] ?? field.chosen]]),
]);

/**
 * Returns what a PATCH or a PUT sends of a record: of a PATCH what is different, null for what was emptied and may be
 * missing.
 * @param {{name: string, optional?: boolean}[]} fields
 * @param {Row|null} before  null: it is sent whole
 * @param {Row} values
 * @returns {Row}
 */
export function bodyOf(fields, before, values) {
  /** @type {Row} */
  const body = {};
  for (const { name, optional } of fields) {
    const value = values[name] === "" ? undefined : values[name];
    if (before ? value !== before[name] : value !== undefined) body[name] = value ?? (optional ? null : "");
  }
  return body;
}
