package handlers_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/config"
	. "example.com/petstore/handlers/internal/contracttest"
)

func sharded(c *handlers.Config) { c.Replica, c.Sharded = "two", true }

// TestShardedRefusesOtherNames sends every operation without a sandbox, to a sandbox of no
// replica, and to one of another replica. Each returns 404 unless the operation concerns no
// sandbox.
func TestShardedRefusesOtherNames(t *testing.T) {
	t.Parallel()
	for what, name := range map[string]string{
		"no name": "", "no replica": "ada", "another replica": "ada.one", "the default one": "default",
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			w := NewWorld(t, sharded)
			for _, op := range w.Server.Table() {
				r := Request{Method: op.Method, Path: strings.NewReplacer("{operationId}", "getPet").Replace(op.Path)}
				if strings.Contains(r.Path, "{") {
					r.Path = strings.NewReplacer("{", "", "}", "").Replace(r.Path)
				}
				if name != "" {
					r.Path = "/sandboxes/" + name + r.Path
				}
				r.Header = http.Header{"Authorization": {"Bearer demo-key"}}
				if op.NeedsSandbox() {
					a := w.Unchecked().Do(t, r)
					a.Expect(t, 404, "unknown_sandbox")
					a.ExpectHeader(t, "X-Sandbox")
				}
			}
			if n := w.Server.Sandboxes().Len(); n != 1 {
				t.Errorf("%d sandboxes, want only the default one", n)
			}
		})
	}
}

// TestShardedServes sends a replica requests without a sandbox, and requests to one of its own
// sandboxes.
func TestShardedServes(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, sharded, func(c *handlers.Config) { c.Workshop = true })
	for _, path := range []string{
		"/", "/healthz", "/openapi.json", "/admin/openapi.json", "/docs/", "/join", "/join/door", "/workshop",
		"/metrics", "/admin/sandboxes",
	} {
		w.Unchecked().Get(t, path).Expect(t, 200, "")
	}
	names := make(map[string]bool)
	for n := range 2 { // a name must not be that of an earlier sandbox, even of an earlier process
		a := w.Do(t, Post("/join", `{"name": "Ada"}`))
		a.Expect(t, 201, "")
		var made struct{ Sandbox string }
		a.Decode(t, &made)
		if names[made.Sandbox] || !regexp.MustCompile(`^ada-[a-z2-7]{8}\.two$`).MatchString(made.Sandbox) {
			t.Errorf("the sandbox %d of Ada is %s", n, made.Sandbox)
		}
		names[made.Sandbox] = true
		a.ExpectHeader(t, "Location", w.URL+"/sandboxes/"+made.Sandbox+"/")
		pet := w.Must(t, Post("/sandboxes/"+made.Sandbox+"/pets", NewPet))
		pet.ExpectHeader(t, "Location", fmt.Sprintf("/sandboxes/%s/pets/7", made.Sandbox))
		if door, _ := w.Server.Sandboxes().Door(); door.Joined != n+1 || door.Limit != config.DefaultMaxSandboxes-1 {
			t.Errorf("the door is %+v", door)
		}
	}
	unnamed := w.Do(t, Post("/admin/sandboxes", ""))
	unnamed.Expect(t, 201, "")
	if place := unnamed.Header.Get("Location"); !regexp.MustCompile(`^/admin/sandboxes/[a-z2-7]{16}\.two$`).
		MatchString(place) {
		t.Errorf("the sandbox without a name is at %s", place)
	}
	w.Must(t, Put("/admin/sandboxes/eve.two", ""))
	w.Must(t, Post("/admin/sandboxes/eve.two/fork", `{"name": "copy.two"}`))
	world := string(w.Must(t, Get("/sandboxes/eve.two/admin/world")).Body)
	w.Must(t, Put("/sandboxes/moved.two/admin/world", world))
	w.Do(t, Put("/sandboxes/moved.one/admin/world", world)).Expect(t, 404, "unknown_sandbox")
	w.Get(t, "/sandboxes/new.two/pets").Expect(t, 404, "unknown_sandbox") // use does not create it
	w.Do(t, Post("/sandboxes/*/admin/reset", "")).Expect(t, 200, "")
	for _, r := range []Request{
		Get("/admin/sandboxes/ada.one"), Delete("/admin/sandboxes/default"),
		Put("/admin/template", `{"from": "ada.one"}`),
	} {
		w.Do(t, r).Expect(t, 404, "unknown_sandbox")
	}
	if got, want := w.Server.Sandboxes().Len(), 7; got != want {
		t.Errorf("%d sandboxes, want %d", got, want)
	}
}
