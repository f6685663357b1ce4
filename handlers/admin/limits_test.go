package admin_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/webhook"
)

// limitScenarios returns scenarios of values at a limit and beyond it. The
// transcripts have the other scenarios.
func limitScenarios() []Scenario {
	return slices.Concat(faultLimits(), worldLimits(), []Scenario{
		Refused("a snapshot too many", Put("/admin/snapshots/one", ""), 507, "sandbox_full").
			After(numbered(sandbox.MaxSnapshots, "/admin/snapshots/s", "")...),
		has("a snapshot in place of one of many", Put("/admin/snapshots/s7", ""), 200, `"name":"s7"`).
			After(numbered(sandbox.MaxSnapshots, "/admin/snapshots/s", "")...),
		Refused("a snapshot with a long name", Put("/admin/snapshots/"+strings.Repeat("a", 64), ""),
			400, "invalid_parameter", "snapshotName"),
		Refused("a webhook too many", Put(anyHook, quietHook), 507, "sandbox_full").
			After(numbered(webhook.MaxHooks, "/admin/webhooks/h", quietHook)...),
		has("a webhook in place of one of many", Put("/admin/webhooks/h3", quietHook), 200, `"name":"h3"`).
			After(numbered(webhook.MaxHooks, "/admin/webhooks/h", quietHook)...),
		Refused("a webhook with a long address",
			Put(anyHook, `{"url": "http://127.0.0.1/`+strings.Repeat("a", 2048)+`"}`),
			400, "validation_failed", "/url"),
		Refused("a webhook with too many events",
			Put(anyHook, `{"url": "http://127.0.0.1:9/", "events": [`+strings.Repeat(`"*", `, 20)+`"*"]}`),
			400, "validation_failed", "/events"),
		has("a delivery sent again", Post(deliveries+"/1/resend", ""), 202, `"id":1,`, `"event":"category.deleted",`,
			`{"type":"category.deleted","timestamp":"2026-07-01T12:00:00Z","data":{"id":5}}`, `"state":"pending"`).
			After(Put(anyHook, quietHook), Post("/categories", `{"name": "Mice"}`), Delete("/categories/5")),
		Refused("a sandbox with a long name", Put("/admin/sandboxes/"+strings.Repeat("a", 201), ""),
			400, "invalid_parameter", "sandboxName"),
		has("a sandbox of a random name", Post("/admin/sandboxes", `{"seed": 3, "pets": 4, "orders": 2}`), 201,
			`"seed":3,"counts":{"pets":4,"categories":8,"orders":2,`),
		Refused("a sandbox of a random name and too much data", Post("/admin/sandboxes", `{"pets": 2000000}`),
			507, "sandbox_full"),
		Refused("a sandbox of a random name after the day", Post("/admin/sandboxes", ""), 409, "conflict").
			On(workshop).After(Post("/admin/workshop/end", "")),
		Refused("a sandbox of another replica", Put("/admin/sandboxes/ada.one", ""),
			404, "unknown_sandbox").On(sharded),
		Refused("a copy for another replica", Post("/admin/sandboxes/ada.two/fork", `{"name": "ada.one"}`),
			404, "unknown_sandbox").On(sharded).After(Put("/admin/sandboxes/ada.two", "")),
		Refused("a sandbox with a long key", Put("/admin/sandboxes/ada", `{"key": "`+strings.Repeat("k", 201)+`"}`),
			400, "validation_failed", "/key"),
		Refused("a baseline with too many records",
			Put("/admin/state?baseline=true", `{"categories": `+many(Baseline().Records()+3, fish)+`}`),
			507, "sandbox_full").On(roomy),
		has("a baseline with as many records as can be",
			Put("/admin/state?baseline=true", `{"categories": `+many(Baseline().Records()+2, fish)+`}`),
			200, fmt.Sprintf(`"pets":0,"categories":%d,`, Baseline().Records()+2), `"undoable":1,`).On(roomy),
		Refused("a successor that is too long",
			SetLifecycle("getPet", `{"deprecated": true, "successor": "/`+strings.Repeat("x", 1000)+`"}`),
			400, "validation_failed", "/successor"),
		has("a long successor",
			SetLifecycle("getPet", `{"deprecated": true, "successor": "/`+strings.Repeat("x", 999)+`"}`), 200, `xxx"`),
		has("a long title", Put("/admin/workshop", `{"title": "`+strings.Repeat("é", 100)+`"}`), 200,
			strings.Repeat("é", 100)).On(workshop),
		Refused("too long a title", Put("/admin/workshop", `{"title": "`+strings.Repeat("é", 101)+`"}`),
			400, "validation_failed", "/title").On(workshop),
		Refused("an attendee with a long name", join(strings.Repeat("a", 201)),
			400, "validation_failed", "/name").On(workshop),
		has("an empty body in chunks", Request{Method: "POST", Path: "/admin/undo", Chunked: true}, 200, `"pets":5,`).
			After(Delete("/pets/1")),
		Refused("a body in chunks, of text", Request{Method: "POST", Path: "/admin/undo", Chunked: true, Body: "x",
			Header: map[string][]string{"Content-Type": {"text/plain"}}}, 415, "unsupported_media_type"),
		Refused("a body that is too large when it comes",
			Request{Method: "POST", Path: "/admin/reset", Body: strings.Repeat(" ", 4<<10+1), Chunked: true},
			413, "payload_too_large").After(Delete("/pets/1")),
	})
}

// has returns a scenario of a response that has these texts.
func has(name string, r Request, status int, texts ...string) Scenario {
	return Scenario{Name: name, Request: r, Status: status, Check: func(t *testing.T, a *Answer) {
		t.Helper()
		for _, text := range texts {
			if !strings.Contains(string(a.Body), text) {
				t.Errorf("%s lacks %s", a.Body, text)
			}
		}
	}}
}

// roomy allows two records more than those of the baseline.
func roomy(c *handlers.Config) { c.MaxRecords = 2 }

// numbered returns requests that set n things whose names end in a number.
func numbered(n int, path, body string) []Request {
	all := make([]Request, n)
	for i := range all {
		all[i] = Put(fmt.Sprint(path, i), body)
	}
	return all
}

// many returns a JSON array of n values.
func many(n int, one func(i int) string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = one(i)
	}
	return "[" + strings.Join(all, ",") + "]"
}

func fish(i int) string { return fmt.Sprintf(`{"id": %d, "name": "Fish"}`, i+1) }

func sharded(c *handlers.Config) { c.Replica, c.Sharded = "two", true }

func faultLimits() []Scenario {
	replace := func(body string) Request { return Put("/admin/faults", body) }
	add := func(body string) Request { return Post("/admin/faults", body) }
	long := func(bytes int) string { // returns a rule of that many bytes, most of them in one header
		return `{"status": 503, "headers": {"X-Long": "` + strings.Repeat("x", bytes-768-128-len("X-Long")) + `"}}`
	}
	largest, larger := long(64<<10), long(64<<10+1)
	made := func(id string) string { return strings.TrimSuffix(largest, "}") + `, "id": ` + id + `, "applied": 0}` }
	hang := add(`{"abort": "hang", "match": {"path": "/store/orders"}}`)
	flags := func(c *handlers.Config) {
		c.Latency, c.ErrorRate = handlers.Latency{Min: time.Millisecond, Max: 3 * time.Millisecond}, 0.25
	}
	return []Scenario{
		Answered("faults of the flags", Get("/admin/faults"), 200,
			`[{"id": 3, "applied": 0, "abort": "hang", "match": {"path": "/store/orders"}},
				{"id": 1, "applied": 0, "probability": 0.25, "delay": {"fixedMs": 1, "jitterMs": 2}, "status": 503},
				{"id": 2, "applied": 0, "delay": {"fixedMs": 1, "jitterMs": 2}}]`).On(flags).After(hang),
		Answered("replace the faults of the flags", replace(`[{"status": 418}, {}]`), 200,
			`[{"id": 4, "applied": 0, "status": 418}, {"id": 5, "applied": 0}]`).On(flags).After(hang),
		Refused("add one too many", add(`{}`), 507, "sandbox_full").
			After(replace("[" + strings.Repeat("{},", 999) + "{}]")),
		Refused("replace by too many", replace("["+strings.Repeat("{},", 1000)+"{}]"), 507, "sandbox_full"),
		Answered("add the largest", add(largest), 201, made("1")),
		Refused("add one too large", add(larger), 413, "payload_too_large"),
		Refused("add more than all may be", add(`{}`),
			507, "sandbox_full").After(slices.Repeat([]Request{add(largest)}, 16)...),
		Answered("add another where large ones were cleared", add(largest), 201, made("17")).
			After(append(slices.Repeat([]Request{add(largest)}, 16), Delete("/admin/faults"))...),
		Answered("replace by the largest", replace("["+largest+"]"), 200, "["+made("1")+"]"),
		Refused("replace by one too large", replace("[{}, "+larger+"]"), 413, "payload_too_large").After(hang),
		Refused("replace by more than all may be", replace("["+strings.Repeat(largest+",", 16)+"{}]"),
			507, "sandbox_full"),
	}
}

func worldLimits() []Scenario {
	world := func(parts string) Request { return Put("/admin/world", `{"format": 1, `+parts+`}`) }
	of := func(parts string) Request { return world(`"baseline": {}, "state": {}, ` + parts) }
	snapshot := func(i int) string {
		return fmt.Sprintf(`{"name": "s%d", "createdAt": "2026-01-01T00:00:00Z", "state": {}}`, i)
	}
	rule := func(int) string { return `{"status": 503}` }
	longRule := func(int) string {
		return `{"status": 503, "headers": {"X-Long": "` + strings.Repeat("x", 60_000) + `"}}`
	}
	generated := func(sizes string) Request {
		return world(`"generator": "` + fixtures.Generator + `", "seed": 7, "generated": ` + sizes + `, "state": {}`)
	}
	over := func(name string, r Request) Scenario {
		return Refused("world, "+name, r, 507, "sandbox_full").On(roomy)
	}
	tooMany := many(Baseline().Records()+3, fish)
	return []Scenario{
		has("world, generated", generated(`{"pets": 2, "categories": 1, "orders": 0}`), 200, `"seed":7,`,
			`"pets":2,"categories":1,"orders":0,`),
		Refused("world, generated pets without categories", generated(`{"pets": 1, "categories": 0, "orders": 0}`),
			400, "validation_failed", "/generated/categories"),
		over("too many generated", generated(`{"pets": 1000000, "categories": 1, "orders": 0}`)),
		over("too many snapshots", of(`"snapshots": `+many(sandbox.MaxSnapshots+1, snapshot))),
		over("too many faults", of(`"faults": `+many(600, rule)+`, "serverFaults": `+many(401, rule))),
		over("too many faults, and the next id of fewer", of(`"faults": `+many(1001, rule)+`, "nextFault": 2`)),
		over("faults that are too long", of(`"faults": `+many(18, longRule))),
		Refused("world, a fault that is too long",
			of(`"faults": [{"status": 503, "headers": {"X-Long": "`+strings.Repeat("x", 64<<10)+`"}}]`),
			413, "payload_too_large"),
		over("baseline with too many records", world(`"baseline": {"categories": `+tooMany+`}, "state": {}`)),
		over("state with too many records", world(`"baseline": {}, "state": {"categories": `+many(3, fish)+`}`)),
		over("snapshot with too many records",
			of(`"snapshots": [{"name": "a", "createdAt": "2026-01-01T00:00:00Z", `+
				`"state": {"categories": `+tooMany+`}}]`)),
		has("world, as many as can be",
			of(`"snapshots": `+many(sandbox.MaxSnapshots, snapshot)+`, "faults": `+many(1000, rule)), 200,
			`"faults":1000,`, `"snapshots":100,`),
	}
}
