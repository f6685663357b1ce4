// Formats values for people. Times are UTC, as in the API.

/** @param {string|number} time  RFC 3339, or ms since 1970 */
export const clockTime = (time) => new Date(time).toISOString().slice(11, 23);

/** @param {string|number|Date} time */
export const day = (time) => new Date(time).toISOString().slice(0, 10);

/** Returns the day, with the time unless it is midnight. @param {string|number} time */
export const moment = (time) => dayAndTime(time).replace(" 00:00:00", "").replace(/( .*):00$/, "$1");

/** @param {string|number|Date} time */
export function dayAndTime(time) {
  const text = new Date(time).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`;
}

/** @param {number} ms */
export function duration(ms) {
  if (ms > 0 && ms < 0.9995) return `${Math.max(1, Math.round(ms * 1000))} µs`;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** @param {number} bytes */
export function size(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** Capitalizes the first letter. @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Shortens a text. @param {string} text @param {number} [most]  characters */
export const short = (text, most = 24) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/**
 * Whether a sandbox's clock differs from the machine's.
 * @param {import("./types.js").Clock} clock
 */
export const isShifted = ({ frozen, offsetSeconds }) => frozen || Math.abs(offsetSeconds) >= 1;

/** The units of a shift, in seconds. @type {[string, number][]} */
const units = [["year", 31_556_952], ["month", 2_629_746], ["day", 86_400], ["h", 3600], ["min", 60], ["s", 1]];

/**
 * Returns how far a clock is from the machine's, such as “4 years 2 months ahead”, or "".
 * @param {number} offset  seconds
 */
export function shift(offset) {
  const exact = Math.round(Math.abs(offset));
  const seconds = exact < 3570 ? exact : Math.round(exact / 60) * 60;
  const said = (/** @type {number} */ i, /** @type {number} */ of) => {
    const [unit, size] = units[i];
    const n = Math.floor(of / size);
    return n && (i < 3 ? ` ${plural(n, unit)}` : ` ${n} ${unit}`);
  };
  const i = units.findIndex(([, size], i) => seconds >= (i === 1 ? 2 * size : size));
  if (i < 0) return "";
  const more = [0, 2, 3].includes(i) && said(i + 1, seconds % units[i][1]); // months differ, and seconds pass
  return `${said(i, seconds)}${more || ""} ${offset < 0 ? "behind" : "ahead"}`.trim();
}

/** @param {number} n */
export const count = (n) => n.toLocaleString("en-US");

/** @param {number} n  @param {string} one  @param {string} [many] */
export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

/** @param {string} time  @param {number} [now] */
export function ago(time, now = Date.now()) {
  const seconds = Math.max(0, Math.round((now - Date.parse(time)) / 1000));
  if (seconds < 1) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return plural(Math.floor(seconds / 86_400), "day") + " ago";
}

/**
 * Returns JSON on several lines, or undefined if the text is not a JSON object or array.
 * @param {string} text
 */
export function pretty(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null ? JSON.stringify(value, null, 2) : undefined;
  } catch {
    return undefined;
  }
}

/** The texts of the statuses that the service and its faults send. @type {Record<number, string>} */
const statusTexts = {
  200: "OK", 201: "Created", 204: "No Content", 304: "Not Modified", 308: "Permanent Redirect",
  400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
  409: "Conflict", 410: "Gone", 412: "Precondition Failed", 413: "Content Too Large", 415: "Unsupported Media Type",
  422: "Unprocessable Content", 429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway",
  503: "Service Unavailable", 504: "Gateway Timeout", 507: "Insufficient Storage",
};

/** @param {number} status */
export const statusText = (status) => (status === 0 ? "broken off" : statusTexts[status] ?? "");

/**
 * Returns the class of a status: 2xx, or broken.
 * @param {number} status
 */
export const statusClass = (status) => (status === 0 ? "broken" : `${Math.floor(status / 100)}xx`);
