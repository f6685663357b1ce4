package handlers_test

import (
	"net/http"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/config"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestFirstFaultAnswers checks which of two errors in one request the server reports, by the last
// rule of section 3 of the design. Each pair is named in the order of that rule.
func TestFirstFaultAnswers(t *testing.T) {
	keys := func(c *handlers.Config) { c.APIKeys, c.AdminKey = []string{"k1"}, "root" }
	strictKeys := func(c *handlers.Config) { Strict(c); keys(c) }
	past := At(config.DefaultSunset())
	pastKeys := func(c *handlers.Config) { past(c); keys(c) }
	full := func(c *handlers.Config) { c.MaxRecords = 1 }
	fill := []Request{Post("/store/orders", `{}`)}
	evil := http.Header{"Host": {"evil.example"}, "Origin": {"http://evil.example"}}
	notOne := http.Header{"X-Sandbox": {"*"}}
	oneSandbox := func(c *handlers.Config) { c.MaxSandboxes = 1 }
	oneSandboxKeys := func(c *handlers.Config) { oneSandbox(c); keys(c) }
	explicit := func(c *handlers.Config) { c.ExplicitSandboxes = true }
	explicitKeys := func(c *handlers.Config) { explicit(c); keys(c) }
	explicitFull := func(c *handlers.Config) { explicit(c); oneSandbox(c) }
	const unknown = "unknown_sandbox"
	slow := Limited(1) // its clock stands still
	slowKeys := func(c *handlers.Config) { slow(c); keys(c) }
	slowPast := func(c *handlers.Config) { slow(c); past(c) }
	slowStrict := func(c *handlers.Config) { slow(c); Strict(c) }
	one := []Request{Get("/pets")}
	faulty := []Request{Post("/admin/faults", `{"status": 503}`)}
	one503 := append(one, faulty...)
	faultyAfter := []Request{Post("/admin/faults", `{"status": 503, "when": "after"}`)}
	sandbox, tooMany, injected := []string{"X-Sandbox"}, "rate_limited", "unavailable"
	text := http.Header{"Content-Type": {"text/plain"}}
	with := func(h http.Header, name, value string) http.Header {
		h = h.Clone()
		if h == nil {
			h = make(http.Header)
		}
		h.Set(name, value)
		return h
	}
	stale := http.Header{"If-Match": {`"stale"`}}
	noTag := http.Header{"If-Match": {"stale"}}
	huge := repeat(" ", 1<<20) + "{}"
	const gone = `{"name": "Bello", "categoryId": 99}` // the category does not exist

	send := func(method, path string, header http.Header, body string) Request {
		return Request{Method: method, Path: path, Header: header, Body: body}
	}
	RunScenarios(t, []Scenario{
		{Name: "404 route, 403", Request: send("POST", "/admin/nowhere", evil, ""), Status: 404, Code: "not_found"},
		{Name: "404 route, 401", Config: keys, Request: send("GET", "/nowhere", nil, ""), Status: 404, Code: "not_found"},
		{Name: "404 route, injected", Request: send("GET", "/nowhere", Prefer("code=503"), ""), Status: 404, Code: "not_found"},
		{Name: "404 route, 415", Request: send("POST", "/nowhere", text, "x"), Status: 404, Code: "not_found"},
		{Name: "404 route, 413", Request: send("POST", "/nowhere", nil, huge), Status: 404, Code: "not_found"},
		{Name: "404 route, 400 parameter", Config: Strict, Request: send("GET", "/nowhere?limit=%zz", nil, ""), Status: 404, Code: "not_found"},
		{Name: "404 route, 400 sandbox", Request: send("GET", "/nowhere", notOne, ""), Status: 404, Code: "not_found"},
		{Name: "404 route, 400 sandbox prefix", Request: send("GET", "/sandboxes/*/nowhere", nil, ""), Status: 404, Code: "not_found"},
		{Name: "404 route, 503 sandbox", Config: oneSandbox, Request: InSandbox("ada", send("GET", "/nowhere", nil, "")), Status: 404, Code: "not_found"},
		{Name: "404 route, 429", Config: slow, Before: one, Request: send("GET", "/nowhere", nil, ""), Status: 404, Code: "not_found"},
		{Name: "404 route, fault", Before: faulty, Request: send("GET", "/nowhere", nil, ""), Status: 404, Code: "not_found"},
		{Name: "405, 400 sandbox", Request: send("DELETE", "/pets", notOne, ""), Status: 405, Code: "method_not_allowed"},
		{Name: "405, 503 sandbox", Config: oneSandbox, Request: InSandbox("ada", send("DELETE", "/pets", nil, "")), Status: 405, Code: "method_not_allowed"},
		{Name: "405, 429", Config: slow, Before: one, Request: send("DELETE", "/pets", nil, ""), Status: 405, Code: "method_not_allowed"},
		{Name: "400 sandbox, 503 sandbox", Config: oneSandbox, Request: send("GET", "/sandboxes/ada/pets", notOne, ""), Status: 400, Code: "invalid_parameter", Fields: sandbox},
		{Name: "400 sandbox, 403", Request: send("POST", "/admin/reset", with(evil, "X-Sandbox", "*"), ""), Status: 400, Code: "invalid_parameter", Fields: sandbox},
		{Name: "400 sandbox, 401", Config: keys, Request: send("GET", "/pets", notOne, ""), Status: 400, Code: "invalid_parameter", Fields: sandbox},
		{Name: "400 sandbox, injected", Request: send("GET", "/pets", with(notOne, "Prefer", "code=503"), ""), Status: 400, Code: "invalid_parameter", Fields: sandbox},
		{Name: "400 sandbox, 410", Config: past, Request: send("GET", "/pets/1", notOne, ""), Status: 400, Code: "invalid_parameter", Fields: sandbox},
		{Name: "400 sandbox, 415", Request: send("POST", "/pets", with(notOne, "Content-Type", "text/plain"), "x"), Status: 400, Code: "invalid_parameter", Fields: sandbox},
		{Name: "400 sandbox, 413", Request: send("POST", "/pets", notOne, huge), Status: 400, Code: "invalid_parameter", Fields: sandbox},
		{Name: "400 sandbox, 404", Request: send("GET", "/pets/99", notOne, ""), Status: 400, Code: "invalid_parameter", Fields: sandbox},
		{Name: "400 sandbox of health", Request: send("GET", "/healthz", notOne, ""), Status: 400, Code: "invalid_parameter", Fields: sandbox},
		{Name: "400 sandbox of a page", Request: send("GET", "/docs/", notOne, ""), Status: 400, Code: "invalid_parameter", Fields: sandbox},
		{Name: "503 sandbox, 403", Config: oneSandbox, Request: send("POST", "/admin/reset", with(evil, "X-Sandbox", "ada"), ""), Status: 503, Code: "sandbox_limit_reached"},
		{Name: "503 sandbox, 401", Config: oneSandboxKeys, Request: send("GET", "/sandboxes/ada/pets", nil, ""), Status: 503, Code: "sandbox_limit_reached"},
		{Name: "503 sandbox, 415", Config: oneSandbox, Request: send("POST", "/sandboxes/ada/pets", text, "x"), Status: 503, Code: "sandbox_limit_reached"},
		{Name: "503 sandbox, 400 parameter", Config: oneSandbox, Request: send("GET", "/sandboxes/ada/pets?limit=0", nil, ""), Status: 503, Code: "sandbox_limit_reached"},
		{Name: "404 route, 404 sandbox", Config: explicit, Request: InSandbox("ada", send("GET", "/nowhere", nil, "")), Status: 404, Code: "not_found"},
		{Name: "405, 404 sandbox", Config: explicit, Request: InSandbox("ada", send("DELETE", "/pets", nil, "")), Status: 405, Code: "method_not_allowed"},
		{Name: "400 sandbox, 404 sandbox", Config: explicit, Request: send("GET", "/sandboxes/ada/pets", notOne, ""), Status: 400, Code: "invalid_parameter", Fields: sandbox},
		{Name: "404 sandbox, 503 sandbox", Config: explicitFull, Request: send("GET", "/sandboxes/ada/pets", nil, ""), Status: 404, Code: unknown},
		{Name: "404 sandbox, 403", Request: send("GET", "/admin", with(evil, "X-Sandbox", "ada"), ""), Status: 404, Code: unknown},
		{Name: "404 sandbox, injected", Config: explicit, Request: InSandbox("ada", send("GET", "/pets?limit=0", nil, "")), Status: 404, Code: unknown},
		{Name: "404 sandbox, 415", Config: explicit, Request: send("POST", "/sandboxes/ada/pets", text, "x"), Status: 404, Code: unknown},
		{Name: "404 sandbox, 413", Config: explicit, Request: send("POST", "/sandboxes/ada/pets", nil, huge), Status: 404, Code: unknown},
		{Name: "401, 404 sandbox", Config: explicitKeys, Request: send("GET", "/sandboxes/ada/pets", nil, ""), Status: 401, Code: "unauthorized"},
		{Name: "401 admin, 404 sandbox", Config: keys, Request: send("GET", "/sandboxes/ada/admin", nil, ""), Status: 401, Code: "unauthorized"},
		{Name: "404 sandbox, 400 id", Config: explicitKeys, Request: send("GET", "/sandboxes/ada/pets/x", Authorization("Bearer k1"), ""), Status: 404, Code: unknown},
		{Name: "405, 403", Request: send("DELETE", "/admin/reset", evil, ""), Status: 405, Code: "method_not_allowed"},
		{Name: "405, 401", Config: keys, Request: send("DELETE", "/pets", nil, ""), Status: 405, Code: "method_not_allowed"},
		{Name: "405, 400 id", Request: send("POST", "/pets/x", nil, ""), Status: 405, Code: "method_not_allowed"},
		{Name: "401 admin, 403", Config: keys, Request: send("POST", "/admin/reset", evil, ""), Status: 401, Code: "unauthorized"},
		{Name: "403, 400 parameter", Config: Strict, Request: send("GET", "/admin?a=b", evil, ""), Status: 403, Code: "forbidden"},
		{Name: "403, 404", Request: send("DELETE", "/admin/snapshots/one", evil, ""), Status: 403, Code: "forbidden"},
		{Name: "403, 415", Request: send("PUT", "/admin/state", with(evil, "Content-Type", "text/plain"), "x"), Status: 403, Code: "forbidden"},
		{Name: "403, 409", Request: send("DELETE", "/admin/sandboxes/default", evil, ""), Status: 403, Code: "forbidden"},
		{Name: "401 admin, 415", Config: keys, Request: send("PUT", "/admin/state", text, "x"), Status: 401, Code: "unauthorized"},
		{Name: "401 admin, 400 id", Config: keys, Request: send("DELETE", "/admin/faults/x", nil, ""), Status: 401, Code: "unauthorized"},
		{Name: "401 admin, 404", Config: keys, Request: send("DELETE", "/admin/snapshots/one", nil, ""), Status: 401, Code: "unauthorized"},
		{Name: "401, 429", Config: slowKeys, Before: []Request{Get("/pets").WithKey("k1")},
			Request: send("GET", "/pets", nil, ""), Status: 401, Code: "unauthorized"},
		{Name: "401, fault", Before: faulty, Request: send("GET", "/messages", nil, ""), Status: 401, Code: "unauthorized"},
		{Name: "429, fault", Config: slow, Before: one503, Request: send("GET", "/pets", nil, ""), Status: 429, Code: tooMany},
		{Name: "429, injected", Config: slow, Before: one, Request: send("GET", "/pets", Prefer("code=503"), ""), Status: 429, Code: tooMany},
		{Name: "429, 400 preference", Config: slow, Before: one, Request: send("GET", "/pets", Prefer("code=0"), ""), Status: 429, Code: tooMany},
		{Name: "429, 410", Config: slowPast, Before: one, Request: send("GET", "/pets/1", nil, ""), Status: 429, Code: tooMany},
		{Name: "429, 415", Config: slow, Before: one, Request: send("POST", "/pets", text, "x"), Status: 429, Code: tooMany},
		{Name: "429, 413", Config: slow, Before: one, Request: send("POST", "/pets", nil, huge), Status: 429, Code: tooMany},
		{Name: "429, 400 parameter", Config: slowStrict, Before: one, Request: send("GET", "/pets?a=b", nil, ""), Status: 429, Code: tooMany},
		{Name: "429, 404", Config: slow, Before: one, Request: send("GET", "/pets/99", nil, ""), Status: 429, Code: tooMany},
		{Name: "fault, injected", Before: faulty, Request: send("GET", "/pets", Prefer("code=502"), ""), Status: 503, Code: injected},
		{Name: "fault, 400 preference", Before: faulty, Request: send("GET", "/pets", Prefer("code=0"), ""), Status: 503, Code: injected},
		{Name: "fault, 410", Config: past, Before: faulty, Request: send("GET", "/pets/1", nil, ""), Status: 503, Code: injected},
		{Name: "fault, 415", Before: faulty, Request: send("POST", "/pets", text, "x"), Status: 503, Code: injected},
		{Name: "fault, 413", Before: faulty, Request: send("POST", "/pets", nil, huge), Status: 503, Code: injected},
		{Name: "fault, 400 body", Before: faulty, Request: send("POST", "/pets", nil, "{"), Status: 503, Code: injected},
		{Name: "fault, 400 parameter", Config: Strict, Before: faulty, Request: send("GET", "/pets?a=b", nil, ""), Status: 503, Code: injected},
		{Name: "fault, 404", Before: faulty, Request: send("GET", "/pets/99", nil, ""), Status: 503, Code: injected},
		{Name: "fault, 412", Before: faulty, Request: send("PATCH", "/pets/1", stale, "{}"), Status: 503, Code: injected},
		{Name: "fault afterwards, 404", Before: faultyAfter, Request: send("GET", "/pets/99", nil, ""), Status: 503, Code: injected},
		{Name: "fault of a stream, 400 id", Before: faulty, Request: send("GET", "/events", http.Header{"Last-Event-Id": {"x"}}, ""), Status: 503, Code: injected},
		{Name: "401, injected", Config: keys, Request: send("GET", "/pets", Prefer("code=503"), ""), Status: 401, Code: "unauthorized"},
		{Name: "401, 410", Config: pastKeys, Request: send("GET", "/pets/1", nil, ""), Status: 401, Code: "unauthorized"},
		{Name: "401, 415", Config: keys, Request: send("POST", "/pets", text, "x"), Status: 401, Code: "unauthorized"},
		{Name: "401, 400 preference", Config: keys, Request: send("GET", "/pets", Prefer("code=0"), ""), Status: 401, Code: "unauthorized"},
		{Name: "401, 400 parameter", Config: strictKeys, Request: send("GET", "/pets?a=b", nil, ""), Status: 401, Code: "unauthorized"},
		{Name: "401, 404", Request: send("GET", "/messages/99", nil, ""), Status: 401, Code: "unauthorized"},
		{Name: "injected, 410", Config: past, Request: send("GET", "/pets/1", Prefer("code=503"), ""), Status: 503, Code: "unavailable"},
		{Name: "injected, 415", Request: send("POST", "/pets", with(text, "Prefer", "code=503"), "x"), Status: 503, Code: "unavailable"},
		{Name: "injected, 400", Request: send("GET", "/pets/x", Prefer("code=503"), ""), Status: 503, Code: "unavailable"},
		{Name: "410, 400 id", Config: past, Request: send("GET", "/pets/x", nil, ""), Status: 410, Code: "operation_sunset"},
		{Name: "410, 404", Config: past, Request: send("GET", "/pets/99", nil, ""), Status: 410, Code: "operation_sunset"},
		{Name: "410, 400 tag", Config: past, Request: send("GET", "/pets/1", http.Header{"If-None-Match": {"x"}}, ""), Status: 410, Code: "operation_sunset"},
		{Name: "415, 413", Request: send("POST", "/pets", text, huge), Status: 415, Code: "unsupported_media_type"},
		{Name: "415, 400 body", Request: send("POST", "/pets", text, "{"), Status: 415, Code: "unsupported_media_type"},
		{Name: "415, 400 id", Request: send("PUT", "/pets/x", text, "{}"), Status: 415, Code: "unsupported_media_type"},
		{Name: "415, 400 tag", Request: send("PUT", "/pets/1", with(text, "If-Match", "stale"), "{}"), Status: 415, Code: "unsupported_media_type"},
		{Name: "415, 400 idempotency key", Request: send("POST", "/pets", with(text, "Idempotency-Key", "a b"), "{}"), Status: 415, Code: "unsupported_media_type"},
		{Name: "415, 400 parameter", Config: Strict, Request: send("POST", "/pets?a=b", text, "{}"), Status: 415, Code: "unsupported_media_type"},
		{Name: "415, 404", Request: send("PATCH", "/pets/99", text, "{}"), Status: 415, Code: "unsupported_media_type"},
		{Name: "413, 400 body", Request: send("POST", "/pets", nil, "x"+huge), Status: 413, Code: "payload_too_large"},
		{Name: "413, 400 id", Request: send("PATCH", "/pets/x", nil, huge), Status: 413, Code: "payload_too_large"},
		{Name: "413, 400 idempotency key", Request: send("POST", "/pets", http.Header{"Idempotency-Key": {""}}, huge), Status: 413, Code: "payload_too_large"},
		{Name: "413, 400 parameter", Config: Strict, Request: send("POST", "/pets?a=b", nil, huge), Status: 413, Code: "payload_too_large"},
		{Name: "413, 404", Request: send("PUT", "/pets/99", nil, huge), Status: 413, Code: "payload_too_large"},
		{Name: "415, 400 admin parameter", Request: send("PUT", "/admin/state?baseline=x", text, "{}"), Status: 415, Code: "unsupported_media_type"},
		{Name: "415, 400 admin name", Request: send("PUT", "/admin/sandboxes/*", text, "{}"), Status: 415, Code: "unsupported_media_type"},
		{Name: "415, 404 of an admin", Request: send("PUT", "/admin/operations/none", text, "{}"), Status: 415, Code: "unsupported_media_type"},
		{Name: "415, 409 of an admin", Request: send("POST", "/admin/undo", text, "{}"), Status: 415, Code: "unsupported_media_type"},
		{Name: "413, 404 of an admin", Request: send("POST", "/admin/sandboxes/none/fork", nil, huge), Status: 413, Code: "payload_too_large"},
		{Name: "400 admin body, 404", Request: send("POST", "/admin/sandboxes/none/fork", nil, `{"nam": "eve"}`), Status: 400, Code: "validation_failed", Fields: []string{"/nam"}},
		{Name: "400 admin body, 409", Request: send("POST", "/admin/undo", nil, `{"steps": 0}`), Status: 400, Code: "validation_failed", Fields: []string{"/steps"}},
		{Name: "400 body, 404", Request: send("PUT", "/pets/99", nil, `{}`), Status: 400, Code: "validation_failed", Fields: []string{"/name", "/categoryId"}},
		{Name: "400 json, 404", Request: send("PATCH", "/pets/99", nil, `{`), Status: 400, Code: "invalid_json"},
		{Name: "400 tag, 404 of a change", Request: send("PATCH", "/pets/99", noTag, `{}`), Status: 400, Code: "invalid_parameter", Fields: []string{"If-Match"}},
		{Name: "400 tag, 404 of a deletion", Request: send("DELETE", "/pets/99", noTag, ""), Status: 400, Code: "invalid_parameter", Fields: []string{"If-Match"}},
		{Name: "400 tag, 404 of a read", Request: send("GET", "/pets/99", http.Header{"If-None-Match": {"x"}}, ""), Status: 400,
			Code: "invalid_parameter", Fields: []string{"If-None-Match"}},
		{Name: "400 second tag, 404 of a read", Request: send("GET", "/pets/99", noTag, ""), Status: 400, Code: "invalid_parameter", Fields: []string{"If-Match"}},
		{Name: "400 second tag, 404 of a change", Request: send("PATCH", "/pets/99", http.Header{"If-None-Match": {"x"}}, `{}`), Status: 400,
			Code: "invalid_parameter", Fields: []string{"If-None-Match"}},
		{Name: "400 parameter, 412 of a list", Request: send("GET", "/pets?limit=0", stale, ""), Status: 400, Code: "invalid_parameter", Fields: []string{"limit"}},
		{Name: "404, 412 of a read", Request: send("GET", "/pets/99", stale, ""), Status: 404, Code: "not_found"},
		{Name: "400 parameter, 404", Config: Strict, Request: send("GET", "/pets/99?a=b", nil, ""), Status: 400, Code: "invalid_parameter", Fields: []string{"a"}},
		{Name: "400 body, 412", Request: send("PATCH", "/pets/1", stale, `{"name": 1}`), Status: 400, Code: "validation_failed", Fields: []string{"/name"}},
		{Name: "400 body, 422", Request: send("POST", "/pets", nil, `{"name": "", "categoryId": 99}`), Status: 400, Code: "validation_failed", Fields: []string{"/name", "/categoryId"}},
		{Name: "400 idempotency key, 422", Request: send("POST", "/pets", http.Header{"Idempotency-Key": {""}}, gone), Status: 400,
			Code: "invalid_parameter", Fields: []string{"Idempotency-Key"}},
		{Name: "400 body, 507", Config: full, Before: fill, Request: send("POST", "/pets", nil, `{}`), Status: 400,
			Code: "validation_failed", Fields: []string{"/name", "/categoryId"}},
		{Name: "404, 412", Request: send("PATCH", "/pets/99", stale, `{}`), Status: 404, Code: "not_found"},
		{Name: "404, 422", Request: send("PUT", "/pets/99", nil, gone), Status: 404, Code: "not_found"},
		{Name: "412, 422", Request: send("PUT", "/pets/1", stale, gone), Status: 412, Code: "precondition_failed", Fields: []string{"If-Match"}},
		{Name: "412, 422 pet zero", Request: send("PATCH", "/store/orders/1", stale, `{"petId": 0}`), Status: 412,
			Code: "precondition_failed", Fields: []string{"If-Match"}},
		{Name: "412, 409", Request: send("DELETE", "/categories/1", stale, ""), Status: 412, Code: "precondition_failed", Fields: []string{"If-Match"}},
		{Name: "422, 507", Config: full, Before: fill, Request: send("POST", "/pets", nil, gone), Status: 422,
			Code: "unknown_category", Fields: []string{"/categoryId"}},
		{Name: "422 of an order, 507", Config: full, Before: fill, Request: send("POST", "/store/orders", nil, `{"petId": 99}`), Status: 422,
			Code: "unknown_pet", Fields: []string{"/petId"}},
		{Name: "422 reused key, 507", Config: full, Status: 422, Code: "idempotency_key_reused", Fields: []string{"Idempotency-Key"},
			Before:  []Request{Keyed(Post("/store/orders", `{}`), "k1")},
			Request: Keyed(Post("/store/orders", `{"quantity": 2}`), "k1")},
	})
}
