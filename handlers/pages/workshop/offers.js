// The offer to take back the teacher's last act. It ends with the stores of that act.

/** @typedef {{target: import("./places.js").Target, withdraw: () => void}} Offer  target: the stores of the act */

/** @type {Offer|undefined} */
let offer;

/** @param {Offer} next  @returns {() => void} a function to call when the offer is taken or ends */
export function offered(next) {
  offer = next;
  return () => {
    if (offer === next) offer = undefined;
  };
}

/** Withdraws the offer if all its stores are gone. @param {string[]} there  the remaining stores */
export function withdrawGone(there) {
  if (offer && !offer.target.all && !offer.target.names.some((name) => there.includes(name))) offer.withdraw();
}

/** Withdraws the offer, for example at the end of the day. */
export const withdrawAll = () => offer?.withdraw();
