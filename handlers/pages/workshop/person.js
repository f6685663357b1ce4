// The drawer of one attendee: the exercises, the last requests with the reasons of refusals, and actions.

import { html, useLayoutEffect, useRef, useState } from "../library/preact.js";
import { request, server } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Popover, Status } from "../shell/components.js";
import { Confirm } from "../shell/confirm.js";
import { ago, short } from "../shell/format.js";
import { Icon } from "../shell/icon.js";
import { useKeys } from "../shell/keys.js";
import { say, sayError } from "../shell/toast.js";
import { backToNormal } from "./acts.js";
import { ActIn, EffectsIn, OthersIn, useBusy } from "./bar.js";
import { exercises } from "./exercises.js";
import { lower, NOT_YET, ON_MY_WAY, ON_THE_WAY, tellOne } from "./hand.js";
import { withdrawAll } from "./offers.js";
import { callOf } from "./places.js";
import { called, exerciseOf, hasStarted, isStuck, machine, remove } from "./room.js";
import { SayForm } from "./say.js";
import { Side } from "./side.js";
import { partOf, REFUSAL } from "./summary.js";
import { ByFault, Hand, idleOf, Stuck, Times, unusualIn } from "./tile.js";
import { dropCall } from "./vacant.js";

const LINES = 8; // of a body that are shown at first
const START = 400; // characters, likewise

/**
 * @typedef {import("./room.js").Tile} Tile
 * @typedef {import("./room.js").Recent} Recent
 *
 * @param {object} props
 * @param {Tile} props.tile
 * @param {string[]} props.among  the stores that the drawer steps through; none: all
 * @param {string} props.part  the part of the wall that had those stores
 * @param {Tile[]} props.tiles  all stores
 * @param {(name: string) => void} props.onOpen
 * @param {() => void} props.onClose
 */
export function Person({ tile, among, part, tiles, onOpen, onClose }) {
  const { name, done, recent, hand, said, total } = tile;
  const [saying, setSaying] = useState({ to: "", raised: false }); // raised: whether the hand was up at first
  const [removing, setRemoving] = useState(""); // the name of the store
  const says = saying.to === name;
  const raised = hand > 0 || (says && saying.raised);
  const stuck = isStuck(tile);
  const names = tiles.map((one) => one.name);
  const { label, has } = partOf(part);
  const left = tiles.filter(has).map((one) => one.name);
  const those = [...new Set([...among, ...(part === REFUSAL ? [] : left)])]; // others may have been added
  const there = among.length > 0 ? those.filter((other) => other === name || left.includes(other)) : names;
  const at = there.indexOf(name);
  const where = among.length === 0 ? `${at + 1} of ${there.length} attendees`
    : left.includes(name) ? `${at + 1} of ${there.length} ${label}`
      : `${there.length - 1 || "none"} left ${label}`;
  const toward = (/** @type {string|undefined} */ other) => () => other && onOpen(other);
  const [previous, next] = [toward(there[at - 1]), toward(there[at + 1])];
  useKeys({ j: next, k: previous });
  const on = exerciseOf(tile);
  const { request: cause = recent[0] } = tile.run;
  const above = stuck || (raised && cause?.reason && !cause.fault);
  const others = recent.filter(({ first }) => !above || first !== cause.first);
  const shownOf = recent.reduce((sum, { times }) => sum + times, 0);
  const dashboard = new URL(`sandboxes/${encodeURIComponent(name)}/`, server).href;
  const block = raised ? "raised" : stuck ? "stuck-by" : "";
  const stop = () => setSaying({ to: "", raised: false });
  const errors = html`<ol class="requests-of"><${Request} request=${cause} dashboard=${dashboard} /></ol>`;
  const held = html`
    <p><${Stuck} since=${tile.run.since} coming=${tile.coming} /></p>
    ${errors}`;
  // A box of its own, so that a change does not move the open menu beside it, and close it.
  const facts = raised ? html`<${Raised} tile=${tile} />${above && !stuck && errors}` : stuck && held;
  const tools = html`
    <button type="button" class="icon" title="Previous (k)" aria-label="Previous attendee" disabled=${at < 1}
      onClick=${previous}>
      <${Icon} name="previous" />
    </button>
    <button type="button" class="icon" title="Next (j)" aria-label="Next attendee" disabled=${at > there.length - 2}
      onClick=${next}>
      <${Icon} name="next" />
    </button>
    <span class="note grow">${where}</span>
    <a class="button quiet" href=${dashboard}>Dashboard</a>`;
  return html`<${Side} title=${html`<bdi>${called(name)}</bdi>`} about=${name} state=${stateOf(tile)} tools=${tools}
    onClose=${onClose} onEscape=${says ? stop : onClose}>
    <div class=${`about-of ${block}${tile.coming && block && " coming"}`}>
      <div class="facts">${facts}</div>
      ${says
        ? html`<${SayHere} key=${name} tile=${tile} onEnd=${stop} />`
        : html`<div class="acts-of">
          <div class="row">
            <button type="button" class="primary" onClick=${() => setSaying({ to: name, raised })}>
              <${Icon} name="send" /><span>${raised ? "Reply" : "Say something"}</span>
            </button>
            ${block !== "" && html`<${Coming} tile=${tile} />`}
            ${raised && html`<${Answer} name=${name} text="Lower hand" step=${lower} />`}
          </div>
          <${Popover} class="icon plain-border" title="More" text=${html`<${Icon} name="more" />`}>
            ${(/** @type {() => void} */ close) => html`
              <div class="others" role="group" aria-label="Clock, lifecycles, faults and data">
                <${OthersIn} tile=${tile} names=${names} close=${close} />
                <hr />
                <span class="pair">
                  <button type="button" class="danger" onClick=${() => {
                    close(); // gives the focus back, before the dialog takes it
                    setRemoving(name);
                  }}>
                    Remove from the room…
                  </button>
                </span>
                <p class="note">Deletes the store, and frees the seat</p>
              </div>`}
          <//>
        </div>`}
    </div>
    ${raised && stuck && html`<div class=${`about-of stuck-by${tile.coming && " coming"}`}>
      <p><${Stuck} since=${tile.run.since} /></p>
      ${errors}
    </div>`}
    ${removing === name && html`
      <${Removal} name=${name} onGone=${onClose} onClose=${() => setRemoving("")} />`}
    ${unusualIn(tile).length > 0 && html`<div class="row">
      <${EffectsIn} tile=${tile} />
      <${ActIn} one=${backToNormal} name=${name} />
    </div>`}
    ${said && html`<div class="talked">
      ${said.before && html`<${Talk} said=${said.before} shown="" />`}
      <${Talk} said=${said} shown=${said.before?.asked || (hand > 0 ? tile.about : "")} />
    </div>`}
    <section class="stack">
      <h3>Exercises</h3>
      <ol class="ticks">
        ${exercises.map(({ text }, i) => html`
          <li key=${text} class=${done[i] ? "is-done" : ""} aria-current=${on === i + 1 ? "step" : undefined}>
            <i class=${done[i] ? "pip full" : "pip"} role="img" aria-label=${done[i] ? "done" : "to do"}></i>
            ${text}
          </li>`)}
      </ol>
    </section>
    ${(others.length > 0 || total > shownOf) && html`<section class="stack">
      <h3>${above ? "Other requests" : "Last requests"}</h3>
      <ol class="requests-of">
        ${others.map((one) => html`<${Request} key=${one.first} dashboard=${dashboard} request=${one} />`)}
      </ol>
      ${total > shownOf && html`<p class="note"><a href=${dashboard}>Earlier ones are on the dashboard</a></p>`}
    </section>`}
  <//>`;
}

/**
 * The teacher's message, and the question that it answers.
 * @param {{said: import("./room.js").Said, shown: string}} props  shown: the question that is visible above
 */
const Talk = ({ said: { text, toAll, asked, at }, shown }) => html`
  ${asked && asked !== shown && html`<p><span class="note">Asked:</span> “${asked}”</p>`}
  <p class="row">
    <span class="grow"><span class="note">You said${toAll && " to all"}:</span> ${text}</span>
    ${at > 0 && html`<span class="note">${ago(new Date(at).toISOString(), machine())}</span>`}
  </p>`;

/** Says which exercise the attendee is on, and whether the attendee is idle. @param {Tile} tile */
function stateOf(tile) {
  const on = exerciseOf(tile);
  const idle = tile.hand > 0 || isStuck(tile) ? "" : idleOf(tile); // the waiting time says enough
  if (!hasStarted(tile)) return `Not started · joined ${ago(tile.createdAt, machine())}`;
  return `${on > 0 ? `On exercise ${on} of ${exercises.length}` : "All done"}${idle && ` · idle ${idle}`}`;
}

/**
 * Asks before it removes an attendee who should not be there, such as one who joined twice.
 * @param {{name: string, onGone: () => void, onClose: () => void}} props
 */
function Removal({ name, onGone, onClose }) {
  const who = called(name);
  const confirm = () => {
    onClose();
    request(dropCall(name)).then(() => {
      remove(name);
      withdrawAll();
      say(html`Removed <bdi>${who}</bdi>.`);
      onGone();
    }).catch(sayError);
  };
  return html`
    <${Confirm} title=${`Remove ${who}?`} verb="Remove" label="remove from the room" call=${dropCall(name)}
      onConfirm=${confirm} onClose=${onClose}>
      <p>
        This deletes the store with its data and requests. The seat is free, and the report does not
        name <bdi>${who}</bdi>. You cannot undo this.
      </p>
    <//>`;
}

/** The form to reply, within the drawer. @param {{tile: Tile, onEnd: () => void}} props */
function SayHere({ tile, onEnd }) {
  const form = useRef(/** @type {HTMLElement|null} */ (null));
  useLayoutEffect(() => { // before the next key press, which goes into the form
    const drawer = /** @type {HTMLElement|null|undefined} */ (form.current?.closest(".side"));
    form.current?.querySelector("textarea")?.focus();
    return () => drawer?.focus(); // the focused form is gone
  }, []);
  return html`<div class="grow" ref=${form}><${SayForm} to=${[tile]} onSaid=${onEnd} onCancel=${onEnd} /></div>`;
}

/** A raised hand, and what it is about. @param {{tile: Tile}} props */
function Raised({ tile }) {
  const { name, hand, coming, about } = tile;
  return html`
    <p role="status">
      ${hand > 0
        ? html`<${Hand} since=${hand} coming=${coming} />`
        : html`<strong><bdi>${called(name)}</bdi> lowered the hand</strong>`}
    </p>
    ${(about || hand > 0) && html`<p class=${about ? "about" : "note"}>${about || "No question."}</p>`}`;
}

/** A button that says that the teacher is on the way, or takes that back. @param {{tile: Tile}} props */
function Coming({ tile: { name, coming } }) {
  const on = coming === ON_THE_WAY;
  return html`<${Answer} name=${name} text="On my way" step=${tellOne(on ? NOT_YET : ON_MY_WAY)} pressed=${on} />`;
}

/**
 * A button that writes a message to an attendee, only once on a double click.
 * @param {{name: string, text: string, step: import("./places.js").Step, pressed?: boolean}} props
 */
function Answer({ name, text, step, pressed }) {
  const { busy, during } = useBusy();
  const send = (/** @type {MouseEvent} */ { detail }) => {
    if (detail < 2) void during(() => request(callOf(name, step)));
  };
  return html`<span class="pair">
    <button type="button" class="plain-border" aria-pressed=${pressed} disabled=${busy} onClick=${send}>${text}</button>
    <${Code} label=${text.toLowerCase()} call=${() => callOf(name, step)} />
  </span>`;
}

/**
 * A line for requests with the same result, with the body of the newest one if it was refused.
 * @param {{request: Recent, dashboard: string}} props
 */
function Request({ request, dashboard }) {
  const { id, method, path, query, status, reason, sent, at, fault } = request;
  return html`<li>
    <p class="row">
      <${Status} status=${status} />
      <span class="wire grow">
        <a href=${`${dashboard}?id=${id}`} target="_blank" rel="opener"
          title="Its line on the dashboard, in a new tab">
          ${method} ${path}${query && `?${query}`}
        </a>
        ${" "}<${Times} request=${request} />${" "}<${ByFault} fault=${fault} />
      </span>
      <span class="note">${ago(new Date(at).toISOString(), machine())}</span>
    </p>
    ${reason && fault === 0 && reason.split(" · ").map((why) => html`<p class="why">${why}</p>`)}
    ${sent && html`<${Sent} text=${sent} />`}
  </li>`;
}

/** The body of a request: its start, and a button that shows all. @param {{text: string}} props */
function Sent({ text }) {
  const [open, setOpen] = useState(false);
  const start = short(text.split("\n").slice(0, LINES).join("\n"), START);
  return html`<div class="sent">
    <pre class="wire" aria-label="What was sent">${open ? text : start}</pre>
    ${start !== text && html`<button type="button" class="quiet" aria-expanded=${open} onClick=${() => setOpen(!open)}>
      ${open ? "Show less" : "Show all"}
    </button>`}
  </div>`;
}
