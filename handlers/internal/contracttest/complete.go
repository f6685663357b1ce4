package contracttest

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"example.com/petstore/handlers/internal/must"
)

// Complete fails the test for every kind of scenario that an operation needs and that is neither in
// scenarios nor in one of the transcripts in dir. Which kinds an operation needs depends on its
// parameters, body and responses in the document.
func Complete(t *testing.T, d *Document, scenarios []Scenario, dir string) {
	t.Helper()
	covered := make(map[*openapi3.Operation][]string) // kinds of scenarios, by operation
	cover := func(s *Scenario) bool {
		r, err := http.NewRequest(s.Method, "http://127.0.0.1"+s.Path, nil)
		if err != nil {
			return false
		}
		route, _, err := FindOperation(BehindPrefix(r))
		if err != nil || route.Spec != d.T {
			return false
		}
		covered[route.Operation] = append(covered[route.Operation], s.kind(route.Path))
		return true
	}
	for i := range scenarios {
		if s := &scenarios[i]; !cover(s) {
			t.Fatalf("scenario %q is about no operation of the document: %s %s", s.Name, s.Method, s.Path)
		}
	}
	for _, s := range transcribed(t, dir) {
		cover(&s)
	}
	for path, item := range d.Paths.Map() {
		for _, op := range item.Operations() {
			for kind, wanted := range wantedKinds(path, op) {
				if wanted && !slices.Contains(covered[op], kind) {
					t.Errorf("%s has no scenario for %s; add an exchange to a transcript in %s", op.OperationID, kind, dir)
				}
			}
		}
	}
}

// kind derives the kind of the scenario from its expected answer.
func (s *Scenario) kind(path string) string {
	switch {
	case s.Status < http.StatusBadRequest:
		return "success"
	case s.Status == http.StatusNotFound:
		return "a missing record"
	case s.Code == "invalid_json":
		return "a body that is not JSON"
	case s.Code == "validation_failed":
		return "a bad body"
	case s.Code == "invalid_parameter" && len(s.Fields) == 1 && strings.Contains(path, "{"+s.Fields[0]+"}"):
		return "a wrong id"
	case s.Code == "invalid_parameter":
		return "a bad parameter"
	}
	return map[int]string{
		http.StatusPreconditionFailed:   "a failed precondition",
		http.StatusUnauthorized:         "a missing key",
		http.StatusConflict:             "a conflict",
		http.StatusUnsupportedMediaType: "a body of another media type",
		http.StatusInsufficientStorage:  "no room",
	}[s.Status]
}

// An exchange is a request of a transcript and the status line of its response. A problem is the
// body of a refusal.
var (
	exchange = regexp.MustCompile(`(?m)^> (\S+) (\S+)\n(?:>.*\n)*< HTTP/1.1 (\d+) .*\n(?:<.*\n)*`)
	problem  = regexp.MustCompile(`(?m)^< (\{"code":.*)$`)
)

// transcribed returns the exchanges of the transcripts, without bodies.
func transcribed(t *testing.T, dir string) []Scenario {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts in %s: %v", dir, err)
	}
	var all []Scenario
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(t)
		for _, match := range exchange.FindAllSubmatch(text, -1) {
			var p Problem
			if body := problem.FindSubmatch(match[0]); body != nil {
				if err := json.Unmarshal(body[1], &p); err != nil {
					t.Fatalf("%s: %v in %s", file, err, body[1])
				}
			}
			s := Refused(file, Request{Method: string(match[1]), Path: string(match[2])}, 0, p.Code)
			s.Status, _ = strconv.Atoi(string(match[3]))
			for _, detail := range p.Details {
				s.Fields = append(s.Fields, detail.Field)
			}
			all = append(all, s)
		}
	}
	return all
}

func wantedKinds(path string, op *openapi3.Operation) map[string]bool {
	admin, body := IsAdmin(path), op.RequestBody != nil
	answers := func(status int) bool { return op.Responses.Status(status) != nil }
	free := func(r openapi3.SecurityRequirement) bool { return len(r) == 0 }
	inQuery := func(p *openapi3.ParameterRef) bool { return p.Value.In == openapi3.ParameterInQuery }
	return map[string]bool{
		"success": true,
		// TestExplicitSandboxes covers missing sandboxes.
		"a missing record": slices.Contains(CodesOf(op, http.StatusNotFound), "not_found"),
		// Every string is a valid operationId.
		"a wrong id":                   strings.Contains(strings.ReplaceAll(path, "{operationId}", ""), "{"),
		"a bad parameter":              slices.ContainsFunc(op.Parameters, inQuery),
		"a missing key":                len(*op.Security) > 0 && !slices.ContainsFunc(*op.Security, free),
		"a bad body":                   body,
		"a body that is not JSON":      body,
		"a body of another media type": body && admin,
		"a failed precondition":        !admin && answers(http.StatusPreconditionFailed),
		"a conflict":                   admin && answers(http.StatusConflict),
		"no room":                      admin && answers(http.StatusInsufficientStorage),
	}
}

// CodesOf returns the error codes in the examples for an operation's response with the given
// status.
func CodesOf(op *openapi3.Operation, status int) []string {
	response := op.Responses.Status(status)
	if response == nil {
		return nil
	}
	var codes []string
	for _, example := range response.Value.Content.Get("application/json").Examples {
		value := example.Value.Value.(map[string]any)
		codes = append(codes, value["code"].(string))
	}
	return codes
}
