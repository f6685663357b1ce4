// The portraits of pets. They are fetched, since an img element cannot send a key.

import { html, useEffect, useState } from "../library/preact.js";
import { send } from "../shell/api.js";

const MOST = 400; // the most portraits to keep

/** @type {Map<string, Promise<string>>} */
const kept = new Map();

/**
 * @param {string} name
 * @param {number} id
 * @param {boolean} sure  whether the pet exists; an order keeps the id of a deleted pet
 */
function load(name, id, sure) {
  const known = kept.get(name);
  if (known) return known;
  const made = draw(id, sure).catch(() => "").then((address) => {
    if (!address) kept.delete(name); // a restore may bring the pet back
    return address;
  });
  kept.set(name, made);
  if (kept.size > MOST) {
    const [oldest, address] = /** @type {[string, Promise<string>]} */ (kept.entries().next().value);
    kept.delete(oldest);
    void address.then(URL.revokeObjectURL);
  }
  return made;
}

/** @param {number} id  @param {boolean} sure */
async function draw(id, sure) {
  if (!sure) {
    const found = await send({ method: "GET", path: `admin/data/pets?id=${id}&limit=1` });
    if (!found.ok || (await found.json()).length === 0) return "";
  }
  const response = await send({ method: "GET", path: `admin/data/pets/${id}/photo`, priority: "low" });
  return response.ok ? URL.createObjectURL(await response.blob()) : "";
}

/** @param {{id: number, category?: number, large?: boolean}} props */
export function Portrait({ id, category, large }) {
  const [source, setSource] = useState(/** @type {string|undefined} */ (undefined)); // "": no portrait
  useEffect(() => {
    let wanted = true;
    setSource(undefined);
    load(`${id} ${category ?? ""}`, id, category !== undefined).then((address) => wanted && setSource(address));
    return () => {
      wanted = false;
    };
  }, [id, category]);
  const side = large ? 96 : 28;
  return html`<span class=${`portrait ${large ? "large" : ""} ${source === "" ? "gone" : ""}`}>
    ${source && html`<img src=${source} alt="" width=${side} height=${side} />`}
  </span>`;
}
