package middleware_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/config"
	. "example.com/petstore/handlers/internal/contracttest"
)

// TestRateLimit uses the sandbox's clock, which stands still unless the test moves it.
func TestRateLimit(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, Limited(2), At(config.DefaultSunset()))
	expect := func(a *Answer, status int, code, limit string, retry ...string) {
		t.Helper()
		a.Expect(t, status, code)
		a.ExpectHeader(t, "RateLimit-Policy", `"default";q=2;w=1`)
		a.ExpectHeader(t, "RateLimit", limit)
		a.ExpectHeader(t, "Retry-After", retry...)
	}
	expect(w.Get(t, "/pets"), 200, "", `"default";r=1;t=1`)
	expect(w.Get(t, "/pets/1"), 410, "operation_sunset", `"default";r=0;t=1`) // on errors too
	expect(w.Get(t, "/pets"), 429, "rate_limited", `"default";r=0;t=1`, "1")
	w.AddFault(t, `{"status": 503}`)
	expect(w.Get(t, "/pets"), 429, "rate_limited", `"default";r=0;t=1`, "1") // the rate limit precedes faults
	w.Must(t, Delete("/admin/faults"))
	expect(w.Do(t, InSandbox("ada", Get("/pets"))), 200, "", `"default";r=1;t=1`)
	w.Get(t, "/messages").ExpectHeader(t, "RateLimit") // a 401 does not count

	for _, path := range []string{"/healthz", "/admin", "/openapi.json", "/docs/", "/"} {
		a := w.Get(t, path)
		a.Expect(t, 200, "")
		a.ExpectHeader(t, "RateLimit")
		a.ExpectHeader(t, "RateLimit-Policy")
	}
	w.Must(t, Put("/admin/clock", `{"advance": "500ms"}`))
	expect(w.Get(t, "/pets"), 200, "", `"default";r=0;t=1`)
	expect(w.Get(t, "/pets"), 429, "rate_limited", `"default";r=0;t=1`, "1")
	w.Must(t, Post("/admin/reset?only=limit", ""))
	expect(w.Get(t, "/pets"), 200, "", `"default";r=1;t=1`)
}

func TestRateLimitBelowOne(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, Limited(0.1))
	w.Get(t, "/pets").ExpectHeader(t, "RateLimit-Policy", `"default";q=1;w=10`)
	a := w.Get(t, "/pets")
	a.Expect(t, 429, "rate_limited")
	a.ExpectHeader(t, "Retry-After", "10")
	a.ExpectHeader(t, "RateLimit", `"default";r=0;t=10`)
	if got, want := a.Problem(t).Message, "too many requests from this address: the limit is 1 in 10 s; wait 10 s by the sandbox's clock and try again"; got != want {
		t.Errorf("message = %q", got)
	}
}

// TestRateLimitTellsAddressesApart checks that each address has its own limit, whatever headers it
// sends.
func TestRateLimitTellsAddressesApart(t *testing.T) {
	t.Parallel()
	server, err := handlers.New(Config(Limited(1)))
	if err != nil {
		t.Fatal(err)
	}
	for i, test := range []struct {
		from   string
		status int
	}{
		{"192.0.2.1:1000", 200}, {"192.0.2.1:2000", 429}, {"192.0.2.2:1000", 200}, {"[2001:db8::1]:1", 200}, {"[2001:db8::1]:2", 429},
	} {
		r := httptest.NewRequest(http.MethodGet, "/pets", nil)
		r.RemoteAddr = test.from
		r.Header.Set("X-Forwarded-For", fmt.Sprintf("198.51.100.%d", i))
		recorder := httptest.NewRecorder()
		server.ServeHTTP(recorder, r)
		if recorder.Code != test.status {
			t.Errorf("%s = %d, want %d", test.from, recorder.Code, test.status)
		}
	}
}

func TestNoRateLimit(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	a := w.Get(t, "/pets")
	a.ExpectHeader(t, "RateLimit")
	a.ExpectHeader(t, "RateLimit-Policy")
}
