package registry

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/lifecycle"
)

// start is the machine's time when a test begins.
var start = time.Date(2026, time.July, 1, 12, 0, 0, 0, time.UTC)

// machine is a machine's time that stands still until the test moves it.
type machine struct{ passed atomic.Int64 }

func (m *machine) now() time.Time       { return start.Add(time.Duration(m.passed.Load())) }
func (m *machine) pass(d time.Duration) { m.passed.Add(int64(d)) }

// testBaseline returns a baseline of fake data with one category and the given number of pets.
func testBaseline(pets int) sandbox.Baseline {
	state, err := fixtures.Generate(7, fixtures.Sizes{Pets: pets, Categories: 1}, nil)
	if err != nil {
		panic(err)
	}
	return sandbox.Baseline{State: state, Seed: 7}
}

// testOptions returns the options of these tests' sandboxes.
func testOptions(m *machine) Options {
	return Options{Options: sandbox.Options{
		Origin:  testBaseline(3),
		Machine: m.now,
		Operations: []lifecycle.Operation{
			{ID: "listPets", Method: "GET", Path: "/pets"},
			{ID: "getPet", Method: "GET", Path: "/pets/{petId}",
				Lifecycle: lifecycle.Lifecycle{Deprecated: true, DeprecatedSince: start}},
		},
		Faults:    []fault.Rule{{Code: "of every sandbox"}},
		RateLimit: 1,
		Journal:   10,
	}}
}

func newTestRegistry(t testing.TB, max int, ttl time.Duration) (*Registry, *machine) {
	t.Helper()
	m := new(machine)
	r := New(testOptions(m), max, ttl)
	t.Cleanup(r.Close)
	return r, m
}

// enter begins a request to the named sandbox, which is admitted.
func enter(r *Registry, text string) (*Entry, error) {
	name, err := sandbox.ParseName(text)
	if err != nil {
		return nil, err
	}
	sb, err := r.Register(r.Acquire(name))
	if err != nil {
		return nil, err
	}
	sb.Touch(sandbox.Machine())
	return sb, nil
}

// leave ends the request.
func leave(sb *Entry) {
	sb.Touch(sandbox.Machine())
	sb.Release()
}

// visit makes one request to the named sandbox.
func visit(t testing.TB, r *Registry, name string) *Entry {
	t.Helper()
	sb, err := enter(r, name)
	if err != nil {
		t.Fatalf("a request to %q: %v", name, err)
	}
	leave(sb)
	return sb
}

func wantNames(t *testing.T, r *Registry, want ...string) {
	t.Helper()
	var names []string
	for _, sb := range r.List() {
		names = append(names, sb.Name)
	}
	if !slices.Equal(names, want) {
		t.Errorf("sandboxes = %q, want %q", names, want)
	}
	if r.Len() != len(want) {
		t.Errorf("Len = %d, want %d", r.Len(), len(want))
	}
}

// sweep drops the sandboxes that have been idle for their ttl, as the registry's timer does.
func sweep(r *Registry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sweepLocked()
}
