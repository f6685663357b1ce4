// The exercises of a workshop: the requests of each, and which of them a sandbox's requests have completed.

/**
 * @typedef {import("../shell/types.js").Entry} Entry
 * @typedef {import("../shell/api.js").Call} Call
 *
 * @typedef {object} Reply  the response to a request of an exercise
 * @property {number} status
 * @property {Headers} headers
 * @property {any} data  the parsed JSON, or else the text
 * @property {string} sent  the request, as in the editor
 *
 * @typedef {object} Records  the records that the requests use
 * @property {number} pet
 * @property {number} category
 *
 * @typedef {object} Step
 * @property {(before: Reply[]) => string} says  what the request is for; before: the replies to the earlier steps
 * @property {(records: Records, before: Reply[]) => Call} call
 * @property {(status: number) => boolean} wants  whether a response with the status completes the step
 * @property {string[]} shows  the headers of the response that matter
 *
 * @typedef {object} Exercise
 * @property {string} text
 * @property {string} short  for where there is little room
 * @property {string} hint
 * @property {Step[]} steps
 * @property {string} more  what to try next, without a request to copy
 * @property {(entry: Entry) => boolean} done
 */

/** Returns the server's words with paths as attendees write them: within the store. @param {string} text */
export const plain = (text) => text.replace(/\/sandboxes\/[\w.-]+(?=\/)/g, "");

/** @param {Entry} entry  @param {string} operation  @param {number} status */
const answered = (entry, operation, status) =>
  entry.operationId === operation && (entry.response?.status ?? entry.status) === status;

/** @param {Entry} entry */
const query = (entry) => new URLSearchParams(entry.query ?? "");

/** @param {Entry} entry  @param {string} name */
const sent = (entry, name) => Object.keys(entry.headers ?? {}).some((header) => header.toLowerCase() === name);

/** Returns the JSON body of a request. @param {Entry} entry  @returns {any} */
function bodyOf({ body = "" }) {
  try {
    return JSON.parse(body);
  } catch {
    return null; // no body, or a truncated one
  }
}

const success = (/** @type {number} */ status) => status >= 200 && status < 300;
const refusal = (/** @type {number} */ status) => status >= 400 && status < 500;
const gone = (/** @type {number} */ status) => status === 410;

/** @type {Step} */
const reading = {
  says: () => "Read one pet, and look at the headers of the response.",
  call: ({ pet }) => ({ method: "GET", path: `pets/${pet}` }),
  wants: (status) => success(status) || gone(status), // the teacher can have travelled past its sunset
  shows: ["ETag"],
};

/** @type {Exercise[]} */
export const exercises = [
  {
    text: "List the sold pets",
    short: "List",
    hint: "A list takes filters. Its headers say how many there are, and where the next page is.",
    steps: [{
      says: () => "Ask for the pets whose status is sold, three at a time.",
      call: () => ({ method: "GET", path: "pets?status=sold&limit=3" }),
      wants: success,
      shows: ["X-Total-Count", "Link"],
    }],
    more: "list the pending pets by name, five at a time.",
    done: (entry) => answered(entry, "listPets", 200) && query(entry).getAll("status").join() === "sold",
  },
  {
    text: "Create a pet",
    short: "Create",
    hint: "The response has the pet with its id, and its address.",
    steps: [{
      says: () => "Send a name and a category.",
      call: ({ category }) => ({ method: "POST", path: "pets", body: { name: "Rex", categoryId: category } }),
      wants: success,
      shows: ["Location", "ETag"],
    }],
    more: "create a pet that is pending, and read it at the address in Location.",
    done: (entry) => answered(entry, "createPet", 201),
  },
  {
    text: "Make the server refuse you",
    short: "Refusal",
    hint: "A refusal names each field that is wrong, and says what to do.",
    steps: [{
      says: () => "Send a pet with an empty name and no category.",
      call: () => ({ method: "POST", path: "pets", body: { name: "" } }),
      wants: refusal,
      shows: [],
    }],
    more: "find out which statuses a pet can have, from a refusal alone.",
    done: (entry) => answered(entry, "createPet", 400) && bodyOf(entry)?.name === "", // others are not deliberate
  },
  {
    text: "Change a pet safely",
    short: "Change",
    hint: "With If-Match, the change is made only if nobody else has changed the pet since you read it.",
    steps: [reading, {
      says: ([read]) => (gone(read.status)
        ? "That call is gone, so you have no ETag. Send the change with *, which matches any."
        : "Send the change with the ETag that you have read."),
      call: ({ pet }, [read]) => ({
        method: "PATCH",
        path: `pets/${pet}`,
        headers: { "If-Match": read.headers.get("ETag") ?? "*" },
        body: { status: read.data?.status === "sold" ? "available" : "sold" }, // so that the ETag changes
      }),
      wants: success,
      shows: ["ETag"],
    }],
    more: "send a change with the old ETag, and find the ETag that the server has now.",
    done: (entry) => sent(entry, "if-match")
      && (answered(entry, "updatePet", 200) || answered(entry, "replacePet", 200)),
  },
  {
    text: "Replace a deprecated call",
    short: "Replace",
    hint: "Deprecation and Sunset say since when and until when. Link names the successor.",
    steps: [{ ...reading, shows: ["Deprecation", "Sunset", "Link"] }, {
      says: () => "Call the successor.",
      call: ({ pet }) => ({ method: "GET", path: `pets?id=${pet}` }),
      wants: success,
      shows: ["X-Total-Count"],
    }],
    more: "travel past the sunset on the dashboard, and read the pet again.",
    done: (entry) => answered(entry, "listPets", 200) && query(entry).has("id"),
  },
];

/**
 * Whether a request completes an exercise for the first time. Only then is its refusal deliberate.
 * @param {Entry} entry
 * @param {boolean[]} done  before the request
 */
export const isAsked = (entry, done) => exercises.some((exercise, i) => !done[i] && exercise.done(entry));

/**
 * Returns which exercises the requests have completed.
 * @param {Entry[]} entries
 */
export const doneBy = (entries) => exercises.map(({ done }) => entries.some(done));
