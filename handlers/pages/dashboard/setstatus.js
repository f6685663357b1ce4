// Changes the status of a pet in the table.

import { request } from "../shell/api.js";
import { session } from "../shell/session.js";
import { sayError } from "../shell/toast.js";
import { statusCall } from "./nouns.js";
import { writeRecord } from "./writes.js";

/**
 * Changes a pet's status, unless the pet has changed since it was shown.
 * @param {import("./nouns.js").Row} row
 * @param {string} status
 */
export async function setStatus(row, status) {
  try {
    const { data, headers } = await request({ method: "GET", path: `admin/data/pets/${row.id}` });
    if (JSON.stringify(data) !== JSON.stringify(row)) {
      throw new Error(`Somebody has changed pet ${row.id} meanwhile. Look at it again.`);
    }
    const only = { "If-Match": headers.get("ETag") ?? "*" };
    const call = { ...statusCall(row, status), headers: only, label: `Status of pet ${row.id}` };
    await writeRecord(call, `${row.name} is ${status} now.`);
  } catch (error) {
    sayError(error, "data");
    session.set({ changes: session.get().changes + 1 }); // shows the current record
  }
}
