// Copies requests as a test.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { Choice, CopyButton, Dialog, ErrorNote } from "../shell/components.js";
import { plural } from "../shell/format.js";
import { whenIdle } from "../shell/later.js";
import { Source } from "../shell/source.js";
import { kept } from "../shell/store.js";
import { readBounded } from "./bounded.js";
import { journal } from "./journal.js";
import { lineOfRequest } from "./testparts.js";

/** @typedef {import("./testplan.js").Plan} Plan */
/** @typedef {Awaited<ReturnType<typeof load>>["kinds"]} Kinds */

const MOST = 4 << 20; // characters of a state that it reads

const runner = kept("localStorage", "test runner");

/** @param {AbortSignal} signal @returns {Parameters<Awaited<ReturnType<typeof load>>["readPlan"]>[2]} */
const read = (signal) => (path, parse) => readBounded(path, MOST, signal, undefined, parse);

/** Loads the kinds of tests. */
const load = whenIdle(() => import("./testkinds.js"));

/**
 * @param {Set<number>} chosen
 * @returns {{made?: {plan: Plan, kinds: Kinds}, error?: any}}
 */
function usePlan(chosen) {
  const [found, setFound] = useState(/** @type {ReturnType<typeof usePlan>} */ ({}));
  useEffect(() => {
    const stop = new AbortController();
    const make = async () => {
      const { kinds, readPlan } = await load();
      const plan = await readPlan(journal.get().entries, chosen, read(stop.signal));
      setFound({ made: { plan, kinds } });
    };
    make().catch((error) => stop.signal.aborted || setFound({ error }));
    return () => stop.abort();
  }, []);
  return found;
}

/** @param {{chosen: Set<number>, onClose: () => void}} props  chosen: ids of the requests */
export function CopyTest({ chosen, onClose }) {
  const { made, error } = usePlan(chosen);
  const [kind, setKind] = useState(runner.get());
  const choose = (/** @type {string} */ next) => {
    runner.set(next);
    setKind(next);
  };
  return html`<${Dialog} title="Copy as a test" class="wide" onClose=${onClose}>
    <${ErrorNote} error=${error} />
    ${made
      ? html`<${Text} chosen=${chosen.size} plan=${made.plan} kinds=${made.kinds} kind=${kind} onChoose=${choose} />`
      : html`<div class="copied"></div>`}
  <//>`;
}

/**
 * @param {{chosen: number, plan: Plan, kinds: Kinds, kind: string, onChoose: (kind: string) => void}} props
 */
function Text({ chosen, plan, kinds, kind, onChoose }) {
  const names = Object.keys(kinds);
  const shown = kind in kinds ? kind : names[0];
  const { write, file } = kinds[shown];
  const text = plan.steps.length > 0 ? write(plan) : "";
  const box = useRef(/** @type {HTMLElement|null} */ (null));
  useEffect(() => /** @type {HTMLElement|null|undefined} */ (box.current?.querySelector(".primary"))?.focus(), []);
  const line = lineOfRequest(text);
  const between = plan.steps.length - chosen; // their writes keep the ids the same; one may be that of a replay
  useEffect(() => { // the request, and the two lines before it
    const source = box.current?.querySelector("pre");
    if (source) source.scrollTop = (line - 3) * source.scrollHeight / source.textContent.trimEnd().split("\n").length;
  }, [text]);
  return html`<div class="copied stack" ref=${box}>
    <div class="row">
      <${Choice} label="Test runner" options=${names.map((name) => [name, name])} value=${shown} onChange=${onChoose} />
      <span class="note wire grow">${file}</span>
      ${text && html`<${CopyButton} text=${text} class="primary" label="Copy the test" />`}
    </div>
    ${line > 0 && html`<p class="note">
      ${chosen > 1
        ? `Your ${chosen} requests${between > 0 ? `, and ${plural(between, "write")} between them,` : ""} start`
        : `The request ${between > 0 ? "that it repeats " : ""}is`} on line ${line}.
      The lines before make the data.
    </p>`}
    ${plan.notes.length > 0 && html`
      <ul class="note">${plan.notes.map((note) => html`<li key=${note}>${note}</li>`)}</ul>`}
    ${text && html`<${Source} text=${text} label=${`The test for ${shown}`} />`}
  </div>`;
}
