// The page of the documents: Swagger UI with our plugin, and the bar above it.

import { serviceKey } from "../pages/dashboard/calls.js";
import { key, root } from "../pages/shell/api.js";
import { nameDocument, showBar } from "./bar.js";
import { DEMO_KEY } from "./call.js";
import { forOwner, needsKey } from "./document.js";
import { authorization, facts, refresh, takesTabKey } from "./facts.js";
import { plugin } from "./plugin.js";

/** Whether the address names the admin API's document. */
const isOfAdmin = () => new URLSearchParams(location.search).get("document") === "admin";

/** The text of the last shown document, and whether it is the admin API's. */
let shown = "";
let ofAdmin = isOfAdmin();

/** Reads the current document. @param {boolean} admin  whether to read the admin API's */
async function read(admin) {
  const response = await fetch(new URL(admin ? "admin/openapi.json" : "openapi.json", root), { cache: "no-cache" });
  if (!response.ok) throw new Error(`The document cannot be read: ${response.status}. Reload the page to try again.`);
  return response.text();
}

/**
 * Returns the key to use. For the admin API and in a private sandbox, that is the tab's key. For the service, it is the
 * last used key, or else demo-key if /pets needs no key, because /messages takes it then.
 * @param {any} document
 */
function keyFor(document) {
  if (takesTabKey(document)) return key.value;
  return serviceKey.get() || (needsKey(document.paths["/pets"].get) ? "" : DEMO_KEY);
}

/** Shows the current document of the address, and the current facts. Until then, the page stays as it is. */
async function show() {
  const admin = isOfAdmin();
  try {
    const [text] = await Promise.all([read(admin), refresh()]);
    if (text === shown || admin !== isOfAdmin()) return;
    const first = !shown;
    const other = first || admin !== ofAdmin;
    shown = text;
    ofAdmin = admin;
    const document = facts.get().own ? forOwner(JSON.parse(text)) : JSON.parse(text);
    if (other) authorization.set({ key: keyFor(document) });
    facts.set({ document });
    if (first) render(document);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    facts.set({ trouble: error instanceof TypeError ? "The server does not answer. Is it still running?" : message });
  }
}

/** Starts Swagger UI with our layout. @param {any} spec */
function render(spec) {
  window.SwaggerUIBundle({
    dom_id: "#swagger-ui",
    spec,
    validatorUrl: null, // does not send the document to a validator
    presets: [window.SwaggerUIBundle.presets.apis],
    plugins: [plugin],
    layout: "PetstoreLayout",
  });
}

/** Shows the document that the address now names. */
function change() {
  nameDocument(isOfAdmin());
  void show();
}

showBar();
document.addEventListener("click", (event) => {
  const { target, metaKey, ctrlKey, shiftKey } = event;
  const link = /** @type {Element} */ (target).closest('.bar nav a, .prose a[href^="?document"]');
  if (!link || metaKey || ctrlKey || shiftKey) return;
  event.preventDefault();
  history.pushState(null, "", link.getAttribute("href"));
  change();
});
addEventListener("popstate", () => ofAdmin === isOfAdmin() || change());
document.addEventListener("visibilitychange", () => document.hidden || void show());
change();
