// The guide: the chapters of a document's description, each with an example.

import { root, server } from "../pages/shell/api.js";
import { curl, masked } from "../pages/shell/curl.js";
import { callOf, requestOf } from "./call.js";
import { addressOf, operationsOf } from "./document.js";
import { authorization } from "./facts.js";
import { Copy } from "./responses.js";
import { Text } from "./schema.js";
import { Markdown, h, narrow, useStore } from "./ui.js";

/**
 * @typedef {object} Chapter
 * @property {string} id  the part of the address that names it
 * @property {string} title
 * @property {string} text
 * @property {string} example  a request line, its headers, and after an empty line its body
 */

/** Returns what precedes the chapters of a description. @param {any} document  @returns {string} */
export const leadOf = (document) => document.info.description.split("\n## ")[0];

/** @param {any} document  @returns {Chapter[]} */
export function chaptersOf(document) {
  const [, ...chapters] = document.info.description.split("\n## ");
  return chapters.map((/** @type {string} */ chapter) => {
    const [, title, text, example] =
      /** @type {string[]} */ (/^([^\n]*)\n+(.*?)\n+```http\n(.*?)\n```/s.exec(chapter));
    return { id: `guide/${title.toLowerCase().replaceAll(" ", "-")}`, title, text, example };
  });
}

/**
 * Returns the document's operation for a request, if any.
 * @param {any} document
 * @param {string} method
 * @param {string} target  may begin with a sandbox, and have a query
 */
export function operationAt(document, method, target) {
  const path = target.split("?")[0].replace(/^\/sandboxes\/[^/]+/, "");
  return operationsOf(document).find((one) => one.method === method
    && new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path));
}

/** Links the requests in Markdown to their operations. @param {any} document @param {string} text */
export const linked = (document, text) =>
  text.replaceAll(/`([A-Z]+)\s+(\/[^`\s]+)`/g, (code, method, target) => {
    const operation = operationAt(document, method, target);
    if (operation) return `[${code}](${addressOf(operation)})`;
    const isOfAdmin = document.paths["/pets"] && target.startsWith("/admin/");
    return isOfAdmin ? `[${code}](?document=admin#${method}${target})` : code;
  });

/**
 * Returns the call of an example, and its operation, if any.
 * @param {any} document
 * @param {string} text
 */
function exampleOf(document, text) {
  const [head, body = ""] = text.split("\n\n");
  const [line, ...headers] = head.split("\n");
  const [method, target] = line.split(" ");
  const operation = operationAt(document, method, target);
  const form = new FormData();
  if (body) form.set("body", body);
  const of = operation ?? operationsOf(document)[0];
  const request = requestOf({ ...of, method, parameters: [] }, form, authorization.get().key);
  for (const header of headers) {
    const [name, ...value] = header.split(": ");
    request.headers[name] = value.join(": ");
  }
  const address = new URL(target.slice(1), target.startsWith("/sandboxes/") ? server : root);
  return { operation, call: curl(callOf({ ...request, address })) };
}

/** @param {{document: any, chapter: Chapter}} props */
function ChapterView({ document, chapter: { id, title, text, example } }) {
  useStore(authorization);
  const { operation, call } = exampleOf(document, example);
  return h("section", { className: "chapter" },
    h("div", null,
      h("h3", { id }, title),
      h("div", { className: "prose" }, h(Markdown, { source: linked(document, text) }))),
    h("div", { className: "panel" },
      h("p", { className: "line" },
        h("span", { className: "grow" },
          operation ? h("a", { href: addressOf(operation) }, operation.described.summary) : "Example"),
        h(Copy, { key: call, text: call })),
      h("pre", { tabIndex: 0, "aria-label": `Example: ${title}` }, h(Text, { text: masked(call) }))));
}

/** All chapters, folded on a phone. @param {{document: any}} props */
export const Guide = ({ document }) => h("details", { className: "guide", open: !narrow.matches },
  h("summary", null, "Guide"),
  chaptersOf(document).map((chapter) => h(ChapterView, { key: chapter.id, document, chapter })));
