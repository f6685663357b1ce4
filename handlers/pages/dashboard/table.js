// A table of records, current or past, with its filters.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../library/preact.js";
import { change, follow, link } from "../shell/address.js";
import { Code } from "../shell/calls.js";
import { Menu, useLongTouch } from "../shell/components.js";
import { typed } from "../shell/events.js";
import { count } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { useKeys } from "../shell/keys.js";
import { opened } from "../shell/later.js";
import { createStore, kept, useStore } from "../shell/store.js";
import { sizeOf } from "./changes.js";
import { nouns, statuses } from "./nouns.js";
import { Portrait } from "./portrait.js";

const Choices = opened(() => import("./columns.js"), "Choices");

/** @typedef {import("./nouns.js").Noun} Noun */
/** @typedef {import("./nouns.js").Row} Row */
/** @typedef {import("./bulk.js").Picks} Picks */

/** Returns the table that an address names. @param {Record<string, string>} address */
export const nounOf = (address) => nouns.find(({ name }) => name === address.table) ?? nouns[0];

/** Scrolls an element into view, once it is in the page. @param {HTMLElement|null} one */
const show = (one) => requestAnimationFrame(() => one?.scrollIntoView({ block: "nearest", inline: "center" }));

/**
 * @param {object} props
 * @param {Noun} props.noun
 * @param {Record<string, number>} [props.counts]
 * @param {string} [props.at]  the request that the data is as of
 * @param {import("./changes.js").Difference} props.difference
 * @param {string} [props.changed]  set: shows only changed records
 */
export const Tables = ({ noun, counts, at, difference, changed }) => html`<nav class="tables" aria-label="Tables">
  ${nouns.map(({ name, title }) => html`
    <a key=${name} href=${link({ view: "data", at, table: name, changed })}
      aria-current=${name === noun.name ? "page" : undefined} ref=${counts && name === noun.name ? show : undefined}
      onClick=${follow}>
      ${title} <span class="note">${counts && count(counts[name])}</span>
      ${Boolean(sizeOf(difference, name)) && html`
        <i class="differs" role="img" title=${at ? "By this request" : "Since the baseline"} />`}
    </a>`)}
</nav>`;

/**
 * @typedef {(noun: Noun, address: Record<string, string>) => import("../shell/api.js").Call} PageCall  reads a page
 */

/**
 * @param {object} props
 * @param {Noun} props.noun
 * @param {Record<string, string>} props.address
 * @param {Map<number, string>} props.categories
 * @param {PageCall} [props.call]
 */
export const FilterInputs = ({ noun, address, categories, call }) => noun.filters.map((filter) => html`
  <${FilterInput} key=${filter.name} filter=${filter} value=${address[filter.name] ?? ""} categories=${categories}
    code=${call && html`<${Code} label=${`filter by ${filter.title}`} call=${() => call(noun, address)} />`} />`);

/**
 * @param {object} props
 * @param {import("./nouns.js").Filter} props.filter
 * @param {string} props.value
 * @param {Map<number, string>} props.categories
 * @param {any} props.code
 */
function FilterInput({ filter: { name, title, kind }, value, categories, code }) {
  const set = typed((text) => change({ [name]: text, page: "" }));
  const input = html`
    <input type="search" inputmode=${kind === "number" && "numeric"} aria-label=${title}
      placeholder=${title} value=${value} onInput=${set} />
    ${code}`;
  if (kind === "text") return html`<div class="searchbox"><${Icon} name="search" />${input}<kbd>/</kbd></div>`;
  if (kind === "number") return input;
  /** @type {[string, string][]} */
  const options = kind === "status" ? statuses.map((s) => [s, s])
    : kind === "boolean" ? [["true", "complete"], ["false", "not complete"]]
    : [...categories].map(([id, text]) => [String(id), text]);
  return html`<select aria-label=${title} value=${value} onChange=${set}>
    <option value="">any ${title}</option>
    ${options.map(([v, text]) => html`<option key=${v} value=${v}>${text}</option>`)}
  </select>${code}`;
}

/** Whether an address filters the table. @param {Noun} noun @param {Record<string, string>} address */
export const isFiltered = (noun, address) => noun.filters.some(({ name }) => address[name]);

/** Removes all filters of the table. @param {Noun} noun */
export const showAll = (noun) => change(Object.fromEntries(noun.filters.map(({ name }) => [name, ""])));

export const saved = kept("localStorage", "hidden columns");

/** The hidden columns, such as pets.status. @type {import("../shell/store.js").Store<{names: string[]}>} */
export const hidden = createStore({ names: saved.get().split(" ") });

/** @param {Noun} noun @param {import("./nouns.js").Column} column */
export const keyOf = (noun, column) => `${noun.name}.${column.name}`;

/** The menu of columns. @param {{noun: Noun}} props */
export const Columns = ({ noun }) => html`
  <${Menu} class="icon" title="Columns" text=${html`<${Icon} name="columns" />`}><${Choices} noun=${noun} /><//>`;

/** Focuses the record's row, and reports whether there is one. @param {string} id */
export function goTo(id) {
  const row = document.getElementById(`row-${id}`);
  row?.scrollIntoView({ block: "nearest" });
  /** @type {HTMLElement|null|undefined} */ (row?.querySelector("button.id") ?? row)?.focus({ preventScroll: true });
  return row !== null;
}

const drafts = kept("sessionStorage", `drafts of ${location.pathname}`); // as drafts.js keeps them

/**
 * @param {object} props
 * @param {Noun} props.noun
 * @param {Row[]} props.rows
 * @param {Record<string, string>} props.address
 * @param {import("./nouns.js").Context} props.context
 * @param {(id: string) => void} props.onOpen
 * @param {Picks} [props.picks]  missing: rows cannot be selected
 * @param {PageCall} [props.call]
 * @param {Map<any, {mark: string, text: any}>} [props.since]  the changes of records, by id
 */
export function Rows({ noun, rows, address, context, onOpen, picks, since, call }) {
  const [at, setAt] = useState(""); // the id of the row with the keyboard
  const place = useRef(-1); // of that row, also once it has gone
  const { names } = useStore(hidden);
  const idOf = (/** @type {Row} */ row) => String(row[noun.id]);
  const index = rows.findIndex((row) => idOf(row) === at);
  if (index >= 0) place.current = index;
  const move = (/** @type {number} */ by, /** @type {Picks["extend"]|undefined} */ extend = undefined) => {
    const to = index < 0 ? place.current + Math.min(by, 0) : index + by;
    const next = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (!next) return;
    const id = idOf(next);
    if (extend && index >= 0 && id !== at) extend(at, id);
    setAt(id);
    goTo(id);
    if (address.open) change({ open: id }, history.state);
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => index >= 0 && onOpen(at),
    ...(picks && {
      J: () => move(1, picks.extend),
      K: () => move(-1, picks.extend),
      x: () => index >= 0 && picks.toggle(at),
      X: () => index >= 0 && picks.toggle(at, true),
      "Ctrl a": () => picks.all || picks.toggleAll(),
    }),
  });
  const ids = rows.map(idOf);
  const before = useRef(ids);
  const focused = Boolean(document.activeElement?.closest("tr.at"));
  useLayoutEffect(() => { // when the row goes, the next takes its place
    const old = before.current;
    before.current = ids;
    const was = old.indexOf(at);
    if (index >= 0 || was < 0) return;
    const next = [...old.slice(was), ...old.slice(0, was).reverse()].find((id) => ids.includes(id));
    if (!next) return;
    setAt(next);
    if (focused) goTo(next);
  });
  const touches = useLongTouch((touched) => { // the next one selects a range
    const row = touched.closest("tr.opens");
    if (picks && row && !touched.closest("select")) picks.toggle(row.id.slice(4), picks.picked.size > 0);
  });
  /** @param {string} id @param {any} event */
  const press = (id, { shiftKey, ctrlKey, metaKey, pointerType }) => {
    const adds = ctrlKey || metaKey || (pointerType === "touch" && picks?.some);
    if (!picks || !shiftKey && !adds) return onOpen(id);
    picks.toggle(id, shiftKey);
    goTo(id); // the keys go on from it
  };
  useEffect(() => { // shows the row that the address names, from which the keys go on
    document.getElementById(`row-${address.open}`)?.scrollIntoView({ block: "nearest" });
    if (address.open) setAt(address.open);
  }, [address.open, rows.some((row) => idOf(row) === address.open)]);
  if (rows.length === 0) return null;
  const sort = address.sort || noun.id;
  const columns = noun.columns.filter((column) => !names.includes(keyOf(noun, column)));
  const unsaved = drafts.get();
  // A pet of the past may have been deleted since.
  const known = (/** @type {Row} */ { categoryId }) => (context.at ? undefined : categoryId);
  return html`<table class="lines records">
    <thead>
      <tr>
        ${picks && html`<td class="picking">
          <label>
            <input type="checkbox" aria-label="Select all on this page" checked=${picks.all}
              indeterminate=${!picks.all && picks.picked.size > 0}
              onChange=${picks.toggleAll} />
          </label>
        </td>`}
        ${noun.photo && html`<th class="face"><span class="offscreen">Portrait</span></th>`}
        ${columns.map((column) => html`
          <${Heading} key=${column.name} column=${column} sort=${sort}
            call=${call && ((/** @type {any} */ to) => call(noun, { ...address, ...to }))} />`)}
        ${since && html`<th class="since">${context.at ? "By this request" : "Since the baseline"}</th>`}
      </tr>
    </thead>
    <tbody ...${picks && touches}>${rows.map((row) => {
      const id = idOf(row);
      const told = since?.get(row[noun.id]);
      const mark = told?.mark;
      const isUnsaved = address.open !== id && unsaved.includes(`["${noun.name} ${id}",`);
      return html`
        <tr key=${id} id=${`row-${id}`} tabindex="-1"
          class=${`opens ${id === at ? "at" : ""} ${mark ? `was-${mark}` : ""} ${isUnsaved ? "unsaved" : ""}`}
          title=${isUnsaved ? "unsaved changes" : mark}
          aria-selected=${address.open === id} onfocusin=${() => setAt(id)}
          onClick=${(/** @type {MouseEvent} */ event) => press(id, event)}>
          ${picks && html`<td class="picking" onClick=${(/** @type {Event} */ event) => event.stopPropagation()}>
            <label>
              <input type="checkbox" aria-label=${`Select ${noun.one} ${id}`} checked=${picks.picked.has(id)}
                onClick=${(/** @type {MouseEvent} */ { shiftKey }) => picks.toggle(id, shiftKey)} />
            </label>
          </td>`}
          ${noun.photo && html`<td class="face">
            ${row[noun.photo] ? html`<${Portrait} id=${row[noun.photo]} category=${known(row)} />` : ""}
          </td>`}
          ${columns.map((column, n) => html`
            <td key=${column.name} data-title=${column.title}
              class=${`${column.number ? "number" : ""} ${column.place ?? ""}`}>
              ${cell(row, column, context, n === 0)}
            </td>`)}
          ${since && html`<td class="since">${told?.text}</td>`}
        </tr>`;
    })}</tbody>
  </table>`;
}

/**
 * @param {Row} row
 * @param {import("./nouns.js").Column} column
 * @param {import("./nouns.js").Context} context
 * @param {boolean} first
 */
function cell(row, column, context, first) {
  const value = column.show ? column.show(row, context) : String(row[column.name] ?? "");
  return first && !column.show ? html`<button type="button" class="quiet id">${value}</button>` : value;
}

/**
 * @param {object} props
 * @param {import("./nouns.js").Column} props.column
 * @param {string} props.sort
 * @param {(to: Record<string, string>) => import("../shell/api.js").Call} [props.call]
 */
function Heading({ column, sort, call }) {
  const up = sort === column.name;
  const down = sort === `-${column.name}`;
  const turned = { sort: up ? `-${column.name}` : column.name, page: "" };
  return html`
    <th class=${column.number ? "number" : ""} aria-sort=${up ? "ascending" : down ? "descending" : undefined}>
      <button type="button" onClick=${() => change(turned)}>
        ${column.title}
        ${(up || down) && html`<${Icon} name=${up ? "up-arrow" : "down-arrow"} />`}
      </button>
      ${call && html`<${Code} label=${`sort by ${column.title}`} call=${() => call(turned)} />`}
    </th>`;
}
