// The page of the documents: Swagger UI with our plugin, and the bar above it.

import { key, root } from "../pages/shell/api.js";
import { showBar } from "./bar.js";
import { DEMO_KEY } from "./call.js";
import { needsKey } from "./document.js";
import { authorization, facts, refresh } from "./facts.js";
import { plugin } from "./plugin.js";

const ofAdmin = new URLSearchParams(location.search).get("document") === "admin";
const address = new URL(ofAdmin ? "admin/openapi.json" : "openapi.json", root);

/** The document as it was last shown. */
let shown = "";

/** Returns the document as it is now. */
async function read() {
  const response = await fetch(address, { cache: "no-cache" });
  if (!response.ok) throw new Error(`The document cannot be read: ${response.status}. Reload the page to try again.`);
  return response.text();
}

/**
 * Returns the key that works: that of the tab for the admin API and in a private sandbox, whether it is the
 * sandbox's or the admin key; and demo-key where the service is open, since then /messages takes it.
 * @param {any} document
 */
function keyFor(document) {
  if (ofAdmin || document.components.securitySchemes.bearerAuth["x-private"]) return key.value ?? "";
  return needsKey(document.paths["/pets"].get) ? "" : DEMO_KEY;
}

/** Shows the document and the sandbox as they are now. */
async function show() {
  try {
    const [text] = await Promise.all([read(), refresh()]);
    if (text === shown) return;
    shown = text;
    const document = JSON.parse(text);
    const first = !facts.get().document;
    facts.set({ document });
    if (first) render(document);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    facts.set({ trouble: error instanceof TypeError ? "The server does not answer. Is it still running?" : message });
  }
}

/** Starts Swagger UI, whose layout is ours. @param {any} spec */
function render(spec) {
  authorization.set({ key: keyFor(spec) });
  window.SwaggerUIBundle({
    dom_id: "#swagger-ui",
    spec,
    validatorUrl: null, // nothing is sent anywhere
    presets: [window.SwaggerUIBundle.presets.apis],
    plugins: [plugin],
    layout: "PetstoreLayout",
  });
}

showBar(ofAdmin);
document.addEventListener("visibilitychange", () => document.hidden || void show());
void show();
