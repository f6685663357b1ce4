// Values that several parts of a page share.

import { useEffect, useReducer } from "../library/preact.js";

/**
 * @template T
 * @typedef {object} Store
 * @property {() => T} get
 * @property {(next: Partial<T>) => void} set  changes the given fields, and calls the listeners
 * @property {(listener: () => void) => () => void} listen  returns a function that removes the listener
 */

/**
 * Returns a store of an object, which is never changed in place.
 * @template {object} T
 * @param {T} initial
 * @returns {Store<T>}
 */
export function createStore(initial) {
  let value = initial;
  /** @type {Set<() => void>} */
  const listeners = new Set();
  return {
    get: () => value,
    set(next) {
      value = { ...value, ...next };
      for (const listener of [...listeners]) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/**
 * Returns the store's value, and renders the component again when it changes.
 * @template T
 * @param {Store<T>} store
 * @returns {T}
 */
export function useStore(store) {
  const [, again] = useReducer((/** @type {number} */ n) => n + 1, 0);
  const value = store.get();
  useEffect(() => {
    if (store.get() !== value) again(undefined); // it may have changed since the render
    return store.listen(() => again(undefined));
  }, [store]);
  return value;
}

const MINUTE = 60_000; // ms

/** Renders the component again every minute, to update times such as “5 min ago”. */
export function useMinutes() {
  const [, again] = useReducer((/** @type {number} */ n) => n + 1, 0);
  useEffect(() => {
    const timer = setInterval(() => again(undefined), MINUTE);
    return () => clearInterval(timer);
  }, []);
}

/**
 * Returns access to one text in a storage, which may be switched off.
 * @param {"localStorage"|"sessionStorage"} where
 * @param {string} name
 */
export function kept(where, name) {
  const key = `petstore.${name}`;
  return {
    get() {
      try {
        return window[where].getItem(key) ?? "";
      } catch {
        return "";
      }
    },
    /** @param {string} text  empty: removes it */
    set(text) {
      try {
        if (text) window[where].setItem(key, text);
        else window[where].removeItem(key);
      } catch {
        // Then only the open page keeps the text.
      }
    },
  };
}
