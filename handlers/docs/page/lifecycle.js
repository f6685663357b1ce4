// Describes the lifecycle of an operation.

import { addressOf } from "./document.js";

/**
 * @typedef {import("../pages/shell/types.js").Operation} Operation
 * @typedef {{deprecated?: boolean, "x-sunset"?: string, "x-stability"?: string}} Described  an operation of a document
 */

const DAY = 24 * 60 * 60 * 1000;

/** @param {number} days */
const inDays = (days) => (days === 1 ? "1 day" : `${days.toLocaleString("en")} days`);

/** @param {string} date  @param {Date} now */
const daysUntil = (date, now) => Math.ceil((Date.parse(date) - now.getTime()) / DAY);

/**
 * Whether an operation answers 410.
 * @param {Operation} [known]
 * @param {{now: string}} [clock]
 */
export const isGone = (known, clock) => Boolean(known?.deprecated && known.enforceSunset && known.sunset && clock &&
  Date.parse(known.sunset) <= Date.parse(clock.now));

/**
 * Returns the badges of an operation, each with its CSS class.
 * @param {Described} described
 * @param {Operation} [known]
 * @param {import("../pages/shell/types.js").Clock} [clock]
 * @returns {{kind: string, text: string}[]}
 */
export function badges(described, known, clock) {
  const badges = [];
  const stability = known ? known.stability : described["x-stability"];
  if (known ? known.deprecated : described.deprecated) {
    const isPast = known?.sunset && clock && Date.parse(known.sunset) <= Date.parse(clock.now);
    badges.push(isGone(known, clock)
      ? { kind: "gone", text: "gone" }
      : { kind: "deprecated", text: isPast ? "past sunset" : "deprecated" });
  }
  if (stability) badges.push({ kind: stability, text: stability });
  return badges;
}

/**
 * Returns sentences about a deprecated operation; none if it is not deprecated.
 * @param {Described} described
 * @param {Operation|undefined} known  missing: only the document is known
 * @param {Date} now  by the sandbox's clock
 * @param {string} [heard]  a note in the last response, used if only the document is known
 */
export function warnings(described, known, now, heard) {
  if (!(known ? known.deprecated : described.deprecated)) return [];
  const date = described["x-sunset"];
  if (!known && heard) return [`${heard}.`];
  if (!known) return ["Deprecated.", date ? `Sunset on ${date}.` : "No sunset date is set."];
  const gone = isGone(known, { now: now.toISOString() });
  const begun = gone ? `Gone since ${known.sunset}.` : since(known, now);
  return [begun, sunset(known, now), brownout(known)].filter(Boolean);
}

/** @param {Operation} known  @param {Date} now */
function since({ deprecatedSince }, now) {
  if (!deprecatedSince) return "Deprecated.";
  const days = daysUntil(deprecatedSince, now);
  if (days > 0) return `Deprecated from ${deprecatedSince} on, in ${inDays(days)}.`;
  return `Deprecated since ${deprecatedSince}.`;
}

/** @param {Operation} known  @param {Date} now */
function sunset({ sunset, enforceSunset }, now) {
  if (!sunset) return "No sunset date is set.";
  const left = Date.parse(sunset) - now.getTime();
  if (left > 0) {
    const then = enforceSunset ? ". It answers 410 from then on" : "";
    return `Sunset on ${sunset}: ${left < DAY ? "less than a day" : inDays(Math.ceil(left / DAY))} left${then}.`;
  }
  if (enforceSunset) return "It answers 410.";
  const passed = left > -DAY ? `is today, ${sunset}` : `was on ${sunset}, ${inDays(Math.floor(-left / DAY))} ago`;
  return `Its sunset ${passed}. It still answers, because the sunset is not enforced.`;
}

/** @param {Operation} known */
function brownout({ brownout }) {
  if (!(brownout > 0)) return "";
  return `In a brown-out: ${Number((brownout * 100).toPrecision(3))} % of the calls are answered 410.`;
}

/**
 * Returns the address on this page, with parameters, of the operation that reads an address of the server.
 * @param {string} address  below the root of the sandbox
 * @param {Record<string, Record<string, any>>} paths  of the document
 */
export function findReader(address, paths) {
  const [path, query] = address.split("?");
  for (const [template, { get }] of Object.entries(paths)) {
    const given = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`).exec(path);
    if (!given || !get) continue;
    const values = new URLSearchParams(query);
    for (const [name, value] of Object.entries(given.groups ?? {})) values.set(name, decodeURIComponent(value));
    return addressOf({ tag: get.tags[0], id: get.operationId }) + (values.size ? `?${values}` : "");
  }
  return undefined;
}

/**
 * Returns the operation that a successor names, such as listPets for `/pets?id={petId}`.
 * @param {string} successor
 * @param {string} method  of the replaced operation, in lower case
 * @param {Record<string, Record<string, any>>} paths  of the document
 * @returns {{tag: string, id: string}|undefined}
 */
export function findSuccessor(successor, method, paths) {
  const path = successor.split(/[?#]/)[0];
  const item = paths[path] ?? {};
  const found = item[method]?.operationId ? method : Object.keys(item).find((m) => item[m]?.operationId);
  return found ? { tag: item[found].tags[0], id: item[found].operationId } : undefined;
}
