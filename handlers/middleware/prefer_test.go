package middleware

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store"
)

// TestPrefer is what a request prefers and what becomes of it, by the bubble's time.
func TestPrefer(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		prefer  []string
		status  int // 0: it is handed on
		delay   time.Duration
		applied string
	}{
		{nil, 0, 0, ""},
		{[]string{""}, 0, 0, ""},
		{[]string{"respond-async, wait=5"}, 0, 0, ""},
		{[]string{"code=400"}, 400, 0, "code=400"},
		{[]string{"code=599"}, 599, 0, "code=599"},
		{[]string{"delay=0"}, 0, 0, "delay=0"},
		{[]string{"delay=1500"}, 0, 1500 * time.Millisecond, "delay=1500"},
		{[]string{"delay=60000"}, 0, time.Minute, "delay=60000"},
		{[]string{"delay=20", "code=503"}, 503, 20 * time.Millisecond, "delay=20, code=503"},
		{[]string{` Code = "503" ; why=test , DELAY=20`}, 503, 20 * time.Millisecond, "code=503, delay=20"},
		{[]string{"delay=20, delay=30", "code=503", "code=504"}, 503, 20 * time.Millisecond, "delay=20, code=503"},
		{[]string{"code=503, code=x"}, 503, 0, "code=503"}, // of a preference that is given twice the first counts, whatever the second is
		{[]string{`x="a, code=503"`}, 0, 0, ""},
		{[]string{`x="\", code=503"`}, 0, 0, ""},
		{[]string{`x="\\", code=503`}, 503, 0, "code=503"},
		{[]string{`x=\, code=503`}, 503, 0, "code=503"}, // escapes nothing outside of quotes
	} {
		synctest.Test(t, func(t *testing.T) {
			v := newVisit(http.MethodGet, "/pets", http.Header{"Prefer": test.prefer})
			start := time.Now()
			if v.through(Disturb); test.status == 0 {
				v.expectPassed(t)
			} else if e := rest.AsError(v.err); v.reached || e.Status != test.status {
				t.Errorf("%q: handed on: %t, %v", test.prefer, v.reached, v.err)
			}
			if waited := time.Since(start); waited != test.delay {
				t.Errorf("%q waited %v, want %v", test.prefer, waited, test.delay)
			}
			v.expectHeader(t, "Preference-Applied", values(test.applied)...)
		})
	}
}

// TestWaitedBeforeAReset is of the moment after a wait: what is reset then is not changed
// by the request that waited, and is by one that did not.
func TestWaitedBeforeAReset(t *testing.T) {
	t.Parallel()
	for _, prefer := range []string{"delay=0", "delay=20"} {
		synctest.Test(t, func(t *testing.T) {
			v := newVisit(http.MethodDelete, "/pets/1", http.Header{"Prefer": {prefer}})
			v.x.TakeSandbox(v.x.Sandbox)
			v.to(Disturb, func(x *rest.Exchange) error {
				x.Sandbox.Reset()
				return x.Update(func(tx *store.Tx) (journal.Event, error) {
					_, err := tx.CreateMessage(store.Message{})
					return journal.Event{Name: "message.created"}, err
				})
			})
			waited := prefer != "delay=0"
			if refused := v.err != nil && rest.AsError(v.err).Status == 503; refused != waited || v.x.Sandbox.Store.Undoable() > 0 == waited {
				t.Errorf("%s: error = %v, and %d writes", prefer, v.err, v.x.Sandbox.Store.Undoable())
			}
		})
	}
}

func TestPreferRefuses(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		"code=399", "code=600", "code=", "code", "code=x", "code=+503", "code=0503", "code=-503",
		"delay=-1", "delay=60001", "delay=", "delay=1.5", "delay=x", "delay=9223372036854775808", "code=503, delay=x", "x, code=x",
	} {
		v := newVisit(http.MethodGet, "/pets", http.Header{"Prefer": {bad}}).through(Disturb)
		e := v.expectRefused(t, http.StatusBadRequest, "invalid_parameter")
		if len(e.Details) != 1 || e.Details[0].Field != "Prefer" {
			t.Errorf("%s: %+v", bad, e.Details)
		}
		v.expectHeader(t, "Preference-Applied")
	}
}

// TestPreferIsForTheService wants nothing else to be affected.
func TestPreferIsForTheService(t *testing.T) {
	t.Parallel()
	for _, kind := range []rest.Kind{rest.Admin, rest.Health, rest.Page} {
		v := newVisit(http.MethodGet, "/pets", http.Header{"Prefer": {"code=503"}})
		v.x.Operation.Kind = kind
		v.through(Disturb).expectPassed(t)
		v.expectHeader(t, "Preference-Applied")
	}
}

func TestElements(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"": {""}, ",": {"", ""}, "a": {"a"}, "a,b": {"a", "b"}, `"a,b",c`: {`"a,b"`, "c"}, `a="b\",c",d`: {`a="b\",c"`, "d"}, `"a`: {`"a`}, `"a\`: {`"a\`}, `a\,b`: {`a\`, "b"},
	} {
		if got := elements(line); !slices.Equal(got, want) {
			t.Errorf("the elements of %s are %q, want %q", line, got, want)
		}
	}
}

// TestPreferDelayEndsWithTheClient wants nothing to run, and nothing to be said of what
// was preferred, for a client that has gone.
func TestPreferDelayEndsWithTheClient(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := newVisit(http.MethodGet, "/pets", http.Header{"Prefer": {"delay=1000"}})
		ctx, leave := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer leave()
		v.x.R = v.x.R.WithContext(ctx)
		start := time.Now()
		v.through(Disturb)
		if took := time.Since(start); v.reached || !errors.Is(v.err, context.DeadlineExceeded) || took != 300*time.Millisecond {
			t.Errorf("handed on: %t, error %v after %v", v.reached, v.err, took)
		}
		v.expectHeader(t, "Preference-Applied")
	})
}
