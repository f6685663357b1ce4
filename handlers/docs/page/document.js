// Reads an OpenAPI document: its groups, their operations and the referenced parts.

/**
 * @typedef {object} Operation
 * @property {string} id
 * @property {string} tag
 * @property {string} method  in capitals
 * @property {string} path
 * @property {any[]} parameters  resolved, including those of the path
 * @property {any} described  the operation as in the document
 *
 * @typedef {object} Group
 * @property {string} name
 * @property {string} [description]
 * @property {Operation[]} operations
 * @property {Group[]} groups
 */

const METHODS = ["get", "post", "put", "patch", "delete"];

/**
 * Returns the target of a reference, or else the node itself.
 * @param {any} document
 * @param {any} node
 */
export function resolve(document, node) {
  if (!node?.$ref) return node;
  return node.$ref.slice(2).split("/").reduce((/** @type {any} */ at, /** @type {string} */ key) => at[key], document);
}

/** @param {any} document  @returns {Operation[]} */
export function operationsOf(document) {
  const read = (/** @type {string} */ path, /** @type {any} */ item, /** @type {string} */ method) => {
    const described = item[method];
    const parameters = [...(item.parameters ?? []), ...(described.parameters ?? [])].map((p) => resolve(document, p));
    const { operationId: id, tags: [tag] } = described;
    return { id, tag, method: method.toUpperCase(), path, parameters, described };
  };
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => read(path, item, method)));
}

/**
 * Returns the tags without a parent, each with its operations and sub-groups.
 * @param {any} document
 * @returns {Group[]}
 */
export function groupsOf(document) {
  const operations = operationsOf(document);
  /** @param {string} [parent]  @returns {Group[]} */
  const below = (parent) => {
    const tags = document.tags.filter((/** @type {any} */ tag) => tag["x-parent"] === parent);
    const all = tags.map((/** @type {any} */ { name, description }) => ({
      name,
      description,
      operations: operations.filter((operation) => operation.tag === name),
      groups: below(name),
    }));
    return all.filter((/** @type {Group} */ group) => group.operations.length + group.groups.length);
  };
  return below();
}

/** Matches chapters of the guide about other sandboxes or the server, and paths about them. */
const OTHERS = /^(Access|All sandboxes|Sandboxes|Workshops)\n|^\/join\b/;

/** Removes from a document what its server refuses to the owner of a sandbox. @param {any} document */
export function forOwner(document) {
  const isOpen = (/** @type {[string, any]} */ [, { security }]) => // other members of a path have none
    !security?.length || security.some((/** @type {object} */ choice) => Object.keys(choice).join() !== "adminKey");
  const open = (/** @type {[string, any]} */ [path, item]) =>
    [path, Object.fromEntries(Object.entries(item).filter(isOpen))];
  const isOwn = (/** @type {string} */ text) => !OTHERS.test(text);
  const description = document.info.description.split("\n## ").filter(isOwn).join("\n## ");
  const paths = Object.entries(document.paths).filter(([path]) => isOwn(path)).map(open);
  return { ...document, info: { ...document.info, description }, paths: Object.fromEntries(paths) };
}

/** Whether an operation rejects requests without a key. @param {any} described */
export const needsKey = ({ security = [] }) =>
  security.length > 0 && security.every((/** @type {object} */ choice) => Object.keys(choice).length > 0);

/** Returns the address of an operation on this page. @param {{tag: string, id: string}} operation */
export const addressOf = ({ tag, id }) => `#/${tag}/${id}`;

/**
 * Returns the fields of an object, including those of its allOf parts.
 * @param {any} document
 * @param {any} schema
 * @returns {{name: string, required: boolean, schema: any}[]}
 */
export function fieldsOf(document, schema) {
  const whole = resolve(document, schema) ?? {};
  const required = whole.required ?? [];
  const own = Object.entries(whole.properties ?? {}).map(([name, field]) => (
    { name, required: required.includes(name), schema: field }));
  return [...(whole.allOf ?? []).flatMap((/** @type {any} */ part) => fieldsOf(document, part)), ...own];
}

/**
 * Describes the type of a value in a few words.
 * @param {any} document
 * @param {any} schema
 * @returns {string}
 */
export function typeOf(document, schema) {
  const s = resolve(document, schema) ?? {};
  const choices = s.anyOf ?? s.oneOf;
  if (choices) {
    const types = choices.flatMap((/** @type {any} */ choice) => typeOf(document, choice).split(" | "));
    return [...new Set(types)].join(" | ");
  }
  if (s.enum) return s.enum.map(String).join(" | ");
  if (s.type === "array") return `${typeOf(document, s.items).replace(/.* .*/, "($&)")}[]`;
  if (s.allOf?.length === 1 && !s.properties) return typeOf(document, s.allOf[0]);
  return [s.format ?? s.type ?? "object", s.nullable ? " | null" : ""].join("");
}

/**
 * Describes the bounds of a value in a few words; "" without bounds.
 * @param {any} document
 * @param {any} schema
 */
export function boundsOf(document, schema) {
  const { minLength, maxLength, minimum, maximum } = resolve(document, schema) ?? {};
  const words = (/** @type {number|undefined} */ least, /** @type {number|undefined} */ most) => {
    if (least !== undefined && most !== undefined) return `${least} to ${most}`;
    return least === undefined ? most === undefined ? "" : `at most ${most}` : `at least ${least}`;
  };
  if (minLength === 1 && maxLength === undefined) return "not empty";
  if (minLength ?? maxLength) return `${words(minLength, maxLength)} characters`;
  return words(minimum, maximum);
}

/**
 * Returns the examples of a body or response, by name.
 * @param {any} document
 * @param {any} media
 * @returns {[string, any][]}
 */
export const examplesOf = (document, media) =>
  Object.entries(media?.examples ?? {}).map(([name, example]) => [name, resolve(document, example)]);

/** Formats a value for people. @param {any} value */
export const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));
