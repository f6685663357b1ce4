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
 * Fills in the key that works: that of the tab for the admin API, and demo-key where the
 * service is open, since then /messages takes it.
 * @param {any} ui
 * @param {any} document
 */
function authorize(ui, document) {
  const open = document.paths["/pets"]?.get.security.some((/** @type {object} */ choice) => Object.keys(choice).length === 0);
  if (open) ui.preauthorizeApiKey("bearerAuth", "demo-key");
  if (ofAdmin && key.value) ui.preauthorizeApiKey("adminKey", key.value);
}

async function start() {
  showBar(ofAdmin);
  nameControls(/** @type {HTMLElement} */ (document.getElementById("swagger-ui")));
  const [text] = await Promise.all([read(), refresh()]);
  shown = text;
  const spec = JSON.parse(text);
  const ui = window.SwaggerUIBundle({
    dom_id: "#swagger-ui",
    spec,
    deepLinking: true,
    validatorUrl: null, // nothing is sent anywhere
    presets: [window.SwaggerUIBundle.presets.apis],
    plugins: [plugin],
    layout: "BaseLayout",
    onComplete: () => authorize(ui, spec),
  });
  document.addEventListener("visibilitychange", () => document.hidden || void again(ui));
}

/**
 * Shows what has changed since.
 * @param {any} ui
 */
async function again(ui) {
  try {
    const [text] = await Promise.all([read(), refresh()]);
    if (text === shown) return;
    shown = text;
    ui.specActions.updateSpec(text); // not by its address, which would empty the page first
  } catch (error) {
    fail(error);
  }
}

/** @param {unknown} error */
function fail(error) {
  facts.set({ trouble: error instanceof TypeError ? "The server does not answer. Is it still running?" : String(/** @type {Error} */ (error).message) });
}

start().catch(fail);
