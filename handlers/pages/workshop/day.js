// The report of a day: what cost the room time, and who did which exercises.

import { html, useState } from "../library/preact.js";
import { CopyButton, Status } from "../shell/components.js";
import { day, plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { kept } from "../shell/store.js";
import { dearest, SECOND, spend, timeOf } from "./costs.js";
import { exercises } from "./exercises.js";
import { called, machine, room, today } from "./room.js";

/** @typedef {import("./costs.js").Cost} Cost */

const DEAREST = 10; // lines

/** Returns the dearest costs so far, including current ones, the sum of all, and whether any was cut. */
function costly() {
  const costs = new Map([...today.costs.values()].map((cost) => [cost, { ...cost }]));
  for (const { trouble } of room.get().tiles) {
    const cost = trouble && costs.get(trouble.cost);
    if (cost) spend({ ...trouble, cost }, machine());
  }
  const all = [...costs.values()];
  const sum = all.reduce((ms, cost) => ms + cost.ms, 0);
  return { costs: dearest(costs).slice(0, DEAREST), sum, more: all.some((cost) => cost.more) };
}

/** Formats a time, with a plus if somebody took longer. @param {number} ms  @param {boolean} more */
const atLeast = (ms, more) => (more ? timeOf(ms).replace(/ \w+$/, "+$&") : timeOf(ms));

/** @param {boolean[]} done */
const count = (done) => done.filter(Boolean).length;

/** Returns the results, those with most exercises done first. */
const results = () =>
  [...today.results.values()].sort((a, b) => count(b.done) - count(a.done) || b.requests - a.requests);

/** Returns the totals of the day. */
function totals() {
  const all = results();
  const active = all.filter(({ requests }) => requests > 0);
  const times = (/** @type {"from"|"to"} */ part) => all.map((result) => Date.parse(result[part]));
  const { costs, sum, more } = costly();
  const from = Math.min(...times("from"));
  const requests = active.reduce((sum, one) => sum + one.requests, 0);
  const each = sum / active.length; // so that it cannot exceed the day
  const lost = each >= SECOND ? atLeast(each, more) : "";
  const to = room.get().tiles.length > 0 ? machine() : Math.max(...times("to"));
  const finished = active.filter(({ done }) => done.every(Boolean)).length;
  return {
    all,
    active,
    costs,
    lost,
    asked: all.flatMap(({ title, questions = [] }) => questions.map((question) => ({ title, question }))),
    date: all.length > 0 ? day(from) : "",
    figures: [
      [`${active.length} of ${all.length}`, "took part"],
      [`${finished} of ${active.length}`, `did all ${exercises.length} exercises`],
      [`${requests}`, requests === 1 ? "request" : "requests"],
      [timeOf(to - from), "first join to end"],
      ...(lost ? [[lost, "average time lost"]] : []),
    ],
    silent: all.filter(({ requests: n }) => n === 0).map(({ title }) => title)
      .sort((a, b) => a.localeCompare(b, undefined, { numeric: true })).join(", "),
  };
}

const NAMED = 6; // attendees
const OPENED = 8; // attendees beside the wall; j steps to the others

/** Names the first attendees, and counts the others. @param {string[]} names  of their stores */
export const whoOf = (names) => names.slice(0, NAMED).map((name) => today.results.get(name)?.title ?? name).join(", ")
  + (names.length > NAMED ? ` +${names.length - NAMED}` : "");

/** The reasons of a refusal, on a line each. @param {{cost: Cost}} props */
const Why = ({ cost }) => cost.reason.split(" · ").map((why) => html`<p key=${why}>${why}</p>`);

/** The cost of a refusal relative to the dearest, if the times differ. @param {{ms: number, of: Cost[]}} props */
const Share = ({ ms, of }) => timeOf(of[0].ms) !== timeOf(of[of.length - 1].ms) && html`
  <i class="share" style=${{ "--part": ms / of[0].ms }}></i>`;

/** The cost of a refusal. @param {{cost: Cost}} props */
const Time = ({ cost: { ms, more } }) => html`
  <b title=${more ? "Somebody took longer, of which five minutes count" : undefined}>${atLeast(ms, more)}</b>`;

/** The refused request, in the order of a tile. @param {{cost: Cost}} props */
const What = ({ cost: { what, status } }) => html`<${Status} status=${status} /> <span class="wire">${what}</span>`;

/** @param {{rows: Cost[]}} props */
const Rows = ({ rows }) => html`<table>
  <thead>
    <tr>
      <th class="number">Time</th>
      <th>Refused request</th>
      <th class="number">Attendees</th>
      <th class="number">Times</th>
    </tr>
  </thead>
  <tbody>
    ${rows.map((cost) => html`
      <tr key=${cost.key}>
        <td class="number"><${Time} cost=${cost} /><${Share} ms=${cost.ms} of=${rows} /></td>
        <td>
          <${What} cost=${cost} />
          <${Why} cost=${cost} />
          <p class="note">${whoOf([...cost.names])}</p>
        </td>
        <td class="number">${cost.names.size}</td>
        <td class="number">${cost.times}</td>
      </tr>`)}
  </tbody>
</table>`;

/**
 * @typedef {object} Choices
 * @property {(name: string, among: string[]) => void} onOpen
 * @property {(names: string[]) => void} onSelect
 *
 * The costs beside the wall, in one column. Each name opens that attendee's drawer.
 * @param {{rows: Cost[]} & Choices} props
 */
function Causes({ rows, onOpen, onSelect }) {
  const { tiles } = room.get();
  return html`<ul class="causes">
    ${rows.map((cost) => {
      const { ms, times, names } = cost;
      const there = tiles.map(({ name }) => name).filter((name) => names.has(name));
      const gone = [...names].filter((name) => !there.includes(name));
      const still = tiles.filter(({ trouble }) => trouble?.cost.key === cost.key).length;
      return html`<li key=${cost.key}>
        <div class="row">
          <${Time} cost=${cost} />
          <span class="note grow">
            ${plural(names.size, "attendee")} · ${plural(times, "time")}
            ${still > 0 && html` · <b>${still} still stuck</b>`}
          </span>
          ${there.length > 1 && html`
            <button type="button" class="plain-border" onClick=${() => onSelect(there)}>
              Select ${there.length}
            </button>`}
        </div>
        <${Share} ms=${ms} of=${rows} />
        <p><${What} cost=${cost} /></p>
        <${Why} cost=${cost} />
        <p class="who-of note">
          ${there.slice(0, OPENED).map((name, i) => html`${i > 0 && ", "}
            <button type="button" key=${name} onClick=${() => onOpen(name, there)}>
              <bdi>${called(name)}</bdi>
            </button>`)}
          ${there.length > OPENED && ` +${there.length - OPENED}`}
          ${gone.length > 0 && `${there.length > 0 ? ", " : ""}${whoOf(gone)} (gone)`}
        </p>
      </li>`;
    })}
  </ul>`;
}

/**
 * The time that each refusal cost the room.
 * @param {Partial<Choices>} props  missing: in the report
 */
export function Costs(props) {
  const List = props.onOpen ? Causes : Rows;
  const { costs: rows } = costly();
  const some = rows.filter(({ ms }) => ms >= SECOND);
  const slight = rows.filter(({ ms }) => ms < SECOND);
  const { lost } = totals();
  return html`<section class="costs stack">
    ${props.onOpen && lost && html`<p><strong>${lost}</strong> lost by each attendee, on average</p>`}
    ${rows.length === 0 && html`<p>Nobody has been stuck.</p>`}
    ${some.length > 0 && html`<${List} rows=${some} ...${props} />`}
    ${slight.length > 0 && html`<details open=${some.length === 0}>
      <summary>${plural(slight.length, "refusal")} that cost less than a second</summary>
      <${List} rows=${slight} ...${props} />
    </details>`}
    <p class="note">
      Counts attendees who are stuck, with three errors of one status in a row: the time from each to the next request,
      5 min at most.
    </p>
  </section>`;
}

/** Formats the day as a text to keep. @param {string} title */
function textOf(title) {
  const { active, asked, costs, date, figures, silent } = totals();
  const lines = costs.map((cost) =>
    `- ${atLeast(cost.ms, cost.more)}: ${cost.status} ${cost.what} ${cost.reason} `
    + `(${plural(cost.names.size, "attendee")}, ${plural(cost.times, "time")}: ${whoOf([...cost.names])})`);
  const did = active.map(({ title: name, done }) => {
    const which = exercises.filter((_, i) => done[i]).map(({ short }) => short).join(", ");
    return `- ${name}: ${count(done)} of ${done.length}${which && ` (${which})`}`;
  });
  return [
    `# ${title || "Workshop"} ${date}`.trim(), figures.map((figure) => figure.join(" ")).join(" · "),
    "Exercises done:", ...did, ...(silent ? [`Did not start: ${silent}`] : []),
    "Time lost by attendees who were stuck, five minutes at most for each refusal:", ...lines,
    ...(asked.length > 0 ? ["What attendees asked:"] : []),
    ...asked.map(({ title: name, question }) => `- ${name}: ${question}`),
    "",
  ].join("\n");
}

/** Returns the counts of a day: who took part, who did all, and requests. */
const countsNow = () => totals().figures.slice(0, 3).join();

const taken = kept("localStorage", "taken"); // the counts of the report that was copied or saved

/** Whether there is a report that was neither copied nor saved. */
export const isUntaken = () => today.results.size > 0 && countsNow() !== taken.get();

/** Returns the day as a text, and notes that the user has it. @param {string} title */
function take(title) {
  taken.set(countsNow());
  return textOf(title);
}

/** Returns the name of the day's file. */
export const fileOfDay = () => `workshop-${totals().date}.md`;

/** Saves the day as a file. @param {string} title */
export async function saveDay(title) {
  const { save } = await import("../shell/download.js"); // not needed before
  save(new Blob([take(title)]), fileOfDay());
}

/** A button that copies the day. @param {{title: string, class?: string}} props */
export const CopyDay = ({ title, class: name = "plain-border take" }) => html`
  <${CopyButton} text=${() => take(title)} label="Copy the report" class=${name} />`;

/** Buttons that copy and save the day, and say so. @param {{title: string}} props */
export function TakeDay({ title }) {
  const [done, setDone] = useState(false);
  const save = async () => {
    await saveDay(title);
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return html`
    <${CopyDay} title=${title} />
    <button type="button" class="plain-border take" onClick=${save}>
      <${Icon} name=${done ? "check" : "save"} />
      <span aria-live="polite">${done ? "Saved" : "Save as a file"}</span>
    </button>`;
}

/** A day that is over. @param {{title: string}} props */
export function Day({ title }) {
  const { all, active, asked, date, figures, silent } = totals();
  const none = all.length === 0;
  return html`<div class="day stack">
    <div class="row">
      <h2 class="title grow">The day is over${!none && html`<span class="note">${date}</span>`}</h2>
      ${!none && html`<${TakeDay} title=${title} />`}
    </div>
    ${none
      ? html`<p class="note">
          This browser has no report. If attendees joined, the report is in the browser that had the wall.
        </p>`
      : html`<dl class="figures">
          ${figures.map(([number, of]) => html`<div key=${of}><dt>${of}</dt><dd>${number}</dd></div>`)}
        </dl>
        <h3>Time lost</h3>
        <${Costs} />
        ${asked.length > 0 && html`<h3>What attendees asked</h3>`}
        ${asked.map(({ title: name, question }) => html`<p><strong><bdi>${name}</bdi>:</strong> ${question}</p>`)}
        <h3>Who did what</h3>
        ${silent && html`<p class="note">Did not start: <bdi>${silent}</bdi></p>`}
        <${Results} all=${active} />`}
  </div>`;
}

/** @param {{all: import("./costs.js").Result[]}} props */
const Results = ({ all }) => html`<table class="results">
  <thead>
    <tr>
      <th>Attendee</th>
      ${exercises.map(({ text, short }) => html`<th key=${short} title=${text}>${short}</th>`)}
      <th class="number">Requests</th>
    </tr>
  </thead>
  <tbody>
    ${all.map(({ title: name, done, requests }) => html`<tr key=${name}>
      <td><bdi>${name}</bdi></td>
      ${done.map((is, i) => html`<td key=${i}>
        <i class=${is ? "pip full" : "pip"} role="img" aria-label=${is ? "done" : "not done"}></i>
      </td>`)}
      <td class="number">${requests}</td>
    </tr>`)}
  </tbody>
  <tfoot>
    <tr>
      <td>Done by</td>
      ${exercises.map(({ short }, i) => html`
        <td key=${short}>${all.filter(({ done }) => done[i]).length}<small> of ${all.length}</small></td>`)}
      <td class="number">${all.reduce((sum, { requests }) => sum + requests, 0)}</td>
    </tr>
  </tfoot>
</table>`;
