// The drawer of calls at the bottom of a page: the call of the control that has the focus or the pointer, and those of
// the last actions.

import { html, useLayoutEffect, useState } from "../library/preact.js";
import { changed, controlOf, done, markAt } from "./calls.js";
import { Choice, CopyButton, masked } from "./components.js";
import { languages, scriptOf } from "./curl.js";
import { plural } from "./format.js";
import { Icon } from "./icon.js";
import { useKeys } from "./keys.js";
import { createStore, kept, useStore } from "./store.js";

/** @typedef {keyof typeof languages} Language */

const opened = kept("localStorage", "drawer");
const spoken = kept("localStorage", "language");

const drawer = createStore({ open: Boolean(opened.get()) });

/** Opens or closes the drawer. */
export function toggleDrawer() {
  const open = !drawer.get().open;
  opened.set(open ? "open" : "");
  drawer.set({ open });
}

/** Opens and closes the drawer. */
export function DrawerButton() {
  const { open } = useStore(drawer);
  return html`
    <button type="button" class="icon api" aria-pressed=${open} aria-label="API calls" title="API calls ( \` )"
      onClick=${toggleDrawer}>
      <${Icon} name="api" />
    </button>`;
}

/** The place of the drawer. */
export function Drawer() {
  const { open } = useStore(drawer);
  useKeys({ "`": toggleDrawer });
  return open ? html`<${Calls} />` : null;
}

function Calls() {
  const { calls } = useStore(done);
  const control = useControl();
  const [language, setLanguage] = useState(/** @type {Language} */ (spoken.get() in languages ? spoken.get() : "curl"));
  const choose = (/** @type {Language} */ next) => {
    spoken.set(next);
    setLanguage(next);
  };
  const write = (/** @type {import("./api.js").Call|import("./api.js").Call[]} */ some) => scriptOf(some, language);
  const here = control ? write(control.call()) : "";
  return html`<aside class="drawer" aria-label="API calls">
    <header class="row">
      <h2>API calls</h2>
      <${Choice} label="Language" options=${Object.keys(languages).map((name) => [name, name])} value=${language}
        onChange=${choose} />
      <span class="grow"></span>
      <button type="button" class="icon" aria-label="Close the API calls" title="Close ( \` )" onClick=${toggleDrawer}>
        <${Icon} name="close" />
      </button>
    </header>
    <section class="control" aria-label="Call of the control">
      <div class="row">
        <h3 class="grow">${control ? control.label : "This control"}</h3>
        ${here && html`<${CopyButton} text=${here} />`}
      </div>
      ${here
        ? html`<pre tabindex="0">${masked(here)}</pre>`
        : html`<p class="note">Point at a control, or move the focus to it. Its call shows here.</p>`}
      ${control?.note && html`<p class="note">${control.note}</p>`}
    </section>
    <section class="done" aria-label="Calls of your last actions">
      <div class="row">
        <h3 class="grow">${calls.length > 1 ? `Your last ${plural(calls.length, "action")}` : "Your actions"}</h3>
        ${calls.length > 0 && html`
          <${CopyButton} label="Copy as a script" text=${() => write(calls)} />`}
      </div>
      ${calls.length === 0 && html`<p class="note">What you do on this page shows here as calls.</p>`}
      <ol>${calls.map((call, i) => html`
        <li key=${i} class="row">
          <pre class="grow" tabindex="0">${masked(write(call))}</pre>
          <${CopyButton} text=${write(call)} />
        </li>`).reverse()}
      </ol>
    </section>
  </aside>`;
}

/** Returns the control that last had the focus or the pointer, and renders again when its call may be another. */
function useControl() {
  useStore(changed);
  const [mark, setMark] = useState(() => ({ is: markAt(document.activeElement) }));
  useLayoutEffect(() => {
    const look = (/** @type {Event} */ event) => {
      if (event.target instanceof Element && event.target.closest(".drawer")) return;
      setTimeout(() => setMark((before) => ({ is: markAt(event.target) ?? before.is })));
    };
    const events = ["focusin", "pointerover", "input"];
    for (const name of events) document.addEventListener(name, look);
    return () => {
      for (const name of events) document.removeEventListener(name, look);
    };
  }, []);
  return controlOf(mark.is);
}
