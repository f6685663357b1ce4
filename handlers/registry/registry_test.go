package registry

import (
	"testing"
	"testing/synctest"
	"time"

	"example.com/petstore/handlers/internal/testmain"
	"example.com/petstore/handlers/sandbox"
)

func TestIdleSandboxesGo(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 10, time.Hour)
	visit(t, r, "ada")
	bob, err := enter(r, "bob") // stays in use
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

// TestWatchedSandboxesGo checks that watching keeps a sandbox for a limited time, and that its
// idle time continues afterwards.
func TestWatchedSandboxesGo(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 10, time.Hour)
	visit(t, r, "ada")
	watched := r.Acquire(sandbox.Name{Canonical: "ada", Title: "ada"})
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

func TestNoTTL(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 10, 0)
	visit(t, r, "ada")
	m.pass(1e6 * time.Hour)
	sweep(r)
	wantNames(t, r, "ada", "default")
	if r.sweeper != nil {
		t.Error("a timer runs without a ttl")
	}
}

// TestTimerDropsTheIdle lets time pass in a bubble. Idle sandboxes are dropped without a request
// for them.
func TestTimerDropsTheIdle(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		o := testOptions(new(machine))
		o.Machine = sandbox.Machine
		r := New(o, 10, time.Hour)
		visit(t, r, "ada")
		time.Sleep(30 * time.Minute)
		visit(t, r, "bob")
		time.Sleep(46 * time.Minute) // ada may be a quarter too old, bob may not be yet
		synctest.Wait()
		wantNames(t, r, "bob", "default")
		time.Sleep(30 * time.Minute)
		synctest.Wait()
		wantNames(t, r, "default")
		if r.sweeper != nil {
			t.Error("the timer still runs without a sandbox")
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

func TestMain(m *testing.M) { testmain.Run(m) }
