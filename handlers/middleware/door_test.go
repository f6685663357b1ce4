package middleware

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
)

// The operations that a door tells apart.
var (
	serviceRead = rest.Operation{ID: "listPets", Method: http.MethodGet}
	adminRead   = rest.Operation{ID: "getAdmin", Method: http.MethodGet, Kind: rest.Admin}
	adminWrite  = rest.Operation{ID: "resetSandbox", Method: http.MethodPost, Kind: rest.Admin}
	serverWide  = rest.Operation{ID: "listSandboxes", Method: http.MethodGet, Kind: rest.Admin, ServerWide: true}
	health      = rest.Operation{ID: "getHealth", Method: http.MethodGet, Kind: rest.Health}
	page        = rest.Operation{Method: http.MethodGet, Kind: rest.Page}
)

// enter sends a request that names a sandbox through all links of the door.
func enter(d Door, name string, op *rest.Operation) *visit {
	v := newVisit(op.Method, "/pets", http.Header{"X-Sandbox": {name}})
	v.x.Operation, v.x.Sandbox = op, nil
	return v.through(rest.Links(d.Acquire, d.Refuse, d.Admit))
}

func names(r *registry.Registry) []string {
	var names []string
	for _, sb := range r.List() {
		names = append(names, sb.Name)
	}
	slices.Sort(names)
	return names
}

// TestDoor is a request to a sandbox that is not there.
func TestDoor(t *testing.T) {
	t.Parallel()
	keys := Keys{API: []string{"k1"}, Admin: "root"}
	for _, test := range []struct {
		name     string
		op       rest.Operation
		explicit bool
		keys     Keys
		full     bool   // nothing else fits in the registry
		status   int    // 0: it is let in
		code     string // of the refusal
		made     bool
	}{
		{name: "a request to the service", op: serviceRead, made: true},
		{name: "a write of the control plane", op: adminWrite, made: true},
		{name: "a read of the control plane", op: adminRead, status: 404, code: "unknown_sandbox"},
		{name: "about the server", op: serverWide},
		{name: "health", op: health},
		{name: "a page", op: page},
		{name: "with keys", op: serviceRead, keys: keys, made: true},
		{name: "a read of the control plane with keys", op: adminRead, keys: keys, status: 404, code: "unknown_sandbox"},
		{name: "explicit", op: serviceRead, explicit: true, status: 404, code: "unknown_sandbox"},
		{name: "explicit, a write of the control plane", op: adminWrite, explicit: true, status: 404, code: "unknown_sandbox"},
		{name: "explicit, with keys", op: serviceRead, explicit: true, keys: keys, status: 404, code: "unknown_sandbox"},
		{name: "explicit, about the server", op: serverWide, explicit: true},
		{name: "explicit, health", op: health, explicit: true},
		{name: "explicit, a page", op: page, explicit: true},
		{name: "full", op: serviceRead, full: true, status: 503, code: "sandbox_limit_reached"},
		{name: "full, a read of the control plane", op: adminRead, full: true, status: 404, code: "unknown_sandbox"},
		{name: "full, health", op: health, full: true},
		{name: "full, a page", op: page, full: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			most, want := 2, []string{"default"}
			if test.full {
				most = 1
			}
			if test.made {
				want = append([]string{"ada"}, want...)
			}
			r := newRegistry(nil, most)
			v := enter(Door{Sandboxes: r, Explicit: test.explicit, Keys: test.keys}, "ada", &test.op)
			if test.status == 0 {
				v.expectPassed(t)
				v.expectHeader(t, "X-Sandbox", "ada")
			} else {
				v.expectRefused(t, test.status, test.code)
				v.expectHeader(t, "X-Sandbox")
			}
			if diff := cmp.Diff(want, names(r)); diff != "" {
				t.Errorf("sandboxes, -want +got:\n%s", diff)
			}
			if test.op.NeedsSandbox() {
				enter(Door{Sandboxes: r, Explicit: test.explicit, Keys: test.keys}, "default", &test.op).expectPassed(t)
			}
		})
	}
}

// TestDoorTellsNothingBeforeTheKey leaves the 404 to the second half of the door where
// a key stands between the halves.
func TestDoorTellsNothingBeforeTheKey(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		op    rest.Operation
		keys  Keys
		first bool // the first half lets it in
	}{
		{adminRead, Keys{}, false},
		{adminRead, Keys{API: []string{"k1"}}, false},
		{adminRead, Keys{Admin: "root"}, true},
		{serviceRead, Keys{}, false},
		{serviceRead, Keys{Admin: "root"}, false},
		{serviceRead, Keys{API: []string{"k1"}}, true},
		{rest.Operation{Kind: rest.Private}, Keys{}, true}, // which always wants one
	} {
		d := Door{Sandboxes: newRegistry(nil, 2), Explicit: true, Keys: test.keys}
		v := newVisit(http.MethodGet, "/pets", http.Header{"X-Sandbox": {"ada"}})
		v.x.Operation = &test.op
		v.through(rest.Links(d.Acquire, d.Refuse))
		if v.reached != test.first {
			t.Errorf("kind %d with %+v is let in: %t, want %t", test.op.Kind, test.keys, v.reached, test.first)
		}
	}
}

// TestDoorSaysHowToMakeOne wants the advice to fit the server.
func TestDoorSaysHowToMakeOne(t *testing.T) {
	t.Parallel()
	for _, explicit := range []bool{false, true} {
		e := enter(Door{Sandboxes: newRegistry(nil, 2), Explicit: explicit}, "ada", &adminRead).expectRefused(t, 404, "unknown_sandbox")
		if got := strings.Contains(e.Message, "--explicit-sandboxes"); got != explicit {
			t.Errorf("explicit: %t; message = %q", explicit, e.Message)
		}
	}
}

// TestDoorWithoutAName refuses what names no sandbox that can be.
func TestDoorWithoutAName(t *testing.T) {
	t.Parallel()
	for _, op := range []rest.Operation{serviceRead, health, page} {
		v := enter(Door{Sandboxes: newRegistry(nil, 2)}, "\x01", &op)
		v.expectRefused(t, 400, "invalid_parameter")
		v.expectHeader(t, "X-Sandbox")
	}
}

// TestDoorClaims wants the sandboxes that a write of the control plane made to stay when
// there is no room for another, and those that were idle to go.
func TestDoorClaims(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		op   rest.Operation
		idle time.Duration
		stay bool
	}{
		{serviceRead, 10 * time.Second, false},
		{serviceRead, 9 * time.Second, true},
		{adminWrite, time.Hour, true},
	} {
		now := since
		d := Door{Sandboxes: newRegistry(func(o *registry.Options) { o.Machine = func() time.Time { return now } }, 2)}
		now = now.Add(time.Minute) // in use only now, and not when it was made
		ada := enter(d, "ada", &test.op)
		ada.expectPassed(t)
		if got := ada.x.Sandbox.LastUsed(); !got.Equal(now) {
			t.Errorf("last used at %v, want %v", got, now)
		}
		now = now.Add(test.idle)
		if bob := enter(d, "bob", &serviceRead); test.stay {
			bob.expectRefused(t, 503, "sandbox_limit_reached")
		} else {
			bob.expectPassed(t)
		}
	}
}

// TestDoorFillsUp wants a request to be refused that was let in by the first half of the
// door while there was room, and comes to the second when there is none.
func TestDoorFillsUp(t *testing.T) {
	t.Parallel()
	d := Door{Sandboxes: newRegistry(nil, 2)}
	v := newVisit(http.MethodGet, "/pets", http.Header{"X-Sandbox": {"ada"}})
	fill := func(_ *rest.Operation, next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			if _, _, err := d.Sandboxes.Make("bob", registry.CreateOptions{}); err != nil {
				t.Error(err)
			}
			return next(x)
		}
	}
	v.through(rest.Links(d.Acquire, d.Refuse, fill, d.Admit))
	v.expectRefused(t, http.StatusServiceUnavailable, "sandbox_limit_reached")
	v.expectHeader(t, "X-Sandbox")
}

// TestDoorOfTwoAtOnce wants a request whose sandbox somebody else has made meanwhile to be
// answered in that one.
func TestDoorOfTwoAtOnce(t *testing.T) {
	t.Parallel()
	d := Door{Sandboxes: newRegistry(nil, 2)}
	another := func(_ *rest.Operation, next rest.Handler) rest.Handler {
		return func(x *rest.Exchange) error {
			enter(d, "ada", &serviceRead).expectPassed(t)
			return next(x)
		}
	}
	v := newVisit(http.MethodGet, "/pets", http.Header{"X-Sandbox": {"ada"}})
	v.to(rest.Links(d.Acquire, d.Refuse, another, d.Admit), func(x *rest.Exchange) error {
		if made, err := d.Sandboxes.Find("ada"); err != nil || x.Sandbox != made {
			t.Errorf("the request is answered in another sandbox than the one there is: %v", err)
		}
		return nil
	})
	v.expectPassed(t)
}
