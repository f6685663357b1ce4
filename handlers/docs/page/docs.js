// The page of the documents: Swagger UI with our plugin, and the bar above it.

import { key, root } from "../pages/shell/api.js";
import { showBar } from "./bar.js";
import { facts, refresh } from "./facts.js";
import { nameControls } from "./names.js";
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
 * Fills in the key that works: that of the tab for the admin API and in a private sandbox, whether it is the sandbox's or
 * the admin key; and demo-key where the service is open, since then /messages takes it.
 * @param {any} ui
 * @param {any} document
 */
function authorize(ui, document) {
  const fill = (/** @type {string[]} */ schemes, /** @type {string} */ value) => value && schemes.forEach((scheme) => ui.preauthorizeApiKey(scheme, value));
  if (ofAdmin) fill(["adminKey", "sandboxKey"], key.value);
  else if (document.components.securitySchemes.bearerAuth["x-private"]) fill(["bearerAuth"], key.value);
  else if (document.paths["/pets"].get.security.some((/** @type {object} */ choice) => Object.keys(choice).length === 0)) fill(["bearerAuth"], "demo-key");
}

/** Swagger UI; missing: there is no document yet. @type {any} */
let ui;

/** Shows the document and the sandbox as they are now. */
async function show() {
  try {
    const [text] = await Promise.all([read(), refresh()]);
    if (text === shown) return;
    shown = text;
    if (ui) ui.specActions.updateSpec(text); // not by its address, which would empty the page first
    else ui = render(JSON.parse(text));
  } catch (error) {
    facts.set({ trouble: error instanceof TypeError ? "The server does not answer. Is it still running?" : /** @type {Error} */ (error).message });
  }
}

/** @param {any} spec */
function render(spec) {
  const made = window.SwaggerUIBundle({
    dom_id: "#swagger-ui",
    spec,
    deepLinking: true,
    validatorUrl: null, // nothing is sent anywhere
    presets: [window.SwaggerUIBundle.presets.apis],
    plugins: [plugin],
    layout: "BaseLayout",
    onComplete: () => authorize(made, spec),
  });
  return made;
}

history.pushState = history.replaceState.bind(history); // Swagger UI adds an entry for each click, which Back would have to go through

showBar(ofAdmin);
nameControls(/** @type {HTMLElement} */ (document.getElementById("swagger-ui")));
document.addEventListener("visibilitychange", () => document.hidden || void show());
void show();
