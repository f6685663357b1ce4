// An operation: its line, and what is below it when it is open.

import { root } from "../pages/shell/api.js";
import { languages } from "../pages/shell/curl.js";
import { callOf, lineOf, requestOf, send } from "./call.js";
import { addressOf, examplesOf, resolve, shown, typeOf } from "./document.js";
import { authorization, facts } from "./facts.js";
import { badges, findSuccessor, warnings } from "./lifecycle.js";
import { Copy, Response, Responses } from "./responses.js";
import { Fields, Fold } from "./schema.js";
import { Markdown, React, h, useStore } from "./ui.js";

/** The field of an operation whose interactive testing is disabled. */
const HIDDEN = "x-hideTryItPanel";

/** Whether there is so little room that optional parameters are folded. */
const narrow = matchMedia("(max-width: 640px)");

/**
 * @typedef {object} Props
 * @property {any} document
 * @property {import("./document.js").Operation} operation
 */

/** @param {Props & {open: boolean, onToggle: () => void}} props */
export function OperationView({ open, onToggle, ...props }) {
  const { tag, id, method, path, described } = props.operation;
  const found = badges(described, useStore(facts).operations.get(id));
  const parts = path.split(/(?=\/)/).flatMap((part, i) => [i > 0 && h("wbr", { key: i }), part]);
  const classes = ["opblock", open && "is-open", described.deprecated && "opblock-deprecated"].filter(Boolean);
  return h("article", { id: `operations-${tag}-${id}`, className: classes.join(" ") },
    h("h4", { className: "opblock-summary" },
      h("button", { className: "opblock-summary-control", "aria-expanded": open, onClick: onToggle },
        h("span", { className: `method ${method.toLowerCase()}` }, method),
        h("span", { className: "what" },
          h("span", { className: "path" }, parts),
          found.map(({ kind, text }) => h("span", { key: kind, className: `badge ${kind}` }, text))),
        h("span", { className: "summary" }, described.summary))),
    open && h("div", { className: "opblock-body" },
      h(Notes, props),
      h(Description, { text: described.description }),
      described[HIDDEN] ? h(Parameters, { ...props, of: props.operation.parameters }) : h(Form, props),
      h(Responses, { document: props.document, responses: described.responses })));
}

/** A description, of a long one the first paragraph. @param {{text: string}} props */
function Description({ text }) {
  const [first, ...more] = text.split("\n\n");
  return h("div", { className: "prose" },
    h(Markdown, { source: first }),
    more.length > 0 &&
      h(Fold, { title: "More", className: "quiet" }, () => h(Markdown, { source: more.join("\n\n") })));
}

/** What there is to know of an operation before it is used. @param {Props} props */
function Notes({ document, operation: { id, method, path, described } }) {
  const { operations, clock } = useStore(facts);
  const known = operations.get(id);
  const said = warnings(described, known, clock && new Date(clock.now));
  return h(React.Fragment, null,
    said.length > 0 && h("div", { className: "note deprecation" },
      h("p", null, h("strong", null, said[0]), ` ${said.slice(1).join(" ")}`),
      !clock && h("p", null, "With the key of the sandbox, this page also says how many days are left."),
      known?.successor && h(Successor, { successor: known.successor, method, document }),
      known?.sunset && h("p", null, h("a", { href: new URL("?view=time", root).href }, `Travel to ${known.sunset}`))),
    described[HIDDEN] && h("div", { className: "note" },
      h("p", null,
        h("strong", null, "Interactive testing is disabled for this operation"),
        ", so there is no “Execute”. The document says ", h("code", null, HIDDEN),
        " here, to show what that does. Call it from your own client:"),
      h("pre", { tabIndex: 0 }, `curl '${new URL(path.slice(1), root)}'`)));
}

/** @param {{successor: string, method: string, document: any}} props */
function Successor({ successor, method, document }) {
  const found = findSuccessor(successor, method.toLowerCase(), document.paths);
  return h("p", null,
    "Use instead: ", found ? h("a", { href: addressOf(found) }, found.id) : null, " ", h("code", null, successor));
}

/** The inputs of an operation, the button that sends them, and the response. @param {Props} props */
function Form({ document, operation }) {
  const form = React.useRef(null);
  const [answer, setAnswer] = React.useState(undefined);
  const [line, setLine] = React.useState("");
  const [trouble, setTrouble] = React.useState("");
  const sending = React.useRef(new AbortController());
  React.useEffect(() => () => sending.current.abort(), []);
  const request = () => requestOf(operation, new FormData(form.current), authorization.get().key);
  const execute = async (/** @type {Event} */ event) => {
    event.preventDefault();
    sending.current.abort();
    const { signal } = (sending.current = new AbortController());
    setTrouble("");
    setLine("");
    try {
      await send(request(), signal, (/** @type {any} */ got) => {
        setAnswer(got);
        const id = new Map(got.headers).get("x-request-id") ?? "";
        if (!got.open) void lineOf(id).then((found) => setLine(found ?? ""));
      });
    } catch (error) {
      if (signal.aborted) return setAnswer((/** @type {any} */ got) => got && { ...got, open: false });
      setAnswer(undefined);
      setTrouble(`No response: ${/** @type {Error} */ (error).message}`);
    }
  };
  const headers = operation.parameters.filter((p) => p.in === "header");
  const filters = operation.parameters.filter((p) => p.in === "query" && !p.required);
  const others = operation.parameters.filter((p) => !headers.includes(p) && !filters.includes(p));
  return h("form", { ref: form, onSubmit: execute, className: "try" },
    h(Parameters, { document, of: others, input: true }),
    filters.length > 0 && h("details", { className: "quiet", open: !narrow.matches },
      h("summary", null, `Optional parameters (${filters.length})`),
      h(Parameters, { document, of: filters, input: true })),
    operation.described.requestBody && h(Body, { document, body: operation.described.requestBody }),
    h("p", { className: "acts" },
      h("button", { className: "primary" }, "Execute"),
      answer?.open && h("button", { type: "button", onClick: () => sending.current.abort() }, "Stop"),
      h(Code, { form, request })),
    h("div", { "aria-live": "polite" },
      trouble && h("p", { className: "reason" }, trouble),
      answer && h(Response, { answer, line })),
    headers.length > 0 && h("details", { className: "headers" },
      h("summary", null, `Request headers (${headers.length})`),
      h(Parameters, { document, of: headers, input: true })));
}

/** @typedef {keyof typeof languages} Language */

/**
 * @typedef {object} CodeProps
 * @property {{current: HTMLFormElement|null}} form
 * @property {() => ReturnType<typeof requestOf>} request
 *
 * The request of a form in the language that is chosen, as it is now.
 * @param {CodeProps} props
 */
function Code({ form, request }) {
  const [language, setLanguage] = React.useState("");
  const [, again] = React.useReducer((/** @type {number} */ n) => n + 1, 0);
  React.useEffect(() => {
    if (!language) return undefined;
    form.current?.addEventListener("input", again);
    return () => form.current?.removeEventListener("input", again);
  }, [language]);
  const choose = (/** @type {any} */ event) => setLanguage(event.currentTarget.value);
  const text = language && languages[/** @type {Language} */ (language)](callOf(request()));
  return h(React.Fragment, null,
    h("select", { "aria-label": "Show as code", value: language, onChange: choose },
      h("option", { value: "" }, "As code…"),
      Object.keys(languages).map((name) => h("option", { key: name }, name))),
    text && h(Copy, { key: text, text }),
    text && h("pre", { tabIndex: 0, "aria-label": `The request in ${language}` }, text));
}

/** @param {{document: any, of: any[], input?: boolean}} props */
function Parameters({ document, of: parameters, input = false }) {
  if (!parameters.length) return null;
  const columns = ["Parameter", ...(input ? ["Value"] : []), "Description"];
  return h("table", { className: "parameters" },
    h("thead", null, h("tr", null, columns.map((name) => h("th", { key: name, scope: "col" }, name)))),
    h("tbody", null, parameters.map((p) => h("tr", { key: p.name },
      h("th", { scope: "row" },
        h("code", { className: "name" }, p.name),
        p.required && h("span", { className: "required" }, "required")),
      input && h("td", null, h(Input, { document, parameter: p })),
      h("td", { className: "about" }, h(Markdown, { source: p.description }))))));
}

/** @param {{document: any, parameter: any}} props */
function Input({ document, parameter: { in: place, name, schema, example, required } }) {
  const type = typeOf(document, schema);
  const common = { name: `${place}.${name}`, "aria-label": name, required, title: type };
  if (schema.enum || schema.type === "boolean") {
    const choices = schema.enum ?? [true, false];
    return h("select", { ...common, defaultValue: "" },
      h("option", { value: "" }, schema.default === undefined ? "–" : `${schema.default} (default)`),
      choices.map((/** @type {any} */ choice) => h("option", { key: String(choice) }, String(choice))));
  }
  const first = schema.type === "array" ? `${typeOf(document, schema.items).split(" ")[0]}, …` : type;
  return h("input", {
    ...common,
    defaultValue: required ? example : "",
    placeholder: String(schema.default ?? first),
    autoComplete: "off",
    spellCheck: false,
  });
}

/** The body, which begins with an example. @param {{document: any, body: any}} props */
function Body({ document, body }) {
  const text = React.useRef(null);
  const [[type, media]] = /** @type {[string, any][]} */ (Object.entries(body.content));
  const types = Object.keys(body.content);
  const examples = examplesOf(document, media);
  const choose = (/** @type {any} */ event) => {
    text.current.value = shown(examples[event.currentTarget.value][1].value);
  };
  const first = shown(examples[0]?.[1].value ?? "");
  return h("div", { className: "body" },
    h("p", null,
      h("strong", null, "Body"),
      examples.length > 1 && h("select", { "aria-label": "Example", onChange: choose },
        examples.map(([name, { summary }], i) => h("option", { key: name, value: i }, summary ?? name))),
      types.length > 1
        ? h("select", { "aria-label": "Media type", name: "type", defaultValue: type },
          types.map((t) => h("option", { key: t }, t)))
        : h("input", { type: "hidden", name: "type", value: type })),
    h("textarea", {
      ref: text,
      name: "body",
      "aria-label": "Request body",
      rows: Math.min(12, first.split("\n").length + 1),
      spellCheck: false,
      defaultValue: first,
    }),
    h(Fold, { title: "Fields of the body", open: !narrow.matches, className: "quiet" }, () =>
      h(Fields, { document, schema: resolve(document, media.schema) })));
}
