// What a move of the clock does to calls, in words.

import { html } from "../library/preact.js";
import { plural } from "../shell/format.js";
import { instant } from "../shell/sunset.js";
import { enforce } from "./enforce.js";
import { about, nameOf, percent } from "./passed.js";

/** @typedef {import("../shell/types.js").Operation} Operation */

/** @param {{of: Parameters<typeof verdict>}} props */
export const Verdict = ({ of }) => html`${verdict(...of)}`;

/**
 * Returns the operations whose sunset has passed.
 * @param {Operation[]} operations
 * @param {number} at
 * @param {boolean} enforced
 */
const ended = (operations, at, enforced) => operations.filter(({ deprecated, sunset, enforceSunset }) =>
  deprecated && enforceSunset === enforced && instant(sunset) <= at).map(({ operationId }) => operationId);

/**
 * Says how many operations answer 410 after a move of the clock or do no longer, and to how many clients.
 * Returns "" if there are none.
 * @param {Operation[]} operations
 * @param {import("../shell/types.js").Use[]|undefined} uses  undefined: not known
 * @param {number} now
 * @param {number} to
 */
function turned(operations, uses, now, to) {
  const [before, after] = [now, to].map((at) => ended(operations, at, true));
  const ids = [...before, ...after].filter((id) => !(before.includes(id) && after.includes(id)));
  const { size } = new Set(uses?.filter(({ operationId }) => ids.includes(operationId)).map(nameOf));
  const whom = size > 0 ? plural(size, "client") : "";
  return ids.length === 0 ? ""
    : to < now ? about(ids, `answers ${whom && `${whom} `}again`, 1)
    : about(ids, `${before.length > 0 ? "also " : ""}answers 410${whom && ` to ${whom}`}`, 1);
}

/** Says in one line what a move of the clock does to calls. @type {typeof turned} */
export function verdict(operations, uses, now, to) {
  const late = ended(operations, to, false);
  const browned = operations.find(({ brownout, deprecatedSince }) =>
    brownout > 0 && now < instant(deprecatedSince) !== to < instant(deprecatedSince));
  return turned(operations, uses, now, to)
    || browned && `${browned.operationId} answers ${
      to < now ? "all its calls" : `${percent(browned.brownout)} with 410`}`
    || (late.length > ended(operations, now, false).length ? about(late, "still answers", 1)
      : "calls are answered as now");
}

/**
 * Returns what a message says after a move of the clock, and its offer to enforce the sunsets that have passed.
 * @param {Parameters<typeof turned>} of
 */
export function told(...of) {
  const [operations, , now, to] = of;
  const late = ended(operations, to, false);
  const isNew = late.length > ended(operations, now, false).length;
  const some = operations.filter(({ operationId, brownout }) => late.includes(operationId) && brownout < 1)
    .map(({ operationId, brownout }) => (brownout > 0 ? `${operationId} (${percent(brownout)} 410)` : operationId));
  const still = isNew && some.length > 0 && `${some.join(", ")} still ${some.length > 1 ? "answer" : "answers"}`;
  const also = isNew ? {
    text: `Enforce ${late.length > 2 ? `all ${late.length}` : late.length > 1 ? "both" : late}`,
    run: () => void enforce(operations.filter(({ operationId }) => late.includes(operationId))),
  } : undefined;
  const young = operations.filter(({ deprecated, deprecatedSince: since }) =>
    deprecated && to < instant(since) && instant(since) <= now).map(({ operationId }) => operationId);
  const words = [turned(...of), still].filter(Boolean).join("; ");
  return { what: words || young.length > 0 && about(young, "is not deprecated yet", 2) || "", also };
}
