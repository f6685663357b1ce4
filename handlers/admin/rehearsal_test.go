package admin_test

import (
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers/admin"
)

// TestRehearsal is the story that the sandbox was built for: a team tries out how
// it is to retire an operation, before it does so to anybody.
func TestRehearsal(t *testing.T) {
	t.Parallel()
	w := newWorld(t).Unchecked()
	const team = "/sandboxes/rehearsal"

	// It is the first of July, and the team announces that createPet is deprecated
	// from August on and gone by September. In the rehearsal that is enforced.
	w.Must(t, inSandbox("rehearsal", setClock(`{"now": "2026-07-01T09:00:00Z"}`)))
	w.Must(t, request{Method: "PUT", Path: team + "/admin/operations/createPet",
		Body: `{"deprecated": true, "deprecatedSince": "2026-08-01", "sunset": "2026-09-01", "successor": "/v2/pets", "enforceSunset": true}`})

	// The document that client developers read says so at once.
	if op := describedIn(t, w, team, "/pets", "POST"); !op.Deprecated || op.Extensions["x-sunset"] != "2026-09-01" {
		t.Errorf("the document says deprecated %t, sunset %v", op.Deprecated, op.Extensions["x-sunset"])
	}

	// The shop's client goes on as ever. It is told with each answer.
	shop := func() *answer {
		return w.Do(t, request{Method: "POST", Path: team + "/pets", Body: newPet,
			Header: http.Header{"User-Agent": {"shop/2.1"}, "X-Client": {"checkout"}}})
	}
	a := shop()
	a.Expect(t, 201, "")
	a.ExpectHeader(t, "Deprecation", "@1785542400")
	a.ExpectHeader(t, "Sunset", "Tue, 01 Sep 2026 00:00:00 GMT")
	a.ExpectHeader(t, "Warning", `299 - "createPet is deprecated since 2026-08-01 and will be removed on 2026-09-01; use /v2/pets"`)
	shop().Expect(t, 201, "")

	// The report names who would be hit, for a person and for a pipeline.
	var report admin.Report
	w.Get(t, team+"/admin/report").Decode(t, &report)
	if len(report.Uses) != 1 {
		t.Fatalf("uses = %+v, want one", report.Uses)
	}
	use := report.Uses[0]
	if use.OperationID != "createPet" || use.UserAgent != "shop/2.1" || use.ClientName != "checkout" || use.Count != 2 ||
		use.Sunset != "2026-09-01" || use.Successor != "/v2/pets" {
		t.Errorf("use = %+v", use)
	}
	if file := junit(t, w.Get(t, team+"/admin/report?format=junit")); file.Failures != 1 {
		t.Errorf("the pipeline sees %d failures, want 1", file.Failures)
	}

	// Two months go by in one call. The shop is closed, and told where to go.
	w.Must(t, inSandbox("rehearsal", setClock(`{"advance": "1488h"}`)))
	a = shop()
	a.Expect(t, 410, "operation_sunset")
	if p := a.Problem(t); p.Message != "createPet has been gone since 2026-09-01; use /sandboxes/rehearsal/v2/pets instead" {
		t.Errorf("message = %q", p.Message)
	}
	if link := a.Header.Get("Link"); !strings.Contains(link, `</sandboxes/rehearsal/v2/pets>; rel="successor-version"`) {
		t.Errorf("Link = %s, want the successor in it", link)
	}
	if op := operationOf(t, w, team, "createPet"); op.Calls != 3 || !op.Changed {
		t.Errorf("operation = %+v, want 3 calls of a changed one", op)
	}

	// Whoever did not rehearse noticed nothing.
	w.Must(t, post("/pets", newPet)).ExpectHeader(t, "Deprecation")

	// The curtain falls: like new, for the next rehearsal.
	w.Must(t, request{Method: "POST", Path: team + "/admin/reset"})
	a = shop()
	a.Expect(t, 201, "")
	a.ExpectHeader(t, "Deprecation")
	a.ExpectHeader(t, "Location", team+"/pets/7")
	w.Get(t, team+"/admin/report").ExpectJSON(t, `{"uses": [], "otherUses": 0}`)
}
