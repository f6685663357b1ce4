// The layout of this page, as a plugin of Swagger UI: a list of operations with a search, the introduction, the operations by
// group, and what all responses have in common.

import { addressOf, groupsOf, operationsOf, resolve } from "./document.js";
import { authorization, facts } from "./facts.js";
import { badges } from "./lifecycle.js";
import { OperationView } from "./operation.js";
import { Headers } from "./responses.js";
import { Fields, Fold } from "./schema.js";
import { Markdown, React, h, take, useStore } from "./ui.js";

/** @param {any} system  of Swagger UI */
export function plugin(system) {
  take(system);
  return { components: { PetstoreLayout: Layout } };
}

function Layout() {
  const { document } = useStore(facts);
  const [open, setOpen] = React.useState(/** @type {Set<string>} */ (new Set()));
  const groups = React.useMemo(() => groupsOf(document), [document]);
  const follow = () => {
    const [, tag, id] = location.hash.split("/").map(decodeURIComponent);
    if (operationsOf(document).some((operation) => operation.id === id)) setOpen((/** @type {Set<string>} */ before) => new Set(before).add(id));
    requestAnimationFrame(() => goTo(id ? `operations-${tag}-${id}` : `operations-tag-${tag}`));
  };
  React.useEffect(() => {
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const toggle = (/** @type {import("./document.js").Operation} */ operation) => {
    const opens = !open.has(operation.id);
    const next = new Set(open);
    if (opens) next.add(operation.id);
    else next.delete(operation.id);
    setOpen(next);
    history.replaceState(null, "", opens ? addressOf(operation) : location.pathname + location.search);
  };
  return h(React.Fragment, null,
    h(Side, { groups, open, onFollow: follow }),
    h("div", { className: "content", onClick: (/** @type {any} */ event) => replace(event, follow) },
      h(Introduction, { document }),
      groups.map((/** @type {import("./document.js").Group} */ group) => h(GroupView, { key: group.name, group, document, open, onToggle: toggle })),
      h(Common, { document })));
}

/** Goes to the element of an id, and opens what it is in. @param {string} id */
function goTo(id) {
  const element = window.document.getElementById(id);
  if (!element) return goToSchema();
  element.scrollIntoView({ block: "start" });
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** Opens the schema that the address names. */
function goToSchema() {
  const found = window.document.getElementById(location.hash.slice(1));
  for (let at = found; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true;
  requestAnimationFrame(() => found?.scrollIntoView({ block: "start" }));
}

/**
 * Follows a link within the page without an entry in the history, which Back would have to go through.
 * @param {MouseEvent} event
 * @param {() => void} follow
 */
function replace(event, follow) {
  const link = /** @type {Element} */ (event.target).closest('a[href^="#/"]');
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  history.replaceState(null, "", link.getAttribute("href"));
  follow();
}

/** @param {{groups: import("./document.js").Group[], open: Set<string>, onFollow: () => void}} props */
function Side({ groups, open, onFollow }) {
  const [query, setQuery] = React.useState("");
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const flat = groups.flatMap((group) => [group, ...group.groups]);
  const matches = (/** @type {import("./document.js").Operation} */ { id, method, path, tag, described }, /** @type {string} */ about = "") => {
    const text = `${id} ${method} ${path} ${tag} ${described.summary} ${about}`.toLowerCase();
    return words.every((/** @type {string} */ word) => text.includes(word));
  };
  const found = flat.map((group) => ({ group, operations: group.operations.filter((operation) => matches(operation, group.description)) })).filter(({ operations }) => operations.length);
  const first = (/** @type {any} */ event) => {
    event.preventDefault();
    if (!found.length) return;
    history.replaceState(null, "", addressOf(found[0].operations[0]));
    onFollow();
  };
  const { operations } = useStore(facts);
  return h("nav", { className: "side", "aria-label": "Operations", onClick: (/** @type {any} */ event) => replace(event, onFollow) },
    h("form", { onSubmit: first, role: "search" },
      h("input", { type: "search", "aria-label": "Search operations", placeholder: "Search operations", onChange: (/** @type {any} */ event) => setQuery(event.currentTarget.value) })),
    h("div", { className: "list" }, found.map(({ group, operations: matching }) => h("section", { key: group.name, className: groups.includes(group) ? undefined : "inner" },
      h("h2", null, group.name),
      h("ul", null, matching.map((operation) => {
        const old = badges(operation.described, operations.get(operation.id)).some(({ kind }) => kind === "deprecated");
        return h("li", { key: operation.id },
          h("a", { href: addressOf(operation), className: old ? "old" : undefined, "aria-current": open.has(operation.id) || undefined },
            h("span", { className: `method ${operation.method.toLowerCase()}` }, operation.method === "DELETE" ? "DEL" : operation.method),
            operation.described.summary));
      })))),
    !found.length && h("p", { className: "none" }, "No operation matches.")));
}

/** @param {{document: any}} props */
function Introduction({ document }) {
  const [whole, setWhole] = React.useState(false);
  const { title, version, description } = document.info;
  const service = Boolean(document.paths["/pets"]);
  const setKey = (/** @type {any} */ event) => authorization.set({ key: event.currentTarget.value.trim() });
  return h("section", { className: "introduction" },
    h("h2", null, title, " ", h("small", null, version)),
    h("div", { className: whole ? "prose" : "prose folded" }, h(Markdown, { source: whole ? description : description.split("\n\n")[0] })),
    h("p", { className: "acts" },
      h("button", { type: "button", className: "plain", "aria-expanded": whole, onClick: () => setWhole(!whole) }, whole ? "Show less" : "Read all"),
      service && h("a", { href: "petstore.http", download: "" }, "petstore.http"),
      service && h("a", { href: "petstore-bruno.zip", download: "" }, "Bruno collection"),
      h("a", { href: service ? "../openapi.json" : "../admin/openapi.json" }, "OpenAPI"),
      h("label", { className: "key" }, "Key",
        h("input", { defaultValue: authorization.get().key, autoComplete: "off", spellCheck: false, placeholder: "none is sent", onChange: setKey }))));
}

/** @param {{group: import("./document.js").Group, document: any, open: Set<string>, onToggle: (operation: any) => void}} props */
function GroupView({ group, ...props }) {
  const { document, open, onToggle } = props;
  return h("section", { className: "opblock-tag-section" },
    h("h3", { id: `operations-tag-${group.name}` }, group.name, group.description && h("small", null, h(Markdown, { source: group.description }))),
    group.operations.map((operation) => h(OperationView, {
      key: operation.id, document, operation, open: open.has(operation.id), onToggle: () => onToggle(operation),
    })),
    group.groups.map((inner) => h("div", { key: inner.name, className: "sub-group" }, h(GroupView, { group: inner, ...props }))));
}

/** What all responses have in common, and the schemas. @param {{document: any}} props */
function Common({ document }) {
  const { "x-response-headers": common, schemas } = document.components;
  const headers = () => /** @type {[string, any][]} */ (Object.entries(common).map(([name, ref]) => [name, resolve(document, ref)]));
  return h("section", { className: "common" },
    h("h3", null, "In common"),
    h(Fold, { title: "Headers of every response" }, () => h(Headers, { headers: headers() })),
    h("details", null,
      h("summary", null, `Schemas (${Object.keys(schemas).length})`),
      Object.entries(schemas).map(([name, schema]) => h(Fold, { key: name, id: `/components/schemas/${name}`, title: h("code", null, name) }, () => h("div", { className: "details" },
        schema.description && h(Markdown, { source: schema.description }),
        h(Fields, { document, schema }))))));
}
