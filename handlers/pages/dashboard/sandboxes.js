// The list of the server's sandboxes.

import { html, useEffect, useState } from "../library/preact.js";
import { change, useAddress } from "../shell/address.js";
import { sandbox, sandboxRoot, server } from "../shell/api.js";
import { ASKS, Code } from "../shell/calls.js";
import { Empty, ErrorNote, Item, Menu, Status } from "../shell/components.js";
import { typed } from "../shell/events.js";
import { ago, count, dayAndTime, isShifted, plural } from "../shell/format.js";
import { chipOf } from "../shell/header.js";
import { Icon } from "../shell/icon.js";
import { useKeys } from "../shell/keys.js";
import {
  askReset, dropCall, DropDialog, forkCall, KeyDialog, NameDialog, listCall, listSandboxes, makeCall, open,
} from "../shell/sandboxes.js";
import { session } from "../shell/session.js";
import { CurlLine } from "../shell/source.js";
import { useMinutes, useStore } from "../shell/store.js";
import { openStream, paced } from "../shell/stream.js";
import { say } from "../shell/toast.js";
import { isThere, PAGE, Pager, pageOf } from "./pager.js";
import { readTemplate, take, takeCall, Template, template } from "./template.js";

/** @typedef {import("../shell/types.js").Sandbox} Sandbox */

const PACE = 1000; // ms between two readings of the list

const counted = /** @type {const} */ ([
  ["lastUsedAt", "Last used"], ["requests", "Requests"], ["errors", "Errors"], ["writes", "Writes"],
]);

/** Whether a row has the pointer or the focus. */
const isHeld = () => document.querySelector(".boxes tbody:is(:hover, :focus-within)");

/**
 * Returns the new rows first, then the others in the shown order, so that no row moves under the pointer.
 * @param {Sandbox[]} shown
 * @param {Sandbox[]} rows
 */
function inOrder(shown, rows) {
  const places = new Map(shown.map(({ name }, i) => [name, i]));
  const place = (/** @type {Sandbox} */ { name }) => places.get(name) ?? -1;
  return rows.toSorted((a, b) => place(a) - place(b));
}

/**
 * Reads the list, and again after each event. The rows keep their order while the pointer or the focus is on them.
 * @param {Parameters<typeof listCall>[0]} query
 * @param {number} page
 */
function useList(query, page) {
  const [found, setFound] = useState(/** @type {{rows: Sandbox[], total: number, by: string}|null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  const by = JSON.stringify(query);
  const live = useStore(session).stream.is === "live"; // a reconnected page reopens this stream at once
  const load = async (/** @type {AbortSignal} */ signal) => {
    try {
      const all = await listSandboxes(query, signal);
      setError(null);
      if (signal.aborted || !isThere(page, all.total)) return;
      const moves = !query.sort.endsWith("name"); // whether use can change the order
      setFound((was) => {
        const held = moves && was?.by === by && isHeld();
        return { ...all, by, rows: held ? inOrder(was.rows, all.rows) : all.rows };
      });
    } catch (problem) {
      if (!signal.aborted) setError(problem);
    }
  };
  useEffect(() => {
    const stop = new AbortController();
    const again = paced(() => void load(stop.signal), PACE);
    again();
    const stream = openStream(new URL("sandboxes/*/admin/events", server).href, {
      onState: ({ is }) => is === "live" && again(),
      onEvent: again,
    });
    return () => {
      stream.close();
      stop.abort();
    };
  }, [by, live]);
  useMinutes();
  return { found, error, load: () => load(new AbortController().signal) };
}

export default function Sandboxes() {
  const address = useAddress();
  const { q = "", sort = "-lastUsedAt" } = address;
  const page = pageOf(address);
  const query = { name: q, sort, limit: PAGE, offset: page * PAGE };
  const { found, error, load } = useList(query, page);
  const [dialog, setDialog] = useState(/** @type {{what: string, of: Sandbox}|null} */ (null));
  const [search, setSearch] = useState(/** @type {HTMLElement|null} */ (null));
  const [making, setMaking] = useState(false);
  useKeys({ "/": () => search?.focus() });
  const { is } = useStore(session).stream;
  useEffect(() => void readTemplate(), [making, is]); // again when the dialog closes, and after a restart
  const total = found?.total ?? 0;
  const close = () => {
    setDialog(null);
    setMaking(false);
    void load();
  };
  const made = (/** @type {Sandbox} */ { name, title }) => {
    say(`Created “${title}”.`, { about: ["sandboxes"], action: { text: "Open", run: () => open(name) } });
    close();
  };
  const dropped = () => {
    void readTemplate();
    close();
  };
  const ask = (/** @type {Sandbox} */ of) => (/** @type {string} */ what) =>
    (what === "reset" ? askReset(of.name === sandbox ? undefined : of) : setDialog({ what, of }));
  const find = typed((text) => change({ q: text, page: "" }));
  return html`<div class="boxes">
    <div class="filters">
      <div class="searchbox">
        <${Icon} name="search" />
        <input type="search" ref=${setSearch} aria-label="Find a sandbox" placeholder="Find by name"
          value=${q} onInput=${find} />
        <kbd>/</kbd>
      </div>
      <span class="grow"></span>
      <${Template} rows=${found?.rows ?? []} />
      <button type="button" class="primary" onClick=${() => setMaking(true)}>Create a sandbox…</button>
      <${Code} label="create a sandbox" call=${() => makeCall("NAME")} note=${ASKS} />
    </div>
    <${ErrorNote} error=${error} onRetry=${load} read=${found} />
    <div class="table-scroll">
      ${total > 0 && html`<table class="lines">
        <thead>
          <tr>
            <${Column} name="name" title="Name" sort=${sort} />
            ${counted.map(([name, title], i) => html`
              <${Column} key=${name} name=${name} title=${title} sort=${sort} number=${i > 0} />`)}
            <th class="spare">Last request</th>
            <th class="spare">Data</th>
            <td class="does"></td>
          </tr>
        </thead>
        <tbody onMouseLeave=${load}>
          ${found?.rows.map((row) => html`<${Row} key=${row.name} row=${row} onDialog=${ask(row)} />`)}
        </tbody>
      </table>`}
      ${found && total === 0 && html`
        <${Empty} title=${`No sandbox matches “${q}”`}>
          <button type="button" class="plain-border" onClick=${() => change({ q: "" })}>Show all</button>
        <//>`}
      ${found && !q && total < 2 && html`<${About} />`}
    </div>
    ${total > (q ? 0 : PAGE) && html`<${Pager} page=${page} total=${total} call=${listCall(query)} />`}
    ${making && html`
      <${NameDialog} title="Create a sandbox" verb="Create" keyed call=${makeCall} onMade=${made}
        onClose=${close} />`}
    ${dialog?.what === "fork" && html`
      <${NameDialog} title=${html`Fork “<bdi>${dialog.of.title}</bdi>”`} verb="Fork"
        fork suggested=${`${dialog.of.name}-copy`} call=${forkCall(dialog.of.name)} onMade=${made}
        onClose=${close} />`}
    ${dialog?.what === "key" && html`<${KeyDialog} row=${dialog.of} onClose=${close} />`}
    ${dialog?.what === "drop" && html`
      <${DropDialog} name=${dialog.of.name} title=${dialog.of.title} onGone=${dropped} onClose=${close} />`}
  </div>`;
}

/** What sandboxes are for. */
const About = () => html`<div class="about-boxes stack">
  <p class="note">
    A sandbox is a store of its own, with its data, clock, faults and requests. Give one to each test or person, here
    or like this:
  </p>
  <${CurlLine} call=${makeCall("ada")} />
</div>`;

/** @param {{name: string, title: string, sort: string, number?: boolean}} props */
function Column({ name, title, sort, number }) {
  const up = sort === name;
  const sorted = up ? "ascending" : sort === `-${name}` ? "descending" : undefined;
  const [first, second] = name === "name" ? [name, `-${name}`] : [`-${name}`, name];
  const turn = () => change({ sort: sort === first ? second : first, page: "" });
  return html`<th class=${number ? "number spare" : ""} aria-sort=${sorted}>
    <button type="button" onClick=${turn}>
      ${title}${sorted && html`<span aria-hidden="true">${up ? "↑" : "↓"}</span>`}
    </button>
  </th>`;
}

/** @param {{row: Sandbox, onDialog: (what: string) => void}} props */
function Row({ row, onDialog }) {
  const { name, title, lastUsedAt, requests, errors, writes, lastRequest } = row;
  const { operations, faults, clock, keyed, counts } = row;
  const time = chipOf(clock);
  const { from } = useStore(template);
  const open = (/** @type {Event} */ event) => {
    const inside = /** @type {Element} */ (event.target).closest("a, button, [popover]");
    if (!inside) location.assign(sandboxRoot(name));
  };
  return html`<tr class="opens" aria-current=${name === sandbox} onClick=${open}>
    <td class="tags"><div class="row">
      <a href=${sandboxRoot(name).href}><bdi>${title}</bdi></a>
      ${title !== name && html`<span class="id note">${name}</span>`}
      ${name === sandbox && html`<span class="tag">current</span>`}
      ${name === from && html`<span class="tag">template</span>`}
      ${keyed && html`<span class="tag"><${Icon} name="lock" /> ${row.private ? "private" : "own key"}</span>`}
      ${isShifted(clock) && html`
        <span class="tag is-changed"><${Icon} name=${time.icon} /> ${time.text} ${time.more}</span>`}
      ${operations > 0 && html`<span class="tag is-changed" title=${`${plural(operations, "operation")} changed`}>
        <${Icon} name="flag" /> ${operations}</span>`}
      ${faults > 0 && html`<span class="tag is-changed" title=${`${plural(faults, "fault")} on`}>
        <${Icon} name="faults" /> ${faults}</span>`}
    </div></td>
    <td class="minor" title=${`${dayAndTime(lastUsedAt)} UTC`}>${ago(lastUsedAt)}</td>
    <td class="number spare" data-title=${requests === 1 ? "request" : "requests"}>${count(requests ?? 0)}</td>
    <td class="number spare" data-title=${errors === 1 ? "error" : "errors"}>
      ${errors > 0 && html`<span class="share">${Math.round(100 * errors / requests) || "< 1"} %${" "}</span>`}
      <span class=${errors > 0 ? "is-error" : "note"}>${count(errors ?? 0)}</span>
    </td>
    <td class="number spare">${count(writes ?? 0)}</td>
    <td class="wire told spare">
      ${lastRequest && html`<${Status} status=${lastRequest.status} /> ${lastRequest.method} ${lastRequest.path}`}
    </td>
    <td class="spare">
      ${plural(counts.pets, "pet")}, ${plural(counts.orders, "order")}
    </td>
    <td class="does"><${More} name=${name} onDialog=${onDialog} /></td>
  </tr>`;
}

/** @param {{name: string, onDialog: (what: string) => void}} props */
const More = ({ name, onDialog }) => html`
  <${Menu} class="icon" title=${`What to do with ${name}`} text=${html`<${Icon} name="more" />`}>
    <a class="button" role="menuitem" tabindex="-1" href=${sandboxRoot(name).href}>Open</a>
    <${Item} onClick=${() => onDialog("fork")} label=${`fork ${name}`} note=${ASKS}
      call=${() => forkCall(name)(`${name}-copy`)}>Fork…<//>
    <${Item} onClick=${() => onDialog("key")}>Key and privacy…<//>
    <${Item} onClick=${() => void take(name)}
      label=${`use ${name} as the template`} call=${() => takeCall(name)}>Use as the template<//>
    <hr />
    <${Item} onClick=${() => onDialog("reset")}
      label=${`reset ${name}`} note=${ASKS}
      call=${() => ({ method: "POST", path: "admin/reset", base: sandboxRoot(name) })}>Reset…<//>
    <${Item} class="danger" disabled=${name === "default"} onClick=${() => onDialog("drop")}
      label=${`delete ${name}`} note=${ASKS} call=${() => dropCall(name)}>
      Delete…${name === "default" && html`<small>it always exists</small>`}
    <//>
  <//>`;
