package handlers_test

import (
	"net/http"
	"testing"

	"example.com/petstore/handlers"
)

// TestFirstFaultAnswers is pairs of things that are wrong with one request, and
// which of them answers: the last rule of section 3 of the design. Each pair is
// named in the order of that rule.
func TestFirstFaultAnswers(t *testing.T) {
	keys := func(c *handlers.Config) { c.APIKeys, c.AdminKey = []string{"k1"}, "root" }
	strictKeys := func(c *handlers.Config) { strict(c); keys(c) }
	past := at(handlers.DefaultSunset())
	pastKeys := func(c *handlers.Config) { past(c); keys(c) }
	full := func(c *handlers.Config) { c.MaxRecords = 1 }
	fill := []request{{method: "POST", path: "/store/orders", body: `{}`}}
	evil := http.Header{"Host": {"evil.example"}, "Origin": {"http://evil.example"}}
	notOne := http.Header{"X-Sandbox": {"*"}}
	oneSandbox := func(c *handlers.Config) { c.MaxSandboxes = 1 }
	oneSandboxKeys := func(c *handlers.Config) { oneSandbox(c); keys(c) }
	explicit := func(c *handlers.Config) { c.ExplicitSandboxes = true }
	explicitKeys := func(c *handlers.Config) { explicit(c); keys(c) }
	explicitFull := func(c *handlers.Config) { explicit(c); oneSandbox(c) }
	const unknown = "unknown_sandbox"
	slow := limited(1) // by a clock that stands still
	slowKeys := func(c *handlers.Config) { slow(c); keys(c) }
	slowPast := func(c *handlers.Config) { slow(c); past(c) }
	slowStrict := func(c *handlers.Config) { slow(c); strict(c) }
	one := []request{{method: "GET", path: "/pets"}}
	faulty := []request{post("/admin/faults", `{"status": 503}`)}
	one503 := append(one, faulty...)
	faultyAfter := []request{post("/admin/faults", `{"status": 503, "when": "after"}`)}
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
	const gone = `{"name": "Bello", "categoryId": 99}` // names no category

	send := func(method, path string, header http.Header, body string) request {
		return request{method: method, path: path, header: header, body: body}
	}
	runScenarios(t, []scenario{
		{name: "404 route, 403", request: send("POST", "/admin/nowhere", evil, ""), status: 404, code: "not_found"},
		{name: "404 route, 401", config: keys, request: send("GET", "/nowhere", nil, ""), status: 404, code: "not_found"},
		{name: "404 route, injected", request: send("GET", "/nowhere", prefer("code=503"), ""), status: 404, code: "not_found"},
		{name: "404 route, 415", request: send("POST", "/nowhere", text, "x"), status: 404, code: "not_found"},
		{name: "404 route, 413", request: send("POST", "/nowhere", nil, huge), status: 404, code: "not_found"},
		{name: "404 route, 400 parameter", config: strict, request: send("GET", "/nowhere?limit=%zz", nil, ""), status: 404, code: "not_found"},
		{name: "404 route, 400 sandbox", request: send("GET", "/nowhere", notOne, ""), status: 404, code: "not_found"},
		{name: "404 route, 400 sandbox prefix", request: send("GET", "/sandboxes/*/nowhere", nil, ""), status: 404, code: "not_found"},
		{name: "404 route, 503 sandbox", config: oneSandbox, request: inSandbox("ada", send("GET", "/nowhere", nil, "")), status: 404, code: "not_found"},
		{name: "404 route, 429", config: slow, before: one, request: send("GET", "/nowhere", nil, ""), status: 404, code: "not_found"},
		{name: "404 route, fault", before: faulty, request: send("GET", "/nowhere", nil, ""), status: 404, code: "not_found"},
		{name: "405, 400 sandbox", request: send("DELETE", "/pets", notOne, ""), status: 405, code: "method_not_allowed"},
		{name: "405, 503 sandbox", config: oneSandbox, request: inSandbox("ada", send("DELETE", "/pets", nil, "")), status: 405, code: "method_not_allowed"},
		{name: "405, 429", config: slow, before: one, request: send("DELETE", "/pets", nil, ""), status: 405, code: "method_not_allowed"},
		{name: "400 sandbox, 503 sandbox", config: oneSandbox, request: send("GET", "/sandboxes/ada/pets", notOne, ""), status: 400, code: "invalid_parameter", fields: sandbox},
		{name: "400 sandbox, 403", request: send("POST", "/admin/reset", with(evil, "X-Sandbox", "*"), ""), status: 400, code: "invalid_parameter", fields: sandbox},
		{name: "400 sandbox, 401", config: keys, request: send("GET", "/pets", notOne, ""), status: 400, code: "invalid_parameter", fields: sandbox},
		{name: "400 sandbox, injected", request: send("GET", "/pets", with(notOne, "Prefer", "code=503"), ""), status: 400, code: "invalid_parameter", fields: sandbox},
		{name: "400 sandbox, 410", config: past, request: send("GET", "/pets/1", notOne, ""), status: 400, code: "invalid_parameter", fields: sandbox},
		{name: "400 sandbox, 415", request: send("POST", "/pets", with(notOne, "Content-Type", "text/plain"), "x"), status: 400, code: "invalid_parameter", fields: sandbox},
		{name: "400 sandbox, 413", request: send("POST", "/pets", notOne, huge), status: 400, code: "invalid_parameter", fields: sandbox},
		{name: "400 sandbox, 404", request: send("GET", "/pets/99", notOne, ""), status: 400, code: "invalid_parameter", fields: sandbox},
		{name: "400 sandbox of health", request: send("GET", "/healthz", notOne, ""), status: 400, code: "invalid_parameter", fields: sandbox},
		{name: "400 sandbox of a page", request: send("GET", "/docs/", notOne, ""), status: 400, code: "invalid_parameter", fields: sandbox},
		{name: "503 sandbox, 403", config: oneSandbox, request: send("POST", "/admin/reset", with(evil, "X-Sandbox", "ada"), ""), status: 503, code: "sandbox_limit_reached"},
		{name: "503 sandbox, 401", config: oneSandboxKeys, request: send("GET", "/sandboxes/ada/pets", nil, ""), status: 503, code: "sandbox_limit_reached"},
		{name: "503 sandbox, 415", config: oneSandbox, request: send("POST", "/sandboxes/ada/pets", text, "x"), status: 503, code: "sandbox_limit_reached"},
		{name: "503 sandbox, 400 parameter", config: oneSandbox, request: send("GET", "/sandboxes/ada/pets?limit=0", nil, ""), status: 503, code: "sandbox_limit_reached"},
		{name: "404 route, 404 sandbox", config: explicit, request: inSandbox("ada", send("GET", "/nowhere", nil, "")), status: 404, code: "not_found"},
		{name: "405, 404 sandbox", config: explicit, request: inSandbox("ada", send("DELETE", "/pets", nil, "")), status: 405, code: "method_not_allowed"},
		{name: "400 sandbox, 404 sandbox", config: explicit, request: send("GET", "/sandboxes/ada/pets", notOne, ""), status: 400, code: "invalid_parameter", fields: sandbox},
		{name: "404 sandbox, 503 sandbox", config: explicitFull, request: send("GET", "/sandboxes/ada/pets", nil, ""), status: 404, code: unknown},
		{name: "404 sandbox, 403", request: send("GET", "/admin", with(evil, "X-Sandbox", "ada"), ""), status: 404, code: unknown},
		{name: "404 sandbox, injected", config: explicit, request: inSandbox("ada", send("GET", "/pets?limit=0", nil, "")), status: 404, code: unknown},
		{name: "404 sandbox, 415", config: explicit, request: send("POST", "/sandboxes/ada/pets", text, "x"), status: 404, code: unknown},
		{name: "404 sandbox, 413", config: explicit, request: send("POST", "/sandboxes/ada/pets", nil, huge), status: 404, code: unknown},
		{name: "401, 404 sandbox", config: explicitKeys, request: send("GET", "/sandboxes/ada/pets", nil, ""), status: 401, code: "unauthorized"},
		{name: "401 admin, 404 sandbox", config: keys, request: send("GET", "/sandboxes/ada/admin", nil, ""), status: 401, code: "unauthorized"},
		{name: "404 sandbox, 400 id", config: explicitKeys, request: send("GET", "/sandboxes/ada/pets/x", authorization("Bearer k1"), ""), status: 404, code: unknown},
		{name: "405, 403", request: send("DELETE", "/admin/reset", evil, ""), status: 405, code: "method_not_allowed"},
		{name: "405, 401", config: keys, request: send("DELETE", "/pets", nil, ""), status: 405, code: "method_not_allowed"},
		{name: "405, 400 id", request: send("POST", "/pets/x", nil, ""), status: 405, code: "method_not_allowed"},
		{name: "401 admin, 403", config: keys, request: send("POST", "/admin/reset", evil, ""), status: 401, code: "unauthorized"},
		{name: "403, 400 parameter", config: strict, request: send("GET", "/admin?a=b", evil, ""), status: 403, code: "forbidden"},
		{name: "403, 404", request: send("DELETE", "/admin/snapshots/one", evil, ""), status: 403, code: "forbidden"},
		{name: "403, 415", request: send("PUT", "/admin/state", with(evil, "Content-Type", "text/plain"), "x"), status: 403, code: "forbidden"},
		{name: "403, 409", request: send("DELETE", "/admin/sandboxes/default", evil, ""), status: 403, code: "forbidden"},
		{name: "401 admin, 415", config: keys, request: send("PUT", "/admin/state", text, "x"), status: 401, code: "unauthorized"},
		{name: "401 admin, 400 id", config: keys, request: send("DELETE", "/admin/faults/x", nil, ""), status: 401, code: "unauthorized"},
		{name: "401 admin, 404", config: keys, request: send("DELETE", "/admin/snapshots/one", nil, ""), status: 401, code: "unauthorized"},
		{name: "401, 429", config: slowKeys, before: []request{{method: "GET", path: "/pets", header: authorization("Bearer k1")}},
			request: send("GET", "/pets", nil, ""), status: 401, code: "unauthorized"},
		{name: "401, fault", before: faulty, request: send("GET", "/messages", nil, ""), status: 401, code: "unauthorized"},
		{name: "429, fault", config: slow, before: one503, request: send("GET", "/pets", nil, ""), status: 429, code: tooMany},
		{name: "429, injected", config: slow, before: one, request: send("GET", "/pets", prefer("code=503"), ""), status: 429, code: tooMany},
		{name: "429, 400 preference", config: slow, before: one, request: send("GET", "/pets", prefer("code=0"), ""), status: 429, code: tooMany},
		{name: "429, 410", config: slowPast, before: one, request: send("GET", "/pets/1", nil, ""), status: 429, code: tooMany},
		{name: "429, 415", config: slow, before: one, request: send("POST", "/pets", text, "x"), status: 429, code: tooMany},
		{name: "429, 413", config: slow, before: one, request: send("POST", "/pets", nil, huge), status: 429, code: tooMany},
		{name: "429, 400 parameter", config: slowStrict, before: one, request: send("GET", "/pets?a=b", nil, ""), status: 429, code: tooMany},
		{name: "429, 404", config: slow, before: one, request: send("GET", "/pets/99", nil, ""), status: 429, code: tooMany},
		{name: "fault, injected", before: faulty, request: send("GET", "/pets", prefer("code=502"), ""), status: 503, code: injected},
		{name: "fault, 400 preference", before: faulty, request: send("GET", "/pets", prefer("code=0"), ""), status: 503, code: injected},
		{name: "fault, 410", config: past, before: faulty, request: send("GET", "/pets/1", nil, ""), status: 503, code: injected},
		{name: "fault, 415", before: faulty, request: send("POST", "/pets", text, "x"), status: 503, code: injected},
		{name: "fault, 413", before: faulty, request: send("POST", "/pets", nil, huge), status: 503, code: injected},
		{name: "fault, 400 body", before: faulty, request: send("POST", "/pets", nil, "{"), status: 503, code: injected},
		{name: "fault, 400 parameter", config: strict, before: faulty, request: send("GET", "/pets?a=b", nil, ""), status: 503, code: injected},
		{name: "fault, 404", before: faulty, request: send("GET", "/pets/99", nil, ""), status: 503, code: injected},
		{name: "fault, 412", before: faulty, request: send("PATCH", "/pets/1", stale, "{}"), status: 503, code: injected},
		{name: "fault afterwards, 404", before: faultyAfter, request: send("GET", "/pets/99", nil, ""), status: 503, code: injected},
		{name: "fault of a stream, 400 id", before: faulty, request: send("GET", "/events", http.Header{"Last-Event-Id": {"x"}}, ""), status: 503, code: injected},
		{name: "401, injected", config: keys, request: send("GET", "/pets", prefer("code=503"), ""), status: 401, code: "unauthorized"},
		{name: "401, 410", config: pastKeys, request: send("GET", "/pets/1", nil, ""), status: 401, code: "unauthorized"},
		{name: "401, 415", config: keys, request: send("POST", "/pets", text, "x"), status: 401, code: "unauthorized"},
		{name: "401, 400 preference", config: keys, request: send("GET", "/pets", prefer("code=0"), ""), status: 401, code: "unauthorized"},
		{name: "401, 400 parameter", config: strictKeys, request: send("GET", "/pets?a=b", nil, ""), status: 401, code: "unauthorized"},
		{name: "401, 404", request: send("GET", "/messages/99", nil, ""), status: 401, code: "unauthorized"},
		{name: "injected, 410", config: past, request: send("GET", "/pets/1", prefer("code=503"), ""), status: 503, code: "unavailable"},
		{name: "injected, 415", request: send("POST", "/pets", with(text, "Prefer", "code=503"), "x"), status: 503, code: "unavailable"},
		{name: "injected, 400", request: send("GET", "/pets/x", prefer("code=503"), ""), status: 503, code: "unavailable"},
		{name: "410, 400 id", config: past, request: send("GET", "/pets/x", nil, ""), status: 410, code: "operation_sunset"},
		{name: "410, 404", config: past, request: send("GET", "/pets/99", nil, ""), status: 410, code: "operation_sunset"},
		{name: "410, 400 tag", config: past, request: send("GET", "/pets/1", http.Header{"If-None-Match": {"x"}}, ""), status: 410, code: "operation_sunset"},
		{name: "415, 413", request: send("POST", "/pets", text, huge), status: 415, code: "unsupported_media_type"},
		{name: "415, 400 body", request: send("POST", "/pets", text, "{"), status: 415, code: "unsupported_media_type"},
		{name: "415, 400 id", request: send("PUT", "/pets/x", text, "{}"), status: 415, code: "unsupported_media_type"},
		{name: "415, 400 tag", request: send("PUT", "/pets/1", with(text, "If-Match", "stale"), "{}"), status: 415, code: "unsupported_media_type"},
		{name: "415, 400 idempotency key", request: send("POST", "/pets", with(text, "Idempotency-Key", "a b"), "{}"), status: 415, code: "unsupported_media_type"},
		{name: "415, 400 parameter", config: strict, request: send("POST", "/pets?a=b", text, "{}"), status: 415, code: "unsupported_media_type"},
		{name: "415, 404", request: send("PATCH", "/pets/99", text, "{}"), status: 415, code: "unsupported_media_type"},
		{name: "413, 400 body", request: send("POST", "/pets", nil, "x"+huge), status: 413, code: "payload_too_large"},
		{name: "413, 400 id", request: send("PATCH", "/pets/x", nil, huge), status: 413, code: "payload_too_large"},
		{name: "413, 400 idempotency key", request: send("POST", "/pets", http.Header{"Idempotency-Key": {""}}, huge), status: 413, code: "payload_too_large"},
		{name: "413, 400 parameter", config: strict, request: send("POST", "/pets?a=b", nil, huge), status: 413, code: "payload_too_large"},
		{name: "413, 404", request: send("PUT", "/pets/99", nil, huge), status: 413, code: "payload_too_large"},
		{name: "415, 400 admin parameter", request: send("PUT", "/admin/state?baseline=x", text, "{}"), status: 415, code: "unsupported_media_type"},
		{name: "415, 400 admin name", request: send("PUT", "/admin/sandboxes/*", text, "{}"), status: 415, code: "unsupported_media_type"},
		{name: "415, 404 of an admin", request: send("PUT", "/admin/operations/none", text, "{}"), status: 415, code: "unsupported_media_type"},
		{name: "415, 409 of an admin", request: send("POST", "/admin/undo", text, "{}"), status: 415, code: "unsupported_media_type"},
		{name: "413, 404 of an admin", request: send("POST", "/admin/sandboxes/none/fork", nil, huge), status: 413, code: "payload_too_large"},
		{name: "400 admin body, 404", request: send("POST", "/admin/sandboxes/none/fork", nil, `{"nam": "eve"}`), status: 400, code: "validation_failed", fields: []string{"/nam"}},
		{name: "400 admin body, 409", request: send("POST", "/admin/undo", nil, `{"steps": 0}`), status: 400, code: "validation_failed", fields: []string{"/steps"}},
		{name: "400 body, 404", request: send("PUT", "/pets/99", nil, `{}`), status: 400, code: "validation_failed", fields: []string{"/name", "/categoryId"}},
		{name: "400 json, 404", request: send("PATCH", "/pets/99", nil, `{`), status: 400, code: "invalid_json"},
		{name: "400 tag, 404 of a change", request: send("PATCH", "/pets/99", noTag, `{}`), status: 400, code: "invalid_parameter", fields: []string{"If-Match"}},
		{name: "400 tag, 404 of a deletion", request: send("DELETE", "/pets/99", noTag, ""), status: 400, code: "invalid_parameter", fields: []string{"If-Match"}},
		{name: "400 tag, 404 of a read", request: send("GET", "/pets/99", http.Header{"If-None-Match": {"x"}}, ""), status: 400,
			code: "invalid_parameter", fields: []string{"If-None-Match"}},
		{name: "400 second tag, 404 of a read", request: send("GET", "/pets/99", noTag, ""), status: 400, code: "invalid_parameter", fields: []string{"If-Match"}},
		{name: "400 second tag, 404 of a change", request: send("PATCH", "/pets/99", http.Header{"If-None-Match": {"x"}}, `{}`), status: 400,
			code: "invalid_parameter", fields: []string{"If-None-Match"}},
		{name: "400 parameter, 412 of a list", request: send("GET", "/pets?limit=0", stale, ""), status: 400, code: "invalid_parameter", fields: []string{"limit"}},
		{name: "404, 412 of a read", request: send("GET", "/pets/99", stale, ""), status: 404, code: "not_found"},
		{name: "400 parameter, 404", config: strict, request: send("GET", "/pets/99?a=b", nil, ""), status: 400, code: "invalid_parameter", fields: []string{"a"}},
		{name: "400 body, 412", request: send("PATCH", "/pets/1", stale, `{"name": 1}`), status: 400, code: "validation_failed", fields: []string{"/name"}},
		{name: "400 body, 422", request: send("POST", "/pets", nil, `{"name": "", "categoryId": 99}`), status: 400, code: "validation_failed", fields: []string{"/name", "/categoryId"}},
		{name: "400 idempotency key, 422", request: send("POST", "/pets", http.Header{"Idempotency-Key": {""}}, gone), status: 400,
			code: "invalid_parameter", fields: []string{"Idempotency-Key"}},
		{name: "400 body, 507", config: full, before: fill, request: send("POST", "/pets", nil, `{}`), status: 400,
			code: "validation_failed", fields: []string{"/name", "/categoryId"}},
		{name: "404, 412", request: send("PATCH", "/pets/99", stale, `{}`), status: 404, code: "not_found"},
		{name: "404, 422", request: send("PUT", "/pets/99", nil, gone), status: 404, code: "not_found"},
		{name: "412, 422", request: send("PUT", "/pets/1", stale, gone), status: 412, code: "precondition_failed", fields: []string{"If-Match"}},
		{name: "412, 422 pet zero", request: send("PATCH", "/store/orders/1", stale, `{"petId": 0}`), status: 412,
			code: "precondition_failed", fields: []string{"If-Match"}},
		{name: "412, 409", request: send("DELETE", "/categories/1", stale, ""), status: 412, code: "precondition_failed", fields: []string{"If-Match"}},
		{name: "422, 507", config: full, before: fill, request: send("POST", "/pets", nil, gone), status: 422,
			code: "unknown_category", fields: []string{"/categoryId"}},
		{name: "422 of an order, 507", config: full, before: fill, request: send("POST", "/store/orders", nil, `{"petId": 99}`), status: 422,
			code: "unknown_pet", fields: []string{"/petId"}},
		{name: "422 reused key, 507", config: full, status: 422, code: "idempotency_key_reused", fields: []string{"Idempotency-Key"},
			before:  []request{keyed(request{method: "POST", path: "/store/orders", body: `{}`}, "k1")},
			request: keyed(request{method: "POST", path: "/store/orders", body: `{"quantity": 2}`}, "k1")},
	})
}
