// Shows the fields of a schema, and examples.

import { boundsOf, fieldsOf, resolve, shown, typeOf } from "./document.js";
import { Markdown, React, h } from "./ui.js";

/** The depth down to which objects in objects show their fields. */
const DEEPEST = 4;

/** If there are more than MANY fields, those after the FIRST are folded. */
const MANY = 7;
const FIRST = 5;

/**
 * The fields of a schema, or of the elements of an array.
 * @param {{document: any, schema: any, depth?: number, wrong?: Map<string, string>}} props  wrong: the errors of a
 *   request body, by pointer
 * @returns {any}
 */
export function Fields({ document, schema, depth = 0, wrong }) {
  const whole = resolve(document, schema);
  if (whole?.type === "array") return h(Fields, { document, schema: whole.items, depth });
  const fields = fieldsOf(document, whole).filter((field) => !wrong || !resolve(document, field.schema).readOnly);
  if (!fields.length) return depth ? null : h("p", { className: "type" }, typeOf(document, whole));
  const line = (/** @type {any} */ field) => {
    const { description } = field.schema.description ? field.schema : resolve(document, field.schema) ?? {};
    return h("li", { key: field.name },
      h("p", null,
        h("code", { className: "name" }, field.name),
        field.required && h("span", { className: "required" }, "required"),
        h("span", { className: "type" },
          [typeOf(document, field.schema), boundsOf(document, field.schema)].filter(Boolean).join(", "))),
      wrong?.has(`/${field.name}`) && h("p", { className: "wrong" }, wrong.get(`/${field.name}`)),
      description && h(Markdown, { source: description }),
      depth < DEEPEST && h(Inner, { document, schema: field.schema, depth: depth + 1 }));
  };
  const list = (/** @type {any[]} */ part) => h("ul", { className: "fields" }, part.map(line));
  const first = fields.length > MANY ? FIRST : MANY;
  const others = fields.slice(first);
  const isWrong = others.some(({ name }) => wrong?.has(`/${name}`));
  return h(React.Fragment, null,
    list(fields.slice(0, first)),
    others.length > 0 &&
      h(Fold, { title: `${others.length} more fields`, className: "quiet", open: isWrong }, () => list(others)));
}

/** The fields of a field, if it has any. @param {{document: any, schema: any, depth: number}} props */
function Inner({ document, schema, depth }) {
  const whole = resolve(document, schema);
  const inner = whole?.type === "array" ? whole.items : whole;
  if (!fieldsOf(document, inner).length) return null;
  return h(Fold, { title: "Fields" }, () => h(Fields, { document, schema: inner, depth }));
}

/**
 * Details whose content is rendered when they are first opened.
 * @param {{title: any, className?: string, id?: string, open?: boolean, children: () => any}} props  open: from the
 *   start
 */
export function Fold({ title, className, id, open = false, children }) {
  const [opened, setOpened] = React.useState(open);
  const onToggle = (/** @type {any} */ event) => event.currentTarget.open && setOpened(true);
  return h("details", { className, id, open, onToggle },
    h("summary", null, title),
    opened && children());
}

/**
 * Matches the coloured tokens of JSON and of a call: member names (not coloured), strings, other values and keywords.
 * Single quotes and backticks that end on another line hold a body, which is JSON.
 */
const TOKEN = new RegExp([
  /("(?:[^"\\\n]|\\.)*"(?=:))/, /("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|`[^`\n]*`)/,
  /(?<![\w.:/-])(-?\d[\d.]*(?:[eE][+-]?\d+)?|true|false|null|True|False|None|nil)(?![\w.:/-])/,
  /(?<![\w.:/-])(await|const|curl|defer|for|if|import|new|return|var)(?![\w.:/=-])/,
].map(({ source }) => source).join("|"), "g");

/** JSON or a call, with syntax colours. @param {{text: string}} props */
export function Text({ text }) {
  const parts = [];
  let end = 0;
  for (const { index, 0: token, 1: name, 2: quoted, 3: value } of text.matchAll(TOKEN)) {
    if (name) continue;
    parts.push(text.slice(end, index),
      h("span", { key: index, className: quoted ? "quoted" : value ? "value" : "word" }, token));
    end = index + token.length;
  }
  return [...parts, text.slice(end)];
}

/**
 * Examples of a body, each with its name: the first, and the others folded.
 * @param {{examples: [string, any][]}} props
 */
export function Examples({ examples: [first, ...others] }) {
  const view = (/** @type {[string, any]} */ [name, { summary, value }]) => h("figure", { key: name },
    h("figcaption", null, summary ?? name),
    h("pre", { tabIndex: 0 }, h(Text, { text: shown(value) })));
  return h(React.Fragment, null,
    first && view(first),
    others.length > 0 &&
      h(Fold, { title: `More examples (${others.length})`, className: "quiet" }, () => others.map(view)));
}
