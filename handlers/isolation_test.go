package handlers_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.com/petstore/handlers"
)

// TestIsolation runs two hundred tests at once on one server, each in a sandbox of
// its own: they write, undo, snapshot, restore, reset, fork, drop, inject faults,
// retire operations and move the clock at random. Each keeps a plain model of what
// its sandbox must answer. One in four has run alone before, on a server of its own:
// what is drawn by chance must come out the same.
func TestIsolation(t *testing.T) {
	t.Parallel()
	actors, steps := 200, 15
	if testing.Short() {
		actors, steps = 50, 15
	}
	server, err := handlers.New(configured())
	if err != nil {
		t.Fatal(err)
	}
	listener := httptest.NewServer(server)
	transport := &http.Transport{MaxIdleConnsPerHost: actors}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
		listener.Close()
	})
	name := func(i int) string {
		if i == 0 {
			return "default"
		}
		return fmt.Sprint("actor-", i)
	}
	var running sync.WaitGroup
	for i := range actors {
		running.Go(func() {
			alone := newActor(t, "alone", name(i), uint64(i))
			if i%4 == 0 {
				server, err := handlers.New(configured())
				if err != nil {
					t.Error(err)
					return
				}
				defer server.Close()
				alone.run(&http.Client{Transport: inMemory{server}}, "http://127.0.0.1", steps)
			}
			together := newActor(t, "together", name(i), uint64(i))
			together.run(&http.Client{Transport: transport}, listener.URL, steps)
			for i := range min(len(alone.told), len(together.told)) {
				if alone.told[i] != together.told[i] {
					t.Errorf("%s was told together\n%s\nand alone\n%s", together.name, together.told[i], alone.told[i])
					break
				}
			}
		})
	}
	running.Wait()
}

// inMemory is a transport without sockets.
type inMemory struct{ handler http.Handler }

func (m inMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	recorder := httptest.NewRecorder()
	if r.Body == nil {
		r.Body = http.NoBody
	}
	r.Host = r.URL.Host
	m.handler.ServeHTTP(recorder, r)
	return recorder.Result(), nil
}

// data is the model of what is in a sandbox. A data that is kept is never changed.
type data struct {
	pets     map[int]string // id to status
	next     int            // id of the next pet
	messages int            // made so far
}

func (d data) with(change func(*data)) data {
	d.pets = maps.Clone(d.pets)
	change(&d)
	return d
}

// list is what listPets answers, one line a pet.
func (d data) list() string {
	var b strings.Builder
	for _, id := range slices.Sorted(maps.Keys(d.pets)) {
		fmt.Fprintf(&b, "%d %s\n", id, d.pets[id])
	}
	return b.String()
}

// model is what a sandbox must answer. It knows the baseline of every world.
type model struct {
	data
	history   []data
	snapshots map[string]data

	clock struct {
		offset int // seconds ahead of now, where every machine's time stands still
		frozen bool
	}
	faults   int  // how often createPet still fails
	dice     bool // whether listCategories fails by chance
	retired  bool // whether createPet is deprecated
	sunset   int  // of createPet, in seconds after now
	key      int  // id of the pet that the idempotency key made; 0: none
	requests int  // in the journal
	uses     int  // of deprecated operations
}

func newModel() *model {
	m := &model{snapshots: make(map[string]data)}
	for _, part := range []string{"data", "clock", "faults", "lifecycle", "journal", "report", "keys"} {
		m.reset(part)
	}
	return m
}

func (m *model) reset(part string) {
	switch part {
	case "data":
		m.data = data{pets: map[int]string{1: "available", 2: "pending", 3: "sold", 4: "available", 5: "available"}, next: 7, messages: 1}
		m.history, m.key = nil, 0
	case "clock":
		m.clock.offset, m.clock.frozen = 0, false
	case "faults":
		m.faults, m.dice = 0, false
	case "lifecycle":
		m.retired = false
	case "journal":
		m.requests = 0
	case "report":
		m.uses = 0
	case "keys":
		m.key = 0
	}
}

func (m *model) write(d data) {
	m.history = append(m.history, m.data)
	m.data = d
}

// refusal returns the status of createPet if something keeps it from running; 0:
// nothing does.
func (m *model) refusal() int {
	switch {
	case m.faults > 0:
		m.faults--
		return http.StatusServiceUnavailable
	case m.retired && m.clock.offset >= m.sunset:
		return http.StatusGone
	}
	return 0
}
