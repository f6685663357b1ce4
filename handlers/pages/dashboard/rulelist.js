// The list of rules in their order. Each row can switch, move, edit or delete its rule.

import { html, useRef, useState } from "../library/preact.js";
import { follow, link } from "../shell/address.js";
import { Code } from "../shell/calls.js";
import { Item, Menu } from "../shell/components.js";
import { Icon } from "../shell/icon.js";
import { session } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { allCall, drop, dropCall, firstOf } from "./add.js";
import { effectOf, hitsOf, isOff, leftOf, likeOf, nameOf, restarted, targetOf, toggled } from "./rules.js";

/** @typedef {import("../shell/types.js").Rule} Rule */

const DRAGGED = "application/x-rule"; // the index of the dragged rule

/**
 * @param {object} props
 * @param {Rule[]} props.rules
 * @param {string} props.marked  the id of a rule
 * @param {(next: Rule[], done: string, label?: string) => void} props.onReplace
 * @param {(rule: Rule) => void} props.onEdit
 */
export const RuleList = ({ rules, marked, onReplace, onEdit }) => html`
  <p class="note">
    From top to bottom, the first matching rule wins, whatever its number. Editing a rule resets its count.
  </p>
  <ol class="rules">${rules.map((rule, i) => html`
    <${RuleRow} key=${rule.id} rule=${rule} at=${i} rules=${rules} marked=${marked === String(rule.id)}
      onReplace=${onReplace} onEdit=${() => onEdit(rule)} />`)}
  </ol>`;

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
  const [drag, setDrag] = useState(""); // "dragged", or "over" while another row is dragged over it
  const off = isOff(rule);
  const usedUp = !off && leftOf(rule) === 0;
  const taker = off || usedUp ? undefined : firstOf(rules.slice(0, at), rule);
  const never = taker && !taker.times;
  const preset = likeOf(rule);
  const { operations } = useStore(session);
  const operation = operations.find((one) => one.operationId === rule.match?.operationId);
  const focusOn = (/** @type {string} */ part) => requestAnimationFrame(() => // a row loses the focus when it moves
    /** @type {HTMLElement|null|undefined} */ (row.current?.querySelector(part))?.focus());
  /** @param {number} from @param {number} to */
  const place = (from, to) => rules.toSpliced(from, 1).toSpliced(to, 0, rules[from]);
  const beside = at + (at < rules.length - 1 ? 1 : -1); // where an arrow key moves it
  /** @param {number} from @param {number} to */
  const move = (from, to) => {
    if (from === to || !rules[from] || !rules[to]) return;
    onReplace(place(from, to), `Moved rule ${rules[from].id}.`, `move rule ${rules[from].id}`);
    if (from === at) focusOn(".handle");
  };
  const to = taker ? rules.indexOf(taker) : at;
  const { id, times, ...endless } = rule;
  const switched = rules.with(at, toggled(rule));
  const remove = () => void drop(rules, [rule], `Deleted rule ${id}.`);
  const toggle = () => onReplace(switched, `Rule ${id} is ${off ? "on" : "off"}.`);
  const [problem, remedy, next, done = ""] = usedUp
    ? ["Used up", "Start again", rules.with(at, restarted(rule)), `Rule ${id} starts again.`]
    : never ? [`Never reached: after ${nameOf(taker)}`, "Move above", place(at, to), `Moved above ${nameOf(taker)}.`]
    : taker ? [`Not before ${nameOf(taker)} is used up`] : [];
  const mend = () => {
    if (next) onReplace(next, done);
    focusOn(".switch"); // the button disappears
  };
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
  return html`<li ref=${row} class=${`rule ${off || usedUp || never ? "off" : ""} ${marked ? "marked" : ""} ${drag}`}
    onDragOver=${hover} onDragLeave=${leave} onDrop=${take} onDragEnd=${() => setDrag("")}>
    <button type="button" class="icon handle" draggable="true" disabled=${rules.length === 1}
      aria-label=${`Move rule ${id}`}
      title="Drag it, or press ↑ or ↓" onDragStart=${lift} onKeyDown=${keys}>
      <${Icon} name="handle" />
    </button>
    ${rules.length > 1 && html`
      <${Code} label=${`move rule ${id} by its handle`} call=${() => allCall(place(at, beside))} />`}
    <button type="button" role="switch" class="switch" aria-checked=${!off} aria-label=${`Rule ${id}`}
      onClick=${toggle}></button>
    <${Code} label=${`switch rule ${id} ${off ? "on" : "off"}`} call=${() => allCall(switched)} />
    <div class="grow opens" onClick=${onEdit}>
      <strong class="wire">
        ${targetOf(rule).split(/(?=with )/).map((part, i) => html`<span>${part}</span> ${i === 0 && operation && html`
          <span class="wire note">${operation.method} ${operation.path}</span> `}`)}
      </strong>
      <p>${effectOf(endless)}${preset && html` <span class="tag">${preset.name}</span>`}</p>
    </div>
    ${problem && html`<p class=${usedUp ? "covered note" : "covered"}>${problem}</p>`}
    ${next && html`<span class="pair">
      <button type="button" class="plain-border" onClick=${mend}>${remedy}</button>
      <${Code} label=${`${remedy} (rule ${id})`} call=${() => allCall(next)} />
    </span>`}
    <span class="applied">
      ${rule.applied
        ? html`<a href=${link({ q: `fault:${id}` })} onClick=${follow}>${hitsOf(rule)}</a>`
        : hitsOf(rule)}
    </span>
    <span class="id">rule ${id}</span>
    <${Menu} class="icon" title=${`What to do with rule ${id}`} text=${html`<${Icon} name="more" />`}>
      <${Item} onClick=${onEdit}>Edit…<//>
      <${Item} disabled=${at === 0} onClick=${() => move(at, at - 1)}
        label=${`move rule ${id} up`} call=${() => allCall(place(at, at - 1))}>Move up<//>
      <${Item} disabled=${at === rules.length - 1} onClick=${() => move(at, at + 1)}
        label=${`move rule ${id} down`} call=${() => allCall(place(at, at + 1))}>
        Move down
      <//>
      <${Item} class="danger" onClick=${remove}
        label=${`delete rule ${id}`} call=${() => dropCall(rules, [rule])}>Delete<//>
    <//>
  </li>`;
}
