// The keys of all views, which "?" shows.

import { html } from "../library/preact.js";
import { Dialog } from "./components.js";
import { keys as paletteKeys } from "./finder.js";

/** @typedef {import("./shell.js").View} View */
/** @typedef {{title: string, keys?: [string, string][]}} Section */

/** The keys of single views, by name. @type {Record<string, [string, string][]>} */
const ofView = {
  requests: [
    ["p", "pause and go on"], ["c", "copy it as curl"], ["x", "select it, for a test"],
    ["Shift x", "select up to it"], ["Shift j", "select the next too"], ["Shift k", "select the previous too"],
    ["Ctrl a", "select all in the list"],
  ],
  data: [
    ["n", "add a record"], ["x", "select the row"], ["Shift x", "select up to the row"],
    ["Shift j", "select the next row too"], ["Shift k", "select the previous too"],
    ["Ctrl a", "select all on this page"], ["s", "set the status of these"], ["Delete", "delete these"],
    ["Esc", "select none"],
    ["Alt ↓", "open the next record"], ["Alt ↑", "open the previous one"], ["Ctrl ⏎", "save the record"],
    ["← →", "step through the past"],
  ],
};

/** @param {View[]} views @returns {Section[]} */
const sections = (views) => [{
  title: "Every view",
  keys: [
    [paletteKeys, "find a command"], ["?", "show the keys"], ["`", "show the API calls"],
    ["Ctrl z", "undo what was just done"],
    ...views.filter(({ key }) => key)
      .map(({ key, title }) => /** @type {[string, string]} */ ([`g ${key}`, `go to ${title}`])),
  ],
}, {
  title: "Lists",
  keys: [["/", "filter"], ["j", "next row"], ["k", "previous row"], ["Enter", "open it"], ["Esc", "close it"]],
}, ...views.map(({ title, name }) => ({ title, keys: ofView[name] }))];

/** The keys of all views. @param {{views: View[], onClose: () => void}} props */
export const Keys = ({ views, onClose }) => html`<${Dialog} title="Keys" onClose=${onClose}>
  <div class="all-keys">
    ${sections(views).map(({ title, keys }) => keys && html`
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
