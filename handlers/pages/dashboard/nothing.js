// What a table shows instead of rows, and a pet's form instead of categories.

import { html } from "../library/preact.js";
import { follow, link } from "../shell/address.js";
import { Empty } from "../shell/components.js";
import { session } from "../shell/session.js";
import { CurlLine } from "../shell/source.js";
import { useStore } from "../shell/store.js";
import { showAll } from "./table.js";

/** @typedef {import("./nouns.js").Noun} Noun */

/** Says what has to come before a pet, if it is missing. @param {{children?: any}} props  children: if it is not */
export const NoCategory = ({ children }) => (useStore(session).summary?.counts.categories === 0 ? html`
  <p>A pet needs a category. <a href=${link({ view: "data", table: "categories", open: "new" })}
    onClick=${follow}>Add a category</a></p>` : children);

/**
 * Says that a table has no rows, and what to do about it.
 * @param {{noun: Noun, filtered: boolean, categories: Map<number, string>}} props
 */
export function Nothing({ noun, filtered, categories }) {
  if (filtered) return html`
    <${Empty} title="Nothing matches">
      <button type="button" class="plain-border" onClick=${() => showAll(noun)}>Show all</button>
    <//>`;
  const how = noun.create ? html`
    <p>Add one here, or with</p>
    <${CurlLine} call=${example(noun, categories)} />` : html`
    <p>An entry comes with each pet. <a href=${link({ view: "data", table: "pets", open: "new" })}
      onClick=${follow}>Add a pet</a></p>`;
  return html`<${Empty} title=${`No ${noun.title.toLowerCase()}`}>
    ${noun.name === "pets" ? html`<${NoCategory}>${how}<//>` : how}
  <//>`;
}

/**
 * Returns a call that creates a record.
 * @param {Noun} noun
 * @param {Map<number, string>} categories
 * @returns {import("../shell/api.js").Call}
 */
const example = ({ name, path, create }, categories) => ({
  method: "POST", path, service: true,
  body: { ...create, ...(name === "pets" && { categoryId: categories.keys().next().value }) },
  headers: name === "messages" ? { Authorization: "Bearer demo-key" } : undefined,
});
