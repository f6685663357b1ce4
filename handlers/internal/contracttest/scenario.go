package contracttest

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/must"
)

// Scenario is a request to a new world and the expected answer.
type Scenario struct {
	Name   string
	Config func(*handlers.Config) // may be nil
	Before []Request              // sent first; must succeed

	Request
	Status  int
	Code    string                    // expected error code
	Fields  []string                  // expected invalid fields, in order
	Want    string                    // expected body, as JSON
	Check   func(*testing.T, *Answer) // used instead of Want if the body varies
	Headers http.Header               // expected headers; without values, the header must be absent
}

// Answered returns a scenario in which the request succeeds and the answer's body is want.
func Answered(name string, r Request, status int, want string) Scenario {
	return Scenario{Name: name, Request: r, Status: status, Want: want}
}

// Refused returns a scenario in which the request is refused because of the given fields.
func Refused(name string, r Request, status int, code string, fields ...string) Scenario {
	return Scenario{Name: name, Request: r, Status: status, Code: code, Fields: fields}
}

// On returns the scenario with the configuration functions, which are applied in order.
func (s Scenario) On(configs ...func(*handlers.Config)) Scenario {
	s.Config = func(c *handlers.Config) {
		for _, change := range configs {
			if change != nil {
				change(c)
			}
		}
	}
	return s
}

// After returns the scenario with requests to send before its own.
func (s Scenario) After(before ...Request) Scenario { s.Before = before; return s }

// RunScenarios runs each scenario as a parallel subtest.
func RunScenarios(t *testing.T, scenarios []Scenario) {
	t.Helper()
	t.Parallel()
	seen := make(map[string]bool)
	for i := range scenarios {
		name := scenarios[i].Name
		if seen[name] {
			t.Errorf("two scenarios are called %q", name)
		}
		seen[name] = true
		t.Run(name, scenarios[i].run)
	}
}

func (s *Scenario) run(t *testing.T) {
	t.Parallel()
	if s.Want == "" && s.Check == nil && s.Status < 300 && s.Status != http.StatusNoContent &&
		s.Method != http.MethodHead {
		t.Fatal("the scenario does not say what the body is")
	}
	var change []func(*handlers.Config)
	if s.Config != nil {
		change = append(change, s.Config)
	}
	w := NewWorld(t, change...)
	for _, r := range s.Before {
		w.Must(t, r)
	}
	before := w.Everything(t)
	a := w.Do(t, s.Request)
	a.Expect(t, s.Status, s.Code, s.Fields...)
	if s.Want != "" {
		a.ExpectJSON(t, s.Want)
	}
	if s.Check != nil {
		s.Check(t, a)
	}
	for name, values := range s.Headers {
		a.ExpectHeader(t, name, values...)
	}
	s.checkChanges(t, before, w.Everything(t))
}

// checkChanges requires that a failed or read-only request changes nothing, and that a write
// changes only its own sandbox.
func (s *Scenario) checkChanges(t *testing.T, before, after map[string]string) {
	t.Helper()
	r := must.Get(http.NewRequest(s.Method, "http://127.0.0.1"+s.Path, nil))(t)
	r.Header = s.Header
	path := BehindPrefix(r).URL.Path
	own, _ := ChosenSandbox(r)
	wrote := s.Status < 300 && !slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions}, s.Method)
	if wrote && (strings.HasPrefix(path, "/admin/sandboxes") || path == "/join" || path == "/admin/workshop/end") {
		return // such a request may change other sandboxes
	}
	for name, was := range before {
		if is := after[name]; is != was && !(wrote && name == own) {
			t.Errorf("%s %s = %d, but it changed sandbox %s to\n%s\nfrom\n%s", s.Method, s.Path, s.Status, name, is,
				was)
		}
	}
	for name := range after {
		if _, ok := before[name]; !ok && (name != own || IsAdmin(path) && !wrote) {
			t.Errorf("%s %s = %d, but it made sandbox %s", s.Method, s.Path, s.Status, name)
		}
	}
}
