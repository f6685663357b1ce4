// What the wall says of a day: what cost the room time, and who did which exercises.

import { html } from "../library/preact.js";
import { CopyButton, Status } from "../shell/components.js";
import { plural } from "../shell/format.js";
import { dearest, spend, timeOf } from "./costs.js";
import { exercises } from "./exercises.js";
import { machine, room, today } from "./room.js";
import { Pips } from "./tile.js";

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
const results = () => [...today.results.values()].sort((a, b) => count(b.done) - count(a.done));

const NAMED = 3; // attendees

/** The first of the attendees, and how many others there are. @param {string[]} names  of their stores */
const whoOf = (names) => names.slice(0, NAMED).map((name) => today.results.get(name)?.title ?? name).join(", ")
  + (names.length > NAMED ? ` +${names.length - NAMED}` : "");

/** What cost the room how much time. */
export function Costs() {
  const rows = costly();
  return html`<section class="costs stack">
    <p class="note">
      From each refusal to the attendee's next request, five minutes at most. The refusal that an exercise asks for does
      not count.
    </p>
    ${rows.length === 0 ? html`<p>No refusal has cost time.</p>` : html`<table>
      <thead>
        <tr>
          <th class="number">Time</th>
          <th>Refusal</th>
          <th class="number">Attendees</th>
          <th class="number">Times</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(({ what, status, reason, ms, times, names }) => html`
          <tr key=${`${what} ${status} ${reason}`}>
            <td class="number"><b>${timeOf(ms)}</b></td>
            <td>
              <span class="wire">${what}</span> <${Status} status=${status} />
              <p>${reason}</p>
              <p class="note">${whoOf([...names])}</p>
            </td>
            <td class="number">${names.size}</td>
            <td class="number">${times}</td>
          </tr>`)}
      </tbody>
    </table>`}
  </section>`;
}

/** The day as text to keep. @param {string} title */
function textOf(title) {
  const cost = costly().map(({ what, status, reason, ms, times, names }) =>
    `- ${timeOf(ms)}: ${what} ${status} ${reason} (${plural(names.size, "attendee")}, ${plural(times, "time")})`);
  const did = results().map(({ title: name, done }) => `- ${name}: ${count(done)} of ${done.length}`);
  return [`# ${title || "Workshop"}`, "What cost the room time, five minutes at most for each refusal:", ...cost, "Exercises done:", ...did, ""].join("\n");
}

/** @param {{title: string}} props */
export const CopyDay = ({ title }) => html`
  <${CopyButton} text=${() => textOf(title)} label="Copy the day as text" class="plain-border" />`;

/** A day that is over. @param {{title: string}} props */
export function Day({ title }) {
  const all = results();
  if (all.length === 0) return null;
  const finished = all.filter(({ done }) => done.every(Boolean)).length;
  return html`<div class="day stack">
    <div class="row">
      <h2 class="grow">What cost the room time</h2>
      <${CopyDay} title=${title} />
    </div>
    <${Costs} />
    <h2>Who did what</h2>
    <p>${finished} of ${all.length} who sent a request did all ${exercises.length} exercises.</p>
    <table>
      <tbody>
        ${exercises.map(({ text }, i) => html`
          <tr key=${text}><td>${text}</td><td class="number">${all.filter(({ done }) => done[i]).length}</td></tr>`)}
      </tbody>
    </table>
    <ul class="results">
      ${all.map(({ title: name, done }) => html`
        <li key=${name}><${Pips} done=${done} /><bdi>${name}</bdi></li>`)}
    </ul>
  </div>`;
}
