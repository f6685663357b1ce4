package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/rest"
)

// TestAdminRefusesUnknownParameters sends every operation of the control plane a
// parameter that it does not have, behind a body that it would take: a typing mistake
// must not become another request.
func TestAdminRefusesUnknownParameters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(t, drop("/pets/1"))
	w.must(t, put("/admin/snapshots/one", ""))
	state, settings := w.state(t), w.settings()
	for _, op := range w.server.Table() {
		if op.Kind != rest.Admin {
			continue
		}
		for _, name := range append([]string{"unknown"}, op.Query...) {
			r := request{method: op.Method, path: address(op.Path) + "?" + strings.ToUpper(name) + "=1"}
			if op.Body.Max > 0 {
				r.body = "{}"
			}
			a := w.do(t, r)
			if a.status != 400 {
				t.Errorf("%s %s = %d %s", r.method, r.path, a.status, a.body)
				continue
			}
			a.expect(t, 400, "invalid_parameter", strings.ToUpper(name))
			want := "there is no such parameter; did you mean " + name + "?"
			if name == "unknown" {
				want = "there is no such parameter; leave it out"
			}
			if got := a.problem(t).Details[0].Message; got != want {
				t.Errorf("%s: %q, want %q", op.ID, got, want)
			}
		}
	}
	if w.state(t) != state || w.settings() != settings {
		t.Error("something has changed")
	}
}

// TestUnknownNamesAreTold wants the name that was meant, at its place.
func TestUnknownNamesAreTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	strictWorld := newWorld(t, strict)
	for _, test := range []struct {
		in             *world
		request        request
		field, message string
	}{
		{w, post("/admin/reset?onyl=faults", ""), "onyl", "there is no such parameter; did you mean only?"},
		{w, request{method: "GET", path: "/admin/requests?opreationId=getPet"}, "opreationId", "there is no such parameter; did you mean operationId?"},
		{w, request{method: "HEAD", path: "/admin/report?formt=junit"}, "", ""},
		{w, post("/admin/reset", `{"sede": 1}`), "/sede", "there is no such field; did you mean seed?"},
		{w, post("/admin/faults", `{"stauts": 503}`), "/stauts", "there is no such field; did you mean status?"},
		{w, post("/admin/faults", `{"match": {"operationID": "getPet"}}`), "/match/operationID", "there is no such field; did you mean operationId?"},
		{w, put("/admin/faults", `[{}, {"delay": {"fixedms": 1}}]`), "/1/delay/fixedms", "there is no such field; did you mean fixedMs?"},
		{w, put("/admin/clock", `{"frozn": true}`), "/frozn", "there is no such field; did you mean frozen?"},
		{w, put("/admin/clock", `{"timezone": "CET"}`), "/timezone", "there is no such field; leave it out"},
		{w, put("/admin/sandboxes/ada", `{"pest": 3}`), "/pest", "there is no such field; did you mean pets?"},
		{w, post("/admin/undo", `{"step": 3}`), "/step", "there is no such field; did you mean steps?"},
		{w, put("/admin/state", `{"pest": []}`), "/pest", "there is no such field; did you mean pets?"},
		{strictWorld, request{method: "GET", path: "/pets?Limit=1"}, "Limit", "there is no such parameter; did you mean limit?"},
		{strictWorld, post("/pets", `{"name": "Rex", "categoryId": 1, "stats": "sold"}`), "/stats", "there is no such field; did you mean status?"},
	} {
		a := test.in.do(t, test.request)
		if test.request.method == "HEAD" {
			a.expect(t, 400, "")
			continue
		}
		if p := a.problem(t); a.status != 400 || len(p.Details) == 0 || p.Details[0] != (detail{test.field, test.message}) {
			t.Errorf("%s %s %s = %s, want %s: %s", test.request.method, test.request.path, test.request.body, a.body, test.field, test.message)
		}
	}
	if p := w.do(t, setLifecycle("getPte", `{}`)).problem(t); p.Code != "not_found" || !strings.Contains(p.Message, "did you mean getPet?") {
		t.Errorf("an operation that is none: %+v", p)
	}
}

// TestUnknownAdminParameterComesLate wants what section 3 of the design puts before a
// 400 to come before that of an unknown parameter, and what it puts behind behind.
func TestUnknownAdminParameterComesLate(t *testing.T) {
	keys := func(c *handlers.Config) { c.AdminKey = "root" }
	huge := repeat(" ", 1<<20) + "{}"
	unknown := []string{"x"}
	runScenarios(t, []scenario{
		{name: "401", config: keys, request: request{method: "GET", path: "/admin?x=1"}, status: 401, code: "unauthorized"},
		{name: "403", request: request{method: "POST", path: "/admin/reset?x=1", header: http.Header{"Origin": {"http://evil.example"}}}, status: 403, code: "forbidden"},
		{name: "405", request: drop("/admin/reset?x=1"), status: 405, code: "method_not_allowed"},
		{name: "415", request: textual(post("/admin/faults?x=1", "{}")), status: 415, code: "unsupported_media_type"},
		{name: "415 of a body that may be left out", request: textual(post("/admin/reset?x=1", "{}")), status: 415, code: "unsupported_media_type"},
		{name: "415 of an import", request: textual(put("/admin/state?x=1", "{}")), status: 415, code: "unsupported_media_type"},
		{name: "413", request: post("/admin/faults?x=1", huge), status: 413, code: "payload_too_large"},
		{name: "413 of a body that may be left out", request: post("/admin/undo?x=1", huge), status: 413, code: "payload_too_large"},
		{name: "an import may be larger", request: put("/admin/state?x=1", huge), status: 400, code: "invalid_parameter", fields: unknown},
		{name: "no body where none is taken", request: textual(put("/admin/snapshots/one?x=1", "x")), status: 400, code: "invalid_parameter", fields: unknown},
		{name: "400 json", request: post("/admin/faults?x=1", "{"), status: 400, code: "invalid_parameter", fields: unknown},
		{name: "404", request: drop("/admin/snapshots/none?x=1"), status: 400, code: "invalid_parameter", fields: unknown},
		{name: "409", request: drop("/admin/sandboxes/default?x=1"), status: 400, code: "invalid_parameter", fields: unknown},
	})
}

// TestBodiesAreDocumented wants the table and the documents to agree on which
// operations take a body, and where it may be left out.
func TestBodiesAreDocumented(t *testing.T) {
	t.Parallel()
	for _, op := range newWorld(t).server.Table() {
		if op.ID == "" {
			continue
		}
		takes, optional := false, false
		if body := documentOf(op.Path).Paths.Value(op.Path).GetOperation(op.Method).RequestBody; body != nil {
			takes, optional = true, !body.Value.Required
		}
		if body := op.Takes(); (body.Max > 0) != takes || body.Optional != optional {
			t.Errorf("%s takes %+v, in its document: a body: %t, optional: %t", op.ID, body, takes, optional)
		}
	}
}
