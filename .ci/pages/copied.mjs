// Writes tests as the dashboard copies them from requests: node .ci/pages/copied.mjs BINARY DIRECTORY. It changes the data
// from the baseline, sends requests with every kind of response, and writes a test of them for each runner.

import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [binary, directory] = process.argv.slice(2);
// Its data differs from that of a server in a test.
const server = spawn(binary, ["--addr=127.0.0.1:0", "--seed=7", "--pets=12", "--orders=3"], { stdio: ["ignore", "pipe", "inherit"] });
const [announced] = (await createInterface(server.stdout)[Symbol.asyncIterator]().next()).value.match(/http:\S+/);

/** Sends a request, and returns the response, or undefined if the connection was broken off. */
async function send(method, path, body, headers = {}) {
  const type = body ? { "Content-Type": "application/json" } : {};
  const response = await fetch(announced + path, { method, headers: { ...type, ...headers }, body: typeof body === "object" ? JSON.stringify(body) : body })
    .catch(() => undefined);
  const text = await response?.text().catch(() => "");
  if (path.startsWith("/admin/") && !response?.ok) throw new Error(`${method} ${path}: ${text}`);
  return response;
}

try {
  await send("POST", "/admin/data/categories", { name: "Birds" });
  await send("POST", "/pets", { name: "Tweety", categoryId: 9 });
  await send("POST", "/pets", { name: "Gone", categoryId: 1 });
  await send("POST", "/pets", { name: "It's \"Rex\" & `Ärmel`", categoryId: 2 });
  await send("DELETE", "/pets/14");
  await send("PATCH", "/pets/1", { status: "sold" });
  await send("PUT", "/store/inventory/13", { quantity: 5 });
  await send("POST", "/store/orders", { petId: 13, quantity: 2 });
  const large = '{"quantity":9223372036854775807}'; // a number would round it
  await send("PUT", "/store/inventory/2", large);
  await send("POST", "/pets", { name: "Last", categoryId: 1 });
  await send("DELETE", "/pets/16");
  const { requests: before } = await (await fetch(`${announced}/admin/requests?limit=1000`)).json();

  const client = { "X-Client": "shop" };
  await send("GET", "/pets?status=sold&limit=3");
  await send("POST", "/pets", { name: "", categoryId: 9999 }, client);
  await send("POST", "/pets", '{"name": bad');
  await send("POST", "/pets", "{\"name\": \"a\0b\uFEFF\x01\x7F\r\"}");
  await send("GET", "/pets/%00%20%C3%A9");
  await send("POST", "/pets", undefined, { "Content-Type": "application/json" });
  await send("PUT", "/admin/clock", { now: "2031-01-01T00:00:00Z" });
  await send("POST", "/admin/faults", { match: { operationId: "createPet" }, probability: 1, status: 503, headers: { "Retry-After": "1" } });
  await send("POST", "/pets", { name: "Max", categoryId: 1 });
  await send("DELETE", "/admin/faults");
  await send("POST", "/admin/faults", { match: { operationId: "getPet" }, abort: "reset" });
  await send("GET", "/pets/15");
  await send("PUT", "/admin/faults", []);
  const { headers } = await send("POST", "/pets", { name: "Max", categoryId: 9 }, { "Idempotency-Key": '"one"' });
  await send("POST", "/pets", { name: "Max", categoryId: 9 }, { "Idempotency-Key": '"one"' });
  await send("PUT", "/store/inventory/3", large);
  await send("GET", "/pets/17", undefined, { "If-None-Match": headers.get("ETag") });
  await send("PATCH", "/pets/17", { status: "pending" }, { "If-Match": headers.get("ETag"), "Content-Type": "application/merge-patch+json" });
  await send("PATCH", "/pets/17", { status: "sold" }, { "If-Match": headers.get("ETag") });
  await send("POST", "/messages", { message: "Hello" }, { Authorization: "Bearer demo-key" });
  await send("PATCH", "/admin/operations/replacePet", { deprecated: true, deprecatedSince: "2026-01-01", sunset: "2030-12-31", enforceSunset: true });
  await send("PUT", "/pets/17", { name: "Max", categoryId: 9 });
  await send("DELETE", "/admin/operations/replacePet");
  await send("GET", "/pets/17/photo");
  await send("DELETE", "/pets/17");

  const page = { location: new URL(`${announced}/`), window: globalThis, addEventListener() {} };
  Object.assign(globalThis, { ...page, document: page });
  const { kinds, readPlan } = await import("../../handlers/pages/dashboard/testkinds.js");
  const read = async (path, parse) => {
    const response = await fetch(`${announced}/${path}`);
    if (!response.ok) throw new Error(`${path} = ${response.status}`);
    return parse(await response.text());
  };
  const { requests } = await read("admin/requests?limit=1000", JSON.parse);
  const chosen = new Set(requests.slice(before.length).map(({ id }) => id));
  const plan = await readPlan(requests, chosen, read);
  if (plan.notes.length > 0) throw new Error(plan.notes.join("\n"));
  mkdirSync(directory, { recursive: true });
  for (const { write, file } of Object.values(kinds)) writeFileSync(join(directory, file), write(plan));
} finally {
  server.kill();
}
