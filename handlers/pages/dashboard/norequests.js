// Shown in place of the list while there are no requests.

import { html, useEffect, useState } from "../library/preact.js";
import { get, key, root } from "../shell/api.js";
import { Empty } from "../shell/components.js";
import { typed } from "../shell/events.js";
import { session } from "../shell/session.js";
import { CurlLine } from "../shell/source.js";
import { useStore } from "../shell/store.js";
import { serviceKey } from "./calls.js";

export function NoRequests() {
  const { stream } = useStore(session);
  const [own, setOwn] = useState(serviceKey.get());
  const type = typed((text) => {
    serviceKey.set(text);
    setOwn(text);
  });
  const [off, setOff] = useState(false);
  useEffect(() => void get("admin/requests?count=1").catch(({ status }) => setOff(status === 400)), []);
  if (off) return html`<${Empty} title="The server keeps no requests">Start it with a larger --journal.<//>`;
  const headers = key.apart ? { Authorization: `Bearer ${own || "YOUR-KEY"}` } : undefined;
  return html`<${Empty} title="No requests yet">
    ${stream.is !== "lost" && html`
      <p>Requests to <span class="wire">${root.href}</span> show here as they come. Try:</p>
      <${CurlLine} call=${{ method: "GET", path: "pets?limit=2", service: true, headers }} />
      ${key.apart && html`<label class="row">
        With a key that the server has as <code>--api-key</code>
        <input class="wire" placeholder="YOUR-KEY" autocomplete="off" spellcheck=${false}
          value=${own} onInput=${type} />
      </label>`}`}
  <//>`;
}
