// The exercises of a workshop, and which of them a sandbox's requests have done.

/**
 * @typedef {import("../shell/types.js").Entry} Entry
 * @typedef {{text: string, hint: string, done: (entry: Entry) => boolean}} Exercise
 */

/** @param {Entry} entry  @param {string} operation  @param {number} status */
const answered = (entry, operation, status) => entry.operationId === operation && (entry.response?.status ?? entry.status) === status;

/** @param {Entry} entry */
const query = (entry) => new URLSearchParams(entry.query ?? "");

/** @param {Entry} entry  @param {string} name */
const sent = (entry, name) => Object.keys(entry.headers ?? {}).some((header) => header.toLowerCase() === name);

/** @type {Exercise[]} */
export const exercises = [
  { text: "List the sold pets", hint: "GET /pets, with a filter",
    done: (entry) => answered(entry, "listPets", 200) && query(entry).getAll("status").join() === "sold" },
  { text: "Create a pet", hint: "POST /pets, with a name and a categoryId",
    done: (entry) => answered(entry, "createPet", 201) },
  { text: "Make the server refuse you", hint: "Leave something out, and read what it says",
    done: (entry) => Boolean(entry.operationId) && entry.status >= 400 && entry.status < 500 },
  { text: "Change a pet safely", hint: "PATCH with If-Match, and the ETag that GET gave you",
    done: (entry) => answered(entry, "updatePet", 200) && sent(entry, "if-match") },
  { text: "Find out what is deprecated, and call what replaces it", hint: "Read the headers of GET /pets/1",
    done: (entry) => answered(entry, "listPets", 200) && query(entry).has("id") },
];

/**
 * Returns which exercises the requests have done.
 * @param {Entry[]} entries
 */
export const doneBy = (entries) => exercises.map(({ done }) => entries.some(done));
