package middleware

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

// faulty is a request to a sandbox with the rule.
func faulty(t *testing.T, rule fault.Rule, header http.Header) *visit {
	t.Helper()
	v := newVisit(http.MethodGet, "/sandboxes/ada/pets", header)
	if _, err := v.x.Sandbox.Faults.Add(rule); err != nil {
		t.Fatal(err)
	}
	v.x.Draws = v.x.Sandbox.Draw()
	return v
}

// hello is an operation that answers at once.
func hello(x *rest.Exchange) error {
	x.W.Header().Set("X-Real", "yes")
	x.W.WriteHeader(http.StatusCreated)
	_, err := io.WriteString(x.W, "hello, world")
	return err
}

// TestFaultChooses is which requests a rule reaches.
func TestFaultChooses(t *testing.T) {
	t.Parallel()
	down := fault.Rule{Status: new(503)}
	for _, test := range []struct {
		name  string
		match *fault.Match
		kind  rest.Kind
		hit   bool
	}{
		{"any", nil, rest.Service, true},
		{"a private operation", nil, rest.Private, true},
		{"the control plane", nil, rest.Admin, false},
		{"health", nil, rest.Health, false},
		{"a page", nil, rest.Page, false},
		{"by operation", &fault.Match{OperationID: "listPets"}, rest.Service, true},
		{"by another operation", &fault.Match{OperationID: "getPet"}, rest.Service, false},
		{"by method", &fault.Match{Method: "GET"}, rest.Service, true},
		{"by another method", &fault.Match{Method: "HEAD"}, rest.Service, false},
		{"by the path behind the prefix", &fault.Match{Path: "/pets"}, rest.Service, true},
		{"by another path", &fault.Match{Path: "/sandboxes/**"}, rest.Service, false},
		{"by header", &fault.Match{Headers: map[string]string{"x-client": "web"}}, rest.Service, true},
		{"by another header", &fault.Match{Headers: map[string]string{"x-client": "app"}}, rest.Service, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			rule := down
			rule.Match = test.match
			v := faulty(t, rule, http.Header{"X-Client": {"web"}})
			v.x.Operation.Kind = test.kind
			if v.through(Disturb); test.hit {
				v.expectRefused(t, 503, "unavailable")
			} else {
				v.expectPassed(t)
			}
			if got := v.x.Fault == 1; got != test.hit {
				t.Errorf("the journal is told of rule %d", v.x.Fault)
			}
		})
	}
	newVisit(http.MethodGet, "/pets", nil).through(Disturb).expectPassed(t) // there is no rule
}

// TestFaultAnswers is what a rule answers in the operation's place.
func TestFaultAnswers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name          string
		rule          fault.Rule
		code, message string
		header        map[string]string
		ran           bool
	}{
		{"a status", fault.Rule{Status: new(502)}, "bad_gateway", "fault rule 1 returned status 502, so the operation did not run", nil, false},
		{"with advice", fault.Rule{Status: new(503)}, "unavailable", "fault rule 1 returned status 503, so the operation did not run", map[string]string{"Retry-After": "1"}, false},
		{"with all of it", fault.Rule{Status: new(503), Code: "tired", Message: "Later.", Headers: map[string]string{"retry-after": "9", "x-why": "a"}}, "tired", "Later.",
			map[string]string{"Retry-After": "9", "X-Why": "a"}, false},
		{"after", fault.Rule{Status: new(502), When: fault.After}, "bad_gateway", "", nil, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			v := faulty(t, test.rule, nil).to(Disturb, hello)
			if v.reached != test.ran {
				t.Errorf("the operation ran: %t, want %t", v.reached, test.ran)
			}
			e := rest.AsError(v.err)
			if e.Status != *test.rule.Status || e.Code != test.code || test.message != "" && e.Message != test.message {
				t.Errorf("the answer is %d %s %q", e.Status, e.Code, e.Message)
			}
			for name, value := range test.header {
				if got := e.Header.Get(name); got != value {
					t.Errorf("%s = %q, want %q", name, got, value)
				}
			}
			v.expectHeader(t, "X-Real") // what was recorded is thrown away
		})
	}
}

// TestFaultAnswersWithoutBody wants statuses that have no body to have none.
func TestFaultAnswersWithoutBody(t *testing.T) {
	t.Parallel()
	for _, status := range []int{204, 205, 304} {
		v := faulty(t, fault.Rule{Status: &status, Headers: map[string]string{"x-why": "a"}}, nil).through(Disturb)
		if v.reached || v.err != nil || v.answer.Code != status || v.answer.Body.Len() > 0 {
			t.Errorf("%d: handed on: %t, error %v, answer %d %q", status, v.reached, v.err, v.answer.Code, v.answer.Body)
		}
		v.expectHeader(t, "X-Why", "a")
	}
}

// TestFaultExposesItsHeaders lets the scripts read a rule's headers that may read others.
func TestFaultExposesItsHeaders(t *testing.T) {
	t.Parallel()
	rule := fault.Rule{Status: new(503), Headers: map[string]string{"X-Why": "a"}}
	for _, exposed := range []string{"", "ETag, Link"} {
		v := faulty(t, rule, nil)
		want := values("")
		if exposed != "" {
			v.answer.Header().Set("Access-Control-Expose-Headers", exposed)
			want = values(exposed + ", X-Why")
		}
		v.through(Disturb).expectRefused(t, 503, "unavailable")
		v.expectHeader(t, "Access-Control-Expose-Headers", want...)
	}
}

// TestFaultWaits is when the operation runs, and when it is over, by the bubble's time.
func TestFaultWaits(t *testing.T) {
	t.Parallel()
	const delay = 200 * time.Millisecond
	slow := &fault.Delay{FixedMs: new(200)}
	for _, test := range []struct {
		name string
		rule fault.Rule
		ran  time.Duration // after the request came; -1: it did not
	}{
		{"before", fault.Rule{Delay: slow}, delay},
		{"before a fault", fault.Rule{Delay: slow, Status: new(503)}, -1},
		{"after", fault.Rule{Delay: slow, When: fault.After}, 0},
		{"after, then a fault", fault.Rule{Delay: slow, Status: new(503), When: fault.After}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				came, ran := time.Now(), time.Duration(-1)
				v := faulty(t, test.rule, nil).to(Disturb, func(x *rest.Exchange) error {
					ran = time.Since(came)
					return hello(x)
				})
				if took := time.Since(came); ran != test.ran || took != delay {
					t.Errorf("ran after %v, ended after %v, want %v and %v", ran, took, test.ran, delay)
				}
				if test.rule.Status == nil && (v.err != nil || v.answer.Code != http.StatusCreated || v.answer.Body.String() != "hello, world") {
					t.Errorf("error %v, answer %d %s", v.err, v.answer.Code, v.answer.Body)
				}
			})
		})
	}
}

// TestFaultStopsWaiting wants nothing to run for a client that has gone, and a request
// whose sandbox goes to be told whether its operation has run.
func TestFaultStopsWaiting(t *testing.T) {
	t.Parallel()
	for _, when := range []fault.When{fault.Before, fault.After} {
		for _, dropped := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				r := newRegistry(nil, 10)
				v := newVisit(http.MethodGet, "/pets", nil)
				ada, _, err := r.Make("ada", registry.CreateOptions{})
				if err != nil {
					t.Fatal(err)
				}
				ctx, leave := context.WithCancel(t.Context())
				v.x.Sandbox, v.x.R, v.x.Draws = ada, v.x.R.WithContext(ctx), ada.Draw()
				if _, err := ada.Faults.Add(fault.Rule{Delay: &fault.Delay{FixedMs: new(200)}, When: when}); err != nil {
					t.Fatal(err)
				}
				time.AfterFunc(50*time.Millisecond, func() {
					if !dropped {
						leave()
					} else if err := r.Drop("ada"); err != nil {
						t.Error(err)
					}
				})
				v.to(Disturb, hello)
				leave()
				if v.reached != (when == fault.After) || v.answer.Body.Len() > 0 {
					t.Errorf("%s, dropped: %t; ran: %t, answer %q", when, dropped, v.reached, v.answer.Body)
				}
				if !dropped {
					if !errors.Is(v.err, context.Canceled) {
						t.Errorf("%s: %v, want the context's error", when, v.err)
					}
					return
				}
				e := rest.AsError(v.err)
				has := e.Message == "the sandbox was dropped while the request waited; the operation returned status 201"
				if e.Status != 503 || has != (when == fault.After) {
					t.Errorf("%s: %d %q", when, e.Status, e.Message)
				}
			})
		}
	}
}

// TestFaultPassesOnWhatRan wants an answer that was held back to be what it would have
// been.
func TestFaultPassesOnWhatRan(t *testing.T) {
	t.Parallel()
	held := fault.Rule{When: fault.After}
	refused := faulty(t, held, nil).to(Disturb, func(*rest.Exchange) error {
		return &store.Error{Code: store.NotFound, Problem: field.Problem{Message: "no"}}
	})
	if refused.err != nil || refused.answer.Code != 404 {
		t.Errorf("error %v, answer %d", refused.err, refused.answer.Code)
	}
	full := faulty(t, held, nil).to(Disturb, func(*rest.Exchange) error { return rest.Refuse("sandbox_full", "no") })
	if full.err != nil || full.answer.Code != http.StatusInsufficientStorage {
		t.Errorf("error %v, answer %d", full.err, full.answer.Code)
	}
	cause := errors.New("cause")
	if broken := faulty(t, held, nil).to(Disturb, func(*rest.Exchange) error { return cause }); !errors.Is(broken.err, cause) {
		t.Errorf("error %v, want the cause, which is for the log", broken.err)
	}
	implicit := faulty(t, held, nil).to(Disturb, func(x *rest.Exchange) error {
		x.W.WriteHeader(http.StatusEarlyHints) // which is not the answer
		_, err := io.WriteString(x.W, "a")
		x.W.WriteHeader(http.StatusTeapot) // nor is what comes too late
		return err
	})
	if implicit.err != nil || implicit.answer.Code != 200 || implicit.answer.Body.String() != "a" {
		t.Errorf("error %v, answer %d %q", implicit.err, implicit.answer.Code, implicit.answer.Body)
	}
}
