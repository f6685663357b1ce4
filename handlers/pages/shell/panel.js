// The content of the drawer: the call of the control with the focus or the pointer, and the calls of the last actions.

import { html, useLayoutEffect, useState } from "../library/preact.js";
import { params } from "./address.js";
import { server } from "./api.js";
import { changed, controlOf, done, markAt } from "./calls.js";
import { Choice, CopyButton } from "./components.js";
import { clockTime, plural } from "./format.js";
import { Grip } from "./grip.js";
import { Icon } from "./icon.js";
import { languages, scriptOf } from "./languages.js";
import { Source } from "./source.js";
import { kept, useStore } from "./store.js";

/** @typedef {keyof typeof languages} Language */

const spoken = kept("localStorage", "language");

/** @param {{onClose: () => void}} props */
export function Panel({ onClose }) {
  const { actions } = useStore(done);
  const control = useControl();
  const [language, setLanguage] = useState(/** @type {Language} */ (spoken.get() in languages ? spoken.get() : "curl"));
  const choose = (/** @type {Language} */ next) => {
    spoken.set(next);
    setLanguage(next);
  };
  const write = (/** @type {import("./api.js").Call|import("./api.js").Call[]} */ some) => scriptOf(some, language);
  const worked = actions.filter(({ failed }) => !failed);
  const shown = control ?? ofView();
  const here = shown ? write(shown.call()) : "";
  return html`<aside class="drawer" aria-label="API calls">
    <${Grip} of="drawer" label="Height of the API calls"
      least=${100} usual=${272} most=${Math.floor(0.7 * innerHeight)} />
    <header class="row">
      <h2>API calls</h2>
      <${Choice} label="Language" options=${Object.keys(languages).map((name) => [name, name])} value=${language}
        onChange=${choose} />
      <span class="grow"></span>
      <button type="button" class="icon" aria-label="Close the API calls" title="Close ( \` )" onClick=${onClose}>
        <${Icon} name="close" />
      </button>
    </header>
    <section class="control" aria-label="Call of the control">
      <div class="row">
        <h3 class="grow">${control?.label ?? "This view"}</h3>
        ${here && html`<${CopyButton} text=${here} />`}
      </div>
      ${here && html`<${Source} text=${here} />`}
      <p class="note">
        ${control ? control.note : !matchMedia("(pointer: coarse)").matches
            && "Point at a control, or move the focus to it. Its call shows here."}
      </p>
    </section>
    <section class="done" aria-label="Calls of your last actions">
      <div class="row">
        <h3 class="grow">${actions.length > 1 ? `Your last ${plural(actions.length, "action")}` : "Your actions"}</h3>
        ${worked.length > 0 && html`
          <${CopyButton} label="Copy as a script" text=${() => write(worked.map(({ call }) => call))} />`}
      </div>
      ${actions.length === 0 && html`<p class="note">What you do on this page shows here as calls.</p>`}
      <ol>${actions.map(({ call, at, label, only, failed }, i) => html`
        <li key=${i}>
          <div class="row">
            <span class="wire note">${clockTime(at).slice(0, 8)}</span>
            <span class="grow">
              ${label ?? `${call.method} /${call.path}`}
              ${only && html` <span class="note">without If-Match</span>`}
              ${failed && html` <span class="wrong" title="Not in the script">failed: ${failed}</span>`}
            </span>
            <${CopyButton} text=${write(call)} />
          </div>
          <${Source} text=${write(call)} />
        </li>`).reverse()}
      </ol>
    </section>
  </aside>`;
}

/** The lists that views read without a control. */
const lists = { faults: "faults", time: "operations", snapshots: "snapshots", sandboxes: "sandboxes" };

/** Returns the call that lists what the view shows. @returns {import("./calls.js").Control|undefined} */
function ofView() {
  const list = lists[/** @type {keyof typeof lists} */ (params().view)];
  const base = list === "sandboxes" ? server : undefined;
  if (list) return { label: "", call: () => ({ method: "GET", path: `admin/${list}`, base }) };
  const marks = [".pager .call", ".call"].flatMap((some) => [...document.querySelectorAll(`main ${some}`)]);
  return marks.map(controlOf).find((one) => one && [one.call()].flat()[0]?.method === "GET");
}

/** Returns the control that last had the focus or the pointer, and renders again when its call may have changed. */
function useControl() {
  useStore(changed);
  const [mark, setMark] = useState(() => ({ is: markAt(document.activeElement) }));
  useLayoutEffect(() => {
    const look = (/** @type {Event} */ event) => {
      if (event.target instanceof Element && event.target.closest(".drawer")) return;
      setTimeout(() => setMark((before) => {
        const is = markAt(event.target);
        return is === null ? before : { is };
      }));
    };
    const events = ["focusin", "pointerover", "input"];
    for (const name of events) document.addEventListener(name, look);
    return () => {
      for (const name of events) document.removeEventListener(name, look);
    };
  }, []);
  return mark.is === null ? null : controlOf(mark.is);
}
