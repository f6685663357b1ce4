package middleware

import (
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers/rest"
)

// TestAuthenticate is what a server with keys wants of a request of each kind, and
// what one without does.
func TestAuthenticate(t *testing.T) {
	t.Parallel()
	open, locked := Keys{}, Keys{API: []string{"k1", "k2"}, Admin: "root"}
	const (
		passes  = ""
		missing = `Bearer realm="petstore"`
		wrong   = `Bearer realm="petstore", error="invalid_token"`
	)
	for _, test := range []struct {
		keys      Keys
		kind      rest.Kind
		sent      string // the Authorization header
		challenge string
	}{
		{open, rest.Service, "", passes},
		{open, rest.Service, "Bearer anything", passes},
		{open, rest.Admin, "", passes},
		{open, rest.Health, "", passes},
		{open, rest.Page, "", passes},
		{open, rest.Private, "", missing},
		{open, rest.Private, "Bearer demo-key", passes},
		{open, rest.Private, "Bearer k1", wrong},
		{locked, rest.Service, "", missing},
		{locked, rest.Service, "Bearer k1", passes},
		{locked, rest.Service, "bearer   k2 ", passes},
		{locked, rest.Service, "Bearer", missing},
		{locked, rest.Service, "Bearer  ", missing},
		{locked, rest.Service, "Basic k1", missing},
		{locked, rest.Service, "k1", missing},
		{locked, rest.Service, "Bearer root", wrong},
		{locked, rest.Private, "Bearer k2", passes},
		{locked, rest.Private, "Bearer demo-key", wrong},
		{locked, rest.Admin, "Bearer root", passes},
		{locked, rest.Admin, "Bearer k1", wrong},
		{locked, rest.Admin, "", missing},
		{locked, rest.Health, "", passes},
		{locked, rest.Page, "", passes},
	} {
		v := newVisit(http.MethodGet, "/pets", http.Header{"Authorization": values(test.sent)})
		v.x.Operation.Kind = test.kind
		v.through(Authenticate(test.keys))
		if test.challenge == passes {
			v.expectPassed(t)
			continue
		}
		e := v.expectRefused(t, http.StatusUnauthorized, "unauthorized")
		if got := e.Header.Get("WWW-Authenticate"); got != test.challenge {
			t.Errorf("%+v, %d, %q: the challenge is %s, want %s", test.keys, test.kind, test.sent, got, test.challenge)
		}
		hint := map[bool]string{true: "KEY, where KEY is one of the server's --api-key values", false: DemoKey}[len(test.keys.API) > 0]
		if test.kind == rest.Admin {
			hint = "KEY, where KEY is the server's --admin-key"
		}
		if !strings.HasSuffix(e.Message, "; send Authorization: Bearer "+hint) {
			t.Errorf("%+v, %d, %q: message = %q", test.keys, test.kind, test.sent, e.Message)
		}
	}
}

// TestAuthenticateStreams takes the key of an event stream in the address too.
func TestAuthenticateStreams(t *testing.T) {
	t.Parallel()
	link := Authenticate(Keys{API: []string{"k1"}})
	for _, test := range []struct {
		stream      bool
		query, sent string
		status      int // 0: it is let in
	}{
		{true, "?access_token=k1", "", 0},
		{true, "", "Bearer k1", 0},
		{true, "?access_token=k2", "", 401},
		{true, "?access_token=", "", 401},
		{true, "", "", 401},
		{true, "?access_token=k1", "Bearer k1", 400},
		{true, "?access_token=k1&access_token=k1", "", 400},
		{true, "?access_token=k1", "Basic x", 0}, // which is no bearer token
		{false, "?access_token=k1", "", 401},
		{false, "?access_token=k1", "Bearer k1", 0},
	} {
		v := newVisit(http.MethodGet, "/events"+test.query, http.Header{"Authorization": values(test.sent)})
		v.x.Operation.Stream = test.stream
		v.through(link)
		switch test.status {
		case 0:
			v.expectPassed(t)
		case 401:
			v.expectRefused(t, 401, "unauthorized")
		default:
			e := v.expectRefused(t, 400, "invalid_parameter")
			if len(e.Details) != 1 || e.Details[0].Field != "access_token" || e.Header.Get("WWW-Authenticate") != `Bearer realm="petstore", error="invalid_request"` {
				t.Errorf("%s %q: %+v", test.query, test.sent, e)
			}
		}
	}
}
