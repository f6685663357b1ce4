// What to do about an error, by its code. The server's own message says what was wrong.

/** @type {Record<string, string>} */
const advice = {
  forbidden: "The key is for something else, or the page's origin is not trusted.",
  conflict: "Read the record again, and then repeat the change.",
  category_in_use: "Delete or move the pets of the category first.",
  operation_sunset: "The operation is past its sunset. Use its successor, or move the clock in the Time view.",
  payload_too_large: "Send less than the limit that the message names.",
  unknown_category: "Create the category first, or use the id of one that exists.",
  unknown_pet: "Create the pet first, or use the id of one that exists.",
  idempotency_key_reused: "Use a new Idempotency-Key for another request.",
  rate_limited: "Wait for as long as Retry-After says.",
  sandbox_full: "Delete records or reset the sandbox, or start the server with larger bounds.",
  server_full: "Delete sandboxes, or start the server with a larger --max-memory.",
  internal_error: "This is a defect of the server. Its log has the cause under the request id.",
};

/**
 * @param {import("../shell/types.js").Entry} entry
 * @param {{code: string, message: string}} [error]
 */
export function adviceFor(entry, error) {
  if (entry.headers.Prefer) return `The request asked for it: Prefer: ${entry.headers.Prefer}`;
  return error ? advice[error.code] ?? "" : "";
}
