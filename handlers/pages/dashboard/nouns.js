// The tables of the data: their columns, filters and fields. The server validates the values.

import { html } from "../library/preact.js";
import { follow, link } from "../shell/address.js";
import { tables } from "../shell/api.js";
import { Code } from "../shell/calls.js";
import { typed } from "../shell/events.js";
import { capital, dayAndTime } from "../shell/format.js";

export const statuses = ["available", "pending", "sold"];

/** @typedef {Record<string, any>} Row */

/**
 * @typedef {object} Column
 * @property {string} name  the name by which the API sorts
 * @property {string} title
 * @property {boolean} [number]
 * @property {(row: Row, context: Context) => any} [show]
 * @property {"head"|"side"|"last"} [place]  on a phone: the first line, its end, or the end of the second
 *
 * @typedef {object} Context  what the cells of a row need
 * @property {Map<number, string>} categories  names by id
 * @property {Map<number, string>} [pets]  names by id; "": no such pet
 * @property {Row[]} [removed]  the pets of the baseline that were deleted
 * @property {(row: Row, status: string) => void} [setStatus]  missing: the status cannot be changed
 * @property {string} [at]  the request that the data is as of; missing: now
 *
 * @typedef {object} Filter
 * @property {string} name  the query parameter
 * @property {string} title
 * @property {"text"|"number"|"status"|"category"|"boolean"} kind
 *
 * @typedef {object} Input
 * @property {string} name
 * @property {string} title
 * @property {"text"|"long"|"number"|"pet"|"status"|"category"|"boolean"|"time"} kind
 * @property {boolean} [optional]
 *
 * @typedef {object} Noun
 * @property {string} name  in the address, in counts and in differences
 * @property {string} title
 * @property {string} one
 * @property {string} a  singular, with its article
 * @property {string} path  relative to admin/data/
 * @property {string} id  the field with the id
 * @property {string} [photo]  the field with the id of a pet
 * @property {Column[]} columns
 * @property {Filter[]} filters
 * @property {Input[]} inputs
 * @property {"PATCH"|"PUT"} [change]  missing: records cannot be changed
 * @property {Record<string, any>} [create]  a body that creates a record; missing: none is created on its own
 * @property {boolean} remove
 * @property {(row: Row) => Link[]} [links]  links to related records
 *
 * @typedef {{text: string, params: Record<string, string|undefined>}} Link
 */

/**
 * Links to a record.
 * @param {string} table
 * @param {number} id
 * @param {Context} context
 * @param {any} text
 */
const toRecord = (table, id, { at }, text) => html`
  <a class="to" href=${link({ view: "data", at, table, open: String(id) })} onClick=${followLink}>${text}</a>`;

/** @param {number|undefined} id @param {Context} context */
function toPet(id, context) {
  if (!id) return "none";
  if (context.pets?.get(id) !== "") return toRecord("pets", id, context, named(context.pets, id));
  const name = context.removed?.find((pet) => pet.id === id)?.name;
  return html`<span class="note">${name} #${id}</span> <span class="tag">deleted</span>`;
}

/** @param {Map<number, string>|undefined} names @param {number} id */
const named = (names, id) => (names?.has(id) ? html`${names.get(id)} <span class="id note">#${id}</span>` : `#${id}`);

/** Opens the linked record, and not also the row's. @param {MouseEvent} event */
function followLink(event) {
  event.stopPropagation();
  follow(event);
}

/** @param {Row} row @param {string} status */
export const statusCall = ({ id }, status) => ({ method: "PATCH", path: `admin/data/pets/${id}`, body: { status } });

/** On a touch screen, only the record's form changes the status: the text of a select must be large there. */
const isTouched = () => matchMedia("(pointer: coarse)").matches;

/** @param {Row} row @param {Context} context */
const Status = (row, { setStatus }) => (setStatus && !isTouched() ? html`
  <select class=${`badge b-${row.status}`} aria-label=${`Status of ${row.name}`} value=${row.status}
    onClick=${(/** @type {Event} */ event) => event.stopPropagation()}
    onChange=${typed((value) => setStatus(row, value))}>
    ${statuses.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
  </select>
  <${Code} label=${`status of pet ${row.id}`} call=${() => statusCall(row, row.status)} />` : Badge(row.status));

/** @param {Row} row @param {Context} context */
const Category = ({ categoryId }, context) =>
  toRecord("categories", categoryId, context, named(context.categories, categoryId));

/** @param {string} time */
const Moment = (time) => html`<span class="wire">${dayAndTime(time)}</span>`;

/** @param {string} status */
const Badge = (status) => html`<span class=${`badge b-${status}`}>${status}</span>`;

/** The fields that `tables` lacks. @type {Omit<Noun, "one"|"path"|"id">[]} */
const shown = [
  {
    name: "pets", title: "Pets", a: "a pet", photo: "id",
    change: "PATCH", create: { name: "Rex", categoryId: 1 }, remove: true,
    columns: [
      { name: "id", title: "Id", number: true },
      { name: "name", title: "Name", place: "head" },
      { name: "status", title: "Status", show: Status, place: "side" },
      { name: "categoryId", title: "Category", show: Category },
    ],
    filters: [
      { name: "name", title: "Name", kind: "text" },
      { name: "status", title: "status", kind: "status" },
      { name: "categoryId", title: "category", kind: "category" },
      { name: "id", title: "Id", kind: "number" },
    ],
    inputs: [
      { name: "name", title: "Name", kind: "text" },
      { name: "categoryId", title: "Category", kind: "category" },
      { name: "status", title: "Status", kind: "status" },
    ],
    links: ({ id, categoryId }) => [
      { text: `Category ${categoryId}`, params: { table: "categories", open: String(categoryId) } },
      { text: "Orders", params: { table: "orders", petId: String(id) } },
      { text: "Stock", params: { table: "inventory", open: String(id) } },
    ],
  },
  {
    name: "categories", title: "Categories", a: "a category",
    change: "PATCH", create: { name: "Birds" }, remove: true,
    columns: [
      { name: "id", title: "Id", number: true },
      { name: "name", title: "Name", place: "head" },
      { name: "description", title: "Description" },
    ],
    filters: [{ name: "name", title: "Name", kind: "text" }],
    inputs: [
      { name: "name", title: "Name", kind: "text" },
      { name: "description", title: "Description", kind: "long", optional: true },
    ],
    links: ({ id }) => [{ text: "Pets", params: { table: "pets", categoryId: String(id) } }],
  },
  {
    name: "orders", title: "Orders", a: "an order", photo: "petId",
    change: "PATCH", create: { quantity: 1 }, remove: true,
    columns: [
      { name: "id", title: "Id", number: true },
      { name: "petId", title: "Pet", show: (row, context) => toPet(row.petId, context), place: "head" },
      { name: "quantity", title: "Quantity", number: true, place: "side" },
      { name: "shipDate", title: "Ship date (UTC)", show: (row) => (row.shipDate ? Moment(row.shipDate) : "") },
      { name: "complete", title: "Complete", show: (row) => row.complete && Badge("complete"), place: "last" },
    ],
    filters: [
      { name: "petId", title: "Pet id", kind: "number" },
      { name: "complete", title: "completion", kind: "boolean" },
    ],
    inputs: [
      { name: "petId", title: "Pet", kind: "pet", optional: true },
      { name: "quantity", title: "Quantity", kind: "number", optional: true },
      { name: "shipDate", title: "Ship date", kind: "time", optional: true },
      { name: "complete", title: "Complete", kind: "boolean" },
    ],
    links: ({ petId }) => (petId ? [{ text: `Pet ${petId}`, params: { table: "pets", open: String(petId) } }] : []),
  },
  {
    name: "inventory", title: "Inventory", a: "an inventory entry", photo: "petId",
    change: "PUT", remove: false,
    columns: [
      { name: "petId", title: "Pet", show: (row, context) => toPet(row.petId, context), place: "head" },
      { name: "quantity", title: "Quantity", number: true },
      { name: "status", title: "Status", show: (row) => Badge(row.status), place: "side" },
    ],
    filters: [
      { name: "status", title: "status", kind: "status" },
      { name: "maxQuantity", title: "Quantity ≤", kind: "number" },
    ],
    inputs: [{ name: "quantity", title: "Quantity", kind: "number" }],
    links: ({ petId }) => [{ text: `Pet ${petId}`, params: { table: "pets", open: String(petId) } }],
  },
  {
    name: "messages", title: "Messages", a: "a message",
    create: { message: "Hello" }, remove: false,
    columns: [
      { name: "id", title: "Id", number: true },
      { name: "message", title: "Message", place: "head" },
      { name: "createdAt", title: "Sent (UTC)", show: (row) => Moment(row.createdAt) },
    ],
    filters: [],
    inputs: [{ name: "message", title: "Message", kind: "long" }],
  },
];

export const nouns = /** @type {Noun[]} */ (
  shown.map((noun) => ({ ...tables.find(({ name }) => name === noun.name), ...noun }))
);

const labels = new Map(nouns.flatMap(({ inputs }) => inputs.map(({ name, title }) => [name, title.toLowerCase()])))
  .set("createdAt", "sent");

/** Returns the name of a field within a sentence. @param {string} name */
export const labelOf = (name) => labels.get(name) ?? name;

/** Formats the value of a field. @param {string} name @param {any} value @param {Map<number, string>} [categories] */
export function textOf(name, value, categories) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value === undefined || value === "") return "none";
  if (name === "categoryId") return `${categories?.get(value) ?? ""} #${value}`.trim();
  return /^\d{4}-.*T.*Z$/.test(value) ? dayAndTime(value) : String(value);
}

/** Returns the noun that a path of the API is about, if any. @param {string} path */
export const nounAt = (path) => nouns.find((one) => `${path}/`.startsWith(`/${one.path}/`));

/** Formats the title of an open record. @param {Noun} noun @param {string} id @param {Row} [row] */
export const titleOf = ({ one }, id, row) => html`
  <bdi>${row?.name ?? capital(one)}</bdi> <span class="note">#${id}</span>`;

/** The nouns whose records can be created, counted and compared on their own. */
export const made = nouns.filter(({ create }) => create);
