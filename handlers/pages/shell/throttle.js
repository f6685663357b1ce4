// The throttle menu, as in browsers: faults for every request of the sandbox.

import { html, useEffect } from "../library/preact.js";
import { get } from "./api.js";
import { Item, Menu } from "./components.js";
import { plural } from "./format.js";
import { Icon } from "./icon.js";
import { session, write } from "./session.js";
import { createStore, useStore } from "./store.js";
import { say, sayError } from "./toast.js";

/** @typedef {import("./types.js").Rule} Rule */

export const PATH = "admin/faults";

/** The presets in force, the number of other rules in force, all rules, and this page's last change to them. */
export const throttled = createStore({
  on: /** @type {typeof presets} */ ([]), others: 0, rules: /** @type {Rule[]} */ ([]),
  last: /** @type {import("./types.js").Change|undefined} */ (undefined),
});

/** @type {{name: string, text: string, rule: Rule}[]} */
export const presets = [
  { name: "Slow", text: "Waits 200 to 800 ms", rule: { delay: { fixedMs: 200, jitterMs: 600 } } },
  { name: "Slow 3G", text: "Waits about 2 s, 1 in 100 over 5 s", rule: { delay: { p50Ms: 2000, p99Ms: 5000 } } },
  { name: "Flaky", text: "1 in 10 gets a 503", rule: { probability: 0.1, status: 503 } },
  { name: "Down", text: "Responds 503", rule: { status: 503 } },
  { name: "Cut off", text: "Breaks off in the middle", rule: { abort: "truncate" } },
  { name: "Loses responses", text: "Writes, but sends no response", rule: { when: "after", abort: "reset" } },
];

/** A text that is equal for rules with the same effect on the same requests. @param {Rule} rule */
export const signature = ({ id, applied, ...rule }) =>
  JSON.stringify(Object.entries(rule).sort(([a], [b]) => a.localeCompare(b)));

/** Returns the preset that the rule equals, if any. @param {Rule} rule */
export const presetOf = (rule) => presets.find((preset) => signature(preset.rule) === signature(rule));

/** Returns the rule's match with its operation's method and path. @param {Rule} rule @returns {Record<string, any>} */
export function matchOf({ match = {} }) {
  const operation = session.get().operations?.find((one) => one.operationId === match.operationId);
  return { method: operation?.method, path: operation?.path.replace(/{\w+}/g, "*"), ...match };
}

/**
 * Whether pattern a fits every path that b fits, by segment.
 * @param {string[]} a @param {string[]} b @returns {boolean}
 */
const spans = ([one, ...a], [other, ...b]) => one === "**" || one === undefined && other === undefined
  || (one === other || one === "*" && !!other && other !== "**") && spans(a, b);

/** Whether a rule takes every request of a later rule. @param {Rule} rule @param {Rule} other */
export function covers({ off, match = {}, probability = 1, times }, other) {
  const { path, ...rest } = match;
  const of = matchOf(other);
  if (of.method === "GET") of.method = other.match?.method; // a GET operation also serves HEAD
  return !off && probability === 1 && times === undefined
    && Object.entries(rest).every(([name, value]) => JSON.stringify(value) === JSON.stringify(of[name]))
    && (!path || !!of.path && spans(path.split("/"), of.path.split("/")));
}

/** @param {Rule} rule */
const isUsedUp = ({ times = Infinity, applied = 0 }) => applied >= times;

/**
 * Returns the rules to create again: with the times that remain of each, without those used up.
 * @param {Rule[]} rules
 * @returns {Rule[]}
 */
export const carried = (rules) => rules.filter((rule) => !isUsedUp(rule)).map(({ applied = 0, ...rule }) =>
  (rule.times === undefined ? rule : { ...rule, times: rule.times - applied }));

/**
 * Returns the rules for an Undo: those before the change, except rules deleted since, and rules that others have added.
 * @param {Rule[]} before
 * @param {Rule[]} after  right after the change
 * @param {Rule[]} now
 */
export function undone(before, after, now) {
  const of = (/** @type {Rule[]} */ rules, /** @type {Rule} */ { id }) => rules.find((rule) => rule.id === id);
  const back = before.filter((rule) => !of(after, rule) || of(now, rule))
    .map((rule) => (!of(after, rule) && of(now, rule)) || rule); // a rule that came back stays as it is now
  return [...back, ...now.filter((rule) => !of(before, rule) && !of(after, rule))];
}

/** Returns the Undo of a change to the rules. @param {Rule[]} before @param {Rule[]} after */
export const restore = (before, after) => async () => {
  /** @type {Rule[]} */
  const now = await get(PATH);
  await write({ method: "PUT", path: PATH, body: undone(before, after, now) });
  say("Undone.", { about: ["faults"] });
};

/** @param {number} id */
export const remove = (id) => () => write({ method: "DELETE", path: `${PATH}/${id}` });

/** Returns a text that identifies a list of rules. @param {Rule[]} rules */
const keyOf = (rules) => rules.map((rule) => rule.id + signature(rule)).join();

/**
 * Says what was done to the rules, until the rules are such that Undo would change nothing.
 * @param {string} done
 * @param {Rule[]} before
 * @param {Rule[]} after
 * @param {() => Promise<any>} [undo]
 * @param {import("./api.js").Call} [call]
 */
export function sayRules(done, before, after, undo = restore(before, after), call = undefined) {
  const back = (/** @type {Rule[]} */ now) => undone(before, after, now);
  const holds = (/** @type {Rule[]} */ now) => keyOf(back(now)) !== keyOf(now);
  const gone = { message: "Couldn't undo: that rule no longer exists." };
  const fail = (/** @type {any} */ error) => sayError(error.code === "not_found" ? gone : error, "faults");
  const action = { text: "Undo", run: () => void undo().catch(fail) };
  throttled.set({ last: { done, back, holds, run: action.run, all: !after[0] } });
  say(done, { about: ["faults"], holds: holds(after) ? holds : undefined, call, action });
}

/** @param {Rule} rule */
const isOn = (rule) => !isUsedUp(rule) && !rule.off && rule.probability !== 0;

/** Returns the rules that can still apply. @param {Rule[]} rules */
const inForce = (rules) => rules.filter((rule, i) => isOn(rule) && !rules.slice(0, i).some((one) => covers(one, rule)));

/** Says how many rules stay without a preset, or returns "". @param {Rule[]} rules */
function staying(rules) {
  const { length } = inForce(rules).filter((rule) => !presetOf(rule));
  return length > 0 ? `${plural(length, "fault")} ${length === 1 ? "stays" : "stay"}` : "";
}

/** Says how many rules come before another. @param {Rule[]} rules */
export function afterOf(rules) {
  const { length } = rules.filter(isOn);
  return length > 0 ? `, after ${plural(length, "other rule")}` : "";
}

/**
 * Returns the call that sets a preset. It goes after the rules for some requests, and replaces a copy that is off.
 * @param {Rule[]} rules  @param {typeof presets[0]} [preset]  missing: none
 */
function callOf(rules, preset) {
  const body = rules.filter(({ off, ...rule }) => (off ? presetOf(rule) !== preset || !preset : !presetOf(rule)));
  const at = body.findIndex((rule) => covers(rule, {}));
  if (preset) body.splice(at < 0 ? body.length : at, 0, preset.rule);
  return { method: "PUT", path: PATH, label: preset ? `${preset.name} for every request` : "no preset", body };
}

/** Applies one preset to every request. @param {typeof presets[0]} [preset]  missing: none */
export async function throttle(preset) {
  try {
    const before = /** @type {Rule[]} */ (await get(PATH));
    const { data } = await write(callOf(before, preset));
    const none = staying(data) ? `Back to normal. ${staying(data)}.` : "Requests are served as usual.";
    const at = data.findIndex(presetOf);
    const done = preset ? `${preset.name} now applies to every request${afterOf(data.slice(0, at))}.` : none;
    sayRules(done, before, data);
  } catch (error) {
    sayError(error, "faults");
  }
}

/** @param {{summary?: import("./types.js").Summary}} props */
export function Throttle({ summary }) {
  const { on, rules } = useStore(throttled);
  const faults = summary?.faults ?? 0;
  useEffect(() => {
    const tell = (/** @type {Rule[]} */ rules) => {
      const reached = inForce(rules);
      const on = reached.flatMap((rule) => presetOf(rule) ?? []);
      throttled.set({ on: [...new Set(on)], others: reached.length - on.length, rules });
    };
    if (faults > 0) get(PATH).then(tell, () => undefined); // other parts of the page report the error
    else tell([]);
  }, [faults, summary]);
  const names = on.length > 0 ? on.map(({ name }) => name) : ["Normal"];
  const label = html`
    <${Icon} name="gauge" />
    <span>${names[0]}${on.length > 1 && ` +${on.length - 1}`}</span>`;
  return html`
    <${Menu} class=${`throttle${on.length > 0 ? " on" : ""}${summary ? "" : " unread"}`}
      title=${`Throttle: ${names.join(", ")}`}
      text=${label}>
      ${[undefined, ...presets].map((preset) => html`
        <${Item} key=${preset?.name} role="menuitemradio" onClick=${() => void throttle(preset)}
          aria-checked=${preset ? on.includes(preset) : on.length === 0}
          label=${callOf(rules, preset).label} call=${() => callOf(rules, preset)}>
          <${Icon} name="check" />
          ${preset?.name ?? "Normal"}
          <small>${preset ? preset.text : on.length > 0 && staying(rules)}</small>
        <//>`)}
    <//>`;
}
