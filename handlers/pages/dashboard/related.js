// Parts beside the fields of a record: the steps to other records, the delete button, links to related records, and the
// JSON.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { change, follow, link, params } from "../shell/address.js";
import { get } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { CopyButton } from "../shell/components.js";
import { Icon } from "../shell/icon.js";
import { sayError } from "../shell/toast.js";
import { pageCall } from "./data.js";
import { dropDraft } from "./drafts.js";
import { pathOf } from "./following.js";
import { open, step as toRecord } from "./opening.js";
import { PAGE } from "./pager.js";
import { writeRecord } from "./writes.js";

/** @typedef {import("./nouns.js").Noun} Noun */
/** @typedef {import("./nouns.js").Row} Row */

/** Links to the related records, and the JSON. @param {{noun: Noun, record: Row}} props */
export function Related({ noun, record }) {
  const links = noun.links?.(record) ?? [];
  return html`
    ${links.length > 0 && html`<nav class="row" aria-label="Links">
      ${links.map(({ text: to, params: of }) => html`
        <a key=${to} class="button plain-border" href=${link({ view: "data", ...of })} onClick=${follow}>
          ${to}
          <${Icon} name="next" />
        </a>`)}
    </nav>`}
    <${Json} record=${record} />`;
}

const AWAY = "page"; // the place of a record that is on another page

const MOST = 1000; // records that one call reads
const MOST_CALLS = 10; // to find the page of a record

/** The ids of the rows. */
const idsShown = () => [...document.querySelectorAll("tr.opens")].map((row) => row.id.replace("row-", ""));

/** The buttons to the previous and the next page. @returns {NodeListOf<HTMLButtonElement>} */
const turns = () => document.querySelectorAll(".pager > button:not(.icon)");

/**
 * Returns the ids of the records above and below one in the table, "" for none. Those of a record without a row are
 * those before.
 * @param {string} id
 * @param {string[]} before
 */
function around(id, before) {
  const ids = idsShown();
  const at = ids.indexOf(id);
  if (at < 0) return before.map((one) => (ids.includes(one) ? one : ""));
  return [0, 1].map((by) => ids[at - 1 + 2 * by] ?? (turns()[by]?.disabled === false ? AWAY : ""));
}

/** Turns the table to the page of a record, if it is on another one. @param {Noun} noun @param {string} id */
async function turnTo(noun, id) {
  const asked = params();
  const most = `limit=${MOST}`;
  for (let from = 0; from < MOST * MOST_CALLS; from += MOST) {
    const { path } = pageCall(noun, { ...asked, page: "" });
    /** @type {Row[]} */
    const rows = await get(path.replace(/limit=\d+&offset=0/, `${most}&offset=${from}`));
    const at = rows.findIndex((row) => String(row[noun.id]) === id);
    if (params() !== asked) return; // the user went on
    if (at >= 0) return change({ page: String(Math.floor((from + at) / PAGE) + 1) }, history.state);
    if (rows.length < MOST) return;
  }
}

/** Saves the record, or leads to the question that must be answered first. @param {HTMLElement} aside */
function save(aside) {
  const button = /** @type {HTMLElement|null} */ (aside.querySelector("form .primary"));
  const question = button?.closest(".question");
  if (!question || question.contains(document.activeElement)) return button?.click();
  question.querySelector("button")?.focus();
  question.scrollIntoView({ block: "nearest" });
}

let pressed = ""; // the button that opened the next record, whose panel gives the focus to the same button

/** Opens a record of the page that is being read. @type {((ids: string[]) => void)|null} */
let turning = null;

/**
 * Buttons that step to other records, with their keys, and Ctrl+Enter, which saves. The table turns to the page of the
 * record, which may have been opened by a link.
 * @param {{panel: {current: HTMLElement|null}, noun: Noun, id: string}} props
 */
export function Steps({ panel, noun, id }) {
  const beside = useRef(["", ""]);
  beside.current = around(id, beside.current);
  const [, again] = useState(0);
  useEffect(() => {
    let found = id === "new" || Boolean(params().changed); // whether its page shows, or is being looked for
    const look = () => {
      const ids = idsShown();
      if (!found && ids.length > 0) {
        found = true;
        if (!ids.includes(id)) turnTo(noun, id).catch(() => undefined);
      }
      if (turning && ids.length > 0 && !ids.includes(id)) turning(ids);
      else if (String(around(id, beside.current)) !== String(beside.current)) again((n) => n + 1);
    };
    look();
    const seen = new MutationObserver(look);
    const side = document.querySelector(".table-side");
    if (side) seen.observe(side, { childList: true, subtree: true, attributeFilter: ["disabled"] });
    return () => {
      turning = null;
      seen.disconnect();
    };
  }, []);
  const step = (/** @type {number} */ by, /** @type {(to: string) => void} */ show) => {
    const to = beside.current[by];
    if (to !== AWAY) return to && show(to);
    turning = (ids) => show(by ? ids[0] : /** @type {string} */ (ids.at(-1)));
    turns()[by].click();
  };
  useEffect(() => {
    const aside = /** @type {HTMLElement} */ (panel.current);
    const press = (/** @type {KeyboardEvent} */ event) => {
      if (event.target !== document.body && !aside.contains(/** @type {Node} */ (event.target))) return;
      const opens = /** @type {HTMLElement} */ (event.target).matches("select, [list]"); // on Alt with an arrow
      const to = event.altKey && !opens && { ArrowUp: 0, ArrowDown: 1 }[event.key];
      if (typeof to === "number") step(to, open);
      else if (event.key !== "Enter" || !event.ctrlKey && !event.metaKey) return;
      else save(aside);
      event.preventDefault();
    };
    document.addEventListener("keydown", press); // also while nothing has the focus, as after a reload
    const again = pressed && aside.querySelector(`[aria-label="${pressed}"]:enabled`);
    if (pressed) /** @type {HTMLElement} */ (again || aside).focus({ preventScroll: true });
    pressed = "";
    return () => document.removeEventListener("keydown", press);
  }, []);
  const button = (/** @type {string} */ name, /** @type {number} */ by) => html`
    <button type="button" class="icon" aria-label=${name} title=${`${name} ( Alt ${by ? "↓" : "↑"} )`}
      disabled=${!beside.current[by]} onClick=${() => step(by, (to) => {
        pressed = name;
        toRecord(to);
      })}>
      <${Icon} name=${by ? "down-arrow" : "up-arrow"} />
    </button>`;
  return id !== "new" && html`<span class="steps">
    ${button("Previous record", 0)}${button("Next record", 1)}
  </span>`;
}

let isOpen = false; // whether the user has opened the JSON, which stays open for the next record

/** @param {{record: Row}} props */
export function Json({ record }) {
  const text = JSON.stringify(record, null, 2);
  return html`<details open=${isOpen} onToggle=${(/** @type {Event} */ { currentTarget: one }) => {
    isOpen = /** @type {HTMLDetailsElement} */ (one).open;
  }}>
    <summary>JSON</summary>
    <div class="json-of">
      <${CopyButton} text=${text} />
      <pre class="json" tabindex="0" aria-label="The record as JSON">${text}</pre>
    </div>
  </details>`;
}

/** @param {{noun: Noun, id: string, tag: string, writing: {current: boolean}, onClose: () => void}} props */
export function Remove({ noun, id, tag, writing, onClose }) {
  const call = () => ({ method: "DELETE", path: pathOf(noun, id), headers: { "If-Match": tag } });
  const done = () => {
    dropDraft(noun, id);
    onClose();
  };
  const fail = (/** @type {any} */ problem) => {
    writing.current = false;
    sayError(problem, "data");
  };
  const run = () => {
    writing.current = true;
    return writeRecord(call(), `Deleted ${noun.one} ${id}.`).then(done, fail);
  };
  return html`<span class="pair">
    <button type="button" class="danger" onClick=${run}>Delete</button>
    <${Code} label="delete" call=${call} />
  </span>`;
}
