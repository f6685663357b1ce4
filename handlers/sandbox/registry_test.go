package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/store"
)

// start is the machine's time when a test begins.
var start = time.Date(2026, time.July, 1, 12, 0, 0, 0, time.UTC)

// machine is a machine's time that stands still until the test moves it.
type machine struct{ passed atomic.Int64 }

func (m *machine) now() time.Time       { return start.Add(time.Duration(m.passed.Load())) }
func (m *machine) pass(d time.Duration) { m.passed.Add(int64(d)) }

// testBaseline returns a baseline of its own with one category and that many pets.
func testBaseline(pets int) Baseline {
	state, err := store.Build(func(tx *store.Tx) error {
		if _, err := tx.CreateCategory(store.Category{Name: "Dogs"}); err != nil {
			return err
		}
		for i := range pets {
			if _, err := tx.CreatePet(store.Pet{Name: fmt.Sprint("pet ", i+1), CategoryID: 1, Status: store.Available}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
	return Baseline{State: state, Seed: 7}
}

// testOptions are what sandboxes start with in these tests.
func testOptions(m *machine) Options {
	return Options{
		Baseline: testBaseline(3),
		Machine:  m.now,
		Operations: []Operation{
			{ID: "listPets", Method: "GET", Path: "/pets"},
			{ID: "getPet", Method: "GET", Path: "/pets/{petId}", Lifecycle: Lifecycle{Deprecated: true, DeprecatedSince: start}},
		},
		Faults:    []fault.Rule{{Code: "of every sandbox"}},
		RateLimit: 1,
		Journal:   10,
	}
}

func newTestRegistry(t testing.TB, max int, ttl time.Duration) (*Registry, *machine) {
	t.Helper()
	m := new(machine)
	r := NewRegistry(testOptions(m), max, ttl)
	t.Cleanup(r.Close)
	return r, m
}

// loneSandbox is a sandbox that no registry has.
func loneSandbox(o Options) *Sandbox {
	template := newTemplate(&o)
	sb := template.fork(Name{"ada", "ada"})
	sb.start.Store(template)
	return sb
}

// enter begins a request to the sandbox of the name, which is let in.
func enter(r *Registry, text string) (*Sandbox, error) {
	name, err := ParseName(text)
	if err != nil {
		return nil, err
	}
	sb, err := r.Register(r.Acquire(name))
	if err != nil {
		return nil, err
	}
	sb.Touch()
	return sb, nil
}

// leave ends it.
func leave(sb *Sandbox) {
	sb.Touch()
	sb.Release()
}

// visit is one request to the sandbox of the name.
func visit(t testing.TB, r *Registry, name string) *Sandbox {
	t.Helper()
	sb, err := enter(r, name)
	if err != nil {
		t.Fatalf("a request to %q: %v", name, err)
	}
	leave(sb)
	return sb
}

// write is a request that changes something.
func write(t testing.TB, r *Registry, name string) *Sandbox {
	t.Helper()
	sb := visit(t, r, name)
	sb.Claim()
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

func wantErr(t *testing.T, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestFirstUseMakesASandbox(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 10, time.Hour)
	wantNames(t, r, "default")
	if visit(t, r, Default) != r.Default() {
		t.Error("the default's name is not the default sandbox's")
	}
	m.pass(time.Minute)
	ada := visit(t, r, "ada")
	if ada != visit(t, r, "ada") {
		t.Error("the second visit met another sandbox")
	}
	if ada.Store.View() != r.options.Baseline.State {
		t.Error("a new sandbox does not share the baseline")
	}
	if want := start.Add(time.Minute); !ada.Created().Equal(want) {
		t.Errorf("Created = %v, want %v", ada.Created(), want)
	}
	visit(t, r, "bob")
	wantNames(t, r, "ada", "bob", "default")
}

// TestNamesDoNotKeepRequestsAlive wants a name that is its own memory: a header's
// value is a part of the whole request's.
func TestNamesDoNotKeepRequestsAlive(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	request := strings.Repeat("x", 4) + "ada" + strings.Repeat("x", 4)
	sb := visit(t, r, request[4:7])
	for name := range r.sandboxes {
		if name == "ada" && !sameMemory(name, sb.Name) {
			t.Error("key and name of the sandbox are two copies")
		}
	}
	if sb.Name != "ada" || sameMemory(sb.Name, request[4:7]) {
		t.Error("the name is a part of the request's memory")
	}
}

func TestRefusedNamesLeaveNothingBehind(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	_, _, err := r.Make("*", Wish{})
	wantErr(t, "Make", err, ErrBadName)
	_, _, err = r.Hold("\x00")
	wantErr(t, "Hold", err, ErrBadName)
	_, err = r.Fork(Default, "")
	wantErr(t, "Fork", err, ErrBadName)
	_, err = r.Fork("*", "ada")
	wantErr(t, "Fork from what is no name", err, ErrBadName)
	wantErr(t, "Drop", r.Drop("*"), ErrBadName)
	_, err = r.Find("*")
	wantErr(t, "Find", err, ErrBadName)
	wantNames(t, r, "default")
}

func TestLimit(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 3, time.Hour)
	write(t, r, "ada")
	m.pass(time.Minute)
	write(t, r, "bob")
	m.pass(time.Minute)
	_, err := enter(r, "eve")
	wantErr(t, "a request", err, ErrLimit)
	_, made, err := r.Make("eve", Wish{Baseline: new(testBaseline(1))})
	wantErr(t, "Make", err, ErrLimit)
	if made || r.HasRoom() {
		t.Error("Make says that it made the sandbox that it refused, or there is room")
	}
	_, _, err = r.Hold("eve")
	wantErr(t, "Hold", err, ErrLimit)
	_, err = r.Fork("ada", "eve")
	wantErr(t, "Fork", err, ErrLimit)
	wantNames(t, r, "ada", "bob", "default")
	visit(t, r, "ada") // is there, so that it needs no room
	visit(t, r, Default)

	if err := r.Drop("ada"); err != nil {
		t.Fatal(err)
	}
	if !r.HasRoom() {
		t.Error("there is no room after a drop")
	}
	visit(t, r, "eve")
	wantNames(t, r, "bob", "default", "eve")
}

// TestFullRegistryDropsTheIdle wants room for a new sandbox as soon as an old one
// may go, without waiting for the timer.
func TestFullRegistryDropsTheIdle(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 3, time.Hour)
	write(t, r, "ada")
	m.pass(20 * time.Minute)
	write(t, r, "bob")
	m.pass(40*time.Minute - 1)
	_, err := enter(r, "eve")
	wantErr(t, "a request a moment too early", err, ErrLimit)
	m.pass(1)
	visit(t, r, "eve")
	wantNames(t, r, "bob", "default", "eve")
}

func TestIdleSandboxesGo(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 10, time.Hour)
	visit(t, r, "ada")
	bob, err := enter(r, "bob") // goes on
	if err != nil {
		t.Fatal(err)
	}
	m.pass(time.Hour - 1)
	sweep(r)
	wantNames(t, r, "ada", "bob", "default")
	m.pass(1)
	sweep(r)
	wantNames(t, r, "bob", "default")

	m.pass(100 * time.Hour)
	sweep(r)
	wantNames(t, r, "bob", "default")
	leave(bob)
	if want := start.Add(101 * time.Hour); !bob.LastUsed().Equal(want) {
		t.Errorf("LastUsed = %v, want when the request ended, %v", bob.LastUsed(), want)
	}
	m.pass(time.Hour - 1)
	sweep(r)
	wantNames(t, r, "bob", "default")
	m.pass(1)
	sweep(r)
	wantNames(t, r, "default")
}

// TestWatchedSandboxesGo wants a sandbox that somebody looks at to stay for so long,
// and to be as idle after that as it was without.
func TestWatchedSandboxesGo(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 10, time.Hour)
	visit(t, r, "ada")
	watched := r.Acquire(Name{"ada", "ada"})
	m.pass(2 * time.Hour)
	sweep(r)
	wantNames(t, r, "ada", "default")
	watched.Release()
	if !watched.LastUsed().Equal(start) {
		t.Errorf("LastUsed = %v, want %v: to look is no use", watched.LastUsed(), start)
	}
	m.pass(15 * time.Minute)
	sweep(r)
	wantNames(t, r, "default")
}

func TestMakeUsesWhatIsThere(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 10, time.Hour)
	ada := visit(t, r, "ada")
	m.pass(time.Minute)
	if _, made, err := r.Make("ada", Wish{}); err != nil || made {
		t.Fatalf("Make: %t, %v", made, err)
	}
	if want := start.Add(time.Minute); !ada.LastUsed().Equal(want) {
		t.Errorf("LastUsed = %v, want %v", ada.LastUsed(), want)
	}
}

func TestNoTTLMeansForEver(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 10, 0)
	visit(t, r, "ada")
	m.pass(1e6 * time.Hour)
	sweep(r)
	wantNames(t, r, "ada", "default")
}

// TestTimerDropsTheIdle lets time pass in a bubble: nobody asks for the sandboxes,
// and they go.
func TestTimerDropsTheIdle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := testOptions(new(machine))
		o.Machine = Machine
		r := NewRegistry(o, 10, time.Hour)
		visit(t, r, "ada")
		time.Sleep(30 * time.Minute)
		visit(t, r, "bob")
		time.Sleep(46 * time.Minute) // ada may be a quarter too old, bob is not yet
		synctest.Wait()
		wantNames(t, r, "bob", "default")
		time.Sleep(30 * time.Minute)
		synctest.Wait()
		wantNames(t, r, "default")
		if r.sweeper != nil {
			t.Error("the timer goes on though there is nothing to drop")
		}
		visit(t, r, "eve")
		time.Sleep(76 * time.Minute)
		synctest.Wait()
		wantNames(t, r, "default")
		visit(t, r, "dan")
		time.Sleep(59 * time.Minute)
		r.Close()
		time.Sleep(time.Hour)
		synctest.Wait()
		wantNames(t, r, "dan", "default")
	})
}

// TestSlowerFirstUse takes the path of a request that found no sandbox and comes to
// make it after another has.
func TestSlowerFirstUse(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	acquired := r.Acquire(Name{"ada", "ada"})
	ada := visit(t, r, "ada")
	if slower, err := r.Register(acquired); err != nil || slower != ada {
		t.Errorf("the slower request met another sandbox, %v", err)
	}
	if n := ada.holders.Load(); n != 1 {
		t.Errorf("%d requests go on, want the slower one", n)
	}
}

// TestAcquireLeavesNothingBehind wants a sandbox to be made by who is let in alone.
func TestAcquireLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 2, time.Hour)
	ada := Name{"ada", "ada"}
	for range 5 {
		sb := r.Acquire(ada)
		if sb.Registered() {
			t.Error("it is registered")
		}
		sb.Release()
	}
	wantNames(t, r, "default")
	first := r.Acquire(ada)
	visit(t, r, "bob") // takes the last place meanwhile
	_, err := r.Register(first)
	wantErr(t, "Register beyond the limit", err, ErrLimit)
	wantNames(t, r, "bob", "default")
}

func TestConcurrentFirstUsesMakeOneSandbox(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 1000, time.Hour)
	const rounds, visitors = 100, 8
	for round := range rounds {
		var met [visitors]*Sandbox
		var running sync.WaitGroup
		begin := make(chan struct{})
		for i := range visitors {
			running.Go(func() {
				<-begin
				sb, err := enter(r, fmt.Sprint("sandbox-", round))
				if err != nil {
					t.Error(err)
					return
				}
				met[i] = sb
				sweep(r) // in use, so that it stays
				m.pass(time.Hour)
				leave(sb)
			})
		}
		close(begin)
		running.Wait()
		for _, sb := range met {
			if sb != met[0] {
				t.Fatal("two first visits made two sandboxes")
			}
		}
		if n := met[0].holders.Load(); n != 0 {
			t.Fatalf("%d requests go on, though all have ended", n)
		}
	}
}

// TestDone wants whoever waits in a sandbox to be told that it ends, and those who
// come later.
func TestDone(t *testing.T) {
	t.Parallel()
	r := NewRegistry(Options{Baseline: Baseline{State: new(store.State)}, Machine: Machine}, 3, 0)
	ended := func(sb *Sandbox) bool {
		select {
		case <-sb.Done():
			return true
		default:
			return false
		}
	}
	ada, _, _ := r.Make("ada", Wish{})
	if ended(ada) || ended(r.Default()) {
		t.Error("it has ended from the start")
	}
	must(r.Drop("ada"))
	if !ended(ada) || ended(r.Default()) {
		t.Error("a drop ends another sandbox than its own")
	}
	r.Close()
	r.Close()
	eve, _, _ := r.Make("eve", Wish{})
	if !ended(r.Default()) || !ended(eve) {
		t.Error("the end of the server is not that of every sandbox")
	}
}

// sweep has the registry drop what was idle for its ttl, as it does by itself in time.
func sweep(r *Registry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sweepLocked()
}
