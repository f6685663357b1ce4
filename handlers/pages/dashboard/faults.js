// The faults of the sandbox: in one click, and as rules in their order.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { change, follow, link, useAddress } from "../shell/address.js";
import { get } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Choice, Empty, ErrorNote, Item, Menu } from "../shell/components.js";
import { typed } from "../shell/events.js";
import { count, plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { opened } from "../shell/later.js";
import { onEvent, session, write } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { paced } from "../shell/stream.js";
import { PATH, presets, sayRules } from "../shell/throttle.js";
import { sayError, unsay } from "../shell/toast.js";
import { add, addCall, drop, dropCall, firstOf } from "./add.js";
import { doesOf, effectOf, isOff, leftOf, likeOf, named, nameOf, sent, targetOf, toggled } from "./rules.js";

/** @typedef {import("../shell/types.js").Rule} Rule */

const RuleDialog = opened(() => import("./rule.js"), "RuleDialog");

const DRAGGED = "application/x-rule"; // the place of a rule that is dragged
const PACE = 1000; // ms from one look at how often rules were applied to the next

export default function Faults() {
  const { for: operationId = "", times = "", rule: marked = "" } = useAddress();
  const { changes, summary } = useStore(session);
  const [rules, setRules] = useState(/** @type {Rule[]|null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  const [editing, setEditing] = useState(/** @type {Rule|null} */ (null));
  const adding = useRef(/** @type {HTMLElement|null} */ (null));
  const take = (/** @type {Rule[]} */ all) => {
    setRules(all);
    unsay("faults", all);
    setError(null);
  };
  const { current: turn } = useRef({ looks: 0, writes: 0, last: /** @type {Promise<any>} */ (Promise.resolve()) });
  const load = () => {
    const look = ++turn.looks;
    const { changes: began } = session.get();
    const isNew = () => look === turn.looks && turn.writes === 0 && began === session.get().changes;
    const ifNew = (/** @type {(value: any) => void} */ then) => (/** @type {any} */ value) =>
      isNew() && then(value); // not from before a write
    return get(PATH).then(ifNew(take), ifNew(setError));
  };
  useEffect(() => void load(), [changes, summary?.faults]);
  useEffect(() => {
    const count = paced(load, PACE);
    return onEvent(({ name, data }) => name === "request" && data.fault && count());
  }, []);

  /** A rule for what is chosen. @param {Rule} rule @returns {Rule} */
  const asked = (rule) => ({
    ...(operationId && { match: { operationId } }), ...rule, ...(times && { times: Number(times) }),
  });
  const replace = async (/** @type {Rule[]} */ next, /** @type {string} */ done, label = "") => {
    const old = rules ?? [];
    setRules(next); // what is pressed next is about these
    unsay("faults"); // its Undo would bring back the rules before those of old
    turn.writes++;
    const call = label ? { ...callOf(next), label } : callOf(next);
    turn.last = turn.last.catch(() => undefined).then(() => write(call)).finally(() => {
      turn.writes--;
      turn.looks++;
    });
    try {
      await turn.last;
      sayRules(done, old, next, undefined, callOf(next));
    } catch (problem) {
      sayError(problem, "faults");
    }
  };
  const clear = () => {
    adding.current?.focus(); // the button goes
    void replace([], "Cleared all faults.");
  };
  return html`<div class="page faults stack">
    <section class="stack" aria-labelledby="presets">
      <h2 id="presets" class="title">Faults</h2>
      <${Presets} operationId=${operationId} times=${times} asked=${asked} rules=${rules ?? []} />
    </section>
    <section class="stack" aria-labelledby="rules">
      <div class="row">
        <h2 id="rules" class="grow">Rules</h2>
        ${rules && rules.length > 0 && html`<span class="pair">
          <button type="button" class="plain-border" onClick=${clear}>Clear all faults</button>
          <${Code} label="clear all faults" call=${() => callOf([])} />
        </span>`}
        <button type="button" class="primary" ref=${adding} onClick=${() => setEditing(asked({ status: 503 }))}>
          <${Icon} name="plus" />
          New rule…
        </button>
      </div>
      <${ErrorNote} error=${error} onRetry=${load} />
      ${rules?.length === 0 && html`
        <${Empty} title="No rules">
          <p>Requests are served as usual. Choose a fault above, or make a rule.</p>
        <//>`}
      ${rules && rules.length > 0 && html`
        <p class="note">The first matching rule wins. Editing a rule resets its count.</p>
        <ol class="rules">${rules.map((rule, i) => html`
          <${RuleRow} key=${rule.id} rule=${rule} at=${i} rules=${rules} marked=${marked === String(rule.id)}
            onReplace=${replace}
            onEdit=${() => setEditing(rule)} />`)}
        </ol>`}
    </section>
    ${editing && html`<${RuleDialog} rule=${editing} rules=${rules ?? []} onClose=${() => setEditing(null)} />`}
  </div>`;
}

/** @param {Rule[]} rules @returns {import("../shell/api.js").Call} */
const callOf = (rules) => ({ method: "PUT", path: PATH, body: rules });

const often = [["", "always"], ["1", "once"], ["2", "twice"], ["5", "5 times"]];

/** @param {{operationId: string, times: string, asked: (rule: Rule) => Rule, rules: Rule[]}} props */
function Presets({ operationId, times, asked, rules }) {
  const { operations } = useStore(session);
  return html`
    <div class="row">
      <label for="fault-target">Turn on for</label>
      <select id="fault-target" value=${operationId} onChange=${typed((value) => change({ for: value }))}>
        <option value="">every request</option>
        ${operations.map((o) => html`<option key=${o.operationId} value=${o.operationId}>${named(o)}</option>`)}
      </select>
      <${Choice} label="How often" options=${often} value=${times}
        onChange=${(/** @type {string} */ value) => change({ times: value })} />
    </div>
    <ul class="presets">${presets.map(({ name, text, rule }) => html`
      <${Preset} key=${name} name=${name} text=${text} rule=${asked(rule)} rules=${rules} />`)}
    </ul>`;
}

/**
 * A preset. A rule of it that is on shows, whatever is chosen; another choice can be added to it.
 * @param {{name: string, text: string, rule: Rule, rules: Rule[]}} props
 */
function Preset({ name, text, rule, rules }) {
  const all = rules.filter((other) => !isOff(other) && leftOf(other) !== 0 && doesOf(other) === doesOf(rule));
  const same = all.find(({ match, times = rule.times }) =>
    times === rule.times && JSON.stringify(match) === JSON.stringify(rule.match));
  const on = same ?? all[0];
  const taker = on && firstOf(rules.slice(0, rules.indexOf(on)), on);
  const card = useRef(/** @type {HTMLElement|null} */ (null));
  const pressed = useRef(false);
  useEffect(() => { // another button has the focus then
    if (pressed.current) card.current?.querySelector("button")?.focus();
    pressed.current = false;
  }, [on?.id]);
  const press = (/** @type {() => void} */ act) => () => {
    pressed.current = true;
    act();
  };
  return html`<li class=${on && !taker ? "preset on" : "preset"} ref=${card}>
    <${same ? "div" : "button"} type=${!same && "button"} class="what"
      onClick=${!same && press(() => void add(rule, name))}>
      <strong>${name}</strong>
      ${on ? html`<span class="state">
        ${!taker ? "On" : taker.times ? `After ${nameOf(taker)}` : `Hidden by ${nameOf(taker)}`}
        ${(!taker || on.match) && ` for ${targetOf(on)}`}
        ${" · "}${on.times ? `${count(on.applied ?? 0)} of ${on.times}×` : plural(on.applied ?? 0, "hit")}
        ${all.length > 1 && ` · ${plural(all.length - 1, "more rule")}`}
      </span>` : html`<span>${text}</span><${Icon} name="play" />`}
    <//>
    ${!same && html`<${Code} label=${name} call=${() => addCall(rules, rule)} />`}
    ${on && html`<span class="pair">
      <button type="button" class="plain-border" aria-label=${`Stop ${name}`}
        onClick=${press(() => void drop(rules, on, `Stopped ${name}.`))}>Stop</button>
      <${Code} label=${`stop ${name}`} call=${() => dropCall(on.id)} />
    </span>`}
  </li>`;
}

/**
 * @param {object} props
 * @param {Rule} props.rule
 * @param {number} props.at
 * @param {Rule[]} props.rules
 * @param {boolean} props.marked
 * @param {(next: Rule[], done: string, label?: string) => void} props.onReplace
 * @param {() => void} props.onEdit
 */
function RuleRow({ rule, at, rules, marked, onReplace, onEdit }) {
  const row = useRef(/** @type {HTMLElement|null} */ (null));
  const [drag, setDrag] = useState(""); // whether it is dragged, or another one over it
  const off = isOff(rule);
  const left = leftOf(rule);
  const taker = firstOf(rules.slice(0, at), rule);
  const preset = likeOf(rule);
  const { operations } = useStore(session);
  const operation = operations.find((one) => one.operationId === rule.match?.operationId);
  /** @param {number} from @param {number} to */
  const place = (from, to) => rules.toSpliced(from, 1).toSpliced(to, 0, rules[from]);
  const next = at + (at < rules.length - 1 ? 1 : -1); // where the handle moves it by a key
  /** @param {number} from @param {number} to */
  const move = (from, to) => {
    if (from === to || !rules[from] || !rules[to]) return;
    onReplace(place(from, to), `Moved rule ${rules[from].id}.`, `move rule ${rules[from].id}`);
    const handle = /** @type {HTMLElement|null} */ (row.current?.querySelector(".handle"));
    if (from === at) requestAnimationFrame(() => handle?.focus()); // a row loses the focus where the list puts it
  };
  const on = !off && left !== 0;
  const hidden = on && taker && !taker.times ? rules.filter((other, i) =>
    !isOff(other) && leftOf(other) !== 0 && firstOf(rules.slice(0, i), other) === taker) : [];
  const reached = rules.flatMap((one) => (one === taker ? [...hidden, one] : hidden.includes(one) ? [] : one));
  const state = on && (!taker || taker.times) ? "" : "off";
  const { times, ...endless } = rule;
  const applied = `applied ${count(rule.applied ?? 0)}${times ? ` of ${times}` : ""}×`;
  const usedUp = left === 0 && !off; // without its count it starts again
  const switched = () => rules.map((other) => (other !== rule ? other : usedUp ? sent(rule) : toggled(rule)));
  const remove = () => void drop(rules, rule, `Deleted rule ${rule.id}.`);
  const toggle = () => onReplace(switched(), `Rule ${rule.id} is ${usedUp ? "on again" : on ? "off" : "on"}.`);
  const lift = (/** @type {DragEvent} */ event) => {
    event.dataTransfer?.setData(DRAGGED, String(at));
    const row = /** @type {HTMLElement} */ (event.target).closest("li");
    if (row) event.dataTransfer?.setDragImage(row, 12, 12);
    setDrag("dragged");
  };
  const hover = (/** @type {DragEvent} */ event) => {
    if (!event.dataTransfer?.types.includes(DRAGGED)) return;
    event.preventDefault();
    setDrag(drag || "over");
  };
  const leave = (/** @type {DragEvent} */ { currentTarget, relatedTarget }) => {
    const row = /** @type {Node} */ (currentTarget);
    if (drag === "over" && !row.contains(/** @type {Node|null} */ (relatedTarget))) setDrag("");
  };
  const take = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    setDrag("");
    move(Number(event.dataTransfer?.getData(DRAGGED)), at);
  };
  const keys = (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    move(at, at + by);
  };
  return html`<li ref=${row} class=${`rule ${state} ${marked ? "marked" : ""} ${drag}`}
    onDragOver=${hover} onDragLeave=${leave} onDrop=${take} onDragEnd=${() => setDrag("")}>
    <button type="button" class="icon handle" draggable="true" disabled=${rules.length === 1}
      aria-label=${`Move rule ${rule.id}`}
      title="Drag it, or press ↑ or ↓" onDragStart=${lift} onKeyDown=${keys}>
      <${Icon} name="handle" />
    </button>
    ${rules.length > 1 && html`
      <${Code} label=${`move rule ${rule.id} by its handle`} call=${() => callOf(place(at, next))} />`}
    <span class="id">${rule.id}</span>
    <button type="button" role="switch" class="switch" aria-checked=${on} aria-label=${`Rule ${rule.id}`}
      onClick=${toggle}></button>
    <${Code} label=${`switch rule ${rule.id} ${on ? "off" : "on"}`} call=${() => callOf(switched())} />
    <div class="grow opens" onClick=${onEdit}>
      <strong class="wire">
        ${targetOf(rule).split(/(?=with )/).map((part) => html`<span>${part}</span> `)}
      </strong>
      ${operation && html`<span class="wire note">${operation.method} ${operation.path}</span>`}
      <p>${effectOf(endless)}${preset && html` <span class="tag">${preset.name}</span>`}</p>
    </div>
    ${taker?.times && on && html`<p class="covered">Not before ${nameOf(taker)} is used up</p>`}
    ${taker && hidden[0] === rule && html`<p class="covered">
      Never reached${hidden.length > 1 && `, with ${plural(hidden.length - 1, "rule")} below`}:
      ${` ${nameOf(taker)}`} takes all
    </p>
    <span class="pair">
      <button type="button" class="plain-border"
        onClick=${() => onReplace(reached, `Moved before ${nameOf(taker)}.`)}>Move up</button>
      <${Code} label=${`move rule ${rule.id} before ${nameOf(taker)}`} call=${() => callOf(reached)} />
    </span>`}
    <span class="applied">
      ${rule.applied
        ? html`<a href=${link({ q: `fault:${rule.id}` })} onClick=${follow}>${applied}</a>`
        : applied}
      ${usedUp && html`<br /><span class="note">used up</span>`}
    </span>
    <${Menu} class="icon" title=${`What to do with rule ${rule.id}`} text=${html`<${Icon} name="more" />`}>
      <${Item} onClick=${onEdit}>Edit…<//>
      <${Item} disabled=${at === 0} onClick=${() => move(at, at - 1)}
        label=${`move rule ${rule.id} up`} call=${() => callOf(place(at, at - 1))}>Move up<//>
      <${Item} disabled=${at === rules.length - 1} onClick=${() => move(at, at + 1)}
        label=${`move rule ${rule.id} down`} call=${() => callOf(place(at, at + 1))}>
        Move down
      <//>
      <${Item} class="danger" onClick=${remove}
        label=${`delete rule ${rule.id}`} call=${() => dropCall(rule.id)}>Delete<//>
    <//>
  </li>`;
}
