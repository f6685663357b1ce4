// A drawer at the side of the wall.

import { html, useEffect, useLayoutEffect, useRef } from "../library/preact.js";
import { useId } from "../shell/components.js";
import { Icon } from "../shell/icon.js";
import { useKeys } from "../shell/keys.js";

/**
 * @typedef {{title: any, state?: string, about: string, tools?: any, onClose: () => void, onEscape?: () => void,
 *   children?: any}} Props  state: a line below the title; about: another value is another drawer; onEscape: replaces
 *   onClose at Escape
 *
 * @param {Props} props
 */
export function Side({ title, state, about, tools, onClose, onEscape = onClose, children }) {
  const id = useId();
  const drawer = useRef(/** @type {HTMLElement|null} */ (null));
  const last = useRef(/** @type {Node|null} */ (null)); // the last element here with the focus
  useKeys({ Escape: onEscape });
  useEffect(() => {
    const note = (/** @type {Event} */ { target }) => {
      last.current = target instanceof Node && drawer.current?.contains(target) ? target : null;
    };
    for (const event of ["focusin", "pointerdown"]) document.addEventListener(event, note);
    return () => ["focusin", "pointerdown"].forEach((event) => document.removeEventListener(event, note));
  }, []);
  useLayoutEffect(() => { // keeps the focus here when the focused control is removed
    if (last.current?.isConnected === false && document.activeElement === document.body) drawer.current?.focus();
  });
  useLayoutEffect(() => {
    const before = document.activeElement;
    const here = drawer.current;
    here?.focus();
    return () => {
      const at = document.activeElement; // the body, if the focused control is disabled or gone
      if (before instanceof HTMLElement && (at === document.body || here?.contains(at))) before.focus();
    };
  }, [about]);
  // The header is taller when its counts need two lines.
  const top = /** @type {HTMLElement|null} */ (document.querySelector(".top"))?.offsetHeight;
  return html`<aside class="side" style=${{ "--top": `${top}px` }} aria-labelledby=${id} tabindex="-1" ref=${drawer}>
    <header class="row">
      <h2 id=${id} class="grow">${title}</h2>
      ${tools}
      <button type="button" class="icon" aria-label="Close" title="Close (Esc)" onClick=${onClose}>
        <${Icon} name="close" />
      </button>
      ${state && html`<p class="note">${state}</p>`}
    </header>
    ${children}
  </aside>`;
}
