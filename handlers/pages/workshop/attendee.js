// The page of an attendee: the exercises, the address of the store, and a hand to raise.

import { html, useEffect, useRef, useState } from "../library/preact.js";
import { loopback, request, send, storeAddress } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { CopyButton, ErrorNote, Field, Popover } from "../shell/components.js";
import { Confirm } from "../shell/confirm.js";
import { typed } from "../shell/events.js";
import { Icon } from "../shell/icon.js";
import { kept } from "../shell/store.js";
import { DROPPED, openStream } from "../shell/stream.js";
import { say, sayError } from "../shell/toast.js";
import { doneBy, exercises } from "./exercises.js";
import { DOWN, handAfter, lower, raise, recent, sendByEnter, unreadAfter } from "./hand.js";
import { Path, Tick } from "./path.js";
import { QR } from "./qr.js";

/** @typedef {import("./join.js").Attendee} Attendee */

/** @param {Attendee} attendee  @param {import("./places.js").Step} step  @returns {import("../shell/api.js").Call} */
const inStore = ({ url, key }, step) => ({
  ...step, path: `${url}/${step.path}`, headers: { Authorization: `Bearer ${key}` }, service: true,
});

/**
 * @typedef {object} Props
 * @property {Attendee} attendee
 * @property {import("./join.js").Notice} notice
 * @property {(attendee: Attendee) => void} onKnown
 * @property {() => void} onLeave
 * @property {(gone: boolean) => void} onGone  called when the store is gone, perhaps because the day has ended
 *
 * @param {Props} props
 */
export function Store({ attendee, notice, onKnown, onLeave, onGone }) {
  const { key, docs, dashboard } = attendee;
  const hash = `#key=${encodeURIComponent(key)}`;
  const { done, known, hand, said, error, gone, onRead } = useMine(attendee, notice.ended);
  const name = attendee.title || attendee.sandbox;
  const number = numberOf(attendee);
  useEffect(() => { // an attendee who joins by a code has only the store's name and key
    if (attendee.title || gone) return;
    /** @param {import("../shell/api.js").Answer} answer */
    const known = ({ data: { title } }) => onKnown({ ...attendee, title });
    request(inStore(attendee, { method: "GET", path: "admin" })).then(known, () => undefined);
  }, [attendee.url]);
  useEffect(() => {
    onGone(gone !== "");
  }, [gone]);
  if (gone) return html`<${Gone} attendee=${attendee} notice=${notice} why=${gone} done=${done} onLeave=${onLeave} />`;
  return html`
    <header class="row">
      ${notice.title && html`<p class="note title-of-room">${notice.title}</p>`}
      <${Portrait} attendee=${attendee} />
      <h1 class="grow"><bdi>${name}</bdi>${number && ` · ${number}`}</h1>
      <a class="button plain-border" href=${dashboard + hash}>Dashboard</a>
      <a class="button plain-border" href=${docs + hash}>Docs</a>
    </header>
    ${number && html`<p class="note">
      There is another <bdi>${name}</bdi>. If the other one is you, open your store in the browser that you joined with.
    </p>`}
    <${Talk} attendee=${attendee} hand=${hand} said=${said} over=${done.every(Boolean)} onRead=${onRead} />
    <${ErrorNote} error=${error} />
    <${Path} store=${attendee} done=${done} known=${known} dashboard=${dashboard + hash} />
    <${Address} attendee=${attendee} name=${name} />
    <p class="note">
      Not <bdi>${name}</bdi>?${" "}
      <button type="button" class="quiet" onClick=${onLeave}>Join as somebody else</button>
    </p>`;
}

/** Returns the number that tells the store from namesakes, or "". @param {Attendee} attendee */
function numberOf({ sandbox, title }) {
  const number = /-(\d+)$/.exec(sandbox)?.[1] ?? "";
  return title && !title.trim().endsWith(number) ? number : "";
}

const PETS = 5; // in every new store

/** Returns the storage of the attendee's picture, which outlives the store. @param {Attendee} attendee */
const pictureOf = ({ sandbox }) => kept("sessionStorage", `portrait ${sandbox}`);

/** A pet of the store, chosen by the store's name. @param {{attendee: Attendee}} props */
function Portrait({ attendee }) {
  const memory = pictureOf(attendee);
  const [source, setSource] = useState(memory.get());
  const pet = 1 + [...attendee.sandbox].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % PETS;
  useEffect(() => {
    const draw = async (/** @type {Response} */ response) => {
      if (response.ok) memory.set(`data:image/svg+xml,${encodeURIComponent(await response.text())}`);
      setSource(memory.get());
    };
    send(inStore(attendee, { method: "GET", path: `admin/data/pets/${pet}/photo` })).then(draw, () => undefined);
  }, [attendee.url]);
  return html`<span class="portrait">${source && html`<img src=${source} alt="" width="48" height="48" />`}</span>`;
}

/**
 * The talk of attendee and teacher. It stays in sight, and never moves what is below it.
 * @param {object} props
 * @param {Attendee} props.attendee
 * @param {import("./hand.js").Hand} props.hand
 * @param {import("./hand.js").Said|undefined} props.said
 * @param {boolean} props.over  whether all exercises are done
 * @param {() => void} props.onRead
 */
function Talk({ attendee, hand: { up, about }, said, over, onRead }) {
  const lowering = inStore(attendee, lower);
  const raised = about ? `Your hand is up: “${about}”` : "Your hand is up.";
  const asked = up ? raised : said?.asked && `You asked: “${said.asked}”`;
  return html`<section class="talk" aria-label="The teacher">
    <div class=${said || up ? "row said" : "row"}>
      <p class="grow" role="status">
        ${said && html`<${Message} key=${said.id} about=${asked}><strong>The teacher:</strong> ${said.text}<//>`}
        ${up && !said && html`
          <${Message} key="up"><strong>${raised}</strong> <span class="whole">The teacher sees it.</span><//>`}
        ${!said && !up && (over ? "A question? Raise your hand." : "Stuck? Raise your hand.")}
      </p>
      ${said && html`
        <button type="button" class="icon" aria-label="Dismiss" onClick=${onRead}><${Icon} name="close" /></button>`}
      ${up
        ? html`<button type="button" class="plain-border" onClick=${() => request(lowering).catch(sayError)}>
            <${Icon} name="hand" /><span>Lower hand</span>
          </button>
          <${Code} label="lower hand" call=${() => lowering} />`
        : html`<${Popover} class="plain-border" text=${html`<${Icon} name="hand" /><span>Raise hand</span>`}>
            ${(/** @type {() => void} */ close) => html`<${Raise} attendee=${attendee} onClose=${close} />`}
          <//>`}
    </div>
  </section>`;
}

/**
 * A message and the question that it is about. A long one is cut until the user presses it.
 * @param {{children: any, about?: string}} props
 */
function Message({ children, about }) {
  const words = useRef(/** @type {HTMLElement|null} */ (null));
  const [whole, setWhole] = useState(false);
  const [cut, setCut] = useState(false);
  useEffect(() => {
    const box = /** @type {HTMLElement} */ (words.current);
    const look = () => setCut([...box.children].some((text) => text.scrollHeight > text.clientHeight));
    const observer = new ResizeObserver(() => whole || look());
    observer.observe(box);
    return () => observer.disconnect();
  }, [whole, children, about]);
  const opens = cut || whole;
  return html`<button type="button" aria-expanded=${opens ? whole : undefined} onClick=${() => setWhole(cut && !whole)}>
    <span ref=${words} class="saying"><span>${children}</span>${about && html`<span>${about}</span>`}</span>
    ${opens && html`<${Icon} name="down" />`}
  </button>`;
}

/** @param {{attendee: Attendee, onClose: () => void}} props */
function Raise({ attendee, onClose }) {
  const [about, setAbout] = useState("");
  const call = inStore(attendee, raise(about));
  const sign = (/** @type {Event} */ event) => {
    event.preventDefault();
    request(call).then(onClose, sayError);
  };
  return html`<form class="stack" onSubmit=${sign}>
    <div class="around" onClick=${onClose}></div>
    <${Field} label="What is it about?" hint="You can leave it empty.">
      ${(/** @type {any} */ attributes) => html`
        <textarea ...${attributes} class="words" value=${about} maxlength="100" rows="2" autocomplete="off" autofocus
          onInput=${typed(setAbout)} onKeyDown=${sendByEnter}></textarea>`}
    <//>
    <div class="row">
      <button class="primary">Raise</button><${Code} label="raise hand" call=${() => call} />
      <button type="button" onClick=${onClose}>Cancel</button>
    </div>
  </form>`;
}

/**
 * The address of the store. The key and the personal link are behind a button.
 * @param {{attendee: Attendee, name: string}} props
 */
function Address({ attendee, name }) {
  const { key, url, sandbox } = attendee;
  const link = storeAddress(sandbox, key);
  const [open, setOpen] = useState(false);
  return html`<section class="address stack" aria-label="Your store">
    <div class="row">
      <div class="grow"><h2>Your store</h2><p class="wire">${url}</p></div>
      <${CopyButton} text=${url} label="Copy address" class="plain-border" />
      <button type="button" class="plain-border" aria-expanded=${open} onClick=${() => setOpen(!open)}>
        Key and link<${Icon} name="down" />
      </button>
    </div>
    ${open && html`<div class="row opened">
      <div class="grow stack">
        <div class="row">
          <${CopyButton} text=${key} label="Copy key" class="plain-border" />
          <${CopyButton} text=${link} label="Copy my personal link" class="plain-border" />
        </div>
        <p class="note">
          The key opens your store and no other. This browser keeps it until the day ends. For another browser, keep
          the personal link${loopback ? ". It only works on this computer" : ", or scan the code with your phone"}.
        </p>
        <div><${Reset} attendee=${attendee} /></div>
      </div>
      ${!loopback && html`<${QR} text=${link} label=${`QR code of ${name}’s store`} />`}
    </div>`}
  </section>`;
}

/**
 * @param {{attendee: Attendee, notice: import("./join.js").Notice, why: string, done: boolean[], onLeave: () => void}}
 *   props
 */
const Gone = ({ attendee, notice: { ended, open, full }, why, done, onLeave }) => {
  const name = attendee.title || attendee.sandbox;
  const picture = pictureOf(attendee).get();
  const count = done.filter(Boolean).length;
  return html`<section class="door over">
    ${picture && html`<img src=${picture} alt="" width="128" height="128" />`}
    <h1>${ended ? "The day is over" : html`<bdi>${name}</bdi>’s store is gone`}</h1>
    ${ended && count > 0 && html`
      <h2>You did ${count === done.length ? "all" : `${count} of the`} ${done.length} exercises</h2>
      <ol>
        ${exercises.map(({ text }, i) => html`<li key=${text} class=${done[i] && "done"}>
          <${Tick} n=${i + 1} isDone=${done[i]} />${text}
        </li>`)}
      </ol>`}
    <p>
      ${ended
        ? html`Thank you for taking part, <bdi>${name}</bdi>. Your store is gone.`
        : why}
      ${!ended && (open && !full
        ? " The door is open." : " Nobody can join now. This page notices when the door opens.")}
    </p>
    ${open && !full && html`<div>
      <button type="button" class="primary" onClick=${onLeave}>Join again</button>
    </div>`}
  </section>`;
};

/** @param {{attendee: Attendee}} props */
function Reset({ attendee }) {
  const [asked, setAsked] = useState(false);
  const call = inStore(attendee, { method: "POST", path: "admin/reset" });
  const reset = () => request(call).then(() => say("Your store was reset."), sayError).finally(() => setAsked(false));
  return html`
    <button type="button" class="danger plain-border" onClick=${() => setAsked(true)}>Reset my store…</button>
    ${asked && html`
      <${Confirm} title="Reset your store?" verb="Reset" label="reset my store" call=${call}
        onConfirm=${reset} onClose=${() => setAsked(false)}>
        <p>
          Its data, clock and faults return to the beginning, and its requests are forgotten. The exercises that you
          have done stay done.
        </p>
      <//>`}`;
}

const DELETED = "The teacher deleted it, or ended the day.";

const UNREACHABLE = { message: "The server does not answer. The page tries again by itself." };

/**
 * Follows the store: which exercises are done, whether the hand is up, and what the teacher has said.
 * @param {Attendee} attendee
 * @param {boolean} ended  whether the day is over, so that there is no store to read
 */
function useMine(attendee, ended) {
  const { sandbox, key, url } = attendee;
  // A reset deletes the requests, but the exercises stay done.
  const memory = kept("sessionStorage", `exercises ${sandbox} ${key.slice(0, 8)}`);
  const [done, setDone] = useState(/** @type {boolean[]|null} */ (JSON.parse(memory.get() || "null")));
  const [hand, setHand] = useState(DOWN);
  const heard = kept("sessionStorage", `heard ${sandbox} ${key.slice(0, 8)}`); // the id of the last message read
  const [said, setSaid] = useState(/** @type {import("./hand.js").Said|undefined} */ (undefined));
  const [error, setError] = useState(/** @type {any} */ (null));
  const [gone, setGone] = useState(ended ? DELETED : ""); // why the store is gone
  useEffect(() => {
    if (gone) return;
    const tick = (/** @type {import("../shell/types.js").Entry[]} */ entries) => setDone((before) => {
      const now = doneBy(entries).map((is, i) => is || Boolean(before?.[i]));
      memory.set(JSON.stringify(now));
      return now;
    });
    /** @type {import("./hand.js").Message[]} */
    let all = []; // newest first
    const take = (/** @type {import("./hand.js").Message[]} */ messages) => {
      all = messages;
      const now = handAfter(all);
      setHand(now);
      setSaid((before) => unreadAfter(all, Number(heard.get())) ?? (now.up ? undefined : before));
    };
    const fail = (/** @type {any} */ problem) => {
      if (problem.status === 401) return setGone("Your link has another key.");
      if (problem.status === 404) return setGone("It was deleted, or the server was restarted.");
      setError(problem.status === 0 ? UNREACHABLE : problem);
    };
    const read = async (/** @type {string} */ path) => (await request(inStore(attendee, { method: "GET", path }))).data;
    const readAll = async () => {
      try {
        const before = all;
        const reads = [read("admin/requests?order=desc&limit=1000"), read(recent)];
        const [{ requests }, messages] = await Promise.all(reads);
        tick(requests);
        if (all !== before) return void readAll(); // the reads may lack it
        take(messages);
        setError(null);
      } catch (problem) {
        fail(problem);
      }
    };
    /** @type {Record<string, (data: any) => void>} */
    const on = {
      request: (entry) => tick([entry]),
      "message.created": (message) => take([message, ...all]),
      gap: () => void readAll(),
      "sandbox.reset": () => {
        heard.set(""); // ids start again
        void readAll();
      },
      [DROPPED]: () => setGone(DELETED),
    };
    const stream = openStream(`${url}/admin/events`, {
      headers: inStore(attendee, { method: "GET", path: "" }).headers,
      onState({ is, error: problem }) {
        if (is === "live") void readAll();
        else if (is === "refused") fail(problem);
        else if (is === "lost") setError(UNREACHABLE);
      },
      onEvent: ({ name, data }) => on[name]?.(data),
    });
    return () => stream.close();
  }, [url, key, gone]);
  const onRead = () => {
    heard.set(String(said?.id));
    setSaid(undefined);
  };
  const all = exercises.map((_, i) => Boolean(done?.[i]));
  return { done: all, known: Boolean(done), hand, said, error, gone, onRead };
}
