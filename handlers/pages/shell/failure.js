// The error of a form.

import { useEffect, useState } from "../library/preact.js";
import { session } from "./session.js";
import { useStore } from "./store.js";

/** Returns an error, or what has one as its problem, and its setter. An error of no server goes once it is back. */
export function useFailure() {
  const [error, setError] = useState(/** @type {any} */ (null));
  const { is } = useStore(session).stream;
  useEffect(() => {
    const isAway = (/** @type {any} */ error) => (error?.problem ?? error)?.code === "unreachable";
    if (is === "live") setError((/** @type {any} */ before) => (isAway(before) ? null : before));
  }, [is]);
  return [error, setError];
}
