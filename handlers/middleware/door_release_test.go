package middleware

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
)

// TestDoorHoldsAndLetsGo wants a sandbox to be used from the moment a request is let in
// until its answer has ended.
func TestDoorHoldsAndLetsGo(t *testing.T) {
	t.Parallel()
	now := since
	d := Door{Sandboxes: newRegistry(func(o *registry.Options) { o.Machine = func() time.Time { return now } }, 2)}
	v := newVisit(http.MethodGet, "/pets", http.Header{"X-Sandbox": {"ada"}})
	v.to(rest.Links(d.Acquire, d.Refuse, d.Admit), func(x *rest.Exchange) error {
		if !x.Sandbox.LastUsed().Equal(since) {
			t.Errorf("used at %v when the request came, want %v", x.Sandbox.LastUsed(), since)
		}
		now = now.Add(time.Hour) // a slow answer
		enter(d, "bob", &serviceRead).expectRefused(t, 503, "sandbox_limit_reached")
		return nil
	})
	v.expectPassed(t)
	if got := v.x.Sandbox.LastUsed(); !got.Equal(now) {
		t.Errorf("used at %v at the end, want %v", got, now)
	}
	now = now.Add(10 * time.Second)
	enter(d, "bob", &serviceRead).expectPassed(t)
}

// TestDoorLetsGoWhateverTheEnd wants a request that has failed or was broken off to hold
// its sandbox no longer than another.
func TestDoorLetsGoWhateverTheEnd(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]rest.Handler{
		"an error":            func(*rest.Exchange) error { return errors.New("a defect") },
		"a broken connection": func(*rest.Exchange) error { panic(http.ErrAbortHandler) },
	} {
		now := since
		d := Door{Sandboxes: newRegistry(func(o *registry.Options) { o.Machine = func() time.Time { return now } }, 2)}
		func() {
			defer func() { _ = recover() }()
			newVisit(http.MethodGet, "/pets", http.Header{"X-Sandbox": {"ada"}}).to(rest.Links(d.Acquire, d.Refuse, d.Admit), end)
		}()
		if diff := cmp.Diff([]string{"ada", "default"}, names(d.Sandboxes)); diff != "" {
			t.Errorf("sandboxes after %s, -want +got:\n%s", name, diff)
		}
		now = now.Add(10 * time.Second)
		enter(d, "bob", &serviceRead).expectPassed(t)
	}
}
