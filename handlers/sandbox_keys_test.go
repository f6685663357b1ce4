package handlers_test

import (
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/rest"
)

// TestAdminResponsesForAllowedOrigins checks that only pages of allowed origins may read responses under the
// control plane's paths, known or unknown. The checks of every response ensure that none is
// readable by all pages.
func TestAdminResponsesForAllowedOrigins(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.CORSOrigins = []string{"https://app.example"} })
	all := paths(w)
	all["/admin/nowhere"], all["/admin/data/pets/1"] = []string{"GET"}, []string{"PUT", "GET"}
	for path, methods := range all {
		if !IsAdmin(path) || strings.HasPrefix(path, "/join") { // pages of other servers may not read these
			continue
		}
		for _, prefix := range []string{"", "/sandboxes/ada", "/sandboxes/*"} {
			for origin, allowed := range map[string]bool{"http://localhost:5173": true, "https://app.example": false,
				"null": false} {
				reader := ""
				if allowed {
					reader = origin
				}
				for _, method := range append([]string{"PATCH"}, methods...) {
					w.Do(t, Fetch(method, prefix+path, origin, nil)).ExpectReadableBy(t, reader)
				}
				w.Do(t, Preflight(prefix+path, origin, methods[0], "authorization")).ExpectReadableBy(t, reader)
			}
		}
	}
}

// openedByOwner are the operations of the control plane that a sandbox's key opens, by section 10
// of the design.
var openedByOwner = []string{
	"getAdmin", "resetSandbox", "exportState", "exportWorld", "importState", "diffState", "undoWrites", "listSnapshots",
	"keepSnapshot", "dropSnapshot", "restoreSnapshot", "getClock", "setClock", "releaseClock", "listOperations",
	"setLifecycle", "changeLifecycle", "resetLifecycle", "getReport", "listFaults", "createFault", "replaceFaults",
	"clearFaults", "deleteFault", "listRequests", "clearRequests", "streamAdminEvents",
	"sendMcpMessage", // each tool needs the key of its operation
}

// keyedWorld has the private sandbox ada, the public sandbox bob with a key, and the sandbox eve
// without a key.
func keyedWorld(t *testing.T, config func(*handlers.Config)) *World {
	t.Helper()
	w := NewWorld(t, config)
	for name, own := range map[string]registry.CreateOptions{
		"ada": {Key: new("adas"), Private: new(true)}, "bob": {Key: new("bobs")}, "eve": {},
	} {
		w.Make(t, name, own)
	}
	return w
}

// TestKeysOfSandboxes sends every operation to a private, a keyed and an open sandbox, with each
// sandbox's key, with the server's keys and with no key, on servers with and without keys.
func TestKeysOfSandboxes(t *testing.T) {
	t.Parallel()
	owners := map[string]string{"ada": "adas", "bob": "bobs", "eve": ""}
	for _, server := range []struct{ api, admin string }{{"", ""}, {"api", ""}, {"", "root"}, {"api", "root"}} {
		t.Run(server.api+" "+server.admin, func(t *testing.T) {
			t.Parallel()
			w := keyedWorld(t, func(c *handlers.Config) {
				c.AdminKey = server.admin
				if server.api != "" {
					c.APIKeys = []string{server.api}
				}
			})
			want := func(op *rest.Operation, name, key string) int {
				own, private := key != "" && owners[name] == key, name == "ada"
				var opens []string // the accepted keys; "" if no key is needed
				switch {
				case op.Kind == rest.Admin && !slices.Contains(openedByOwner, op.ID):
					own = false
					opens = []string{server.admin}
				case op.Kind == rest.Admin && private && server.admin == "":
				case op.Kind == rest.Admin:
					opens = []string{server.admin}
				case op.TakesFaults() && private:
					if server.admin != "" {
						opens = []string{"root"}
					}
				case op.Kind == rest.Service:
					own, opens = false, []string{server.api}
				case op.Kind == rest.Private && server.api == "":
					own, opens = false, []string{"demo-key"}
				case op.Kind == rest.Private:
					own, opens = false, []string{server.api}
				default:
					return http.StatusOK
				}
				switch {
				case own, slices.Contains(opens, ""), key != "" && slices.Contains(opens, key):
					return http.StatusOK
				case key == "adas", key == "bobs":
					return http.StatusForbidden
				}
				return http.StatusUnauthorized
			}
			for _, op := range w.Server.Table() {
				if op.Stream || op.Anybody || op.ID == "" || strings.HasPrefix(op.Path, "/admin/sandboxes/") &&
					op.Method == http.MethodDelete {
					continue // another test covers streams
				}
				for name := range owners {
					for _, key := range []string{"", "adas", "bobs", "unknown", "demo-key", "api", "root"} {
						r := anyRequest(&op)
						r.Path, r.Header = "/sandboxes/"+name+strings.ReplaceAll(r.Path, "{sandboxName}", "default"),
							nil
						if key != "" {
							r.Header = Authorization("Bearer " + key)
						}
						status := w.Do(t, r).Status
						if status != http.StatusUnauthorized && status != http.StatusForbidden {
							status = http.StatusOK // the key is accepted
						}
						if want := want(&op, name, key); status != want {
							t.Errorf("%s in %s with the key %q = %d, want %d", op.ID, name, key, status, want)
						}
					}
				}
			}
		})
	}
}

// TestPrivateSandboxKeyInQuery sends the key in the query, as for the server's key.
func TestPrivateSandboxKeyInQuery(t *testing.T) {
	t.Parallel()
	w := keyedWorld(t, func(c *handlers.Config) { c.AdminKey = "root" })
	for _, path := range []string{"/events", "/admin/events"} {
		for key, status := range map[string]int{"bobs": 403, "demo-key": 401, "unknown": 401} {
			w.Get(t, "/sandboxes/ada"+path+"?access_token="+key).Expect(t, status, "")
		}
		w.Get(t, "/sandboxes/ada"+path).Expect(t, 401, "unauthorized")
		for _, key := range []string{"adas", "root"} {
			w.Listen(t, "/sandboxes/ada"+path+"?access_token="+key, nil)
		}
	}
}

// TestSandboxKeyIsNoAdminKey checks that operations on other data than that of the key's
// sandbox need the admin key.
func TestSandboxKeyIsNoAdminKey(t *testing.T) {
	t.Parallel()
	w := keyedWorld(t, func(c *handlers.Config) { c.AdminKey = "root" })
	for _, test := range []struct {
		Request
		status int
	}{
		{Get("/admin/data/pets"), 200},
		{Post("/admin/reset", ""), 200},
		{Post("/admin/reset?only=faults", ""), 200},
		{Post("/admin/reset", `{"seed": 2}`), 403},
		{Post("/admin/reset", `{}`), 403},
		{Put("/admin/state", `{}`), 200},
		{Put("/admin/state?baseline=false", `{}`), 200},
		{Put("/admin/state?baseline=true", `{}`), 403},
	} {
		r := test.Request
		r.Path, r.Header = "/sandboxes/bob"+r.Path, Authorization("Bearer bobs")
		before := w.Everything(t)["bob"]
		a := w.Do(t, r)
		a.Expect(t, test.status, "")
		if test.status == 403 && w.Everything(t)["bob"] != before {
			t.Errorf("%s %s was refused and has changed something", r.Method, r.Path)
		}
		r.Header = Authorization("Bearer root")
		w.Do(t, r).Expect(t, 200, "")
	}
}

// TestSandboxKeyFromAnyOrigin checks that requests with the key may come from any origin,
// and that requests without it are refused as before.
func TestSandboxKeyFromAnyOrigin(t *testing.T) {
	t.Parallel()
	w := keyedWorld(t, func(*handlers.Config) {})
	for key, status := range map[string]int{"bobs": 200, "adas": 403, "": 403} {
		r := Post("/sandboxes/bob/admin/reset", "").With("Origin", "https://app.example").With("Via", "1.1 proxy")
		if key != "" {
			r.Header.Set("Authorization", "Bearer "+key)
		}
		w.Do(t, r).Expect(t, status, "")
	}
	r := Put("/sandboxes/bob/admin/sandboxes/bob", "").With("Via", "1.1 proxy").WithKey("bobs")
	w.Do(t, r).Expect(t, 403, "forbidden")
}

// TestKeyIsShownOnce looks for a sandbox's key in every output of the server.
func TestKeyIsShownOnce(t *testing.T) {
	t.Parallel()
	const key = "wjcaehqzpkxu"
	var book logbook
	w := NewWorld(t, book.log(slog.LevelDebug))
	a := w.Must(t, Put("/admin/sandboxes/ada", `{"key": "`+key+`", "private": true}`))
	if !strings.Contains(string(a.Body), `"key":"`+key+`"`) {
		t.Errorf("the response to the creation is %s", a.Body)
	}
	bearer := Authorization("Bearer " + key)
	get := func(path string) *Answer {
		return w.Do(t, Request{Method: "GET", Path: "/sandboxes/ada" + path, Header: bearer})
	}
	get("/pets").Expect(t, 200, "")
	get("/pets?access_token="+key).Expect(t, 200, "")
	w.Must(t, Put("/admin/sandboxes/ada", ""))
	for _, path := range []string{"/admin/sandboxes", "/admin/requests", "/admin/state", "/admin/report",
		"/openapi.json", "/admin/openapi.json"} {
		a := get(path)
		a.Expect(t, 200, "")
		if strings.Contains(string(a.Body), key) {
			t.Errorf("%s shows the key: %s", path, a.Body)
		}
	}
	a = w.Must(t, Put("/admin/sandboxes/ada", ""))
	if log := book.String(); log == "" || strings.Contains(string(a.Body)+log, key) {
		t.Errorf("the key is shown again:\n%s\n%s", a.Body, log)
	}
}

// TestDocumentOfAPrivateSandbox checks that the document requires a key for every operation.
func TestDocumentOfAPrivateSandbox(t *testing.T) {
	t.Parallel()
	w := keyedWorld(t, func(*handlers.Config) {})
	for name, keyed := range map[string]bool{"ada": true, "bob": false} {
		var document struct {
			Paths map[string]struct {
				Get struct{ Security []map[string]any }
			}
		}
		w.Get(t, "/sandboxes/"+name+"/openapi.json").Decode(t, &document)
		if got := len(document.Paths["/categories"].Get.Security) == 1; got != keyed {
			t.Errorf("%s: a key is wanted: %t, want %t", name, got, keyed)
		}
	}
}
