package middleware

import (
	"net/http"
	"testing"
	"testing/synctest"

	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
)

// TestRateLimit asks twice in the same moment of a sandbox that lets one request a
// client through in two seconds.
func TestRateLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		sb := newSandboxWith(func(o *registry.Options) { o.RateLimit = 0.5 })
		ask := func(client string, kind rest.Kind) *visit {
			v := newVisit(http.MethodGet, "/pets", nil)
			v.x.Client, v.x.Sandbox, v.x.Operation.Kind = client, sb, kind
			return v.through(Disturb)
		}
		first := ask("192.0.2.1", rest.Service)
		first.expectPassed(t)
		first.expectHeader(t, "RateLimit-Policy", `"default";q=1;w=2`)
		first.expectHeader(t, "RateLimit", `"default";r=0;t=2`)

		second := ask("192.0.2.1", rest.Private)
		e := second.expectRefused(t, http.StatusTooManyRequests, "rate_limited")
		second.expectHeader(t, "RateLimit", `"default";r=0;t=2`)
		if want := "too many requests from this address: the limit is 1 in 2 s; wait 2 s by the sandbox's clock and try again"; e.Message != want || e.Header.Get("Retry-After") != "2" {
			t.Errorf("%q, Retry-After %q", e.Message, e.Header.Get("Retry-After"))
		}

		ask("192.0.2.2", rest.Service).expectPassed(t)
		for _, kind := range []rest.Kind{rest.Admin, rest.Health, rest.Page} {
			other := ask("192.0.2.1", kind)
			other.expectPassed(t)
			other.expectHeader(t, "RateLimit")
		}
	})
}

func TestNoRateLimit(t *testing.T) {
	t.Parallel()
	v := newVisit(http.MethodGet, "/pets", nil).through(Disturb)
	v.expectPassed(t)
	v.expectHeader(t, "RateLimit")
	v.expectHeader(t, "RateLimit-Policy")
}
