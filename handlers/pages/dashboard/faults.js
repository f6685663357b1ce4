// The faults of the sandbox: in one click, and as rules in their order.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { change, useAddress } from "../shell/address.js";
import { get } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Choice, Empty, ErrorNote, Item, Menu } from "../shell/components.js";
import { typed } from "../shell/events.js";
import { count, plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { opened } from "../shell/later.js";
import { onEvent, session, write } from "../shell/session.js";
import { kept, useStore } from "../shell/store.js";
import { paced } from "../shell/stream.js";
import { presets } from "../shell/throttle.js";
import { say, sayError } from "../shell/toast.js";
import { add, addCall, coverOf, PATH } from "./add.js";
import { effectOf, isOff, leftOf, plain, sent, targetOf } from "./rules.js";

/** @typedef {import("../shell/types.js").Rule} Rule */

const RuleDialog = opened(() => import("./rule.js"), "RuleDialog");

const DRAGGED = "application/x-rule"; // the place of a rule that is dragged
const PACE = 1000; // ms from one look at how often rules were applied to the next

const before = kept("sessionStorage", "probabilities"); // of rules that were switched off

export default function Faults() {
  const { for: operationId = "", rule: marked = "" } = useAddress();
  const { changes, summary } = useStore(session);
  const [rules, setRules] = useState(/** @type {Rule[]|null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  const [editing, setEditing] = useState(/** @type {Rule|null} */ (null));
  const take = (/** @type {Rule[]} */ all) => {
    setRules(all);
    setError(null);
  };
  const load = () => get(PATH).then(take, setError);
  useEffect(() => void load(), [changes, summary?.faults]);
  useEffect(() => {
    const count = paced(load, PACE);
    return onEvent(({ name, data }) => name === "request" && data.fault && count());
  }, []);

  const replace = async (/** @type {Rule[]} */ next, /** @type {string} */ done) => {
    const old = rules ?? [];
    try {
      await write(callOf(next));
      const undo = { text: "Undo", run: () => write(callOf(old)).catch(sayError) };
      say(done, { about: ["faults"], call: callOf(next), action: undo });
    } catch (problem) {
      sayError(problem, "faults");
    }
  };
  return html`<div class="page faults stack">
    <section class="stack" aria-labelledby="presets">
      <div class="row">
        <h2 id="presets" class="title grow">Faults</h2>
        <span class="pair">
          <button type="button" disabled=${rules?.length === 0}
            onClick=${() => replace([], "Cleared all faults.")}>Clear all faults</button>
          <${Code} label="clear all faults" call=${() => callOf([])} />
        </span>
      </div>
      <${Presets} operationId=${operationId} rules=${rules ?? []} />
    </section>
    <section class="stack" aria-labelledby="rules">
      <div class="row">
        <h2 id="rules" class="grow">Rules</h2>
        <button type="button" class="primary" onClick=${() => setEditing({ status: 503 })}>
          <${Icon} name="plus" />
          New rule…
        </button>
      </div>
      <${ErrorNote} error=${error} onRetry=${load} />
      ${rules?.length === 0 && html`
        <${Empty} title="No faults">
          <p>Requests are served as usual. Choose a fault above, or make a rule.</p>
        <//>`}
      ${rules && rules.length > 0 && html`
        <p class="note">The first matching rule wins. Changing or reordering rules resets their counts.</p>
        <ol class="rules">${rules.map((rule, i) => html`
          <${RuleRow} key=${rule.id} rule=${rule} at=${i} rules=${rules} marked=${marked === String(rule.id)}
            onReplace=${replace}
            onEdit=${() => setEditing(rule)} />`)}
        </ol>`}
    </section>
    ${editing && html`<${RuleDialog} rule=${editing} rules=${rules ?? []} onClose=${() => setEditing(null)} />`}
  </div>`;
}

/** Whether two rules do the same to the same requests. @param {Rule} a @param {Rule} b */
const sameRule = (a, b) => canonical(plain(a)) === canonical(plain(b));

/** @param {Rule} rule */
const canonical = (rule) => JSON.stringify(Object.entries(rule).sort(([a], [b]) => a.localeCompare(b)));

/** Whether a rule does to every request what the other does, however often. @param {Rule} rule @param {Rule} other */
const isWider = ({ times, ...rule }, { match, times: others, ...other }) => sameRule(rule, other);

/** What puts these rules in the place of all. @param {Rule[]} rules @returns {import("../shell/api.js").Call} */
const callOf = (rules) => ({ method: "PUT", path: PATH, body: rules.map(sent) });

const often = [["", "always"], ["1", "once"], ["2", "twice"], ["5", "5 times"]];

/** @param {{operationId: string, rules: Rule[]}} props */
function Presets({ operationId, rules }) {
  const { operations } = useStore(session);
  const [times, setTimes] = useState("");
  /** @param {Rule} rule @returns {Rule} */
  const asked = (rule) => ({
    ...(operationId && { match: { operationId } }), ...rule, ...(times && { times: Number(times) }),
  });
  return html`
    <div class="row">
      <label for="fault-target">For</label>
      <select id="fault-target" value=${operationId} onChange=${typed((value) => change({ for: value }))}>
        <option value="">every request</option>
        ${operations.map((o) => html`<option key=${o.operationId} value=${o.operationId}>${o.operationId}</option>`)}
      </select>
      <${Choice} label="How often" options=${often} value=${times} onChange=${setTimes} />
    </div>
    <ul class="presets">${presets.map(({ name, text, rule }) => html`
      <${Preset} key=${name} name=${name} text=${text} rule=${asked(rule)} rules=${rules} />`)}
    </ul>`;
}

/** A preset, and whether it is on. @param {{name: string, text: string, rule: Rule, rules: Rule[]}} props */
function Preset({ name, text, rule, rules }) {
  const on = rules.find((other) => leftOf(other) !== 0 && sameRule(other, rule));
  const wider = rules.some((other) => leftOf(other) !== 0 && isWider(other, rule));
  const cover = on && coverOf(rules.slice(0, rules.indexOf(on)), on);
  const stop = { method: "DELETE", path: `${PATH}/${on?.id}` };
  const undo = { text: "Undo", run: () => void add(rule, name) };
  const stopped = () => say(`Stopped ${name}.`, { about: ["faults"], action: undo });
  const card = useRef(/** @type {HTMLElement|null} */ (null));
  const pressed = useRef(false);
  useEffect(() => { // another button is there then, and gets the focus
    if (pressed.current) card.current?.querySelector("button")?.focus();
    pressed.current = false;
  }, [Boolean(on)]);
  const press = () => {
    pressed.current = true;
    void (on ? write(stop).then(stopped, sayError) : add(rule, name));
  };
  if (on) {
    return html`<li class="preset on" ref=${card}>
      <div class="grow">
        <p>
          <strong>${name}</strong>
          ${" "}<span class="state">
            On for ${targetOf(rule)} · ${count(on.applied ?? 0)}×${cover && ", never reached"}
          </span>
        </p>
        <p class="note">${text}</p>
      </div>
      <span class="pair">
        <button type="button" class="plain-border" aria-label=${`Stop ${name}`} onClick=${press}>Stop</button>
        <${Code} label=${`stop ${name}`} call=${() => stop} />
      </span>
    </li>`;
  }
  return html`<li class="preset" ref=${card}>
    <button type="button" onClick=${press}>
      <strong>${name}${wider && html` <span class="state">On for every request</span>`}</strong>
      <span>${text}</span>
    </button>
    <${Code} label=${name} call=${() => addCall(rules, rule)} />
  </li>`;
}

/**
 * @param {object} props
 * @param {Rule} props.rule
 * @param {number} props.at
 * @param {Rule[]} props.rules
 * @param {boolean} props.marked
 * @param {(next: Rule[], done: string) => void} props.onReplace
 * @param {() => void} props.onEdit
 */
function RuleRow({ rule, at, rules, marked, onReplace, onEdit }) {
  const [over, setOver] = useState(false);
  const off = isOff(rule);
  const left = leftOf(rule);
  const cover = coverOf(rules.slice(0, at), rule);
  const { match, times, ...does } = plain(rule);
  const preset = presets.find((one) => sameRule(does, one.rule));
  /** @param {number} from @param {number} to */
  const place = (from, to) => rules.toSpliced(from, 1).toSpliced(to, 0, rules[from]);
  const move = (/** @type {number} */ by) => {
    if (rules[at + by]) onReplace(place(at, at + by), `Moved rule ${rule.id}.`);
  };
  const on = !off && left !== 0;
  const usedUp = left === 0 && !off; // it begins anew when all rules are sent
  const switched = () => rules.map((other) => (other === rule && !usedUp ? toggled(rule) : other));
  const drop = { method: "DELETE", path: `${PATH}/${rule.id}` };
  const undo = { text: "Undo", run: () => onReplace(rules, "Restored the rule.") };
  const removed = () => say(`Deleted rule ${rule.id}.`, { about: ["faults"], action: undo });
  const remove = () => write(drop).then(removed, sayError);
  const toggle = () => {
    remember(rule);
    onReplace(switched(), on ? `Rule ${rule.id} is off.` : `Rule ${rule.id} is on.`);
  };
  const lift = (/** @type {DragEvent} */ event) => {
    event.dataTransfer?.setData(DRAGGED, String(at));
    const row = /** @type {HTMLElement} */ (event.target).closest("li");
    if (row) event.dataTransfer?.setDragImage(row, 12, 12);
  };
  const hover = (/** @type {DragEvent} */ event) => {
    if (!event.dataTransfer?.types.includes(DRAGGED)) return;
    event.preventDefault();
    setOver(true);
  };
  const take = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    setOver(false);
    const from = Number(event.dataTransfer?.getData(DRAGGED));
    if (from !== at && rules[from]) onReplace(place(from, at), `Moved rule ${rules[from].id}.`);
  };
  const keys = (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    move(by);
  };
  return html`<li class=${`rule ${on ? "" : "off"} ${marked ? "marked" : ""} ${over ? "over" : ""}`}
    onDragOver=${hover} onDragLeave=${() => setOver(false)} onDrop=${take}>
    <button type="button" class="icon handle" draggable="true" disabled=${rules.length === 1}
      aria-label=${`Move rule ${rule.id}`}
      title="Drag it, or press ↑ or ↓" onDragStart=${lift} onKeyDown=${keys}>
      <${Icon} name="handle" />
    </button>
    <span class="note">rule <span class="id">${rule.id}</span></span>
    <button type="button" role="switch" class="switch" aria-checked=${on} aria-label=${`Rule ${rule.id}`}
      onClick=${toggle}></button>
    <${Code} label=${`switch rule ${rule.id} ${on ? "off" : "on"}`} call=${() => callOf(switched())} />
    <div class="grow">
      <strong class="wire">${targetOf(rule)}</strong>
      <p>${effectOf(rule)}${preset && html` <span class="tag">${preset.name}</span>`}</p>
      ${cover && !off && html`<p class="note">never reached: rule ${cover.id} takes all</p>`}
    </div>
    <span class="applied">
      ${off ? "switched off" : `applied ${count(rule.applied ?? 0)}×`}
      ${left !== undefined && !off && html`
        <br />
        <span class="note">${left === 0 ? "used up" : `${plural(left, "time")} left`}</span>`}
    </span>
    <${Menu} class="icon" title=${`What to do with rule ${rule.id}`} text=${html`<${Icon} name="more" />`}>
      <${Item} onClick=${onEdit}>Edit…<//>
      <${Item} disabled=${at === 0} onClick=${() => move(-1)}
        label=${`move rule ${rule.id} up`} call=${() => callOf(place(at, at - 1))}>Move up<//>
      <${Item} disabled=${at === rules.length - 1} onClick=${() => move(1)}
        label=${`move rule ${rule.id} down`} call=${() => callOf(place(at, at + 1))}>
        Move down
      <//>
      <${Item} class="danger" onClick=${remove} label=${`delete rule ${rule.id}`} call=${() => drop}>Delete<//>
    <//>
  </li>`;
}

/** Remembers the probability of a rule that is to be switched off. @param {Rule} rule */
function remember(rule) {
  const { probability = 1, ...rest } = plain(rule);
  if (!isOff(rule)) before.set(JSON.stringify({ ...remembered(), [JSON.stringify(rest)]: probability }));
}

const remembered = () => JSON.parse(before.get() || "{}");

/** The rule switched off by a probability of 0, or on again with what it had. @param {Rule} rule @returns {Rule} */
function toggled(rule) {
  const { probability, ...rest } = sent(rule);
  if (!isOff(rule)) return { ...rest, probability: 0 };
  const { id, ...key } = rest;
  const had = remembered()[JSON.stringify(key)] ?? 1;
  return had === 1 ? rest : { ...rest, probability: had };
}
