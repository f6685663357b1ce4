// The offers to take back what the teacher has done. Each goes with what it would take back.

/** @typedef {import("./places.js").Target} Target */

/** @typedef {"data"|"clock"|"faults"|"lifecycle"|"rules"} Part  of a store; faults: one rule, rules: all */

/**
 * @typedef {object} Offer
 * @property {Part[]} parts  what taking it back changes
 * @property {Target} target  where
 * @property {() => void} withdraw
 */

/** @type {Set<Offer>} */
const offers = new Set();

/** @param {Offer} offer  @returns {() => void} what is called when it is taken, or has gone by itself */
export function offered(offer) {
  offers.add(offer);
  return () => void offers.delete(offer);
}

/** @param {(offer: Offer) => boolean} which */
function withdraw(which) {
  for (const offer of [...offers].filter(which)) {
    offers.delete(offer);
    offer.withdraw();
  }
}

/** @param {Target} a  @param {Target} b */
const meet = (a, b) => a.all || b.all || a.names.some((name) => b.names.includes(name));

/**
 * Withdraws what cannot be taken back any more, since parts of stores there are other than it left them.
 * @param {Part[]} parts
 * @param {Target} target
 */
export const withdrawOf = (parts, target) =>
  withdraw((offer) => offer.parts.some((part) => parts.includes(part)) && meet(offer.target, target));

/** Withdraws what was done in stores that are all gone. @param {string[]} there  the others */
export const withdrawGone = (there) =>
  withdraw(({ target }) => !target.all && !target.names.some((name) => there.includes(name)));

/** Withdraws all, as at the end of the day. */
export const withdrawAll = () => withdraw(() => true);
