// Loads parts of a page after the rest.

import { html, useEffect, useState } from "../library/preact.js";
import { Dialog, ErrorNote } from "./components.js";
import { session } from "./session.js";

const IDLE = 3000; // ms after which a page that has settled is idle, since the user's own calls go first

const FAILED = "This part of the page did not load.";

/** Fulfilled once the page has loaded. @type {Promise<unknown>} */
const settled = document.readyState === "complete"
  ? Promise.resolve()
  : new Promise((done) => addEventListener("load", done, { once: true }));

/**
 * Returns a component that loads its module in begin or when it is first shown. If that fails, one with onClose
 * shows a dialog, so that no key goes to the page behind it.
 * @param {() => Promise<any>} load  returns the module
 * @param {string} name  the name of the export
 * @param {Promise<unknown>} [after]  a promise to wait for when it is shown
 */
function partOf(load, name, after = Promise.resolve()) {
  /** @type {any} */
  let Loaded;
  /** @type {Promise<void>|undefined} */
  let loading;
  const begin = () => (loading ??= load().then((module) => {
    Loaded = module[name];
  }, () => {
    loading = undefined; // so that the next show tries again
    throw Object.assign(new Error(FAILED), { code: "unreachable" });
  }));
  const Part = (/** @type {any} */ props) => {
    const [error, setError] = useState(/** @type {any} */ (null));
    const [, again] = useState(0);
    const Shown = Loaded; // Loaded may be set before the effect runs
    const show = () => after.then(begin).then(() => again(1), setError);
    useEffect(() => {
      if (!Shown) void show();
    }, []);
    useEffect(() => error && session.listen(() => session.get().stream.is === "live" && show()), [error]);
    if (Shown) return html`<${Shown} ...${props} />`;
    if (!props.onClose) return html`<${ErrorNote} error=${error} onRetry=${show} />`;
    return error && html`<${Dialog} title="The server does not answer" onClose=${props.onClose}>
      <p tabindex="-1" autofocus>This opens as soon as the server answers again.</p>
    <//>`;
  };
  return { begin, Part };
}

/**
 * Loads a module once the page has settled. Returns load, which loads it at once.
 * @template T
 * @param {() => Promise<T>} load
 */
export function ahead(load) {
  void settled.then(load).catch(() => undefined);
  return load;
}

/**
 * Returns a component whose module is loaded when it is first shown, or once the page has settled if that is earlier,
 * so that users do not wait for it.
 * @param {() => Promise<any>} load
 * @param {string} [name]
 */
export function later(load, name = "default") {
  const { begin, Part } = partOf(load, name);
  ahead(begin);
  return Part;
}

/**
 * Returns a component whose module is loaded once the page has settled, since it shows nothing at first.
 * @param {() => Promise<any>} load
 */
export const last = (load) => partOf(load, "default", settled).Part;

/** Fulfilled once the page is idle and has loaded the modules so far. @type {Promise<unknown>} */
let idle = settled.then(() => new Promise((done) => setTimeout(done, IDLE)));

/**
 * Loads a module once the page is idle, after those of earlier calls, so that it is there when the server is gone.
 * Returns load, which loads it at once.
 * @template T
 * @param {() => Promise<T>} load
 */
export function whenIdle(load) {
  idle = idle.then(load).catch(() => undefined);
  return load;
}

/**
 * Returns a component whose module is loaded when it is first shown, since it is rarely needed, or once the page is
 * idle.
 * @param {() => Promise<any>} load
 * @param {string} name
 */
export function opened(load, name) {
  const { begin, Part } = partOf(load, name);
  whenIdle(begin);
  return Part;
}
