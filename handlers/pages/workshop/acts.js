// What the teacher does in stores. How each is taken back is in back.js.

import { html } from "../library/preact.js";
import { withoutTalk } from "./hand.js";
import { callOf, placesOf } from "./places.js";
import { day } from "../shell/format.js";
import { DAY, nextSunset, withSunset } from "../shell/sunset.js";

/**
 * @typedef {import("./places.js").Step} Step
 * @typedef {import("../shell/types.js").Operation} Operation
 *
 * @typedef {object} Act
 * @property {string} name  of the button
 * @property {string} says  what the button does
 * @property {any} did  what is said when it is done
 * @property {boolean} [talk]  whether it lowers raised hands, which are messages of the store
 * @property {keyof typeof import("./back.js").ways} back  what is remembered, so that it can be taken back
 * @property {import("./offers.js").Part[]} [undoes]  the parts of a store that taking it back changes; missing: the one
 *   that back names
 * @property {import("./offers.js").Part[]} replaces  the parts of a store that are then other than acts from before
 *   have left them
 * @property {Step[]} steps  none: there is nothing that could be done
 * @property {string} [none]  why there is nothing
 * @property {(tile: import("./room.js").Tile) => boolean} [on]  whether it is in effect in a store
 * @property {import("./once.js").Same} [once]  what tells the rule that it adds, which no store needs twice
 */

const flaky = { match: {}, probability: 0.3, status: 503 };

/** @type {import("./once.js").Same} */
export const isFlaky = ({ match = {}, probability, status, times, delay, abort }) =>
  Object.keys(match).length === 0 && probability === flaky.probability && status === flaky.status &&
  times === undefined && !delay && !abort;

/**
 * The acts in stores whose operations and time are these.
 * @param {{operations: Operation[], rules: import("../shell/types.js").Rule[], now: number}} store
 * @returns {Act[]}
 */
export function actsIn({ operations, rules, now }) {
  const sunset = nextSunset(operations, now);
  const after = sunset === undefined ? NaN : sunset + DAY;
  const ageing = withSunset(operations);
  const open = ageing.filter(({ enforceSunset }) => !enforceSunset);
  const enforced = open.length > 0 ? open : ageing;
  const ids = enforced.map(({ operationId }) => operationId).join(", ");
  const isAfter = (/** @type {import("./room.js").Tile} */ { clock }) =>
    clock.offsetSeconds >= 1 && sunset !== undefined && day(clock.now) === day(after);
  const setClock = (/** @type {object} */ body) => ({ method: "PUT", path: "admin/clock", body });
  return [
    {
      name: "Freeze clock",
      says: "Time stands still until the clock is reset",
      did: "Clock frozen",
      back: "clock",
      replaces: ["clock"],
      steps: [setClock({ frozen: true })],
      on: (tile) => tile.clock.frozen && !isAfter(tile),
    },
    {
      name: "Day after sunset",
      says: `Sets the clock to ${sunset === undefined ? "" : day(after)}, the day after the next sunset`,
      did: sunset === undefined ? "" : `Clock set to ${day(after)}`,
      back: "clock",
      replaces: ["clock"],
      none: "No operation has a sunset",
      on: isAfter,
      steps: sunset === undefined ? [] : [setClock({ now: new Date(after).toISOString() })],
    },
    {
      name: "Enforce sunset",
      says: `After its sunset, ${ids} answers 410 Gone`,
      did: `Sunset enforced on ${ids}`,
      back: "lifecycle",
      replaces: ["lifecycle"],
      none: "No operation has a sunset",
      on: (tile) => tile.operations > 0 && open.length === 0 && ids !== "",
      steps: enforced.map(({ operationId }) => (
        { method: "PATCH", path: `admin/operations/${operationId}`, body: { enforceSunset: true } })),
    },
    {
      name: "Fail 30 %",
      says: "Three of ten requests answer 503 Service Unavailable",
      did: "30 % of requests fail",
      back: "faults",
      replaces: ["rules"],
      once: isFlaky,
      on: ({ faults }) => faults > 0 && rules.some(isFlaky),
      steps: [{ method: "POST", path: "admin/faults", body: flaky }],
    },
  ];
}

/** @type {Act} */
export const backToNormal = {
  name: "Back to normal",
  says: "Resets the clock, the faults and the lifecycles. The data stays",
  did: "Back to normal: clock, faults and lifecycles reset",
  back: "normal",
  undoes: ["clock", "lifecycle", "rules"],
  replaces: ["clock", "faults", "lifecycle", "rules"],
  steps: [{ method: "POST", path: "admin/reset?only=clock,faults,lifecycle" }],
};

/** @type {Act} */
export const resetData = {
  name: "Reset data",
  says: "Returns the data to the template's. The exercises stay done",
  did: "Data reset",
  talk: true,
  back: "data",
  replaces: ["data"],
  steps: [{ method: "POST", path: "admin/reset?only=data" }],
};

/**
 * Gives stores the data, without what is said there: a raised hand would be up in each of them.
 * @param {string} from
 * @param {any} [data]
 * @returns {Act}
 */
export const push = (from, data) => ({
  name: "Load",
  says: "Replaces the data",
  did: html`Data of <bdi>${from}</bdi> loaded`,
  talk: true,
  back: "data",
  replaces: ["data"],
  steps: [{ method: "PUT", path: "admin/state", body: data && withoutTalk(data) }],
});

/**
 * The calls by which an act is done.
 * @param {import("./places.js").Target} target
 * @param {Act} act
 */
export const callsOf = (target, { steps }) =>
  placesOf(target).flatMap((place) => steps.map((step) => callOf(place, step)));
