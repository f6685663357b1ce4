// Keeps large integers of JSON as they are written, where a number would round them.

const MARK = "\uE000"; // of private use

/** The strings of a JSON text, and its long integers. */
const PARTS = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** Parses JSON. An integer that a number would round becomes a marked string. @param {string} text */
export const exact = (text) => JSON.parse(text.replace(PARTS, (part) =>
  (part.startsWith('"') || Number.isSafeInteger(Number(part)) ? part : `"${MARK}${part}${MARK}"`)));

/** Whether a value has a marked integer. @param {any} value */
export const isLarge = (value) => JSON.stringify(value).includes(MARK);

/** Writes the marked integers of a code as numbers. @param {string} code */
export const digits = (code) => code.replace(new RegExp(`\\\\*["']${MARK}(-?\\d+)${MARK}\\\\*["']`, "g"), "$1");
