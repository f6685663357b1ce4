// Merges two people's changes of one record, field by field.

/** @typedef {import("./nouns.js").Row} Row */
/**
 * @typedef {{name: string, title: string, was: any, theirs: any, mine: any, chosen: "theirs"|"mine", both: boolean}}
 *   Difference  both: whether both changed it, to different values
 */

/** Whether two values of a field are equal. @param {any} a @param {any} b */
export const same = (a, b) => (a ?? "") === (b ?? "");

/**
 * Returns the fields that either of them has changed. Of a field that both have changed, mine is chosen. A field that I
 * have put back is not mine, unless I chose it in view of theirs.
 * @param {{name: string, title: string}[]} fields
 * @param {Row} was
 * @param {Row} theirs
 * @param {Row} mine
 * @param {Record<string, "theirs"|"mine">} picked  what I chose in view of theirs, by the name of the field
 * @returns {Difference[]}
 */
export const differences = (fields, was, theirs, mine, picked) => fields
  .filter(({ name }) => !same(was[name], theirs[name]) || !same(was[name], mine[name]))
  .map(({ name, title }) => ({
    name, title, was: was[name], theirs: theirs[name], mine: mine[name],
    chosen: picked[name] ?? (same(was[name], mine[name]) ? "theirs" : "mine"),
    both: !same(was[name], theirs[name]) && !same(theirs[name], mine[name])
      && (name in picked || !same(was[name], mine[name])),
  }));

/**
 * Returns the record with the chosen value of each field.
 * @param {Row} theirs
 * @param {Difference[]} fields
 * @returns {Row}
 */
export const merged = (theirs, fields) => Object.fromEntries([
  ...Object.entries(theirs),
  ...fields.map((field) => [field.name, field[field.chosen]]),
]);

/**
 * Returns the body of a PATCH or a PUT. A PATCH has only the fields that differ, with null for an optional field that
 * is now empty.
 * @param {{name: string, optional?: boolean}[]} fields
 * @param {Row|null} before  null: sends all fields
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
