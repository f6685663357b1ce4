// The data as of a request, to look at, step through and fork.

import { html, useEffect, useMemo, useRef, useState } from "../library/preact.js";
import { change, follow as followLink, go, link, useAddress } from "../shell/address.js";
import { get, sandbox, segment, server } from "../shell/api.js";
import { Empty, useMore } from "../shell/components.js";
import { capital, clockTime, count, plural } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { useKeys } from "../shell/keys.js";
import { NameDialog } from "../shell/sandboxes.js";
import { isOwner, session } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { pathOf, usePast } from "./bounded.js";
import { ChangedHead, ChangedRows } from "./changed.js";
import { allOf, changeOf, marked, since, sizeOf } from "./changes.js";
import { follow, journal } from "./journal.js";
import { nouns, textOf, titleOf } from "./nouns.js";
import { PAGE, Pager, pageOf } from "./pager.js";
import { rowsOf, whyGone, writesAround } from "./pastrows.js";
import { Portrait } from "./portrait.js";
import { Json } from "./related.js";
import { differenceOf } from "./states.js";
import { FilterInputs, goTo, isFiltered, nounOf, Rows, showAll, Tables } from "./table.js";

/** @typedef {import("./nouns.js").Noun} Noun */
/** @typedef {import("./nouns.js").Row} Row */
/** @typedef {import("../shell/types.js").Entry} Entry */
/** @typedef {import("./bounded.js").Read} Read */

/** Returns the request, which may be older than the page's. @param {number} at @returns {Entry|undefined} */
function useEntry(at) {
  const { entries, loading } = useStore(journal);
  const [older, setOlder] = useState(/** @type {Entry|undefined} */ (undefined));
  useEffect(follow, []);
  const entry = entries.find(({ id }) => id === at);
  const missing = !loading && !entry && at > 0;
  useEffect(() => {
    if (!missing) return;
    get(`admin/requests?since=${at - 1}&limit=1`).then(({ requests }) => setOlder(requests[0]), () => undefined);
  }, [at, missing]);
  return entry ?? (older?.id === at ? older : undefined);
}

/** @param {{at: number}} props  at: the id of the request; negative: shows the data right before it */
export function Past({ at }) {
  const address = useAddress();
  const noun = nounOf(address);
  const read = usePast(at);
  const shown = read?.state;
  const categories = useMemo(() => new Map(shown?.categories.map(({ id, name }) => [id, name])), [shown]);
  const difference = useMemo(() => (shown && read.before ? differenceOf(read.before, shown, nouns) : null), [read]);
  const all = useMemo(() => (difference ? allOf(difference) : []), [difference]);
  const listed = (/** @type {Noun} */ { name, id }) =>
    [...shown?.[name] ?? [], ...difference?.[name].removed ?? []].sort((a, b) => a[id] - b[id]);
  const followed = useRef(address.table && !address.open ? at : 0); // the request whose change is shown
  useEffect(() => {
    const first = followed.current || !address.open ? all[0]
      : { noun, row: { record: { [noun.id]: Number(address.open) } } };
    if (!shown || !first || followed.current === read.at) return;
    const { noun: of, row: { record } } = first;
    followed.current = read.at;
    const sort = of === noun ? address.sort : "";
    const index = rowsOf(listed(of), of, { sort }).findIndex((one) => one[of.id] === record[of.id]);
    showAll(noun);
    change({ table: of.name, open: String(record[of.id]), sort, page: String(Math.floor(index / PAGE) + 1) });
  }, [read]);
  const counts = shown && Object.fromEntries(nouns.map(({ name }) => [name, shown[name]?.length ?? 0]));
  const id = address.open ?? "";
  const is = (/** @type {Row} */ one) => String(one[noun.id]) === id;
  const removed = difference?.[noun.name].removed.find(is);
  const row = listed(noun).find(is);
  const close = () => {
    change({ open: "" });
    goTo(id);
  };
  useKeys({ Escape: () => id && close() });
  return html`<div class="data past">
    <${Bar} at=${at} did=${read?.at === at ? all : []} status=${read?.at === at && read.error?.status || 0} />
    <${Tables} noun=${noun} counts=${counts} at=${String(at)} difference=${difference}
      changed=${address.changed} />
    ${read && !shown && html`<${NoState} read=${read} />`}
    ${shown && html`<div class="split ${id ? "has-detail" : ""}">
      <div class="table-side">
        <${Toolbar} key=${noun.name} noun=${noun} address=${address} categories=${categories}
          changed=${sizeOf(difference, noun.name)} difference=${difference} />
        ${address.changed && difference
          ? html`<div class="table-scroll"><${ChangedRows} difference=${difference} noun=${noun}
              categories=${categories} past /></div>`
          : html`<${Table} key=${noun.name} noun=${noun} address=${address} all=${listed(noun)} pets=${shown.pets}
              at=${at} categories=${categories} difference=${difference} />`}
      </div>
      ${id && html`
        <${Record} noun=${noun} row=${row} removed=${Boolean(removed)} id=${id}
          change=${changeOf(difference, noun, id)} categories=${categories} pets=${shown.pets} onClose=${close} />`}
    </div>`}
  </div>`;
}

/**
 * Says what is shown, with buttons to step, fork and return.
 * @param {object} props
 * @param {number} props.at
 * @param {ReturnType<typeof allOf>} props.did  what the request changed
 * @param {number} props.status  of the refusal to show the state; 0: none
 */
function Bar({ at, did: [first, ...others], status }) {
  const id = Math.abs(at);
  const entry = useEntry(id);
  const own = isOwner(useStore(session));
  const { entries } = useStore(journal);
  const unknown = [400, 404].includes(status); // no such request, so no write comes before or after it
  const { previous, next } = useMemo(
    () => (unknown ? {} : { ...writesAround(entries, id), ...(at < 0 && { next: id }) }), [entries, at, unknown]);
  const [forking, setForking] = useState(false);
  const step = (/** @type {number|undefined} */ to) => to && change({ at: String(to) });
  const now = () => change({ at: "", changed: "", page: "" });
  useKeys({ ArrowLeft: () => step(previous), ArrowRight: () => step(next) });
  const path = `admin/sandboxes/${segment(sandbox)}/fork`;
  const fork = (/** @type {string} */ name) => ({ method: "POST", path, base: server, body: { name, at } });
  return html`<div class="rewind" role="region" aria-label="Rewind">
    <${Icon} name="rewind" />
    <p class="grow">Read-only<span class="more-of">. The store just</span> ${at < 0 ? "before" : "after"}${" "}
      <a href=${link({ view: "requests", id: String(id) })} onClick=${followLink}>
        ${entry ? html`<span class="wire">${entry.method} ${entry.path}</span>` : `request ${id}`}
      </a>${entry && html`<span class="more-of">, <span class="wire">${
        clockTime(entry.receivedAt ?? entry.time).slice(0, 8)}</span></span>`}${
        first && `, which ${first.row.what} ${first.noun.one} ${first.row.record[first.noun.id]}`}${
        others.length > 0 && ` and ${plural(others.length, "other record")}`}
    </p>
    <span class="steps">
      <button type="button" class="icon" disabled=${!previous} aria-label="Previous write" title="Previous write ( ← )"
        onClick=${() => step(previous)}>
        <${Icon} name="previous" />
      </button>
      <button type="button" class="icon" disabled=${!next} aria-label="Next write" title="Next write ( → )"
        onClick=${() => step(next)}>
        <${Icon} name="next" />
      </button>
    </span>
    ${!own && at > 0 && html`
      <button type="button" class="plain-border" disabled=${status > 0} onClick=${() => setForking(true)}>
        Fork from here…
      </button>`}
    <button type="button" class="primary" onClick=${now}>Back to now</button>
    ${forking && html`
      <${NameDialog} title=${`Fork “${sandbox}” as of request ${at}`} verb="Fork" suggested=${`${sandbox}-at-${at}`}
        call=${fork}
        onClose=${() => setForking(false)} />`}
  </div>`;
}

/** @param {{read: Read}} props */
function NoState({ read: { at, error } }) {
  const id = Math.abs(at);
  const undone = useEntry(id)?.undone;
  return html`<${Empty} title=${error ? "This state cannot be shown" : "This state is too large for a page"}>
    <p>${error ? whyGone(error, id, undone)
      : "It is longer than 4 MiB. Fork from here: the fork shows it page by page."}</p>
    <button type="button" class="plain-border" onClick=${() => go({ view: "requests" })}>Show the requests</button>
  <//>`;
}

/**
 * @param {object} props
 * @param {Noun} props.noun
 * @param {Record<string, string>} props.address
 * @param {Map<number, string>} props.categories
 * @param {number|"many"|null} props.changed  by the request; null: unknown
 * @param {import("./changes.js").Difference} props.difference
 */
function Toolbar({ noun, address, categories, changed, difference }) {
  const [look, more] = useMore(noun.filters.slice(1).filter(({ name }) => address[name]).length);
  const toggle = () => change({ changed: address.changed ? "" : "1", open: "" });
  return html`<div class=${look}>
    ${address.changed ? html`<${ChangedHead} difference=${difference} noun=${noun} past />`
      : html`<${FilterInputs} noun=${noun} address=${address} categories=${categories} />${more}`}
    ${changed !== null && html`
      <button type="button" class="plain-border" aria-pressed=${Boolean(address.changed)} onClick=${toggle}>
        Changed by this request <span class="count">${changed}</span>
      </button>`}
  </div>`;
}

/**
 * @param {object} props
 * @param {Noun} props.noun
 * @param {Record<string, string>} props.address
 * @param {Row[]} props.all  also the records that the request removed
 * @param {Row[]} props.pets
 * @param {number} props.at
 * @param {Map<number, string>} props.categories
 * @param {Record<string, import("./states.js").Changes>|null} props.difference
 */
function Table({ noun, address, all, pets: there, at, categories, difference }) {
  const found = rowsOf(all, noun, address);
  const page = Math.min(pageOf(address), Math.max(0, Math.ceil(found.length / PAGE) - 1));
  const rows = found.slice(page * PAGE, (page + 1) * PAGE);
  const pets = useMemo(() => new Map(there.map(({ id, name }) => [id, name])), [there]);
  const context = useMemo(() => ({ categories, pets, at: String(at) }), [categories, at]);
  const changed = useMemo(() => new Map([...since(difference, noun, categories),
    ...(difference?.[noun.name].removed ?? []).map((row) => /** @type {const} */ ([row[noun.id], marked("removed")]))]),
  [difference, categories]);
  const hasChanged = rows.some((row) => changed.has(row[noun.id]));
  const gone = found.filter((row) => changed.get(row[noun.id])?.mark === "removed").length;
  const show = (/** @type {string} */ open) => change({ open });
  return html`<div class="table-scroll">
      <${Rows} noun=${noun} rows=${rows} address=${address} context=${context} onOpen=${show}
        since=${hasChanged ? changed : undefined} />
      ${rows.length === 0 && html`
        <${Empty} title=${isFiltered(noun, address) ? "Nothing matches" : `There were no ${noun.title.toLowerCase()}`}>
          ${isFiltered(noun, address) && html`
            <button type="button" class="plain-border"
              onClick=${() => showAll(noun)}>Show all ${count(all.length)}</button>`}
        <//>`}
    </div>
    <${Pager} page=${page} total=${found.length} also=${gone ? `, ${count(gone)} of them removed` : ""}
      call=${{ method: "GET", path: pathOf(at) }} />`;
}

/**
 * A record as of the request.
 * @param {object} props
 * @param {Noun} props.noun
 * @param {Row} [props.row]  missing: it did not exist
 * @param {boolean} props.removed  whether the request removed it
 * @param {string} props.id
 * @param {import("./changes.js").Changed} [props.change]  what the request did to it
 * @param {Map<number, string>} props.categories
 * @param {Row[]} props.pets
 * @param {() => void} props.onClose
 */
function Record({ noun, row, removed, id, change: by, categories, pets, onClose }) {
  const before = by?.before;
  const what = removed ? "removed" : by?.what;
  const text = (/** @type {string} */ name, /** @type {Row} */ of) => (name === "petId" && of[name]
    ? `${pets.find((pet) => pet.id === of[name])?.name ?? "pet"} #${of[name]}` : textOf(name, of[name], categories));
  return html`<aside class="detail editor" aria-label=${`${noun.one} ${id}`}>
    <header class="detail-head">
      <h2 class="grow">${titleOf(noun, id, row)}</h2>
      ${what && html`<span class=${`badge is-${what}`}>${what}</span>`}
      <button type="button" class="icon" aria-label="Close" title="Close (Esc)" onClick=${onClose}>
        <${Icon} name="close" />
      </button>
    </header>
    <div class="detail-body">
      ${row
        ? html`
          <div class="stack">
            ${noun.photo && row[noun.photo] && html`<${Portrait} id=${row[noun.photo]} large />`}
            <dl class="facts">${noun.inputs.map(({ name, title, kind }) => html`
              <div key=${name}>
                <dt>${title}${kind === "time" && " (UTC)"}</dt>
                <dd>${before && before[name] !== row[name]
                  ? html`<del>${text(name, before)}</del> → <ins>${text(name, row)}</ins>` : text(name, row)}
                </dd>
              </div>`)}
            </dl>
          </div>
          <${Json} record=${row} />`
        : html`<${Empty}
            title=${`There was no ${noun.one} ${id}`}><p>It was not created yet, or was deleted before.</p><//>`}
    </div>
  </aside>`;
}
