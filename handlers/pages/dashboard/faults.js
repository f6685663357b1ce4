// The faults of the sandbox: presets to turn on, and the list of rules.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { change, useAddress } from "../shell/address.js";
import { get } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Choice, Empty, ErrorNote } from "../shell/components.js";
import { typed } from "../shell/events.js";
import { plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { opened } from "../shell/later.js";
import { onEvent, session, write } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { paced } from "../shell/stream.js";
import { PATH, presets, sayRules, throttled } from "../shell/throttle.js";
import { sayError, unsay } from "../shell/toast.js";
import { add, addCall, allCall, drop, dropCall, firstOf } from "./add.js";
import { canFail, doesOf, hitsOf, isOff, leftOf, named, nameOf, targetOf } from "./rules.js";

/** @typedef {import("../shell/types.js").Rule} Rule */

const RuleDialog = opened(() => import("./rule.js"), "RuleDialog");
const RuleList = opened(() => import("./rulelist.js"), "RuleList");

const PACE = 1000; // ms between two readings of how often rules were applied

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
      isNew() && then(value); // ignores a reading from before a write
    return get(PATH).then(ifNew(take), ifNew(setError));
  };
  useEffect(() => void load(), [changes, summary?.faults]);
  useEffect(() => () => unsay("rule"), []); // about an editor here
  useEffect(() => {
    const count = paced(load, PACE);
    return onEvent(({ name, data }) => name === "request" && data.fault && count());
  }, []);

  /** Returns the rule for the chosen operation and times. @param {Rule} rule @returns {Rule} */
  const asked = (rule) => ({
    ...(operationId && { match: { operationId } }), ...rule, ...(times && { times: Number(times) }),
  });
  const replace = async (/** @type {Rule[]} */ next, /** @type {string} */ done, label = "") => {
    const old = rules ?? [];
    setRules(next); // so that the next click is about these
    unsay("faults"); // its Undo would restore the rules from before old
    turn.writes++;
    const call = label ? { ...allCall(next), label } : allCall(next);
    turn.last = turn.last.catch(() => undefined).then(() => write(call)).finally(() => {
      turn.writes--;
      turn.looks++;
    });
    try {
      await turn.last;
      sayRules(done, old, next, undefined, allCall(next));
    } catch (problem) {
      sayError(problem, "faults");
    }
  };
  const clear = () => {
    adding.current?.focus(); // the button disappears
    void replace([], "Cleared all faults.");
  };
  const { last } = useStore(throttled);
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
          <${Code} label="clear all faults" call=${() => allCall([])} />
        </span>`}
        <button type="button" class="primary" ref=${adding} onClick=${() => setEditing(asked({ status: 503 }))}>
          <${Icon} name="plus" />
          New rule…
        </button>
      </div>
      <${ErrorNote} error=${error} onRetry=${load} read=${rules} />
      ${rules?.length === 0 && html`
        <${Empty} title="No rules">
          <p>Requests are served as usual. Choose a fault above, or make a rule.</p>
          ${last?.all && last.holds([]) && html`<button type="button" class="plain-border" onClick=${last.run}>
            Bring back ${plural(last.back([]).length, "rule")}
          </button>`}
        <//>`}
      ${rules && rules.length > 0 && html`
        <${RuleList} rules=${rules} marked=${marked} onReplace=${replace} onEdit=${setEditing} />`}
    </section>
    ${editing && html`
      <${RuleDialog} rule=${editing} rules=${rules ?? []} onEdit=${setEditing} onClose=${() => setEditing(null)} />`}
  </div>`;
}

const often = [["", "always"], ["1", "once"], ["2", "twice"], ["5", "5 times"]];

/** @param {{operationId: string, times: string, asked: (rule: Rule) => Rule, rules: Rule[]}} props */
function Presets({ operationId, times, asked, rules }) {
  const { operations } = useStore(session);
  return html`
    <div class="row">
      <label for="fault-target">Turn on for</label>
      <select id="fault-target" value=${operationId} onChange=${typed((value) => change({ for: value }))}>
        <option value="">every request</option>
        ${operations.filter(canFail).map((o) => html`
          <option key=${o.operationId} value=${o.operationId}>${named(o)}</option>`)}
      </select>
      <${Choice} label="How often" options=${often} value=${times}
        onChange=${(/** @type {string} */ value) => change({ times: value })} />
    </div>
    <ul class="presets">${presets.map(({ name, text, rule }) => html`
      <${Preset} key=${name} name=${name} text=${text} rule=${asked(rule)} rules=${rules} />`)}
    </ul>`;
}

/**
 * A preset. If it is on, shows where, and can add another rule with the current choice.
 * @param {{name: string, text: string, rule: Rule, rules: Rule[]}} props
 */
function Preset({ name, text, rule, rules }) {
  const all = rules.filter((other) => !isOff(other) && leftOf(other) !== 0 && doesOf(other) === doesOf(rule));
  const same = all.some(({ match, times = rule.times }) =>
    times === rule.times && JSON.stringify(match) === JSON.stringify(rule.match));
  const takers = all.map((one) => firstOf(rules.slice(0, rules.indexOf(one)), one));
  const on = all.filter((_, i) => !takers[i]);
  const shown = on[0] ? on : all;
  const [first] = shown;
  const taker = on.length === 0 && takers[0];
  const card = useRef(/** @type {HTMLElement|null} */ (null));
  const pressed = useRef(false);
  useEffect(() => { // the focused button has been replaced
    if (pressed.current) card.current?.querySelector("button")?.focus();
    pressed.current = false;
  }, [all.length]);
  const press = (/** @type {() => void} */ act) => () => {
    pressed.current = true;
    act();
  };
  const turnOn = press(() => void add(rule, name));
  const hits = shown[1] ? { applied: shown.reduce((n, { applied = 0 }) => n + applied, 0) } : first;
  return html`<li class=${on[0] ? "preset on" : "preset"} ref=${card}>
    <${first ? "div" : "button"} type=${!first && "button"} class="what" onClick=${!first && turnOn}>
      <strong>${name}</strong>
      ${first && html`<span class="state">
        ${!taker ? "On" : taker.times ? `After ${nameOf(taker)}` : `Hidden by ${nameOf(taker)}`}
        ${(!taker || first.match) && ` for ${[...new Set(shown.map(targetOf))].join(" and ")}`}
        ${` · ${hitsOf(hits)}`}
      </span>`}
      <span>${text} ${first
        ? !same && html`<button type="button" class="quiet also" onClick=${turnOn}>
          Add it for ${targetOf(rule)}${rule.times ? `, ${plural(rule.times, "time")}` : ""}</button>`
        : html`<em aria-hidden="true">Turn on</em>`}</span>
    <//>
    ${!same && html`<${Code} label=${name} call=${() => addCall(rules, rule)} />`}
    ${first && html`<span class="pair">
      <button type="button" class="plain-border" aria-label=${`Stop ${name}`}
        onClick=${press(() => void drop(rules, all, `Stopped ${name}.`))}>Stop</button>
      <${Code} label=${`stop ${name}`} call=${() => dropCall(rules, all)} />
    </span>`}
  </li>`;
}
