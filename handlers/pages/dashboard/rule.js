// One fault rule, as a form and as JSON.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { Code } from "../shell/calls.js";
import { Choice, Dialog, ErrorNote, Field } from "../shell/components.js";
import { session, write } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { say } from "../shell/toast.js";
import { takerOf } from "./add.js";
import { plain, sent, targetOf } from "./rules.js";

/** @typedef {import("../shell/types.js").Rule} Rule */

/** @param {{rule: Rule, rules: Rule[], onClose: () => void}} props */
export function RuleDialog({ rule, rules, onClose }) {
  const [as, setAs] = useState("form");
  const [edited, setEdited] = useState(() => plain(rule));
  const [text, setText] = useState("");
  const [error, setError] = useState(/** @type {any} */ (null));
  const form = useRef(/** @type {HTMLFormElement|null} */ (null));
  useEffect(() => /** @type {HTMLElement|null|undefined} */ (form.current?.querySelector("[aria-invalid]"))?.focus(), [error]);
  const body = () => (as === "form" ? edited : text);

  /** @returns {import("../shell/api.js").Call} */
  const call = () => (rule.id === undefined ? { method: "POST", path: "admin/faults", body: body() }
    : { method: "PUT", path: "admin/faults", body: rules.map((other) => (other.id === rule.id ? { id: rule.id, ...parsed() } : sent(other))) });
  const parsed = () => (as === "form" ? edited : JSON.parse(text));
  const show = (/** @type {string} */ next) => {
    if (next === as) return;
    setError(null);
    try {
      if (next === "json") setText(JSON.stringify(edited, null, 2));
      else setEdited(JSON.parse(text));
      setAs(next);
    } catch (problem) {
      setError({ message: `This is not JSON: ${/** @type {Error} */ (problem).message}.`, json: true });
    }
  };
  const leave = () => {
    setError(null);
    setAs("form");
  };
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setError(null);
    if (as === "form" && isIdle(edited)) return setError({ message: NOTHING });
    try {
      await write(call());
      say(rule.id === undefined ? toldOf(parsed(), rules) : "Changed the rule.", { about: ["faults"] });
      onClose();
    } catch (problem) {
      setError(problem);
    }
  };
  const all = problemsOf(error, rules.findIndex((other) => other.id === rule.id));
  const told = as === "form" ? Object.fromEntries(all.filter(([name]) => inForm.includes(name))) : {};
  const others = all.filter(([name]) => !(name in told));
  return html`<${Dialog} title=${rule.id === undefined ? "New rule" : `Rule ${rule.id}`} class="wide" onClose=${onClose}><form ref=${form} class="stack" onSubmit=${submit}>
    <${Choice} label="How to edit it" options=${[["form", "Form"], ["json", "JSON"]]} value=${as} onChange=${show} />
    ${as === "form" ? html`<${Form} rule=${edited} told=${told} onChange=${setEdited} />`
      : html`<${Field} label="The rule as JSON">${(/** @type {any} */ a) => html`<textarea ...${a} rows="14" spellcheck=${false} value=${text} onInput=${(/** @type {any} */ e) => { setText(e.target.value); setError(null); }}></textarea>`}<//>`}
    ${error && others.length === 0 && Object.keys(told).length === 0 && html`<${ErrorNote} error=${error} />`}
    ${error?.json && html`<div><button type="button" onClick=${leave}>Discard, and go back to the form</button></div>`}
    ${others.length > 0 && html`<div class="error-note" role="alert"><ul>${others.map(([name, message]) => html`<li key=${name}><span class="wire">${name}</span> ${message}</li>`)}</ul></div>`}
    <div class="row"><button class="primary">${rule.id === undefined ? "Add" : "Save"}</button><${Code} label="the rule" call=${call} /></div>
  </form><//>`;
}

/** What is said of a rule that was added behind the others. @param {Rule} rule @param {Rule[]} others */
function toldOf(rule, others) {
  const taker = takerOf(others, rule);
  return taker ? `Added. Rule ${taker.id} comes before it, and takes requests of ${targetOf(taker)}.` : `A new rule applies to ${targetOf(rule)}.`;
}

const NOTHING = "Nothing would happen to these requests. Give a delay, a status, or a way to break the connection.";

/** Whether nothing happens to the requests that the rule applies to. @param {Rule} rule */
const isIdle = ({ delay, status, abort }) => !delay && !status && !abort;

/** What the form can show beside its field, by the name of the member. */
const inForm = ["match.operationId", "match.method", "match.path", "match.headers.X-Client", "probability", "times", "delay.fixedMs", "delay.jitterMs", "status", "message", "abort", "when"];

/**
 * What is wrong with the rule, each with the name of the member.
 * @param {any} error  @param {number} at  the place of the rule, where it was sent among others
 * @returns {[string, string][]}
 */
function problemsOf(error, at) {
  return (error?.details ?? []).map((/** @type {import("../shell/api.js").Detail} */ d) => {
    const names = d.field.split("/").slice(1).map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
    return [(names[0] === String(at) ? names.slice(1) : names).join("."), d.message];
  });
}

/** @param {{rule: Rule, told: Record<string, string>, onChange: (rule: Rule) => void}} props  told: what is wrong with it */
function Form({ rule, told, onChange }) {
  const { operations } = useStore(session);
  const { match = {}, delay = {} } = rule;
  const set = (/** @type {Partial<Rule>} */ part) => onChange(clean({ ...rule, ...part }));
  const setMatch = (/** @type {Record<string, any>} */ part) => set({ match: clean({ ...match, ...part }) });
  const setDelay = (/** @type {Record<string, any>} */ part) => set({ delay: clean({ ...delay, ...part }) });
  const text = (/** @type {(value: any) => void} */ to) => (/** @type {any} */ e) => to(e.target.value || undefined);
  const number = (/** @type {(value: any) => void} */ to) => (/** @type {any} */ e) => to(e.target.value === "" ? undefined : Number.isNaN(Number(e.target.value)) ? e.target.value : Number(e.target.value));
  return html`<div class="form-grid">
    <h3>Which requests</h3>
    <${Field} label="Operation" error=${told["match.operationId"]}>${(/** @type {any} */ a) => html`<select ...${a} value=${match.operationId ?? ""} onChange=${text((v) => setMatch({ operationId: v }))}>
      <option value="">any</option>${operations.map((o) => html`<option key=${o.operationId} value=${o.operationId}>${o.operationId}</option>`)}</select>`}<//>
    <${Field} label="Method" error=${told["match.method"]}>${(/** @type {any} */ a) => html`<input ...${a} class="wire" placeholder="any" value=${match.method ?? ""} onInput=${text((v) => setMatch({ method: v }))} />`}<//>
    <${Field} label="Path" error=${told["match.path"]} hint="* is one segment, ** the rest">${(/** @type {any} */ a) => html`<input ...${a} class="wire" placeholder="/pets/*" value=${match.path ?? ""} onInput=${text((v) => setMatch({ path: v }))} />`}<//>
    <${Field} label="X-Client" error=${told["match.headers.X-Client"]}>${(/** @type {any} */ a) => html`<input ...${a} class="wire" placeholder="any" value=${match.headers?.["X-Client"] ?? ""} onInput=${text((v) => setMatch({ headers: clean({ ...match.headers, "X-Client": v }) }))} />`}<//>
    <h3>How often</h3>
    <${Field} label="Probability" error=${told.probability} hint="from 0 to 1">${(/** @type {any} */ a) => html`<input ...${a} inputmode="decimal" placeholder="1" value=${rule.probability ?? ""} onInput=${number((v) => set({ probability: v }))} />`}<//>
    <${Field} label="Stop after" error=${told.times}>${(/** @type {any} */ a) => html`<input ...${a} inputmode="numeric" placeholder="no limit" value=${rule.times ?? ""} onInput=${number((v) => set({ times: v }))} />`}<//>
    <h3>What happens</h3>
    <${Field} label="Delay (ms)" error=${told["delay.fixedMs"]}>${(/** @type {any} */ a) => html`<input ...${a} inputmode="numeric" placeholder="0" value=${delay.fixedMs ?? ""} onInput=${number((v) => setDelay({ fixedMs: v }))} />`}<//>
    <${Field} label="Jitter, up to (ms)" error=${told["delay.jitterMs"]}>${(/** @type {any} */ a) => html`<input ...${a} inputmode="numeric" placeholder="0" value=${delay.jitterMs ?? ""} onInput=${number((v) => setDelay({ jitterMs: v }))} />`}<//>
    <${Field} label="Response status" error=${told.status}>${(/** @type {any} */ a) => html`<input ...${a} inputmode="numeric" placeholder="the operation's" value=${rule.status ?? ""} onInput=${number((v) => set({ status: v }))} />`}<//>
    <${Field} label="Message" error=${told.message}>${(/** @type {any} */ a) => html`<input ...${a} placeholder="that of the status" value=${rule.message ?? ""} onInput=${text((v) => set({ message: v }))} />`}<//>
    <${Field} label="Connection" error=${told.abort}>${(/** @type {any} */ a) => html`<select ...${a} value=${rule.abort ?? ""} onChange=${text((v) => set({ abort: v }))}>
      <option value="">keep open</option><option value="reset">break at once</option><option value="truncate">break in the middle of the response</option><option value="hang">never respond</option></select>`}<//>
    <${Field} label="Run the operation first" error=${told.when}>${(/** @type {any} */ a) => html`<select ...${a} value=${rule.when ?? ""} onChange=${text((v) => set({ when: v }))}>
      <option value="">no</option><option value="after">yes: a write happens</option></select>`}<//>
  </div>`;
}

/** Without what is not given, and without parts that say nothing. @param {Record<string, any>} object @returns {any} */
const clean = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && !(typeof value === "object" && Object.keys(value).length === 0)));
