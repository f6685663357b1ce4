// The error of a form.

import { useEffect, useState } from "../library/preact.js";
import { session } from "./session.js";
import { useStore } from "./store.js";

/** Returns an error and its setter. Once the server is back, the form no longer says that it does not answer. */
export function useFailure() {
  const [error, setError] = useState(/** @type {any} */ (null));
  const { is } = useStore(session).stream;
  useEffect(() => {
    if (is === "live") setError((/** @type {any} */ before) => (before?.code === "unreachable" ? null : before));
  }, [is]);
  return [error, setError];
}
