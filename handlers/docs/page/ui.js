// The parts of Swagger UI that this page uses: its React, and its Markdown.

/** Makes an element. @type {any} */
export let h;
/** @type {any} */
export let React;
/** Shows the Markdown in `source`. @type {any} */
export let Markdown;

/** Whether the window is narrow, so that optional parts are folded. */
export const narrow = matchMedia("(max-width: 640px)");

/** @param {any} system  of Swagger UI */
export function take(system) {
  React = system.React;
  h = React.createElement;
  Markdown = (/** @type {any} */ props) => h(system.getSystem().getComponent("Markdown", true), props);
}

/** Allows a path to break before a slash. @param {string} path */
export const breakable = (path) =>
  path.split(/(?<![:/])(?=\/(?!\/))/).flatMap((part, i) =>
    [i > 0 && h("wbr", { key: i }), h("span", { key: `${i} part` }, part)]);

/** Keeps the dates of a text from breaking over two lines. @param {string} text */
export const dated = (text) => text.split(/(\d{4}-\d\d-\d\d)/)
  .map((part, i) => (i % 2 ? h("span", { key: i, className: "keep" }, part) : part));

/**
 * Returns a store's value, and renders the component again when it changes.
 * @template T
 * @param {import("../pages/shell/store.js").Store<T>} store
 * @returns {T}
 */
export const useStore = (store) => React.useSyncExternalStore(store.listen, store.get);
