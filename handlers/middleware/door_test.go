package middleware

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
)

// enter sends a request to the named sandbox through all links of the door.
func enter(d Door, name string) *visit { return enterBy(d, name, rest.Links(), answers) }

func answers(x *rest.Exchange) error { return x.NoContent() }

// enterBy is enter with a link between the halves of the door, and the operation behind it.
func enterBy(d Door, name string, between rest.Link, handle rest.Handler) *visit {
	v := newVisit(http.MethodGet, "/pets", http.Header{"X-Sandbox": {name}})
	v.x.Operation, v.x.Sandbox = &rest.Operation{ID: "listPets", Method: http.MethodGet}, nil
	return v.to(rest.Links(d.Acquire, d.Refuse, between, d.Admit), handle)
}

// meanwhile returns a link that calls do before it passes a request on.
func meanwhile(do func()) rest.Link {
	return func(_ *rest.Operation, next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error { do(); return next(x) }
	}
}

// TestDoorKeepsSandboxInUse checks that a sandbox is in use from the admission of a request until its
// response has ended, in any way.
func TestDoorKeepsSandboxInUse(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]rest.Handler{
		"a response":          answers,
		"an error":            func(*rest.Exchange) error { return errors.New("a defect") },
		"a broken connection": func(*rest.Exchange) error { panic(http.ErrAbortHandler) },
	} {
		now := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
		d := Door{Sandboxes: newRegistry(func(o *registry.Options) { o.Machine = func() time.Time { return now } }, 2)}
		var ada *registry.Entry
		func() {
			defer func() { _ = recover() }()
			enterBy(d, "ada", rest.Links(), func(x *rest.Exchange) error {
				if ada = x.Sandbox; !ada.LastUsed().Equal(now) {
					t.Errorf("%s: used at %v when the request came, want %v", name, ada.LastUsed(), now)
				}
				now = now.Add(time.Hour) // a slow response
				enter(d, "bob").expectRefused(t, 503, "sandbox_limit_reached")
				return end(x)
			})
		}()
		if !ada.LastUsed().Equal(now) {
			t.Errorf("%s: used at %v at the end, want %v", name, ada.LastUsed(), now)
		}
		now = now.Add(10 * time.Second)
		enter(d, "bob").expectPassed(t)
	}
}

// TestDoorFillsUp checks that the second half of the door refuses a request if the server has
// become full since the first half admitted it.
func TestDoorFillsUp(t *testing.T) {
	t.Parallel()
	d := Door{Sandboxes: newRegistry(nil, 2)}
	fill := meanwhile(func() {
		if _, _, _, err := d.Sandboxes.Make("bob", registry.CreateOptions{}); err != nil {
			t.Error(err)
		}
	})
	v := enterBy(d, "ada", fill, answers)
	v.expectRefused(t, http.StatusServiceUnavailable, "sandbox_limit_reached")
	v.expectHeader(t, "X-Sandbox")
}

// TestDoorUsesConcurrentlyCreatedSandbox checks that a request uses the sandbox that another request has created
// meanwhile.
func TestDoorUsesConcurrentlyCreatedSandbox(t *testing.T) {
	t.Parallel()
	d := Door{Sandboxes: newRegistry(nil, 2)}
	another := meanwhile(func() { enter(d, "ada").expectPassed(t) })
	enterBy(d, "ada", another, func(x *rest.Exchange) error {
		if made, err := d.Sandboxes.Find("ada"); err != nil || x.Sandbox != made {
			t.Errorf("the request is answered in another sandbox than the one there is: %v", err)
		}
		return nil
	}).expectPassed(t)
}
