// Changes several records of a table at once.

import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../library/preact.js";
import { change, params } from "../shell/address.js";
import { get } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Item, Menu, Popover } from "../shell/components.js";
import { Confirm } from "../shell/confirm.js";
import { checked } from "../shell/events.js";
import { count, plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { useKeys } from "../shell/keys.js";
import { offered } from "../shell/offered.js";
import { onEvent, session, write as send } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { paced } from "../shell/stream.js";
import { say, sayError, unsay } from "../shell/toast.js";
import { revertOf } from "./changed.js";
import { changeOf, useDifference } from "./changes.js";
import { draftOf, dropDraft, keepDraft, tellDraft, untellDraft } from "./drafts.js";
import { pathOf } from "./following.js";
import { writeRecords } from "./manywrites.js";
import { statuses } from "./nouns.js";
import { open } from "./opening.js";
import { isFiltered } from "./table.js";

const MOST = 1000; // records that the API returns at once
const MOST_UNDONE = 100; // writes
const NAMED = 3; // records in a text
const PACE = 600; // ms between two readings after resets
const PROGRESS = 100; // ms between two counts shown, because showing one takes longer than a write
const DOUBLE = 500; // ms in which a second press of Stop reaches no other button
const LONG = 20; // writes for which the bar shows how many are done
const BACK = 1000; // ms that records which Undo brings back take to show at most, if the page has any of them

/** @typedef {import("./nouns.js").Noun} Noun */
/** @typedef {import("./nouns.js").Row} Row */

/**
 * The field of each noun that can be set for several records at once, its values, and its name if that is another.
 * @type {Record<string, [string, any[], string?]>}
 */
const settable = { pets: ["status", statuses], orders: ["complete", [true, false], "completion"] };

/** The values that are no words. @type {Record<string, string>} */
const words = { true: "complete", false: "not complete" };

/** What a deletion does to other records. @type {Record<string, string>} */
const follows = {
  pets: "Their inventory entries are deleted too. Their orders stay.",
  pet: "Its inventory entry is deleted too. Its orders stay.",
  categories: "A category that has pets cannot be deleted.",
};

/**
 * Focuses a row, or else the one that had the focus last, if the focus is lost or in one of the elements.
 * @param {Element|null} [row]
 * @param {string} [from]  selects the elements
 */
function focus(row, from = ".bulk") {
  const { activeElement: on } = document;
  if (on && on !== document.body && !on.closest(from)) return;
  const to = row?.isConnected ? row
    : ["tr.at", "tr.opens", ".table-side .add"].map((one) => document.querySelector(one)).find(Boolean);
  /** @type {HTMLElement|null|undefined} */ (to?.querySelector("button.id") ?? to)?.focus({ preventScroll: true });
}

/** Returns the row that is next to the selected ones, or the button that adds a record if all are selected. */
function besideSelected() {
  const rows = [...document.querySelectorAll("tr.opens")];
  const isPicked = (/** @type {Element} */ row) => row.querySelector(".picking :checked") !== null;
  const end = rows.findLastIndex(isPicked);
  return rows[end + 1] ?? rows.findLast((row) => !isPicked(row)) ?? document.querySelector(".table-side .add");
}

/** Saves a snapshot, and returns its name. */
async function saveSnapshot() {
  const taken = await get("admin/snapshots");
  const name = offered(taken.map((/** @type {import("../shell/types.js").Snapshot} */ one) => one.name));
  await send({ method: "PUT", path: `admin/snapshots/${name}` });
  return name;
}

/** @param {Noun} noun @param {Row} row */
const nameOf = (noun, row) => row.name ?? `${noun.one} ${row[noun.id]}`;

/** Names the first rows, and counts the others. @param {Noun} noun @param {Row[]} rows */
function namesOf(noun, rows) {
  const names = rows.slice(0, NAMED).map((row) => nameOf(noun, row));
  const others = rows.length - names.length;
  const last = others > 0 ? `${count(others)} more` : names.pop();
  return `${names.join(", ")}${names.length > 0 ? " and " : ""}${last}`;
}

/**
 * Runs a function once one of the records has a row, or after a while if none is on the page.
 * @param {string[]} ids
 * @param {(row?: HTMLElement) => void} then
 */
function onceShown(ids, then) {
  const end = (/** @type {HTMLElement|undefined} */ row) => {
    seen.disconnect();
    clearTimeout(late);
    then(row);
  };
  const look = () => {
    const rows = ids.map((id) => document.getElementById(`row-${id}`));
    const row = rows.find(Boolean);
    if (row) end(row);
  };
  const seen = new MutationObserver(look);
  const late = setTimeout(end, BACK);
  seen.observe(document.body, { childList: true, subtree: true });
  look();
}

onEvent(({ name }) => name === "sandbox.reset" && unsay("picked")); // an undo may have brought the records back

/**
 * Drops the records that have gone from the selection, and says so. The panel of an open record says it by itself, and
 * goes if this page deletes the record.
 * @param {Noun} noun
 * @param {Row[]} rows  the selected rows
 * @param {(next: (rows: Row[]) => Row[]) => void} onPick
 * @param {{current: any[]|null}} writing  takes the ids of those that go while this page writes
 * @param {boolean} isBack  whether some may have gone while nothing listened
 */
function useGone(noun, rows, onPick, writing, isBack) {
  const gone = useRef(/** @type {Row[]} */ ([])); // those that the toast names
  const check = useMemo(() => paced(() => void get(`admin/data/${noun.path}?limit=${MOST}`).then((
    /** @type {Row[]} */ found) => {
    const ids = new Set(found.map((row) => row[noun.id]));
    if (found.length < MOST) onPick((now) => now.filter((row) => ids.has(row[noun.id])));
  }, () => undefined), PACE), []);
  useEffect(() => {
    if (isBack) check();
  }, []);
  useLayoutEffect(() => onEvent(({ name, data }) => {
    if (name === "sandbox.reset" || name === "gap") check();
    if (name === `${noun.one}.updated` && !writing.current && rows.some((row) => row[noun.id] === data.id)) {
      onPick((now) => now.map((row) => (row[noun.id] === data.id ? data : row))); // also those elsewhere
    }
    const going = name === `${noun.one}.deleted` && rows.find((row) => row[noun.id] === data.id);
    if (!going) return;
    if (writing.current) writing.current.push(data.id);
    else onPick((now) => now.filter((row) => row[noun.id] !== data.id));
    const isOpen = params().open === String(data.id);
    if (writing.current && isOpen) {
      dropDraft(noun, String(data.id));
      change({ open: "" });
    }
    if (writing.current || isOpen) return;
    const all = [...gone.current, going];
    say(`Another client deleted ${namesOf(noun, all)}.`, { about: ["picked"], gone: () => (gone.current = []) });
    gone.current = all;
  }));
}

/**
 * @param {object} props
 * @param {Noun} props.noun
 * @param {Row[]} props.rows  the selected rows
 * @param {Row[]} props.away  those of them that are not on this page
 * @param {number} props.more  the number on all pages, if all of this page or others are selected; otherwise 0
 * @param {string} props.path  the path that reads the page
 * @param {(next: Row[] | ((rows: Row[]) => Row[])) => void} props.onPick
 * @param {{current: boolean}} props.left  whether another view or table shows
 * @param {boolean} props.isBack  whether the user comes back to records selected before
 */
export function BulkBar({ noun, rows, away, more, path, onPick, left, isBack }) {
  const [asking, setAsking] = useState(/** @type {{act: string, value?: any}|null} */ (null));
  const [sent, setSent] = useState(-1); // writes; -1: nothing is being written
  const [all, setAll] = useState(0); // writes to send
  const writing = useRef(/** @type {any[]|null} */ (null));
  const [stopping, setStopping] = useState(false);
  const stopped = useRef(/** @type {Promise<unknown>|null} */ (null));
  const shownAt = useRef(0); // when the number of writes was shown
  const bar = useRef(/** @type {HTMLElement|null} */ (null));
  const [isSafe, setSafe] = useState(true); // whether to save a snapshot before more writes than Undo reaches
  useEffect(() => setSafe(true), [asking]);
  const snapshot = useRef(/** @type {string|undefined} */ (undefined)); // from before the writes
  useGone(noun, rows, onPick, writing, isBack);
  useEffect(() => () => {
    stopped.current ??= Promise.resolve(); // without the bar, nobody could stop it
    focus();
  }, []);
  useLayoutEffect(() => { // keeps the toasts above the bar; only their style changes, because that of the page is slow
    const { style } = /** @type {HTMLElement} */ (document.querySelector(".toasts"));
    const place = () => style.setProperty("--over-bar", bar.current?.checkVisibility({ visibilityProperty: true })
      ? `${innerHeight - bar.current.getBoundingClientRect().top + 8}px` : "calc(var(--foot, 0px) + 8px)");
    const resized = new ResizeObserver(place);
    for (const one of [bar.current, document.querySelector(".table-scroll")]) if (one) resized.observe(one);
    addEventListener("scroll", place, true);
    return () => {
      resized.disconnect();
      removeEventListener("scroll", place, true);
      style.removeProperty("--over-bar");
    };
  }, [params().open]); // a record may hide the bar
  const difference = useDifference(useStore(session).changes);
  const ids = rows.map((row) => String(row[noun.id]));
  const some = (/** @type {number} */ n) => plural(n, noun.one, noun.title.toLowerCase());
  const many = some(ids.length);
  const [field, values, what = field] = settable[noun.name] ?? ["", []];
  const wordOf = (/** @type {any} */ value) => words[value] ?? value;
  const setCalls = (/** @type {any} */ value) =>
    ids.map((id) => ({ method: "PATCH", path: pathOf(noun, id), body: { [field]: value } }));
  const set = (/** @type {any} */ value) =>
    write(setCalls(value), (n) => `Set ${what} of ${some(n)} to ${wordOf(value)}.`);
  const drops = ids.map((id) => ({ method: "DELETE", path: pathOf(noun, id) }));
  const beforeOf = (/** @type {Row} */ row) => changeOf(difference, noun, String(row[noun.id]));
  const changed = rows.filter((row) => beforeOf(row)?.before);
  const reverts = changed.map((row) => {
    const { record, before } = beforeOf(row) ?? {};
    return revertOf(noun, String(row[noun.id]), record, before, "*");
  });
  const revert = () => write(reverts, (n) => `Reverted ${some(n)}.`);
  const stop = () => {
    stopped.current = new Promise((then) => setTimeout(then, DOUBLE));
    setStopping(true);
  };
  const next = async (/** @type {number} */ n) => {
    const now = performance.now();
    if (now >= shownAt.current + PROGRESS) {
      shownAt.current = now;
      setSent(n);
    }
    await stopped.current;
    if (!stopped.current) return undefined;
    return left.current ? `, as you left ${params().view === "data" ? noun.title : "Data"}` : "";
  };
  /**
   * Sends the calls, and returns those that succeeded.
   * @param {import("../shell/api.js").Call[]} calls
   * @param {(n: number) => string} done
   * @param {() => void} [undone]  runs after Undo
   */
  const write = async (calls, done, undone = () => setTimeout(focus)) => {
    stopped.current = null;
    setStopping(false);
    /** @type {any[]} */
    const gone = writing.current = []; // dropped at the end, because each change of the selection renders the table
    setAll(calls.length);
    setSent(0);
    const did = await writeRecords(calls, done, next, undone, snapshot.current).catch(sayError);
    writing.current = null;
    snapshot.current = undefined;
    setSent(-1);
    onPick((now) => now.filter((row) => !gone.includes(row[noun.id])));
    if (!left.current) focus();
    return did ?? [];
  };
  const remove = async () => {
    const beside = besideSelected();
    const drafts = edited.map((row) => draftOf(noun, String(row[noun.id])));
    const back = () => onceShown(ids, (row) => {
      if (left.current) return;
      onPick((now) => [...now.filter((one) => !rows.some((old) => old[noun.id] === one[noun.id])), ...rows]);
      if (row) focus(row, ".bulk, tr");
      for (const draft of drafts) {
        const id = String(draft?.record[noun.id]);
        if (!draft || draftOf(noun, id)) continue;
        keepDraft(noun, id, draft);
        tellDraft(noun, id, () => open(id));
      }
    });
    const did = await write(drops, (n) => `Deleted ${some(n)}.`, back);
    const gone = ids.filter((_, i) => did.includes(drops[i]));
    onPick((now) => now.filter((row) => !gone.includes(String(row[noun.id]))));
    for (const id of gone) {
      dropDraft(noun, id);
      untellDraft(noun, id);
    }
    if (!left.current) focus(beside, ".bulk, tr");
  };
  const edited = rows.filter((row) => draftOf(noun, String(row[noun.id])));
  const ask = () => sent < 0 && setAsking({ act: "Delete" });
  /** @type {Record<string, [string, import("../shell/api.js").Call[], () => any]>} */
  const acts = {
    Delete: [`Delete ${many}?`, drops, remove],
    Revert: [`Revert ${some(reverts.length)}?`, reverts, revert],
    [`Set ${what}`]:
      [`Set ${what} of ${many} to ${wordOf(asking?.value)}?`, setCalls(asking?.value), () => set(asking?.value)],
  };
  const [title, calls, run] = acts[asking?.act ?? "Delete"];
  const those = asking?.act === "Revert" ? changed : rows;
  const hidden = away.filter((row) => those.includes(row)).length;
  const [used, setUsed] = useState(/** @type {Set<number>} */ (new Set())); // categories that have pets
  useEffect(() => {
    const take = (/** @type {Row[]} */ pets) => setUsed(new Set(pets.map(({ categoryId }) => categoryId)));
    if (asking && noun.name === "categories") get(`admin/data/pets?limit=${MOST}`).then(take, () => undefined);
  }, [asking]);
  const staying = asking?.act === "Delete" ? rows.filter((row) => used.has(row[noun.id])) : [];
  const allStay = staying.length === rows.length;
  const isFar = calls.length > MOST_UNDONE;
  const confirm = async () => {
    setAsking(null);
    try {
      if (isFar && isSafe) snapshot.current = await saveSnapshot();
      await run();
    } catch (error) {
      sayError(error, "data");
    }
  };
  useKeys({
    s: () => /** @type {HTMLElement|null|undefined} */ (bar.current?.querySelector("[aria-haspopup=menu]"))?.click(),
    Delete: ask,
    Backspace: ask,
  });
  const everything = path.replace(/limit=.*&offset=\d+/, `limit=${MOST}`);
  const selectAll = () => get(everything).then((/** @type {Row[]} */ found) => {
    onPick((now) => {
      const had = new Set(now.map((row) => row[noun.id]));
      return [...now, ...found.filter((row) => !had.has(row[noun.id]))].slice(0, MOST);
    });
    setTimeout(focus); // the button has gone
  }, sayError);
  const leaveAway = () => {
    onPick(rows.filter((row) => !away.includes(row)));
    setTimeout(focus); // the list has gone
  };
  if (sent >= 0 && all > LONG) {
    return html`<div class="list-bar"><div ref=${bar} class="picks running" role="region" aria-label="Selected records">
      <strong>${count(sent)} of ${count(all)} done</strong>
      <button type="button" class="plain-border" title="Esc" disabled=${stopping} onClick=${stop}>
        ${stopping ? "Stopping…" : "Stop"}
      </button>
      <progress aria-hidden="true" value=${sent} max=${all} />
    </div></div>`;
  }
  return html`<div class="list-bar"><div ref=${bar} class="picks" role="region" aria-label="Selected records"
    inert=${sent >= 0}>
    <strong>${count(ids.length)}<span> selected</span>${away.length > 0 && html` ·${" "}
      <${Popover} class="elsewhere" text=${`${count(away.length)} elsewhere`}>${() => html`
        <button type="button" class="plain-border" onClick=${leaveAway}>Select none of these</button>
        ${more > ids.length && ids.length >= MOST && html`<span class="note">At most ${count(MOST)} at once</span>`}
        <ul>
          ${away.map((row) => html`<li key=${row[noun.id]}><label class="row">
            <input type="checkbox" checked onChange=${() => onPick(rows.filter((one) => one !== row))} />
            <bdi>${nameOf(noun, row)}</bdi> <span class="id note">#${row[noun.id]}</span>
          </label></li>`)}
        </ul>`}
      <//>`}</strong>
    ${more > ids.length && ids.length < MOST && html`
      <button type="button" onClick=${selectAll}>
        <span>Select ${more <= MOST ? `all ${count(more)}` : html`${away.length > 0
          ? `${count(MOST - ids.length)} more`
          : html`<span class="rest">the </span>first ${count(MOST)}`}<span class="rest">, the most at once</span>`}
        </span>
      </button>`}
    ${values.length > 0 && html`
      <${Menu} class="plain-border" text=${html`Set ${what}<${Icon} name="down" />`}>
        ${values.map((value) => html`
          <${Item} key=${value}
            onClick=${() => (ids.length > MOST_UNDONE ? setAsking({ act: `Set ${what}`, value }) : void set(value))}
            label=${`set ${field} to ${value}`} call=${() => setCalls(value)}>${wordOf(value)}<//>`)}
      <//>`}
    ${reverts.length > 0 && html`<span class="pair">
      <button type="button" class="plain-border"
        onClick=${() => (reverts.length > MOST_UNDONE ? setAsking({ act: "Revert" }) : revert())}>
        Revert ${count(reverts.length)}
      </button>
      <${Code} label="revert the selected records" call=${() => reverts} />
    </span>`}
    <span class="pair">
      <button type="button" class="danger" onClick=${ask}>Delete…</button>
      <${Code} label="delete the selected records" call=${() => drops} />
    </span>
    <button type="button" class="icon" aria-label="Select none" title="Select none (Esc)" onClick=${() => onPick([])}>
      <${Icon} name="close" />
    </button>
  </div></div>
  ${asking && calls.length > 0 && html`
    <${Confirm} title=${title} verb=${asking.act} label=${title.slice(0, -1)} call=${calls[0]}
      disabled=${allStay} onConfirm=${confirm} onClose=${() => setAsking(null)}>
      <p><strong><bdi>${namesOf(noun, those)}</bdi></strong></p>
      ${hidden > 0 && html`<p>
        ${count(hidden)} of them ${hidden === 1 ? "is" : "are"} elsewhere: on other pages${
          isFiltered(noun, params()) && ", or hidden by a filter"}.
      </p>`}
      ${asking.act === "Delete" && edited.length > 0 && html`<p>
        Your unsaved changes to <bdi>${namesOf(noun, edited)}</bdi> go too.
      </p>`}
      <p>${staying.length > 0 ? html`<bdi>${namesOf(noun, staying)}</bdi> ${
          staying.length === 1 ? "has pets, so it" : "have pets, so they"} cannot be deleted. `
        : asking.act === "Delete" ? `${follows[ids.length === 1 ? noun.one : ""] ?? follows[noun.name]} `
        : asking.act === "Revert" && "They become as in the baseline, whoever changed them. "}
        ${allStay ? "" : isFar ? `Undo reaches only ${MOST_UNDONE} writes.`
          : `Undo brings ${ids.length === 1 ? "it" : "them"} back, as long as nothing else is written.`}</p>
      ${isFar && html`<label class="check">
        <input type="checkbox" checked=${isSafe} onChange=${checked(setSafe)} />
        Save a snapshot first, which brings all of it back
      </label>`}
    <//>`}`;
}
