// Follows one record on the server. Changes by others show at once, unless there is unsaved input.

import { useEffect, useRef, useState } from "../library/preact.js";
import { request } from "../shell/api.js";
import { unsay } from "../shell/toast.js";
import { draftOf, dropDraft } from "./drafts.js";

/** @typedef {import("./nouns.js").Noun} Noun */
/** @typedef {import("./drafts.js").Draft & {round: number}} Read  round: a new number makes a new form */

let rounds = 0;

/** @param {import("./drafts.js").Draft} read @returns {Read} */
const begin = (read) => ({ ...read, round: ++rounds });

/** @param {Noun} noun @param {string} id */
export const pathOf = (noun, id) => `admin/data/${noun.path}${id === "new" ? "" : `/${encodeURIComponent(id)}`}`;

/**
 * Follows a record.
 * @param {Noun} noun
 * @param {string} id  "new": a record that does not exist yet
 * @param {number} changes  has another value after each change
 */
export function useRecord(noun, id, changes) {
  const isNew = id === "new";
  const [read, setRead] = useState(() => {
    const draft = draftOf(noun, id) ?? (isNew ? { record: {}, tag: "" } : null);
    return draft && begin(draft);
  });
  const [error, setError] = useState(/** @type {any} */ (null));
  // How the record has changed since the draft was begun, and the record as it is now.
  const [meanwhile, setMeanwhile] = useState(/** @type {""|"changed"|"deleted"} */ (""));
  const [theirs, setTheirs] = useState(/** @type {import("./drafts.js").Draft|undefined} */ (undefined));
  const writing = useRef(false); // whether this page writes, so that it ignores its own change

  const find = (/** @type {AbortSignal} */ signal) => request({ method: "GET", path: pathOf(noun, id), signal })
    .then(({ data, headers }) => ({ record: data, tag: headers.get("ETag") ?? "" }));
  const fail = (/** @type {any} */ problem) => {
    if (problem.status === 404 && read) setMeanwhile("deleted");
    else setError(problem);
  };

  /** Reads the record into a new form. Unsaved input is lost. */
  const load = async () => {
    dropDraft(noun, id);
    setMeanwhile("");
    setTheirs(undefined);
    setError(null);
    if (isNew) return setRead(begin({ record: {}, tag: "" }));
    return find(new AbortController().signal).then((found) => setRead(begin(found)), (problem) => {
      setRead((before) => before && begin({ record: before.record, tag: before.tag }));
      fail(problem);
    });
  };

  /**
   * Continues from the saved record, in the open form if it has unsaved values.
   * @param {import("./drafts.js").Draft} saved
   */
  const rebase = (saved) => {
    unsay("followed");
    setMeanwhile("");
    setTheirs(undefined);
    setRead((before) => (before && saved.values ? { ...before, ...saved } : begin(saved)));
  };

  /** Reads the record into the open form, and keeps the typed text. @param {AbortSignal} signal */
  const look = async (signal) => {
    if (isNew || writing.current) return;
    /** @type {[{record: import("./nouns.js").Row, tag: string}|null, any]} */
    const [found, problem] = await find(signal).then((one) => [one, null], (wrong) => [null, wrong]);
    if (signal.aborted || writing.current) return;
    const draft = draftOf(noun, id);
    if (draft) {
      unsay("followed"); // the editor says it
      setTheirs((last) => found ?? last);
      if (found) setMeanwhile(found.tag === draft.tag ? "" : "changed");
      else if (problem.status === 404) setMeanwhile("deleted");
      return;
    }
    setTheirs(undefined);
    if (!found) return fail(problem);
    if (read && read.tag !== found.tag) {
      void import("./conflict.js").then(({ sayChanged }) => sayChanged(noun, id, read, found), () => undefined);
    }
    setMeanwhile("");
    setError(null);
    setRead((before) => (before ? { ...before, ...found } : begin(found)));
  };
  useEffect(() => {
    const stop = new AbortController();
    void look(stop.signal);
    return () => stop.abort();
  }, [changes]);

  return { read, error, meanwhile, theirs, writing, load, look, rebase };
}
