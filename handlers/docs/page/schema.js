// Shows the fields of a schema, and examples.

import { boundsOf, fieldsOf, resolve, shown, typeOf } from "./document.js";
import { Markdown, React, h } from "./ui.js";

/** Objects in objects are shown down to this depth. */
const DEEPEST = 4;

/** Of more than MANY fields, those after the FIRST are folded. */
const MANY = 7;
const FIRST = 5;

/**
 * The fields of a schema, of an array those of its elements.
 * @param {{document: any, schema: any, depth?: number, wrong?: Map<string, string>}} props  wrong: errors, by pointer
 * @returns {any}
 */
export function Fields({ document, schema, depth = 0, wrong }) {
  const whole = resolve(document, schema);
  if (whole?.type === "array") return h(Fields, { document, schema: whole.items, depth });
  const fields = fieldsOf(document, whole);
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
 * A part that is made when it is first opened.
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

/** A text, of JSON with its names apart from its values. @param {{text: string}} props */
export const Text = ({ text }) => text.split(/("(?:[^"\\\n]|\\.)*"(?=:))/).map((part, i) =>
  (i % 2 ? h("span", { key: i, className: "member" }, part) : part));

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
