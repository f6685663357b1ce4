// Tests of the tests that the dashboard copies from requests: node --test .ci/pages/*.test.js

import assert from "node:assert/strict";
import { test } from "node:test";

const page = { location: new URL("http://localhost:8080/"), window: globalThis, addEventListener() {} };
Object.assign(globalThis, { ...page, document: page });

const of = (name) => import(`../../handlers/pages/dashboard/${name}.js`);
const { kinds, readPlan } = await of("testkinds");
const { digits, exact } = await of("testexact");
const { lineOfRequest } = await of("testparts");

const LARGE = "9223372036854775807";
const same = { categories: [], pets: [], orders: [], inventory: [], messages: [] };
const difference = Object.fromEntries(Object.keys(same).map((name) => [name, { added: [], changed: [], removed: [] }]));

const entry = (id, more, body) => ({
  id, time: "2026-01-01T00:00:01Z", receivedAt: "2026-01-01T00:00:01Z", durationMs: 1,
  method: "GET", path: "/pets/7", headers: {}, status: 200, operationId: "getPet", ...more,
  response: { headers: {}, ...more?.response, body: body && JSON.stringify(body) },
});

/** Reads the plan of some of the entries, on a server that has the given texts by path. */
function plan(entries, chosen, more) {
  const texts = {
    "admin": '{"seed":1}', "admin/operations": "[]", "admin/faults": "[]", "admin/state": JSON.stringify(same),
    "admin/state/diff": JSON.stringify(difference), ...more,
  };
  const read = async (path, parse) => (path in texts ? parse(texts[path]) : Promise.reject(new Error("410")));
  return readPlan(entries, new Set(chosen), read);
}

test("the data of a request before a reset is not known, and a note says so", async () => {
  const first = entry(1, { method: "POST", status: 201, operationId: "createPet", path: "/pets" });
  assert.match((await plan([first], [1])).notes.join(), /no longer kept, after a reset or 100 writes/);
  assert.deepEqual((await plan([first], [1], { "admin/state?at=1&before=true": JSON.stringify(same) })).notes, []);
});

test("a conditional request keeps its condition", async () => {
  const headers = { "If-None-Match": '"a"', "If-Modified-Since": "x" };
  const { steps } = await plan([entry(1, { status: 304, headers })], [1]);
  assert.deepEqual(steps[0].call.headers, headers);
  const conditional = entry(1, { status: 304, headers, path: "/messages/1", operationId: "getMessage" });
  const before = { "admin/state?at=1&before=true": JSON.stringify(same) };
  const [note] = (await plan([conditional], [1], before)).notes;
  assert.equal(note, "GET /messages/1 304 depends on when its message was made, so the test can fail.");
  assert.deepEqual((await plan([{ ...conditional, status: 200 }], [1], before)).notes, []);
});

test("the lifecycle that refused a request is that of its response", async () => {
  const headers = { Deprecation: "@1767225600", Sunset: "Tue, 31 Dec 2030 00:00:00 GMT" };
  const gone = (message) => entry(1, { status: 410, response: { headers } }, { code: "operation_sunset", message });
  const operation = { operationId: "getPet", changed: false, deprecated: false, enforceSunset: false };
  const planFor = (message) => plan([gone(message)], [1], { "admin/operations": JSON.stringify([operation]) });
  const { setup } = await planFor("getPet has been gone since 2030-12-31");
  assert.deepEqual(setup, [{ method: "PATCH", path: "/operations/getPet", body: {
    stability: "stable", deprecated: true, deprecatedSince: "2026-01-01", sunset: "2030-12-31", enforceSunset: true,
  } }]);
  const byChance = await planFor("getPet is browned out: some of its calls are refused");
  assert.deepEqual(byChance.setup, []);
  assert.match(byChance.notes.join(), /GET \/pets\/7 410 was a brown-out/);
});

test("a sunset keeps its time of day, and the clock passes it in less than a second", async () => {
  const headers = { Deprecation: "@1769920200", Sunset: "Sat, 01 Jun 2030 10:00:00 GMT" };
  const at = (id, second, more, body) => entry(id, { time: `2030-06-01T09:59:${second}Z`, ...more }, body);
  const gone = { time: "2030-06-01T10:00:00Z", status: 410, response: { headers } };
  const refusal = { code: "operation_sunset", message: "getPet has been gone since 2030-06-01" };
  const refused = at(4, "", { ...gone, receivedAt: "2026-01-01T00:00:01.5Z" }, refusal);
  const entries = [refused, at(3, "59.6"), at(2, "59.5")];
  const operation = { operationId: "getPet", changed: false, deprecated: false, enforceSunset: false };
  const { setup, steps } = await plan(entries, [2, 3, 4], { "admin/operations": JSON.stringify([operation]) });
  const { deprecatedSince, sunset } = setup[0].body;
  assert.deepEqual([deprecatedSince, sunset], ["2026-02-01T04:30:00Z", "2030-06-01T10:00:00Z"]);
  const clocks = ["2030-06-01T09:59:59.500Z", undefined, "2030-06-01T10:00:00.000Z"];
  assert.deepEqual(steps.map(({ clock }) => clock), clocks);
});

test("a replay comes after the request that it repeats", async () => {
  const create = { method: "POST", status: 201, path: "/pets", operationId: "createPet" };
  const sent = (id, more) => entry(id, { ...create, headers: { "Idempotency-Key": "k" }, ...more });
  const replay = sent(4, { response: { headers: { "Idempotency-Replayed": "true" } } });
  const entries = [replay, entry(3), sent(2), sent(1, { headers: { "Idempotency-Key": "other" } })];
  const { steps, notes } = await plan(entries, [4], { "admin/state?at=2&before=true": JSON.stringify(same) });
  assert.equal(steps.length, 2);
  assert.deepEqual(notes, []);
  assert.match((await plan([replay], [4])).notes.join(), /repeated the response of a request that is not known/);
});

test("large integers stay as they are written", async () => {
  const integers = `{"a":${LARGE},"b":[-${LARGE},1],"c":"${LARGE}","d":`;
  assert.equal(digits(JSON.stringify(exact(`${integers}1.2345678901234567890}`))), `${integers}1.2345678901234567}`);
  const stock = `{"quantity":${LARGE}}`;
  const before = { ...same, inventory: [{ petId: 7, quantity: "LARGE" }] };
  const put = entry(1, { method: "PUT", path: "/store/inventory/7", body: stock }, JSON.parse(stock));
  put.response.body = stock;
  const old = JSON.stringify(before).replace('"LARGE"', LARGE);
  const found = await plan([put], [1], { "admin/state?at=1&before=true": old });
  for (const [name, { write }] of Object.entries(kinds)) {
    const text = write(found);
    assert.equal(text.split(LARGE).length, 4, `${name}:\n${text}`); // in the data, the request and the response
    assert.ok(!/\uE000/.test(text), text);
    // JavaScript sends it as text, because it would round a number.
    if (/vitest|Playwright/.test(name)) assert.equal(text.split(`'${stock}'`).length, 3, text);
  }
});

test("a note says that an undo is not copied, unless nothing follows it", async () => {
  const post = entry(1, { method: "POST", path: "/pets", status: 201, operationId: "createPet", undone: true });
  const before = { "admin/state?at=1&before=true": JSON.stringify(same) };
  const note = "POST /pets 201 was undone, but not by the test, so it can fail.";
  assert.deepEqual((await plan([entry(2), post], [1, 2], before)).notes, [note]);
  assert.deepEqual((await plan([post], [1], before)).notes, []);
});

test("a body that is not JSON is sent as it is, as JSON", async () => {
  const post = entry(1, { method: "POST", path: "/pets", body: '{"name": bad', status: 400, operationId: "createPet" });
  const found = await plan([post], [1], { "admin/state?at=1&before=true": JSON.stringify(same) });
  assert.match(kinds.pytest.write(found), /headers=\{"Content-Type": "application\/json"\},\s+data="/);
  // Playwright would send a text as a string of JSON.
  assert.match(kinds.Playwright.write(found), /data: Buffer\.from\('\{"name": bad'\)/);
});

test("a test can hold a body with characters that no source can hold", async () => {
  const strange = '{"name": "a\0b\uFEFFc\x7F`\r"}';
  for (const body of [strange, strange.replace("`\r", ""), "\uFEFF", "a\0"]) {
    const post = entry(1, { method: "POST", path: "/pets\uFEFF", body, status: 400, operationId: "createPet" });
    const found = await plan([post], [1]);
    for (const [name, { write }] of Object.entries(kinds)) {
      assert.doesNotMatch(write(found), name === "Go" ? /[\0\r\uFEFF]/ : /[\0\r]/, name);
    }
  }
});

test("a test sends a path as its client did, though the journal shows its characters", async () => {
  const get = entry(1, { path: "/pets/a\0 é%2F%25", query: 'name="[x]\\&limit=1', status: 400 });
  const found = await plan([get], [1]);
  const escaped = "/pets/a%00%20%C3%A9%2F%25?name=%22%5Bx%5D%5C&limit=1";
  for (const [name, { write }] of Object.entries(kinds)) assert.ok(write(found).includes(escaped), name);
});

test("the dialog names the line of the request, after the clock and a fault", async () => {
  const before = { ...same, inventory: [{ petId: 7, quantity: 3 }] };
  for (const one of [entry(1), { ...entry(1, { status: 0, fault: 7 }), response: undefined }]) {
    const found = await plan([one], [1], { "admin/state?at=1&before=true": JSON.stringify(before) });
    for (const [name, { write }] of Object.entries(kinds)) {
      const text = write(found);
      assert.match(text.split("\n")[lineOfRequest(text) - 1], /\/pets\/7'|\/pets\/7"/, `${name}:\n${text}`);
    }
  }
});
