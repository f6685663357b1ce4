package command

import (
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers/command/programtest"
)

// TestReplicasBehindHAProxy has three replicas under load, of which one hangs and goes on, one is killed, one drains, and
// to which one more is added: by the recipe, no response has the data of another sandbox, old data, or fresh data that was
// not asked for, and no pet is created twice.
func TestReplicasBehindHAProxy(t *testing.T) {
	t.Parallel()
	programtest.RequireTool(t, "haproxy")
	text := recipe(t, "haproxy/haproxy.cfg")
	f := newFleet(t, "one", "two", "three")
	addresses := f.addresses()
	proxy := programtest.StartHAProxy(t, text, addresses...)
	f.behind(proxy.Origin, proxy.Transport)
	f.populate(200)
	stop := f.load()
	defer stop()
	f.freezes("two")
	f.dies("one")
	f.drains("three")

	f.step("added")
	f.start("four", "127.0.0.1:0")
	line := "    server four " + f.address("four") + "\n"
	proxy.Reload(text+line+"\nbackend shard-four\n"+line, addresses...)
	for v := f.join(); v.home != "four"; v = f.join() {
		if f.t.Failed() {
			return
		}
	}
	stop()
	for _, v := range f.visitors {
		f.visit(v)
	}
	f.step("")
	f.wantsRefusals()
	f.moves(f.of("two")[0], "visitor-moved.one")
}

// moves takes a sandbox to another replica, by its world.
func (f *fleet) moves(v *guest, to string) {
	f.t.Helper()
	key := []string{"Authorization", "Bearer " + fleetKey}
	_, world, err := f.ask("GET", "/sandboxes/"+v.name+"/admin/world", "", key...)
	if err != nil {
		f.t.Fatal(err)
	}
	if made, _, err := f.ask("PUT", "/sandboxes/"+to+"/admin/world", string(world), key...); err != nil || made.status != http.StatusOK || made.replica != "one" {
		f.t.Errorf("%s moves to %s: %+v, %v", v.name, to, made, err)
	}
	moved := &guest{name: to, home: "one", pets: v.pets, anew: true}
	for range 4 {
		f.visit(moved)
	}
}

// TestReplicasBehindNginx is the shorter one with nginx, which does not look whether a replica is there.
func TestReplicasBehindNginx(t *testing.T) {
	t.Parallel()
	nginx := programtest.NewNginx(t)
	f := newFleet(t, "one", "two", "three")
	nginx.Start(recipe(t, "nginx/replicas.conf"), "play.example", f.addresses()...)
	f.behind(nginx.Origin, nginx.Transport)
	f.populate(60)
	stop := f.load()
	defer stop()
	f.dies("two")
	f.drains("three")
	f.step("")
	stop()
	f.wantsRefusals()
}

// wantsRefusals makes requests that no replica has a sandbox for, and opens the playground in a browser.
func (f *fleet) wantsRefusals() {
	f.t.Helper()
	for _, path := range []string{"/pets", "/sandboxes/default/pets", "/sandboxes/ada/pets", "/sandboxes/ada.nine/pets", "/sandboxes/one/pets", "/sandboxes/ada.any/pets"} {
		if reply, _, err := f.ask("GET", path, ""); err != nil || reply.status != http.StatusNotFound || reply.code != "unknown_sandbox" {
			f.t.Errorf("%s: %+v, %v", path, reply, err)
		}
	}
	for path, want := range map[string]string{"/": "<title>Join", "/docs/": "<title>", "/healthz": `"ok"`, "/join/door": `"open":true`} {
		if reply, content, err := f.ask("GET", path, "", "Accept", "text/html"); err != nil || reply.status != http.StatusOK || !strings.Contains(string(content), want) {
			f.t.Errorf("%s: %+v, %v: %.200s", path, reply, err, content)
		}
	}
}
