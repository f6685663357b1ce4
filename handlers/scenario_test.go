package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/rest"
)

// scenario is one request to a world of its own, and the answer that it must get.
type scenario struct {
	name   string
	config func(*handlers.Config) // nil: the world's defaults
	before []request              // must succeed

	request
	status  int
	code    string                    // of the Error object
	fields  []string                  // at fault, in order; none: no details
	want    string                    // the body, as JSON
	check   func(*testing.T, *answer) // instead of want, for a body that varies
	headers http.Header               // just these values; no values: absent
}

// run is the test of every scenario. Whatever fails, or only reads, must leave
// everything as it was.
func (s *scenario) run(t *testing.T) {
	t.Parallel()
	if s.want == "" && s.check == nil && s.status < 300 && s.status != http.StatusNoContent && s.method != http.MethodHead {
		t.Fatal("the scenario does not say what the body is")
	}
	var change []func(*handlers.Config)
	if s.config != nil {
		change = append(change, s.config)
	}
	w := newWorld(t, change...)
	for _, r := range s.before {
		w.must(t, r)
	}
	state, settings := w.state(t), w.settings()
	a := w.do(t, s.request)
	a.expect(t, s.status, s.code, s.fields...)
	if s.want != "" {
		a.expectJSON(t, s.want)
	}
	if s.check != nil {
		s.check(t, a)
	}
	for name, values := range s.headers {
		a.expectHeader(t, name, values...)
	}
	if reads := s.method == http.MethodGet || s.method == http.MethodHead || s.method == http.MethodOptions; s.status < 300 && !reads {
		return
	}
	if after := w.state(t); after != state {
		t.Errorf("%s %s = %d, but it changed the state to\n%s", s.method, s.path, s.status, after)
	}
	if after := w.settings(); after != settings {
		t.Errorf("%s %s = %d, but it changed the settings to\n%s\nfrom\n%s", s.method, s.path, s.status, after, settings)
	}
}

// runScenarios is the whole of a test, parallel to others.
func runScenarios(t *testing.T, scenarios []scenario) {
	t.Parallel()
	for i := range scenarios {
		t.Run(scenarios[i].name, scenarios[i].run)
	}
}

// endpointScenarios are those of all operations.
func endpointScenarios() []scenario {
	return slices.Concat(
		petScenarios(), categoryScenarios(), orderScenarios(), inventoryScenarios(), messageScenarios(),
		healthScenarios(), eventScenarios(), preconditionScenarios(),
		adminScenarios(), resetScenarios(), stateScenarios(), snapshotScenarios(), sandboxScenarios(),
		clockScenarios(), operationScenarios(), reportScenarios(), faultScenarios(), requestScenarios(),
	)
}

// TestScenariosAreComplete names every operation that lacks one of the scenarios
// that it must have.
func TestScenariosAreComplete(t *testing.T) {
	t.Parallel()
	covered := make(map[string]map[string]bool) // operationId to the kinds of scenario
	for _, s := range endpointScenarios() {
		r, err := http.NewRequest(s.method, "http://127.0.0.1"+s.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		route, _, err := findOperation(behindPrefix(r))
		if err != nil {
			t.Fatalf("scenario %q is about no operation: %s %s", s.name, s.method, s.path)
		}
		id := route.Operation.OperationID
		if covered[id] == nil {
			covered[id] = make(map[string]bool)
		}
		covered[id][s.kind(route.Path)] = true
	}
	server, err := handlers.New(config())
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range server.Table() {
		if op.ID == "" {
			continue
		}
		described := documentOf(op.Path).Paths.Value(op.Path).GetOperation(op.Method)
		for _, kind := range wantedKinds(&op, described) {
			if !covered[op.ID][kind] {
				t.Errorf("%s has no scenario for %s", op.ID, kind)
			}
		}
	}
}

// kind returns what the scenario shows of its operation, which is that of the path.
func (s *scenario) kind(path string) string {
	switch {
	case s.status < http.StatusBadRequest:
		return "success"
	case s.status == http.StatusNotFound:
		return "a missing record"
	case s.code == "invalid_json":
		return "a body that is not JSON"
	case s.code == "validation_failed":
		return "a bad body"
	case s.code == "invalid_parameter" && len(s.fields) == 1 && strings.Contains(path, "{"+s.fields[0]+"}"):
		return "a wrong id"
	case s.code == "invalid_parameter":
		return "a bad parameter"
	}
	return map[int]string{
		http.StatusPreconditionFailed:   "a failed precondition",
		http.StatusUnauthorized:         "a missing key",
		http.StatusConflict:             "a conflict",
		http.StatusUnsupportedMediaType: "a body of another media type",
		http.StatusInsufficientStorage:  "no room",
	}[s.status]
}

// wantedKinds goes by what the document says that the operation takes and answers.
func wantedKinds(op *rest.Operation, described *openapi3.Operation) []string {
	service := op.Kind == rest.Service || op.Kind == rest.Private
	record := strings.Contains(op.Path, "{")
	answers := func(status int) bool { return described.Responses.Status(status) != nil }
	kinds := []string{"success"}
	for kind, wanted := range map[string]bool{
		"a missing record":             slices.Contains(codesOf(described, http.StatusNotFound), "not_found"), // of sandboxes, TestExplicitSandboxes does
		"a wrong id":                   record && !strings.Contains(op.Path, "{operationId}"),                 // any text could be one
		"a bad parameter":              op.Query != nil,
		"a missing key":                op.Kind == rest.Private,
		"a bad body":                   described.RequestBody != nil,
		"a body that is not JSON":      described.RequestBody != nil,
		"a body of another media type": described.RequestBody != nil && op.Kind == rest.Admin,
		"a failed precondition":        service && answers(http.StatusPreconditionFailed),
		"a conflict":                   op.Kind == rest.Admin && answers(http.StatusConflict),
		"no room":                      op.Kind == rest.Admin && answers(http.StatusInsufficientStorage),
	} {
		if wanted {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}
