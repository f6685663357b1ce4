//go:build unix

package command

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/petstore/handlers/command/programtest"
)

// fleet is a set of sharded replicas behind a proxy, with their visitors.
type fleet struct {
	t        *testing.T
	origin   string
	clients  [2]*http.Client // for HTTP/2 and HTTP/1.1, used in turns
	asked    atomic.Int64    // number of requests
	once     bool            // whether clients never resend a body, even if a proxy asks for it
	replicas map[string]*programtest.Process
	visitors []*guest
	keep     map[string]string // path for --keep by replica, if it has the flag

	mu       sync.Mutex
	change   *sync.Cond
	absences map[string]*absence // by replica; guarded by mu
	figures  figures             // guarded by mu
}

// guest is a visitor with a sandbox.
type guest struct {
	name, home string // names of the sandbox and its replica

	mu    sync.Mutex      // held for each request
	pets  map[string]bool // by name; true if creation was confirmed, false if it is unknown; guarded by mu
	turns int             // guarded by mu
	anew  bool            // whether the sandbox was lost and created again; guarded by mu

	last fleetReply // guarded by fleet.mu
}

// absence is a period during which a replica does not respond.
type absence struct {
	since time.Time     // just before the replica was stopped
	sure  time.Time     // just after the replica was stopped, or zero before that
	until time.Time     // end of the absence, or zero during it
	found time.Duration // time within which the proxy must detect the absence
	lost  bool          // whether the sandboxes were lost
}

// fleetReply is the checked part of a response.
type fleetReply struct {
	status                    int
	replica, code, retryAfter string
	pets                      []string // names of pets
	begin, end                time.Time
}

const (
	fleetKey   = "secret"
	fleetPeers = 8 // concurrent clients
)

// newFleet starts replicas. Those listed in keep store their sandboxes across restarts.
func newFleet(t *testing.T, keep []string, names ...string) *fleet {
	t.Helper()
	f := &fleet{t: t, keep: make(map[string]string), replicas: make(map[string]*programtest.Process),
		absences: make(map[string]*absence)}
	f.change = sync.NewCond(&f.mu)
	for _, name := range keep {
		f.keep[name] = filepath.Join(t.TempDir(), "sandboxes.keep")
	}
	for _, name := range names {
		f.start(name, "127.0.0.1:0")
	}
	return f
}

// start starts a replica with the command of the recipe.
func (f *fleet) start(replica, address string) {
	f.t.Helper()
	_, command, _ := strings.Cut(recipe(f.t, "haproxy/haproxy.cfg"), "#     petstore ")
	command, _, _ = strings.Cut(command, "\n#\n")
	command = programtest.Replaced(f.t, command, "\\\n#", "", "10.0.0.1:8080", address,
		"--replica one ", "--replica "+replica+" ", " KEY ", " "+fleetKey+" ", "10.0.0.9", "127.0.0.1")
	args := append(strings.Fields(command), "--max-memory", "128MiB")
	if file := f.keep[replica]; file != "" {
		args = append(args, "--keep", file)
	}
	f.replicas[replica] = programtest.Start(f.t, programtest.Petstore, nil, args...)
}

// address returns the host and port of a replica.
func (f *fleet) address(replica string) string {
	return strings.TrimPrefix(f.replicas[replica].URL, "http://")
}

// addresses returns the addresses of the replicas one, two and three, each after its address in the
// recipes.
func (f *fleet) addresses() []string {
	return []string{
		"10.0.0.1:8080", f.address("one"), "10.0.0.2:8080", f.address("two"), "10.0.0.3:8080", f.address("three"),
	}
}

// behind sets the proxy of the fleet.
func (f *fleet) behind(origin string, transport *http.Transport) {
	f.origin = origin
	for i, transport := range []*http.Transport{transport, overHTTP1(f.t, transport)} {
		f.clients[i] = &http.Client{Transport: transport, Timeout: programtest.Patience}
	}
}

// ask makes a request through the proxy.
func (f *fleet) ask(method, path, body string, header ...string) (reply fleetReply, content []byte, err error) {
	reply.begin = time.Now()
	r, err := http.NewRequestWithContext(f.t.Context(), method, f.origin+path, strings.NewReader(body))
	if err != nil {
		return reply, nil, err
	}
	if f.once {
		r.GetBody = nil
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := f.clients[f.asked.Add(1)%2].Do(r)
	if err != nil {
		return reply, nil, err
	}
	defer response.Body.Close()
	content, err = io.ReadAll(response.Body)
	reply.status, reply.end = response.StatusCode, time.Now()
	reply.replica, reply.retryAfter = response.Header.Get("X-Petstore-Replica"), response.Header.Get("Retry-After")
	var refused struct{ Code string }
	var pets []struct{ Name string }
	if json.Unmarshal(content, &refused) == nil {
		reply.code = refused.Code
	}
	if json.Unmarshal(content, &pets) == nil {
		for _, pet := range pets {
			reply.pets = append(reply.pets, pet.Name)
		}
	}
	return reply, content, err
}

// join adds a visitor without a key.
func (f *fleet) join() *guest {
	f.t.Helper()
	reply, content, err := f.ask("POST", "/join", `{"name": "Visitor"}`)
	var made struct{ Sandbox, URL string }
	if err != nil || reply.status != http.StatusCreated || json.Unmarshal(content, &made) != nil {
		f.t.Fatalf("join returns %+v, %v", reply, err)
	}
	name, home, _ := strings.Cut(made.Sandbox, ".")
	if home != reply.replica || f.replicas[home] == nil || made.URL != "https://play.example/sandboxes/"+name+"."+home {
		f.t.Fatalf("%s makes %+v", reply.replica, made)
	}
	return &guest{name: made.Sandbox, home: home, pets: make(map[string]bool)}
}

// populate adds visitors. Each creates and reads pets, selecting the sandbox by path and by header.
func (f *fleet) populate(count int) {
	f.t.Helper()
	for range count {
		v := f.join()
		f.visitors = append(f.visitors, v)
		for range 4 {
			f.visit(v)
		}
	}
	for replica := range f.replicas {
		if len(f.of(replica)) == 0 {
			f.t.Fatalf("%s has none of %d sandboxes", replica, count)
		}
	}
}

// of returns the visitors with sandboxes on the replica.
func (f *fleet) of(replica string) (visitors []*guest) {
	for _, v := range f.visitors {
		if v.home == replica {
			visitors = append(visitors, v)
		}
	}
	return visitors
}

// load makes every visitor create and read pets until the returned function is called.
func (f *fleet) load() (stop func()) {
	var clients sync.WaitGroup
	end := make(chan struct{})
	for client := range fleetPeers {
		clients.Go(func() {
			for i := client; ; i += fleetPeers {
				select {
				case <-end:
					return
				default:
					f.visit(f.visitors[i%len(f.visitors)])
				}
			}
		})
	}
	return sync.OnceFunc(func() {
		close(end)
		clients.Wait()
	})
}

// visit creates a pet in the sandbox of a visitor, or reads its pets, and checks the response.
func (f *fleet) visit(v *guest) {
	v.mu.Lock()
	defer v.mu.Unlock()
	path, header := "/pets", []string{"X-Sandbox", v.name}
	if v.turns/2%2 == 0 {
		path, header = "/sandboxes/"+v.name+path, nil
	}
	v.turns++
	method, pet, body := "GET", "", ""
	if v.turns%2 == 1 && len(v.pets) < 900 {
		pet = fmt.Sprintf("pet %d of %s", v.turns, v.name)
		method, body = "POST", `{"name": "`+pet+`", "categoryId": 1}`
	} else {
		path += "?limit=1000&name=%20of%20visitor"
	}
	reply, content, err := f.ask(method, path, body, header...)
	switch {
	case method == "POST" && reply.status == http.StatusCreated:
		v.pets[pet] = true
	case method == "POST" && reply.status == http.StatusBadGateway:
		v.pets[pet] = false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	v.last = reply
	f.change.Broadcast()
	if err != nil || !f.validLocked(v, method, reply) {
		f.t.Errorf("%s %s, which knows %d pets, gets %+v, %v (%+v): %.200s",
			method, v.name, len(v.pets), reply, err, f.absences[v.home], content)
	}
	f.figures.add(reply, f.absences[v.home])
}

// validLocked reports whether a reply has the data of the sandbox, or a valid reason why the data
// is unavailable.
func (f *fleet) validLocked(v *guest, method string, reply fleetReply) bool {
	a := f.absences[v.home]
	lost := a != nil && a.lost && !v.anew
	switch reply.status {
	case http.StatusOK, http.StatusCreated:
		return reply.replica == v.home && (!lost || a.sure.IsZero() || reply.begin.Before(a.sure)) &&
			(method == "POST" || v.matches(reply.pets))
	case http.StatusNotFound:
		return lost && reply.code == "unknown_sandbox" && reply.replica == v.home
	case http.StatusServiceUnavailable: // the request never reached the replica
		return a != nil && reply.code == "unavailable" && reply.replica == "" && reply.retryAfter == "1" &&
			reply.end.After(a.since) && (a.until.IsZero() || reply.begin.Before(a.until))
	case http.StatusBadGateway: // the request was in flight
		return a != nil && reply.code == "bad_gateway" && reply.replica == "" && reply.retryAfter == "" &&
			reply.end.After(a.since) && (a.sure.IsZero() || reply.begin.Before(a.sure.Add(a.found)))
	}
	return false
}

// matches reports whether the pets include all confirmed ones, no others except unconfirmed ones, and
// none twice.
func (v *guest) matches(pets []string) bool {
	seen := make(map[string]bool)
	for _, pet := range pets {
		if _, known := v.pets[pet]; !known || seen[pet] {
			return false
		}
		seen[pet] = true
	}
	for pet, sure := range v.pets {
		if sure && !seen[pet] {
			return false
		}
	}
	return true
}

// until waits until holds is true for the last reply to each visitor.
func (f *fleet) until(what string, visitors []*guest, holds func(last fleetReply) bool) {
	f.t.Helper()
	deadline := time.Now().Add(programtest.Patience)
	defer time.AfterFunc(programtest.Patience, f.change.Broadcast).Stop()
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(visitors) > 0 {
		if holds(visitors[0].last) {
			visitors = visitors[1:]
			continue
		}
		if f.t.Failed() || time.Now().After(deadline) {
			f.t.Fatalf("never came: %s; the last reply from %s is %+v", what, visitors[0].name, visitors[0].last)
		}
		f.change.Wait()
	}
}
