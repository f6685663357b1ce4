// Names for new snapshots.

/**
 * Returns the first free name that follows all others of its kind: snapshot-3 after snapshot-2.
 * @param {string[]} names  of the snapshots
 */
export function offered(names) {
  const numbers = names.map((name) => Number(/^snapshot-(\d{1,9})$/.exec(name)?.[1] ?? 0));
  return `snapshot-${Math.max(0, ...numbers) + 1}`;
}

/**
 * Makes a name of a text: "Lesson 2" becomes lesson-2, and "Übung" ubung.
 * @param {string} text
 */
export const nameOf = (text) =>
  text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9._]+/g, "-").replace(/^[^a-z0-9]+/, "").slice(0, 63);
