// The response to a request, and the responses that the document names.

import { copy } from "../pages/shell/copy.js";
import { pretty, statusText } from "../pages/shell/format.js";
import { examplesOf, resolve, shown } from "./document.js";
import { Examples, Fields, Fold } from "./schema.js";
import { Markdown, React, h } from "./ui.js";

/** @param {string|number} status */
const kind = (status) => (status === "default" ? "other" : `s${String(status)[0]}`);

/** @param {{text: string}} props */
export function Copy({ text }) {
  const [copied, setCopied] = React.useState(false);
  return h("button", { type: "button", onClick: async () => setCopied(await copy(text)) }, copied ? "Copied" : "Copy");
}

/**
 * What came back, with the reason of a refusal first.
 * @param {{answer: import("./call.js").Answer, line: string}} props
 */
export function Response({ answer, line }) {
  const { status, headers, type, body, ms, open } = answer;
  const text = type.includes("json") ? pretty(body) : body;
  const failure = status >= 400 && type.includes("json") ? readError(body) : undefined;
  return h("section", { className: "panel live-response", "aria-label": "Response" },
    h("p", { className: "line" },
      h("strong", { className: `status ${kind(status)}` }, status),
      h("span", { className: "grow" }, statusText(status)),
      h("span", { className: "time" }, open ? "open" : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`),
      body && !open && h(Copy, { key: text, text })),
    failure && h("div", { className: "reason" },
      failure.details?.length > 0
        ? h("ul", null, failure.details.map((/** @type {any} */ detail, /** @type {number} */ i) =>
          h("li", { key: i }, h("code", null, detail.field), " ", detail.message)))
        : failure.message),
    type.startsWith("image/svg")
      ? h("img", { src: `data:image/svg+xml,${encodeURIComponent(body)}`, alt: "The response, an image", width: 160 })
      : body && h("pre", { tabIndex: 0, "aria-label": "Response body" }, text),
    h("div", { className: "foot" },
      h("details", { className: "quiet grow" },
        h("summary", null, `Headers (${headers.length})`),
        h("dl", null, headers.map(([name, value]) =>
          [h("dt", { key: name }, name), h("dd", { key: `${name} value` }, value)]))),
      line && h("a", { href: line }, "Its line on the dashboard")));
}

/** @param {string} body */
function readError(body) {
  try {
    const error = JSON.parse(body);
    return typeof error?.message === "string" ? error : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The response to expect, until there is one.
 * @param {{document: any, responses: any}} props
 */
export function Sample({ document, responses }) {
  const [at, setAt] = React.useState(0);
  const [[status, ref]] = /** @type {[string, any][]} */ (Object.entries(responses));
  const [media] = Object.values(resolve(document, ref).content ?? {});
  const examples = examplesOf(document, media);
  const choose = (/** @type {any} */ event) => setAt(event.currentTarget.value);
  return h("section", { className: "panel", "aria-label": "Example of a response" },
    h("p", { className: "line" },
      h("strong", { className: `status ${kind(status)}` }, status),
      h("span", { className: "grow" }, statusText(Number(status))),
      h("span", { className: "time" }, "Example"),
      examples.length > 1 && h("select", { "aria-label": "Example", onChange: choose },
        examples.map(([name, { summary }], i) => h("option", { key: name, value: i }, summary ?? name)))),
    examples.length > 0 && h("pre", { tabIndex: 0, "aria-label": "Example" }, shown(examples[at][1].value)));
}

/**
 * The responses that the document names, one line each.
 * @param {{document: any, responses: any}} props
 */
export function Responses({ document, responses }) {
  const all = Object.entries(responses);
  const expected = all.filter(([status]) => status < "4");
  const others = all.filter(([status]) => status >= "4");
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
      h("summary", null, `Errors (${others.length})`),
      others.map(line)));
}

/** Without the marks of Markdown, and in at most one line. @param {string} text */
const firstSentence = (text) => text.replaceAll("`", "").split(/(?<=[.:;])\s/)[0].replace(/[.:;]$/, "");

/** @param {{document: any, response: any}} props */
function Details({ document, response }) {
  const [[, media] = ["", undefined]] = Object.entries(response.content ?? {});
  const headers = Object.entries(response.headers ?? {}).map(([name, ref]) => [name, resolve(document, ref)]);
  return h("div", { className: "details" },
    response.description.length > firstSentence(response.description).length + 8 &&
      h(Markdown, { source: response.description }),
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
