package registry

import (
	"errors"
	"fmt"
	"testing"
	"time"
	"unsafe"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/lifecycle"
	"example.com/petstore/handlers/sandbox/webhook"
	"example.com/petstore/store"
)

// sameMemory reports whether two strings begin at the same byte.
func sameMemory(a, b string) bool { return unsafe.StringData(a) == unsafe.StringData(b) }

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func createPet(sb *Entry) error {
	_, _, err := sb.Update(&journal.Event{Name: "pet.created"}, func(tx *store.Tx) error {
		_, err := store.Pets.Create(tx, store.Pet{Name: "Rex", CategoryID: 1, Status: store.Sold})
		return err
	})
	return err
}

// touch changes every part of a sandbox.
func touch(sb *Entry) {
	must(createPet(sb))
	_, err := sb.Faults.Add(fault.Rule{Code: "added"}, 0)
	must(err)
	_, err = sb.Clock.Change(sandbox.ClockChange{Advance: time.Hour})
	must(err)
	sb.Lifecycles.Set(&sb.Lifecycles.Operations[0], lifecycle.Lifecycle{Stability: lifecycle.Beta})
	_, _, err = sb.Snapshots.Take(fmt.Sprint("s", len(sb.Snapshots.List())), sb.Store.Keep(), start)
	must(err)
	sb.Journal.Add(&journal.Request{ID: "r", Method: "GET", Path: "/pets"})
	sb.Report.Add("getPet", lifecycle.Caller{ClientName: "c"}, start)
	_, _, err = sb.Idempotency.Do("POST /pets", "k", nil, func() (sandbox.Answer, error) {
		return sandbox.Answer{}, nil
	})
	must(err)
	sb.Limiter.Take("10.0.0.1", sb.Clock)
	_, _, err = sb.SetWebhook("one", webhook.Settings{URL: "http://127.0.0.1/", Events: []string{"message.created"}})
	must(err)
}

// TestChangedTemplate checks that a sandbox which was acquired before a change of the template
// starts with the change once it is registered. A registered sandbox, even if a reset is made, does not.
func TestChangedTemplate(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	late, early := r.Acquire(sandbox.Name{Canonical: "late", Title: "late"}), visit(t, r, "early")
	must(r.ChangeTemplate(func(next *Entry) error { touch(next); return nil }))
	failed := errors.New("failed")
	if err := r.ChangeTemplate(func(next *Entry) error { touch(next); return failed }); err != failed {
		t.Errorf("ChangeTemplate = %v", err)
	}
	early.Reset()
	registered, err := r.Register(late)
	must(err)
	if late == registered || registered.holders.Load() == 0 {
		t.Error("late has the template before the change, or may be evicted at any time")
	}
	for sb, rules := range map[*Entry]int{early: 1, registered: 2, visit(t, r, "later"): 2} {
		if got := len(sb.Faults.List()); got != rules {
			t.Errorf("%s has %d rules, want %d", sb.Name, got, rules)
		}
	}
}

// TestLoadBesideRegistration loads a world into a sandbox whose name another request registers first.
func TestLoadBesideRegistration(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	late, early := r.Acquire(sandbox.Name{Canonical: "ada", Title: "ada"}), visit(t, r, "ada")
	data := late.Store.Rebuild(late.Baseline().State)
	must(data.Next(func(*store.Tx) error { return nil }))
	world := &sandbox.NewWorld{Baseline: late.Baseline(), Data: data, Draw: 1, Now: &start, Frozen: true}
	loaded, err := r.Load(late, world)
	must(err)
	if loaded != early || !early.Clock.Read().Frozen {
		t.Error("the registered sandbox does not have the world")
	}
}
