// A tile of the wall: one attendee's store, its requests, and whether the teacher is needed.

import { html, useEffect, useRef } from "../library/preact.js";
import { ago, clockTime, day, plural, statusClass, statusText } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { exercises } from "./exercises.js";
import { called, exerciseOf, hasStarted, isStuck, machine } from "./room.js";

const IDLE = 120_000; // ms
const SECOND = 1000; // ms
const LINES = 5; // requests that fit in the largest tile

/** @typedef {import("./room.js").Tile} TileOf */
/** @typedef {import("./room.js").Recent} Recent */
/** @typedef {import("../shell/types.js").Rule} Rule */

/**
 * @param {object} props
 * @param {TileOf} props.tile
 * @param {boolean} props.marked
 * @param {boolean} props.open
 * @param {string} props.common  what the header says about all clocks
 * @param {(event: MouseEvent) => void} props.onMark
 * @param {() => void} props.onOpen
 */
export function Tile({ tile, marked, open, common, onMark, onOpen }) {
  const { name, hand, coming, about, createdAt } = tile;
  const item = useRef(/** @type {HTMLElement|null} */ (null));
  useEffect(() => {
    if (open) item.current?.scrollIntoView({ block: "nearest" });
  }, [open]);
  const click = (/** @type {MouseEvent} */ event) => { // also on a mark, which has a title of its own
    if (/** @type {Element} */ (event.target).closest(".mark")) return;
    if (event.shiftKey || event.ctrlKey || event.metaKey) onMark(event);
    else onOpen();
  };
  const stuck = isStuck(tile);
  const lines = linesOf(tile);
  const first = stuck && tile.run.request || lines[0];
  const unusual = unusualIn(tile).filter(({ word }) => word !== common);
  const why = first && whyOf(first);
  const raised = hand > 0;
  const waits = raised || stuck;
  const states = { stuck, marked, unstarted: !hasStarted(tile), raised, coming: waits && coming, "looked-at": open };
  const classes = Object.entries(states).filter(([, is]) => is).map(([name]) => name);
  return html`<li class=${["tile", ...classes].join(" ")} ref=${item} onClick=${click}>
    <div class="row">
      <label class="check mark">
        <input type="checkbox" aria-label=${`Select ${called(name)}`} checked=${marked} onClick=${onMark} />
      </label>
      <button type="button" class="look grow" title=${name} aria-expanded=${open}>
        <bdi>${called(name)}</bdi>
      </button>
    </div>
    ${waits && html`<p class="row waits">
      ${raised && html`<${Hand} since=${hand} coming=${coming} />`}
      ${stuck && !(raised && coming) && html`<${Stuck} since=${tile.run.since} coming=${coming} />`}
    </p>`}
    ${about && html`<p class="about" title=${about}><${Unbroken} text=${about} /></p>`}
    ${states.unstarted && html`<p class="note">joined ${ago(createdAt, machine())}</p>`}
    ${why && html`
      <${Lines} lines=${[first]} />
      <p class="reason" title=${why}><${Unbroken} text=${why.replaceAll(" · ", "\n")} /></p>`}
    <${Lines} lines=${why ? lines.filter((line) => line.first !== first.first) : lines} />
    ${unusual.length > 0 && html`<${Unusual} marks=${unusual} />`}
    <p class="row progress">
      <${Pips} tile=${tile} />
      <${Progress} tile=${tile} />
      ${!waits && html`<${Idle} tile=${tile} />`}
    </p>
  </li>`;
}

/** Keeps names, keys and paths from breaking at a hyphen or a slash. @param {{text: string}} props */
export const Unbroken = ({ text }) => text.split(/(\S*[-/]\w\S*)/).map((part, i) => (i % 2
  ? html`<span class="unbroken">${part}</span>`
  : part));

/** @param {{since: number, coming: string}} props  coming: the teacher's reaction */
export function Hand({ since, coming }) {
  const text = `Hand raised ${passed(since)} ago${coming && `, ${coming}`}`;
  return html`<strong class="hand" role="img" aria-label=${text} title=${text}>
    <${Icon} name="hand" /><${Waits} how="hand up" since=${since} coming=${coming} />
  </strong>`;
}

/** @param {{since: number, coming?: string}} props  coming: the teacher's reaction */
export const Stuck = ({ since, coming = "" }) => html`
  <strong class="alarm" title=${`stuck ${passed(since)}${coming && ` · ${coming}`}`}>
    <${Icon} name="alert" /><${Waits} how="stuck" since=${since} coming=${coming} />
  </strong>`;

/** @param {{how: string, since: number, coming: string}} props */
const Waits = ({ how, since, coming }) => html`
  <span><span class="word">${how} </span>${coming
    ? html`<span class="word">${passed(since)} · </span>${coming}`
    : passed(since)}</span>`;

/** Says which exercise an attendee is on. @param {TileOf} tile */
export function standingOf(tile) {
  const on = exerciseOf(tile);
  if (!hasStarted(tile)) return "not started";
  return on > 0 ? `${on} ${exercises[on - 1].short}` : "all done";
}

/** @param {{tile: TileOf}} props */
function Progress({ tile }) {
  const on = exerciseOf(tile);
  if (on === 0) return html`<span class="grow all-done"><${Icon} name="check" />${standingOf(tile)}</span>`;
  const { text, short } = exercises[on - 1];
  return html`<span class="grow note" title=${text}>
    ${hasStarted(tile) ? html`${on}<span class="named"> ${short}</span>` : standingOf(tile)}
  </span>`;
}

const isOn = (/** @type {TileOf} */ tile) => hasStarted(tile) && exerciseOf(tile) > 0;

/** Returns how long an attendee with exercises to do has been idle; "" if only briefly. @param {TileOf} tile */
export const idleOf = (tile) => (isOn(tile) && machine() - Date.parse(tile.lastUsedAt) > IDLE
  ? ago(tile.lastUsedAt, machine()).replace(" ago", "") : "");

/** @param {{tile: TileOf}} props */
const Idle = ({ tile }) => idleOf(tile) && html`
  <span class="note idle" title="idle"><span class="word">idle </span>${idleOf(tile)}</span>`;

/** Formats the time since an instant, briefly. @param {number} from  ms, by the machine's clock */
export function passed(from) {
  const seconds = Math.max(0, Math.floor((machine() - from) / SECOND));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
}

/** Returns the last requests, as many as fit in the largest tile. @param {TileOf} tile */
function linesOf({ last, recent }) {
  // The list of stores may have a newer request than the stream has reported.
  const isNewer = last && (last.path !== recent[0]?.path || last.status !== recent[0].status);
  const none = { id: 0, query: "", reason: "", sent: "", at: 0, times: 1, first: 0, more: false, fault: 0 };
  return [...(isNewer ? [{ ...none, ...last }] : []), ...recent].slice(0, LINES);
}

/** @param {{lines: Recent[]}} props */
const Lines = ({ lines }) => lines.length > 0 && html`<ol class="last wire">
  ${lines.map((request) => html`<${Line} key=${request.first} request=${request} />`)}
</ol>`;

/** Returns why a request failed, or "" if it did not, or a fault made it fail. @param {Recent} request */
function whyOf({ status, reason, fault }) {
  if (fault > 0 || (status > 0 && status < 400)) return "";
  return reason || (status === 0 ? "The connection was cut." : statusText(status));
}

/** How often a request was sent. @param {{request: Recent}} props */
export const Times = ({ request: { times, more } }) => times > 1 && html`
  <span class="times">×${times}${more && "+"}</span>`;

/** A mark on an error that a fault made. @param {{fault: number}} props  fault: the id of the rule; 0: none did */
export const ByFault = ({ fault }) => fault > 0 && html`
  <span class="by-fault" title="A fault rule made this response">fault</span>`;

/** @param {{request: Recent}} props */
function Line({ request }) {
  const { method, path, query, status, fault } = request;
  return html`<li>
    <b class=${`s-${statusClass(status)}`} title=${statusText(status)}>${status || "cut"}</b>
    <span class="asked">${method} ${path}<span class="query">${query && `?${query}`}</span></span>
    <${Times} request=${request} />
    <${ByFault} fault=${fault} />
  </li>`;
}

/** Pips for the exercises: done, current or to do. @param {{tile: TileOf}} props */
function Pips({ tile }) {
  const { done } = tile;
  const on = isOn(tile) ? exerciseOf(tile) : 0;
  const look = (/** @type {number} */ i) => (done[i] ? " full" : on === i + 1 ? " now" : "");
  return html`
    <span class="pips" role="img" aria-label=${`${done.filter(Boolean).length} of ${done.length} exercises done`}>
      ${done.map((_, i) => html`<i key=${i} class=${`pip${look(i)}`}></i>`)}
    </span>`;
}

/** @typedef {{icon: string, word: any, text: string}} Mark */

/** Describes a fault rule briefly. @param {Rule} rule */
function faultOf({ match = {}, probability = 1, status = 0, abort, delay }) {
  const of = [match.operationId, match.method, match.path, ...Object.keys(match.headers ?? {})].filter(Boolean);
  const share = probability < 1 ? `${+(probability * 100).toFixed(2)} %` : "all";
  const answer = status >= 400 ? "fail" : `answer ${status}`;
  const does = abort ? "cut off" : status > 0 ? answer : delay ? "slow" : "as usual";
  return `${of.length > 0 ? `${of.join(" ")}: ` : ""}${share} ${does}`;
}

/** Says how often a fault rule can still apply, if it has a limit. @param {Rule} rule */
const leftOf = ({ times = 0, applied = 0 }) => times > 0 && `${times - applied} of ${times} left`;

/**
 * Describes each fault rule of a store, or counts them if they are not known.
 * @param {Pick<TileOf, "faults"|"rules">} tile
 * @param {(rule: Rule) => any} says
 */
export const faultsIn = ({ faults, rules }, says = faultOf) =>
  (rules.length === faults ? rules.map((rule) => says(rule)) : [plural(faults, "fault")]);

/** Returns marks for the unusual states of a store. @param {TileOf} tile  @returns {Mark[]} */
export function unusualIn({ clock, faults, rules, operations }) {
  const shifted = !clock.frozen && Math.abs(clock.offsetSeconds) >= 1;
  const more = (/** @type {string} */ text) => html`<span class="extra"> ${text}</span>`; // shown if there is room
  const moved = (/** @type {string} */ how) => `${how} ${at}`;
  const now = clock.frozen ? Date.parse(clock.now) : machine() + clock.offsetSeconds * 1000;
  const at = day(now) === day(machine()) ? clockTime(now).slice(0, 5) : day(now);
  const all = faultsIn({ faults, rules }, (rule) => [faultOf(rule), leftOf(rule)].filter(Boolean).join(" · "));
  const [brief] = all.length > 1 ? [plural(faults, "fault")]
    : faultsIn({ faults, rules }, (rule) => html`
      <span class="does">${faultOf(rule)}</span>${leftOf(rule) && html`<span> · ${leftOf(rule)}</span>`}`);
  return [
    ...(clock.frozen ? [{ icon: "pause", word: moved("frozen"), text: `Clock frozen at ${at}` }] : []),
    ...(shifted ? [{ icon: "time", word: moved("travelled"), text: `Clock at ${at}` }] : []),
    ...(operations > 0 ? [{ icon: "flag", word: html`sunset${more("changed")}`,
      text: `${plural(operations, "sunset")} changed` }] : []),
    ...(faults > 0 ? [{ icon: "faults", word: brief, text: all.join(", ") }] : []),
  ];
}

/** Returns the mark of most clocks if all are frozen, or "" if some run. @param {TileOf[]} tiles */
export function frozenIn(tiles) {
  if (tiles.length < 2 || !tiles.every(({ clock }) => clock.frozen)) return "";
  const words = tiles.map((tile) => unusualIn(tile)[0].word);
  const count = (/** @type {string} */ word) => words.filter((other) => other === word).length;
  return words.reduce((most, word) => (count(word) > count(most) ? word : most));
}

/** @param {{marks: Mark[]}} props */
const Unusual = ({ marks }) => html`<p class="unusual">
  ${marks.map(({ icon, word, text }) => html`
    <span key=${icon} role="img" aria-label=${text} title=${text}>
      <${Icon} name=${icon} /><span class="word">${word}</span>
    </span>`)}
</p>`;
