// The lifecycles of operations, and which sunset comes next.

/** @typedef {import("./types.js").Operation} Operation */

export const DAY = 86_400_000;
export const END = Date.UTC(9999, 11, 31); // the last day of a clock

/** @param {number} sunset */
export const dayAfter = (sunset) => Math.min(sunset + DAY, END);

/** @param {string|undefined} text @returns {number} */
export const instant = (text) => (text ? Date.parse(text) : NaN);

/** The operations that have a sunset. @param {Operation[]} operations */
export const withSunset = (operations) => operations.filter(({ deprecated, sunset }) => deprecated && sunset);

/**
 * Returns the next sunset, or the last one if all have passed, or undefined if there is none.
 * @param {Operation[]} operations @param {number} now
 */
export function nextSunset(operations, now) {
  const sunsets = withSunset(operations).map(({ sunset }) => instant(sunset)).sort((a, b) => a - b);
  return sunsets.find((t) => t > now) ?? sunsets.at(-1);
}

/** Makes an operation answer 410 after its sunset, or stops that. @param {Operation} operation @param {boolean} on */
export const enforceCall = ({ operationId }, on) => ({
  method: "PATCH", path: `admin/operations/${operationId}`, body: { enforceSunset: on },
});

/** Returns an operation's lifecycle as a body for the API. @param {Operation} operation */
export function lifecycleOf(operation) {
  const { deprecated, deprecatedSince, sunset = "", successor = "", stability, enforceSunset, brownout } = operation;
  const always = { deprecated, stability: stability ?? "stable", enforceSunset };
  return deprecated ? { ...always, deprecatedSince, sunset, successor, brownout } : always;
}
