// An editor for one fault rule, as a sentence or as JSON.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { Code } from "../shell/calls.js";
import { Choice, Dialog, ErrorNote, Field } from "../shell/components.js";
import { checked, typed } from "../shell/events.js";
import { useFailure } from "../shell/failure.js";
import { capital } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { session, write } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { covers, PATH, sayRules } from "../shell/throttle.js";
import { say, unsay } from "../shell/toast.js";
import { allCall, takerOf, undoOf } from "./add.js";
import { hitsOf } from "./hits.js";
import { follow, journal } from "./journal.js";
import { canFail, chanceOf, named, nameOf, plain, targetOf } from "./rules.js";

/** @typedef {import("../shell/types.js").Rule} Rule */

/** The unsaved input, by rule: as a form, or as a text. @type {Map<number|undefined, any>} */
const drafts = new Map();

/**
 * @param {object} props
 * @param {Rule} props.rule
 * @param {Rule[]} props.rules
 * @param {(rule: Rule|null) => void} props.onEdit  opens another rule, or closes the dialog
 */
export function RuleDialog({ rule, rules, onEdit }) {
  const draft = drafts.get(rule.id);
  const [as, setAs] = useState(draft?.as ?? "form");
  const [edited, setEdited] = useState(/** @type {() => Rule} */ (() => draft?.edited ?? plain(rule)));
  const [text, setText] = useState(draft?.text ?? "");
  useEffect(() => unsay("rule"), []);
  const close = () => {
    drafts.delete(rule.id);
    onEdit(null);
  };
  const [error, setError] = useFailure();
  const [chosen, setChosen] = useState(/** @type {boolean|undefined} */ (undefined));
  const [corrected, setCorrected] = useState(/** @type {string[]} */ ([])); // members edited since the refusal
  const form = useRef(/** @type {HTMLFormElement|null} */ (null));
  useEffect(() => {
    /** @type {HTMLElement|null|undefined} */ (form.current?.querySelector("[aria-invalid]"))?.focus();
  }, [error]);
  const parsed = () => (as === "form" ? edited : ruleOf(text));
  const at = rules.findIndex((other) => other.id === rule.id);
  const isNew = at < 0;
  const known = as === "form" ? edited : ruleIn(text);
  const earlier = isNew ? rules : rules.slice(0, at);
  const taker = known && takerOf(earlier, known);
  const first = taker && (chosen ?? (isNew && covers(taker, known))); // whether to put the rule before the taker
  const to = first ? rules.indexOf(taker) : at;

  /** @returns {import("../shell/api.js").Call} */
  const call = () => {
    if (to < 0) return { method: "POST", path: PATH, body: as === "form" ? edited : text };
    return allCall(rules.filter((_, i) => i !== at).toSpliced(to, 0, { id: rule.id, ...parsed() }));
  };
  const show = (/** @type {string} */ next) => {
    if (next === as) return;
    if (!error?.details) setError(null);
    try {
      if (next === "json") setText(JSON.stringify(edited, null, 2));
      else setEdited(ruleOf(text));
      setAs(next);
    } catch (problem) {
      setError(problem);
    }
  };
  const leave = () => {
    setError(null);
    setAs("form");
  };
  const keep = () => { // as Escape does
    const is = as === "form" ? JSON.stringify(edited) : text;
    close();
    if (is === JSON.stringify(plain(rule), null, as === "form" ? 0 : 2)) return;
    drafts.set(rule.id, { as, edited, text });
    const run = () => onEdit(rule);
    say(isNew ? "The new rule is not added." : `Unsaved changes to rule ${rule.id}.`,
      { about: ["rule"], action: { text: "Resume", run, here: true } });
  };
  const type = typed((next) => {
    setText(next);
    setError(null);
  });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setError(null);
    setCorrected([]);
    if (as === "form" && isIdle(edited)) return setError({ details: [{ field: "/status", message: NOTHING }] });
    try {
      const done = isNew ? `A new rule applies to ${targetOf(parsed())}` : "Changed the rule";
      const place = taker ? `, ${first ? "before" : "after"} ${nameOf(taker)}` : "";
      const { data } = await write(call());
      const all = Array.isArray(data) ? data : [...rules, data];
      sayRules(`${done}${place}.`, rules, all, isNew ? undoOf(data) : undefined);
      close();
    } catch (problem) {
      setError(problem);
    }
  };
  const all = problemsOf(error, to);
  const wrong = all.filter(([name]) => !corrected.includes(name));
  const isWrong = all.length > 0 ? wrong.length > 0 : error;
  const told = as === "form" ? Object.fromEntries(wrong.filter(([name]) => inForm.includes(name))) : {};
  const others = wrong.filter(([name]) => !(name in told) && !wrong.some(([one]) => one.startsWith(`${name}.`)));
  const correct = (/** @type {string} */ name) =>
    (all.length > 0 ? setCorrected((before) => [...before, name]) : setError(null));
  const title = isNew ? "New rule" : `Edit rule ${rule.id}`;
  const warning = taker && html`<div class="why">
    <p role="status">${capital(nameOf(taker))} goes first for ${targetOf(taker)}${chanceOf(taker)}.</p>
    <label class="check">
      <input type="checkbox" checked=${first} onChange=${checked(setChosen)} />
      Put this rule before it
    </label>
  </div>`;
  return html`<${Dialog} title=${title} class="wide" onClose=${keep}><form ref=${form} class="stack"
      onSubmit=${submit}>
    <${Choice} label="How to edit it" options=${[["form", "Form"], ["json", "JSON"]]} value=${as} onChange=${show} />
    ${as === "form"
      ? html`<${Form} rule=${edited} told=${told} onCorrect=${correct} onChange=${setEdited}>${warning}<//>`
      : html`<${Field} label="The rule as JSON">${(/** @type {any} */ attributes) => html`
          <textarea ...${attributes} rows=${Math.max(6, Math.min(14, text.split("\n").length + 1))} spellcheck=${false}
            value=${text} onInput=${type}></textarea>`}
        <//>${warning}`}
    ${error && all.length === 0 && html`<${ErrorNote} error=${error} />`}
    ${error?.json && html`<div><button type="button" onClick=${leave}>Discard, and go back to the form</button></div>`}
    ${others.length > 0 && html`<div class="error-note" role="alert">
      <ul>${others.map(([name, message]) => html`
        <li key=${name}><span class="wire">${name}</span> ${message}</li>`)}
      </ul>
    </div>`}
    <div class="row">
      <button class="primary">${isNew ? "Add" : "Save"}</button>
      <${Code} label=${isNew ? "add the rule" : `change rule ${rule.id}`} call=${call} />
      <button type="button" onClick=${close}>Cancel</button>
      ${known && !isWrong && html`<${Hits} rule=${known} before=${first ? rules.slice(0, to) : earlier} />`}
    </div>
  </form><//>`;
}

/** Says how many recent requests the rule would have hit. @param {{rule: Rule, before: Rule[]}} props */
function Hits({ rule, before }) {
  const { entries, loading } = useStore(journal);
  useEffect(follow, []);
  return html`<p class="note" role="status">${!loading && hitsOf(rule, entries, before)}</p>`;
}

/** Returns the rule of a JSON text, without null members. Throws if it is none. @param {string} text @returns {Rule} */
function ruleOf(text) {
  const not = (/** @type {string} */ what) => Object.assign(new Error(`This is not ${what}.`), { json: true });
  let value;
  try {
    value = JSON.parse(text, (_, part) => part ?? undefined);
  } catch (problem) {
    throw not(`JSON: ${/** @type {Error} */ (problem).message}`);
  }
  if (value?.constructor !== Object) throw not("a rule, which is an object: {…}");
  return value;
}

/** Returns the rule of a text; undefined if it is none. @param {string} text */
function ruleIn(text) {
  try {
    const rule = ruleOf(text);
    return typeof (rule.match?.path ?? "") === "string" ? rule : undefined;
  } catch {
    return undefined;
  }
}

const NOTHING = "is not given. Nothing would happen to these requests.";

/** Whether the rule does nothing. @param {Rule} rule */
const isIdle = ({ delay, status, abort }) => !delay && !status && !abort;

/** The members whose errors the form can show beside their fields. */
const inForm = [
  "match.operationId", "match.method", "match.path", "probability", "times",
  "delay.fixedMs", "delay.jitterMs", "delay.p50Ms", "delay.p99Ms", "status", "code", "message", "abort", "when",
  "headers.Retry-After",
];

/**
 * Returns the problems of the rule, each with the name of the member.
 * @param {any} error
 * @param {number} at  the place of the rule, if it was sent in a list
 * @returns {[string, string][]}
 */
function problemsOf(error, at) {
  return (error?.details ?? []).map((/** @type {import("../shell/api.js").Detail} */ d) => {
    const names = d.field.split("/").slice(1).map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
    return [(names[0] === String(at) ? names.slice(1) : names).join("."), d.message.replace(JSON_WORDS, "")];
  });
}

const JSON_WORDS = /; give ".*/; // a part of a message

const ways = [
  ["", "respond with"], ["wait", "wait"], ["reset", "break the connection"],
  ["truncate", "break off in the middle of the response"], ["hang", "never respond"],
];

const whens = [["", "before the operation"], ["after", "after it, so a write stays"]];

const PERCENT = "from 0 to 100";

const PATH_HINT = "such as /pets/*; ** is the rest of a path";

const methods = ["", "GET", "POST", "PUT", "PATCH", "DELETE"].map((one) => [one, one || "any"]);

/** Returns the header that names the client of a request, as JSON. @param {import("../shell/types.js").Entry} entry */
const clientOf = ({ headers }) => ["X-Client", "User-Agent"].filter((name) => headers[name]).slice(0, 1)
  .map((name) => JSON.stringify({ [name]: headers[name] }));

/** Returns the clients of the rule and of recent requests, by header. @param {Record<string, string>} [of] */
function useClients(of) {
  const { entries } = useStore(journal);
  const own = of ? [JSON.stringify(of)] : [];
  const seen = [...new Set([...own, ...entries.flatMap(clientOf)])];
  return [["", "any"], ...seen.map((one) => [one, Object.values(JSON.parse(one)).join(", ")])];
}

/**
 * @param {object} props
 * @param {Rule} props.rule
 * @param {Record<string, string>} props.told  the errors by member
 * @param {(name: string) => void} props.onCorrect
 * @param {(rule: Rule) => void} props.onChange
 * @param {any} props.children  a note about the sentence
 */
function Form({ rule, told, onCorrect, onChange, children }) {
  const { operations } = useStore(session);
  const { match = {}, delay = {} } = rule;
  const { operationId, ...others } = match;
  const [way, setWay] = useState(rule.abort ?? (rule.status === undefined ? "wait" : ""));
  const waits = way === "wait";
  const ofDelay = waits && told.status ? "status" : "delay.fixedMs"; // the member whose error the field shows
  const rare = [rule.code, rule.message, rule.headers, rule.when, waits ? undefined : delay.jitterMs, rule.probability];
  const [more, setMore] = useState(Object.keys(others).length > 0 || rare.some((value) => value !== undefined));
  const set = (/** @type {Partial<Rule>} */ part) => onChange(clean({ ...rule, ...part }));
  const setMatch = (/** @type {Record<string, any>} */ part) => set({ match: clean({ ...match, ...part }) });
  const setDelay = (/** @type {Record<string, any>} */ part) => set({ delay: clean({ ...delay, ...part }) });
  const text = (/** @type {(value: any) => void} */ to) => typed((value) => to(value || undefined));
  const number = (/** @type {(value: any) => void} */ to) => typed((value) => to(numberOf(value)));
  const correcting = (/** @type {string} */ name, /** @type {(event: Event) => void} */ then) =>
    (/** @type {Event} */ event) => {
      onCorrect(name);
      then(event);
    };
  /**
   * Makes a field for a text or a number.
   * @param {string} label @param {string} name  of the member
   * @param {any} value @param {string} placeholder @param {(event: Event) => void} onInput @param {string} [hint]
   */
  const field = (label, name, value, placeholder, onInput, hint) => html`
    <${Field} label=${label} error=${told[name] && (hint === PERCENT ? hint : `${label} ${told[name]}`)}
      hint=${hint}>${(/** @type {any} */ attributes) => html`
      <input ...${attributes} class="wire" placeholder=${placeholder} defaultValue=${value ?? ""}
        onInput=${correcting(name, onInput)} />`}
    <//>`;
  /**
   * @param {string} label
   * @param {string} name
   * @param {any} value
   * @param {string[][]} options
   * @param {(event: Event) => void} onChosen
   */
  const choice = (label, name, value, options, onChosen) => html`
    <${Field} label=${label} error=${told[name]}>${(/** @type {any} */ attributes) => html`
      <select ...${attributes} value=${value ?? ""} onChange=${correcting(name, onChosen)}>
        ${options.map(([one, words]) => html`<option key=${one} value=${one}>${words}</option>`)}
      </select>`}
    <//>`;
  const choose = typed((next) => {
    setWay(next);
    onCorrect("status"); // which the other ways do not have
    const { status, code, message, headers, abort, when, ...others } = rule;
    const does = next === "wait" ? { delay: rule.delay ?? { fixedMs: 500 } }
      : next === "" ? { status: 503, when }
      : { abort: /** @type {"reset"} */ (next), when };
    onChange(clean({ ...others, ...does }));
  });
  const setClient = text((value) => setMatch({ headers: value && JSON.parse(value) }));
  const setChance = number((percent) => set({ probability: Number(percent) ? percent / 100 : percent }));
  const setRetry = text((after) => set({ headers: clean({ ...rule.headers, "Retry-After": after }) }));
  const extra = (/** @type {string} */ none, /** @type {string} */ hint) => field("Random extra delay (ms)",
    "delay.jitterMs", delay.jitterMs, none, number((jitterMs) => setDelay({ jitterMs })), hint);
  const chance = rule.probability === undefined ? undefined : +(rule.probability * 100).toFixed(2);
  const every = ["", targetOf({ match: { ...others, headers: {} } })];
  const any = [every, ...operations.filter(canFail).map((one) => [one.operationId, named(one)])];
  const delayed = rule.abort !== "hang" || delay.fixedMs !== undefined;
  const clients = useClients(match.headers);
  const placed = !operationId || match.method || match.path; // otherwise the operation determines them
  return html`<div class="stack">
    <div class="sentence">
      <div>
        <b>When</b>
        ${choice("Operation", "match.operationId", operationId, any, text((value) => setMatch({ operationId: value })))}
        <i>→</i>
      </div>
      <div>
        <b>Do</b>
        ${choice("Connection", "abort", way, ways, choose)}
        ${way === "" && field("Response status", "status", rule.status, "status", number((status) => set({ status })))}
        ${delay.p50Ms !== undefined ? html`<span class="row">
          ${!waits && "after"} about
          ${field("Usual delay (ms)", "delay.p50Ms", delay.p50Ms, "0", number((p50Ms) => setDelay({ p50Ms })))}
          ms, 1 in 100 over
          ${field("1 in 100 (ms)", "delay.p99Ms", delay.p99Ms, "0", number((p99Ms) => setDelay({ p99Ms })))}
          ms
        </span>` : delayed && html`<span class="row">
          ${!waits && "after"}
          ${field("Delay (ms)", ofDelay, delay.fixedMs, "0", number((fixedMs) => setDelay({ fixedMs })))}
          ${waits && html`plus up to ${extra("0", "")}`}
          ms
        </span>`}
      </div>
      <div>
        <b>For</b>
        <i>for</i>
        ${field("How many requests", "times", rule.times, "all", number((times) => set({ times })))}
        requests
      </div>
    </div>
    ${children}
    <div>
      <button type="button" aria-expanded=${more} onClick=${() => setMore(!more)}>
        <${Icon} name=${more ? "down" : "next"} />
        ${more ? "Fewer options" : "More options"}
      </button>
    </div>
    ${more && html`<div class="form-grid">
      ${placed && choice("Method", "match.method", match.method, methods, text((method) => setMatch({ method })))}
      ${placed && field("Path", "match.path", match.path, "any", text((path) => setMatch({ path })), PATH_HINT)}
      ${choice("Client", "match.headers", match.headers && JSON.stringify(match.headers), clients, setClient)}
      ${field("Chance (%)", "probability", chance, "always", setChance, PERCENT)}
      ${delay.p50Ms === undefined && !waits && extra("none", "at most")}
      ${(!waits || rule.when) && choice("Fails", "when", rule.when, whens, text((when) => set({ when })))}
      ${way === "" && html`<div class="error">
          ${field("Error code", "code", rule.code, "the usual one", text((code) => set({ code })))}
          ${field("Retry-After (s)", "headers.Retry-After", rule.headers?.["Retry-After"], "the usual one", setRetry)}
          ${field("Error message", "message", rule.message, "the usual one", text((message) => set({ message })))}
        </div>`}
    </div>`}
  </div>`;
}

/** Parses a number; undefined if the text is empty, the text if it is invalid. @param {string} text */
const numberOf = (text) => (text === "" ? undefined : Number.isNaN(Number(text)) ? text : Number(text));

/**
 * Returns the object without undefined members and empty parts.
 * @param {Record<string, any>} object
 * @returns {any}
 */
const clean = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) =>
  value !== undefined && !(typeof value === "object" && Object.keys(value).length === 0)));
