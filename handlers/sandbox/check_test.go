package sandbox

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store/field"
)

// TestCheckOperations has what a sandbox alone knows of a rule and of a filter: which
// operations there are.
func TestCheckOperations(t *testing.T) {
	t.Parallel()
	own := Baseline{}
	sb := newSandbox(Name{"ada", "ada"}, &Options{Machine: Machine, Operations: []Operation{{ID: "getPet"}, {ID: "getHealth", Permanent: true}}}, &own)
	const unknown = `there is no operation "getPets"; see /openapi.json`
	for id, want := range map[string]struct{ rule, filter string }{
		"getPet":    {},
		"getHealth": {rule: "getHealth is never affected by faults; choose another operation"},
		"getPets":   {rule: unknown, filter: unknown},
	} {
		problems := func(at, message string) field.Problems {
			if message == "" {
				return nil
			}
			return field.Problems{{Field: at, Message: message}}
		}
		rule := sb.CheckRule(&fault.Rule{Match: &fault.Match{OperationID: id}})
		if diff := cmp.Diff(problems("/match/operationId", want.rule), rule); diff != "" {
			t.Errorf("rule for %s, -want +got:\n%s", id, diff)
		}
		filter := sb.CheckFilter(&journal.Filter{OperationID: id})
		if diff := cmp.Diff(problems("/operationId", want.filter), filter); diff != "" {
			t.Errorf("filter of %s, -want +got:\n%s", id, diff)
		}
	}
}
