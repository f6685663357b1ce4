package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

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
	state := w.state(t)
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
	reads := s.method == http.MethodGet || s.method == http.MethodHead || s.method == http.MethodOptions
	if after := w.state(t); (s.status >= 300 || reads) && after != state {
		t.Errorf("%s %s = %d, but it changed the state to\n%s", s.method, s.path, s.status, after)
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
		healthScenarios(), adminScenarios(),
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
		route, _, err := findOperation(r)
		if err != nil {
			t.Fatalf("scenario %q is about no operation: %s %s", s.name, s.method, s.path)
		}
		id := route.Operation.OperationID
		if covered[id] == nil {
			covered[id] = make(map[string]bool)
		}
		for _, kind := range s.kinds() {
			covered[id][kind] = true
		}
	}
	server, err := handlers.New(config())
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range server.Table() {
		if op.ID == "" {
			continue
		}
		for _, kind := range wantedKinds(&op) {
			if !covered[op.ID][kind] {
				t.Errorf("%s has no scenario for %s", op.ID, kind)
			}
		}
	}
}

// kinds returns what the scenario shows of its operation.
func (s *scenario) kinds() []string {
	switch {
	case s.status < http.StatusBadRequest:
		return []string{"success"}
	case s.status == http.StatusNotFound:
		return []string{"a missing record"}
	case s.code == "invalid_json":
		return []string{"a body that is not JSON"}
	case s.code == "validation_failed":
		return []string{"a bad body"}
	case s.code == "invalid_parameter" && len(s.fields) == 1 && strings.HasSuffix(s.fields[0], "Id"):
		return []string{"a wrong id"}
	case s.code == "invalid_parameter":
		return []string{"a bad parameter"}
	case s.status == http.StatusPreconditionFailed:
		return []string{"a failed precondition"}
	case s.status == http.StatusUnauthorized:
		return []string{"a missing key"}
	}
	return nil
}

func wantedKinds(op *rest.Operation) []string {
	kinds := []string{"success"}
	record := strings.Contains(op.Path, "{")
	if record {
		kinds = append(kinds, "a missing record", "a wrong id")
	}
	if op.Query != nil {
		kinds = append(kinds, "a bad parameter")
	}
	if op.Kind == rest.Private {
		kinds = append(kinds, "a missing key")
	}
	service := op.Kind == rest.Service || op.Kind == rest.Private
	switch op.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch:
		if service {
			kinds = append(kinds, "a bad body", "a body that is not JSON")
		}
	}
	if record && service && op.Method != http.MethodGet {
		kinds = append(kinds, "a failed precondition")
	}
	return kinds
}
