// The faults of the sandbox: in one click, and as rules in their order.

import { html, useEffect, useState } from "../library/preact.js";
import { change, useAddress } from "../shell/address.js";
import { get } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Choice, Empty, ErrorNote } from "../shell/components.js";
import { typed } from "../shell/events.js";
import { count, plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { session, write } from "../shell/session.js";
import { kept, useStore } from "../shell/store.js";
import { presets } from "../shell/throttle.js";
import { say, sayError } from "../shell/toast.js";
import { add, addCall, coverOf, PATH } from "./add.js";
import { RuleDialog } from "./rule.js";
import { effectOf, isOff, leftOf, plain, sent, targetOf } from "./rules.js";

/** @typedef {import("../shell/types.js").Rule} Rule */

const LOOK = 2000; // ms between looks at how often rules were applied

const before = kept("sessionStorage", "probabilities"); // of rules that were switched off

export default function Faults() {
  const { for: operationId = "", rule: marked = "" } = useAddress();
  const { changes, summary } = useStore(session);
  const [rules, setRules] = useState(/** @type {Rule[]|null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  const [editing, setEditing] = useState(/** @type {Rule|null} */ (null));
  const load = () => get(PATH).then((all) => { setRules(all); setError(null); }, setError);
  useEffect(() => {
    void load();
    const timer = setInterval(() => document.hidden || load(), LOOK);
    return () => clearInterval(timer);
  }, [changes, summary?.faults]);

  const replace = async (/** @type {Rule[]} */ next, /** @type {string} */ done) => {
    const old = rules ?? [];
    try {
      await write(callOf(next));
      say(done, { about: ["faults"], call: callOf(next), action: { text: "Undo", run: () => write(callOf(old)).catch(sayError) } });
    } catch (problem) {
      sayError(problem, "faults");
    }
  };
  const normal = { method: "DELETE", path: PATH };
  return html`<div class="page faults stack">
    <section class="stack" aria-labelledby="presets">
      <div class="row"><h2 id="presets" class="title grow">Faults</h2>
        <span class="pair"><button type="button" disabled=${rules?.length === 0} onClick=${() => replace([], "Cleared all faults.")}>Clear all faults</button>
          <${Code} label="clear all faults" call=${() => normal} /></span></div>
      <${Presets} operationId=${operationId} rules=${rules ?? []} />
    </section>
    <section class="stack" aria-labelledby="rules">
      <div class="row"><h2 id="rules" class="grow">Rules</h2><button type="button" class="primary" onClick=${() => setEditing({})}><${Icon} name="plus" />New rule…</button></div>
      <${ErrorNote} error=${error} onRetry=${load} />
      ${rules?.length === 0 && html`<${Empty} title="No faults"><p>Requests are served as usual. Choose a fault above, or make a rule.</p><//>`}
      ${rules && rules.length > 0 && html`<p class="note">The first matching rule wins. Changing or reordering rules resets their counts.</p>
        <ol class="rules">${rules.map((rule, i) => html`<${RuleRow} key=${rule.id} rule=${rule} at=${i} rules=${rules} marked=${marked === String(rule.id)} onReplace=${replace} onEdit=${() => setEditing(rule)} />`)}</ol>`}
    </section>
    ${editing && html`<${RuleDialog} rule=${editing} rules=${rules ?? []} onClose=${() => setEditing(null)} />`}
  </div>`;
}

/** Whether two rules do the same to the same requests. @param {Rule} a @param {Rule} b */
const sameRule = (a, b) => canonical(plain(a)) === canonical(plain(b));

/** @param {Rule} rule */
const canonical = (rule) => JSON.stringify(Object.entries(rule).sort(([a], [b]) => a.localeCompare(b)));

/** What puts these rules in the place of all. @param {Rule[]} rules @returns {import("../shell/api.js").Call} */
const callOf = (rules) => ({ method: "PUT", path: PATH, body: rules.map(sent) });

/** @param {{operationId: string, rules: Rule[]}} props */
function Presets({ operationId, rules }) {
  const { operations } = useStore(session);
  const [times, setTimes] = useState("");
  /** @param {Rule} rule @returns {Rule} */
  const asked = (rule) => ({ ...(operationId && { match: { operationId } }), ...rule, ...(times && { times: Number(times) }) });
  return html`
    <div class="row">
      <label for="fault-target">For</label>
      <select id="fault-target" value=${operationId} onChange=${typed((value) => change({ for: value }))}>
        <option value="">every request</option>
        ${operations.map((o) => html`<option key=${o.operationId} value=${o.operationId}>${o.operationId}</option>`)}
      </select>
      <${Choice} label="How often" options=${[["", "always"], ["1", "once"], ["2", "twice"], ["5", "5 times"]]} value=${times} onChange=${setTimes} />
    </div>
    <ul class="presets">${presets.map(({ name, text, rule }) => html`
      <${Preset} key=${name} name=${name} text=${text} rule=${asked(rule)} rules=${rules} />`)}
    </ul>`;
}

/** A preset, and whether it is on. @param {{name: string, text: string, rule: Rule, rules: Rule[]}} props */
function Preset({ name, text, rule, rules }) {
  const on = rules.find((other) => leftOf(other) !== 0 && sameRule(other, rule));
  const stop = { method: "DELETE", path: `${PATH}/${on?.id}` };
  const run = () => (on
    ? write(stop).then(() => say(`Stopped ${name}.`, { about: ["faults"], action: { text: "Undo", run: () => void add(rule, name) } }), sayError)
    : add(rule, name));
  const state = on && `On for ${targetOf(rule)} · ${count(on.applied ?? 0)}×. Press to stop.`;
  return html`<li class=${on ? "on" : ""}>
    <button type="button" class="preset" aria-pressed=${Boolean(on)} onClick=${run}>
      <strong>${name}</strong>
      <span>${state ?? text}</span>
    </button>
    <${Code} label=${name} call=${() => (on ? stop : addCall(rules, rule))} />
  </li>`;
}

/** @param {{rule: Rule, at: number, rules: Rule[], marked: boolean, onReplace: (next: Rule[], done: string) => void, onEdit: () => void}} props */
function RuleRow({ rule, at, rules, marked, onReplace, onEdit }) {
  const off = isOff(rule);
  const left = leftOf(rule);
  const cover = coverOf(rules.slice(0, at), rule);
  const moved = (/** @type {number} */ by) => rules.toSpliced(at, 1).toSpliced(at + by, 0, rule);
  const move = (/** @type {number} */ by) => onReplace(moved(by), `Moved rule ${rule.id}.`);
  const switched = () => rules.map((other) => (other === rule ? toggled(rule) : other));
  const without = rules.filter((other) => other !== rule);
  const drop = { method: "DELETE", path: `${PATH}/${rule.id}` };
  const remove = () => write(drop).then(() => say(`Deleted rule ${rule.id}.`, { about: ["faults"], action: { text: "Undo", run: () => onReplace(rules, "Restored the rule.") } }), sayError);
  const toggle = () => {
    remember(rule);
    onReplace(switched(), off ? `Rule ${rule.id} is on.` : `Rule ${rule.id} is off.`);
  };
  return html`<li class=${`rule ${off || left === 0 ? "off" : ""} ${marked ? "marked" : ""}`}>
    <span class="id note">${rule.id}</span>
    <button type="button" role="switch" class="switch" aria-checked=${!off} aria-label=${`Rule ${rule.id}`} onClick=${toggle}></button>
    <${Code} label=${`switch rule ${rule.id} ${off ? "on" : "off"}`} call=${() => callOf(switched())} />
    <div class="grow">
      <strong class="wire">${targetOf(rule)}</strong>
      <p>${effectOf(rule)}</p>
      ${cover && !off && html`<p class="note">never reached: rule ${cover.id} takes all</p>`}
    </div>
    <span class="applied">
      ${off ? "switched off" : `applied ${count(rule.applied ?? 0)}×`}
      ${left !== undefined && !off && html`<br /><span class="note">${left === 0 ? "used up" : `${plural(left, "time")} left`}</span>`}
    </span>
    <span class="row tools">
      <button type="button" class="icon" disabled=${at === 0} aria-label="Move up" title="Move up" onClick=${() => move(-1)}>
        <${Icon} name="up-arrow" />
      </button>
      <button type="button" class="icon" disabled=${at === rules.length - 1} aria-label="Move down" title="Move down" onClick=${() => move(1)}>
        <${Icon} name="down-arrow" />
      </button>
      ${rules.length > 1 && html`<${Code} label=${`move rule ${rule.id}`} call=${() => callOf(moved(at === 0 ? 1 : -1))} />`}
      <button type="button" onClick=${onEdit}>Edit…</button>
      <button type="button" class="danger" onClick=${remove}>Delete</button>
      <${Code} label=${`delete rule ${rule.id}`} call=${() => drop} />
    </span>
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
