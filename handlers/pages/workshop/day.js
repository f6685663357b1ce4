// What the wall says of a day: what cost the room time, and who did which exercises.

import { html } from "../library/preact.js";
import { CopyButton, Status } from "../shell/components.js";
import { day, plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { dearest, SECOND, spend, timeOf } from "./costs.js";
import { exercises } from "./exercises.js";
import { machine, room, today } from "./room.js";

const DEAREST = 10; // lines

/** The costs so far, with those that attendees deal with now. */
function costly() {
  const costs = new Map([...today.costs.values()].map((cost) => [cost, { ...cost }]));
  for (const { trouble } of room.get().tiles) {
    const cost = trouble && costs.get(trouble.cost);
    if (cost) spend(cost, machine() - trouble.at);
  }
  return dearest(costs).slice(0, DEAREST);
}

/** @param {boolean[]} done */
const count = (done) => done.filter(Boolean).length;

/** The results, those who have done most first. */
const results = () =>
  [...today.results.values()].sort((a, b) => count(b.done) - count(a.done) || b.requests - a.requests);

/** The totals of the day. */
function totals() {
  const all = results();
  const active = all.filter(({ requests }) => requests > 0);
  const times = (/** @type {"from"|"to"} */ part) => all.map((result) => Date.parse(result[part]));
  const from = Math.min(...times("from"));
  const requests = active.reduce((sum, one) => sum + one.requests, 0);
  const lost = costly().reduce((sum, { ms }) => sum + ms, 0);
  return {
    all,
    date: all.length > 0 ? day(from) : "",
    sizes: [
      plural(all.length, "attendee"), plural(requests, "request"), `${timeOf(Math.max(...times("to")) - from)} long`,
      ...(lost >= SECOND ? [`${timeOf(lost)} lost to refusals`] : []),
    ].join(" · "),
    finished: `${active.filter(({ done }) => done.every(Boolean)).length} of ${active.length} who sent a request did all `
      + `${exercises.length} exercises.`,
    silent: all.filter(({ requests: n }) => n === 0).map(({ title }) => title).join(", "),
  };
}

const NAMED = 3; // attendees

/** The first of the attendees, and how many others there are. @param {string[]} names  of their stores */
const whoOf = (names) => names.slice(0, NAMED).map((name) => today.results.get(name)?.title ?? name).join(", ")
  + (names.length > NAMED ? ` +${names.length - NAMED}` : "");

/** @param {{rows: import("./costs.js").Cost[]}} props */
const Rows = ({ rows }) => html`<table>
  <thead>
    <tr>
      <th class="number">Time</th>
      <th>Refusal</th>
      <th class="number">Attendees</th>
      <th class="number">Times</th>
    </tr>
  </thead>
  <tbody>
    ${rows.map(({ what, status, reason, ms, times, names, example }) => html`
      <tr key=${`${what} ${status} ${reason}`}>
        <td class="number"><b>${timeOf(ms)}</b></td>
        <td>
          <span class="wire">${what}</span> <${Status} status=${status} />${" "}
          <span class="note wire">${example.operation}</span>
          <p>${example.reason}</p>
          <p class="note">${whoOf([...names])}</p>
        </td>
        <td class="number">${names.size}</td>
        <td class="number">${times}</td>
      </tr>`)}
  </tbody>
</table>`;

/** What cost the room how much time. */
export function Costs() {
  const rows = costly();
  const some = rows.filter(({ ms }) => ms >= SECOND);
  const slight = rows.slice(some.length);
  return html`<section class="costs stack">
    <p class="note">
      From each refusal to the attendee's next request, five minutes at most. The first refusal that an exercise asks
      for does not count.
    </p>
    ${rows.length === 0 && html`<p>No refusal has cost time.</p>`}
    ${some.length > 0 && html`<${Rows} rows=${some} />`}
    ${slight.length > 0 && html`<details open=${some.length === 0}>
      <summary>${plural(slight.length, "refusal")} that cost less than a second</summary>
      <${Rows} rows=${slight} />
    </details>`}
  </section>`;
}

/** The day as text to keep. @param {string} title */
function textOf(title) {
  const { all, date, sizes, finished, silent } = totals();
  const cost = costly().map(({ what, status, ms, times, names, example }) =>
    `- ${timeOf(ms)}: ${what} ${status} ${example.reason} (${plural(names.size, "attendee")}, ${plural(times, "time")})`);
  const did = all.filter(({ requests }) => requests > 0).map(({ title: name, done }) => {
    const which = exercises.filter((_, i) => done[i]).map(({ short }) => short).join(", ");
    return `- ${name}: ${count(done)} of ${done.length}${which && ` (${which})`}`;
  });
  return [
    `# ${title || "Workshop"} ${date}`.trim(), sizes, finished,
    "What cost the room time, five minutes at most for each refusal:", ...cost,
    "Exercises done:", ...did, ...(silent ? [`Sent nothing: ${silent}`] : []), "",
  ].join("\n");
}

/** @param {string} title */
async function saveDay(title) {
  const { save } = await import("../shell/download.js"); // no page needs it before
  save(new Blob([textOf(title)]), `workshop-${totals().date}.md`);
}

/** What takes the day along. @param {{title: string}} props */
export const TakeDay = ({ title }) => html`
  <${CopyButton} text=${() => textOf(title)} label="Copy the day as text" class="plain-border" />
  <button type="button" class="plain-border"
    onClick=${() => saveDay(title)}>
    <${Icon} name="save" />
    Save as a file
  </button>`;

/** A day that is over. @param {{title: string}} props */
export function Day({ title }) {
  const { all, date, sizes, finished, silent } = totals();
  if (all.length === 0) {
    return html`<p class="note">The report of the day is in the browser in which the wall was open.</p>`;
  }
  return html`<div class="day stack">
    <div class="row">
      <p class="grow"><strong>${date}</strong> · ${sizes}</p>
      <${TakeDay} title=${title} />
    </div>
    <p>${finished}${silent && html` Sent nothing: <bdi>${silent}</bdi>.`}</p>
    <h2>What cost the room time</h2>
    <${Costs} />
    <h2>Who did what</h2>
    <table class="results">
      <thead>
        <tr>
          <th>Attendee</th>
          ${exercises.map(({ text, short }) => html`<th key=${short} title=${text}>${short}</th>`)}
          <th class="number">Requests</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>Done by</td>
          ${exercises.map(({ short }, i) => html`<td key=${short}>${all.filter(({ done }) => done[i]).length}</td>`)}
          <td class="number"></td>
        </tr>
        ${all.map(({ title: name, done, requests }) => html`<tr key=${name}>
          <td><bdi>${name}</bdi></td>
          ${done.map((is, i) => html`<td key=${i}>
            <i class=${is ? "pip full" : "pip"} role="img" aria-label=${is ? "done" : "not done"}></i>
          </td>`)}
          <td class="number">${requests}</td>
        </tr>`)}
      </tbody>
    </table>
  </div>`;
}
