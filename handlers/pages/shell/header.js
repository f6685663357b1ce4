// The header of the pages: the sandbox, its views, its unusual settings, and the state of the stream.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../library/preact.js";
import { follow, link } from "./address.js";
import { key, request, root, sandbox, server, storeAddress } from "./api.js";
import { Lost } from "./components.js";
import { DrawerButton } from "./drawer.js";
import { PaletteButton } from "./finder.js";
import { day, isShifted, shift } from "./format.js";
import { Icon } from "./icon.js";
import { Live, Mark, ThemeButton } from "./live.js";
import { OwnSandbox, SandboxPicker } from "./sandboxes.js";
import { isOwner, isShut, retry } from "./session.js";
import { useStore } from "./store.js";
import { Throttle, throttled } from "./throttle.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./types.js").Unusual} Unusual */

/** @param {{state: Session, views: import("./shell.js").View[], view: string}} props */
export function Header({ state, views, view }) {
  const own = isOwner(state);
  const shut = isShut(state);
  const unusual = useUnusual(state);
  return html`<header class="top">
    <a class="skip" href="#main">Skip to the content</a>
    <div class="bar">
      <a class="brand" href=${root.href} aria-label="Petstore">
        <${Mark} />
        <span>Petstore</span>
      </a>
      ${!shut && (own ? html`<${OwnSandbox} title=${state.title} />` : html`<${SandboxPicker} />`)}
      ${views.length > 0 && html`<${Views} views=${views} view=${view} unusual=${unusual} />`}
      <${Chips} unusual=${unusual} />
      <${Live} state=${state.stream} paused=${state.paused} onRetry=${retry} />
      ${!shut && html`<${Throttle} summary=${state.summary} />`}
      <${Workshop} own=${own} />
      ${!shut && html`<${PaletteButton} />`}
      <${DrawerButton} />
      <${Away} icon="docs" text="Docs" href=${new URL("docs/", root).href} />
      <${ThemeButton} />
    </div>
    <${Lost} />
  </header>`;
}

/** @param {{views: import("./shell.js").View[], view: string, unusual: Unusual[]}} props */
const Views = ({ views, view, unusual }) => html`<nav class="views" aria-label="Views">
  ${views.map(({ name, title }) => html`
    <a key=${name} href=${link({ view: name })} aria-current=${name === view ? "page" : undefined} onClick=${follow}>
      <${Icon} name=${name} />
      <span>${title}</span>
      ${unusual.filter((one) => one.view === name).slice(0, 2).map((one) => html`<${Badge} ...${one} />`)}
    </a>`)}
</nav>`;

/** A link to another page. @param {{icon: string, text: string, href: string}} props */
const Away = ({ icon, text, href }) => html`
  <a class="plain" href=${href} title=${text} aria-label=${text}>
    <${Icon} name=${icon} />
    <span>${text}</span>
  </a>`;

/** A link to the wall, if there is a workshop, or to an attendee's exercises. @param {{own: boolean}} props */
function Workshop({ own }) {
  const [there, setThere] = useState(false);
  useEffect(() => {
    const ask = request({ method: "GET", path: "", base: server, priority: "low" });
    const ignore = () => undefined; // other parts of the page report the error
    ask.then(({ data: { workshop } }) => setThere(Boolean(workshop)), ignore);
  }, []);
  if (!there) return null;
  return own
    ? html`<${Away} icon="people" text="Exercises" href=${storeAddress(sandbox, key.value)} />`
    : html`<${Away} icon="people" text="Workshop" href=${new URL("workshop", server).href} />`;
}

/** Describes a clock that differs from the machine's. @param {import("./types.js").Clock} clock */
export const chipOf = ({ now, frozen, offsetSeconds }) => (frozen
  ? { icon: "pause", text: day(now), more: ["frozen"] }
  : { icon: "time", text: Math.abs(offsetSeconds) < 86_400 ? shift(offsetSeconds) : day(now), more: [] });

/** Returns the unusual settings. @param {Session} state @returns {Unusual[]} */
function useUnusual({ summary, operations }) {
  const { on, others } = useStore(throttled);
  if (!summary) return [];
  const { clock } = summary;
  const changed = operations.filter((operation) => operation.changed).length;
  const all = [
    isShifted(clock) && { view: "time", ...chipOf(clock), also: "on the sandbox's clock" },
    changed > 0 && {
      view: "time", icon: "flag", text: changed, more: [changed === 1 ? "operation" : "operations", "changed"],
      also: "",
    },
    others > 0 && {
      view: "faults", icon: "faults", text: others,
      more: [...(on.length > 0 ? ["more"] : []), others === 1 ? "fault" : "faults"], also: "on",
    },
  ];
  return /** @type {Unusual[]} */ (all.filter(Boolean));
}

/** The chips. They drop words until they fit, and the preset its name last. @param {{unusual: Unusual[]}} props */
function Chips({ unusual }) {
  const box = useRef(/** @type {any} */ (null));
  const fit = () => {
    const { current: chips } = box;
    const { dataset: bar } = chips.parentElement;
    for (bar.lost = 0; chips.scrollWidth > chips.clientWidth && bar.lost < 4;) bar.lost++;
  };
  useLayoutEffect(fit);
  useEffect(() => {
    const size = new ResizeObserver(fit);
    size.observe(box.current);
    return () => size.disconnect();
  }, []);
  return html`<div ref=${box} class="chips">${unusual.map((one) => html`<${Chip} ...${one} />`)}</div>`;
}

/** @param {Unusual} props */
const Chip = ({ view, icon, text, more, also }) => html`
  <a class=${`chip of-${icon}`} href=${new URL(`?view=${view}`, root).href} onClick=${follow}
    title=${[text, ...more, also].join(" ")} aria-label=${[text, ...more, also].join(" ")}>
    <${Icon} name=${icon} />
    <b>${text}</b>${more.map((word) => html` <span>${word}</span>`)}
  </a>`;

/** The same in the tab of its view, for a window without room for chips. @param {Unusual} props */
const Badge = ({ icon, text, more }) => html`
  ${" "}<small class=${typeof text === "number" ? "" : `dotted of-${icon}`}
    title=${[text, ...more].join(" ")}>${text}<i> ${more.join(" ")}</i></small>`;
