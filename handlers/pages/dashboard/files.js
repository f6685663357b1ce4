// Downloads and imports the sandbox as a file.

import { html, useEffect, useState } from "../library/preact.js";
import { get, sandbox, send } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { Icon } from "../shell/icon.js";
import { isOwner, session } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { sayError } from "../shell/toast.js";
import { FileInput } from "./drop.js";

const files = /** @type {const} */ ([
  {
    what: "world", title: "everything",
    text: "Repeats a failure on another machine. An import brings back all of it but the requests.",
  },
  { what: "state", title: "data", text: "Only the records. The option --fixtures starts a server with them." },
]);

export function Files() {
  const [hasWorld, setHasWorld] = useState(/** @type {boolean|null} */ (null)); // null: not known yet
  const own = isOwner(useStore(session));
  useEffect(() => {
    const tell = (/** @type {any} */ { paths }) => setHasWorld(Boolean(paths["/admin/world"]));
    get("admin/openapi.json").then(tell, ({ status }) => setHasWorld(status === 0)); // 0: the server is away
  }, []);
  if (hasWorld === null) return null;
  return html`<section class="stack" aria-labelledby="files">
    <h2 id="files">Download and import</h2>
    ${files.filter(({ what }) => what === "state" || hasWorld).map(({ what, title, text }) => html`
      <div class="row file" key=${what}>
        <span class="pair">
          <button type="button" class="plain-border" onClick=${() => download(what)}>
            <${Icon} name="save" />
            Download ${title}
          </button>
          <${Code} label=${`the ${what} as a file`} call=${() => ({ method: "GET", path: `admin/${what}` })} />
        </span>
        <p class="about note">${text}</p>
      </div>`)}
    <label class="drop">
      <span>
        <u>Import a JSON file${own && " of data"}…</u>
        <span class="anywhere"> Or drop the file anywhere.</span> You confirm before anything is
        replaced.${own && " The key of one sandbox brings in data; a whole sandbox needs the admin key."}
      </span>
      <${FileInput} />
    </label>
  </section>`;
}

/** @param {string} what */
export async function download(what) {
  try {
    const response = await send({ method: "GET", path: `admin/${what}` });
    const { save } = await import("../shell/download.js");
    save(await response.blob(), `${sandbox}-${what}.json`);
  } catch (problem) {
    sayError(problem);
  }
}
