// What controls say, without the events around it.

/**
 * Returns a listener that hands on what was typed or chosen.
 * @param {(text: string) => void} take
 */
export const typed = (take) => (/** @type {Event} */ event) =>
  take(/** @type {HTMLInputElement} */ (event.target).value);

/**
 * Returns a listener that hands on whether a box is checked.
 * @param {(on: boolean) => void} take
 */
export const checked = (take) => (/** @type {Event} */ event) =>
  take(/** @type {HTMLInputElement} */ (event.target).checked);
