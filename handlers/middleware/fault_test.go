package middleware

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

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
			if v.through(Fault()); test.hit {
				v.expectRefused(t, 503, "unavailable")
			} else {
				v.expectPassed(t)
			}
			if got := v.x.Fault == 1; got != test.hit {
				t.Errorf("the journal is told of rule %d", v.x.Fault)
			}
		})
	}
	newVisit(http.MethodGet, "/pets", nil).through(Fault()).expectPassed(t) // there is no rule
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
		{"a status", fault.Rule{Status: new(502)}, "bad_gateway", "fault rule 1 answers with status 502, so the operation did not run", nil, false},
		{"with advice", fault.Rule{Status: new(503)}, "unavailable", "fault rule 1 answers with status 503, so the operation did not run", map[string]string{"Retry-After": "1"}, false},
		{"with all of it", fault.Rule{Status: new(503), Code: "tired", Message: "Later.", Headers: map[string]string{"retry-after": "9", "x-why": "a"}}, "tired", "Later.",
			map[string]string{"Retry-After": "9", "X-Why": "a"}, false},
		{"after", fault.Rule{Status: new(502), When: fault.After}, "bad_gateway", "", nil, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			v := faulty(t, test.rule, nil).to(Fault(), hello)
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
		v := faulty(t, fault.Rule{Status: &status, Headers: map[string]string{"x-why": "a"}}, nil).through(Fault())
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
		v.through(Fault()).expectRefused(t, 503, "unavailable")
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
				v := faulty(t, test.rule, nil).to(Fault(), func(x *rest.Exchange) error {
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
				ada, _, err := r.Make("ada", nil)
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
				v.to(Fault(), hello)
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
				has := e.Message == "the sandbox was dropped or the server is stopping, so the request waits no longer; the operation has run"
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
	refused := faulty(t, held, nil).to(Fault(), func(*rest.Exchange) error {
		return &store.Error{Code: store.NotFound, Problem: field.Problem{Message: "no"}}
	})
	if refused.err != nil || refused.answer.Code != 404 {
		t.Errorf("error %v, answer %d", refused.err, refused.answer.Code)
	}
	cause := errors.New("cause")
	if broken := faulty(t, held, nil).to(Fault(), func(*rest.Exchange) error { return cause }); !errors.Is(broken.err, cause) {
		t.Errorf("error %v, want the cause, which is for the log", broken.err)
	}
	implicit := faulty(t, held, nil).to(Fault(), func(x *rest.Exchange) error {
		x.W.WriteHeader(http.StatusEarlyHints) // which is not the answer
		_, err := io.WriteString(x.W, "a")
		x.W.WriteHeader(http.StatusTeapot) // nor is what comes too late
		return err
	})
	if implicit.err != nil || implicit.answer.Code != 200 || implicit.answer.Body.String() != "a" {
		t.Errorf("error %v, answer %d %q", implicit.err, implicit.answer.Code, implicit.answer.Body)
	}
}

// serve answers one request over a real connection as the rule says.
func serve(t *testing.T, rule fault.Rule, method string, handle rest.Handler) (*http.Response, []byte, error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := faulty(t, rule, nil)
		x := rest.NewExchange(w, r)
		x.Operation, x.Sandbox, x.Draws = v.x.Operation, v.x.Sandbox, v.x.Draws
		_ = Fault()(handle)(x)
		t.Error("the link returned")
	}))
	defer server.Close()
	ctx, leave := context.WithTimeout(t.Context(), 10*time.Second)
	defer leave()
	r, err := http.NewRequestWithContext(ctx, method, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	client := server.Client()
	client.Transport.(*http.Transport).DisableKeepAlives = true // a request on a fresh connection is not sent again
	response, err := client.Do(r)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response, body, err
}

func TestFaultResets(t *testing.T) {
	t.Parallel()
	ran := false
	_, _, err := serve(t, fault.Rule{Abort: fault.AbortReset}, http.MethodGet, func(*rest.Exchange) error { ran = true; return nil })
	if !errors.Is(err, syscall.ECONNRESET) || ran {
		t.Errorf("error %v, ran: %t", err, ran)
	}
}

func TestFaultTruncates(t *testing.T) {
	t.Parallel()
	truncate := fault.Rule{Abort: fault.AbortTruncate}
	response, body, err := serve(t, truncate, http.MethodGet, hello)
	if !errors.Is(err, io.ErrUnexpectedEOF) || string(body) != "hello," || response.StatusCode != 201 || response.ContentLength != 12 || response.Header.Get("X-Real") != "yes" {
		t.Errorf("%v; %v; %q", err, response, body)
	}
	stream := func(x *rest.Exchange) error {
		_, _ = io.WriteString(x.W, "data: {}\n\n")
		if err := http.NewResponseController(x.W).Flush(); err == nil || x.R.Context().Err() == nil {
			t.Errorf("a stream that is recorded goes on: %v", err)
		}
		return nil
	}
	if response, body, err := serve(t, truncate, http.MethodGet, stream); !errors.Is(err, io.ErrUnexpectedEOF) || string(body) != "data:" || response.ContentLength != -1 {
		t.Errorf("%v; %v; %q", err, response, body)
	}
	// Where there is no half, nothing is answered.
	for _, none := range []struct {
		method string
		handle rest.Handler
	}{
		{http.MethodHead, hello},
		{http.MethodGet, func(x *rest.Exchange) error { return x.NoContent() }},
		{http.MethodGet, func(x *rest.Exchange) error { _, err := io.WriteString(x.W, "a"); return err }},
	} {
		if response, body, err := serve(t, truncate, none.method, none.handle); err == nil {
			t.Errorf("%s: %v, %q", none.method, response, body)
		}
	}
}

// TestFaultHangs wants nothing to be answered until the client goes.
func TestFaultHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := faulty(t, fault.Rule{Abort: fault.AbortHang}, nil)
		ctx, leave := context.WithTimeout(t.Context(), time.Hour)
		defer leave()
		v.x.R = v.x.R.WithContext(ctx)
		start := time.Now()
		defer func() {
			if p := recover(); p != http.ErrAbortHandler || time.Since(start) != time.Hour || v.reached || v.answer.Body.Len() > 0 {
				t.Errorf("%v after %v; ran: %t, answer %q", p, time.Since(start), v.reached, v.answer.Body)
			}
		}()
		v.to(Fault(), hello)
	})
}

// TestFaultsAreToldBefore wants the journal to know of an abort before the client can.
func TestFaultsAreToldBefore(t *testing.T) {
	t.Parallel()
	for _, abort := range []fault.Abort{fault.AbortReset, fault.AbortTruncate, fault.AbortHang} {
		v := faulty(t, fault.Rule{Abort: abort}, nil)
		ctx, leave := context.WithCancel(t.Context())
		v.x.R = v.x.R.WithContext(ctx)
		told := []int{}
		v.x.Sent.Before = func(status int) {
			told = append(told, status)
			if v.answer.Body.Len() > 0 {
				t.Errorf("%s: told when %q was out", abort, v.answer.Body)
			}
			leave() // or it would hang
		}
		func() {
			defer func() {
				if p := recover(); p != http.ErrAbortHandler {
					t.Errorf("%s: %v", abort, p)
				}
			}()
			v.to(Fault(), hello)
		}()
		if len(told) != 1 || told[0] != 0 {
			t.Errorf("%s: told %v, want one 0", abort, told)
		}
	}
}
