package command

import (
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/command/programtest"
)

// TestReplicasBehindHAProxy has three replicas under load, of which one is killed, and one
// more is added: by the recipe, no request gets the data of another sandbox, or fresh data
// that nobody asked for.
func TestReplicasBehindHAProxy(t *testing.T) {
	t.Parallel()
	programtest.RequireTool(t, "haproxy")
	text := recipe(t, "haproxy/haproxy.cfg")
	f := newFleet(t, "one", "two", "three")
	addresses := []string{"10.0.0.1:8080", f.address("one"), "10.0.0.2:8080", f.address("two"), "10.0.0.3:8080", f.address("three")}
	proxy := programtest.StartHAProxy(t, text, addresses...)
	f.behind(proxy.Origin, proxy.Transport)
	f.populate(60)
	stop := f.load()
	defer stop()
	f.losesOne("two")

	f.add("four")
	proxy.Reload(text+"    server four "+f.address("four")+"\n", addresses...)
	moved := ""
	f.until("a request for what another had, to the replica that was added", func(last map[string]fleetReply) bool {
		for _, name := range append(f.at("one"), f.at("three")...) {
			if last[name].replica == "four" {
				moved = name
			}
		}
		return moved != ""
	})
	stop()
	f.wants(fleetReply{status: http.StatusNotFound, code: "unknown_sandbox"}, "GET", "/pets", "")
	f.makesAnew(f.at("two")[0])
	f.movesByItsWorld(moved)
}

// TestReplicasBehindNginx is the shorter one with nginx, which takes a replica out by requests
// that fail.
func TestReplicasBehindNginx(t *testing.T) {
	t.Parallel()
	nginx := programtest.NewNginx(t)
	f := newFleet(t, "one", "two", "three")
	nginx.Start(recipe(t, "nginx/replicas.conf"), "play.example",
		"10.0.0.1:8080", f.address("one"), "10.0.0.2:8080", f.address("two"), "10.0.0.3:8080", f.address("three"))
	f.behind(nginx.Origin, nginx.Transport)
	f.populate(30)
	stop := f.load()
	defer stop()
	f.losesOne("two")
	stop()
	f.wants(fleetReply{status: http.StatusNotFound, code: "unknown_sandbox"}, "GET", "/pets", "")
	f.makesAnew(f.at("two")[0])
}

// losesOne kills a replica. Another one says soon that it does not know what that had.
func (f *fleet) losesOne(replica string) {
	f.t.Helper()
	f.until("a reply from each", func(last map[string]fleetReply) bool { return len(last) == len(f.names) })
	f.kill(replica)
	f.until("a 404 for all that is lost", func(last map[string]fleetReply) bool {
		return !slices.ContainsFunc(f.at(replica), func(name string) bool { return last[name].status != http.StatusNotFound })
	})
}

// wants makes a request of which the reply is known.
func (f *fleet) wants(want fleetReply, method, path, body string) {
	f.t.Helper()
	got, err := f.ask(method, path, body)
	if want.replica == "" {
		got.replica = ""
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(fleetReply{})); err != nil || diff != "" {
		f.t.Errorf("%s %s: %v, -want +got:\n%s", method, path, err, diff)
	}
}

// makesAnew makes a sandbox that was lost, without the pet that it had.
func (f *fleet) makesAnew(name string) {
	f.t.Helper()
	f.wants(fleetReply{status: http.StatusCreated}, "PUT", "/admin/sandboxes/"+name, "")
	f.wants(fleetReply{status: http.StatusOK}, "GET", "/sandboxes/"+name+"/pets?name=of%20team", "")
}

// movesByItsWorld takes a sandbox from the replica that had it to the one that is asked now.
func (f *fleet) movesByItsWorld(name string) {
	f.t.Helper()
	world := programtest.Get(f.t, f.replicas[f.home[name]].URL+"/sandboxes/"+name+"/admin/world", "Authorization", "Bearer "+fleetKey)
	if world.Status != http.StatusOK {
		f.t.Fatalf("the world of %s: %+v", name, world)
	}
	f.wants(fleetReply{status: http.StatusOK, replica: "four"}, "PUT", "/sandboxes/"+name+"/admin/world", world.Body)
	f.wants(fleetReply{status: http.StatusOK, replica: "four", pets: []string{"of " + name}}, "GET", "/sandboxes/"+name+"/pets?name=of%20team", "")
}
