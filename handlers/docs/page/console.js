// Shows the call that the form of an operation makes, in several languages.

import { root } from "../pages/shell/api.js";
import { masked } from "../pages/shell/curl.js";
import { languages, scriptOf } from "../pages/shell/languages.js";
import { kept } from "../pages/shell/store.js";
import { callOf } from "./call.js";
import { authorization } from "./facts.js";
import { Copy } from "./responses.js";
import { Text } from "./schema.js";
import { React, h, narrow, useStore } from "./ui.js";

/** @typedef {keyof typeof languages} Language */

/** The language that was last chosen, here or in the drawer of the dashboard. */
const spoken = kept("localStorage", "language");

/**
 * @typedef {object} Props
 * @property {(form: HTMLFormElement) => ReturnType<typeof import("./call.js").requestOf>} request
 * @property {any} children  the buttons that send it
 * @property {any} lacking  a note about what is missing, such as a key
 *
 * @param {Props} props
 */
export function Request({ request, children, lacking }) {
  const [language, setLanguage] = React.useState(spoken.get() in languages ? spoken.get() : "curl");
  const [is, setIs] = React.useState(/** @type {ReturnType<typeof request>|undefined} */ (undefined));
  const { key } = useStore(authorization);
  const panel = React.useRef(null);
  React.useLayoutEffect(() => {
    const form = panel.current.closest("form");
    const look = () => setIs(request(form));
    look();
    form.addEventListener("input", look);
    return () => form.removeEventListener("input", look);
  }, [key]);
  const choose = (/** @type {string} */ next) => {
    spoken.set(next);
    setLanguage(next);
  };
  const text = is ? scriptOf(callOf(is), /** @type {Language} */ (language)) : "";
  const tallest = React.useRef(0); // in lines, so that a shorter text moves nothing below it
  tallest.current = Math.max(tallest.current, Math.min(text.split("\n").length, 8));
  return h("section", { ref: panel, className: "panel request", "aria-label": "Request" },
    h("p", { className: "line" },
      is && h("span", { className: `method ${is.method.toLowerCase()}` }, is.method),
      is && h("code", { className: "request-url grow", title: is.address.href },
        `/${is.address.href.slice(root.href.length)}`),
      children),
    lacking,
    h("details", { open: !narrow.matches },
      h("summary", null, "As code"),
      h("p", { className: "line" },
        h("span", { className: "choice", role: "group", "aria-label": "Language" },
          Object.keys(languages).map((name) => h("button", {
            key: name, type: "button", "aria-pressed": name === language, onClick: () => choose(name),
          }, name))),
        h(Copy, { key: text, text })),
      h("pre", {
        tabIndex: 0, "aria-label": `The request in ${language}`,
        style: { minHeight: `${tallest.current}lh`, boxSizing: "content-box" },
      }, h(Text, { text: masked(text) }))));
}
