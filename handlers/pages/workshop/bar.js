// The bar of the wall: what is done in the stores that are marked, or in all of them.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../library/preact.js";
import { Code } from "../shell/calls.js";
import { Field, Popover } from "../shell/components.js";
import { typed } from "../shell/events.js";
import { day, plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { useKeys } from "../shell/keys.js";
import { request } from "../shell/api.js";
import { CurlLine } from "../shell/snippets.js";
import { say, sayError, Toasts, unsay } from "../shell/toast.js";
import { actsIn, backToNormal, callsOf, isFlaky, push, resetData } from "./acts.js";
import { dataCall, idIn, ways } from "./back.js";
import { offered, withdrawOf } from "./offers.js";
import { withoutSecond, placesWithout } from "./once.js";
import { callOf, EVERYWHERE, granting, placesOf, read, run } from "./places.js";
import { called, look as lookAround, room } from "./room.js";
import { Say } from "./say.js";
import { unusualIn } from "./tile.js";

const BACK_WITHIN = 30_000; // ms

const NOTHING_TO_UNDO = "act"; // the subject of what is said without Undo, which anything newer replaces

/** @typedef {import("./places.js").Target} Target */
/** @typedef {import("./room.js").Tile} Tile */

/** Of a store that is not known yet. */
const UNKNOWN = {
  name: "",
  operations: /** @type {import("../shell/types.js").Operation[]} */ ([]),
  rules: /** @type {import("../shell/types.js").Rule[]} */ ([]),
  now: 0,
  usual: true,
};

/**
 * The operations, the fault rules and the time of the store, and whether latecomers find all as usual.
 * @param {string} name
 * @param {Tile} [tile]  of the store: what it counts is read again when it changes
 * @param {boolean} [all]  whether latecomers are meant too
 */
function useStoreOf(name, tile, all = false) {
  const [store, setStore] = useState(UNKNOWN);
  const [looks, again] = useState(0);
  useEffect(() => {
    const set = (/** @type {any[]} */ [operations, clock, rules, template]) => setStore({
      name, operations, rules, now: Date.parse(clock.now),
      usual: !all || !template.clock.frozen && template.clock.offsetSeconds === 0 && template.rules.length === 0
        && !template.lifecycles.some((/** @type {any} */ { changed }) => changed),
    });
    const parts = ["operations", "clock", "faults"].map((part) => read(name, `admin/${part}`));
    Promise.all([...parts, all && read("default", "admin/template")]).then(set, () => undefined);
  }, [name, all, looks, tile?.faults, tile?.operations]);
  return { store: store.name === name ? store : UNKNOWN, look: () => again(looks + 1) };
}

/**
 * Does something where it is not done yet, and says so once with the way back.
 * @param {Target} asked
 * @param {import("./acts.js").Act} act
 */
async function perform(asked, act) {
  const hands = room.get().tiles.filter(({ name, hand }) => hand > 0 && asked.names.includes(name)).length;
  const lowered = hands > 0 ? `, ${plural(hands, "hand")} lowered` : "";
  const { where: target, having } = act.once ? await placesWithout(asked, act.once) : { where: asked, having: [] };
  if (!target.all && target.names.length === 0) {
    const outcome = { done: asked.names, failed: [], failures: 0, answers: new Map() };
    return tell(asked, html`${act.did} already,`, outcome);
  }
  const memory = await ways[act.back](target, act);
  const forget = () => void memory.forget?.();
  try {
    const outcome = await run(target, () => act.steps);
    await withoutSecond(having, idIn(outcome.answers.get(EVERYWHERE)));
    withdrawOf(act.replaces, target);
    const undone = (/** @type {import("./places.js").Outcome} */ done) =>
      tell(target, html`Undid “${act.name}”`, granting(done, "unknown_sandbox"));
    tell(target, act.did, outcome, {
      parts: act.undoes ?? [/** @type {import("./offers.js").Part} */ (act.back)],
      take: () => memory.restore(outcome).then(undone, sayError).then(forget),
      forget,
    }, act.talk ? ` Exercises stay done${lowered}.` : "");
  } catch (error) {
    forget();
    throw error;
  }
}

/**
 * @param {Target} target
 * @param {any} did
 * @param {import("./places.js").Outcome} outcome
 * @param {{parts: import("./offers.js").Part[], take: () => void, forget: () => void}} [back]
 * @param {string} [also]
 */
function tell({ all }, did, { done, failed, failures }, back, also = "") {
  if (failures > 0) {
    const [{ name, error }] = failed;
    const first = name === EVERYWHERE ? "the template of latecomers" : html`<bdi>${called(name)}</bdi>`;
    say(html`${plural(failures, "store")} refused, ${first} first: ${error.message}`, { bad: true });
  }
  if (!all && done.length === 0) return back?.forget();
  const some = done.length === 1 ? html`<bdi>${called(done[0])}</bdi>` : plural(done.length, "attendee");
  const where = all ? "everyone, including latecomers" : some;
  unsay(NOTHING_TO_UNDO);
  if (!back) return void say(html`${did} for ${where}.`, { about: [NOTHING_TO_UNDO] });
  const { parts, take, forget } = back;
  const end = (/** @type {() => void} */ then) => () => {
    over();
    then();
  };
  const withdraw = say(html`${did} for ${where}.${also}`, {
    action: { text: "Undo", run: end(take) },
    gone: end(forget),
    lasts: BACK_WITHIN,
  });
  const over = offered({ parts, target: { all, names: done }, withdraw });
}

/** The day by the clocks of the tiles' stores, where it is the same. @param {Tile[]} tiles */
function dayOf(tiles) {
  const days = new Set(tiles.map(({ clock }) => day(clock.now)));
  return days.size === 1 ? `at ${[...days][0]}` : "";
}

/**
 * What is not as usual in the tiles' stores, in words.
 * @param {Tile[]} tiles
 * @param {import("../shell/types.js").Rule[]} rules  of the first of them
 */
function stateOf(tiles, rules) {
  const count = (/** @type {Tile[]} */ { length: n }, /** @type {string} */ what) =>
    n > 0 && (n < tiles.length ? `${n} ${what}` : what);
  const frozen = tiles.filter(({ clock }) => clock.frozen);
  const moved = tiles.filter(({ clock }) => !clock.frozen && Math.abs(clock.offsetSeconds) >= 1);
  return [
    count(frozen, ["frozen", dayOf(frozen)].join(" ").trim()),
    count(moved, dayOf(moved) || "at another time"),
    count(tiles.filter(({ faults }) => faults > 0), rules.some(isFlaky) ? "30 % fail" : "faults"),
    count(tiles.filter(({ operations }) => operations > 0), "other lifecycles"),
  ].filter(Boolean).join(", ");
}

/** Returns what begins a task, and whether one is going on. @param {() => void} [then]  called after each task */
function useActing(then) {
  const [busy, setBusy] = useState(false);
  const act = (/** @type {() => Promise<void>} */ task) => async () => {
    setBusy(true);
    await task().catch(sayError);
    setBusy(false);
    then?.();
    void lookAround();
  };
  return { busy, act };
}

/**
 * A button for what is done in one store, whatever is selected.
 * @param {{one: import("./acts.js").Act, name: string, class?: string}} props
 */
export function ActIn({ one, name, class: look = "" }) {
  const { busy, act } = useActing();
  const target = { all: false, names: [name] };
  return html`<${ActButton} class=${`plain-border ${look}`} one=${one} target=${target} busy=${busy}
    onAct=${act(() => perform(target, one))} />`;
}

/** Buttons for what is seldom done in one store alone. @param {{tile: Tile, names: string[]}} props */
export function OthersIn({ tile, names }) {
  const { store, look } = useStoreOf(tile.name, tile);
  const { busy, act } = useActing(look);
  const target = { all: false, names: [tile.name] };
  return html`
    ${actsIn(store).map((one) => html`
      <${ActButton} key=${one.name} class="plain-border" one=${one} target=${target} busy=${busy}
        on=${one.on && Number(one.on(tile))} of=${1} onAct=${act(() => perform(target, one))} />`)}
    <${Push} target=${target} names=${names} idle=${busy} act=${act} />`;
}

/** @param {{target: Target, tiles: Tile[], shown: Tile[], onClear: () => void}} props */
export function Bar({ target, tiles, shown: seen, onClear }) {
  const { all, names: chosen } = target;
  const names = tiles.map(({ name }) => name);
  const selected = tiles.filter(({ name }) => chosen.includes(name));
  const unseen = all ? 0 : selected.filter((tile) => !seen.includes(tile)).length;
  const first = (all ? names[0] : chosen[0]) ?? "default";
  const { store, look } = useStoreOf(first, tiles.find(({ name }) => name === first), all);
  const { busy, act } = useActing(look);
  useKeys({ Escape: onClear });
  const state = stateOf(selected, store.rules);
  const normal = store.usual && selected.every((tile) => unusualIn(tile).length === 0);
  const button = (/** @type {import("./acts.js").Act} */ one, name = "plain-border", none = false) => html`
    <${ActButton} key=${one.name} class=${name} one=${one} target=${target} busy=${busy || none}
      on=${one.on && selected.filter(one.on).length} of=${selected.length} onAct=${act(() => perform(target, one))} />`;
  const tools = useRef(/** @type {HTMLElement|null} */ (null));
  useLayoutEffect(() => { // the wall renders again when the window has another size
    document.body.style.setProperty("--work", `${tools.current?.offsetHeight}px`);
  });
  return html`<section class="work" aria-label="What to do with the selected">
    <div class="tools" ref=${tools}>
      <button type="button" class="icon" aria-label="Select none" title="Select none (Esc)" onClick=${onClear}>
        <${Icon} name="close" />
      </button>
      <div class="marks">
        <p role="status" title=${state}>
          <strong>${all ? `All ${names.length} and latecomers` : `${chosen.length} selected`}</strong>
          ${unseen > 0 && `, ${unseen} not shown`} <span class="note">${state}</span>
        </p>
        <${Toasts} />
        <p class="note hint">Shift selects a range, Esc selects none.</p>
      </div>
      <div class="acts" role="group" aria-label="Clock, lifecycles and faults">
        ${actsIn(store).map((one) => button(one))}
        ${button(backToNormal, "", normal)}
      </div>
      <div class="acts" role="group" aria-label="Data">
        <${Push} target=${target} names=${names} idle=${busy} act=${act} />
        ${button(resetData, "danger plain-border")}
      </div>
      <${Say} class="primary" to=${selected} text=${`Say to ${all ? "all" : selected.length}`} />
    </div>
  </section>`;
}

/**
 * @param {object} props
 * @param {import("./acts.js").Act} props.one
 * @param {Target} props.target
 * @param {boolean} props.busy
 * @param {number} [props.on]  in how many of them it is in effect; missing: that cannot be said
 * @param {number} [props.of]  how many those are
 * @param {string} props.class
 * @param {() => void} props.onAct
 */
function ActButton({ one, target, busy, on, of = 0, class: name, onAct }) {
  const none = one.steps.length === 0;
  const pressed = on === undefined ? undefined : on > 0 && on < of ? "mixed" : on > 0;
  const state = on ? `. On${on < of ? ` in ${on} of ${of}` : ""}: “Back to normal” ends it` : "";
  return html`<span class="pair">
    <button type="button" class=${name} aria-pressed=${pressed} disabled=${busy || none}
      title=${none ? one.none : one.says + state} onClick=${onAct}>
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
  const give = act(async () => perform(target, push(called(from), (await request(dataCall(from))).data)));
  const line = (/** @type {string} */ place) => html`
    <${CurlLine} key=${place} from=${dataCall(from)} call=${callOf(place, push(called(from), undefined).steps[0])} />`;
  const load = (/** @type {() => void} */ close) => (/** @type {Event} */ event) => {
    event.preventDefault();
    close();
    give();
  };
  return html`<${Popover} class="plain-border" text="Load data…">
    ${(/** @type {() => void} */ close) => html`<form class="stack" onSubmit=${load(close)}>
      <${Field} label="The store whose data is loaded">
        ${(/** @type {any} */ attributes) => html`
          <select ...${attributes} value=${from} autofocus onChange=${typed(setFrom)}>
            ${["default", ...names].map((name) => html`
              <option key=${name} value=${name} selected=${name === from}>${called(name)}</option>`)}
          </select>`}
      <//>
      <div>
        <button class="primary" disabled=${idle}>Load</button>
        <button type="button" onClick=${close}>Cancel</button>
      </div>
      <details class="as-curl"><summary>As curl</summary>${placesOf(shown(target)).map(line)}</details>
    </form>`}
  <//>`;
}
