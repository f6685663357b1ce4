package admin_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
)

func TestFaults(t *testing.T) { RunScenarios(t, faultScenarios()) }

func faultScenarios() []Scenario {
	const full = `{"match": {"operationId": "createPet", "method": "POST", "path": "/pets", "headers": {"X-Client": "web"}},
		"probability": 0.3, "times": 2, "delay": {"fixedMs": 200, "jitterMs": 100}, "status": 503, "code": "unavailable",
		"message": "later", "headers": {"Retry-After": "1"}, "when": "after"%s}`
	replace := func(body string) Request { return Put("/admin/faults", body) }
	add := func(body string) Request { return Post("/admin/faults", body) }
	list, clearing := Get("/admin/faults"), Delete("/admin/faults")
	long := func(bytes int) string { // returns a rule of that many bytes, most of them in one header
		return `{"status": 503, "headers": {"X-Long": "` + strings.Repeat("x", bytes-768-128-len("X-Long")) + `"}}`
	}
	largest, larger := long(64<<10), long(64<<10+1)
	two := []Request{add(`{"status": 500}`), add(`{"abort": "hang", "match": {"path": "/store/orders"}}`)}
	flags := func(c *handlers.Config) {
		c.Latency, c.ErrorRate = handlers.Latency{Min: time.Millisecond, Max: 3 * time.Millisecond}, 0.25
	}
	invalid := func(r Request, fields ...string) Scenario {
		return Refused(r.Method+" "+r.Body, r, 400, "validation_failed", fields...)
	}
	return []Scenario{
		Answered("faults", list,
			200,
			`[{"id": 1, "applied": 0, "status": 500}, {"id": 2, "applied": 0, "abort": "hang", `+
				`"match": {"path": "/store/orders"}}]`).After(two...),
		Answered("faults of the flags", list, 200,
			`[{"id": 3, "applied": 0, "abort": "hang", "match": {"path": "/store/orders"}},
				{"id": 1, "applied": 0, "probability": 0.25, "delay": {"fixedMs": 1, "jitterMs": 2}, "status": 503},
				{"id": 2, "applied": 0, "delay": {"fixedMs": 1, "jitterMs": 2}}]`).On(flags).After(two[1:]...),
		Answered("faults of another sandbox", InSandbox("ada", list),
			200, `[]`).After(append(two, Put("/admin/sandboxes/ada", ""))...),
		{Name: "add", Request: add(fmt.Sprintf(full, "")), Status: 201,
			Want:    fmt.Sprintf(full, `, "id": 1, "applied": 0`),
			Headers: http.Header{"Location": {"/admin/faults/1"}}},
		{Name: "add by the path prefix",
			Request: Post("/sandboxes/ada/admin/faults", `{"delay": {"p50Ms": 1, "p99Ms": 2}}`), Status: 201,
			Want:    `{"id": 1, "applied": 0, "delay": {"p50Ms": 1, "p99Ms": 2}}`,
			Headers: http.Header{"Location": {"/sandboxes/ada/admin/faults/1"}}},
		Answered("add a second", add(`{}`), 201, `{"id": 2, "applied": 0}`).After(two[1:]...),
		Answered("add what was listed", add(`{"id": 9, "applied": 8, "abort": "truncate"}`),
			201, `{"id": 1, "applied": 0, "abort": "truncate"}`),
		Refused("add nothing", Post("/admin/faults", "").With("Content-Type", "application/json"), 400, "invalid_json"),
		Refused("add one too many", add(`{}`), 507, "sandbox_full").
			After(replace("[" + strings.Repeat("{},", 999) + "{}]")),
		Answered("add the largest", add(largest), 201, strings.TrimSuffix(largest, "}")+`, "id": 1, "applied": 0}`),
		Refused("add one too large", add(larger), 413, "payload_too_large"),
		Refused("add more than all may be", add(`{}`),
			507, "sandbox_full").After(slices.Repeat([]Request{add(largest)}, 16)...),
		Answered("add another where large ones were cleared", add(largest),
			201, strings.TrimSuffix(largest, "}")+`, "id": 17, "applied": 0}`).
			After(append(slices.Repeat([]Request{add(largest)}, 16), clearing)...),
		Answered("replace by the largest", replace("["+largest+"]"),
			200, "["+strings.TrimSuffix(largest, "}")+`, "id": 1, "applied": 0}]`),
		Refused("replace by one too large", replace("[{}, "+larger+"]"), 413, "payload_too_large").After(two...),
		Refused("replace by more than all may be", replace("["+strings.Repeat(largest+",", 16)+"{}]"),
			507, "sandbox_full"),
		invalid(add(`{"abort": "", "when": "", "match": {"operationId": "", "method": "", "path": ""}}`),
			"/match/operationId", "/match/method", "/match/path", "/abort", "/when"),
		invalid(replace(`[{"when": "", "status": 503}]`), "/0/when"),
		invalid(add(`{"Status": 503}`), "/Status"),
		invalid(add(`{"status": "503", "match": {"paths": "/a"}, "probability": 2}`), "/match/paths", "/status",
			"/probability"),
		invalid(add(`{"match": {"operationId": "getPets"}}`), "/match/operationId"),
		invalid(add(`{"match": {"operationId": "getHealth"}}`), "/match/operationId"),
		invalid(add(`{"match": {"operationId": "getAdmin"}}`), "/match/operationId"),
		invalid(add(`{"status": 0, "times": 0}`), "/times", "/status"),
		invalid(add(`{"status": 503, "headers": {"Content-Type": "text/html", "X-A": "a\r\nb: c"}}`),
			"/headers/Content-Type", "/headers/X-A"),
		invalid(add(`{"match": {"headers": {"host": "petstore.test", "X-Host": "a"}}}`), "/match/headers/host"),
		invalid(
			add(`{"status": 503, "headers": {"content-length": "0", "Transfer-Encoding": "chunked", `+
				`"Connection": "close", "x-content-type-options": "", "X-A": "a"}}`),
			"/headers/Connection", "/headers/Transfer-Encoding", "/headers/content-length",
			"/headers/x-content-type-options"),
		Answered("replace", replace(`[{"status": 418}, {}]`),
			200, `[{"id": 5, "applied": 0, "status": 418}, {"id": 6, "applied": 0}]`).On(flags).After(two...),
		Answered("replace some that stay", replace(`[{"status": 418}, {"id": 2}, {"id": 2}, {"id": 9}]`), 200,
			`[{"id": 3, "applied": 0, "status": 418}, {"id": 2, "applied": 0}, {"id": 4, "applied": 0}, {"id": 5, `+
				`"applied": 0}]`).
			After(add(`{}`), add(`{}`), Get("/pets")),
		Answered("replace by those of before", replace(`[{"id": 2}, {"id": 1}]`), 200,
			`[{"id": 2, "applied": 0}, {"id": 1, "applied": 0}]`).After(append(two, clearing)...),
		Answered("replace by none", replace(`[]`), 200, `[]`).After(two...),
		invalid(replace(`[{}, {"status": 99, "x": 1}, null]`), "/1/x", "/2", "/1/status"),
		Refused("replace by too many", replace("["+strings.Repeat("{},", 1000)+"{}]"), 507, "sandbox_full"),
	}
}

// TestAdviceForBadFaults checks the advice for values in forms that are likely mistakes.
func TestAdviceForBadFaults(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for body, want := range map[string]string{
		`{"delay": 500}`: `delay: must be an object such as {"fixedMs": 500}, ` +
			`not a number`,
		`{"delay": "1.5s"}`: `delay: must be an object such as {"fixedMs": 1500}, ` +
			`not a string`,
		`{"delay": "250"}`: `delay: must be an object such as {"fixedMs": 250}, ` +
			`not a string`,
		`{"delay": "long"}`: `delay: must be an object such as {"fixedMs": 500}, ` +
			`not a string`,
		`{"delay": -7}`: `delay: must be an object such as {"fixedMs": 500}, ` +
			`not a number`,
		`{"delay": [200, 800]}`: `delay: must be an object such as {"fixedMs": 500}, ` +
			`not an array`,
		`{"delay": {"fixedMs": "5"}}`: `delay/fixedMs: must be an integer, not a string; ` +
			`leave out the quotes`,
		`{"status": "503"}`: `status: must be an integer, not a string; ` +
			`leave out the quotes`,
		`{"status": "bad"}`: `status: must be an integer, not a string`,
		`{"probability": "0.3"}`: `probability: must be a number, not a string; ` +
			`leave out the quotes`,
		`{"probability": "30%"}`:     `probability: must be a number, not a string`,
		`{"probability": 30}`:        `probability: must be from 0 to 1, not 30`,
		`{"match": "createPet"}`:     `match: must be an object such as {"operationId": "createPet"}, not a string`,
		`{"match": "no such"}`:       `match: must be an object such as {"operationId": "listPets"}, not a string`,
		`{"match": ["/pets"]}`:       `match: must be an object such as {"operationId": "listPets"}, not an array`,
		`{"abort": true}`:            `abort: must be reset, truncate or hang, not a boolean`,
		`{"abort": "drop"}`:          `abort: must be reset, truncate or hang, not "drop"`,
		`{"when": 1, "status": 500}`: `when: must be before or after, not a number`,
		`{"status": 503, "headers": {"Retry-After": 1}}`: `headers/Retry-After: must be a string, not a number; ` +
			`put it in quotes`,
		`{"status": 503, "headers": ["Retry-After: 1"]}`: `headers: must be an object such as {"Retry-After": "1"}, ` +
			`not an array`,
		`{"match": {"headers": "X-Client: web"}}`: `match/headers: must be an object such as {"X-Client": "web"}, ` +
			`not a string`,

		`{"delay": {"fixedMs": 1, "jitterMs": 600000}}`: "delay/jitterMs: must be at most 599999 with this fixedMs, " +
			"since no delay can be longer than 600000 milliseconds",
	} {
		if got := w.Do(t, Post("/admin/faults", body)); got.Status != 400 ||
			!strings.HasPrefix(got.Problem(t).Message, want) {
			t.Errorf("%s: %d %s\nwant %s", body, got.Status, got.Body, want)
		}
	}
}
