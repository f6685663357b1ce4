// Which part of a long list is shown, and the way to the others.

import { html } from "../library/preact.js";
import { change } from "../shell/address.js";
import { Code } from "../shell/components.js";
import { count } from "../shell/format.js";

/** How many rows a page has. */
export const PAGE = 50;

/** The page that the address names, the first being 0. @param {Record<string, string>} address */
export const pageOf = (address) => Math.max(0, Math.floor(Number(address.page)) - 1 || 0);

/** @param {{page: number, total: number, call: import("../shell/api.js").Call}} props */
export function Pager({ page, total, call }) {
  const pages = Math.max(1, Math.ceil(total / PAGE));
  const to = (/** @type {number} */ n) => () => change({ page: n === 0 ? "" : String(n + 1) });
  return html`<div class="pager">
    <span class="grow">${total === 0 ? "" : `${count(page * PAGE + 1)} to ${count(Math.min(total, (page + 1) * PAGE))} of ${count(total)}`}</span>
    <${Code} label="this page" call=${() => call} />
    <button type="button" disabled=${page === 0} aria-label="First page" onClick=${to(0)}>«</button>
    <button type="button" disabled=${page === 0} onClick=${to(page - 1)}>Previous</button>
    <button type="button" disabled=${page >= pages - 1} onClick=${to(page + 1)}>Next</button>
    <button type="button" disabled=${page >= pages - 1} aria-label="Last page" onClick=${to(pages - 1)}>»</button>
  </div>`;
}
