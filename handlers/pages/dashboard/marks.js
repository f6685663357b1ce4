// Puts errors beside the lines of a refused body.

/** @typedef {{text: string, wrong: string[], at?: number}} Line  at: the wrong character */
/** @typedef {{field: string, message: string}} Detail */

/** The parts of a JSON pointer (RFC 6901). @param {string} pointer */
const partsOf = (pointer) =>
  pointer.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

/**
 * Returns the line on which each value begins, by its JSON pointer. The JSON text has one value per line.
 * @param {any} value
 */
function linesOf(value) {
  /** @type {Map<string, number>} */
  const lines = new Map();
  let line = 0;
  /** @param {any} one @param {string} pointer */
  const walk = (one, pointer) => {
    lines.set(pointer, line);
    if (typeof one !== "object" || one === null || Object.keys(one).length === 0) return;
    for (const [name, inner] of Object.entries(one)) {
      line += 1;
      walk(inner, `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    }
    line += 1; // the line that closes it
  };
  walk(value, "");
  return lines;
}

/**
 * Returns the lines of a body with their errors, and the errors without a line. The error of a missing member is at the
 * the object that lacks it.
 * @param {string} body
 * @param {Detail[]} details  field: a JSON pointer, or the name of a parameter
 * @param {string} [message]  of a body that is not JSON, with its line and column
 * @returns {{lines: Line[], others: Detail[]}}
 */
export function marked(body, details, message = "") {
  let value;
  try {
    value = JSON.parse(body);
  } catch {
    const [, line, column] = /line (\d+), column (\d+)/.exec(message) ?? [];
    const lines = body.split("\n").map((text, i) => (i + 1 === Number(line)
      ? { text, wrong: [message], at: Number(column) - 1 } : { text, wrong: [] }));
    return { lines, others: details };
  }
  const fresh = (/** @type {string} */ text) => ({ text, wrong: /** @type {string[]} */ ([]) });
  const lines = JSON.stringify(value, null, 2).split("\n").map(fresh);
  const known = linesOf(value);
  const others = [];
  for (const detail of details) {
    const { field } = detail;
    if (field !== "" && !field.startsWith("/")) {
      others.push(detail);
      continue;
    }
    if (known.has(field)) {
      lines[/** @type {number} */ (known.get(field))].wrong.push(detail.message);
      continue;
    }
    const parts = partsOf(field);
    const above = field.slice(0, field.lastIndexOf("/"));
    lines[known.get(above) ?? 0].wrong.push(`${parts.at(-1)} ${detail.message}`);
  }
  return { lines, others };
}

/**
 * Returns where the value of a field is in a JSON text, from and to, or else the end of the text.
 * @param {string} text
 * @param {string} field  a JSON pointer
 */
export function placeOf(text, field) {
  const name = field.split("/").at(-1) ?? "";
  const at = name ? text.indexOf(`${JSON.stringify(name)}:`) : -1;
  if (at < 0) return [text.length, text.length];
  const from = at + JSON.stringify(name).length + 1;
  const value = /^\s*(?:"(?:[^"\\]|\\.)*"|[^,\n}\]]*)/.exec(text.slice(from))?.[0] ?? "";
  return [from + value.length - value.trimStart().length, from + value.length];
}

/** Sorts the errors in the order of the body. @param {Detail[]} details @param {string} body */
export const inOrder = (details, body) =>
  details.toSorted((a, b) => placeOf(body, a.field)[0] - placeOf(body, b.field)[0]);

/** The headers of errors that do not name one. @type {Record<string, string>} */
const of = { unauthorized: "Authorization", unsupported_media_type: "Content-Type" };

/**
 * Returns the header, or else the field, of the first error.
 * @param {import("./journal.js").Problem} [error]
 */
export const headerOf = (error) => of[error?.code ?? ""] ?? error?.details[0]?.field ?? "";
