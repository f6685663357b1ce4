// The page on which an attendee joins, and works from then on.

import { html, render, useEffect, useState } from "../library/preact.js";
import { request, server } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { ErrorNote, Field } from "../shell/components.js";
import { typed } from "../shell/events.js";
import { kept } from "../shell/store.js";
import { Drawer } from "../shell/drawer.js";
import { Toasts } from "../shell/toast.js";
import { Store } from "./attendee.js";

/**
 * @typedef {{sandbox: string, title: string, key: string, url: string, docs: string, dashboard: string}} Attendee
 * @typedef {{title: string, open: boolean, full: boolean, joined: number, ended: boolean}} Notice  the door's state
 */

// ms between two checks whether a closed door has opened, while the page is visible. A stream would hold a connection
// for each person who waits, which costs the server more.
const LOOKS = 5000;
const mark = new URL("../shell/icon.svg", import.meta.url).href;
const mine = kept("sessionStorage", `attendee ${server.pathname}`);
const last = kept("localStorage", `attendee ${server.pathname}`); // for the next tab of this browser

/** Returns the store joined in this tab, or the one in the address: #sandbox=ada&key=K. @returns {Attendee|null} */
function joined() {
  const given = new URLSearchParams(location.hash.slice(1));
  const [sandbox, key] = [given.get("sandbox"), given.get("key")];
  if (sandbox && key) {
    history.replaceState(null, "", location.pathname);
    const url = new URL(`sandboxes/${encodeURIComponent(sandbox)}`, server).href;
    return keep({ sandbox, title: "", key, url, docs: `${url}/docs/`, dashboard: `${url}/` });
  }
  return JSON.parse(mine.get() || "null");
}

/** @param {Attendee} attendee */
function keep(attendee) {
  const text = JSON.stringify(attendee);
  mine.set(text);
  last.set(text);
  return attendee;
}

function App() {
  const [attendee, setAttendee] = useState(joined);
  const [notice, setNotice] = useState(/** @type {Notice|null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  const [gone, setGone] = useState(false);
  const look = async () => {
    try {
      setNotice((await request({ method: "GET", path: "join/door", base: server, service: true })).data);
      setError(null);
    } catch (problem) {
      setError(problem);
    }
  };
  const shut = !notice || !notice.open || notice.full || gone;
  useEffect(() => void look(), []);
  useEffect(() => {
    if (notice && attendee && !gone || !shut || error?.status === 404) return;
    const timer = setInterval(() => document.hidden || void look(), LOOKS);
    return () => clearInterval(timer);
  }, [Boolean(notice && attendee), gone, shut, error?.status]);
  useEffect(() => {
    document.title = `${notice?.title || "The workshop"} – Petstore`;
  }, [notice?.title]);
  const onGone = (/** @type {boolean} */ is) => {
    setGone(is);
    if (is) void look();
  };
  const onLeave = () => {
    mine.set("");
    if (gone) last.set(""); // otherwise the door offers to go on, until somebody else has joined
    setAttendee(null);
    setGone(false);
    void look();
  };
  const onKnown = (/** @type {Attendee} */ a) => setAttendee(keep(a));
  const show = () => {
    if (!notice) return html`<${ErrorNote} error=${error} />`;
    return attendee
      ? html`<${Store} attendee=${attendee} notice=${notice} onKnown=${onKnown} onLeave=${onLeave}
          onGone=${onGone} />`
      : html`<${Door} notice=${notice} error=${error} onJoin=${onKnown} onRefused=${look} />`;
  };
  return html`<main class="room">${show()}</main><${Drawer} /><${Toasts} />`;
}

/** Returns the attendee who last joined in this browser, if the store still exists. @param {boolean} ended */
function useLast(ended) {
  const [attendee, setAttendee] = useState(/** @type {Attendee|null} */ (null));
  useEffect(() => {
    /** @type {Attendee|null} */
    const before = JSON.parse(last.get() || "null");
    if (!before || ended) return last.set("");
    const headers = { Authorization: `Bearer ${before.key}` };
    request({ method: "GET", path: `${before.url}/admin`, headers, service: true }).then(
      ({ data: { title } }) => setAttendee({ ...before, title }),
      ({ status }) => [401, 404].includes(status) && last.set(""),
    );
  }, [ended]);
  return ended ? null : attendee;
}

const WAIT = "Wait here: you can join as soon as the teacher";

/** Returns why nobody can join now, and what to do, or [] if attendees can join. @param {Notice} notice */
function whyShut({ ended, open, full }) {
  if (ended) return ["The workshop is over", "The stores are gone."];
  if (!open) return ["The door is closed", `${WAIT} opens the door.`];
  return full ? ["The workshop is full", `${WAIT} makes room.`] : [];
}

/** Matches a name with a visible character. */
const SHOWS = /[^\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Focuses a new element. @param {HTMLElement|null} element */
const focus = (element) => element?.focus();

/** @param {{notice: Notice, error: any, onJoin: (attendee: Attendee) => void, onRefused: () => void}} props */
function Door({ notice, error, onJoin, onRefused }) {
  const [name, setName] = useState("");
  const [refused, setRefused] = useState(/** @type {any} */ (null));
  const [nameless, setNameless] = useState(false);
  const [busy, setBusy] = useState(false);
  const [shut, then] = whyShut(notice);
  const before = useLast(notice.ended);
  const wrong = nameless ? "Type a name by which the teacher knows you." : undefined;
  const call = () => ({ method: "POST", path: "join", base: server, body: { name }, service: true });
  const join = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setNameless(!SHOWS.test(name));
    if (!SHOWS.test(name)) {
      return /** @type {HTMLFormElement} */ (event.currentTarget).querySelector("input")?.focus();
    }
    setBusy(true);
    try {
      onJoin((await request(call())).data);
    } catch (problem) {
      setRefused(problem);
      setBusy(false);
      onRefused();
    }
  };
  return html`<form class="door" onSubmit=${join}>
    <img src=${mark} alt="" width="64" height="64" />
    ${shut && notice.title && html`<p class="note">${notice.title}</p>`}
    <h1>${shut || notice.title || "Join the workshop"}</h1>
    ${notice.joined > 0 && html`<p class="note">
      ${notice.joined} ${notice.joined === 1 ? "person is" : "people are"} in
    </p>`}
    ${before && html`<button type="button" class="primary" ref=${focus} onClick=${() => onJoin(before)}>
      <span>Go on as <bdi>${before.title || before.sandbox}</bdi></span>
    </button>`}
    ${shut ? html`<p role="status">${then}</p>` : html`
      <p>
        You get a pet store of your own, with an address and a key, and five short exercises. There is nothing to
        install.
      </p>
      <${Field} label="Your name" error=${wrong} hint="Everybody in the room sees it.">
        ${(/** @type {any} */ attributes) => html`
          <input ...${attributes} value=${name} maxlength="60" autocomplete="name"
            autofocus=${!last.get()} onInput=${typed(setName)} />`}
      <//>
      <div class="row">
        <button class=${before ? "plain-border grow" : "primary grow"} disabled=${busy}>
          ${before ? "Join as somebody else" : "Join"}
        </button>
        <${Code} label="join" call=${call} />
      </div>
      <${ErrorNote} error=${refused ?? error} />`}
  </form>`;
}

render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("page")));
