// Tests of the modules of the pages that need no browser: node --test .ci/pages/*.test.js

import assert from "node:assert/strict";
import { test } from "node:test";

// The globals that the modules read when they are loaded.
const page = { location: new URL("http://localhost:8080/"), window: globalThis, addEventListener() {} };
Object.assign(globalThis, { ...page, document: page });

const of = (name) => import(`../../handlers/pages/${name}.js`);
const { addressOf, completions, isStatus, parse, searchOf, withWords } = await of("dashboard/search");
const { inOrder, marked, placeOf } = await of("dashboard/marks");
const { bucketsOf, spanOf } = await of("dashboard/buckets");
const { divided, folded } = await of("dashboard/fold");
const { matcher } = await of("dashboard/requests");
const { effectOf, isOfRule, olderKept, placeIn, reasonOf } = await of("dashboard/journal");
const { changesOf, isWrite } = await of("dashboard/states");
const { rowsOf, whyGone, writesAround } = await of("dashboard/pastrows");
const { planOf, requestsOf, setupOf, stableOf } = await of("dashboard/testplan");
const { kinds } = await of("dashboard/testkinds");
const { bodyOf, differences, merged } = await of("dashboard/merge");
const { fits, fitsPath, hitsOf } = await of("dashboard/hits");
const { addCall, takerOf } = await of("dashboard/add");
const { toggled } = await of("dashboard/rules");
const { reasonsOf } = await of("dashboard/groups");
const { session } = await of("shell/session");
const { breaks } = await of("dashboard/breaks");
const { passed } = await of("dashboard/preview");
const { verdict } = await of("dashboard/verdict");
const { contentsOf, differenceOf, differenceOfWorlds } = await of("dashboard/contents");
const { duration, shift } = await of("shell/format");
const { curl } = await of("shell/curl");
const { incomplete } = await of("dashboard/calls");
const { languages, scriptOf } = await of("shell/languages");
const { forOwner } = await of("../docs/page/document");
const { warnings } = await of("../docs/page/lifecycle");
const { covers, undone } = await of("shell/throttle");
const { nameOf, offered } = await of("shell/offered");
const { later, paced } = await of("shell/stream");
const { groupsOf, ranked } = await of("shell/rank");
const { doneBy, isAsked } = await of("workshop/exercises");
const { handIn, lower, raise, tellAll, tellOne, unreadAfter, writtenAt } = await of("workshop/hand");
const { common, dearest, noted, spend, timeOf } = await of("workshop/costs");
const { called } = await of("workshop/room");
const { pageSize, tileSizes } = await of("workshop/size");

test("a search has words and free text", () => {
  assert.deepEqual(parse('status:4xx Rex op:createPet client:"my shop"'),
    { by: { status: "4xx", op: "createPet", client: "my shop" }, words: ["rex"] });
  assert.deepEqual(parse("http://x status:"), { by: {}, words: ["http://x"] }); // not typed completely
  assert.deepEqual(parse('"two words" name:x'), { by: {}, words: ["two words", "name:x"] });
  assert.deepEqual(parse("status:4xx op:a status:5xx"), { by: { status: "4xx,5xx", op: "a" }, words: [] });
  assert.deepEqual(parse(""), { by: {}, words: [] });
});

test("a search finds one value of each word, and all free words", () => {
  const entries = [
    entry(1, {
      operationId: "listPets", clientName: "shop", headers: { "User-Agent": "shop/2.3 (x, y)" },
      query: "name=%E6%97%A5%E6%9C%AC",
    }),
    entry(2, {
      operationId: "createPet", clientName: "node-fetch", method: "POST", status: 400, body: '{"name":"Rex B"}',
    }),
    entry(3, { operationId: "getOrder", clientName: "curl", path: "/store/orders/1", status: 503, fault: 1 }),
  ];
  for (const [search, ids] of [
    ["post 400", [2]], ["400 POST", [2]], ["orders 503", [3]], ["rex pets", [2]], ["rex orders", []],
    ['"rex b"', [2]], ['"b rex"', []], ['"name":"Rex', [2]], ["client:shop 200", [1]],
    ["status:4xx status:5xx", [2, 3]], ["client:shop client:node", [1, 2]], ["op:listPets,getorder", [1, 3]],
    ["op:listPets,order", [1, 3]], ["op:listPets,", [1]], ["method:get,post status:2xx,4xx", [1, 2]],
    ["method:p", [2]], ["method:ge", [1, 3]], ["method:e", []],
    ["name=日", [1]], ["日本", [1]], ["%e6%97", [1]],
    ["fault:1,2", [3]], ["client:shop/2.3", [1]], ["client:op/2", [1]], ["SHOP/2.3", [1]],
  ]) assert.deepEqual(entries.filter(matcher(search, entries)).map(({ id }) => id), ids, search);
});

test("a word is added, replaced and removed", () => {
  assert.equal(withWords("", { status: "4xx" }), "status:4xx");
  assert.equal(withWords("status:4xx Rex", { status: "5xx" }), "status:5xx Rex");
  assert.equal(withWords("status:4xx Rex", { status: "" }), "Rex");
  assert.equal(withWords("op:getPet", { client: "my shop" }), 'op:getPet client:"my shop"');
});

test("the last word of a search is completed", () => {
  const values = { status: ["4xx", "5xx"], client: ["my shop"] };
  assert.deepEqual(completions("Rex st", values), ["Rex status:4xx", "Rex status:5xx"]);
  assert.deepEqual(completions("status:5", values), ["status:5xx"]);
  assert.deepEqual(completions("c", values), ['client:"my shop"']);
  const next = Object.keys(values).map((name) => `Rex ${name}:`);
  assert.deepEqual([completions("Rex ", values), completions("Rex", values)], [next, []]);
});

test("older addresses are searches too", () => {
  assert.equal(searchOf({ class: "4xx", op: "createPet", q: "max" }), "status:4xx op:createPet max");
  assert.equal(searchOf({ q: "status:4xx" }), "status:4xx");
  assert.deepEqual(addressOf("x").class, "");
});

test("a status is one, a class, or broken", () => {
  assert.ok(isStatus("404", 404) && isStatus("4xx", 404) && isStatus("4xx,5xx", 503) && isStatus("broken", 0));
  for (const typed of ["4", "40", "404", "40x"]) assert.ok(isStatus(typed, 404) && !isStatus(typed, 503), typed);
  assert.ok(!isStatus("40", 410) && !isStatus("4040", 404) && !isStatus("x", 404));
  for (const typed of ["c", "cu", "e", "error"]) assert.ok(isStatus(typed, 0) && !isStatus(typed, 200), typed);
  assert.deepEqual([0, 200, 304, 400, 503].filter((status) => isStatus("errors", status)), [0, 400, 503]);
  assert.ok(!isStatus("4xx", 503) && !isStatus("404", 400) && !isStatus("broken", 200) && !isStatus("", 200));
});

test("what is wrong stands at its line", () => {
  const { lines, others } = marked('{"name":"","tags":[{"id":1},{"id":2}]}', [
    { field: "/name", message: "must be 1 to 255 characters long" },
    { field: "/tags/1/id", message: "must be below 2" },
    { field: "/categoryId", message: "is required" },
    { field: "limit", message: "is no number" },
  ]);
  const at = (text) => lines.find((line) => line.text.includes(text)).wrong;
  assert.deepEqual(at('"name"'), ["must be 1 to 255 characters long"]);
  assert.deepEqual(at('"id": 2'), ["must be below 2"]);
  assert.deepEqual(lines[0].wrong, ["categoryId is required"]);
  assert.deepEqual(others.map(({ field }) => field), ["limit"]);
  assert.equal(lines.map(({ text }) => text).join("\n"), JSON.stringify({ name: "", tags: [{ id: 1 }, { id: 2 }] }, null, 2));
});

test("a pointer with escapes, and empty values", () => {
  const { lines } = marked('{"a/b":{},"c~d":[],"e":1}', [{ field: "/a~1b", message: "A" }, { field: "/c~0d", message: "C" }, { field: "/e", message: "E" }]);
  assert.deepEqual(lines.map(({ wrong }) => wrong.join()), ["", "A", "C", "E", ""]);
});

test("a body that is not JSON is marked by the line of the message", () => {
  const { lines } = marked('{\n"name": Rex\n}', [], "line 2, column 9: unexpected R");
  assert.deepEqual(lines.map(({ wrong, at }) => [wrong.length, at]), [[0, undefined], [1, 8], [0, undefined]]);
});

test("buckets cover all requests", () => {
  const requests = [{ at: 1000, status: 200 }, { at: 1500, status: 404 }, { at: 59_000, status: 0 }, { at: 60_000, status: 503 }];
  const buckets = bucketsOf(requests, 120, 60_000);
  assert.ok(buckets.length <= 120);
  assert.deepEqual(buckets.reduce((sum, { counts }) => sum.map((n, i) => n + counts[i]), [0, 0, 0]), [1, 1, 2]);
  for (const { at } of requests) assert.ok(at >= buckets[0].from && at < buckets.at(-1).to);
  assert.deepEqual(bucketsOf([], 120, 0), []);
  assert.equal(spanOf(bucketsOf([{ at: 0, status: 200 }], 120, 86_400_000)), "24 h");
});

const entry = (id, more) => ({ id, method: "GET", path: "/pets", status: 200, headers: {}, client: "a", time: "2026-01-01T00:00:00Z", ...more });
const preflight = (id, method, more) => entry(id, { method: "OPTIONS", status: 204, headers: { "Access-Control-Request-Method": method }, ...more });

test("the reason is the operation's, unless a fault rule failed the request", () => {
  const entry = (status, message, fault = 1) => ({ status, fault, response: { body: JSON.stringify({ message }) } });
  for (const [of, reason, rule] of [
    [entry(400, "name: is required"), "name: is required", false],
    [entry(400, "name: is required", undefined), "name: is required", false],
    [entry(400, "a: is required (and 2 more errors, see details)"), "a: is required (and 2 more errors)", false],
    [entry(404, "there is nothing at /a; /openapi.json describes every path"), "there is nothing at /a", false],
    [entry(404, "did you mean /b? http://c/openapi.json describes every path"), "did you mean /b?", false],
    [entry(418, "fault rule 1 returned status 418"), "fault rule 1 returned status 418", true],
    [entry(503, "closed today"), "closed today", true],
    [entry(507, "the sandbox is full"), "the sandbox is full", false],
    [{ status: 503, fault: 1 }, "rule 1", true],
    [{ status: 0, fault: 1 }, "rule 1 broke the connection", true],
    [{ status: 0 }, "the connection was broken off", false],
    [{ status: 200, fault: 1 }, "", false],
  ]) {
    assert.equal(reasonOf(of), reason);
    assert.equal(isOfRule(of), rule, reason);
  }
});

test("a line says what a write did", () => {
  const made = { method: "POST", path: "/pets", status: 201, changed: true, response: { headers: { Location: "/pets/101" } } };
  assert.equal(effectOf(made), "added pet 101");
  assert.equal(effectOf({ ...made, undone: true }), "undone: added pet 101");
  const patch = (body) => effectOf({ method: "PATCH", path: "/categories/3", status: 200, changed: true, body });
  assert.equal(patch('{"name": "Cats", "parent": 1}'), "set name, parent of category 3");
  assert.equal(patch('{"name": "Ca'), "patched category 3");
  assert.equal(patch('{"a": 1, "b": 2, "c": 3, "d": 4}'), "patched category 3");
  const of = (method, path, status, changed) => effectOf({ method, path, status, changed });
  assert.equal(of("PUT", "/store/inventory/3", 200, true), "replaced inventory entry 3");
  assert.equal(of("DELETE", "/store/orders/7", 204, true), "removed order 7");
  assert.equal(of("PATCH", "/pets/7", 200), "no change to pet 7");
  assert.equal(effectOf({ method: "GET", path: "/pets/7", status: 200 }), "");
  assert.equal(effectOf({ method: "PATCH", path: "/pets/7", status: 412 }), "");
});

test("a line says where a text was found", () => {
  const entry = { path: "/pets", body: '{"name":"Rex"}', response: { body: "{}" }, requestId: "req-1" };
  assert.equal(placeIn(entry, ["pets", "rex"]), '{"name":"Rex"}');
  assert.equal(placeIn(entry, ["req"]), "req-1");
  assert.equal(placeIn(entry, ["pets"]), "");
  assert.equal(placeIn(entry, []), "");
  const long = { ...entry, body: '{"categoryId":1,"status":"asleep","name":"Rex"}' };
  assert.equal(placeIn(long, ["rex"]), '…,"name":"Rex"}');
  const details = [{ field: "/name", message: "is required" }, { field: "/status", message: "must not be asleep" }];
  const message = "name: is required (and 1 more error)";
  const body = JSON.stringify({ code: "invalid", message, status: 400, details });
  const refused = { ...entry, body: "", status: 400, response: { body } };
  assert.equal(placeIn(refused, ["required"]), "");
  assert.equal(placeIn(refused, ["asleep"]), 'status: must not be asleep');
  assert.equal(placeIn(refused, ["field"]), ""); // a name of the response's own
});

test("a preflight is folded into its request", () => {
  const rows = folded([entry(4), entry(3, { method: "POST" }), preflight(2, "POST"), preflight(1, "DELETE")]);
  assert.deepEqual(rows.map(({ key, preflights }) => [key, preflights.map(({ id }) => id)]), [[4, []], [3, [2]], [1, []]]);
  assert.equal(folded([entry(2, { client: "b" }), preflight(1, "GET")]).length, 2);
});

test("a change of the clock divides the list", () => {
  const at = (id, time, receivedAt) => entry(id, { time, receivedAt });
  const rows = (entries) => divided(folded(entries)).map((row) => row.divider ?? row.key);
  const moved = [at(3, "2031-01-01T00:00:01Z", "2026-01-01T00:00:03Z"), at(2, "2026-01-01T00:00:02Z", "2026-01-01T00:00:02Z")];
  assert.deepEqual(rows(moved), [3, "clock at 2031-01-01 00:00", 2]);
  const frozen = [at(3, "2031-01-01T00:00:00Z", "2026-01-01T00:09:00Z"), at(2, "2031-01-01T00:00:00Z", "2026-01-01T00:00:00Z")];
  assert.deepEqual(rows(frozen), [3, 2]);
  const back = [at(3, "2026-01-01T00:00:05Z", "2026-01-01T00:00:05Z"), at(2, "2031-01-01T00:00:00Z", "2026-01-01T00:00:00Z")];
  assert.deepEqual(rows(back), [3, "clock set back to the machine's time", 2]);
});

test("durations have the unit in which they are read", () => {
  assert.deepEqual([0.0004, 0.21, 0.9999, 4.25, 120, 2500, 61_000].map(duration), ["1 µs", "210 µs", "1.0 ms", "4.3 ms", "120 ms", "2.5 s", "1 min 1 s"]);
});

test("how far a clock is from the machine's", () => {
  const offsets = [3600, 3599.9, 86_399.9, 86_380, -129_600, -190, 20, 0.4, 136_106_000, 18_516_000, 3_000_000];
  assert.deepEqual(offsets.map(shift), ["1 h ahead", "1 h ahead", "1 day ahead", "1 day ahead", "1 day 12 h behind",
    "3 min behind", "20 s ahead", "", "4 years 3 months ahead", "7 months ahead", "34 days 17 h ahead"]);
});

test("why a request cannot be sent again", () => {
  const whole = { path: "/pets", query: "limit=1&token=a", body: "{}", headers: {} };
  assert.equal(incomplete(whole), "");
  assert.match(incomplete({ ...whole, bodyTruncated: true }), /4 KiB/);
  assert.match(incomplete({ ...whole, body: '{"name":"\uFFFD"}' }), /not UTF-8/);
  assert.match(incomplete({ ...whole, query: "limit=1&token=[redacted]" }), /secret/);
});

test("a call in every language", () => {
  const call = { method: "PUT", path: "admin/clock", base: "http://localhost:8080/", body: { frozen: true, now: null, at: "a'b" } };
  assert.equal(curl(call), `curl -s -X PUT \\\n  --json '{"frozen":true,"now":null,"at":"a'\\''b"}' \\\n  'http://localhost:8080/admin/clock'`);
  assert.equal(curl({ method: "GET", path: "pets", base: "http://localhost:8080/" }), "curl -s 'http://localhost:8080/pets'");
  assert.equal(curl({ method: "GET", path: "pets?a[b]=1", base: "http://a/" }), "curl -s -g 'http://a/pets?a[b]=1'");
  const long = { name: "a".repeat(80), n: 1 };
  const wide = { ...call, body: long };
  for (const name of ["curl", "fetch", "Go", "PowerShell"]) {
    assert.match(languages[name](wide), /\{\n +"name": "a+",\n +"n": 1\n *\}/, name);
    assert.ok(languages[name]({ ...wide, body: JSON.stringify(long) }).includes(JSON.stringify(long)), name);
  }
  assert.equal(languages.Python(call), 'response = requests.request(\n    "PUT",\n    "http://localhost:8080/admin/clock",\n'
    + '    json={"frozen": True, "now": None, "at": "a\'b"},\n)\nprint(response.status_code, response.text)');
  const patch = { method: "PATCH", path: "pets/1", base: "http://h/", body: '{"name":"A"}',
    headers: { "Content-Type": "application/merge-patch+json" } };
  assert.match(languages.Python(patch), /headers=\{"Content-Type": "application\/merge-patch\+json"\},\n {4}json=\{"name": "A"\},/);
  assert.match(languages.Java(call), /\.method\(\n {8}"PUT",\n {8}HttpRequest\.BodyPublishers\.ofString\("\{\\"frozen\\":true/);
  assert.match(languages.fetch(call), /method: "PUT"/);
});

test("the writes around a request", () => {
  const entries = [
    entry(7, { method: "PUT", status: 200, undone: true }),
    entry(6), entry(5, { method: "POST", status: 201 }), entry(4), entry(3, { method: "POST", status: 400 }),
    entry(2, { method: "DELETE", status: 204 }), entry(1)];
  assert.deepEqual(writesAround(entries, 4), { previous: 2, next: 5 });
  assert.deepEqual(writesAround(entries, 2), { previous: undefined, next: 5 });
  assert.deepEqual(writesAround(entries, 6), { previous: 5, next: undefined });
  assert.ok(isWrite(entry(1, { method: "PUT", status: 0 })), "which may have been written");
  assert.ok(!isWrite(entry(1, { method: "OPTIONS", status: 204 })));
  const message = "fault rule 1 replaced the operation's response (status 201) with status 502";
  const replaced = entry(1, { method: "POST", status: 502, response: { body: JSON.stringify({ code: "fault", message }) } });
  assert.ok(isWrite(replaced), "whose client was not told");
  assert.equal(reasonOf(replaced), "rule 1: 502 after the operation ran (201)");
});

test("what differs between two lists of records", () => {
  const before = [{ id: 1, name: "A" }, { id: 2, name: "B" }, { id: 3, name: "C" }];
  const after = [{ id: 1, name: "A" }, { id: 3, name: "D" }, { id: 4, name: "E" }];
  assert.deepEqual(changesOf(before, after, "id"), {
    added: [{ id: 4, name: "E" }], changed: [{ before: { id: 3, name: "C" }, after: { id: 3, name: "D" } }], removed: [{ id: 2, name: "B" }],
  });
});

test("rows of a state are found and sorted as the API does", () => {
  const rows = [{ id: 1, name: "Rex", n: 2 }, { id: 2, name: "Max" }, { id: 3, name: "rexona", n: 2 }, { id: 12, name: "Bo", n: 1 }];
  const noun = { id: "id", filters: [{ name: "name", kind: "text" }, { name: "id", kind: "number" }] };
  const ids = (query) => rowsOf(rows, noun, query).map(({ id }) => id);
  assert.deepEqual(ids({ name: " REX " }), [1, 3]);
  assert.deepEqual(ids({ id: "1" }), [1]);
  assert.deepEqual(ids({ sort: "n" }), [12, 1, 3, 2]);
  assert.deepEqual(ids({ sort: "-n" }), [1, 3, 12, 2]);
  assert.deepEqual(ids({ sort: "-id" }), [12, 3, 2, 1]);
  const stock = { id: "petId", filters: [{ name: "maxQuantity", kind: "number" }] };
  assert.deepEqual(rowsOf([{ petId: 1, quantity: 3 }, { petId: 2, quantity: 4 }], stock, { maxQuantity: "3" }).length, 1);
});

test("why there is no state has words", () => {
  assert.match(whyGone({ status: 404, message: "" }, 7), /no request 7/);
  assert.match(whyGone({ status: 410, message: "" }, 7), /no longer kept/);
  assert.match(whyGone({ status: 410, message: "" }, 7, true), /7 was undone/);
  assert.match(whyGone({ status: 400, message: "" }, 0), /“0” is no request/);
  assert.equal(whyGone({ status: 0, message: "The server does not answer." }, 7), "The server does not answer.");
});

test("only the refusal on purpose does its exercise", () => {
  const refused = (body) => [entry(1, { method: "POST", operationId: "createPet", status: 400, body })];
  assert.deepEqual(doneBy(refused('{"name": ""}')), [false, false, true, false, false]);
  for (const body of ['{"name": "Rex"}', '{"name": "", ', undefined, "null"]) {
    assert.ok(!doneBy(refused(body)).includes(true), body);
  }
});

test("a pet is changed safely with PATCH or PUT, but not without If-Match", () => {
  const changed = (operationId, headers) => doneBy([{ operationId, status: 200, headers }])[3];
  assert.ok(changed("updatePet", { "If-Match": '"a"' }) && changed("replacePet", { "if-match": '"a"' }));
  assert.ok(!changed("replacePet", {}) && !changed("updateCategory", { "If-Match": '"a"' }));
});

test("only the first refusal that an exercise asks for is on purpose", () => {
  const entry = { operationId: "createPet", status: 400, body: '{"name": ""}' };
  assert.ok(isAsked(entry, doneBy([])));
  assert.ok(!isAsked(entry, doneBy([entry])));
});

test("only what was said since answers a raised hand", () => {
  const after = (...steps) =>
    unreadAfter(steps.map(({ body }, at) => ({ id: at + 1, createdAt: "", ...body })).reverse(), 0)?.text;
  const [first, second, comes] = [raise("Why 412?"), raise("Why 410?"), tellOne("I am on my way.")];
  assert.equal(after(first, comes, lower), "I am on my way.");
  assert.equal(after(first, comes, lower, second), undefined);
  const later = tellOne("I am not on my way yet.");
  assert.equal(after(first, tellOne("Read it"), comes, later), "I am not on my way yet. Read it");
  assert.equal(after(first, tellOne("Read it"), lower, second, comes), "I am on my way.");
  assert.equal(after(first, comes, lower, second, tellOne("Read it"), comes), "I am on my way. Read it");
  assert.equal(after(first, lower, tellAll("Five minutes left"), second), "Five minutes left", "it answers no hand");
});

test("a question is no lowered hand, whatever it says", () => {
  const after = ({ body }) => handIn(body);
  assert.deepEqual(after(raise("Thank you.")), { up: true, about: "Thank you." });
  assert.deepEqual(after(raise(" ")), { up: true, about: "" });
  assert.deepEqual(after(lower), { up: false, about: "" });
});

test("the time of a message is the machine's, though the clock was moved before or after it", () => {
  const [joined, now] = [Date.parse("2026-11-27T09:00:00Z"), Date.parse("2026-11-27T09:10:00Z")];
  const at = (createdAt, frozen, offsetSeconds) => {
    const box = { createdAt: new Date(joined).toISOString(), clock: { now: "", frozen, offsetSeconds } };
    return writtenAt({ createdAt }, box, now);
  };
  const written = Date.parse("2026-11-27T09:08:00Z");
  assert.equal(at("2026-11-27T09:08:00Z", false, 0), written);
  assert.equal(at("2026-11-27T09:08:00Z", true, -60), written, "frozen after it");
  assert.equal(at("2026-11-27T09:08:00Z", false, 365 * 86400), written, "moved after it");
  assert.equal(at("2027-11-27T09:08:00Z", false, 365 * 86400), written, "moved before it");
  assert.equal(at("2031-01-01T00:00:00Z", true, 129081000), 0, "frozen elsewhere before it");
});

test("what cost the room time is added up by refusal, but no break", () => {
  const costs = new Map();
  const empty = { key: "createPet name", what: "POST /pets", status: 400, reason: "name: is required" };
  const missing = { key: "getPet", what: "GET /pets/{id}", status: 404, reason: "there is no pet 99; try another" };
  const end = (refusal, name, until) => {
    const cost = noted(costs, refusal, name);
    const before = cost.ms;
    spend({ cost, at: 1000 }, until);
    return cost.ms - before;
  };
  assert.equal(end(empty, "ada", 21_000), 20_000);
  assert.equal(end(empty, "bob", 3_600_000), 300_000);
  assert.equal(end(missing, "ada", 995), 0); // the clocks of two simultaneous requests
  end({ ...missing, reason: "there is no pet 98; try another" }, "bob", 1000); // differs only in its id
  end({ ...empty, key: "slower", reason: "slower by a second" }, "ada", 322_000);
  for (const until of [301_000, 1000, 1000]) end({ ...empty, key: "oftener", reason: "oftener" }, "eve", until);
  const rows = dearest(costs).map(({ reason, ms, more, times, names }) => [reason, timeOf(ms), more, times, names.size]);
  assert.deepEqual(rows, [
    ["oftener", "5 min", false, 3, 1], // of equal times, the more frequent reason is first
    [empty.reason, "5 min", true, 2, 2],
    ["slower by a second", "5 min", true, 1, 1],
    ["there is no pet …; try another", "< 1 s", false, 2, 2],
  ]);
  assert.equal(common("status: must be sold", "status: is required"), "status: must be sold"); // not the same words
  assert.deepEqual([20_000, 3_590_000, 7_800_000].map(timeOf), ["20 s", "59 min", "2 h 10 min"]);
});

test("a test has the writes between its requests too", () => {
  const entries = [entry(5), entry(4, { method: "POST", status: 201 }), entry(3), entry(2, { method: "POST", status: 400 }), entry(1)];
  assert.deepEqual(requestsOf(entries, new Set([5, 1])).map(({ id }) => id), [1, 4, 5]);
});

test("the data is made again with the same ids", () => {
  const from = { categories: [{ id: 1, name: "A", description: "a" }], pets: [{ id: 1, name: "B" }, { id: 2, name: "C" }], inventory: [{ petId: 1, quantity: 1 }, { petId: 2, quantity: 1 }] };
  const to = { categories: [{ id: 1, name: "A" }], pets: [{ id: 1, name: "B" }, { id: 4, name: "D" }], inventory: [{ petId: 1, quantity: 3 }, { petId: 4, quantity: 0 }] };
  assert.deepEqual(setupOf(from, to).map(({ method, path, body }) => [method, path, JSON.stringify(body)].join(" ")), [
    'POST /data/pets {"name":"D"}', 'POST /data/pets {"name":"D"}', 'PATCH /data/categories/1 {"description":null,"name":"A"}',
    'PUT /data/store/inventory/1 {"quantity":3}', "DELETE /data/pets/2 ", "DELETE /data/pets/3 ",
  ]);
  assert.deepEqual(setupOf(from, from), []);
  assert.deepEqual(setupOf(from, { ...from, next: { pet: 4 } }).map(({ method, path }) => `${method} ${path}`), ["POST /data/pets", "DELETE /data/pets/3"]);
  assert.deepEqual(setupOf({}, { next: { message: 2 } }), []); // no call creates it
});

test("what is stable of a body", () => {
  const error = { code: "c", message: "m", status: 400, details: [{ field: "/a", message: "m" }] };
  assert.deepEqual(stableOf(error), { value: { code: "c", details: [{ field: "/a" }] }, whole: false });
  assert.deepEqual(stableOf([{ id: 1 }]), { value: [{ id: 1 }], whole: true });
  assert.deepEqual(stableOf([{ id: 1, createdAt: "now" }]), { value: [{ id: 1 }], whole: false });
});

const state = { pets: [] };
const same = Object.fromEntries(["categories", "pets", "orders", "inventory", "messages"]
  .map((name) => [name, { added: [], changed: [], removed: [] }]));
const KEPT = "The data before the first request is no longer kept, after a reset or 100 writes. "
  + "The test begins with what a reset returns to now, so it can fail.";

test("a plan has the clock where it moves, and faults that are always applied", () => {
  const at = (id, time, more) => entry(id, { time, receivedAt: `2026-01-01T00:00:0${id}Z`, ...more });
  const entries = [
    at(1, "2026-01-01T00:00:01Z"), at(2, "2026-01-01T00:00:02Z", { status: 503, fault: 7, operationId: "listPets" }),
    at(3, "2031-01-01T00:00:03Z", { status: 0, fault: 8 }), at(4, "2031-01-01T00:00:03Z", { bodyTruncated: true }),
  ];
  const known = {
    entries, callOf: ({ method, path }) => ({ method, path: path.slice(1), headers: {} }), incomplete: ({ bodyTruncated }) => (bodyTruncated ? "It was cut." : ""),
    rules: [{
      id: 7, applied: 3, probability: 0.1, match: { operationId: "listPets" }, status: 503, delay: { fixedMs: 5 },
    }],
    seed: 1, operations: [],
  };
  const plan = planOf(known);
  assert.deepEqual(plan.steps.map(({ clock }) => clock), ["2026-01-01T00:00:01.000Z", undefined, "2031-01-01T00:00:03.000Z"]);
  assert.deepEqual(plan.steps.map(({ fault }) => fault), [undefined, { match: { operationId: "listPets" }, status: 503, delay: { fixedMs: 5 }, times: 1 }, { abort: "reset" }]);
  assert.deepEqual(plan.notes, ["GET /pets is left out. It was cut.", "The data is too much for a page, so the test begins with that of its server."]);
  assert.equal(plan.name, "GET /pets 200 and 2 more");
  const [cut] = plan.notes;
  assert.deepEqual(planOf({ ...known, now: state, difference: same }).notes, [cut, KEPT]);
  assert.deepEqual(planOf({ ...known, now: state, difference: same, before: state }).notes, [cut]);
  for (const { write } of Object.values(kinds)) assert.ok(!/undefined|NaN|\[object/.test(write(plan)), write(plan));
});

test("the fault of a rule that is gone is what the response shows", () => {
  const faultOf = (more, error) => planOf({
    entries: [entry(1, { time: "2026-01-01T00:00:01Z", fault: 7, operationId: "getPet", durationMs: 5.2, ...more, response: { headers: {}, body: JSON.stringify(error) } })],
    callOf: () => ({ method: "GET", path: "pets/1", headers: {} }), incomplete: () => "",
    seed: 1, rules: [], operations: [],
  }).steps[0].fault;
  const match = { operationId: "getPet" };
  assert.deepEqual(faultOf({ status: 503 }, { code: "down", message: "restarting" }), { match, status: 503, code: "down", message: "restarting", times: 1 });
  const message = "fault rule 7 replaced the operation's response (status 200) with status 502";
  assert.deepEqual(faultOf({ status: 502 }, { code: "fault", message }), { match, status: 502, code: "fault", when: "after", times: 1 });
  assert.deepEqual(faultOf({ status: 200 }), { match, delay: { fixedMs: 5 }, times: 1 });
  assert.deepEqual(faultOf({ status: 0 }), { match, abort: "truncate" });
});

test("a refusal that depends on no data is tested without any", () => {
  const setupFor = (...entries) => planOf({
    entries, callOf: ({ method, path }) => ({ method, path, headers: {} }), incomplete: () => "",
    seed: 1, rules: [], operations: [],
    now: state, difference: same, before: state,
  }).baseline;
  const refused = (status, more) => entry(1, { time: "2026-01-01T00:00:01Z", status, operationId: "createPet", method: "POST", ...more });
  for (const one of [refused(400), refused(401), refused(405), refused(415), refused(404, { operationId: undefined })]) assert.equal(setupFor(one), undefined);
  for (const one of [refused(404), refused(409), refused(400, { method: "PATCH" })]) assert.equal(setupFor(one).seed, 1);
  assert.equal(setupFor(refused(400), refused(201)).seed, 1);
});

test("what two have made of a record is merged field by field", () => {
  const fields = [{ name: "name", title: "Name" }, { name: "status", title: "Status" }, { name: "note", title: "Note", optional: true }];
  const was = { id: 1, name: "A", status: "x", note: "n" };
  const theirs = { id: 1, name: "B", status: "y", note: "n" };
  const mine = { ...was, name: "C", note: "" };
  const found = differences(fields, was, theirs, mine, {});
  assert.deepEqual(found.map(({ name, chosen }) => [name, chosen]), [["name", "mine"], ["status", "theirs"], ["note", "mine"]]);
  assert.deepEqual(found.filter(({ both }) => both).map(({ name }) => name), ["name"]);
  assert.equal(differences(fields, was, theirs, theirs, {}).some(({ both }) => both), false);
  const taken = differences(fields, was, theirs, mine, { name: "theirs" });
  assert.deepEqual(merged(theirs, taken), { id: 1, name: "B", status: "y", note: "" });
  assert.deepEqual(bodyOf(fields, theirs, merged(theirs, found)), { name: "C", note: null });
  const back = differences(fields, was, theirs, mine, { status: "mine" }); // put back in view of theirs
  assert.deepEqual(back.filter(({ both }) => both).map(({ name }) => name), ["name", "status"]);
  assert.deepEqual(bodyOf(fields, theirs, merged(theirs, back)), { name: "C", status: "x", note: null });
  assert.deepEqual(bodyOf(fields, null, { name: "A" }), { name: "A" });
});

test("a group has its newest reason, and says how many others", () => {
  const refused = (message) => entry(1, { status: 400, response: { headers: {}, body: JSON.stringify({ code: "c", message, status: 400 }) } });
  const [text, many, more] = ['limit must be an integer, not "abc"', "limit must be at most 1000, not 5000", "limit must be at most 1000, not 6000"].map(refused);
  assert.equal(reasonsOf([text, many]), 'limit must be an integer, not "abc" +1 other');
  assert.equal(reasonsOf([text, many, refused("limit is odd")]), 'limit must be an integer, not "abc" +2 others');
  assert.equal(reasonsOf([more, many]), "limit must be at most 1000, not …");
  const [empty, worse, missing] = ["is empty", "is empty (and one more error)", "is required"]
    .map((message) => refused(`name: ${message}`));
  assert.equal(reasonsOf([worse, empty]), "name: is empty");
  assert.equal(reasonsOf([worse]), "name: is empty (and one more error)");
  assert.equal(reasonsOf([empty, missing]), "name: is empty +1 other");
});

test("which requests a rule would have hit", () => {
  assert.ok(fitsPath("/pets/*", "/pets/7") && fitsPath("/pets/**", "/pets/7/photo") && fitsPath("/**", "/pets") && fitsPath("/pets", "/pets"));
  assert.ok(!fitsPath("/pets/*", "/pets") && !fitsPath("/pets/*", "/pets/7/photo") && !fitsPath("/pets", "/orders"));
  const one = entry(1, { operationId: "listPets", headers: { "x-client": "web" } });
  assert.ok(fits({ match: { operationId: "listPets", method: "GET", path: "/*", headers: { "X-Client": "web" } } }, one) && fits({}, one));
  assert.ok(!fits({ match: { method: "POST" } }, one) && !fits({ match: { headers: { "X-Client": "ios" } } }, one));
  const many = Array.from({ length: 120 }, (_, i) => entry(i, { operationId: i % 2 ? "getPet" : "listPets" }));
  assert.equal(hitsOf({ match: { operationId: "getPet" } }, many), "It would have hit 50 of the last 100 requests.");
  assert.equal(hitsOf({ times: 2, probability: 0.5 }, many), "It would have hit 2 of the last 100 requests.");
  assert.equal(hitsOf({ probability: 0.1 }, many), "It would have hit about 10 of the last 100 requests.");
  const taker = { match: { operationId: "getPet" } };
  assert.equal(hitsOf({}, many, [taker]), "It would have hit 50 of the last 100 requests. Rules before it take 50.");
  for (const times of [-1, "x"]) assert.equal(hitsOf({ times }, many), "It would have hit 0 of the last 100 requests.");
  assert.equal(hitsOf({}, many, [{ ...taker, times: 2 }, { probability: 0 }]), "It would have hit 98 of the last 100 requests. Rules before it take 2.");
  assert.equal(hitsOf({}, [one]), "It would have hit 1 of the last 1 request.");
  assert.match(hitsOf({}, []), /no requests yet/);
});

test("a rule takes requests of another where one fits both", () => {
  session.set({ operations: [{ operationId: "getPet", method: "GET", path: "/pets/{petId}" }] });
  const pairs = [
    [{ path: "/store/inventory" }, false], [{ path: "/pets/*" }, true], [{ path: "/pets/7" }, true], [{ path: "/pets" }, false], [{ path: "/**" }, true],
    [{ method: "POST" }, false], [{ method: "GET" }, true], [{ operationId: "listPets" }, false], [undefined, true], [{ headers: { "X-Client": "web" } }, true],
  ];
  for (const [match, found] of pairs) assert.equal(!!takerOf([{ match }], { match: { operationId: "getPet" } }), found, JSON.stringify(match));
  assert.equal(takerOf([{ match: { headers: { "X-Client": "web" } } }], { match: { headers: { "X-Client": "ios" } } }), undefined);
  assert.equal(takerOf([{ probability: 0 }, { times: 1, applied: 1 }], {}), undefined);
  assert.equal(takerOf([{ id: 1, probability: 0.1 }], {}).id, 1);
  assert.deepEqual([addCall([{ probability: 0.1 }], {}).method, addCall([{}], {}).method], ["POST", "PUT"]);
});

test("a rule covers another by the method and the path of its operation", () => {
  session.set({ operations: [
    { operationId: "getPet", method: "GET", path: "/pets/{petId}" }, { operationId: "createPet", method: "POST", path: "/pets" },
  ] });
  const pairs = [
    [{ path: "/pets" }, "createPet", true], [{ path: "/pets", method: "POST" }, "createPet", true], [{ path: "/pets/**" }, "createPet", true],
    [{ path: "/pets", method: "GET" }, "createPet", false], [{ path: "/pets/*" }, "createPet", false], [{ path: "/pets" }, "getPet", false],
    [{ path: "/pets/*" }, "getPet", true], [{ path: "/**" }, "getPet", true], [{ path: "/pets/7" }, "getPet", false],
    [{ path: "/pets/*", method: "GET" }, "getPet", false], // HEAD is left
    [{ path: "/pets/*", headers: { "X-Client": "web" } }, "getPet", false], [{ operationId: "getPet" }, "getPet", true],
  ];
  for (const [match, operationId, covered] of pairs) assert.equal(covers({ match }, { match: { operationId } }), covered, JSON.stringify([match, operationId]));
  assert.ok(covers({ match: { path: "/pets/*" } }, { match: { method: "GET", path: "/pets/7" } }));
  assert.ok(covers({ match: { method: "GET" } }, { match: { method: "GET", operationId: "getPet" } }));
  assert.ok(!covers({ match: { path: "/pets/*" } }, { match: { path: "/pets/**" } }));
  assert.ok(!covers({ match: { path: "/pets" } }, {}));
});

test("an added rule goes after those for some of its requests, and starts the same one again", () => {
  const own = { id: 1, match: { operationId: "getPet" } };
  const all = { id: 2 };
  const slow = { status: 503 };
  assert.equal(addCall([own], slow).method, "POST");
  assert.deepEqual(addCall([own, all], slow).body, [own, slow, all]);
  assert.deepEqual(addCall([all, own], { match: own.match, status: 503 }).body[0].status, 503);
  assert.deepEqual(addCall([own, { ...slow, id: 3, off: true, applied: 2 }], slow).body, [own, { ...slow, id: 3, applied: 2 }]);
  assert.deepEqual(addCall([all, { ...slow, id: 3, times: 1, applied: 1 }], { ...slow, times: 1 }).body, [{ ...slow, id: 3, times: 1 }, all]);
});

test("a rule that is switched off and on is as it was", () => {
  const rule = { id: 1, probability: 0.3, status: 429 };
  assert.deepEqual(toggled(rule), { ...rule, off: true });
  assert.deepEqual(toggled(toggled(rule)), rule);
  assert.deepEqual(toggled({ id: 1, probability: 0 }), { id: 1 });
});

test("who breaks at a sunset, and what is passed on the way", () => {
  const getPet = { operationId: "getPet", deprecated: true, deprecatedSince: "2026-01-01", sunset: "2030-12-31", enforceSunset: true };
  const use = (clientName, count) => ({ operationId: "getPet", userAgent: "", clientName, count });
  const uses = [use("node", 2), use("shop-web", 40), use("shop-web", 1), { ...use("x", 9), operationId: "other" }];
  const now = Date.parse("2027-01-01");
  const textsOf = (...of) => breaks(...of).map(({ text }) => text);
  assert.deepEqual(textsOf([getPet], uses, now),
    ["On 2030-12-31 the sunset of getPet breaks two clients: shop-web (41 calls), node (2)."]);
  const open = { ...getPet, enforceSunset: false };
  assert.deepEqual(textsOf([{ ...getPet, calls: 10 }], [], now),
    ["getPet had 10 calls by clients that are not known any more. They break on 2030-12-31."]);
  assert.deepEqual(textsOf([open], [use("", 1)], now),
    ["If the sunset of getPet were enforced, one client would break on 2030-12-31: without a User-Agent (1 call)."]);
  assert.deepEqual(textsOf([open], uses, Date.parse("2031-01-01")),
    ["If the sunset of getPet were enforced, two clients would break now: shop-web (41 calls), node (2)."]);
  assert.deepEqual(textsOf([getPet], [use("node", 1)], Date.parse("2031-01-01")),
    ["getPet answers 410 now. Its callers so far: node (1 call)."]);
  assert.deepEqual(breaks([getPet], uses, Date.parse("2031-01-01")),
    [{ operationId: "getPet", text: "getPet answers 410 now. Its callers so far: shop-web (41 calls), node (2).",
      look: "now" }]);
  const browned = { ...open, brownout: 0.5 };
  const refuses = "getPet answers 50 % of its calls with 410 now";
  const who = "shop-web (41 calls), node (2).";
  const would = "If the sunset of getPet were enforced, two clients would break on 2030-12-31";
  assert.deepEqual(breaks([browned], uses, now),
    [{ operationId: "getPet", look: "then", text: `${refuses}. ${would}: ${who}` }]);
  assert.deepEqual(textsOf([{ ...browned, sunset: undefined }], uses, now), [`${refuses}: ${who}`]);
  assert.deepEqual(breaks([{ ...browned, brownout: 1 }], uses, now),
    [{ operationId: "getPet", look: "now", text: `getPet answers 100 % of its calls with 410 now: ${who}` }]);
  const past = Date.parse("2031-01-01");
  const other = { ...getPet, operationId: "other" };
  const asNow = "calls are answered as now";
  assert.equal(verdict([getPet], uses, now, now + 1), asNow);
  assert.equal(verdict([getPet, other], uses, now, past), "2 operations answer 410 to 3 clients");
  assert.equal(verdict([getPet], [use("x", 1)], past, now), "getPet answers 1 client again");
  assert.equal(verdict([getPet], undefined, now, past), "getPet answers 410");
  assert.equal(verdict([getPet], uses, past, past + 1), asNow);
  assert.equal(verdict([open], uses, now, past), "getPet still answers");
  assert.equal(verdict([open, { ...open, operationId: "other" }], uses, now, past), "2 operations still answer");
  const from = Date.parse(browned.deprecatedSince);
  assert.equal(verdict([browned], uses, now, from), asNow);
  assert.equal(verdict([browned], uses, from - 1, from), "getPet answers 50 % with 410");
  assert.equal(verdict([browned], uses, now, from - 1), "getPet answers all its calls");
  assert.equal(verdict([browned, { ...open, operationId: "most" }], uses, now, past), "2 operations still answer");
  assert.deepEqual(textsOf([browned], uses, from - 1), [`${would}: ${who}`]);
  assert.deepEqual(textsOf([{ ...browned, sunset: undefined }], uses, from - 1), []);
  assert.deepEqual(passed([browned], 0, now).map(({ text }) => text),
    ["From 2026-01-01 getPet is deprecated; brown-outs begin."]);
  const early = { ...getPet, operationId: "other", sunset: "2029-12-31" };
  assert.deepEqual(breaks([{ ...open, sunset: "2028-01-01" }, getPet, early], uses, Date.parse("2030-01-01"))
    .map(({ look }) => look), ["now", "then", "if"]);
  assert.match(textsOf([getPet, early, { ...early, sunset: undefined }], uses, now)[0],
    /^On 2029-12-31 the sunset of other breaks one client: x/);
  const gone = { ...early, sunset: "2026-12-31" };
  assert.equal(verdict([gone, getPet, { ...getPet, operationId: "more" }], uses, now, past),
    "2 operations also answer 410 to 2 clients");
  assert.equal(verdict([gone, getPet], uses, now, past), "getPet also answers 410 to 2 clients");
  assert.deepEqual(textsOf([getPet], ["a", "b", "c", "d", "e"].map((name) => use(name, 1)), past),
    ["getPet answers 410 now. Its callers so far: a (1 call), b (1), c (1), d (1), e (1)."]);
  assert.deepEqual(textsOf([getPet], ["a", "b", "c", "d", "e", "f"].map((name) => use(name, 1)), past),
    ["getPet answers 410 now. Its callers so far: a (1 call), b (1), c (1), d (1) and 2 more."]);
  assert.deepEqual(textsOf([{ ...getPet, sunset: "2030-12-31T18:30:00Z" }], [use("a", 1)], now),
    ["On 2030-12-31 18:30 the sunset of getPet breaks one client: a (1 call)."]);
  const way = (from, to) => passed([getPet], Date.parse(from), Date.parse(to)).map(({ text }) => text);
  assert.deepEqual(way("2025-01-01", "2031-01-01"),
    ["From 2026-01-01 getPet is deprecated.", "From 2030-12-31 getPet answers 410."]);
  assert.deepEqual(way("2031-01-01", "2025-01-01"),
    ["Before 2030-12-31 getPet does not answer 410.", "Before 2026-01-01 getPet is not deprecated."]);
  assert.deepEqual(passed([early, getPet, other, { ...browned, operationId: "most" }], now, past), [
    { text: "From 2029-12-31 other answers 410; from 2030-12-31 getPet and other.", gone: true },
    { text: "From 2030-12-31 most is past its sunset; brown-outs continue.", gone: false },
  ]);
});

test("what many events ask for is done at once, and once more after a pause", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let times = 0;
  const act = paced(() => times++, 500);
  act();
  assert.equal(times, 1);
  t.mock.timers.tick(500);
  assert.equal(times, 1);
  act();
  act();
  act();
  assert.equal(times, 2);
  t.mock.timers.tick(500);
  assert.equal(times, 3);
  t.mock.timers.tick(5000);
  assert.equal(times, 3);
});

test("what can wait is done once for all", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let times = 0;
  const act = later(() => times++, 200);
  act();
  act();
  assert.equal(times, 0);
  t.mock.timers.tick(200);
  assert.equal(times, 1);
  act();
  t.mock.timers.tick(200);
  assert.equal(times, 2);
});

test("a snapshot is offered a name that is free, and any text becomes one", () => {
  assert.equal(offered([]), "snapshot-1");
  assert.equal(offered(["snapshot-2", "lesson-9", "snapshot-x"]), "snapshot-3");
  assert.deepEqual(["Lesson 2", "..", "before checkout!", "vor Änderung", "日"].map(nameOf),
    ["lesson-2", "", "before-checkout-", "vor-anderung", ""]);
  assert.equal(nameOf(nameOf("bad name/") + "é"), "bad-name-e"); // as it is typed
});

test("what is in a file that replaces the sandbox", () => {
  const world = { format: 1, generated: { pets: 3 }, state: { pets: [{ id: 2 }, { id: 9 }], removed: { pets: [1] } },
    faults: [{ times: 2, applied: 1 }, { times: 2, applied: 2 }], clock: { now: "2031-02-01T00:03:40.5Z", frozen: true } };
  const { what, counts } = contentsOf("w.json", JSON.stringify(world));
  assert.equal(counts.clock, "2031-02-01 00:03:40, frozen");
  const clock = { now: new Date(Date.now() - 120_000).toISOString() };
  assert.match(contentsOf("w.json", JSON.stringify({ format: 1, clock })).counts.clock, /, 2 min behind$/);
  assert.deepEqual([what, counts.pets, counts["fault rules"], counts.snapshots], ["world", 3, 1, 0]);
  assert.equal(contentsOf("s.json", '{"pets": [{}], "inventory": [], "next": {}}').counts.pets, 1);
  const now = { pets: [{ id: 1, name: "a" }, { id: 2, name: "b" }], inventory: [{ petId: 1, quantity: 3 }] };
  assert.equal(differenceOf(now, { ...now, pets: [now.pets[1], { name: "a", id: 1 }] }),
    "Its records are the same as now.");
  assert.equal(differenceOf(now, { pets: [{ id: 1, name: "c" }, { id: 3, name: "d" }],
    inventory: [{ petId: 1, quantity: 4 }, { petId: 3, quantity: 1 }] }), "Records: 1 added, 2 changed, 1 removed.");
  const mine = { seed: 1, generated: { pets: 3 }, state: { pets: [{ id: 4, name: "c" }], removed: { pets: [1] } } };
  const [pet] = mine.state.pets;
  assert.equal(differenceOfWorlds(mine, { ...mine, state: { pets: [pet], removed: { pets: [2] } } }),
    "2 records differ from now.");
  assert.equal(differenceOfWorlds(mine, { ...mine, operations: {} }),
    "Its records are the same as now. Its lifecycles differ.");
  assert.equal(differenceOfWorlds(mine, { ...mine, seed: 2 }), "Its baseline is another one.");
  for (const [text, wrong] of [["x", /is not JSON/], ["[]", /neither a whole sandbox nor data/], ["{}", /no pets/],
    ['{"log": {}}', /HTTP Archive/],
    ['{"categories": [{"id": 1}], "pets": [{"id": 7, "categoryId": 1}, {"id": 8, "categoryId": 99}]}',
      /^Error: pets\[1\]\.categoryId: there is no category with id 99\. Add it to the file, or change the id\.$/],
    ['{"hello": 1}', /“hello” is none of/]]) {
    assert.throws(() => contentsOf("f", text), wrong);
  }
  assert.throws(() => contentsOf("shop.yaml", "pets: []"), /^Error: It is not JSON.$/);
  assert.throws(() => contentsOf("shop.json", '{\n"pets"]'), /^Error: It is not JSON: line 2 is wrong.$/);
  assert.throws(() => contentsOf("shop.json", "{"), /^Error: It is not JSON: (line 1|it ends in the middle)/);
});

test("commands stand in groups, the best first", () => {
  const command = (text, group) => ({ text, group });
  const all = [command("Go to Data", "Go to"), command("Reset the sandbox…", "Sandbox"), command("Go to the docs", "Go to")];
  assert.deepEqual(groupsOf(all).map(({ name, commands }) => [name, commands.length]), [["Go to", 2], ["Sandbox", 1]]);
  assert.deepEqual(ranked(all, "go docs").map(({ text }) => text), ["Go to the docs"]);
  const more = [command("Redo", "A"), command("Do", "A"), { text: "Normal", also: "do latency" }];
  assert.deepEqual(ranked(more, "do").map(({ text }) => text), ["Do", "Normal", "Redo"]);
  const views = [{ text: "Time", also: "sunset" }, command("Travel to the day after the sunset", "Time")];
  assert.equal(ranked(views, "sun")[0].text, "Travel to the day after the sunset");
  const near = ["Request", "Reset", "Restore", "First", "Test"].map((text) => command(text, "A"));
  assert.deepEqual(ranked(near, "rest").map(({ text }) => text), ["Restore", "Reset", "Request"]);
  assert.deepEqual(ranked(near, "rt"), []);
  const named = ["Sandbox grace hopper", "Sandbox grace", "Restore “grace”"].map((text) => command(text, "A"));
  assert.deepEqual(ranked(named, "grace").map(({ text }) => text), ["Sandbox grace", "Restore “grace”", "Sandbox grace hopper"]);
});

test("the value to be fixed is found in the body", () => {
  const text = JSON.stringify({ name: "", "a\"b": 1, tags: [{ id: "x, y" }] }, null, 2);
  const found = (field) => text.slice(...placeOf(text, field));
  assert.deepEqual(["/name", "/tags/0/id", '/a"b', "/none", ""].map(found), ['""', '"x, y"', "1", "", ""]);
  const errors = ["/none", "/tags/0/id", "/name"].map((field) => ({ field, message: "" }));
  assert.deepEqual(inOrder(errors, text).map(({ field }) => field), ["/name", "/tags/0/id", "/none"]);
});

test("without a clock of the sandbox, the sunset has its date alone, until a response says more", () => {
  const said = (sunset, heard) => warnings({ deprecated: true, "x-sunset": sunset }, undefined, new Date(), heard);
  assert.deepEqual(said("2030-12-31"), ["Deprecated.", "Sunset on 2030-12-31."]);
  assert.deepEqual(said(undefined), ["Deprecated.", "No sunset date is set."]);
  assert.deepEqual(said("2030-12-31", "getPet was to be removed"), ["getPet was to be removed."]);
});

test("an Undo keeps the rules that others have added since, and revives none that they have deleted", () => {
  const [one, two, three, four] = [1, 2, 3, 4].map((id) => ({ id }));
  assert.deepEqual(undone([one, two], [], [three]), [one, two, three]); // after the list was cleared
  assert.deepEqual(undone([one, two], [two, one], [two]), [two]);
  const other = { id: 1, status: 418 }; // a new rule after a reset
  assert.deepEqual(undone([one, two], [two], [other, two]), [other, two]);
  assert.deepEqual(undone([one, two], [three, one, two], [four, three, one, two]), [one, two, four]);
});

test("how many requests are older and no longer kept follows the newest, not the summary", () => {
  const state = (/** @type {number} */ newest) => ({
    entries: Array.from({ length: 1000 }, (_, i) => ({ id: newest - i })), older: 0, first: 11,
  });
  const summary = { journal: { entries: 1500, dropped: 500 } };
  assert.deepEqual(olderKept(state(2010), summary), { older: 500, gone: 500 });
  assert.deepEqual(olderKept(state(2040), summary), { older: 500, gone: 530 });
  assert.deepEqual(olderKept(state(1540), { journal: { entries: 1500, dropped: 0 } }), { older: 530, gone: 0 });
  assert.deepEqual(olderKept({ ...state(2040), first: undefined }, summary), { older: 500, gone: 500 });
});

test("namesakes have the numbers of their stores, and the one who was first has none", () => {
  const names = (...all) => all.map(([name]) => called(name, all.map(([name, title]) => ({ name, title }))));
  assert.deepEqual(names(["bela", "Bela"], ["ada", "Ada"]), ["Bela", "Ada"]);
  assert.deepEqual(names(["bela-2", "Bela"], ["bela", "Bela"]), ["Bela · 2", "Bela"]);
  assert.deepEqual(names(["bela-10", "Bela"], ["bela-2", "Bela"], ["bela-3", "bela"]), ["Bela · 10", "Bela", "bela · 3"]);
  assert.deepEqual(names(["zoe", "Zoe\u0301"], ["zoe-2", "Zoé"]), ["Zoe\u0301", "Zoé · 2"]); // they look alike
  assert.deepEqual(names(["x", "Bela"], ["bela", "Bela"]), ["Bela", "Bela (bela)"]);
  assert.equal(called("gone", []), "gone");
});

test("the whole wall is as large as its tiles, which all have room", () => {
  Object.assign(globalThis, { innerWidth: 1920, innerHeight: 1080 });
  assert.equal(pageSize(12).scale, 1.5);
  const { scale, width, height } = pageSize(40);
  const { "--columns": columns, "--tall": tall } = tileSizes(40, 40);
  assert.ok(scale > 1.1 && scale < 1.2, `${scale}`);
  assert.ok(columns === 8 && (width - 32) / columns - 8 >= 199.9, `${columns} columns of ${width} px`);
  assert.ok(113 + 5 * (tall + 8) <= height, `5 rows of ${tall} px in ${height} px`);
  assert.deepEqual(tileSizes(40, 4), { "--columns": 4, "--tall": 216 }); // four of them match a filter
  assert.deepEqual([1, 6, 39].map((shown) => tileSizes(40, shown)["--columns"]), [3, 3, 8]);
  assert.equal(tileSizes(40, 39)["--tall"], tall);
  assert.deepEqual(tileSizes(3, 3), { "--columns": 3, "--tall": 280 }); // one row above how to join
  assert.equal(tileSizes(40, 40, true)["--columns"], 6); // beside a drawer
});

test("a call whose response has no end is read as it comes", () => {
  const call = { method: "GET", path: "events", stream: true };
  for (const [language, text] of Object.entries({
    curl: "curl -sN ", fetch: "for await (const part of text)", Python: "stream=True,\n)\nfor line in",
    Go: "io.Copy(os.Stdout, response.Body)", Java: "ofLines());\nresponse.body().forEach(", PowerShell: "curl.exe -sN ",
  })) {
    assert.ok(scriptOf(call, language).includes(text), language);
    assert.ok(!scriptOf({ ...call, stream: false }, language).includes(text), language);
  }
});

test("an owner's document leaves out what needs the admin key", () => {
  const admin = [{ adminKey: [] }];
  const paths = { "/a": { parameters: [], get: { security: [...admin, { sandboxKey: [] }] }, put: { security: admin } }, "/b": { get: {} } };
  const info = { description: "All.\n\n## Access\n\nBy a key.\n\n## Tests\n\nReset it." };
  const own = forOwner({ info, paths: { ...paths, "/join": { post: {} } } });
  assert.deepEqual(own.paths, { "/a": { parameters: [], get: paths["/a"].get }, "/b": { get: {} } });
  assert.equal(own.info.description, "All.\n\n## Tests\n\nReset it.");
});
