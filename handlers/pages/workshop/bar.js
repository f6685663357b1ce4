// The bar of the wall: acts for the marked stores, or for all.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../library/preact.js";
import { Code } from "../shell/calls.js";
import { Field, Popover } from "../shell/components.js";
import { Confirm } from "../shell/confirm.js";
import { typed } from "../shell/events.js";
import { capital, plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { useKeys } from "../shell/keys.js";
import { request } from "../shell/api.js";
import { CurlLine } from "../shell/source.js";
import { say, sayError, Toasts, unsay } from "../shell/toast.js";
import { actsIn, backToNormal, begin, callsOf, isEnforced, push, resetData, stepsIn } from "./acts.js";
import { changesFrom, dataCall, idIn, ways } from "./back.js";
import { offered } from "./offers.js";
import { withoutSecond, placesWithout } from "./once.js";
import { callOf, EVERYWHERE, forEach, granting, placesOf, read, run, runEach } from "./places.js";
import { called, look as lookAround, room } from "./room.js";
import { Say } from "./say.js";
import { faultsIn, unusualIn } from "./tile.js";

const BACK_WITHIN = 2 * 60_000; // ms, as IN_TIME says
const IN_TIME = "You can undo this within 2 minutes.";

const ACT = "act"; // the subject of toasts about acts, so that a new one replaces the last

/** @typedef {import("./places.js").Target} Target */
/** @typedef {import("./room.js").Tile} Tile */

/** @typedef {import("./acts.js").State} State */

/**
 * @typedef {import("./acts.js").Store & {name: string, taken: boolean, template: State[]}} Store  taken: whether the
 *   template has changed since the start; template: the state that latecomers get
 *
 * For stores that are not known yet.
 * @type {Store}
 */
const UNKNOWN = {
  name: "", operations: [], now: 0, rulesOf: new Map(), changedIn: new Map(), taken: false, template: [],
};

/**
 * Reads the operations and the time of the first store, and the fault rules and the lifecycles of all stores.
 * @param {string} name
 * @param {Tile[]} tiles  the stores: a change of their counts reads again
 * @param {boolean} [all]  whether latecomers are included
 */
function useStores(name, tiles, all = false) {
  const [store, setStore] = useState(UNKNOWN);
  const [looks, again] = useState(0);
  const counts = tiles.map((tile) => `${tile.name} ${tile.faults} ${tile.operations}`).join();
  useEffect(() => {
    let wanted = true;
    const readAll = async () => {
      const [operations, clock, template] = await Promise.all([
        ...["operations", "clock"].map((part) => read(name, `admin/${part}`)), read("default", "admin/template"),
      ]);
      /** @type {Store} */
      const next = { ...UNKNOWN, name, operations, now: Date.parse(clock.now) };
      const isLater = (/** @type {Tile} */ { createdAt }) => Date.parse(template.takenAt) > Date.parse(createdAt);
      next.taken = template.from !== null || tiles.some(isLater);
      Object.assign(next, { rulesOf: new Map(), changedIn: new Map() });
      const some = (/** @type {"faults"|"operations"} */ part) =>
        tiles.filter((tile) => tile[part] > 0).map((tile) => tile.name);
      await forEach(some("faults"), async (place) => void next.rulesOf.set(place, await read(place, "admin/faults")));
      await forEach(some("operations"), async (place) =>
        void next.changedIn.set(place, await read(place, "admin/operations")));
      if (all) {
        const { clock: usual, rules, lifecycles } = template;
        next.rulesOf.set(EVERYWHERE, rules);
        next.changedIn.set(EVERYWHERE, lifecycles);
        const changes = lifecycles.filter((/** @type {any} */ { changed }) => changed).length;
        next.template = [{ name: EVERYWHERE, clock: usual, faults: rules.length, operations: changes }];
      }
      if (wanted) setStore(next);
    };
    readAll().catch(() => undefined);
    return () => {
      wanted = false;
    };
  }, [name, all, looks, counts]);
  return { store: store.name === name ? store : UNKNOWN, look: () => again((n) => n + 1) };
}

/**
 * Performs an act in the stores that do not have it yet, and says so once, with an Undo.
 * @param {Target} asked
 * @param {import("./acts.js").Act} act
 * @param {State[]} [states]  the states of the stores
 * @param {() => void} [then]  called when the act is taken back
 */
async function perform(asked, act, states = [], then) {
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
    const steps = (/** @type {string} */ place) => stepsIn(act, place);
    const outcome = typeof act.steps === "function"
      ? granting(await runEach(target, steps, target.names), "not_found") // some stores may no longer have the rule
      : await run(target, steps);
    begin(act, states, memory.before);
    await withoutSecond(having, idIn(outcome.answers.get(EVERYWHERE)));
    const undone = (/** @type {import("./places.js").Outcome} */ done) =>
      tell(target, html`Undid “${act.name}”`, granting(done, "unknown_sandbox"));
    const take = () => void memory.restore(outcome).then(undone, sayError).then(forget).then(then);
    const { what, since } = await changesFrom(target, act.back);
    const ask = async (/** @type {number} */ agreed) => {
      const changes = await since();
      if (changes <= agreed) return take();
      const those = changes === 1 ? "it" : "them";
      const text = `${plural(changes, what)} since then. Undoing now would revert ${those} too.`;
      offer(text, "Undo anyway", target, back(changes), true);
    };
    /** @param {number} agreed  the number of changes that the user agreed to revert too  @returns {Back} */
    const back = (agreed) => ({
      take: () => ask(agreed).catch((error) => {
        sayError(error);
        forget();
      }),
      forget,
    });
    tell(target, act.did, outcome, back(0), act.talk ? lowered : "");
  } catch (error) {
    forget();
    throw error;
  }
}

/**
 * @param {Target} target
 * @param {any} did
 * @param {import("./places.js").Outcome} outcome
 * @param {Back} [back]
 * @param {string} [also]
 */
function tell({ all }, did, { done, failed, failures }, back, also = "") {
  if (failures > 0) {
    const [{ name, error }] = failed;
    const first = name === EVERYWHERE ? "the template of latecomers" : html`<bdi>${called(name)}</bdi>`;
    say(html`${plural(failures, "store")} refused, ${first} first: ${error.message}`, { bad: true });
  }
  if (!all && done.length === 0) return back?.forget();
  const where = all ? "all" // the bar already names the others
    : done.length === 1 ? html`<bdi>${called(done[0])}</bdi>` : done.length;
  const text = html`${did} for ${where}${also}.`;
  if (!back) return void say(text, { about: [ACT] });
  offer(text, "Undo", { all, names: done }, back);
}

/** @typedef {{take: () => void, forget: () => void}} Back  forget: called if the user does not take back */

/**
 * Says something, with an action that takes it back.
 * @param {any} text
 * @param {string} action
 * @param {Target} target
 * @param {Back} back
 * @param {boolean} [bad]
 */
function offer(text, action, target, { take, forget }, bad) {
  const end = (/** @type {() => void} */ then) => () => {
    over();
    then();
  };
  const withdraw = say(text, {
    about: [ACT], bad, action: { text: action, run: end(take) }, gone: end(forget), lasts: BACK_WITHIN,
  });
  const over = offered({ target, withdraw });
}

/**
 * Describes the unusual states of the tiles' stores. The tiles themselves show the days of their clocks.
 * @param {Tile[]} tiles
 * @param {Store} store
 */
function stateOf(tiles, store) {
  const count = (/** @type {Tile[]} */ { length: n }, /** @type {string} */ what) =>
    n > 0 && (n < tiles.length ? `${n} ${what}` : what);
  const frozen = tiles.filter(({ clock }) => clock.frozen);
  const moved = tiles.filter(({ clock }) => !clock.frozen && Math.abs(clock.offsetSeconds) >= 1);
  /** @type {Map<string, number>} */
  const faults = new Map();
  const faulty = tiles.filter((one) => one.faults > 0);
  for (const tile of faulty) {
    for (const what of new Set(faultsIn(tile))) faults.set(what, (faults.get(what) ?? 0) + 1);
  }
  const enforced = tiles.filter(({ name }) => isEnforced(store, name));
  return [
    count(frozen, "frozen"),
    count(moved, "travelled"),
    ...(faults.size > 2 ? [count(faulty, "with faults")]
      : [...faults].map(([what, n]) => (n < tiles.length ? `${what} for ${n}` : what))),
    count(enforced, "sunset enforced"),
    count(tiles.filter((tile) => tile.operations > 0 && !enforced.includes(tile)), "with changed operations"),
  ].filter(Boolean);
}

/** Returns a function that runs a task, and whether one is running. Afterwards the focus returns to the control. */
export function useBusy() {
  const [busy, setBusy] = useState(false);
  const by = useRef(/** @type {any} */ (null));
  useLayoutEffect(() => {
    if (!busy && document.activeElement === document.body) by.current?.focus();
  }, [busy]);
  const during = async (/** @type {() => Promise<unknown>} */ task) => {
    by.current = document.activeElement;
    setBusy(true);
    await task().catch(sayError);
    setBusy(false);
  };
  return { busy, during };
}

/** Returns a function that starts a task, and whether one runs. @param {() => void} [then]  called after each task */
function useActing(then) {
  const { busy, during } = useBusy();
  const act = (/** @type {() => Promise<void>} */ task) => async () => {
    await during(task);
    then?.();
    void lookAround();
  };
  return { busy, act };
}

/**
 * A button for an act in one store, whatever is selected.
 * @param {{one: import("./acts.js").Act, name: string, class?: string}} props
 */
export function ActIn({ one, name, class: look = "" }) {
  const { busy, act } = useActing();
  const target = { all: false, names: [name] };
  return html`<${ActButton} class=${`plain-border ${look}`} one=${one} target=${target} busy=${busy}
    onAct=${act(() => perform(target, one))} />`;
}

/** @param {State} state */
const isUsual = ({ clock, faults, operations }) =>
  !clock.frozen && Math.abs(clock.offsetSeconds) < 1 && faults === 0 && operations === 0;

/** Capitalizes a text, unless it begins with the name of an operation. @param {string} text */
const sentence = (text) => (/^\w+: /.test(text) ? text : capital(text));

/** The unusual states of a store, by their effects. @param {{tile: Tile}} props */
export function EffectsIn({ tile }) {
  const { store } = useStores(tile.name, [tile]);
  const changed = (store.changedIn.get(tile.name) ?? []).filter((operation) => operation.changed);
  const sunsets = changed.map(({ operationId, enforceSunset }) =>
    (enforceSunset ? `Sunset of ${operationId} enforced` : `Lifecycle of ${operationId} changed`)).join(", ");
  return html`<p class="grow unusual">
    ${unusualIn(tile).map(({ icon, text }) => html`
      <span key=${icon}><${Icon} name=${icon} />${sentence(icon === "flag" && sunsets || text)}</span>`)}
  </p>`;
}

/**
 * Buttons for rare acts in one store.
 * @param {{tile: Tile, names: string[], close: () => void}} props
 */
export function OthersIn({ tile, names, close }) {
  const { store, look } = useStores(tile.name, [tile]);
  const { busy, act } = useActing(look);
  const target = { all: false, names: [tile.name] };
  const last = (/** @type {() => Promise<void>} */ task) => {
    const run = act(task);
    return async () => {
      close();
      await run();
    };
  };
  const button = (/** @type {import("./acts.js").Act} */ one, begin = act, look = "") => html`
    <${ActButton} key=${one.name} class=${look} one=${one} target=${target} busy=${busy} states=${[tile]}
      onAct=${(/** @type {import("./acts.js").Act} */ does) => begin(() => perform(target, does, [tile]))()} />
    <p class="note">${isNone(one) ? one.none : one.says}</p>`;
  return html`
    ${actsIn(store, [tile]).map((one) => button(one))}
    <hr />
    <span class="pair"><${Push} class="" target=${target} names=${names} idle=${busy} act=${last} /></span>
    <p class="note">Replaces the data with that of another store</p>
    ${button(resetData(store.taken), last, "danger")}`;
}

/**
 * @param {object} props
 * @param {Target} props.target
 * @param {Tile[]} props.tiles
 * @param {Tile[]} props.shown
 * @param {boolean} props.ranged  whether the user ever selected a range, and so needs no hint
 * @param {() => void} props.onClear
 */
export function Bar({ target, tiles, shown: seen, ranged, onClear }) {
  const { all, names: chosen } = target;
  const names = tiles.map(({ name }) => name);
  const selected = tiles.filter(({ name }) => chosen.includes(name));
  const unseen = all ? 0 : selected.filter((tile) => !seen.includes(tile)).length;
  const first = (all ? names[0] : chosen[0]) ?? "default";
  const { store, look } = useStores(first, selected, all);
  const [hint, setHint] = useState(""); // what the button under the pointer or focus does
  const { busy, act } = useActing(() => {
    setHint(""); // makes room for the result
    look();
  });
  useKeys({ Escape: onClear });
  useEffect(() => unsay("said"), [all || chosen.join()]);
  useEffect(() => () => unsay(ACT), []);
  const state = stateOf(selected, store);
  const states = [...selected, ...store.template];
  const normal = states.every(isUsual);
  const [asking, setAsking] = useState(false);
  const does = (/** @type {import("./acts.js").Act} */ one) => act(() => perform(target, one, states, look))();
  const button = (/** @type {import("./acts.js").Act} */ one, name = "plain-border", none = false, on = does) => html`
    <${ActButton} key=${one.name} class=${name} one=${one} target=${target} busy=${busy || none} states=${states}
      onAct=${on} onHint=${setHint} />`;
  const asks = chosen.length > 1;
  const reset = resetData(store.taken);
  const resetNow = () => {
    setAsking(false);
    void does(reset);
  };
  const tools = useRef(/** @type {HTMLElement|null} */ (null));
  useLayoutEffect(() => { // a change of the window's size renders the wall again
    document.body.style.setProperty("--work", `${tools.current?.offsetHeight}px`);
  });
  return html`<section class="work" aria-label="What to do with the selected">
    <div class="tools" ref=${tools}>
      <button type="button" class="icon" aria-label="Select none" title="Select none (Esc)" onClick=${onClear}>
        <${Icon} name="close" />
      </button>
      <div class="marks">
        <p class="state note" role="status" title=${state.join(" · ")}>
          <strong>${all ? `All ${names.length} and latecomers` : namesOf(chosen, "selected")}</strong>
          ${unseen > 0 && html` <span>${unseen} not shown</span>`}
          ${state.map((part) => html`\u00a0· <span key=${part}>${part}</span>`)}
        </p>
        <${Toasts} />
        ${(hint || (state.length === 0 && !isTouched())) && html`<p class=${hint ? "note hint says" : "note hint"}>
          ${hint || (ranged || all ? "Esc selects none." : "Shift selects a range, Esc selects none.")}
        </p>`}
      </div>
      <${Say} class="primary" to=${selected} all=${all} text=${`Say to ${all ? "all" : selected.length}`} />
      <div class="acts-row">
        <div class="acts" role="group" aria-label="Clock, lifecycles and faults">
          ${actsIn(store, states).map((one) => button(one))}
          ${button(backToNormal, "plain-border", normal)}
        </div>
        <div class="acts" role="group" aria-label="Data">
          <${Push} target=${target} names=${names} idle=${busy} act=${act} />
          ${button({ ...reset, name: asks ? `${reset.name}…` : reset.name }, "danger plain-border", false,
            async () => (asks ? setAsking(true) : resetNow()))}
        </div>
      </div>
    </div>
    ${asking && html`
      <${Confirm} title=${html`Reset the data of ${whom(target)}?`} verb="Reset data" label="reset the data"
        call=${callsOf(target, reset)} onConfirm=${resetNow} onClose=${() => setAsking(false)}>
        <p>What they have made goes, and raised hands are lowered. Exercises stay done. ${IN_TIME}</p>
      <//>`}
  </section>`;
}

/** Whether there are probably no keys. */
const isTouched = () => matchMedia("(pointer: coarse), (max-width: 640px)").matches;

/** Whether the act has nothing to do. @param {import("./acts.js").Act} act */
const isNone = ({ steps }) => Array.isArray(steps) && steps.length === 0;

/**
 * @param {object} props
 * @param {import("./acts.js").Act} props.one
 * @param {Target} props.target
 * @param {boolean} props.busy
 * @param {State[]} [props.states]  the states of the stores; if the act is in effect in all, the button ends it
 * @param {string} props.class
 * @param {(act: import("./acts.js").Act) => void} props.onAct
 * @param {(text: string) => void} [props.onHint]  called with the button's effect, at hover or focus
 */
function ActButton({ one, target, busy, states = [], class: name, onAct, onHint = () => undefined }) {
  const none = isNone(one);
  const on = one.on ? states.filter(one.on).length : 0;
  const isOn = on > 0 && on === states.length;
  const pressed = one.on && (on > 0 && !isOn ? "mixed" : isOn);
  const does = isOn && one.ends ? one.ends : one;
  const some = pressed === "mixed" ? ". Only for those without it" : "";
  const says = none ? one.none ?? "" : does.says + some;
  const [hint, unhint] = [() => onHint(says), () => onHint("")];
  return html`<span class="pair" onMouseEnter=${hint} onMouseLeave=${unhint}>
    <button type="button" class=${name} aria-pressed=${pressed} disabled=${busy || none} title=${says}
      onFocus=${hint} onBlur=${unhint} onClick=${() => onAct(does)}>
      ${one.name}
    </button>
    ${!none && html`<${Code} label=${one.name} call=${() => callsOf(shown(target), does)} />`}
  </span>`;
}

/** Returns the target whose requests to show: all if none is marked. @param {Target} target @returns {Target} */
const shown = (target) => (placesOf(target).length ? target : { all: true, names: [] });

/** @param {Target} target */
const whom = ({ all, names }) => (all ? "everyone, including latecomers" : namesOf(names, "attendees"));

const NAMED = 3; // attendees

/** Names a few attendees, or counts them. @param {string[]} names  @param {string} what */
const namesOf = (names, what) =>
  html`<bdi>${names.length > NAMED ? `${names.length} ${what}` : names.map((name) => called(name)).join(", ")}</bdi>`;

/** Counts the records of a store. @param {{of: string}} props */
function Held({ of }) {
  const [counts, setCounts] = useState(/** @type {Record<string, number>|undefined} */ (undefined));
  useEffect(() => {
    let wanted = true;
    read(of, "admin").then((store) => wanted && setCounts(store.counts), () => undefined);
    return () => {
      wanted = false;
    };
  }, [of]);
  const text = (/** @type {Record<string, number>} */ { pets, categories, orders }) =>
    `${plural(pets, "pet")}, ${plural(categories, "category", "categories")}, ${plural(orders, "order")}.`;
  return html`${counts ? text(counts) : "…"}<br />`;
}

/**
 * @param {object} props
 * @param {Target} props.target
 * @param {string[]} props.names
 * @param {boolean} props.idle
 * @param {(task: () => Promise<void>) => () => void} props.act
 * @param {string} [props.class]
 */
function Push({ target, names, idle, act, class: name = "plain-border" }) {
  const [from, setFrom] = useState("default");
  const give = act(async () => perform(target, push(called(from), (await request(dataCall(from))).data)));
  const line = (/** @type {string} */ place) => html`
    <${CurlLine} key=${place} from=${dataCall(from)} call=${callOf(place, stepsIn(push(called(from)), place)[0])} />`;
  const load = (/** @type {() => void} */ close) => (/** @type {Event} */ event) => {
    event.preventDefault();
    close();
    give();
  };
  return html`<${Popover} class=${name} text="Load data…">
    ${(/** @type {() => void} */ close) => html`<form class="stack load" onSubmit=${load(close)}>
      <${Field} label="The store whose data is loaded">
        ${(/** @type {any} */ attributes) => html`
          <select ...${attributes} value=${from} autofocus onChange=${typed(setFrom)}>
            ${["default", ...names].map((name) => html`
              <option key=${name} value=${name} selected=${name === from}>
                ${name === "default" ? "The server’s own store" : called(name)}
              </option>`)}
          </select>`}
      <//>
      <p class="note">
        <${Held} of=${from} />It replaces the data of ${whom(target)}. Exercises stay done. ${IN_TIME}
      </p>
      <div class="row">
        <button class="primary" disabled=${idle}>Load</button>
        <button type="button" onClick=${close}>Cancel</button>
      </div>
      <details class="as-curl"><summary>As curl</summary>${placesOf(shown(target)).map(line)}</details>
    </form>`}
  <//>`;
}
