// Shown in place of what is not there: requests that match, or the request of the address.

import { html } from "../library/preact.js";
import { change, params } from "../shell/address.js";
import { Empty } from "../shell/components.js";
import { count } from "../shell/format.js";
import { session } from "../shell/session.js";
import { errorOf, fieldOf, journal, whyGone } from "./journal.js";
import { Older } from "./older.js";
import { matcher } from "./requests.js";
import { addressOf, names, NO_OPERATION, parse, valuesOf, withWords } from "./search.js";

/** @typedef {import("../shell/types.js").Entry} Entry */

const EXAMPLES = ["status:errors", "method:POST", "op:createPet", "fault:any"]; // searches

/** Says which word of a search has no meaning, or "". @param {string} search */
function unknownIn(search) {
  for (const [, name, value] of search.matchAll(/(?:^|\s)(-?[a-z]+):(?!\/\/)(\S*)/gi)) {
    const known = names[name.toLowerCase()];
    if (!known) return `“${name}:” is not a filter. There are ${[...new Set(Object.values(names))].join(", ")}.`;
    if (known === "status" && !/^(,?([1-5]\d{0,2}x{0,2}|errors|cut|broken|0))+$/i.test(value)) {
      return "status: takes 404, 4xx, errors or cut, and several with commas.";
    }
  }
  return "";
}

const MOST = 8; // values to choose from

/** Returns the value of a request by the name of a word. @type {Record<string, (entry: Entry) => any>} */
const values = {
  status: ({ status }) => (status ? String(status) : "cut"),
  op: ({ operationId }) => operationId ?? NO_OPERATION,
  client: ({ clientName, client }) => clientName ?? client,
  method: ({ method }) => method,
  code: (entry) => errorOf(entry)?.code,
  field: fieldOf,
};

/**
 * Returns the first word of a search that no request has, and the same word with each value that requests have.
 * @param {string} search
 */
function absentIn(search) {
  const { by } = parse(search);
  const { entries } = journal.get();
  for (const name of Object.keys(values).filter((one) => by[one])) {
    const word = withWords("", { [name]: by[name] });
    if (entries.some(matcher(word, entries))) continue;
    const has = (/** @type {string} */ value) =>
      valuesOf(by[name]).some((wanted) => value.toLowerCase().includes(wanted));
    const all = [...new Set(entries.map(values[name]))].filter(Boolean);
    const near = all.sort((a, b) => Number(has(b)) - Number(has(a))).slice(0, MOST);
    return { word, others: near.map((value) => ({ [name]: value })) };
  }
  return { word: "", others: [] };
}

/** Returns the parts of a search without which it finds requests, each with the rest. @param {string} search */
function excluding(search) {
  const { entries } = journal.get();
  const parts = search.match(/([a-z]+:)?("[^"]*"?|\S+)/gi) ?? [];
  return parts.map((part, i) => [`without ${part}`, parts.filter((_, at) => at !== i).join(" ")])
    .filter(([, rest]) => rest && entries.some(matcher(rest, entries)));
}

/** @param {{search: string, all: number, onShowAll: () => void}} props  all: the number of requests */
export function NoMatch({ search, all, onShowAll }) {
  const what = search ? `Nothing matches ${search}` : "Nothing came";
  const { word, others } = absentIn(search);
  const unknown = unknownIn(search) || word && word !== search && `No request has ${word}.`;
  const next = others.length > 0 ? others.map((words) => [withWords("", words), withWords(search, words)])
    : params().from ? [] : [...excluding(search), ...EXAMPLES.map((one) => [one, one])].slice(0, EXAMPLES.length);
  return html`<${Empty} title=${params().from ? `${what} in this part of the time` : what}>
    ${unknown && html`<p>${unknown}</p>`}
    ${search && next.length > 0 && html`<p class="row">Try ${next.map(([text, to]) => html`
      <button type="button" key=${text} class="filter wire" onClick=${() => change(addressOf(to))}>
        ${text}</button>`)}</p>`}
    ${search && params().from && html`
      <button type="button" class="primary" onClick=${() => change({ from: "", to: "" })}>Show the whole time</button>`}
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
        <p>${whyGone(session.get().restarted)}</p>
        <button type="button" class="plain-border" onClick=${onClose}>Show the list</button>
      <//>`}
</aside>`;
