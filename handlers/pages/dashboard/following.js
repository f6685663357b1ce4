// One record as the server has it. What others do to it shows at once, as long as nothing was typed that is not saved.

import { useEffect, useRef, useState } from "../library/preact.js";
import { request } from "../shell/api.js";
import { draftOf, dropDraft } from "./drafts.js";

/** @typedef {import("./nouns.js").Noun} Noun */
/** @typedef {import("./drafts.js").Draft & {round: number}} Read  round: of the form, which is made anew in the next */

let rounds = 0;

/** @param {import("./drafts.js").Draft} read @returns {Read} */
const begin = (read) => ({ ...read, round: ++rounds });

/** @param {Noun} noun @param {string} id */
export const pathOf = (noun, id) => `admin/data/${noun.path}${id === "new" ? "" : `/${encodeURIComponent(id)}`}`;

/**
 * Follows a record.
 * @param {Noun} noun
 * @param {string} id  "new": one that is not made yet
 * @param {number} changes  counts up with every change
 * @param {() => void} onGone  called before the form of a record that somebody has deleted goes
 */
export function useRecord(noun, id, changes, onGone) {
  const isNew = id === "new";
  const [read, setRead] = useState(() => {
    const draft = draftOf(noun, id) ?? (isNew ? { record: {}, tag: "" } : null);
    return draft && begin(draft);
  });
  const [error, setError] = useState(/** @type {any} */ (null));
  // What has happened to the record since the draft was begun, and what it is now.
  const [meanwhile, setMeanwhile] = useState(/** @type {""|"changed"|"deleted"} */ (""));
  const [theirs, setTheirs] = useState(/** @type {import("./drafts.js").Draft|undefined} */ (undefined));
  const writing = useRef(false); // here, so that what changes is no news

  const find = (/** @type {AbortSignal} */ signal) => request({ method: "GET", path: pathOf(noun, id), signal })
    .then(({ data, headers }) => ({ record: data, tag: headers.get("ETag") ?? "" }));
  const fail = (/** @type {any} */ problem) => {
    if (problem.status === 404) {
      onGone();
      setRead(null);
    }
    setError(problem);
  };

  /** Reads the record anew, into a form anew. What was typed goes. */
  const load = async () => {
    dropDraft(noun, id);
    setMeanwhile("");
    setTheirs(undefined);
    setError(null);
    if (isNew) return setRead(begin({ record: {}, tag: "" }));
    return find(new AbortController().signal).then((found) => setRead(begin(found)), fail);
  };

  /**
   * Goes on from what was just saved, in the open form if it has values that are not.
   * @param {import("./drafts.js").Draft} saved
   */
  const rebase = (saved) => {
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
      setTheirs((last) => found ?? last);
      if (found) setMeanwhile(found.tag === draft.tag ? "" : "changed");
      else if (problem.status === 404) setMeanwhile("deleted");
      return;
    }
    setMeanwhile("");
    setTheirs(undefined);
    if (!found) return fail(problem);
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
