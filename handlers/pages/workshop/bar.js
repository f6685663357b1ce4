// The bar of the wall: what is done in the stores that are marked, or in all of them.

import { html, useEffect, useState } from "../library/preact.js";
import { Code } from "../shell/calls.js";
import { CurlLine, Popover } from "../shell/components.js";
import { typed } from "../shell/events.js";
import { plural } from "../shell/format.js";
import { request } from "../shell/api.js";
import { say, sayError } from "../shell/toast.js";
import { actsIn, callsOf, push } from "./acts.js";
import { dataCall, idIn, ways } from "./back.js";
import { offered, withdrawOf } from "./offers.js";
import { withoutSecond, placesWithout } from "./once.js";
import { callOf, EVERYWHERE, granting, placesOf, read, run } from "./places.js";
import { called, look as lookAround } from "./room.js";

const BACK_WITHIN = 30_000; // ms

/** @typedef {import("./places.js").Target} Target */

/** Of a store that is not known yet. */
const UNKNOWN = { name: "", operations: /** @type {import("../shell/types.js").Operation[]} */ ([]), now: 0 };

/** The operations and the time of the store. @param {string} name */
function useStoreOf(name) {
  const [store, setStore] = useState(UNKNOWN);
  const [looks, again] = useState(0);
  useEffect(() => {
    const set = (/** @type {any[]} */ [operations, clock]) =>
      setStore({ name, operations, now: Date.parse(clock.now) });
    Promise.all([read(name, "admin/operations"), read(name, "admin/clock")]).then(set, () => undefined);
  }, [name, looks]);
  return { store: store.name === name ? store : UNKNOWN, look: () => again(looks + 1) };
}

/**
 * Does something where it is not done yet, and says so once with the way back.
 * @param {Target} asked
 * @param {import("./acts.js").Act} act
 */
async function perform(asked, act) {
  const { where: target, having } = act.once ? await placesWithout(asked, act.once) : { where: asked, having: [] };
  if (!target.all && target.names.length === 0) {
    const outcome = { done: asked.names, failed: [], failures: 0, answers: new Map() };
    return tell(asked, html`${act.did} already,`, outcome);
  }
  const memory = act.back ? await ways[act.back](target, act) : undefined;
  const forget = () => void memory?.forget?.();
  try {
    const outcome = await run(target, () => act.steps);
    await withoutSecond(having, idIn(outcome.answers.get(EVERYWHERE)));
    withdrawOf(act.replaces, target);
    const undone = (/** @type {import("./places.js").Outcome} */ done) =>
      tell(target, "Undone", granting(done, "unknown_sandbox"));
    tell(target, act.did, outcome, act.back && memory && {
      part: act.back,
      take: () => memory.restore(outcome).then(undone, sayError).then(forget),
      forget,
    });
  } catch (error) {
    forget();
    throw error;
  }
}

/**
 * @param {Target} target
 * @param {any} did
 * @param {import("./places.js").Outcome} outcome
 * @param {{part: import("./offers.js").Part, take: () => void, forget: () => void}} [back]
 */
function tell({ all }, did, { done, failed, failures }, back) {
  if (failures > 0) {
    const [{ name, error }] = failed;
    const first = name === EVERYWHERE ? "the template of latecomers" : html`<bdi>${called(name)}</bdi>`;
    say(html`${plural(failures, "store")} refused, ${first} first: ${error.message}`, { bad: true });
  }
  if (!all && done.length === 0) return back?.forget();
  const some = done.length === 1 ? html`<bdi>${called(done[0])}</bdi>` : plural(done.length, "attendee");
  const where = all ? "everyone, including latecomers" : some;
  if (!back) return void say(html`${did} for ${where}.`);
  const { part, take, forget } = back;
  const end = (/** @type {() => void} */ then) => () => {
    over();
    then();
  };
  const withdraw = say(html`${did} for ${where}.`, {
    action: { text: "Undo", run: end(take) },
    gone: end(forget),
    lasts: BACK_WITHIN,
  });
  const over = offered({ part, target: { all, names: done }, withdraw });
}

/** @param {{target: Target, names: string[]}} props */
export function Bar({ target, names }) {
  const { all, names: chosen } = target;
  const [busy, setBusy] = useState(false);
  const { store, look } = useStoreOf((all ? names[0] : chosen[0]) ?? "default");
  const act = (/** @type {() => Promise<void>} */ task) => async () => {
    setBusy(true);
    await task().catch(sayError);
    setBusy(false);
    look();
    void lookAround();
  };
  return html`<div class="work">
    <div class="tools">
      <span role="status" class="marks">${all ? "Everyone, including latecomers" : `${chosen.length} selected`}</span>
      <div class="acts" role="group" aria-label="Actions in the selected stores">
        ${actsIn(store).map((one) => html`
          <${ActButton} key=${one.name} one=${one} target=${target} busy=${busy}
            onAct=${act(() => perform(target, one))} />`)}
        <${Push} target=${target} names=${names} idle=${busy} act=${act} />
      </div>
    </div>
  </div>`;
}

/** @param {{one: import("./acts.js").Act, target: Target, busy: boolean, onAct: () => void}} props */
function ActButton({ one, target, busy, onAct }) {
  const none = one.steps.length === 0;
  return html`<span class="pair">
    <button type="button" disabled=${busy || none} title=${none ? one.none : undefined} onClick=${onAct}>
      ${one.name}
    </button>
    ${!none && html`<${Code} label=${one.name} call=${() => callsOf(shown(target), one)} />`}
  </span>`;
}

/** The target whose requests are shown: where none is marked, all. @param {Target} target @returns {Target} */
const shown = (target) => (placesOf(target).length ? target : { all: true, names: [] });

/** @param {{target: Target, names: string[], idle: boolean, act: (task: () => Promise<void>) => () => void}} props */
function Push({ target, names, idle, act }) {
  const [from, setFrom] = useState("default");
  const give = async () => perform(target, push(called(from), (await request(dataCall(from))).data));
  const line = (/** @type {string} */ place) => html`
    <${CurlLine} key=${place} from=${dataCall(from)} call=${callOf(place, push(called(from), undefined).steps[0])} />`;
  return html`<span class="pair">
    Data from
    <select aria-label="The store whose data is loaded" value=${from} onChange=${typed(setFrom)}>
      ${["default", ...names].map((name) => html`
        <option key=${name} value=${name} selected=${name === from}>${called(name)}</option>`)}
    </select>
    <button type="button" disabled=${idle} onClick=${act(give)}>Load</button>
    <${Popover} class="icon code" title="Show the request: load data" text="</>">
      ${() => html`<div class="stack">${placesOf(shown(target)).map(line)}</div>`}
    <//>
  </span>`;
}
