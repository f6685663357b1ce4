//go:build unix

package command

import (
	"context"
	"net"
	"net/http"
	"net/http/httptrace"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.com/petstore/handlers/command/programtest"
	"example.com/petstore/handlers/internal/must"
)

// TestReplicasBehindHAProxy uses the recipe with three replicas under load. One is suspended and
// resumed, one is killed, one drains, and a fourth is added. No response may have the data of
// another sandbox, old data or unrequested new data, and no pet may be created twice.
func TestReplicasBehindHAProxy(t *testing.T) {
	t.Parallel()
	programtest.RequireTool(t, "haproxy")
	text := recipe(t, "haproxy/haproxy.cfg")
	f := newFleet(t, nil, "one", "two", "three")
	addresses := f.addresses()
	proxy := programtest.StartHAProxy(t, text, addresses...)
	f.behind(proxy.Origin, proxy.Transport)
	f.populate(60)
	stop := f.load()
	defer stop()
	f.freezes("two")
	f.killsReplica("one")
	f.drains("three")

	f.step("added")
	f.start("four", "127.0.0.1:0")
	idle := http.Client{Transport: overHTTP1(t, proxy.Transport)}
	drain(t, &idle, "GET", f.origin+"/healthz")
	line := "    server four " + f.address("four") + "\n"
	proxy.Reload(text+line+"\nbackend shard-four\n"+line, addresses...)
	for v := f.join(); v.home != "four"; v = f.join() {
		if f.t.Failed() {
			return
		}
	}
	if !reuses(t, &idle, f.origin+"/healthz") {
		t.Error("HAProxy has closed an idle connection, on which a request may have been on its way")
	}
	stop()
	for _, v := range f.visitors {
		f.visit(v)
	}
	f.step("")
	f.isRefused()
	f.moves(f.of("two")[0], "visitor-moved.one")
	f.closesStream(f.of("two")[0])
}

// reuses makes a request and reports whether it used an existing connection.
func reuses(t *testing.T, client *http.Client, url string) (reused bool) {
	t.Helper()
	trace := httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) { reused = info.Reused }}
	r := must.Get(http.NewRequestWithContext(httptrace.WithClientTrace(t.Context(), &trace), "GET", url, nil))(t)
	response := must.Get(client.Do(r))(t)
	response.Body.Close()
	return reused
}

// closesStream follows the events of a sandbox for a moment as its visitor, and waits until the replica
// has closed the stream.
func (f *fleet) closesStream(v *guest) {
	f.t.Helper()
	ctx, leave := context.WithCancel(f.t.Context())
	defer leave()
	r, err := http.NewRequestWithContext(ctx, "GET", f.origin+"/sandboxes/"+v.name+"/events", nil)
	if err != nil {
		f.t.Fatal(err)
	}
	response, err := f.clients[0].Do(r)
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
		if time.Since(left) > 5*time.Second { // before the replica's next write to the stream
			f.t.Fatalf("%s has left, and its stream goes on", v.name)
		}
	}
}

// moves copies a sandbox to another replica by exporting and importing its world.
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

// TestReplicaOutOfReach uses replicas on an unreachable machine, and several clients. Each request
// must get a 503, before and after HAProxy detects this, and never a closed connection.
func TestReplicaOutOfReach(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("other systems refuse connections when the backlog is full")
	}
	away := fullBacklog(t)
	proxy := programtest.StartHAProxy(t, recipe(t, "haproxy/haproxy.cfg"),
		"10.0.0.1:8080", away, "10.0.0.2:8080", away, "10.0.0.3:8080", away)
	f := &fleet{t: t, once: true}
	f.behind(proxy.Origin, proxy.Transport)
	var clients sync.WaitGroup
	for range fleetPeers {
		clients.Go(func() {
			for range 100 {
				reply, _, err := f.ask("POST", "/sandboxes/ada.two/pets", `{"name": "Rex"}`)
				if err != nil || reply.status != http.StatusServiceUnavailable || reply.retryAfter != "1" {
					t.Errorf("a request gets %+v, %v", reply, err)
				}
			}
		})
	}
	clients.Wait()
}

// fullBacklog returns an address that neither accepts nor refuses connections.
func fullBacklog(t *testing.T) string {
	t.Helper()
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { listener.Close() })
	socket, err := listener.(*net.TCPListener).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	if socket.Control(func(fd uintptr) { err = syscall.Listen(int(fd), 0) }); err != nil {
		t.Fatal(err)
	}
	for {
		c, err := net.DialTimeout("tcp", listener.Addr().String(), 200*time.Millisecond)
		if err != nil {
			return listener.Addr().String()
		}
		t.Cleanup(func() { c.Close() })
	}
}

// TestReplicasBehindNginx is a shorter TestReplicasBehindHAProxy with nginx, which does not check
// the health of replicas. The draining replica has --keep.
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
	f.killsReplica("two")
	f.drains("three")
	f.step("")
	stop()
	f.isRefused()
	requests := "/sandboxes/" + f.of("one")[0].name + "/admin/requests"
	_, journal, err := f.ask("GET", requests, "", "Authorization", "Bearer "+fleetKey)
	if err != nil || !strings.Contains(string(journal), `"client":"127.0.0.2"`) {
		f.t.Errorf("the replica does not know its client: %v, %s", err, journal)
	}
}

// isRefused makes requests for sandboxes that no replica has, and requests the pages and
// documents of the playground.
func (f *fleet) isRefused() {
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
