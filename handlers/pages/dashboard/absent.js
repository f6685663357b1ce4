// Shown in place of what is not there: requests that match, or the request of the address.

import { html } from "../library/preact.js";
import { change, params } from "../shell/address.js";
import { Empty } from "../shell/components.js";
import { count } from "../shell/format.js";
import { Older } from "./older.js";
import { addressOf, names } from "./search.js";

const EXAMPLES = ["status:errors", "method:POST", "op:createPet", "fault:any"]; // searches

/** Says which word of a search has no meaning, or "". @param {string} search */
function unknownIn(search) {
  for (const [, name, value] of search.matchAll(/(?:^|\s)([a-z]+):(?!\/)(\S*)/gi)) {
    const known = names[name.toLowerCase()];
    if (!known) return `“${name}:” is not a filter. There are ${[...new Set(Object.values(names))].join(", ")}.`;
    if (known === "status" && !/^(,?([1-5](\d\d|x{0,2})|errors|cut|broken|0))+$/i.test(value)) {
      return "status: takes 404, 4xx, errors or cut, and several with commas.";
    }
  }
  return "";
}

/** @param {{search: string, all: number, onShowAll: () => void}} props  all: the number of requests */
export function NoMatch({ search, all, onShowAll }) {
  const what = search ? `Nothing matches ${search}` : "Nothing came";
  const unknown = unknownIn(search);
  return html`<${Empty} title=${params().from ? `${what} in this part of the time` : what}>
    ${unknown && html`<p>${unknown}</p>`}
    ${search && html`<p class="row">Try ${EXAMPLES.map((one) => html`
      <button type="button" key=${one} class="filter wire" onClick=${() => change(addressOf(one))}>
        ${one}</button>`)}</p>`}
    <button type="button" class="plain-border" onClick=${onShowAll}>Show all ${count(all)}</button>
  <//>`;
}

/** Stands for a request that the page does not have. @param {{older: number, onClose: () => void}} props */
export const Missing = ({ older, onClose }) => html`<aside class="detail">
  ${older > 0
    ? html`<${Empty} title="This request is not shown yet">
        <p>It is older than those in the list.</p>
        <${Older} older=${older} />
      <//>`
    : html`<${Empty} title="This request is gone">
        <p>The journal has no room for it any more, or was cleared.</p>
        <button type="button" class="plain-border" onClick=${onClose}>Close</button>
      <//>`}
</aside>`;
