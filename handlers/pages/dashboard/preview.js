// What changes on the way to where the handle of the axis is, or will change, in words.

import { html } from "../library/preact.js";
import { capital, moment, plural } from "../shell/format.js";
import { instant } from "../shell/sunset.js";
import { about, dated } from "./passed.js";

/** @typedef {import("../shell/types.js").Operation} Operation */

/**
 * Returns the changes between two instants in words, a sentence for each kind of change, in their order.
 * @param {Operation[]} operations
 * @param {number} from
 * @param {number} to
 * @param {number} [most]  dates of a sentence
 * @returns {{text: string, gone: boolean}[]}  gone: by which operations answer 410, or no longer
 */
export function passed(operations, from, to, most = 4) {
  const back = to < from;
  const found = operations.flatMap(({ operationId: id, deprecatedSince, sunset, enforceSunset, brownout }) => {
    const still = brownout > 0 ? "; brown-outs continue" : "";
    const then = enforceSunset ? "answers 410" : `is past its sunset${still || ", and still answers: not enforced"}`;
    const not = enforceSunset && !still ? "does not answer 410" : `has not had its sunset${still}`;
    return [
      {
        id, at: instant(deprecatedSince),
        kind: back ? "is not deprecated" : `is deprecated${still && "; brown-outs begin"}`,
      },
      { id, at: instant(sunset), kind: back ? not : then },
    ];
  }).filter(({ at }) => Math.min(from, to) < at && at <= Math.max(from, to));
  found.sort((a, b) => (back ? b.at - a.at : a.at - b.at));
  return [...new Set(found.map(({ kind }) => kind))].map((kind) => {
    const changes = found.filter((one) => one.kind === kind);
    const all = [...new Set(changes.map(({ at }) => at))];
    let left = changes.length;
    const dates = all.slice(0, all.length > most ? most - 1 : most).map((date, i) => {
      const ids = changes.filter(({ at }) => at === date).map(({ id }) => id);
      left -= ids.length;
      return `${back ? "before" : "from"} ${moment(date)} ${about(ids, i === 0 ? kind : "").trim()}`;
    });
    if (left > 0) dates.push(`then ${left} more`);
    return { text: `${capital(dates.join("; "))}.`, gone: kind.includes("410") };
  });
}

/**
 * @param {object} props
 * @param {Operation[]} props.operations  those that are deprecated
 * @param {number} props.now
 * @param {number|null} props.moved  where the handle is dragged to
 * @param {number} props.lines  for the kinds of changes
 */
export function Preview({ operations, now, moved, lines }) {
  const isPhone = innerWidth < 641;
  const most = isPhone ? 2 : 4;
  const next = operations.flatMap(({ deprecatedSince, sunset }) => [instant(deprecatedSince), instant(sunset)])
    .filter((t) => t > now);
  const all = moved !== null ? passed(operations, now, moved, most)
    : [...new Set(next.sort((a, b) => a - b))].flatMap((t) => passed(operations, t - 1, t, most));
  const isFull = moved !== null || all.length === lines && (lines === 2 || !isPhone); // no hint
  const worst = isFull ? all.toSorted((a, b) => Number(b.gone) - Number(a.gone)) : all;
  const row = (Math.min(innerWidth, 1440) - 50) / 7; // characters
  let room = (isPhone ? Math.min(lines, 3) + 1 : lines) - Number(!isFull);
  const kept = worst.slice(0, isFull ? lines : lines - 1).filter(({ text }, i) => { // whole, so that none is cut off
    const rows = (text.length + 2 + (i + 1 < all.length ? 22 : 0)) / row; // with how many are left
    const fits = i === 0 || (isPhone ? rows : Math.ceil(rows)) <= room;
    room -= fits ? (isPhone ? (text.length + 2) / row : Math.ceil(text.length / row)) : room;
    return fits;
  });
  const told = isPhone && moved !== null ? kept : all.filter((one) => kept.includes(one));
  const left = all.length - told.length;
  const more = left > 0 && ` And ${plural(left, moved === null ? "later change" : "other change")}.`;
  return html`${!isFull && (operations.length > 0
    ? `${matchMedia("(pointer: coarse)").matches ? "Drag “now” to preview; drag it back to cancel."
      : "Drag “now” to see what changes on the way."}${all.length > 0 ? "" : " Nothing is to come."}`
    : "Nothing is deprecated. Deprecate an operation in the table below, and it gets a bar here.")}
    ${moved !== null && told.length === 0 && `${moment(moved)}: nothing changes on the way.`}
    ${told.length > 0 && html`
      <ul>
        ${told.map(({ text, gone }, i) => html`
          <li key=${text}>
            <span class=${gone && (moved ?? 0) > now ? "gone" : ""}>
              ${dated(moved === null && i === 0 ? `Next: f${text.slice(1)}` : text)}
            </span>
            ${i === told.length - 1 && more}${" "}
          </li>`)}
      </ul>`}`;
}
