// The offer to take back what the teacher has done last. It goes with where that was.

/** @typedef {{target: import("./places.js").Target, withdraw: () => void}} Offer  target: where it was done */

/** @type {Offer|undefined} */
let offer;

/** @param {Offer} next  @returns {() => void} what is called when it is taken, or has gone by itself */
export function offered(next) {
  offer = next;
  return () => {
    if (offer === next) offer = undefined;
  };
}

/** Withdraws what was done in stores that are all gone. @param {string[]} there  the others */
export function withdrawGone(there) {
  if (offer && !offer.target.all && !offer.target.names.some((name) => there.includes(name))) offer.withdraw();
}

/** Withdraws it, as at the end of the day. */
export const withdrawAll = () => offer?.withdraw();
