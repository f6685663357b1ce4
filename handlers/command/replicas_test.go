//go:build unix

package command

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers/command/programtest"
)

// TestReplicasBehindHAProxy has three replicas under load, of which one hangs and goes on, one is killed, and one
// drains, and to which one more is added: by the recipe, no response has the data of another sandbox, old data, or
// fresh data that was not asked for, and no pet is created twice.
func TestReplicasBehindHAProxy(t *testing.T) {
	t.Parallel()
	programtest.RequireTool(t, "haproxy")
	text := recipe(t, "haproxy/haproxy.cfg")
	f := newFleet(t, nil, "one", "two", "three")
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
	f.leaves(f.of("two")[0])
}

// leaves has a visitor follow the events of a sandbox for a moment, and waits until its replica knows that it is gone.
func (f *fleet) leaves(v *guest) {
	f.t.Helper()
	ctx, leave := context.WithCancel(f.t.Context())
	defer leave()
	r, err := http.NewRequestWithContext(ctx, "GET", f.origin+"/sandboxes/"+v.name+"/events", nil)
	if err != nil {
		f.t.Fatal(err)
	}
	response, err := f.client.Do(r)
	if err != nil {
		f.t.Fatal(err)
	}
	defer response.Body.Close()
	streams := func() bool {
		metrics := programtest.Get(f.t, f.replicas[v.home].URL+"/metrics", "Authorization", "Bearer "+fleetKey)
		return !strings.Contains(metrics.Body, "\npetstore_event_streams 0\n")
	}
	if !streams() {
		f.t.Errorf("%s follows no events", v.name)
	}
	leave()
	for left := time.Now(); streams(); {
		if time.Since(left) > 5*time.Second { // sooner than the replica writes to the stream again
			f.t.Fatalf("%s has left, and its stream goes on", v.name)
		}
	}
}

// moves takes a sandbox to another replica, by its world.
func (f *fleet) moves(v *guest, to string) {
	f.t.Helper()
	key := []string{"Authorization", "Bearer " + fleetKey}
	_, world, err := f.ask("GET", "/sandboxes/"+v.name+"/admin/world", "", key...)
	if err != nil {
		f.t.Fatal(err)
	}
	made, _, err := f.ask("PUT", "/sandboxes/"+to+"/admin/world", string(world), key...)
	if err != nil || made.status != http.StatusOK || made.replica != "one" {
		f.t.Errorf("%s moves to %s: %+v, %v", v.name, to, made, err)
	}
	moved := &guest{name: to, home: "one", pets: v.pets, anew: true}
	for range 4 {
		f.visit(moved)
	}
}

// TestReplicasBehindNginx is the shorter one with nginx, which does not look whether a replica is there. The replica
// that drains has --keep.
func TestReplicasBehindNginx(t *testing.T) {
	t.Parallel()
	nginx := programtest.NewNginx(t)
	f := newFleet(t, []string{"three"}, "one", "two", "three")
	nginx.Start(recipe(t, "nginx/replicas.conf"), "play.example", f.addresses()...)
	nginx.Transport.DialContext = (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}).DialContext
	f.behind(nginx.Origin, nginx.Transport)
	f.populate(60)
	stop := f.load()
	defer stop()
	f.dies("two")
	f.drains("three")
	f.step("")
	stop()
	f.wantsRefusals()
	requests := "/sandboxes/" + f.of("one")[0].name + "/admin/requests"
	_, journal, err := f.ask("GET", requests, "", "Authorization", "Bearer "+fleetKey)
	if err != nil || !strings.Contains(string(journal), `"client":"127.0.0.2"`) {
		f.t.Errorf("the replica does not know its client: %v, %s", err, journal)
	}
}

// wantsRefusals makes requests that no replica has a sandbox for, and opens the playground in a browser.
func (f *fleet) wantsRefusals() {
	f.t.Helper()
	for _, prefix := range []string{
		"", "/sandboxes/default", "/sandboxes/ada", "/sandboxes/ada.nine", "/sandboxes/one", "/sandboxes/ada.any",
		"/sandboxes/Ada.two",
	} {
		path := prefix + "/pets"
		reply, _, err := f.ask("GET", path, "")
		if err != nil || reply.status != http.StatusNotFound || reply.code != "unknown_sandbox" {
			f.t.Errorf("%s: %+v, %v", path, reply, err)
		}
	}
	for path, want := range map[string]string{
		"/": "<title>Join", "/docs/": "<title>", "/healthz": `"ok"`, "/join/door": `"open":true`,
	} {
		reply, content, err := f.ask("GET", path, "", "Accept", "text/html")
		if err != nil || reply.status != http.StatusOK || !strings.Contains(string(content), want) {
			f.t.Errorf("%s: %+v, %v: %.200s", path, reply, err, content)
		}
	}
}
