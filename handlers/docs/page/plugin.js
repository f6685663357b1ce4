// What this page adds to Swagger UI: the age of operations, groups with sub-groups, and
// what cannot be tried out.

import { root } from "../pages/shell/api.js";
import { facts } from "./facts.js";
import { badges, findSuccessor, warnings } from "./lifecycle.js";

/** The field of an operation whose interactive testing is disabled. */
const HIDDEN = "x-hideTryItPanel";

/** @param {any} system  of Swagger UI */
export function plugin(system) {
  const { React } = system;
  const h = React.createElement;
  const useFacts = () => React.useSyncExternalStore(facts.listen, facts.get);

  /** The path of an operation with its badges. Swagger UI's is a link, in a button. @param {any} props */
  const OperationSummaryPath = ({ operationProps }) => {
    const { operations } = useFacts();
    const { path, op, originalOperationId, operationId } = operationProps.toJS();
    const found = badges(op, operations.get(originalOperationId ?? operationId));
    const old = found.some(({ kind }) => kind === "deprecated");
    return h("span", { className: old ? "opblock-summary-path__deprecated" : "opblock-summary-path", "data-path": path },
      h("span", { className: "path" }, path.split(/(?=\/)/).flatMap((/** @type {string} */ part, /** @type {number} */ i) => (i ? [h("wbr", { key: i }), part] : [part]))),
      found.map(({ kind, text }) => [" ", h("span", { key: kind, className: `badge ${kind}` }, text)]));
  };

  /** What there is to know of an operation before it is used, above all else when it is open. @param {any} props */
  const Notes = ({ operationProps, specSelectors }) => {
    const { operations, clock } = useFacts();
    const { path, method, op, originalOperationId, operationId } = operationProps.toJS();
    const known = operations.get(originalOperationId ?? operationId);
    const said = warnings(op, known, clock && new Date(clock.now));
    return h(React.Fragment, null,
      said.length > 0 && h("div", { className: "note deprecation" },
        h("p", null, h("strong", null, said[0]), ` ${said.slice(1).join(" ")}`),
        known?.successor && h(Successor, { successor: known.successor, method, specSelectors })),
      op[HIDDEN] && h("div", { className: "note" },
        h("p", null, h("strong", null, "Interactive testing is disabled for this operation"), ", so there is no “Try it out”. The document says ", h("code", null, HIDDEN), " here, to show what that does. Call it from your own client:"),
        h("pre", { tabIndex: 0 }, `curl '${new URL(path.slice(1), root)}'`)));
  };

  /** @param {any} props */
  const Successor = ({ successor, method, specSelectors }) => {
    const found = findSuccessor(successor, method, specSelectors.specJson().get("paths").toJS());
    const go = (/** @type {Event} */ event) => {
      event.preventDefault();
      if (found) show(found);
    };
    return h("p", null, "Use instead: ", found ? h("a", { href: `#/${found.tag}/${found.id}`, onClick: go }, found.id) : null, " ", h("code", null, successor));
  };

  /** Opens an operation and goes there. @param {{tag: string, id: string}} operation */
  const show = ({ tag, id }) => {
    system.getSystem().layoutActions.show(["operations-tag", tag], true);
    system.getSystem().layoutActions.show(["operations", tag, id], true);
    requestAnimationFrame(() => {
      const block = document.getElementById(`operations-${tag}-${id}`);
      if (!block) return;
      block.scrollIntoView({ block: "start" });
      block.tabIndex = -1; // its button would take the Enter that has brought us here
      block.focus();
    });
  };

  const wrapSummary = (/** @type {any} */ Original) => (/** @type {any} */ props) =>
    h(React.Fragment, null, h(Original, props), props.isShown && h(Notes, { ...props, specSelectors: system.getSystem().specSelectors }));

  return {
    components: { OperationSummaryPath },
    wrapComponents: { OperationSummary: wrapSummary, OperationTag: wrapTag(h, system) },
    statePlugins: { spec: { wrapSelectors: { allowTryItOutFor } }, layout: { wrapActions: { scrollToElement } } },
  };
}

/** Scrolls to what the address names. Swagger UI takes the page for what scrolls, and so ends under the bar. */
const scrollToElement = () => (/** @type {HTMLElement} */ element) => element.scrollIntoView({ block: "start" });

/** Reports whether an operation can be tried out. */
const allowTryItOutFor = (/** @type {any} */ original, /** @type {any} */ { specSelectors }) =>
  (/** @type {any} */ state, /** @type {string} */ path, /** @type {string} */ method) =>
    original(state, path, method) && !specSelectors.specJson().getIn(["paths", path, method, HIDDEN]);

/**
 * Shows a tag with an x-parent inside of its parent, and not beside it.
 * @param {any} h
 * @param {any} system
 */
function wrapTag(h, system) {
  const parentOf = (/** @type {any} */ tagObj) => tagObj.getIn(["tagDetails", "x-parent"]);
  return (/** @type {any} */ Original) => {
    const Tag = (/** @type {any} */ { within, ...props }) => {
      if (parentOf(props.tagObj) !== within) return null;
      const { specSelectors, getComponent } = system.getSystem();
      const Operation = getComponent("OperationContainer", true);
      const operationsOf = (/** @type {any} */ tagObj, /** @type {string} */ tag) => tagObj.get("operations").map((/** @type {any} */ op) => {
        const [path, method] = [op.get("path"), op.get("method")];
        return h(Operation, { key: `${path}-${method}`, specPath: system.Im.List(["paths", path, method]), op, path, method, tag });
      }).toArray();
      const children = specSelectors.taggedOperations().entrySeq()
        .filter((/** @type {any} */ [, tagObj]) => parentOf(tagObj) === props.tag)
        .map((/** @type {any} */ [tag, tagObj]) => h("div", { key: tag, className: "sub-group" },
          h(Tag, { ...props, tag, tagObj, within: props.tag }, operationsOf(tagObj, tag)))).toArray();
      return h(Original, props, props.children, children);
    };
    return Tag;
  };
}
