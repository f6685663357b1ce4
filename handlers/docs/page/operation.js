// An operation: its line, and its details when it is open.

import { inOrder } from "../pages/dashboard/marks.js";
import { key, request, root } from "../pages/shell/api.js";
import { isShifted } from "../pages/shell/format.js";
import { placeOf, requestOf, send } from "./call.js";
import { Request } from "./console.js";
import { addressOf, boundsOf, examplesOf, fieldsOf, needsKey, resolve, shown, typeOf } from "./document.js";
import { authorization, facts, hear, refresh } from "./facts.js";
import { badges, findSuccessor, isGone, warnings } from "./lifecycle.js";
import { Address, Broken, Key, Response, Responses, Sample, errorsOf, rangeOf, textOf } from "./responses.js";
import { Fields, Fold } from "./schema.js";
import { Markdown, React, breakable, dated, h, narrow, useStore } from "./ui.js";

/** The field of an operation whose interactive testing is disabled. */
const HIDDEN = "x-hideTryItPanel";

/** ms after which a request shows that it is waiting. */
const PATIENCE = 150;

const CANCELLED = "Cancelled before a response came. The operation may have run all the same.";

const BROKEN = "The connection broke.";

/**
 * @typedef {object} Props
 * @property {any} document
 * @property {import("./document.js").Operation} operation
 */

/** @param {Props & {open: boolean, current: boolean, onToggle: () => void}} props  current: named by the address */
export function OperationView({ open, current, onToggle, ...props }) {
  const { tag, id, method, path, described } = props.operation;
  const { operations, clock } = useStore(facts);
  const known = operations.get(id);
  const found = badges(described, known, clock);
  const gone = isGone(known, clock);
  const states = [open && "is-open", current && "is-current", described.deprecated && "opblock-deprecated"];
  return h("article", { id: `operations-${tag}-${id}`, className: ["opblock", ...states].filter(Boolean).join(" ") },
    h("h4", { className: "opblock-summary" },
      h("button", { className: "opblock-summary-control", "aria-expanded": open, onClick: onToggle },
        h("span", { className: `method ${method.toLowerCase()}` }, method),
        h("span", { className: "what" },
          h("span", { className: "path" }, breakable(path)),
          found.map(({ kind, text }) => h("span", { key: kind, className: `badge ${kind}` }, text))),
        h("span", { className: "summary" }, described.summary))),
    open && h("div", { className: "opblock-body" },
      h("div", { className: "lead" },
        h(Notes, props),
        h(Description, { text: described.description }),
        h("p", null, h("small", null, "operationId ", h("code", null, id)))),
      h(Form, { ...props, gone }),
      h(Responses, { document: props.document, responses: described.responses, gone })));
}

/** A description is folded after the sentence at this many characters, if at least as many are left. */
const LEAD = 160;

/** A description. A long one shows its first sentences. @param {{text: string}} props */
function Description({ text }) {
  const end = text.slice(LEAD).search(/(?<=\.)\s|\n\n/) + LEAD;
  const cut = end < LEAD || text.length < end + LEAD ? text.length : end;
  return h("div", { className: "prose" },
    h(Markdown, { source: text.slice(0, cut) }),
    cut < text.length &&
      h(Fold, { title: "More", className: "quiet" }, () => h(Markdown, { source: text.slice(cut).trim() })));
}

/** Notes to read before using an operation. @param {Props} props */
function Notes({ document, operation: { id, method, described } }) {
  const { operations, heard, clock } = useStore(facts);
  const known = operations.get(id);
  const now = new Date(clock?.now ?? 0);
  const { text, successor } = heard.get(id) ?? {};
  const said = warnings(described, known, now, text);
  const date = known?.sunset;
  return h(React.Fragment, null,
    said.length > 0 && h("div", { className: "note deprecation" },
      h("p", null, h("strong", null, dated(said[0])), " ", dated(said.slice(1).join(" "))),
      known?.successor && h(Successor, { successor: known.successor, method, document }),
      !known && successor && h("p", null, "Use instead: ", h(Address, { path: successor })),
      date && h("p", null, new Date(date) > now
        ? h("button", { type: "button", onClick: () => travel(date) }, `Travel to ${date}`)
        : clock && isShifted(clock)
          ? h("button", { type: "button", onClick: () => travel() }, "Back to now")
          : h("a", { href: new URL("?view=time", root).href }, "Open the time view"))),
    described[HIDDEN] && h("div", { className: "note" },
      h("p", null,
        h("strong", null, "Interactive testing is disabled for this operation"),
        ", so there is no “Execute”. The document says ", h("code", null, HIDDEN),
        " here, to show what that does. Call it from your own client.")));
}

/** Sets the clock of the sandbox. @param {string} [date]  missing: the machine's time */
async function travel(date) {
  const path = "admin/clock";
  const call = date ? { method: "PUT", path, body: { now: new Date(date).toISOString() } } : { method: "DELETE", path };
  const arrive = () => {
    facts.set({ travels: facts.get().travels + 1 });
    return refresh();
  };
  await request(call).then(arrive, ({ message }) => facts.set({ trouble: message }));
}

/** @param {{successor: string, method: string, document: any}} props */
function Successor({ successor, method, document }) {
  const found = findSuccessor(successor, method.toLowerCase(), document.paths);
  const fill = (/** @type {any} */ { currentTarget: link }) => { // with the form's values
    const form = new FormData(link.closest(".opblock-body").querySelector("form"));
    const query = successor.split("?")[1]?.replaceAll(/\{(\w+)\}/g, (placeholder, name) =>
      encodeURIComponent(String(form.get(`path.${name}`) ?? "")) || placeholder);
    const values = !query || query.includes("{") ? "" : `?${query}`;
    link.setAttribute("href", addressOf(/** @type {any} */ (found)) + values);
  };
  return h("p", null,
    "Use instead: ", found ? h("a", { href: addressOf(found), onClick: fill }, found.id) : null, " ",
    h("code", null, successor));
}

/**
 * The form of an operation: its inputs, its call, the button that sends it, and the response.
 * @param {Props & {gone: boolean}} props
 */
function Form({ document, operation, gone }) {
  const { parameters, described } = operation;
  const [answer, setAnswer] = React.useState(undefined);
  const [place, setPlace] = React.useState({});
  const [trouble, setTrouble] = React.useState("");
  const [waiting, setWaiting] = React.useState(false);
  const [refused, setRefused] = React.useState(undefined);
  const [mended, setMended] = React.useState(new Set());
  const [isOther, setIsOther] = React.useState(false); // whether the form has changed since it was sent
  const [keyless, setKeyless] = React.useState(needsKey(described) && !authorization.get().key);
  const sending = React.useRef(new AbortController());
  const sent = React.useRef({ form: new FormData(), travels: 0 });
  const { travels } = useStore(facts);
  const result = React.useRef(null);
  React.useEffect(() => () => sending.current.abort(), []);
  React.useEffect(() => { // once for each response: the parts of a stream have the same ms
    if (!answer) return;
    const below = result.current.getBoundingClientRect().bottom > innerHeight;
    const key = answer.status === 401 && result.current.closest("form").querySelector(".key");
    const at = key || result.current; // scroll to the key
    at.scrollIntoView({ block: below && narrow.matches ? "start" : "nearest" });
  }, [answer?.ms]);
  const request = (/** @type {HTMLFormElement} */ form) => // for display
    requestOf(operation, new FormData(form), authorization.get().key || (needsKey(described) ? "KEY" : ""));
  const locate = async (/** @type {string} */ id = "") => setPlace(await placeOf(operation, id));
  const execute = async (/** @type {any} */ event) => {
    event.preventDefault();
    if (waiting) return;
    sending.current.abort();
    if (answer?.open) return; // the button says Stop
    const { signal } = (sending.current = new AbortController());
    setTrouble("");
    setPlace({});
    const { currentTarget } = event;
    const form = new FormData(currentTarget);
    const { key: used } = authorization.get();
    const patience = setTimeout(() => setWaiting(!signal.aborted), PATIENCE);
    const stopWaiting = () => {
      clearTimeout(patience);
      if (sending.current.signal === signal) setWaiting(false);
    };
    try {
      await send(requestOf(operation, form, used), signal, (/** @type {any} */ got) => {
        stopWaiting();
        sent.current = { form, travels: facts.get().travels };
        setMended(new Set());
        setIsOther(differs(currentTarget));
        setAnswer(got);
        setRefused(got.status === 401 ? { key: used } : undefined);
        if (got.status === 401) setKeyless(true); // stays, so that it does not vanish while the user types
        const named = new Map(got.headers);
        const id = named.get("x-request-id");
        hear(operation.id, named);
        if (got.open) return;
        void locate(id);
        const opens = facts.get().clock || (got.status < 400 && key.value);
        if (operation.method !== "GET" || opens) void refresh(); // the clock and the lifecycles may have changed
      });
    } catch {
      stopWaiting();
      if (sending.current.signal !== signal) return; // another request follows
      setAnswer(undefined);
      setTrouble(signal.aborted ? CANCELLED : BROKEN);
      if (!signal.aborted) void locate();
    }
  };
  const stop = (/** @type {any} */ { currentTarget: { form } }) => {
    form.querySelector("[aria-keyshortcuts]").focus(); // the button disappears
    sending.current.abort();
  };
  const press = (/** @type {any} */ event) => {
    if (event.key === "Escape") sending.current.abort();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit(); // in any field
  };
  const headers = parameters.filter((p) => p.in === "header");
  const filters = parameters.filter((p) => p.in === "query" && !p.required);
  const others = parameters.filter((p) => !headers.includes(p) && !filters.includes(p));
  const errors = answer ? inOrder(errorsOf(answer), String(sent.current.form.get("body") ?? "")) : [];
  const wrong = new Map(errors.filter(({ field }) => !mended.has(field)).map(({ field, message }) => [field, message]));
  const differs = (/** @type {HTMLFormElement} */ form) =>
    String([...new FormData(form)]) !== String([...sent.current.form]);
  const mend = (/** @type {any} */ event) => { // renders again only if a mark appears or disappears
    if (!answer) return;
    setIsOther(differs(event.currentTarget));
    const form = new FormData(event.currentTarget);
    const isMended = (/** @type {string} */ field) => textOf(form, field) !== textOf(sent.current.form, field);
    const others = new Set(errors.map(({ field }) => field).filter(isMended));
    if (others.size !== mended.size) setMended(others);
  };
  return h("form", {
    onSubmit: described[HIDDEN] ? ignore : execute, onKeyDown: press, onInput: mend, className: "try",
  },
    h("div", { className: "inputs" },
      h(Parameters, { document, of: others, wrong }),
      filters.length > 0 && h("details", { className: "quiet", open: !narrow.matches },
        h("summary", null, `Optional parameters (${filters.length})`),
        h(Parameters, { document, of: filters, wrong })),
      described.requestBody && h(Body, { document, body: described.requestBody, wrong }),
      headers.length > 0 && h("details", { className: "quiet" },
        h("summary", null, `Request headers (${headers.length})`),
        h(Parameters, { document, of: headers, wrong }))),
    h("div", { className: "console", "aria-busy": waiting },
      h(Request, { request, lacking: keyless && h(Key, { described, refused }) },
        operation.id === "resetSandbox" && h("small", null, "Cannot be undone"),
        waiting && h("button", { type: "button", title: "Escape", onClick: stop }, "Cancel"),
        !described[HIDDEN] && h("button", {
          className: answer?.open ? "run" : "run primary", title: answer?.open ? "Escape" : "Ctrl Enter",
          "aria-keyshortcuts": "Control+Enter Meta+Enter",
        }, waiting ? "Sending…" : answer?.open ? "Stop" : "Execute")),
      h("div", { "aria-live": "polite", ref: result },
        trouble === CANCELLED && h("p", { className: "note" }, trouble),
        trouble === BROKEN && h(Broken, { place }),
        answer && h(Response, {
          answer, errors, place, mended, isOld: isOther || travels !== sent.current.travels,
        })),
      !answer && !trouble && !gone && h(Sample, { document, responses: described.responses })));
}

/** @param {Event} event */
const ignore = (event) => event.preventDefault();

/** @param {{document: any, of: any[], wrong: Map<string, string>}} props  wrong: the errors, by parameter or pointer */
function Parameters({ document, of: parameters, wrong }) {
  if (!parameters.length) return null;
  return h("table", { className: "parameters" },
    h("thead", null, h("tr", null, ["Parameter", "Value", "Description"].map((name) =>
      h("th", { key: name, scope: "col" }, name)))),
    h("tbody", null, parameters.map((p) => h("tr", { key: p.name },
      h("th", { scope: "row" },
        h("code", { className: "name" }, p.name), " ",
        p.required && h("span", { className: "required" }, "required"),
        h("span", { className: "type" }, aboutValue(document, p.schema))),
      h("td", null, h(Input, { document, parameter: p, wrong: wrong.has(p.name) })),
      h("td", { className: "about" },
        wrong.has(p.name) && h("p", { className: "wrong" }, wrong.get(p.name)),
        h(Markdown, { source: p.description }))))));
}

/** Says what a parameter takes, unless its choices show that. @param {any} document  @param {any} schema */
function aboutValue(document, schema) {
  const of = resolve(document, schema.items ?? schema);
  if (of.enum || of.type === "boolean") return "";
  const usual = schema.default === undefined ? "" : `default ${schema.default}`;
  return [typeOf(document, schema), boundsOf(document, of), usual].filter(Boolean).join(", ");
}

/** @param {{document: any, parameter: any, wrong: boolean}} props */
function Input({ document, parameter: { in: place, name, schema, example, required }, wrong }) {
  const { own } = useStore(facts);
  const type = typeOf(document, schema);
  const common = { name: `${place}.${name}`, "aria-label": name, "aria-invalid": wrong, required, title: type };
  if (schema.enum || schema.type === "boolean") {
    const choices = schema.enum ?? [true, false];
    return h("select", { ...common, defaultValue: "" },
      h("option", { value: "" }, schema.default === undefined ? "–" : `${schema.default} (default)`),
      choices.map((/** @type {any} */ choice) => h("option", { key: String(choice) }, String(choice))));
  }
  const of = schema.type === "array" && resolve(document, schema.items);
  if (of?.enum) {
    const isOpen = (/** @type {any} */ value) => !own || !of["x-admin-key"]?.includes(value);
    const check = (/** @type {any} */ value) =>
      h("label", { key: value }, h("input", { type: "checkbox", name: common.name, value }), value);
    return h("span", { className: "checks", role: "group", "aria-label": name }, of.enum.filter(isOpen).map(check));
  }
  return h("input", {
    ...common,
    defaultValue: required ? example : "",
    placeholder: schema.default ?? (of?.type === "integer" ? "such as 7, 12" : ""),
    autoComplete: "off",
    spellCheck: false,
  });
}

/**
 * The editor of the body. It starts with an example, or empty if the operation needs no body.
 * @param {{document: any, body: any, wrong: Map<string, string>}} props
 */
function Body({ document, body, wrong }) {
  const text = React.useRef(null);
  const chosen = React.useRef(null);
  const [[type, media]] = /** @type {[string, any][]} */ (Object.entries(body.content));
  const types = Object.keys(body.content);
  const none = /** @type {[string, any]} */ (["none", { summary: "No body", value: "" }]);
  const examples = [...(body.required ? [] : [none]), ...examplesOf(document, media)];
  const ofBody = [...wrong.keys()].filter((field) => /^(\/|line )/.test(field));
  const fields = narrow.matches ? [] : fieldsOf(document, media.schema); // these show their errors below
  const named = new Set(fields.map(({ name }) => `/${name}`));
  const mark = () => {
    const { value, style } = text.current;
    const lines = ofBody.map((field) => value.slice(0, rangeOf(value, field)[0]).split("\n").length - 1);
    style.background = [...lines.map((line) => "linear-gradient(var(--failed-ground) 0 0) " +
      `0 calc(var(--space-2) + ${line} * 1.5em) / 100% 1.5em no-repeat local`), "var(--surface)"].join();
  };
  React.useLayoutEffect(mark);
  const rowsOf = (/** @type {string} */ value) => Math.max(value ? 4 : 2, Math.min(12, value.split("\n").length + 1));
  const edited = () => {
    mark();
    text.current.rows = Math.max(text.current.rows, rowsOf(text.current.value)); // so that nothing below moves up
    const at = examples.findIndex(([, { value }]) => shown(value) === text.current.value);
    if (chosen.current) chosen.current.value = at < 0 ? "" : at;
  };
  const choose = (/** @type {any} */ event) => {
    text.current.value = shown(examples[event.currentTarget.value][1].value);
    text.current.dispatchEvent(new Event("input", { bubbles: true })); // so that the call updates
  };
  const first = shown(examples[0]?.[1].value ?? "");
  return h("div", { className: "body" },
    h("p", null,
      h("strong", null, "Body"),
      examples.length > 1 && h("select", { "aria-label": "Example", onChange: choose, ref: chosen, defaultValue: 0 },
        examples.map(([name, { summary }], i) => h("option", { key: name, value: i }, summary ?? name)),
        h("option", { value: "", hidden: true }, "Edited")),
      types.length > 1
        ? h("select", { "aria-label": "Media type", name: "type", defaultValue: type },
          types.map((t) => h("option", { key: t }, t)))
        : h("input", { type: "hidden", name: "type", value: type })),
    h("textarea", {
      ref: text,
      name: "body",
      onInput: edited,
      "aria-label": "Request body",
      "aria-invalid": ofBody.length > 0,
      rows: rowsOf(first),
      wrap: "off", // so that each line has one row, which can be marked
      spellCheck: false,
      defaultValue: first,
      placeholder: body.required ? null : "none is sent",
    }),
    ofBody.filter((field) => !named.has(field)).map((field) =>
      h("p", { key: field, className: "wrong" }, `${field}: ${wrong.get(field)}`)),
    h(Fold, { title: "Fields of the body", open: !narrow.matches, className: "quiet" }, () =>
      h(Fields, { document, schema: resolve(document, media.schema), wrong })));
}
