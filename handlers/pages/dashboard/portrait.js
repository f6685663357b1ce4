// The portraits of pets. They are fetched, since an image of a page can send no key.

import { html, useEffect, useState } from "../library/preact.js";
import { send } from "../shell/api.js";

const MOST = 400; // portraits that are kept

/** @type {Map<string, Promise<string>>} */
const kept = new Map();

/** @param {string} name  @param {number} id */
function load(name, id) {
  const known = kept.get(name);
  if (known) return known;
  const made = send({ method: "GET", path: `admin/data/pets/${id}/photo` }).then(async (response) => (response.ok ? URL.createObjectURL(await response.blob()) : ""), () => "");
  kept.set(name, made);
  if (kept.size > MOST) {
    const [oldest, address] = /** @type {[string, Promise<string>]} */ (kept.entries().next().value);
    kept.delete(oldest);
    void address.then(URL.revokeObjectURL);
  }
  return made;
}

/** @param {{id: number, category?: number, large?: boolean}} props */
export function Portrait({ id, category, large }) {
  const [source, setSource] = useState("");
  useEffect(() => {
    let wanted = true;
    setSource("");
    load(`${id} ${category ?? ""}`, id).then((address) => wanted && setSource(address));
    return () => {
      wanted = false;
    };
  }, [id, category]);
  const side = large ? 96 : 28;
  return html`<span class=${large ? "portrait large" : "portrait"}>${source && html`<img src=${source} alt="" width=${side} height=${side} />`}</span>`;
}
