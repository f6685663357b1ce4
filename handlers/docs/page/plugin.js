// The layout of this page, as a plugin of Swagger UI: a list of operations with a search, the introduction, the guide,
// the operations by group, and the parts that all responses share.

import { curl, masked } from "../pages/shell/curl.js";
import { nameDocument } from "./bar.js";
import { callOf, requestOf } from "./call.js";
import { addressOf, groupsOf, needsKey, operationsOf, resolve } from "./document.js";
import { authorization, facts, takesTabKey } from "./facts.js";
import { chaptersOf, Guide, leadOf, linked, operationAt } from "./guide.js";
import { badges } from "./lifecycle.js";
import { OperationView } from "./operation.js";
import { Copy, Headers, Key, OwnKey, firstSentence } from "./responses.js";
import { Fields, Fold, Text } from "./schema.js";
import { tasks } from "./tasks.js";
import { Markdown, React, breakable, h, narrow, take, useStore } from "./ui.js";

/** @typedef {import("./document.js").Operation} Operation */

/** The number of letters from which the search includes texts. */
const SHORTEST = 3;

/** A sentence that more operations than this share shows once, above them. */
const FEW = 5;

/** The most characters that an excerpt shows before its first match. */
const BEFORE = 24;

/** Follows the name of an operation that the owner of a sandbox cannot use. */
const CLOSED = " needs the admin key of the server. Your key opens what is listed here.";

/** The text to search for in the other document. */
let sought = "";

/** @param {any} system  of Swagger UI */
export function plugin(system) {
  take(system);
  return { components: { PetstoreLayout: Layout } };
}

/** Returns the parts of the address's fragment: #, a tag and an operation. After a ?, it has values of parameters. */
const named = () => placeNamed().split("/").map(decodeURIComponent);
const placeNamed = () => location.hash.split("?")[0];

/**
 * Returns the open operations, including the one that the address names.
 * @param {any} document
 * @param {Set<string>} open
 */
function withNamed(document, open) {
  const [, method, target] = /^#([A-Z]+)(\/.*)/.exec(placeNamed()) ?? []; // from a link in the other document
  const called = method && operationAt(document, method, target);
  if (called) history.replaceState(null, "", addressOf(called));
  const [, , id] = named();
  if (!operationsOf(document).some((operation) => operation.id === id)) return open;
  return new Set([...open].filter((other) => other !== id)).add(id); // the last is the current one
}

function Layout() {
  const { document } = useStore(facts);
  return h(Page, { key: document.info.title, document });
}

/** @param {{document: any}} props */
function Page({ document }) {
  const [open, setOpen] = React.useState(() => withNamed(document, new Set())); // before the first paint
  const [place, setPlace] = React.useState(placeNamed());
  const groups = React.useMemo(() => groupsOf(document), [document]);
  const follow = () => {
    const [, tag, id] = named();
    setPlace(placeNamed());
    setOpen((/** @type {Set<string>} */ before) => withNamed(document, before));
    const { own, trouble } = facts.get();
    const closed = own && id && tag !== "components" && !operationsOf(document).some((one) => one.id === id);
    if (closed || trouble.endsWith(CLOSED)) facts.set({ trouble: closed ? id + CLOSED : "" });
    requestAnimationFrame(() => {
      goThere();
      fillIn(window.document.querySelector(`#operations-${tag}-${id} form`));
    });
  };
  React.useEffect(() => {
    /** @type {HTMLElement} */ (window.document.querySelector("main")).scrollTop = 0; // after another document
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  React.useEffect(() => nameDocument(!document.paths["/pets"], placeIn(document)));
  const toggle = (/** @type {Operation} */ operation) => {
    const opens = !open.has(operation.id);
    const next = new Set(open);
    if (opens) next.add(operation.id);
    else next.delete(operation.id);
    setOpen(next);
    history.replaceState(null, "", opens ? addressOf(operation) : location.pathname + location.search);
    setPlace(placeNamed());
    const element = window.document.getElementById(`operations-${operation.tag}-${operation.id}`);
    requestAnimationFrame(() => element?.scrollIntoView({ block: "nearest" })); // all of it, or its line at the top
  };
  return h(React.Fragment, null,
    h(Side, { groups, place, onFollow: follow }),
    h("div", { className: "content", onClick: (/** @type {any} */ event) => visit(event, follow) },
      h(Introduction, { document }),
      h(Guide, { document }),
      groups.map((/** @type {import("./document.js").Group} */ group) =>
        h(GroupView, { key: group.name, group, document, open, place, onToggle: toggle })),
      h(Common, { document })));
}

/** Scrolls to the element that the address names, and opens the details around it. */
function goThere() {
  const [, tag, id] = named();
  const at = (/** @type {string} */ name) => window.document.getElementById(name);
  const found = at(location.hash.slice(1)) ?? at(id ? `operations-${tag}-${id}` : `operations-tag-${tag}`);
  for (let of = found; of; of = of.parentElement) if (of instanceof HTMLDetailsElement) of.open = true;
  if (!found) return;
  found.scrollIntoView({ block: "start" });
  found.tabIndex = -1;
  found.focus({ preventScroll: true });
}

/** Fills a form with the values in the address. @param {HTMLFormElement|null} form */
function fillIn(form) {
  const values = new URLSearchParams(location.hash.split("?")[1]);
  if (!form || !values.size) return;
  for (const field of /** @type {Iterable<any>} */ (form.elements)) {
    const given = values.getAll(field.name.split(".")[1]);
    if (field.type === "checkbox") field.checked = given.includes(field.value);
    else if (given.length) field.value = given.join(", ");
  }
  form.dispatchEvent(new Event("input", { bubbles: true })); // so that the call updates
  /** @type {HTMLElement|null} */ (form.querySelector(".primary"))?.focus({ preventScroll: true });
}

/**
 * Follows a link to an operation or a chapter without a new history entry, so that Back leaves the docs. Sends the
 * request of a link to the next page at once.
 * @param {MouseEvent} event
 * @param {() => void} follow
 */
function visit(event, follow) {
  const link = /** @type {Element} */ (event.target).closest('a:is([href^="#/"], [href^="#guide/"])');
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation(); // Swagger UI would scroll too, and add an entry to the history
  history.replaceState(null, "", link.getAttribute("href"));
  follow();
  const [, tag, id] = named();
  const form = link.closest(".relation")?.closest(`#operations-${tag}-${id} form`);
  if (form instanceof HTMLFormElement) requestAnimationFrame(() => form.requestSubmit());
}

/**
 * The keys of the list: / and ⌘K focus the search, and the arrows move from link to link.
 * @param {{current: HTMLElement|null}} nav
 */
function useListKeys(nav) {
  React.useLayoutEffect(() => { // before the next key press
    const press = (/** @type {KeyboardEvent} */ event) => {
      const { key, target } = event;
      const side = /** @type {HTMLElement} */ (nav.current);
      const search = /** @type {HTMLInputElement} */ (side.querySelector("input"));
      const stops = [search, ...side.querySelectorAll("a")];
      const at = stops.indexOf(/** @type {any} */ (target));
      const move = { ArrowDown: 1, ArrowUp: -1 }[key];
      const command = (event.ctrlKey || event.metaKey) && key === "k";
      const free = !(/** @type {Element} */ (target).matches("input, textarea, select"));
      if (command || (key === "/" && free)) {
        search.focus();
        search.select();
      }
      else if (move && at >= 0) stops[at + move]?.focus();
      else if (key === "Escape" && at > 0 && !side.matches(".over")) search.focus();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

/**
 * @typedef {object} SideProps
 * @property {import("./document.js").Group[]} groups
 * @property {string} place  what the address names
 * @property {() => void} onFollow
 *
 * @param {SideProps} props
 */
function Side({ groups, place, onFollow }) {
  const nav = React.useRef(null);
  const [over, setOver] = React.useState(false); // whether the list covers the page, for lack of room beside it
  useListKeys(nav);
  React.useEffect(() => { // the button to the search shows only while the search is out of sight
    const find = /** @type {HTMLElement} */ (window.document.getElementById("find"));
    const look = new IntersectionObserver(([{ isIntersecting }]) =>
      find.style.setProperty("visibility", isIntersecting ? "hidden" : "visible"));
    look.observe(/** @type {any} */ (nav.current).querySelector("form"));
    find.onclick = () => setOver(true);
    return () => look.disconnect();
  }, []);
  React.useEffect(() => {
    if (over) nav.current.querySelector("input").focus();
  }, [over]);
  const close = () => {
    const find = /** @type {HTMLElement} */ (window.document.getElementById("find"));
    find.style.visibility = "visible"; // before the observer sets it
    find.focus();
    setOver(false);
  };
  const go = () => {
    setOver(false);
    onFollow();
  };
  const [query, setQuery] = React.useState(sought);
  React.useEffect(() => {
    if (sought) nav.current.querySelector("input").focus();
    sought = "";
  }, []);
  const [head, setHead] = React.useState(""); // the id of the heading of the section in view; "": the introduction
  React.useEffect(() => {
    const main = /** @type {HTMLElement} */ (window.document.querySelector("main"));
    const look = () => {
      const isAbove = (/** @type {Element} */ one) => one.getBoundingClientRect().top < main.clientHeight / 3;
      setHead([...main.querySelectorAll(".content h3[id]")].filter(isAbove).at(-1)?.id ?? "");
    };
    look();
    main.addEventListener("scroll", look, { passive: true });
    return () => main.removeEventListener("scroll", look);
  }, []);
  /** Scrolls a line of the list into view, and not the page. @param {Element|null} line */
  const bring = (line) => {
    const list = nav.current.querySelector(".list");
    const at = line?.getBoundingClientRect();
    const seen = list.getBoundingClientRect();
    if (at && (at.top < seen.top || at.bottom > seen.bottom)) list.scrollTop += at.top - seen.top - seen.height / 2;
  };
  React.useEffect(() => bring(nav.current.querySelector("a[aria-current]")), [place, query]);
  React.useEffect(() => {
    const summary = nav.current.querySelector("summary[aria-current]");
    bring(summary?.parentElement.querySelector("a[aria-current]") ?? summary);
  }, [head]);
  const { document, operations, clock } = useStore(facts);
  const words = query.toLowerCase().split(/\s+|^--/).filter(Boolean);
  const index = React.useMemo(() => indexOf(document), [document]);
  const matches = (/** @type {string} */ name) => words.every((/** @type {string} */ word) => name.includes(word));
  const mentions = (/** @type {string} */ text) =>
    words.every((/** @type {string} */ word) => text.includes(` ${word}`)); // at the start of a word
  const mentionsIt = (/** @type {string} */ text) => mentions(plain(text));
  const found = groups.flatMap((group) => [group, ...group.groups])
    .map((group) => ({ group, hits: group.operations.filter(({ id }) => matches(index.get(id).name)) }))
    .filter(({ hits }) => hits.length);
  const isSearched = query.trim().length >= SHORTEST;
  const chapters = chaptersOf(document);
  const guide = isSearched || !words.length
    ? chapters.filter(({ title, text, example }) => mentions(plain(`${title} ${text} ${example}`))) : [];
  const schemas = Object.keys(document.components.schemas).filter((name) => matches(name.toLowerCase()));
  const others = isSearched ? operationsOf(document).filter(({ id }) =>
    !matches(index.get(id).name) && mentions(index.get(id).text)) : [];
  const said = (/** @type {Operation} */ { id }) => index.get(id).said.find(mentionsIt) ?? "";
  const bySentence = others.reduce((map, one) => map.set(said(one), [...map.get(said(one)) ?? [], one]),
    /** @type {Map<string, Operation[]>} */ (new Map()));
  const mentioned = [...bySentence].sort(([, a], [, b]) => a.length - b.length); // the rarest first
  const first = (/** @type {any} */ event) => {
    event.preventDefault();
    const hit = found[0]?.hits[0] ?? (guide.length ? undefined : mentioned[0]?.[1][0]);
    if (!hit && !guide.length) return;
    history.replaceState(null, "", hit ? addressOf(hit) : `#${guide[0].id}`);
    event.currentTarget.reset();
    setQuery("");
    go();
  };
  const link = (/** @type {string} */ href, /** @type {any} */ title, /** @type {any} */ excerpt = "",
    /** @type {string} */ method = "") => h("li", { key: href },
    h("a", { href, "aria-current": place === href || null },
      method && h("span", { className: `method ${method.toLowerCase()}` }, method === "DELETE" ? "DEL" : method),
      h("span", { className: "title" }, title, excerpt && h("small", null, excerpt))));
  const linkTo = (/** @type {Operation} */ one, /** @type {any} */ excerpt = "") => {
    const { described: { summary } } = one;
    const [badge] = badges(one.described, operations.get(one.id), clock);
    const title = {
      gone: [h("s", { key: "title" }, summary), " ", h("span", { key: "badge", className: "badge gone" }, "gone")],
      deprecated: h("s", null, summary),
    }[badge?.kind] ?? summary;
    return link(addressOf(one), title, excerpt, one.method);
  };
  const ofGuide = guide.length > 0 && h("details", { open: true },
    h("summary", { "aria-current": !head || head.startsWith("guide/") || null }, h("h2", null, "Guide")),
    h("ul", null, guide.map(({ id, title, text, example }) => link(`#${id}`, title,
      isSearched && excerpt([...sentencesOf(text), example].find(mentionsIt) ?? "", words)))));
  const isOfAdmin = !document.paths["/pets"];
  const elsewhere = (/** @type {any} */ event) => {
    event.preventDefault();
    sought = query;
    /** @type {HTMLElement} */ (window.document.querySelector(".bar nav [aria-current=false]")).click();
  };
  const follow = (/** @type {any} */ event) => visit(event, go);
  const press = (/** @type {any} */ { key }) => over && key === "Escape" && close();
  const className = over ? "side over" : "side";
  return h("nav", { className, "aria-label": "Operations", onClick: follow, onKeyDown: press, ref: nav },
    h("form", { onSubmit: first, role: "search" },
      h("input", {
        type: "search", "aria-label": "Search operations", "aria-keyshortcuts": "/", placeholder: "Search",
        defaultValue: query,
        onChange: (/** @type {any} */ event) => setQuery(event.currentTarget.value),
      }),
      h("kbd", { "aria-hidden": true }, "/"),
      over && h("button", { type: "button", onClick: close }, "Close")),
    h("div", { className: "list" },
      !isSearched && ofGuide,
      found.map(({ group, hits }) => h("details", { key: group.name, open: true },
        h("summary", {
          className: groups.includes(group) || isSearched ? "" : "inner",
          "aria-current": head === `operations-tag-${group.name}` || null,
        }, h("h2", null, group.name)),
        h("ul", null, hits.map((one) => linkTo(one))))),
      isSearched && ofGuide,
      others.length > 0 && h("details", { open: true },
        h("summary", null, h("h2", null, "Mentioned in")),
        mentioned.map(([text, some]) => (some.length > FEW
          ? h(React.Fragment, { key: text },
            h("p", { className: "none" }, h("small", null, excerpt(text, words))),
            h(Fold, { title: `${some.length} operations` }, () => h("ul", null, some.map((one) => linkTo(one)))))
          : h("ul", { key: text }, some.map((one) => linkTo(one, text && excerpt(text, words))))))),
      schemas.length > 0 && h("details", { open: true },
        h("summary", { "aria-current": head === "schemas" || null }, h("h2", null, "Schemas")),
        h("ul", null, schemas.map((name) => link(`#/components/schemas/${name}`, name)))),
      !found.length && !guide.length && !others.length && !schemas.length &&
        h("p", { className: "none" }, "Nothing matches."),
      isSearched && h("p", { className: "none" },
        h("a", { href: "", onClick: elsewhere }, `Search the ${isOfAdmin ? "pet store" : "Admin API"}`))));
}

/** Returns the title of the chapter or the operation that the address names, if any. @param {any} document */
function placeIn(document) {
  const [, , id] = named();
  const chapter = chaptersOf(document).find((one) => `#${one.id}` === placeNamed());
  return chapter?.title ?? operationsOf(document).find((one) => one.id === id)?.described.summary;
}

/** Returns the words of a text, each after a space. @param {string} text */
const plain = (text) => ` ${text.toLowerCase().replaceAll(/[^\w/-]+|--+/g, " ")}`;

/** @param {string} text */
const sentencesOf = (text) => text.split(/(?<=\.)\s/);

/**
 * Returns a sentence without Markdown, from shortly before the first match on, with the words marked.
 * @param {string} text
 * @param {string[]} words  of letters, digits, / and -, as the search finds them
 */
function excerpt(text, words) {
  const read = text.replaceAll(/\[(.+?)\]\(.+?\)/g, "$1").replaceAll(/`|\*\*/g, "");
  const found = new RegExp(`(?<![\\w/])(${words.join("|")})`, "gi");
  const at = read.search(found);
  const cut = at > BEFORE * 2 ? `… ${read.slice(read.indexOf(" ", at - BEFORE) + 1)}` : read;
  return cut.split(found).map((part, i) => (i % 2 ? h("mark", { key: i }, part) : part));
}

/**
 * Returns the texts that the search reads: the name of each operation, and its other text.
 * @param {any} document
 * @returns {Map<string, {name: string, text: string, said: string[]}>} by id; said: the sentences of the other text
 */
function indexOf(document) {
  return new Map(operationsOf(document).map(({ id, method, path, tag, parameters, described }) => {
    const { summary, description, responses } = described;
    const name = `${id} ${method} ${path} ${tag} ${summary}`.toLowerCase();
    const all = Object.entries(responses).map(([status, ref]) => ({ status, ...resolve(document, ref) }));
    const said = all.flatMap(({ status, description: says, headers = {}, content = {} }) =>
      [...sentencesOf(`${status}: ${says}`), ...Object.keys(headers),
        ...codesOf(content).map((code) => `${code}, ${status}: ${says}`)]);
    said.unshift(...sentencesOf(description), ...parameters.map((p) => `${p.name}: ${p.description}`));
    return [id, { name, text: plain([name, ...said].join(" ")), said }];
  }));
}

/** Returns the error codes in the examples of a response. @param {Record<string, any>} content */
const codesOf = (content) => Object.values(content).flatMap(({ examples = {} }) =>
  Object.values(examples).map(({ value }) => value?.code ?? ""));

/** The first paragraph of the description, the first call, and the key that it takes. @param {{document: any}} props */
function Introduction({ document }) {
  const { title, version } = document.info;
  const service = Boolean(document.paths["/pets"]);
  const url = document.servers[0].url;
  const first = operationsOf(document).find(({ id }) => id === (service ? "listPets" : "getAdmin"));
  const key = useStore(authorization).key || (first && needsKey(first.described) ? "KEY" : "");
  const ofMessages = first && !needsKey(first.described) && !takesTabKey(document);
  const { own } = useStore(facts);
  const call = curl(callOf(requestOf(/** @type {Operation} */ (first), new FormData(), key)));
  return h("section", { className: "introduction" },
    h("div", null,
      h("h2", null, title, " ", h("small", null, version)),
      h("div", { className: "prose" }, h(Markdown, { source: linked(document, leadOf(document)) }))),
    h("div", { className: "panel" },
      h("div", { className: "line" },
        h("span", { className: "term" }, "Base URL"),
        h("code", { className: "grow" }, breakable(url)),
        h(Copy, { text: url })),
      h("div", { className: "line" },
        h("span", { className: "term" }, "First call"),
        h(Copy, { key: call, text: call }),
        h("pre", { tabIndex: 0, "aria-label": "First call" }, h(Text, { text: masked(call) }))),
      (ofMessages || !own) && h(Key, {
        described: first?.described,
        about: ofMessages
          ? `Only the Messages operations need it.${own ? " Your own key is for the Admin API." : ""}` : "",
      }),
      own && !ofMessages && h(OwnKey),
      h("div", { className: "line" },
        h("span", { className: "term" }, "Files"),
        h("span", { className: "files" },
          h("a", { href: service ? "../openapi.json" : "../admin/openapi.json" }, "OpenAPI"),
          service && h("a", { href: "petstore.http", download: "" }, "petstore.http"),
          service && h("a", { href: "petstore-bruno.zip", download: "" }, "Bruno collection")))),
    h(Tasks, { document }));
}

/** Links to start with. @param {{document: any}} props */
function Tasks({ document }) {
  const operations = operationsOf(document);
  const task = (/** @type {[string, string]} */ [text, id]) => {
    const operation = operations.find((one) => one.id === id);
    const name = operation && `${text} ${operation.method} ${operation.path}`; // without the breaks
    return operation && h("li", { key: id }, h("a", { href: addressOf(operation), "aria-label": name },
      h("span", null, text), " ",
      h("span", { className: "call" },
        h("span", { className: `method ${operation.method.toLowerCase()}` }, operation.method), " ",
        breakable(operation.path))));
  };
  return h("section", { className: "tasks", "aria-label": "Start here" },
    h("h3", null, "Start here"),
    h("ul", null, tasks.map(task)));
}

/**
 * @typedef {object} GroupProps
 * @property {import("./document.js").Group} group
 * @property {string} [parent]  the name of the group that this one is in
 * @property {any} document
 * @property {Set<string>} open
 * @property {string} place  what the address names
 * @property {(operation: Operation) => void} onToggle
 *
 * @param {GroupProps} props
 */
function GroupView({ group, parent, ...props }) {
  const { document, open, place, onToggle } = props;
  return h("section", { className: "opblock-tag-section" },
    h("h3", { id: `operations-tag-${group.name}`, className: parent && "inner" },
      h("span", null, parent && h("span", { className: "parent" }, `${parent} / `), group.name),
      group.description && h("small", null, h(Markdown, { source: group.description }))),
    group.operations.map((operation) => h(OperationView, {
      key: operation.id, document, operation, open: open.has(operation.id), current: place === addressOf(operation),
      onToggle: () => onToggle(operation),
    })),
    group.groups.map((inner) => h(GroupView, { key: inner.name, ...props, group: inner, parent: group.name })));
}

/** The headers of all responses, and the schemas. @param {{document: any}} props */
function Common({ document }) {
  const { "x-response-headers": common, schemas } = document.components;
  /** @returns {[string, any][]} */
  const headers = () => Object.entries(common).map(([name, ref]) => [name, resolve(document, ref)]);
  return h("section", { className: "common" },
    h("h3", { id: "common" }, "In common"),
    h(Fold, { title: "Headers of every response" }, () => h(Headers, { headers: headers() })),
    h("h3", { id: "schemas" }, "Schemas"),
    Object.entries(schemas).map(([name, schema]) =>
      h(Fold, { key: name, id: `/components/schemas/${name}`, title: [
        h("code", { key: name }, name),
        h("small", { key: "about" }, firstSentence(schema.description ?? "")),
      ] }, () =>
        h("div", { className: "details" },
          schema.description && h(Markdown, { source: schema.description }),
          h(Fields, { document, schema })))));
}
