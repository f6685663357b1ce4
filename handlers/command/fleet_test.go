package command

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/petstore/handlers/command/programtest"
)

// fleet is a number of replicas behind a proxy that hashes by sandbox, with sandboxes that
// have one pet each of their name.
type fleet struct {
	t        *testing.T
	origin   string
	client   *http.Client
	replicas map[string]*programtest.Process
	names    []string
	home     map[string]string // the replica that has a sandbox

	mu     sync.Mutex
	change *sync.Cond
	killed map[string]bool       // replicas; guarded by mu
	added  map[string]bool       // replicas; guarded by mu
	last   map[string]fleetReply // the last reply from each sandbox; guarded by mu
}

// fleetReply is what the test looks at of a response.
type fleetReply struct {
	status        int
	replica, code string
	pets          []string // names
}

const fleetKey = "secret"

func newFleet(t *testing.T, names ...string) *fleet {
	t.Helper()
	f := &fleet{
		t: t, replicas: make(map[string]*programtest.Process), home: make(map[string]string),
		killed: make(map[string]bool), added: make(map[string]bool), last: make(map[string]fleetReply),
	}
	f.change = sync.NewCond(&f.mu)
	for _, name := range names {
		f.start(name)
	}
	return f
}

func (f *fleet) start(replica string) {
	f.t.Helper()
	f.replicas[replica] = programtest.StartPetstore(f.t, "--replica", replica, "--explicit-sandboxes",
		"--public-url", "https://play.example", "--admin-key", fleetKey, "--max-memory", "128MiB")
}

// address returns host and port of a replica.
func (f *fleet) address(replica string) string {
	return strings.TrimPrefix(f.replicas[replica].URL, "http://")
}

// behind says by which proxy the fleet is reached.
func (f *fleet) behind(origin string, transport http.RoundTripper) {
	f.origin, f.client = origin, &http.Client{Transport: transport, Timeout: programtest.Patience}
}

// ask makes a request through the proxy, as the operator.
func (f *fleet) ask(method, path, body string, header ...string) (fleetReply, error) {
	return f.askAt(f.origin, method, path, body, header...)
}

func (f *fleet) askAt(origin, method, path, body string, header ...string) (fleetReply, error) {
	r, err := http.NewRequestWithContext(f.t.Context(), method, origin+path, strings.NewReader(body))
	if err != nil {
		return fleetReply{}, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+fleetKey)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := f.client.Do(r)
	if err != nil {
		return fleetReply{}, err
	}
	defer response.Body.Close()
	reply := fleetReply{status: response.StatusCode, replica: response.Header.Get("X-Petstore-Replica")}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return fleetReply{}, err
	}
	var refused struct{ Code string }
	var pets []struct{ Name string }
	if json.Unmarshal(text, &refused) == nil {
		reply.code = refused.Code
	}
	if json.Unmarshal(text, &pets) == nil {
		for _, pet := range pets {
			reply.pets = append(reply.pets, pet.Name)
		}
	}
	return reply, nil
}

// populate makes sandboxes with a pet of their name each, and learns where they are.
func (f *fleet) populate(count int) {
	f.t.Helper()
	for i := range count {
		name := fmt.Sprintf("team-%d", i)
		made, err := f.ask("PUT", "/admin/sandboxes/"+name, "")
		if err != nil || made.status != http.StatusCreated || f.replicas[made.replica] == nil {
			f.t.Fatalf("making %s: %+v, %v", name, made, err)
		}
		pet, err := f.ask("POST", "/pets", fmt.Sprintf(`{"name": "of %s", "categoryId": 1}`, name), "X-Sandbox", name)
		if err != nil || pet.status != http.StatusCreated || pet.replica != made.replica {
			f.t.Fatalf("a pet of %s, which %s has: %+v, %v", name, made.replica, pet, err)
		}
		f.names, f.home[name] = append(f.names, name), made.replica
	}
	for replica := range f.replicas {
		if len(f.at(replica)) == 0 {
			f.t.Fatalf("%s has none of %d sandboxes", replica, count)
		}
	}
}

// at returns the sandboxes that a replica has.
func (f *fleet) at(replica string) (names []string) {
	for _, name := range f.names {
		if f.home[name] == replica {
			names = append(names, name)
		}
	}
	return names
}

// load reads from all sandboxes, by header and by path, until the function that it returns is
// called. Each response is judged.
func (f *fleet) load() (stop func()) {
	var readers sync.WaitGroup
	end := make(chan struct{})
	for i := range 4 {
		readers.Go(func() {
			for turn := i; ; turn++ {
				select {
				case <-end:
					return
				default:
					f.read(f.names[turn%len(f.names)], turn/len(f.names)%2 == 0)
				}
			}
		})
	}
	return sync.OnceFunc(func() {
		close(end)
		readers.Wait()
	})
}

// read asks a sandbox for pets of any sandbox, and judges the response.
func (f *fleet) read(name string, byPath bool) {
	path, header := "/pets?name=of%20team", []string{"X-Sandbox", name}
	if byPath {
		path, header = "/sandboxes/"+name+path, nil
	}
	reply, err := f.ask("GET", path, "", header...)
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil {
		f.t.Errorf("%s, which %s has: %v", name, f.home[name], err)
		return
	}
	f.last[name] = reply
	f.change.Broadcast()
	if !f.honestLocked(name, reply) {
		f.t.Errorf("%s, which %s has (killed: %v), got %+v", name, f.home[name], f.killed[f.home[name]], reply)
	}
}

// honestLocked reports whether a reply has the data of the sandbox, or says that they are not to
// be had.
func (f *fleet) honestLocked(name string, reply fleetReply) bool {
	gone := f.killed[f.home[name]]
	switch reply.status {
	case http.StatusOK:
		return reply.replica == f.home[name] && slices.Equal(reply.pets, []string{"of " + name})
	case http.StatusNotFound: // by a replica that took the place of its home
		return reply.code == "unknown_sandbox" && reply.replica != f.home[name] && (gone || f.added[reply.replica])
	case http.StatusBadGateway, http.StatusServiceUnavailable: // by the proxy
		return gone && reply.replica == "" && (reply.code == "unavailable" || reply.code == "bad_gateway")
	}
	return false
}

// add starts one more replica.
func (f *fleet) add(replica string) {
	f.t.Helper()
	f.start(replica)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.added[replica] = true
}

// kill kills a replica, so that it does not even say that it ends.
func (f *fleet) kill(replica string) {
	f.mu.Lock()
	f.killed[replica] = true
	f.mu.Unlock()
	f.replicas[replica].Kill()
}

// until waits until the replies from the sandboxes are as they should be.
func (f *fleet) until(what string, holds func(last map[string]fleetReply) bool) {
	f.t.Helper()
	deadline := time.Now().Add(programtest.Patience)
	defer time.AfterFunc(programtest.Patience, f.change.Broadcast).Stop()
	f.mu.Lock()
	defer f.mu.Unlock()
	for !holds(f.last) {
		if f.t.Failed() || time.Now().After(deadline) {
			f.t.Fatalf("never came: %s; the last replies are %+v", what, f.last)
		}
		f.change.Wait()
	}
}
