// The clock of the sandbox, and its effect on the lifecycles of the operations.

import { html, useEffect, useMemo, useState } from "../library/preact.js";
import { get } from "../shell/api.js";
import { moment } from "../shell/format.js";
import { opened } from "../shell/later.js";
import { onEvent, refresh, retry, session } from "../shell/session.js";
import { useStore } from "../shell/store.js";
import { paced } from "../shell/stream.js";
import { ClockPanel, release, setClock, useNow } from "./clock.js";
import { follow, journal } from "./journal.js";
import { Timeline } from "./timeline.js";

/** @typedef {import("../shell/types.js").Operation} Operation */

const Report = opened(() => import("./report.js"), "Report");
const Verdict = opened(() => import("./verdict.js"), "Verdict");

const PACE = 1000; // ms between two readings of the counts

/**
 * Returns the callers of deprecated operations: those of the report, and those whose calls it does not count, as the
 * operation was not deprecated then.
 * @param {Operation[]} operations
 * @param {import("./report.js").Uses} report
 * @param {import("../shell/types.js").Entry[]} entries
 * @returns {import("../shell/types.js").Use[]}
 */
const callersOf = (operations, { uses }, entries) => operations.filter(({ deprecated }) => deprecated)
  .flatMap(({ operationId, calls }) => {
    const counted = uses.filter((use) => use.operationId === operationId);
    const found = new Map(counted.map((use) => [`${use.userAgent} ${use.clientName}`, use]));
    const others = calls - counted.reduce((n, use) => n + use.count, 0);
    const before = entries.filter((entry) => entry.operationId === operationId && !entry.response?.headers.Deprecation)
      .slice(0, Math.max(0, others));
    for (const { clientName = "", headers, time } of before) { // the newest first
      const userAgent = headers["User-Agent"] ?? "";
      const key = `${userAgent} ${clientName}`;
      const { count, last } = found.get(key) ?? { count: 0, last: time };
      found.set(key, { operationId, userAgent, clientName, count: count + 1, first: time, last });
    }
    return [...found.values()];
  });

export default function Time() {
  const { summary, operations, changes } = useStore(session);
  const [report, setReport] = useState(/** @type {import("./report.js").Uses|null} */ (null));
  const [error, setError] = useState(/** @type {any} */ (null));
  const [moved, setMoved] = useState(/** @type {number|null} */ (null)); // where the handle is dragged to
  const [isKeyed, setKeyed] = useState(false); // moved by the keyboard
  const [editing, setEditing] = useState(""); // the operation whose dialog is open
  const clock = summary?.clock;
  const now = useNow(clock);
  useEffect(() => {
    const read = async () => {
      try {
        const data = await get("admin/report");
        await refresh(); // afterwards, so that it counts the calls of the report
        setReport(data);
        setError(null);
      } catch (problem) {
        setError(problem);
      }
    };
    const again = paced(() => void read(), PACE);
    again();
    return onEvent(({ name }) => name === "request" && again());
  }, [changes]);
  useEffect(follow, []);
  const { entries } = useStore(journal);
  const uses = useMemo(() => (report ? callersOf(operations, report, entries) : undefined),
    [operations, report, entries]);
  if (!clock || now === undefined) return html`<div class="page"></div>`;

  const real = now - 1000 * clock.offsetSeconds;
  /** @type {import("./clock.js").Set} */
  const set = (body, done, label) =>
    setClock(body ? { method: "PUT", path: "admin/clock", body, label } : release, done, ({ now: then }) =>
      import("./verdict.js").then(({ told }) => told(operations, uses, now, then ? Date.parse(then) : real),
        () => undefined));
  const travel = (/** @type {number} */ to, what = "") =>
    set({ now: new Date(to).toISOString() }, `It is ${moment(to)}${what ? `, ${what}` : " now"}.`,
      `travel to ${moment(to)}`);
  const preview = (/** @type {number|null} */ to, byKey = false) => {
    setMoved(to);
    setKeyed(byKey);
  };
  return html`<div class="page time stack">
    <section class="stack" aria-label="Clock">
      <${ClockPanel} clock=${clock} now=${now} moved=${moved} on=${isKeyed ? "Enter" : "release"} set=${set}
        travel=${travel} operations=${operations}
        then=${moved !== null && html`<${Verdict} of=${[operations, uses, now, moved]} />`} />
      <${Timeline} operations=${operations} uses=${uses} now=${now} moved=${moved}
        real=${real} setMoved=${preview} onMove=${travel} onOpen=${setEditing} />
    </section>
    ${(report || error) && html`
      <${Report} report=${report} uses=${uses ?? []} operations=${operations} error=${error} onRetry=${retry}
        entries=${entries} editing=${editing} setEditing=${setEditing} />`}
  </div>`;
}
