// The bar above the document: its sandbox, and the time on the sandbox's clock.

import { html, render } from "../pages/library/preact.js";
import { key, request, sandbox, server, storeAddress } from "../pages/shell/api.js";
import { ThemeButton } from "../pages/shell/live.js";
import { facts } from "./facts.js";

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * Names the shown document in the title and the links.
 * @param {boolean} ofAdmin  whether it is the admin API's document
 * @param {string} [place]  the operation or the chapter that the address names
 */
export function nameDocument(ofAdmin, place) {
  document.title = `${place ? `${place} – ` : ""}${ofAdmin ? "Admin API" : "The API"} of ${sandbox} – Petstore`;
  document.querySelectorAll(".bar nav a").forEach((link, i) =>
    link.setAttribute("aria-current", i === Number(ofAdmin) ? "page" : "false"));
}

/** Fills the bar, and keeps it current. */
export function showBar() {
  render(html`<${ThemeButton} />`, element("theme"));
  if (sandbox !== "default") void showExercises();
  facts.listen(() => {
    const { clock, title, trouble } = facts.get();
    element("sandbox").textContent = title ?? sandbox;
    element("clock").textContent = clock ? timeOf(clock) : "";
    element("clock").classList.toggle("chip", Boolean(clock?.frozen || clock?.offsetSeconds));
    element("trouble").textContent = trouble;
    element("trouble").hidden = !trouble;
  });
}

/** Shows attendees of a workshop a link to the exercises, or to the door if the page has no key of this sandbox. */
async function showExercises() {
  const ask = request({ method: "GET", path: "", base: server });
  const { data } = await ask.catch(() => ({ data: {} })); // other parts of the page report the error
  if (!data.workshop) return;
  const link = /** @type {HTMLAnchorElement} */ (element("exercises"));
  link.href = key.ofSandbox ? storeAddress(sandbox, key.value) : new URL("join", server).href;
  link.hidden = false;
}

/** @param {import("../pages/shell/types.js").Clock} clock */
function timeOf(clock) {
  const now = `${clock.now.slice(0, 10)} ${clock.now.slice(11, 16)} UTC`;
  if (clock.frozen) return `${now}, frozen`;
  return clock.offsetSeconds ? `${now}, set` : now;
}
