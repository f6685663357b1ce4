// The response to a request, and the responses in the document.

import { placeOf as valueIn } from "../pages/dashboard/marks.js";
import { key as tabKey, request, root } from "../pages/shell/api.js";
import { copy } from "../pages/shell/copy.js";
import { capital, day, duration, plural, pretty, statusText } from "../pages/shell/format.js";
import { headerName } from "./call.js";
import { examplesOf, needsKey, resolve, shown } from "./document.js";
import { authorization, facts, keepKey, takesTabKey } from "./facts.js";
import { findReader } from "./lifecycle.js";
import { Examples, Fields, Fold, Text } from "./schema.js";
import { Markdown, React, breakable, h, narrow, useStore } from "./ui.js";

/** The headers to show above the body: those that matter for this response. */
const TELLING = ["deprecation", "link", "location", "retry-after", "sunset", "warning", "x-total-count"];

/** @typedef {import("../pages/dashboard/marks.js").Detail} Detail */
/** @typedef {Awaited<ReturnType<typeof import("./call.js").placeOf>>} Place */

/** @param {string|number} status */
const kind = (status) => (status === "default" ? "other" : String(status) === "410" ? "s5" : `s${String(status)[0]}`);

/** @param {{text: string}} props */
export function Copy({ text }) {
  const [copied, setCopied] = React.useState(false);
  const onClick = async () => setCopied(await copy(text));
  return h("button", { type: "button", className: "copy", onClick }, copied ? "Copied" : "Copy");
}

/**
 * The response to a request, with the reasons of a refusal first.
 * @param {{answer: import("./call.js").Answer, errors: Detail[], mended: Set<string>, isOld: boolean,
 *   place: Place}} props
 *   place: where the dashboard shows it, with its fault rule; mended: the wrong fields that have other values now;
 *   isOld: whether the form or the clock has changed since
 */
export function Response({ answer, errors, place, mended, isOld }) {
  const { status, headers, type, body, ms, open, lasted } = answer;
  const json = type.includes("json");
  const stream = type.startsWith("text/event-stream");
  const text = json ? pretty(body) : body;
  const ofRule = errors.find(({ message }) => message.includes(`fault rule ${place.rule}`));
  const others = errors.filter((error) => error !== ofRule);
  const events = plural(body.match(/^data:/gm)?.length ?? 0, "event");
  const list = (/** @type {[string, string][]} */ some) => h("dl", null, some.map(([name, value]) => {
    const className = name === "link" || name === "warning" ? "wide" : null;
    return [h("dt", { key: name, className }, headerName(name)),
      h("dd", { key: `${name} value`, className }, h(Value, { name, value }))];
  }));
  const telling = headers.filter(([name]) => TELLING.includes(name) && !(errors.length && name === "warning"));
  const isOfPages = (/** @type {[string, string]} */ [name]) => name.startsWith("access-control-");
  const all = [...headers.filter((header) => !isOfPages(header)), ...headers.filter(isOfPages)];
  const whole = h("pre", { tabIndex: 0, "aria-label": "Response body", className: stream ? "stream" : null },
    json ? h(Text, { text }) : stream ? h("div", null, h(Stream, { text })) : text);
  const className = isOld ? "panel live-response is-old" : "panel live-response";
  return h("section", { className, "aria-label": "Response" },
    h("p", { className: "line" },
      h("strong", { className: `status ${kind(status)}` }, status),
      h("span", { className: "grow" }, statusText(status)),
      isOld && h("span", { className: "chip" }, "Of an earlier request"),
      open && h("span", { className: "live" }, `Live · ${events}`),
      !open && h("span", { className: "time" }, lasted ? `${events} in ${duration(lasted)}` : duration(ms)),
      body && !open && h(Copy, { key: text, text })),
    others.length > 0 && h("ul", { className: `reason ${kind(status)}` }, others.map(({ field, message }, i) =>
      h("li", { key: i, className: mended.has(field) ? "mended" : null },
        field && h("button", { type: "button", className: "plain", onClick: goTo, value: field }, field), " ",
        message.split(/((?<=\b(?:GET|use) )\/[\w/?=&]+)/).map((part, j) =>
          (j % 2 ? h(Address, { key: j, path: part }) : part))))),
    place.rule && h(Rule, {
      key: place.rule, id: place.rule, status,
      text: capital(ofRule?.message ?? `fault rule ${place.rule} applied to this request`),
    }),
    telling.length > 0 && h("div", { className: "foot" }, list(telling)),
    type.startsWith("image/svg")
      ? h("img", { src: `data:image/svg+xml,${encodeURIComponent(body)}`, alt: "The response, an image", width: 160 })
      : errors.length > 0 // the errors say the same
        ? h("details", { className: "quiet", onToggle: reveal }, h("summary", null, "Body"), whole)
        : body && whole,
    h("div", { className: "foot" },
      place.href && h("a", { href: place.href }, "See it on the dashboard"),
      h("details", { className: "quiet grow", onToggle: reveal },
        h("summary", null, `Headers (${headers.length})`),
        list(all))));
}

/** Shows a request that got no response. @param {{place: Place}} props */
export const Broken = ({ place }) => h("section", { className: "panel live-response", "aria-label": "Response" },
  h("p", { className: "line" }, h("strong", { className: "status s5" }, "–"), "No response"),
  place.rule
    ? h(Rule, { key: place.rule, id: place.rule, status: 500, text: `Fault rule ${place.rule} broke the connection` })
    : h("p", { className: "reason" }, "The connection broke, or the server cannot be reached."),
  place.href && h("div", { className: "foot" },
    h("span", { className: "grow" }), h("a", { href: place.href }, "See it on the dashboard")));

/** Scrolls all of the opened details into view. @param {any} event */
const reveal = ({ currentTarget }) => currentTarget.parentElement.scrollIntoView({ block: "nearest" });

/** The events of a stream, each with its id, its name and its data. @param {{text: string}} props */
const Stream = ({ text }) => text.split("\n\n").filter(Boolean).map((block, i) => {
  if (block.startsWith(":")) return h("p", { key: i, className: "time" }, block);
  const [id, event, data] = ["id", "event", "data"].map((name) => new RegExp(`^${name}: (.*)`, "m").exec(block)?.[1]);
  return h("div", { key: i },
    h("p", null, h("strong", null, event), " ", h("span", { className: "time" }, `id ${id}`)),
    h("p", { className: "data" }, (data ?? "").split(/(?<=,)(?=")/).map((part, j) =>
      [j > 0 && h("wbr", { key: j }), h(Text, { key: `${j} part`, text: part })])));
});

/**
 * The value of a header, with its addresses as links and its time as a date.
 * @param {{name: string, value: string}} props
 */
function Value({ name, value }) {
  if (name === "deprecation") return `${value} (${day(Number(value.slice(1)) * 1000)})`;
  if (name === "location") return h(Address, { path: value });
  if (name !== "link") return value;
  return [...value.matchAll(/<([^>]*)>; rel="([^"]*)"/g)].map(([, path, relation]) =>
    h("span", { key: relation, className: "relation" }, `${relation} `, h(Address, { path })));
}

/**
 * An address of the server. It links to the operation that reads it, if any.
 * @param {{path: string}} props
 */
export function Address({ path }) {
  const { document } = useStore(facts);
  const relative = path.startsWith(root.pathname) ? path.slice(root.pathname.length - 1) : path;
  const href = /^\/docs\/(#.*)/.exec(relative)?.[1] ?? findReader(relative, document.paths);
  return href ? h("a", { href }, breakable(path)) : breakable(path);
}

/**
 * The fault rule that applied to a request.
 * @param {{id: number, status: number, text: string}} props  text: the effect of the rule
 */
function Rule({ id, status, text }) {
  const [isDeleted, setIsDeleted] = React.useState(false);
  const remove = () => request({ method: "DELETE", path: `admin/faults/${id}` })
    .then(() => setIsDeleted(true), ({ message }) => facts.set({ trouble: message }));
  return h("p", { className: `line reason ${isDeleted ? "s2" : kind(status)}` },
    h("span", { className: "grow" }, isDeleted ? `Fault rule ${id} is deleted.` : `${text}.`),
    !isDeleted && h("a", { href: new URL(`?view=faults&rule=${id}`, root).href }, "Open rule"),
    !isDeleted && h("button", { type: "button", onClick: remove }, "Delete rule"));
}

/**
 * Returns the errors in a response, each with its field, or its place in the body such as "line 3, column 1".
 * @param {import("./call.js").Answer} answer
 * @returns {{field: string, message: string}[]}
 */
export function errorsOf({ status, type, body, open }) {
  if (status < 400 || open || !type.includes("json")) return [];
  try {
    const { message, details } = JSON.parse(body);
    if (details?.length) return details;
    const [, field = "", rest = message] = PLACE.exec(message) ?? [];
    return [{ field, message: rest }];
  } catch {
    return [];
  }
}

const PLACE = /^(line \d+, column \d+)(?:: (.*))?$/s;

/**
 * Returns the form's value for the field of an error.
 * @param {FormData} form
 * @param {string} field
 */
export function textOf(form, field) {
  const body = String(form.get("body") ?? "");
  if (field.startsWith("/")) return body.slice(...valueIn(body, field));
  return PLACE.test(field) ? body : String([...form].filter(([name]) => name.endsWith(`.${field}`)));
}

/** Returns where in a body an error is, from and to. @param {string} body @param {string} field */
export function rangeOf(body, field) {
  if (!PLACE.test(field)) return valueIn(body, field);
  const [line, column] = /** @type {RegExpMatchArray} */ (field.match(/\d+/g)).map(Number);
  const at = body.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0) + column - 1;
  return [at, at + 1];
}

/** Moves the focus to the place of an error: a parameter, or a part of the body. @param {any} event */
function goTo({ currentTarget: { form, value: field } }) {
  const { body } = form.elements;
  if (!PLACE.test(field) && !field.startsWith("/")) {
    return [...form.elements].find(({ name }) => name.endsWith(`.${field}`))?.focus();
  }
  body.focus();
  body.setSelectionRange(...rangeOf(body.value, field));
}

/**
 * The key that requests send, and the keys that the operation accepts.
 * @param {{described: any, refused?: {key: string}, about?: string}} props  refused: the key that a response refused
 */
export function Key({ described, refused, about }) {
  const input = React.useRef(null);
  const [isRead, setIsRead] = React.useState(false); // hides a tab's key from a projector
  React.useEffect(() => {
    if (refused) input.current.focus({ preventScroll: true });
  }, [refused]);
  const { key } = useStore(authorization);
  const { document } = useStore(facts);
  const set = (/** @type {any} */ event) => keepKey(event.currentTarget.value.trim());
  const needed = needsKey(described) && keysOf(document, described);
  const isRight = key && refused?.key !== key; // not known to be wrong
  return h("div", { className: "line key" },
    h("label", null,
      h("span", { className: "term" }, "Key"),
      h("input", {
        ref: input, value: key, "aria-invalid": refused?.key === key, autoComplete: "off", spellCheck: false,
        placeholder: needsKey(described) ? "none is sent" : "Not needed here", onChange: set,
        type: takesTabKey(document) && !isRead ? "password" : "text",
        onFocus: () => setIsRead(true), onBlur: () => setIsRead(false),
      })),
    about && h("small", null, about),
    needed && !about &&
      h("small", { style: { visibility: isRight ? "hidden" : "visible" } }, `Execute needs ${needed}.`));
}

/** The key of this sandbox, hidden from a projector until the user shows it. */
export function OwnKey() {
  const [isShown, setIsShown] = React.useState(false);
  return h("div", { className: "line key" },
    h("span", { className: "term" }, "Your key"),
    h("code", { className: "grow" }, isShown ? tabKey.value : "••••••••"),
    h("button", { type: "button", className: "copy", onClick: () => setIsShown(!isShown) }, isShown ? "Hide" : "Show"),
    h(Copy, { text: tabKey.value }),
    h("small", null, "Operations that need the admin key are not listed."));
}

/** Names the keys that open an operation. @param {any} document  @param {any} described */
function keysOf(document, { security }) {
  /** @type {Record<string, string>} */
  const names = {
    adminKey: "the server’s --admin-key",
    sandboxKey: "the key of this sandbox",
    bearerAuth: "one of the server’s --api-key",
  };
  const kinds = security.flatMap(Object.keys);
  const own = document.components.securitySchemes.bearerAuth?.["x-private"];
  return (own ? ["sandboxKey", "adminKey"] : kinds).map((/** @type {string} */ kind) => names[kind]).join(" or ");
}

/**
 * An example of the response, until there is one.
 * @param {{document: any, responses: any}} props
 */
export function Sample({ document, responses }) {
  const [at, setAt] = React.useState(0);
  const [[status, ref]] = /** @type {[string, any][]} */ (Object.entries(responses));
  const [media] = Object.values(resolve(document, ref).content ?? {});
  const examples = examplesOf(document, media);
  if (!examples.length) return null;
  const choose = (/** @type {any} */ event) => setAt(event.currentTarget.value);
  return h("details", { className: "panel sample", open: !narrow.matches },
    h("summary", null, `Example of a response: ${status} ${statusText(Number(status))}`),
    examples.length > 1 && h("select", { "aria-label": "Example of a response", onChange: choose },
      examples.map(([name, { summary }], i) => h("option", { key: name, value: i }, summary ?? name))),
    h("pre", { tabIndex: 0, "aria-label": "Example" }, h(Text, { text: shown(examples[at][1].value) })));
}

/**
 * The responses in the document, one line each.
 * @param {{document: any, responses: any, gone: boolean}} props
 */
export function Responses({ document, responses, gone }) {
  const all = Object.entries(responses);
  const isExpected = (/** @type {string} */ status) => (gone ? status === "410" : status < "4");
  const expected = all.filter(([status]) => isExpected(status));
  const others = all.filter(([status]) => !isExpected(status));
  const line = (/** @type {[string, any]} */ [status, ref]) => {
    const response = resolve(document, ref);
    const title = [
      h("strong", { key: "status", className: `status ${kind(status)}` }, status === "default" ? "other" : status),
      h("span", { key: "text", className: "text" },
        status === "default" ? "An injected failure" : firstSentence(response.description)),
    ];
    return h(Fold, { key: status, title, className: "response" }, () => h(Details, { document, response }));
  };
  return h("section", { className: "responses", "aria-label": "Responses" },
    h("h5", null, "Responses"),
    expected.map(line),
    others.length > 0 && h("details", { className: "quiet" },
      h("summary", null, `${gone ? "Others" : "Errors"} (${others.length})`),
      others.map(line)));
}

/** Matches the end of the first sentence. */
const END = /(?<=[.:;])\s/;

/** Returns the first sentence, without Markdown and the last mark. @param {string} text */
export const firstSentence = (text) => text.replaceAll("`", "").split(END)[0].replace(/[.:;]$/, "");

/** Returns the other sentences. @param {string} text */
const otherSentences = (text) => capital(text.slice(text.split(END)[0].length).trim());

/** @param {{document: any, response: any}} props */
function Details({ document, response }) {
  const [[, media] = ["", undefined]] = Object.entries(response.content ?? {});
  const headers = Object.entries(response.headers ?? {}).map(([name, ref]) => [name, resolve(document, ref)]);
  return h("div", { className: "details" },
    h(Markdown, { source: otherSentences(response.description) }),
    media && h(Examples, { examples: examplesOf(document, media) }),
    media && h(Fold, { title: "Fields", className: "quiet" }, () => h(Fields, { document, schema: media.schema })),
    headers.length > 0 &&
      h(Fold, { title: `Headers (${headers.length})`, className: "quiet" }, () => h(Headers, { headers })));
}

/** @param {{headers: [string, any][]}} props */
export function Headers({ headers }) {
  return h("dl", { className: "described" }, headers.map(([name, { description }]) => [
    h("dt", { key: name }, h("code", null, name)),
    h("dd", { key: `${name} description` }, h(Markdown, { source: description })),
  ]));
}
