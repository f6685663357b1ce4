// Parses searches of the requests: words such as status:4xx, op:createPet or client:"my shop", and free text.

/**
 * @typedef {object} Search
 * @property {Record<string, string>} by  the words' values, by the name of the word: several with commas
 * @property {string[]} words  the free words and phrases, in lower case
 */

/** The value of op: for requests without an operation. */
export const NO_OPERATION = "none";

/** The value of client: for requests without a client's name. */
export const NO_CLIENT = "none";

/** The value of status: for all requests that failed. */
export const ERRORS = "errors";

/** The names of words, and the names that they stand for. @type {Record<string, string>} */
export const names = {
  status: "status", op: "op", operation: "op", client: "client", fault: "fault", deprecated: "deprecated", code: "code",
  method: "method", field: "field",
};

/** @param {string} text */
const quoted = (text) => (/[\s"]/.test(text) ? `"${text.replaceAll('"', "")}"` : text);

/** @param {string} text  @returns {Search} */
export function parse(text) {
  /** @type {Record<string, string>} */
  const by = {};
  const rest = [];
  for (const [word, name, long, plain] of text.matchAll(/(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/gi)) {
    const known = name && names[name.toLowerCase()];
    if (known) by[known] = [by[known], long ?? plain].filter(Boolean).join();
    else if (!names[/^([a-z]+):$/i.exec(word)?.[1].toLowerCase() ?? ""]) {
      rest.push(long !== undefined && !name ? long : word);
    }
  }
  return { by, words: rest.filter(Boolean).map((one) => one.toLowerCase()) };
}

/** Splits the value of a word, in lower case. @param {string} [value] */
export const valuesOf = (value = "") => value.toLowerCase().split(",").filter(Boolean);

/**
 * Returns the completions of the last word, or, after a space, the search with each name.
 * @param {string} search
 * @param {Record<string, string[]>} values  by name
 */
export function completions(search, values) {
  const last = /\S*$/.exec(search)?.[0] ?? "";
  const words = Object.entries(values).flatMap(([name, some]) => some.map((value) => `${name}:${quoted(value)}`));
  if (!last) return Object.keys(values).map((name) => `${search}${name}:`);
  return words.filter((word) => word.startsWith(last)).map((word) => search.slice(0, -last.length) + word);
}

/** @param {Record<string, string|undefined>} by  @param {string} text */
function write(by, text) {
  const words = Object.entries(by).filter(([, value]) => value);
  return [...words.map(([name, value]) => `${name}:${quoted(String(value))}`), text].filter(Boolean).join(" ");
}

/**
 * Returns the search with words added, replaced or removed.
 * @param {string} search
 * @param {Record<string, string>} words  "": removes the word
 */
export function withWords(search, words) {
  const { by } = parse(search);
  return write({ ...by, ...words }, textOf(search));
}

/** @param {string} search */
function textOf(search) {
  const free = (/** @type {string} */ word, /** @type {string} */ name) => (names[name.toLowerCase()] ? "" : word);
  return search.replace(/([a-z]+):(?:"[^"]*"?|\S+)\s*/gi, free).trim();
}

/** Parameters of older addresses, and the words that replaced them. */
const former = {
  class: "status", op: "op", clientName: "client", fault: "fault", deprecated: "deprecated", code: "code",
};

/**
 * Returns the search that an address names, also an older one.
 * @param {Record<string, string>} address
 */
export function searchOf(address) {
  const words = Object.entries(former).filter(([name]) => address[name]).map(([name, word]) => [word, address[name]]);
  return words.length > 0 ? withWords(address.q ?? "", Object.fromEntries(words)) : address.q ?? "";
}

/** Returns the parameters of an address with this search. @param {string} search */
export const addressOf = (search) => ({
  ...Object.fromEntries(Object.keys(former).map((name) => [name, ""])), q: search,
});

/**
 * Whether a search for statuses matches: 404, 4xx, cut or errors, the beginning of one, or several with commas.
 * @param {string} wanted
 * @param {number} status
 */
export function isStatus(wanted, status) {
  return valuesOf(wanted).some((one) => {
    if (ERRORS.startsWith(one)) return status < 1 || status >= 400;
    if (/^(c|cu|cut|broken|0)$/.test(one)) return status === 0;
    return /^[1-5]\d{0,2}x{0,2}$/.test(one) && String(status).startsWith(one.replace(/x+/, ""));
  });
}

/** The words that the API has no filter for, and what they filter by. @type {Record<string, string>} */
const own = {
  client: "client name", method: "method", fault: "fault", deprecated: "deprecation", code: "error code",
  field: "field at fault",
};

/** The number of requests that the server returns at once. */
export const MOST = 1000;

/**
 * Returns the path that reads the requests of a search, as far as the API can filter, and the filters that it lacks.
 * @param {string} search
 * @param {boolean} [known]  whether op: is the whole name of an operation, which the API needs
 * @param {string} [from]  where the selected part of the time begins
 */
export function archiveOf(search, known, from) {
  const { by: { op, status, ...others }, words } = parse(search);
  const query = new URLSearchParams({ format: "har", limit: String(MOST) });
  const by = [];
  if (op === NO_OPERATION) by.push("the lack of an operation");
  else if (op && !known) by.push(op.includes(",") ? "several operations" : "a part of a name");
  else if (op) query.set("operationId", op);
  if (words.length > 0) by.push("text");
  if (from) by.push("time");
  by.push(...Object.keys(others).map((name) => own[name]));
  if (/^e|,/i.test(status)) by.push("several statuses");
  else if (/^\d\dx?$/.test(status)) by.push("a part of a status");
  else if (status) query.set("status", isStatus(status, 0) ? "0" : status.replace(/^([1-5])x?$/, "$1xx"));
  return { path: `admin/requests?${query}`, by };
}
