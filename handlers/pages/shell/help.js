// The keys of all views, which "?" shows.

import { html } from "../library/preact.js";
import { Dialog } from "./components.js";
import { keys as paletteKeys } from "./finder.js";

/** @typedef {import("./shell.js").View} View */

/** The keys that do not belong to one view. @param {View[]} views @returns {Pick<View, "title" | "keys">[]} */
const everywhere = (views) => [{
  title: "Every view",
  keys: [
    [paletteKeys, "find a command"], ["?", "show the keys"], ["`", "show the API calls"],
    ...views.filter(({ key }) => key)
      .map(({ key, title }) => /** @type {[string, string]} */ ([`g ${key}`, `go to ${title}`])),
  ],
}, {
  title: "Lists",
  keys: [["/", "filter"], ["j", "next row"], ["k", "previous row"], ["Enter", "open it"], ["Esc", "close it"]],
}];

/** The keys of all views. @param {{views: View[], onClose: () => void}} props */
export const Keys = ({ views, onClose }) => html`<${Dialog} title="Keys" onClose=${onClose}>
  <div class="all-keys">
    ${[...everywhere(views), ...views].map(({ title, keys }) => keys && html`
      <section key=${title} class="stack">
        <h3>${title}</h3>
        <dl class="keys">${keys.map(([name, does]) => html`
          <div key=${name}>
            <dt>${name.split(" ").map((one) => html`<kbd key=${one}>${one}</kbd> `)}</dt>
            <dd>${does}</dd>
          </div>`)}
        </dl>
      </section>`)}
  </div>
<//>`;
