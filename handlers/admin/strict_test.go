package admin_test

import (
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestParametersInUpperCase checks that a parameter in another case is refused, with its name as
// advice. It must not make a different request.
func TestParametersInUpperCase(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, op := range new(admin.Server).Operations() {
		for _, name := range op.Query {
			r := Request{Method: op.Method, Path: Address(op.Path) + "?" + strings.ToUpper(name) + "=1"}
			if op.Body.Max > 0 {
				r.Body = "{}"
			}
			a := w.Do(t, r)
			a.Expect(t, 400, "invalid_parameter", strings.ToUpper(name))
			if got, want := a.Problem(
				t).Details[0].Message, "there is no such parameter; did you mean "+name+"?"; got != want {
				t.Errorf("%s: %q, want %q", op.ID, got, want)
			}
		}
	}
}

// TestUnknownNamesGetSuggestion checks that errors name the unknown field or parameter and suggest a
// known one.
func TestUnknownNamesGetSuggestion(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	strictWorld := NewWorld(t, func(c *handlers.Config) { c.Strict = true })
	for _, test := range []struct {
		in             *World
		request        Request
		field, message string
	}{
		{w, Post("/admin/reset?onyl=faults", ""), "onyl", "there is no such parameter; did you mean only?"},
		{w, Get("/admin/requests?opreationId=getPet"), "opreationId",
			"there is no such parameter; did you mean operationId?"},
		{w, Request{Method: "HEAD", Path: "/admin/report?formt=junit"}, "", ""},
		{w, Post("/admin/reset", `{"sede": 1}`), "/sede", "there is no such field; did you mean seed?"},
		{w, Post("/admin/faults", `{"stauts": 503}`), "/stauts", "there is no such field; did you mean status?"},
		{w, Post("/admin/faults", `{"match": {"operationID": "getPet"}}`), "/match/operationID",
			"there is no such field; did you mean operationId?"},
		{w, Put("/admin/faults", `[{}, {"delay": {"fixedms": 1}}]`), "/1/delay/fixedms",
			"there is no such field; did you mean fixedMs?"},
		{w, Put("/admin/clock", `{"frozn": true}`), "/frozn", "there is no such field; did you mean frozen?"},
		{w, Put("/admin/clock", `{"timezone": "CET"}`), "/timezone", "there is no such field; leave it out"},
		{w, Put("/admin/sandboxes/ada", `{"pest": 3}`), "/pest", "there is no such field; did you mean pets?"},
		{w, Post("/admin/undo", `{"step": 3}`), "/step", "there is no such field; did you mean steps?"},
		{w, Put("/admin/state", `{"pest": []}`), "/pest", "there is no such field; did you mean pets?"},
		{w, Get("/admin/data/pets?stauts=sold"), "stauts", "there is no such parameter; did you mean status?"},
		{w, Post("/admin/data/pets", `{"name": "Rex", "categoryId": 1, "stauts": "sold"}`), "/stauts",
			"there is no such field; did you mean status?"},
		{strictWorld, Get("/pets?Limit=1"), "Limit", "there is no such parameter; did you mean limit?"},
		{strictWorld, Post("/pets", `{"name": "Rex", "categoryId": 1, "stats": "sold"}`), "/stats",
			"there is no such field; did you mean status?"},
	} {
		a := test.in.Do(t, test.request)
		if test.request.Method == "HEAD" {
			a.Expect(t, 400, "")
			continue
		}
		if p := a.Problem(t); a.Status != 400 || len(p.Details) == 0 ||
			p.Details[0] != (Detail{Field: test.field, Message: test.message}) {
			t.Errorf("%s %s %s = %s, want %s: %s", test.request.Method, test.request.Path, test.request.Body, a.Body,
				test.field, test.message)
		}
	}
	if p := w.Do(t, SetLifecycle("getPte", `{}`)).Problem(t); p.Code != "not_found" ||
		!strings.Contains(p.Message, "did you mean getPet?") {
		t.Errorf("an operation that is none: %+v", p)
	}
}

// TestUnknownAdminParameterOrder checks the order of errors in section 3 of the design: which
// errors come before a 400 for an unknown parameter, and which come after it.
func TestUnknownAdminParameterOrder(t *testing.T) {
	keys := func(c *handlers.Config) { c.AdminKey = "root" }
	huge := strings.Repeat(" ", 1<<20) + "{}"
	unknown := []string{"x"}
	RunScenarios(t, []Scenario{
		Refused("401", Get("/admin?x=1"), 401, "unauthorized").On(keys),
		Refused("403", Post("/admin/reset?x=1", "").With("Origin", "http://evil.example"), 403, "forbidden"),
		Refused("405", Delete("/admin/reset?x=1"), 405, "method_not_allowed"),
		Refused("415", Textual(Post("/admin/faults?x=1", "{}")), 415, "unsupported_media_type"),
		Refused("415 of a body that may be left out", Textual(Post("/admin/reset?x=1", "{}")),
			415, "unsupported_media_type"),
		Refused("415 of an import", Textual(Put("/admin/state?x=1", "{}")), 415, "unsupported_media_type"),
		Refused("413", Post("/admin/faults?x=1", huge), 413, "payload_too_large"),
		Refused("413 of a body that may be left out", Post("/admin/undo?x=1", huge), 413, "payload_too_large"),
		Refused("an import may be larger", Put("/admin/state?x=1", huge), 400, "invalid_parameter", unknown...),
		Refused("no body where none is taken", Textual(Put("/admin/snapshots/one?x=1", "x")),
			400, "invalid_parameter", unknown...),
		Refused("400 json", Post("/admin/faults?x=1", "{"), 400, "invalid_parameter", unknown...),
		Refused("404", Delete("/admin/snapshots/none?x=1"), 400, "invalid_parameter", unknown...),
		Refused("409", Delete("/admin/sandboxes/default?x=1"), 400, "invalid_parameter", unknown...),
	})
}
