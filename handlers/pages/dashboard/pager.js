// Shows which page of a long list is open, with buttons to the others.

import { html } from "../library/preact.js";
import { change, go, params } from "../shell/address.js";
import { Code } from "../shell/calls.js";
import { count } from "../shell/format.js";
import { Icon } from "../shell/icon.js";

/** The number of rows of a page. */
export const PAGE = 50;

const MOST_PAGES = 1e9; // the most that an address can name, since an offset has a limit

/** Returns the page that the address names, from 0. @param {Record<string, string>} address */
export const pageOf = (address) => Math.min(MOST_PAGES, Math.max(0, Math.floor(Number(address.page)) - 1 || 0));

/** @param {number} total */
const lastOf = (total) => Math.max(0, Math.ceil(total / PAGE) - 1);

/** Returns the parameter that names a page. @param {number} page */
const named = (page) => ({ page: page === 0 ? "" : String(page + 1) });

/** Shows another page, as a step of the history unless a record is open. @param {number} page */
function turnTo(page) {
  for (const side of document.querySelectorAll(".table-side, .boxes, .table-scroll")) side.scrollTop = 0;
  if (params().open) change(named(page)); // Back closes the open record
  else go({ ...params(), ...named(page) });
}

/**
 * Whether the page exists. If it does not, for example after a deletion, goes to the last one.
 * @param {number} page
 * @param {number} total
 */
export function isThere(page, total) {
  const last = lastOf(total);
  if (page > last) change(named(last));
  return page <= last;
}

/** @param {{page: number, total: number, also?: string, call: import("../shell/api.js").Call}} props */
export function Pager({ page, total, also = "", call }) {
  const last = lastOf(total);
  const from = page * PAGE + 1;
  const to = (/** @type {number} */ n) => () => turnTo(n);
  return html`<div class="pager calls">
    <span class="grow">
      ${total > 0 && `${count(from)} to ${count(Math.min(total, page * PAGE + PAGE))} of ${count(total)}${also}`}
    </span>
    ${last > 0 && html`
      <button type="button" class="icon" disabled=${page === 0} aria-label="First page" onClick=${to(0)}>
        <${Icon} name="first" />
      </button>
      <button type="button" disabled=${page === 0} onClick=${to(page - 1)}>Previous</button>
      <button type="button" disabled=${page >= last} onClick=${to(page + 1)}>Next</button>
      <button type="button" class="icon" disabled=${page >= last} aria-label="Last page" onClick=${to(last)}>
        <${Icon} name="last" />
      </button>`}
    <${Code} label="this page" call=${() => call} />
  </div>`;
}
