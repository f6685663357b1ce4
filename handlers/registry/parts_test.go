package registry

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
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
	_, err := sb.Update(func(tx *store.Tx) (journal.Event, error) {
		_, err := tx.CreatePet(store.Pet{Name: "Rex", CategoryID: 1, Status: store.Sold})
		return journal.Event{Name: "pet.created"}, err
	})
	return err
}

// webhooks counts the webhooks that were set, so that each is different.
var webhooks atomic.Int64

// dimension is a part of a sandbox that other sandboxes must not affect.
type dimension struct {
	part   sandbox.Part
	copied bool               // by a fork
	touch  func(*Entry)       // changes it, each time to another value
	shows  func(*Entry) []any // returns its visible state without changing it
}

// dimensions has an element for every part: TestEveryPartHasADimension compares it with
// sandbox.Parts.
var dimensions = []dimension{
	{sandbox.PartData, true, func(sb *Entry) { must(createPet(sb)) }, func(sb *Entry) []any {
		return []any{sb.Store.View().Counts(), sb.Store.View().Counters()}
	}},
	{sandbox.PartFaults, true, func(sb *Entry) {
		_, err := sb.Faults.Add(fault.Rule{Code: "added"})
		must(err)
	}, func(sb *Entry) []any { return []any{sb.Faults.List()} }},
	{sandbox.PartClock, true, func(sb *Entry) {
		_, err := sb.Clock.Change(sandbox.ClockChange{Advance: time.Hour})
		must(err)
	}, func(sb *Entry) []any { return []any{sb.Clock.Read()} }},
	{sandbox.PartLifecycle, true, func(sb *Entry) {
		l := sb.Lifecycles.Current("listPets")
		l.Brownout += 0.125
		sb.Lifecycles.Set("listPets", &l)
	}, func(sb *Entry) []any {
		return []any{sb.Lifecycles.Changed("listPets") != nil, sb.Lifecycles.Current("listPets")}
	}},
	{sandbox.PartSnapshots, true, func(sb *Entry) {
		_, _, err := sb.Snapshots.Take(fmt.Sprint("s", len(sb.Snapshots.List())), sb.Store.Keep(), start)
		must(err)
	}, func(sb *Entry) []any {
		var shows []any
		for _, s := range sb.Snapshots.List() {
			shows = append(shows, s.Name, s.State.Counts())
		}
		return shows
	}},
	{sandbox.PartJournal, false, func(sb *Entry) { sb.Journal.Add(&journal.Request{ID: "r", Method: "GET", Path: "/pets"}) }, func(sb *Entry) []any {
		entries, dropped := sb.Journal.Size()
		return []any{entries, dropped, len(sb.Journal.Find(journal.Filter{}, 10).Entries), sb.Journal.Activity().Errors, sb.Journal.Activity().Last == nil}
	}},
	{sandbox.PartReport, false, func(sb *Entry) {
		sb.Report.Count(1)
		sb.Report.Add("getPet", sandbox.Caller{ClientName: "c"}, start)
	}, func(sb *Entry) []any {
		uses, other := sb.Report.Uses()
		return []any{uses, other, sb.Report.Calls(1)}
	}},
	{sandbox.PartKeys, false, func(sb *Entry) {
		_, replayed, err := sb.Idempotency.Do("POST /pets", fmt.Sprint("k", sb.Idempotency.Bytes()), nil, func() (sandbox.Answer, error) { return sandbox.Answer{}, nil })
		must(err)
		if replayed {
			panic("a new key is replayed")
		}
	}, func(sb *Entry) []any { return []any{sb.Idempotency.Bytes(), 0} }},
	{sandbox.PartLimit, false, func(sb *Entry) {
		sb.Limiter.Take(fmt.Sprint("10.0.0.", sb.Limiter.Bytes()), sb.Clock)
	}, func(sb *Entry) []any { return []any{sb.Limiter.Bytes()} }},
	{sandbox.PartWebhooks, false, func(sb *Entry) {
		_, _, err := sb.SetWebhook("one", webhook.Settings{URL: fmt.Sprint("http://127.0.0.1/", webhooks.Add(1)), Events: []string{"message.created"}})
		must(err)
	}, func(sb *Entry) []any {
		var shows []any
		for _, w := range sb.Webhooks.List() {
			shows = append(shows, w.URL)
		}
		return shows
	}},
}

// shown returns the visible state of every dimension of a sandbox.
func shown(sb *Entry) map[sandbox.Part]string {
	all := make(map[sandbox.Part]string)
	for _, d := range dimensions {
		all[d.part] = fmt.Sprintf("%+v", d.shows(sb))
	}
	return all
}

// wantShown compares the visible state with an earlier one, except for the given parts.
func wantShown(t *testing.T, when string, sb *Entry, want map[sandbox.Part]string, but ...sandbox.Part) {
	t.Helper()
	for part, now := range shown(sb) {
		switch changed := now != want[part]; {
		case changed && !slices.Contains(but, part):
			t.Errorf("%s: %s of %s is %s, want %s", when, part, sb.Name, now, want[part])
		case !changed && slices.Contains(but, part):
			t.Errorf("%s: %s of %s is still %s", when, part, sb.Name, now)
		}
	}
}

func TestEveryPartHasADimension(t *testing.T) {
	t.Parallel()
	var parts []sandbox.Part
	for _, d := range dimensions {
		parts = append(parts, d.part)
	}
	slices.Sort(parts)
	if want := slices.Sorted(slices.Values(sandbox.Parts())); !slices.Equal(parts, want) {
		t.Errorf("dimensions = %q, want %q", parts, want)
	}
}

// TestIsolation touches each dimension of one sandbox. Nothing else changes, in that sandbox or in
// another.
func TestIsolation(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	ada, bob := visit(t, r, "ada"), visit(t, r, "bob")
	new := shown(bob)
	for _, d := range dimensions {
		before := shown(ada)
		d.touch(ada)
		wantShown(t, fmt.Sprintf("after %s was touched", d.part), ada, before, d.part)
		wantShown(t, fmt.Sprintf("after %s of ada was touched", d.part), bob, new)
		wantShown(t, fmt.Sprintf("after %s of ada was touched", d.part), r.Default(), new)
	}
	wantShown(t, "made after ada was touched", visit(t, r, "eve"), new)
}

// TestReset resets each part by itself. The others do not change.
func TestReset(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	ada := visit(t, r, "ada")
	new := shown(ada)
	for _, part := range sandbox.Parts() {
		for _, d := range dimensions {
			d.touch(ada)
		}
		before := shown(ada)
		ada.Reset(part)
		changed := []sandbox.Part{part}
		if part == sandbox.PartData {
			changed = append(changed, sandbox.PartKeys) // their responses describe deleted records
		}
		wantShown(t, fmt.Sprintf("after a reset of %s", part), ada, before, changed...)
		if now := shown(ada)[part]; now != new[part] {
			t.Errorf("after its reset %s is %s, want %s", part, now, new[part])
		}
	}
	for _, d := range dimensions {
		d.touch(ada)
	}
	kept := shown(ada)
	ada.Reset()
	new[sandbox.PartSnapshots], new[sandbox.PartWebhooks] = kept[sandbox.PartSnapshots], kept[sandbox.PartWebhooks]
	wantShown(t, "after a reset", ada, new)
	if ada.Store.Undoable() != 0 {
		t.Error("the undo history is there after a reset")
	}
}
