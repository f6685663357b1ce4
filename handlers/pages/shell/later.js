// Parts of a page whose modules are loaded once the rest of it is there.

import { html, useEffect, useState } from "../library/preact.js";
import { ErrorNote } from "./components.js";
import { session } from "./session.js";
import { say } from "./toast.js";

const FAILED = "This part of the page did not load.";

/** Fulfilled once the page and what it begins with is loaded. @type {Promise<unknown>} */
const settled = document.readyState === "complete"
  ? Promise.resolve()
  : new Promise((done) => addEventListener("load", done, { once: true }));

/**
 * A component whose module is loaded when it is begun, or first shown. Where that fails, one that can be closed is.
 * @param {() => Promise<any>} load  returns the module
 * @param {string} name  that the module exports the component by
 * @param {Promise<unknown>} [after]  what it waits for when it is shown
 */
function partOf(load, name, after = Promise.resolve()) {
  /** @type {any} */
  let Loaded;
  /** @type {Promise<void>|undefined} */
  let loading;
  const begin = () => (loading ??= load().then((module) => {
    Loaded = module[name];
  }, () => {
    loading = undefined; // so that it is tried again when it is shown
    throw Object.assign(new Error(FAILED), { code: "unreachable" });
  }));
  const Part = (/** @type {any} */ props) => {
    const [error, setError] = useState(/** @type {any} */ (null));
    const [, again] = useState(0);
    const Shown = Loaded; // which may come before the effect
    const fail = (/** @type {any} */ problem) => {
      if (!props.onClose) return setError(problem);
      say(FAILED, { bad: true, about: ["unreachable"] });
      props.onClose();
    };
    const show = () => after.then(begin).then(() => again(1), fail);
    useEffect(() => {
      if (!Shown) void show();
    }, []);
    useEffect(() => error && session.listen(() => session.get().stream.is === "live" && show()), [error]);
    return Shown ? html`<${Shown} ...${props} />` : html`<${ErrorNote} error=${error} onRetry=${show} />`;
  };
  return { begin, Part };
}

/**
 * Loads a module once the page has settled. Returns what loads it, for users who need it before.
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

/**
 * Returns a component whose module is loaded when it is first shown, since it is seldom, and of no use without the
 * server.
 * @param {() => Promise<any>} load
 * @param {string} name
 */
export const opened = (load, name) => partOf(load, name).Part;
