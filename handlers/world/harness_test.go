package world_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"example.com/petstore/fixtures"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/lifecycle"
	"example.com/petstore/handlers/world"
	"example.com/petstore/store"
)

// server returns a registry that starts with the seed, at the given time.
func server(t testing.TB, seed uint64, at time.Time, max int, faults ...fault.Rule) *registry.Registry {
	t.Helper()
	return serverAt(t, seed, func() time.Time { return at }, max, faults...)
}

func serverAt(t testing.TB, seed uint64, now func() time.Time, max int, faults ...fault.Rule) *registry.Registry {
	t.Helper()
	sizes := fixtures.Sizes{Pets: 3, Categories: 2, Orders: 2}
	baseline := must.Get(fixtures.Generate(seed, sizes, nil))(t)
	r := registry.New(registry.Options{Options: sandbox.Options{
		Origin: sandbox.Baseline{State: baseline, Seed: seed, Sizes: &sizes}, MaxRecords: 1000, MaxBytes: 1 << 20,
		Machine: now,
		Operations: []lifecycle.Operation{{ID: "listPets", Method: "GET", Path: "/pets"},
			{ID: "getPet", Method: "GET", Path: "/pets/{petId}"}},
		Faults: faults,
	}}, max, 0)
	t.Cleanup(r.Close)
	return r
}

var evening = time.Date(2026, time.March, 14, 20, 0, 0, 0, time.UTC)

// create adds a message.
func create(t testing.TB, sb *registry.Entry, text string) {
	t.Helper()
	_, _, err := sb.Update(&journal.Event{Name: "message.created"}, func(tx *store.Tx) error {
		_, err := store.Messages.Create(tx, store.Message{Message: text, CreatedAt: sb.Clock.Now()})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func made(t testing.TB, r *registry.Registry, name string, o registry.CreateOptions) *registry.Entry {
	t.Helper()
	sb, _, _, err := r.Make(name, o)
	if err != nil {
		t.Fatal(err)
	}
	return sb
}

func keep(t testing.TB, r *registry.Registry) string {
	t.Helper()
	text, left := keepLines(t, r, 1<<20)
	if len(left) > 0 {
		t.Fatalf("%q are left out", left)
	}
	return text
}

// keepLines writes the sandboxes in lines of at most the given number of bytes.
func keepLines(t testing.TB, r *registry.Registry, most int64) (text string, left []string) {
	t.Helper()
	var f memoryFile
	left = must.Get(world.Keep(&f, r, most))(t)
	return f.String(), left
}

func restored(t testing.TB, text string, r *registry.Registry) *registry.Registry {
	t.Helper()
	if err := world.Restore(strings.NewReader(text), r, 1<<20); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return r
}

// busy returns a server on which a class has worked for a day.
func busy(t testing.TB) *registry.Registry {
	r := server(t, 7, evening, 100)
	create(t, r.Default(), "a text\nof two lines  with spaces")
	ada := made(t, r, "Ada Lovelace", registry.CreateOptions{Key: new("adas"), Private: new(true)})
	create(t, ada, "before")
	if _, _, err := ada.Snapshots.Take("before", ada.Store.Keep(), evening); err != nil {
		t.Fatal(err)
	}
	create(t, ada, "after")
	ada.Clock.Set(time.Date(2031, time.May, 1, 0, 0, 0, 0, time.UTC), true)
	must.Get(ada.Faults.Add(fault.Rule{Status: new(503), Times: new(2), Applied: 1}, 0))(t)
	setLifecycle(t, ada, "getPet",
		lifecycle.Lifecycle{Deprecated: true, DeprecatedSince: evening, Sunset: evening.AddDate(1, 0, 0),
			Stability: lifecycle.Stable})
	ada.DrawNext(43)
	bob := made(t, r, "bob", registry.CreateOptions{Key: new("bobs")})
	bob.Clock.Set(evening.Add(time.Hour), false)
	must.Get(r.TakeTemplate("bob"))(t)
	made(t, r, "of-the-first", registry.CreateOptions{})
	create(t, bob, "lesson")
	must.Get(r.TakeTemplate("bob"))(t)
	made(t, r, "of-the-second", registry.CreateOptions{})
	changeTemplate(t, r, "listPets")
	made(t, r, "of-the-changed", registry.CreateOptions{})
	return r
}

func setLifecycle(t testing.TB, sb *registry.Entry, operationID string, l lifecycle.Lifecycle) {
	t.Helper()
	op := must.Get(sb.Lifecycles.Find(operationID))(t)
	sb.Lifecycles.Set(op, l)
}

// changeTemplate makes an operation beta in the template.
func changeTemplate(t testing.TB, r *registry.Registry, operationID string) {
	t.Helper()
	must.Succeed(t, r.ChangeTemplate(func(next *registry.Entry) error {
		setLifecycle(t, next, operationID, lifecycle.Lifecycle{Stability: lifecycle.Beta})
		return nil
	}))
}

// memoryFile is an append-only file in memory.
type memoryFile struct{ bytes.Buffer }

func (f *memoryFile) Truncate(size int64) error { f.Buffer.Truncate(int(size)); return nil }

func (f *memoryFile) Seek(int64, int) (int64, error) { return int64(f.Len()), nil }
