// The parts that views are made of.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../library/preact.js";
import { key } from "./api.js";
import { copy } from "./copy.js";
import { languages, scriptOf } from "./curl.js";
import { statusClass, statusText } from "./format.js";
import { Icon } from "./icon.js";

let made = 0;

/** Returns an id that no other element of the page has. */
export const useId = () => useState(() => `id-${++made}`)[0];

/** A status with its class by colour and by shape. @param {{status: number, long?: boolean}} props */
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

/** Hides the key in what is shown, but not in what is copied. @param {string} text */
export const masked = (text) => (key.value ? text.replaceAll(key.value, "••••••") : text);

/**
 * A call in the languages that there are snippets in.
 * @param {{call: import("./api.js").Call|import("./api.js").Call[]}} props  several: one after the other
 */
export function Snippets({ call }) {
  const [language, setLanguage] = useState(/** @type {keyof typeof languages} */ ("curl"));
  const names = Object.keys(languages).map((name) => [name, name]);
  const text = scriptOf(call, language);
  return html`<div class="snippets">
    <div class="row">
      <${Choice} label="Language" options=${names} value=${language} onChange=${setLanguage} />
      <${CopyButton} text=${text} class="primary" />
    </div>
    <pre tabindex="0" aria-label=${`The request in ${language}`}>${masked(text)}</pre>
  </div>`;
}

/**
 * A button with what it opens. What is inside is made when it is opened.
 * @param {{text: any, title?: string, class?: string, children: (close: () => void) => any}} props
 */
export function Popover({ text, title, class: name = "", children }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const button = useRef(/** @type {HTMLElement|null} */ (null));
  const box = useRef(/** @type {HTMLElement|null} */ (null));
  useLayoutEffect(() => {
    if (!open || !button.current || !box.current) return;
    place(box.current, button.current.getBoundingClientRect());
    /** @type {HTMLElement|null} */ (box.current.querySelector("[autofocus]"))?.focus(); // it was not there on opening
  }, [open]);
  const toggle = (/** @type {any} */ event) => {
    if (event.newState === "closed" && box.current) box.current.style.visibility = "";
    setOpen(event.newState === "open");
  };
  return html`
    <button type="button" ref=${button} class=${name} title=${title} aria-label=${title} aria-expanded=${open}
      popovertarget=${id}>
      ${text}
    </button>
    <div id=${id} ref=${box} popover="auto" class="popover" onToggle=${toggle}>
      ${open && children(() => box.current?.hidePopover())}
    </div>`;
}

/**
 * Puts a box below what opened it, or above where there is more room.
 * @param {HTMLElement} box
 * @param {DOMRect} by
 */
function place(box, by) {
  const { width, height } = box.getBoundingClientRect();
  const edge = 8;
  const below = by.bottom + 4 + height <= innerHeight - edge || by.top < innerHeight / 2;
  box.style.left = `${Math.max(edge, Math.min(by.left, innerWidth - width - edge))}px`;
  box.style.top = `${below ? by.bottom + 4 : Math.max(edge, by.top - 4 - height)}px`;
  box.style.visibility = "visible";
  box.style.maxHeight = `${below ? innerHeight - by.bottom - 4 - edge : by.top - edge}px`;
}

/**
 * One of a few.
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
 * A modal dialog with a title. It is open while it is shown.
 * @param {{title: string, onClose: () => void, children?: any, class?: string}} props
 */
export function Dialog({ title, onClose, children, class: name = "" }) {
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    const body = /** @type {HTMLElement} */ (dialog.current?.querySelector(".dialog-body"));
    const first = ["[autofocus]", "input, select, textarea", ":scope > :not(header) :is(button, pre)"]
      .map((selector) => body.querySelector(selector)).find(Boolean);
    /** @type {HTMLElement|null} */ (first)?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const outside = (/** @type {MouseEvent} */ event) => event.target === dialog.current && dialog.current?.close();
  return html`<dialog ref=${dialog} class=${name} aria-labelledby=${id} onClose=${onClose} onMouseDown=${outside}>
    <div class="dialog-body">
      <header class="row"><h2 id=${id} class="grow">${title}</h2>
        <button type="button" class="icon" aria-label="Close" onClick=${() => dialog.current?.close()}>
          <${Icon} name="close" />
        </button>
      </header>
      ${children}
    </div>
  </dialog>`;
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
 * What went wrong, and what to do.
 * @param {{error?: {message: string, code?: string}|null, onRetry?: () => void}} props
 */
export function ErrorNote({ error, onRetry }) {
  if (!error) return null;
  return html`<div class="error-note" role="alert"><p>${error.message}</p>
    ${onRetry && html`<button type="button" class="plain-border" onClick=${onRetry}>Try again</button>`}</div>`;
}

/** Nothing here, and how there will be something. @param {{title: string, children?: any}} props */
export const Empty = ({ title, children }) => html`<div class="empty"><h2>${title}</h2>${children}</div>`;

/** @typedef {import("./api.js").Call} Call */

/**
 * A line of shell to copy as it stands.
 * @param {{call: Call, from?: Call}} props  from: what answers the body of the call
 */
export function CurlLine({ call, from }) {
  const text = from ? `${languages.curl(from)} | ${languages.curl({ ...call, body: "@-" })}` : languages.curl(call);
  return html`<div class="curl-line">
    <pre tabindex="0" aria-label="curl command">${masked(text)}</pre>
    <${CopyButton} text=${text} />
  </div>`;
}
