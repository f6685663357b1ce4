package handlers_test

import (
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/rest"
)

func authorization(value string) http.Header { return http.Header{"Authorization": {value}} }

// TestKeysOpenOperations sends every operation of the table every key, in servers
// with and without keys: the kinds decide, as section 8 of the design has it.
func TestKeysOpenOperations(t *testing.T) {
	t.Parallel()
	any := []string{"", "demo-key", "k1", "k2", "root"}
	for _, server := range []struct {
		name    string
		config  func(*handlers.Config)
		service []string // the keys that open the service; "" is none
		private []string
		admin   []string
	}{
		{"no keys", func(*handlers.Config) {}, any, []string{"demo-key"}, any},
		{"API keys", func(c *handlers.Config) { c.APIKeys = []string{"k1", "k2"} }, []string{"k1", "k2"}, []string{"k1", "k2"}, any},
		{"an admin key", func(c *handlers.Config) { c.AdminKey = "root" }, any, []string{"demo-key"}, []string{"root"}},
		{"both", func(c *handlers.Config) { c.APIKeys, c.AdminKey = []string{"k1"}, "root" }, []string{"k1"}, []string{"k1"}, []string{"root"}},
	} {
		t.Run(server.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, server.config)
			for _, op := range w.Server.Table() {
				for _, key := range any {
					opened := map[rest.Kind][]string{
						rest.Service: server.service, rest.Private: server.private, rest.Admin: server.admin,
						rest.Health: {"", "demo-key", "k1", "k2", "root"}, rest.Page: {"", "demo-key", "k1", "k2", "root"},
					}[op.Kind]
					path := address(op.Path)
					r := request{Method: op.Method, Path: path}
					if key != "" {
						r.Header = authorization("Bearer " + key)
					}
					a := w.Do(t, r)
					if want, got := slices.Contains(opened, key), a.Status != 401; want != got {
						t.Errorf("%s %s with the key %q = %d, want it open: %t", op.Method, path, key, a.Status, want)
					}
				}
			}
		})
	}
}

// TestAuthorizationForms is a header and whether it opens what wants the key k1.
func TestAuthorizationForms(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.APIKeys = []string{"k1"} })
	const missing, wrong = `Bearer realm="petstore"`, `Bearer realm="petstore", error="invalid_token"`
	for value, challenge := range map[string]string{
		"Bearer k1": "", "bearer k1": "", "BEARER   k1": "",
		"": missing, "k1": missing, "Bearer": missing, "Bearer ": missing, "Basic k1": missing, "Bearer\tk1": missing, "Token k1": missing,
		"Bearer k2": wrong, "Bearer K1": wrong, "Bearer k": wrong, "Bearer k11": wrong, "Bearer k1 k1": wrong, "Bearer demo-key": wrong, `Bearer "k1"`: wrong,
	} {
		a := w.Do(t, request{Method: "GET", Path: "/pets/1", Header: authorization(value)})
		if challenge == "" {
			a.Expect(t, 200, "")
			continue
		}
		a.Expect(t, 401, "unauthorized")
		a.ExpectHeader(t, "WWW-Authenticate", challenge)
	}
	// Only event streams take the key in the query.
	w.Get(t, "/pets/1?access_token=k1").Expect(t, 401, "unauthorized")
}

// TestUnauthorizedSaysWhatToSend wants the message to name the one key that is no
// secret, and no other.
func TestUnauthorizedSaysWhatToSend(t *testing.T) {
	t.Parallel()
	open := newWorld(t).Get(t, "/messages")
	if p := open.Problem(t); !strings.Contains(p.Message, "Authorization: Bearer demo-key") {
		t.Errorf("message = %q", p.Message)
	}
	w := newWorld(t, func(c *handlers.Config) { c.APIKeys, c.AdminKey = []string{"k-secret"}, "a-secret" })
	for _, path := range []string{"/messages", "/pets", "/admin"} {
		a := w.Do(t, request{Method: "GET", Path: path, Header: authorization("Bearer nothing")})
		if body := string(a.Body); strings.Contains(body, "secret") || strings.Contains(body, "nothing") {
			t.Errorf("GET %s tells a key: %s", path, body)
		}
	}
}

// TestKeysAreNotLogged looks for them at every level of the log.
func TestKeysAreNotLogged(t *testing.T) {
	t.Parallel()
	var book logbook
	w := newWorld(t, book.log(slog.LevelDebug), func(c *handlers.Config) { c.APIKeys, c.AdminKey = []string{"k-secret"}, "a-secret" })
	for _, key := range []string{"k-secret", "a-secret", "w-secret"} {
		for _, path := range []string{"/pets/1", "/messages", "/admin", "/nowhere"} {
			w.Do(t, request{Method: "GET", Path: path, Header: authorization("Bearer " + key)})
			w.Do(t, request{Method: "GET", Path: path + "?access_token=" + key})
		}
	}
	if log := book.String(); strings.Contains(log, "secret") || log == "" {
		t.Errorf("the log has a key, or nothing:\n%s", log)
	}
}
