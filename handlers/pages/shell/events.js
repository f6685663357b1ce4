// Listeners that get the value of a control instead of an event.

/**
 * Returns a listener that passes the value of a field to take.
 * @param {(text: string) => void} take
 */
export const typed = (take) => (/** @type {Event} */ event) =>
  take(/** @type {HTMLInputElement} */ (event.target).value);

/**
 * Returns a listener that passes to take whether a box is checked.
 * @param {(on: boolean) => void} take
 */
export const checked = (take) => (/** @type {Event} */ event) =>
  take(/** @type {HTMLInputElement} */ (event.target).checked);
