package middleware

import (
	"net/http"
	"testing"
	"time"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

var (
	since = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	end   = time.Date(2030, time.December, 31, 0, 0, 0, 0, time.UTC)
)

// old is the visit of a deprecated operation at the time.
func old(l sandbox.Lifecycle, now time.Time) *visit {
	v := newVisit(http.MethodGet, "/sandboxes/ada/pets/7", nil)
	v.x.Operation = &rest.Operation{ID: "getPet", Tag: "Pets", Lifecycle: l}
	v.x.Params = map[string]string{"petId": "a/7"}
	v.x.Sandbox = newSandboxWith(func(o *registry.Options) { o.Machine = func() time.Time { return now } })
	return v
}

// TestLifecycleHeaders is a lifecycle and the headers that tell of it.
func TestLifecycleHeaders(t *testing.T) {
	t.Parallel()
	const docs = `</sandboxes/ada/docs/#/Pets/getPet>; rel="deprecation"`
	for _, test := range []struct {
		name                                          string
		lifecycle                                     sandbox.Lifecycle
		now                                           time.Time
		stability, deprecation, sunset, warning, link string
	}{
		{name: "nothing to say", now: since},
		{name: "beta", lifecycle: sandbox.Lifecycle{Stability: sandbox.Beta}, now: since, stability: "beta"},
		{name: "deprecated", lifecycle: sandbox.Lifecycle{Deprecated: true, DeprecatedSince: since}, now: since,
			deprecation: "@1767225600", warning: `299 - "getPet is deprecated since 2026-01-01"`, link: docs},
		{name: "leaving", lifecycle: sandbox.Lifecycle{Deprecated: true, DeprecatedSince: since, Sunset: end}, now: end.Add(-1),
			deprecation: "@1767225600", sunset: "Tue, 31 Dec 2030 00:00:00 GMT", warning: `299 - "getPet is deprecated since 2026-01-01 and will be removed on 2030-12-31"`, link: docs},
		{name: "overdue", lifecycle: sandbox.Lifecycle{Deprecated: true, DeprecatedSince: since, Sunset: end}, now: end,
			deprecation: "@1767225600", sunset: "Tue, 31 Dec 2030 00:00:00 GMT", warning: `299 - "getPet is deprecated since 2026-01-01 and was to be removed on 2030-12-31"`, link: docs},
		{name: "removed", lifecycle: sandbox.Lifecycle{Deprecated: true, DeprecatedSince: since, Sunset: end, EnforceSunset: true}, now: end,
			deprecation: "@1767225600", sunset: "Tue, 31 Dec 2030 00:00:00 GMT", warning: `299 - "getPet is deprecated since 2026-01-01 and was removed on 2030-12-31"`, link: docs},
		{name: "with a successor", lifecycle: sandbox.Lifecycle{Deprecated: true, DeprecatedSince: since, Successor: "/x/{petId}?id={petId}", Advice: "listPets with ?id="}, now: since,
			deprecation: "@1767225600", warning: `299 - "getPet is deprecated since 2026-01-01; use listPets with ?id="`,
			link: docs + `, </sandboxes/ada/x/a%2F7?id=a%2F7>; rel="successor-version"`},
		{name: "with advice to fill in", lifecycle: sandbox.Lifecycle{Deprecated: true, DeprecatedSince: since, Successor: "/x/{petId}", Advice: "/x/{petId}"}, now: since,
			deprecation: "@1767225600", warning: `299 - "getPet is deprecated since 2026-01-01; use /x/a%2F7"`,
			link: docs + `, </sandboxes/ada/x/a%2F7>; rel="successor-version"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			link := Lifecycle
			for _, set := range []bool{false, false, true} { // by the document, twice, and in the sandbox
				v := old(test.lifecycle, test.now)
				if set {
					v.x.Operation.Lifecycle = sandbox.Lifecycle{Stability: sandbox.Experimental}
					v.x.Sandbox.Lifecycles.Set("getPet", &test.lifecycle)
				}
				v.through(link).expectPassed(t)
				v.expectHeader(t, "X-Stability", values(test.stability)...)
				v.expectHeader(t, "Deprecation", values(test.deprecation)...)
				v.expectHeader(t, "Sunset", values(test.sunset)...)
				v.expectHeader(t, "Warning", values(test.warning)...)
				v.expectHeader(t, "Link", values(test.link)...)
				if v.x.Lifecycle == nil || *v.x.Lifecycle != test.lifecycle {
					t.Errorf("the exchange's lifecycle is %+v", v.x.Lifecycle)
				}
			}
		})
	}
}

// TestLifecycleWithoutSandbox goes by the document and the machine's time.
func TestLifecycleWithoutSandbox(t *testing.T) {
	t.Parallel()
	for sunset, warning := range map[time.Time]string{
		time.Unix(0, 0): `299 - "getPet is deprecated since 1970-01-01 and was to be removed on 1970-01-01"`,
		time.Date(3000, 1, 1, 0, 0, 0, 0, time.UTC): `299 - "getPet is deprecated since 1970-01-01 and will be removed on 3000-01-01"`,
	} {
		v := old(sandbox.Lifecycle{Deprecated: true, DeprecatedSince: time.Unix(0, 0), Sunset: sunset}, since)
		v.x.Sandbox = nil
		v.through(Lifecycle).expectPassed(t)
		v.expectHeader(t, "Warning", warning)
	}
}

func TestLifecycleOfAPage(t *testing.T) {
	t.Parallel()
	v := old(sandbox.Lifecycle{Stability: sandbox.Beta}, since)
	v.x.Operation.ID = ""
	v.through(Lifecycle).expectPassed(t)
	v.expectHeader(t, "X-Stability")
	if v.x.Lifecycle != nil {
		t.Errorf("the lifecycle of a page is %+v", v.x.Lifecycle)
	}
}

// TestSunset is when an operation is gone, and what is said then.
func TestSunset(t *testing.T) {
	t.Parallel()
	enforced := sandbox.Lifecycle{Deprecated: true, DeprecatedSince: since, Sunset: end, EnforceSunset: true}
	withSuccessor, brownedOut, always := enforced, enforced, sandbox.Lifecycle{Deprecated: true, Brownout: 1}
	withSuccessor.Successor, brownedOut.Brownout = "/pets?id={petId}", 1
	lax := enforced
	lax.EnforceSunset = false
	never := always
	never.Brownout = 0
	young := always
	young.Deprecated = false
	for _, test := range []struct {
		name      string
		lifecycle *sandbox.Lifecycle
		kind      rest.Kind
		now       time.Time
		message   string // of the 410; empty: there is none
	}{
		{"before", &enforced, rest.Service, end.Add(-1), ""},
		{"on the day", &enforced, rest.Service, end, "getPet has been gone since 2030-12-31"},
		{"a private operation", &enforced, rest.Private, end, "getPet has been gone since 2030-12-31"},
		{"with a successor", &withSuccessor, rest.Service, end, "getPet has been gone since 2030-12-31; use /sandboxes/ada/pets?id=a%2F7 instead"},
		{"not enforced", &lax, rest.Service, end, ""},
		{"an operation of another kind", &enforced, rest.Admin, end, ""},
		{"a page", nil, rest.Page, end, ""},
		{"browned out", &brownedOut, rest.Service, end.Add(-1), "getPet is browned out: some of its calls are refused ahead of the sunset on 2030-12-31"},
		{"browned out without a sunset", &always, rest.Service, since, "getPet is deprecated and browned out: some of its calls are refused"},
		{"browned out never", &never, rest.Service, since, ""},
		{"browned out, but not deprecated", &young, rest.Service, since, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			v := old(sandbox.Lifecycle{}, test.now)
			v.x.Lifecycle, v.x.Operation.Kind, v.x.Draws = test.lifecycle, test.kind, v.x.Sandbox.Draw()
			if v.through(Disturb); test.message == "" {
				v.expectPassed(t)
			} else if e := v.expectRefused(t, http.StatusGone, "operation_sunset"); e.Message != test.message || e.Header != nil {
				t.Errorf("message = %q, header = %v", e.Message, e.Header)
			}
		})
	}
}

// TestBrownoutIsAShare refuses the requests whose draw is below the share, and no
// others.
func TestBrownoutIsAShare(t *testing.T) {
	t.Parallel()
	refused := 0
	sb := newSandboxWith(nil)
	atTheDraw := old(sandbox.Lifecycle{}, since)
	atTheDraw.x.Sandbox, atTheDraw.x.Draws = sb, sb.Draw()
	draws := atTheDraw.x.Draws.ForBrownout()
	atTheDraw.x.Lifecycle = &sandbox.Lifecycle{Deprecated: true, Brownout: draws.Float64()}
	link := func(_ *rest.Operation, next rest.Handler) rest.Handler { return rest.Before(refuseSunset, next) }
	atTheDraw.through(link).expectPassed(t)
	for number := range 200 {
		v := old(sandbox.Lifecycle{}, since)
		v.x.Lifecycle, v.x.Sandbox = &sandbox.Lifecycle{Deprecated: true, Brownout: 0.3}, sb
		v.x.Draws = sb.Draw()
		draws := v.x.Draws.ForBrownout()
		want := draws.Float64() < 0.3
		v.through(link)
		if v.reached == want {
			t.Errorf("request %d is refused: %t, want %t", number+1, !v.reached, want)
		}
		if want {
			refused++
		}
	}
	if refused < 30 || refused > 90 {
		t.Errorf("%d of 200 are refused, want about 60", refused)
	}
}
