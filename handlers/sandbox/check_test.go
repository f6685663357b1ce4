package sandbox

import (
	"strings"
	"testing"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/lifecycle"
	"example.com/petstore/store/field"
)

// TestCheckReach covers checks of rules and filters that need the sandbox's operations, such as
// combinations that no request can match.
func TestCheckReach(t *testing.T) {
	t.Parallel()
	sb := loneSandbox(Options{Origin: testBaseline(0), Machine: Machine, Operations: []lifecycle.Operation{
		{ID: "createPet", Method: "POST", Path: "/pets"}, {ID: "listPets", Method: "GET", Path: "/pets"},
		{ID: "getPet", Method: "GET", Path: "/pets/{petId}"},
		{ID: "getOrder", Method: "GET", Path: "/store/orders/{orderId}"},
		{ID: "getHealth", Method: "GET", Path: "/healthz", Permanent: true},
	}})
	const never = "never matches: "
	for _, test := range []struct {
		id, method, path string
		at               string // of the problem
		rule, filter     string
	}{
		{"getPet", "", "", "", "", ""},
		{"", "HEAD", "", "", "", ""},
		{"getPet", "HEAD", "/pets/**", "", "", ""},
		{"getPet", "GET", "/*/7", "", "", ""},
		{"getOrder", "", "/store/**", "", "", ""},
		{"", "POST", "/*", "", "", ""},
		{"getPets", "", "", "operationId", `there is no operation "getPets"; did you mean getPet?`,
			`there is no operation "getPets"; did you mean getPet?`},
		{"resetAll", "", "", "operationId", `there is no operation "resetAll"`, `there is no operation "resetAll"`},
		{"getHealth", "", "", "operationId", "getHealth is never affected by faults; choose another operation",
			"getHealth is never in the journal; choose another operation"},
		{"listPets", "POST", "", "method", never + "listPets is GET, not POST", never + "listPets is GET, not POST"},
		{"createPet", "HEAD", "/pets", "method", never + "createPet is POST, not HEAD",
			never + "createPet is POST, not HEAD"},
		{"listPets", "", "/pets/*", "path", never + "the path of listPets is /pets",
			never + "the path of listPets is /pets"},
		{"getPet", "GET", "/pets/", "path", never + "the path of getPet is /pets/{petId}",
			never + "the path of getPet is /pets/{petId}"},
		{"", "", "/nowhere", "path", never + "no operation that faults affect has such a path", ""},
		{"", "", "/healthz", "path", never + "no operation that faults affect has such a path", ""},
		{"", "", "/pets/*/x", "path", never + "no operation that faults affect has such a path", ""},
		{"", "DELETE", "/pets", "method", never + "at this path there are only GET and POST", ""},
		{"", "POST", "/pets/7", "method", never + "at this path there is only GET", ""},
	} {
		problems := func(under, message string) field.Problems {
			if message == "" {
				return nil
			}
			problem := field.Problem{Field: under + test.at, Message: message}
			if strings.Contains(message, "no operation") {
				problem.Code = "not_found.operation"
			}
			return field.Problems{problem}
		}
		rule := sb.CheckRule(
			&fault.Rule{Match: &fault.Match{OperationID: test.id, Method: test.method, Path: test.path}}, nil)
		must.Equal(t, problems("/match/", test.rule), rule, "rule for %+v", test)
		filter := sb.CheckFilter(&journal.Filter{OperationID: test.id, Method: test.method, Path: test.path})
		must.Equal(t, problems("/", test.filter), filter, "filter of %+v", test)
	}
	// If a rule itself is invalid, only its own errors are reported. A filter's method may be in
	// lower case.
	bad := &fault.Rule{Status: new(1), Match: &fault.Match{OperationID: "listPets", Method: "get", Path: "/pets/*"}}
	if got := sb.CheckRule(bad, nil); len(got) != 2 || got[0].Field != "/match/method" || got[1].Field != "/status" {
		t.Errorf("a bad rule: %v", got)
	}
	if got := sb.CheckFilter(&journal.Filter{OperationID: "listPets", Method: "head"}); got != nil {
		t.Errorf("a filter in lower case: %v", got)
	}
	if got := sb.CheckRule(&fault.Rule{}, nil); got != nil {
		t.Errorf("a rule for everything: %v", got)
	}
}
