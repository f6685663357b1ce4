// Rare actions for a request: reading about its operation, or making a fault rule for it.

import { html, useEffect, useState } from "../library/preact.js";
import { go } from "../shell/address.js";
import { get, root } from "../shell/api.js";
import { Item, Menu } from "../shell/components.js";
import { Icon } from "../shell/icon.js";
import { session } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { PATH } from "../shell/throttle.js";
import { add, addCall } from "./add.js";

/** @typedef {import("../shell/types.js").Rule} Rule */

const faults = /** @type {[string, Rule][]} */ ([
  ["Fail the next one (503)", { status: 503, times: 1 }],
  ["Fail every one (503)", { status: 503 }],
  ["Make it slow (2 s)", { delay: { fixedMs: 2000 } }],
  ["Lose the response, once", { when: "after", abort: "reset", times: 1 }],
]);

/** Returns the rules of the sandbox; undefined: not known yet. */
export function useRules() {
  const { changes, summary } = useStore(session);
  const [rules, setRules] = useState(/** @type {Rule[]|undefined} */ (undefined));
  useEffect(() => void get(PATH).then(setRules, () => undefined), [changes, summary?.faults]);
  return rules;
}

/** @param {{operation: import("../shell/types.js").Operation}} props */
export function FaultMenu({ operation: { operationId, tag } }) {
  const rules = useRules() ?? [];
  const asked = (/** @type {Rule} */ rule) => ({ match: { operationId }, ...rule });
  return html`
    <${Menu} class="icon" title="More" text=${html`<${Icon} name="more" />`}>
      <a class="button" role="menuitem" tabindex="-1" href=${new URL(`docs/#/${tag}/${operationId}`, root)}>
        Docs of ${operationId}</a>
      <div role="group" aria-label=${`Break ${operationId}`}>
        <p class="note" aria-hidden="true">Break ${operationId}</p>
        ${faults.map(([text, rule]) => html`
          <${Item} key=${text} onClick=${() => void add(asked(rule))}
            label=${text} call=${() => addCall(rules, asked(rule))}>${text}<//>`)}
        <${Item} onClick=${() => go({ view: "faults", for: operationId })}>Another rule…<//>
      </div>
    <//>`;
}
