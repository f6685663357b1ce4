package admin_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers/admin"
	. "example.com/petstore/handlers/internal/contracttest"
)

// scenarios returns the scenarios of the control plane's operations that no transcript has.
func scenarios() []Scenario {
	all := CommonScenarios(AdminDocument())
	for i := range all {
		all[i] = all[i].On(workshop)
	}
	metrics := has("metrics", Get("/metrics"), 200, "petstore_") // TestMetrics checks the rest
	metrics.Headers = http.Header{"Content-Type": {"text/plain; version=0.0.4; charset=utf-8"}}
	return slices.Concat(all, limitScenarios(), []Scenario{metrics})
}

func TestScenarios(t *testing.T) { RunScenarios(t, scenarios()) }

func TestScenariosAreComplete(t *testing.T) {
	t.Parallel()
	Complete(t, AdminDocument(), scenarios(), "../../testdata/transcripts")
}

func TestMain(m *testing.M) { Main(m) }

// summaryOf returns the summary of the sandbox with the path prefix.
func summaryOf(t *testing.T, w *World, prefix string) admin.Summary {
	t.Helper()
	var s admin.Summary
	w.Get(t, prefix+"/admin").Decode(t, &s)
	return s
}

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
