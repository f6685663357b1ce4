// The acts of the teacher in stores. back.js takes them back.

import { html } from "../library/preact.js";
import { clockStep } from "./back.js";
import { withoutTalk } from "./hand.js";
import { callOf, placesOf } from "./places.js";
import { machine } from "./room.js";
import { day } from "../shell/format.js";
import { DAY, nextSunset, withSunset } from "../shell/sunset.js";

/**
 * @typedef {import("./places.js").Step} Step
 * @typedef {import("../shell/types.js").Clock} Clock
 * @typedef {import("../shell/types.js").Operation} Operation
 *
 * @typedef {object} Act
 * @property {string} name  the name on the button
 * @property {string} says  what the button does
 * @property {any} did  the message after the act
 * @property {boolean} [talk]  whether it lowers raised hands, which are messages of the store
 * @property {keyof typeof import("./back.js").ways} back  what to remember, so that the act can be taken back
 * @property {Step[]|((place: string) => Step[])} steps  none if the act has nothing to do. A function returns the steps
 *   of a place
 * @property {string} [none]  why there is nothing to do
 * @property {(state: State) => boolean} [on]  whether it is in effect in a store
 * @property {Act} [ends]  the act that ends only this one
 * @property {import("./once.js").Same} [once]  recognizes the rule that it adds, which no store needs twice
 *
 * @typedef {Pick<import("./room.js").Tile, "name"|"clock"|"faults"|"operations">} State  state of a store or template
 */

/** The parts that acts have changed, as they were before: by the act's name and the place. @type {Map<string, any>} */
const before = new Map();

/**
 * Remembers the parts that an act will change where it is not in effect, so that the act that ends it restores them.
 * @param {Act} act
 * @param {State[]} states
 * @param {Map<string, any>} [parts]  by place
 */
export function begin({ name, on, ends }, states, parts) {
  if (!ends || !parts) return;
  for (const state of states) {
    const part = parts.get(state.name);
    if (part && !on?.(state)) before.set(`${name} ${state.name}`, part);
  }
}

/** An unchanged clock. @type {Clock} */
const usual = { now: "", frozen: false, offsetSeconds: 0 };

const flaky = { match: {}, probability: 0.3, status: 503 };

/** Whether a rule has the effect that the tiles call "30 % fail", with any error. @type {import("./once.js").Same} */
export const isFlaky = ({ off, match = {}, probability, status = 0, times, delay, abort }) =>
  !off && Object.keys(match).length === 0 && probability === flaky.probability && status >= 400 &&
  times === undefined && !delay && !abort;

/**
 * @typedef {object} Store  the facts about the first store, and about each place
 * @property {Operation[]} operations
 * @property {number} now
 * @property {Map<string, import("../shell/types.js").Rule[]>} rulesOf
 * @property {Map<string, Operation[]>} changedIn  the operations of each place where a lifecycle has changed
 */

/** @param {Store} store  @param {string} place */
export const flakyIn = ({ rulesOf }, place) => (rulesOf.get(place) ?? []).filter(isFlaky);

/** Whether every sunset is enforced in a place. @param {Store} store  @param {string} place */
export function isEnforced({ operations, changedIn }, place) {
  const ids = withSunset(operations).map(({ operationId }) => operationId);
  const there = changedIn.get(place) ?? [];
  return there.length > 0 && ids.length > 0
    && ids.every((id) => there.find(({ operationId }) => operationId === id)?.enforceSunset);
}

/**
 * Returns the acts for stores with these operations and this time.
 * @param {Store} store
 * @param {State[]} states  the states of the stores
 * @returns {Act[]}
 */
export function actsIn(store, states) {
  const { operations, now } = store;
  const sunset = nextSunset(operations, now);
  const after = sunset === undefined ? NaN : sunset + DAY;
  const ageing = withSunset(operations);
  const open = ageing.filter(({ enforceSunset }) => !enforceSunset);
  const enforced = open.length > 0 ? open : ageing;
  const ids = enforced.map(({ operationId }) => operationId).join(", ");
  const isAfter = (/** @type {State} */ { clock }) =>
    clock.offsetSeconds >= 1 && sunset !== undefined && day(clock.now) === day(after);
  const setClock = (/** @type {object} */ body) => ({ method: "PUT", path: "admin/clock", body });
  /** Returns steps that end an act on clocks. @param {string} act  @param {(now: Clock, was?: Clock) => Step} step */
  const end = (act, step) => (/** @type {string} */ place) =>
    [step(states.find(({ name }) => name === place)?.clock ?? usual, before.get(`${act} ${place}`))];
  const enforce = (/** @type {Operation[]} */ those, /** @type {boolean} */ enforceSunset) =>
    those.map(({ operationId }) =>
      ({ method: "PATCH", path: `admin/operations/${operationId}`, body: { enforceSunset } }));
  return [
    {
      name: "Freeze clock",
      says: "Freezes the clock until it is reset",
      did: "Clock frozen",
      back: "clock",
      steps: [setClock({ frozen: true })],
      on: ({ clock }) => clock.frozen,
      ends: {
        name: "Freeze clock off",
        says: "Runs the clock again",
        did: "Clock runs again",
        back: "clock",
        // A clock that was frozen before, or has travelled since, continues from there. Its step contains the time,
        // because the step for all stores comes first and changes the clock.
        steps: end("Freeze clock", (now, was) => (was && Math.abs(now.offsetSeconds - was.offsetSeconds) * 1000 < DAY
          ? clockStep({ ...was, frozen: false }, machine())
          : setClock({ now: now.now, frozen: false }))),
      },
    },
    {
      name: "Day after sunset",
      says: `Sets the clock to ${sunset === undefined ? "" : day(after)}, after the next sunset`,
      did: sunset === undefined ? "" : `Clock at ${day(after)}`,
      back: "clock",
      none: "No operation has a sunset",
      on: isAfter,
      ends: {
        name: "Day after sunset off",
        says: "Brings the clock back to the time before",
        did: "Clock brought back",
        back: "clock",
        steps: end("Day after sunset", ({ frozen }, was = usual) => clockStep({
          now: was.frozen ? was.now : new Date(machine() + was.offsetSeconds * 1000).toISOString(),
          frozen,
          offsetSeconds: was.frozen ? 0 : was.offsetSeconds,
        }, machine())),
      },
      steps: sunset === undefined ? [] : [setClock({ now: new Date(after).toISOString() })],
    },
    {
      name: "Enforce sunset",
      says: `After its sunset, ${ids} answers 410 Gone`,
      did: "Sunset enforced",
      back: "lifecycle",
      none: "No operation has a sunset",
      on: ({ name }) => isEnforced(store, name),
      ends: {
        name: "Enforce sunset off",
        says: "After its sunset, each operation answers as before",
        did: "Sunset not enforced",
        back: "lifecycle",
        steps: (place) => {
          const was = before.get(`Enforce sunset ${place}`) ?? [];
          const enforcedBefore = (/** @type {Operation} */ { operationId }) =>
            was.some((/** @type {Operation} */ one) => one.operationId === operationId && one.enforceSunset);
          return enforce(ageing.filter((one) => !enforcedBefore(one)), false);
        },
      },
      steps: enforce(enforced, true),
    },
    {
      name: "Fail 30 %",
      says: "Three of ten requests answer 503 Service Unavailable",
      did: "30 % fail",
      back: "faults",
      once: isFlaky,
      on: ({ name }) => flakyIn(store, name).length > 0,
      ends: {
        name: "Fail 30 % off",
        says: "Removes this fault rule",
        did: "Requests no longer fail",
        back: "rules",
        steps: (place) => flakyIn(store, place).map(({ id }) => ({ method: "DELETE", path: `admin/faults/${id}` })),
      },
      steps: [{ method: "POST", path: "admin/faults", body: flaky }],
    },
  ];
}

/** @type {Act} */
export const backToNormal = {
  name: "Back to normal",
  says: "Resets the clock, the faults and the lifecycles. The data stays",
  did: "Back to normal",
  back: "normal",
  steps: [{ method: "POST", path: "admin/reset?only=clock,faults,lifecycle" }],
};

/** @param {boolean} taken  whether the template has changed since the start  @returns {Act} */
export const resetData = (taken) => ({
  name: "Reset data",
  says: `Returns to ${taken ? "the template's data" : "the data at the start"}. Exercises stay done`,
  did: "Data reset",
  talk: true,
  back: "data",
  steps: [{ method: "POST", path: "admin/reset?only=data" }],
});

/**
 * Loads data into stores, without its messages of attendees and teacher: a raised hand would be up in each store.
 * @param {string} from
 * @param {any} [data]
 * @returns {Act}
 */
export const push = (from, data) => ({
  name: "Load data",
  says: "Replaces the data",
  did: html`Data of <bdi>${from}</bdi> loaded`,
  talk: true,
  back: "data",
  steps: [{ method: "PUT", path: "admin/state", body: data && withoutTalk(data) }],
});

/** @param {Act} act  @param {string} place */
export const stepsIn = ({ steps }, place) => (typeof steps === "function" ? steps(place) : steps);

/**
 * Returns the calls of an act.
 * @param {import("./places.js").Target} target
 * @param {Act} act
 */
export const callsOf = (target, act) =>
  placesOf(target).flatMap((place) => stepsIn(act, place).map((step) => callOf(place, step)));
