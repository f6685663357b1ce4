package registry

import (
	"fmt"
	"testing"
	"time"

	"example.com/petstore/handlers/sandbox"
)

// TestFullRegistryMakesRoom wants the sandbox that was used longest ago to go, once it
// is idle for ten seconds.
func TestFullRegistryMakesRoom(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 4, time.Hour)
	for _, name := range []string{"ada", "bob", "eve", "ada"} { // bob is the one
		visit(t, r, name)
		m.pass(time.Second)
	}
	m.pass(7*time.Second - 1)
	_, err := enter(r, "dan")
	wantErr(t, "a request a moment too early", err, ErrLimit)
	m.pass(1)
	if !r.HasRoom() {
		t.Error("HasRoom is false")
	}
	wantNames(t, r, "ada", "bob", "default", "eve") // to ask takes nobody's room
	visit(t, r, "dan")
	wantNames(t, r, "ada", "dan", "default", "eve")
	_, err = enter(r, "zoe")
	wantErr(t, "a request to a server without another idle one", err, ErrLimit)
}

// TestClaimedSandboxesStay wants what somebody would miss to make no room.
func TestClaimedSandboxesStay(t *testing.T) {
	t.Parallel()
	for name, claim := range map[string]func(r *Registry, sb *Entry) error{
		"claimed": func(_ *Registry, sb *Entry) error { sb.Claim(); return nil },
		"held": func(r *Registry, sb *Entry) error {
			r.Acquire(sandbox.Name{Canonical: "ada", Title: "ada"})
			return nil
		},
		"made": func(r *Registry, sb *Entry) error { _, _, err := r.Make("ada", CreateOptions{}); return err },
		"kept": func(r *Registry, sb *Entry) error { _, _, err := r.Hold("ada"); sb.Release(); return err },
		"made new": func(r *Registry, sb *Entry) error {
			_ = r.Drop("ada")
			_, _, err := r.Make("ada", CreateOptions{})
			return err
		},
		"forked": func(r *Registry, sb *Entry) error {
			_ = r.Drop("ada")
			_, err := r.Fork(sandbox.Default, "ada")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, m := newTestRegistry(t, 2, time.Hour)
			if err := claim(r, visit(t, r, "ada")); err != nil {
				t.Fatal(err)
			}
			m.pass(time.Hour - 1)
			if r.HasRoom() {
				t.Error("HasRoom is true")
			}
			_, err := enter(r, "bob")
			wantErr(t, "a request", err, ErrLimit)
			wantNames(t, r, "ada", "default")
		})
	}
}

// TestChangedSandboxesGoLast: what only writes of the service have changed goes after a minute,
// and only if nothing unchanged can go.
func TestChangedSandboxesGoLast(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 4, time.Hour)
	for _, name := range []string{"ada", "bob", "eve"} {
		if err := createPet(visit(t, r, name)); err != nil {
			t.Fatal(err)
		}
		m.pass(time.Second)
	}
	m.pass(57*time.Second - 1) // ada is idle for a minute in a moment
	_, err := enter(r, "dan")
	wantErr(t, "a request a moment too early", err, ErrLimit)
	m.pass(1)
	if !r.HasRoom() {
		t.Error("HasRoom is false")
	}
	visit(t, r, "dan") // which nobody changes
	wantNames(t, r, "bob", "dan", "default", "eve")
	m.pass(minIdle)
	visit(t, r, "zoe") // takes the place of dan, though bob was used longer ago
	wantNames(t, r, "bob", "default", "eve", "zoe")
	visit(t, r, "fay")
	visit(t, r, "gil")
	wantNames(t, r, "default", "fay", "gil", "zoe")
	_, err = enter(r, "ida")
	wantErr(t, "a request to a server without another idle one", err, ErrLimit)
}

// TestForkDoesNotTakeItsOwnRoom wants the source to stay, whatever else goes.
func TestForkDoesNotTakeItsOwnRoom(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 3, time.Hour)
	visit(t, r, "ada")
	m.pass(time.Second)
	visit(t, r, "bob")
	m.pass(time.Minute)
	if _, err := r.Fork("ada", "eve"); err != nil {
		t.Fatal(err)
	}
	wantNames(t, r, "ada", "default", "eve")
	_, err := r.Fork("ada", "dan")
	wantErr(t, "Fork", err, ErrLimit)
}

// BenchmarkFullServer is what one request more costs a server of 10,000 sandboxes.
func BenchmarkFullServer(b *testing.B) {
	const sandboxes = 10_000
	for name, use := range map[string]struct {
		claimed bool
		idle    time.Duration
		busy    int // of the sandboxes are used between two requests
		err     error
	}{
		"refused, all claimed": {claimed: true, err: ErrLimit},
		"refused, none idle":   {err: ErrLimit},
		"refused, all busy":    {idle: minIdle, busy: sandboxes, err: ErrLimit},
		"made, all idle":       {idle: minIdle},
		"made, half busy":      {idle: minIdle, busy: sandboxes / 2},
	} {
		b.Run(name, func(b *testing.B) {
			m := new(machine)
			r := New(fullOptions(m, testBaseline(3)), sandboxes+1, time.Hour)
			defer r.Close()
			var all []*Entry
			for i := range sandboxes {
				sb := visit(b, r, fmt.Sprint("s", i))
				if use.claimed {
					sb.Claim()
				}
				all = append(all, sb)
			}
			m.pass(use.idle)
			i := 0
			for b.Loop() {
				if use.busy > 0 {
					b.StopTimer()
					for _, sb := range all[:use.busy] {
						sb.Touch()
					}
					b.StartTimer()
				}
				sb, err := enter(r, fmt.Sprint("n", i))
				if err != use.err && !(use.err == nil && err == ErrLimit) {
					b.Fatal(err)
				}
				if err == nil {
					leave(sb)
				}
				i++
			}
		})
	}
}

// TestIdlenessInFarYears goes by a clock beyond what an int64 of nanoseconds can count.
func TestIdlenessInFarYears(t *testing.T) {
	t.Parallel()
	for _, year := range []int{1, 2262, 2263, 9998} {
		now := time.Date(year, time.June, 1, 0, 0, 0, 0, time.UTC)
		sb := newEntry(sandbox.NewTemplate(&sandbox.Options{Baseline: testBaseline(0), Machine: func() time.Time { return now }}))
		if used := sb.LastUsed(); !used.Equal(now) {
			t.Errorf("in %d it was used at %v", year, used)
		}
		if idle := sb.idleFor(now.Add(time.Hour)); idle != time.Hour {
			t.Errorf("in %d it is idle for %v after an hour", year, idle)
		}
	}
}

// TestEvictionsAreCounted counts them by reason, and nothing that somebody drops.
func TestEvictionsAreCounted(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 3, time.Hour)
	want := func(room, idle uint64) {
		t.Helper()
		if gotRoom, gotIdle := r.Evicted(); gotRoom != room || gotIdle != idle {
			t.Errorf("%d were evicted for room and %d for being idle, want %d and %d", gotRoom, gotIdle, room, idle)
		}
	}
	visit(t, r, "ada")
	visit(t, r, "bob")
	if err := r.Drop("bob"); err != nil {
		t.Fatal(err)
	}
	visit(t, r, "eve")
	want(0, 0)
	m.pass(time.Minute)
	visit(t, r, "dan")
	want(1, 0)
	m.pass(time.Hour)
	sweep(r)
	want(1, 2)
}
