// The components that views share.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../library/preact.js";
import { Code } from "./calls.js";
import { copy } from "./copy.js";
import { clockTime, plural, statusClass, statusText } from "./format.js";
import { Icon } from "./icon.js";
import { retry, session } from "./session.js";
import { useStore } from "./store.js";
import { Told } from "./toast.js";

/** @typedef {import("./api.js").Call} Call */

let made = 0;

/** Returns an id that no other element of the page has. */
export const useId = () => useState(() => `id-${++made}`)[0];

const LONG = 400; // ms of a long touch

/** Returns listeners for rows that a long touch or Shift selects. @param {(touched: Element) => void} then */
export function useLongTouch(then) {
  const timer = useRef(-1); // during a touch; 0: it was long
  const stay = () => clearTimeout(timer.current);
  return {
    onPointerDown: (/** @type {any} */ { pointerType, target }) => {
      timer.current = pointerType !== "touch" ? -1 : setTimeout(() => {
        timer.current = 0;
        then(target);
      }, LONG);
    },
    onPointerUp: stay,
    onPointerMove: stay,
    onPointerCancel: stay,
    onMouseDown: (/** @type {any} */ event) =>
      event.shiftKey && !event.target.closest("label") && event.preventDefault(),
    onClickCapture: (/** @type {Event} */ event) => {
      if (timer.current !== 0) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

/** A status, whose class shows in colour and shape. @param {{status: number, long?: boolean}} props */
export function Status({ status, long }) {
  const short = status === 0 ? "cut" : String(status);
  const text = long && status ? `${short} ${statusText(status)}` : short;
  return html`<span class="status s-${statusClass(status)}" title=${statusText(status)}>${text}</span>`;
}

/** A button that copies, and says so. @param {{text: string|(() => string), label?: string, class?: string}} props */
export function CopyButton({ text, label = "Copy", class: name = "" }) {
  const [done, setDone] = useState("");
  const run = async () => {
    const ok = await copy(typeof text === "string" ? text : text());
    setDone(ok ? "Copied" : "Could not copy");
    setTimeout(() => setDone(""), 1500);
  };
  return html`
    <button type="button" class=${name} onClick=${run}>
      <${Icon} name=${done === "Copied" ? "check" : "copy"} />
      <span aria-live="polite">${done || label}</span>
    </button>`;
}

/**
 * A button that opens a box. The content exists only while the box is open.
 * @param {{text: any, title?: string, class?: string, menu?: boolean, children: (close: () => void) => any}} props
 */
export function Popover({ text, title, class: name = "", menu, children }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const button = useRef(/** @type {HTMLElement|null} */ (null));
  const box = useRef(/** @type {HTMLElement|null} */ (null));
  const show = () => {
    if (!button.current || !box.current?.matches(":popover-open")) return;
    place(box.current, button.current.getBoundingClientRect());
    if (box.current.contains(document.activeElement)) return;
    /** @type {HTMLElement|null} */ (box.current.querySelector("[autofocus], [role^=menuitem]:enabled"))?.focus();
  };
  useLayoutEffect(() => {
    if (!open) return undefined;
    show();
    const grown = new ResizeObserver(show); // a part of the content may load only now
    grown.observe(/** @type {HTMLElement} */ (box.current));
    return () => grown.disconnect();
  }, [open]);
  // Render the content before the browser opens the box and moves the focus, so that no key is lost.
  const prepare = (/** @type {any} */ event) => event.newState === "open" && setOpen(true);
  const toggle = (/** @type {any} */ event) => {
    if (event.newState === "open") return show();
    if (box.current) box.current.style.opacity = "";
    setOpen(false);
  };
  const close = () => {
    box.current?.hidePopover();
    setOpen(false); // no toggle event comes if the box moves now, such as the menu of a rule that it moves
  };
  const openByKey = (/** @type {KeyboardEvent} */ event) => {
    if (!menu || event.key !== "ArrowDown") return;
    event.preventDefault();
    button.current?.click();
  };
  return html`
    <button type="button" ref=${button} class=${name} title=${title} aria-label=${title} aria-expanded=${open}
      aria-haspopup=${menu ? "menu" : undefined} popovertarget=${id} onKeyDown=${openByKey}>
      ${text}
    </button>
    <div id=${id} ref=${box} popover="auto" class="popover" onBeforeToggle=${prepare}
      onToggle=${toggle}>
      ${open && children(close)}
    </div>`;
}

/**
 * A button with the menu that it opens (WAI-ARIA, menu button). Any choice closes it.
 * @param {{text: any, title?: string, class?: string, children: any}} props
 */
export const Menu = ({ children, ...rest }) => html`
  <${Popover} ...${rest} menu>${(/** @type {() => void} */ close) => html`
    <div class="menu" role="menu" onClick=${close} onKeyDown=${moveInMenu}>${children}</div>`}
  <//>`;

/**
 * An item of a menu, with the call that it makes.
 * @param {{call?: () => Call|Call[], label?: string, note?: string, role?: string, children: any}
 *   & Record<string, any>} props
 */
export const Item = ({ call, label = "", note, role = "menuitem", children, ...rest }) => html`
  <button type="button" role=${role} tabindex="-1" ...${rest}>${children}</button>
  ${call && !rest.disabled && html`<${Code} label=${label} call=${call} note=${note} />`}`;

/** Moves the focus in a menu: arrows, Home, End, or the first letter of an item. @param {any} event */
function moveInMenu(event) {
  const { currentTarget: menu, key } = event;
  if (key === "Tab") menu.closest("[popover]").hidePopover(); // the focus moves on from the button
  const items = [...menu.querySelectorAll("[role^=menuitem]:not(:disabled)")];
  const at = items.indexOf(document.activeElement);
  const places = { ArrowDown: (at + 1) % items.length, ArrowUp: at - 1, Home: 0, End: -1 };
  const next = key in places
    ? items.at(places[/** @type {keyof typeof places} */ (key)])
    : [...items.slice(at + 1), ...items].find((item) => item.innerText.trim().toLowerCase().startsWith(key));
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/**
 * Places a box below its button, or above if there is more room.
 * @param {HTMLElement} box
 * @param {DOMRect} by
 */
function place(box, by) {
  box.style.maxHeight = "";
  const { width, height } = box.getBoundingClientRect();
  const edge = 8;
  const below = by.bottom + 4 + height <= innerHeight - edge || by.top < innerHeight / 2;
  const narrow = width < innerWidth / 3; // and so it may extend towards the middle of the page
  const left = narrow && by.left + by.right > innerWidth ? by.right - width : by.left;
  const end = innerWidth - by.right < 40 ? by.right : innerWidth - edge; // in line with a button at the page's edge
  box.style.left = `${Math.max(edge, Math.min(left, end - width))}px`;
  box.style.top = below ? `${by.bottom + 4}px` : "auto";
  box.style.bottom = below ? "auto" : `${innerHeight - by.top + 4}px`; // so that it grows away from its button
  box.style.opacity = "1";
  box.style.maxHeight = `${below ? innerHeight - by.bottom - 4 - edge : by.top - edge}px`;
}

/**
 * A choice of one option.
 * @param {{label: string, options: [string, any][], value: string, onChange: (value: any) => void}} props
 */
export function Choice({ label, options, value, onChange }) {
  return html`<div class="choice" role="group" aria-label=${label}>
    ${options.map(([name, text]) => html`
      <button type="button" key=${name} aria-pressed=${name === value} onClick=${() => onChange(name)}>
        ${text}
      </button>`)}
  </div>`;
}

/**
 * A modal dialog with a title. It is open while it is rendered.
 * @param {{title: string, onClose: () => void, children?: any, class?: string}} props
 */
export function Dialog({ title, onClose, children, class: name = "" }) {
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  const id = useId();
  useLayoutEffect(() => { // before the next key press
    const before = document.activeElement;
    dialog.current?.showModal();
    const body = /** @type {HTMLElement} */ (dialog.current?.querySelector(".dialog-body"));
    const first = ["[autofocus]", "input, select, textarea", ":scope > :not(header) :is(button, pre)"]
      .map((selector) => body.querySelector(selector)).find(Boolean);
    /** @type {HTMLElement|null} */ (first)?.focus({ preventScroll: true });
    dialog.current?.scrollTo(0, 0); // showModal scrolls to the autofocus
    return () => queueMicrotask(() => { // once the dialog is gone, since it keeps the focus from the rest
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    });
  }, []);
  const outside = (/** @type {MouseEvent} */ event) => event.target === dialog.current && dialog.current?.close();
  return html`<dialog ref=${dialog} class=${name} aria-labelledby=${id} onClose=${onClose} onMouseDown=${outside}>
    <div class="dialog-body">
      <header class="row"><h2 id=${id} class="grow">${title}</h2>
        <button type="button" class="icon" aria-label="Close" onClick=${() => dialog.current?.close()}>
          <${Icon} name="close" />
        </button>
        <${Lost} />
        <${Told} />
      </header>
      ${children}
    </div>
  </dialog>`;
}

/** A band over the content, and in a dialog, while the server is unreachable. */
export function Lost() {
  const { stream, summary } = useStore(session);
  if (stream.is !== "lost" || !summary) return null;
  return html`<div class="band" role="alert">
    <span>
      The server does not answer<span class="undone">, so nothing was done</span>.
      <span class="last"> This is what it said until ${clockTime(stream.since ?? 0).slice(0, 8)} UTC.</span>
    </span>
    <span aria-live="off">
      Trying again${stream.seconds ? ` in ${plural(stream.seconds, "second")}` : ""}.
    </span>
    <button type="button" class="plain-border" onClick=${retry}>Retry now</button>
  </div>`;
}

/**
 * A field with its label and the server's error.
 * @param {{label: any, error?: string, hint?: any, children: (attributes: Record<string, any>) => any}} props
 */
export function Field({ label, error, hint, children }) {
  const id = useId();
  const told = error || hint ? `${id}-told` : undefined;
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${children({ id, "aria-invalid": error ? "true" : undefined, "aria-describedby": told })}
    ${(error || hint) && html`<p id=${told} class=${error ? "wrong" : "note"}>${error || hint}</p>`}
  </div>`;
}

/**
 * An error, and what to do.
 * @param {object} props
 * @param {{message: string, code?: string}|null} [props.error]
 * @param {() => void} [props.onRetry]  reads what the view shows
 * @param {unknown} [props.read]  the data that was read before
 */
export function ErrorNote({ error, onRetry, read }) {
  const note = useRef(/** @type {HTMLElement|null} */ (null));
  useEffect(() => { // not below the buttons of a dialog
    if (note.current?.closest("dialog")) note.current.scrollIntoView({ block: "nearest" });
  }, [error]);
  if (!error) return null;
  const away = error.code === "unreachable";
  if (away && onRetry && !read) {
    return html`<div class="empty unread"><h2>Nothing to show yet</h2>
      <p>The server has not answered since this view was opened.</p>
      <button type="button" class="plain-border" onClick=${onRetry}>Try again</button></div>`;
  }
  // If the page has a band, it says that the server is away.
  return html`<div ref=${note} class=${`error-note${away ? " away" : ""}`} role="alert"><p>${error.message}</p>
    ${onRetry && html`<button type="button" class="plain-border" onClick=${onRetry}>Try again</button>`}</div>`;
}

/** An empty view, and how to fill it. @param {{title: string, children?: any}} props */
export const Empty = ({ title, children }) => html`<div class="empty"><h2>${title}</h2>${children}</div>`;

/**
 * Returns the class of a row of filters, and the button that shows them in a narrow window.
 * @param {number} chosen  how many of them are set
 * @returns {[string, any]}
 */
export function useMore(chosen) {
  const [open, setOpen] = useState(false);
  const button = html`
    <button type="button" class="more" aria-expanded=${open} onClick=${() => setOpen(!open)}>
      ${open ? "Less" : `More${chosen > 0 ? ` (${chosen})` : ""}`}
    </button>`;
  return [open ? "filters open" : "filters", button];
}
