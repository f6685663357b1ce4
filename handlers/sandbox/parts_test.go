package sandbox

import (
	"fmt"
	"slices"
	"testing"
	"time"
	"unsafe"

	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store"
)

// sameMemory reports whether two strings begin at the same byte.
func sameMemory(a, b string) bool { return unsafe.StringData(a) == unsafe.StringData(b) }

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func createPet(sb *Sandbox) error {
	return sb.Update(func(tx *store.Tx) error {
		_, err := tx.CreatePet(store.Pet{Name: "Rex", CategoryID: 1, Status: store.Sold})
		return err
	}, func() journal.Event { return journal.Event{Name: "pet.created"} })
}

// dimension is one of those in which sandboxes are isolated.
type dimension struct {
	part   Part
	copied bool                 // by a fork
	touch  func(*Sandbox)       // makes it another than it was, each time
	shows  func(*Sandbox) []any // all that can be seen of it, without changing it
}

// dimensions are all that there are: TestEveryPartHasADimension holds them to
// Parts.
var dimensions = []dimension{
	{PartData, true, func(sb *Sandbox) { must(createPet(sb)) }, func(sb *Sandbox) []any {
		return []any{sb.Store.View().Counts(), sb.Store.View().Counters()}
	}},
	{PartFaults, true, func(sb *Sandbox) {
		_, err := sb.Faults.Add(fault.Rule{Code: "added"})
		must(err)
	}, func(sb *Sandbox) []any { return []any{sb.Faults.List()} }},
	{PartClock, true, func(sb *Sandbox) {
		_, err := sb.Clock.Change(ClockChange{Advance: time.Hour})
		must(err)
	}, func(sb *Sandbox) []any { return []any{sb.Clock.Read()} }},
	{PartLifecycle, true, func(sb *Sandbox) {
		l := sb.Lifecycles.Current("listPets")
		l.Brownout += 0.125
		sb.Lifecycles.Set("listPets", &l)
	}, func(sb *Sandbox) []any {
		return []any{sb.Lifecycles.Changed("listPets") != nil, sb.Lifecycles.Current("listPets")}
	}},
	{PartSnapshots, true, func(sb *Sandbox) {
		_, _, err := sb.Snapshots.Take(fmt.Sprint("s", len(sb.Snapshots.List())), sb.Store.Keep(), start)
		must(err)
	}, func(sb *Sandbox) []any {
		var shows []any
		for _, s := range sb.Snapshots.List() {
			shows = append(shows, s.Name, s.State.Counts())
		}
		return shows
	}},
	{PartJournal, false, func(sb *Sandbox) { sb.Journal.Add(&journal.Request{ID: "r", Method: "GET", Path: "/pets"}) }, func(sb *Sandbox) []any {
		entries, dropped := sb.Journal.Size()
		return []any{entries, dropped, len(sb.Journal.Find(journal.Filter{}, 10).Entries), sb.Journal.Activity().Errors, sb.Journal.Activity().Last == nil}
	}},
	{PartReport, false, func(sb *Sandbox) {
		sb.Report.Count(1)
		sb.Report.Add("getPet", Caller{Client: "c"}, start)
	}, func(sb *Sandbox) []any {
		uses, other := sb.Report.Uses()
		return []any{uses, other, sb.Report.Calls(1)}
	}},
	{PartKeys, false, func(sb *Sandbox) {
		_, replayed, err := sb.Idempotency.Do("POST /pets", fmt.Sprint("k", len(sb.Idempotency.entries)), nil, func() (Answer, error) { return Answer{}, nil })
		must(err)
		if replayed {
			panic("a new key is replayed")
		}
	}, func(sb *Sandbox) []any { return []any{len(sb.Idempotency.entries), len(sb.Idempotency.kept)} }},
	{PartLimit, false, func(sb *Sandbox) {
		sb.Limiter.Take(fmt.Sprint("10.0.0.", len(sb.Limiter.clients)), sb.Clock)
	}, func(sb *Sandbox) []any { return []any{len(sb.Limiter.clients), sb.Limiter.recent.Len()} }},
}

// shown is what can be seen of every dimension of a sandbox.
func shown(sb *Sandbox) map[Part]string {
	all := make(map[Part]string)
	for _, d := range dimensions {
		all[d.part] = fmt.Sprintf("%+v", d.shows(sb))
	}
	return all
}

// wantShown compares what is seen with what was, all but the parts.
func wantShown(t *testing.T, when string, sb *Sandbox, want map[Part]string, but ...Part) {
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
	var parts []Part
	for _, d := range dimensions {
		parts = append(parts, d.part)
	}
	slices.Sort(parts)
	if want := slices.Sorted(slices.Values(Parts())); !slices.Equal(parts, want) {
		t.Errorf("dimensions = %q, want %q", parts, want)
	}
}

// TestIsolation touches each dimension of one sandbox: nothing else changes, there
// or in another.
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

// TestReset resets each part alone: the others stay as they are.
func TestReset(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	ada := visit(t, r, "ada")
	new := shown(ada)
	for _, part := range Parts() {
		for _, d := range dimensions {
			d.touch(ada)
		}
		before := shown(ada)
		ada.Reset(part)
		changed := []Part{part}
		if part == PartData {
			changed = append(changed, PartKeys) // whose answers tell of records that are gone
		}
		wantShown(t, fmt.Sprintf("after a reset of %s", part), ada, before, changed...)
		if now := shown(ada)[part]; now != new[part] {
			t.Errorf("after its reset %s is %s, want %s", part, now, new[part])
		}
	}
	for _, d := range dimensions {
		d.touch(ada)
	}
	kept := shown(ada)[PartSnapshots]
	ada.Reset()
	new[PartSnapshots] = kept
	wantShown(t, "after a reset", ada, new)
	if ada.Store.Undoable() != 0 {
		t.Error("the undo history is there after a reset")
	}
}

// TestForkIsACopy wants a fork to begin as its source is, in what is copied, and
// the two to go apart from there.
func TestForkIsACopy(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	ada := visit(t, r, "ada")
	want := shown(ada)
	for _, d := range dimensions {
		d.touch(ada)
		if d.copied {
			want[d.part] = shown(ada)[d.part]
		}
	}
	fork, err := r.Fork("ada", "fork")
	if err != nil {
		t.Fatal(err)
	}
	wantShown(t, "a new fork", fork, want)
	if fork.Name != "fork" || fork.Store.Undoable() != 0 {
		t.Errorf("name = %q, undoable = %d", fork.Name, fork.Store.Undoable())
	}
	for _, d := range dimensions {
		source, copy := shown(ada), shown(fork)
		d.touch(fork)
		wantShown(t, fmt.Sprintf("after %s of its fork was touched", d.part), ada, source)
		copy[d.part] = shown(fork)[d.part]
		d.touch(ada)
		wantShown(t, fmt.Sprintf("after %s of its source was touched", d.part), fork, copy)
	}
	fresh := shown(r.Default())
	source := shown(ada)
	fork.Reset(Parts()...)
	wantShown(t, "after a reset of the fork", fork, fresh)
	wantShown(t, "after a reset of its fork", ada, source)
}

// TestForkKeepsTheBaseline resets a fork of a sandbox with a baseline of its own.
func TestForkKeepsTheBaseline(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	own := testBaseline(5)
	own.Seed = 99
	if _, _, err := r.Make("ada", Wish{Baseline: &own}); err != nil {
		t.Fatal(err)
	}
	fork, err := r.Fork("ada", "fork")
	if err != nil {
		t.Fatal(err)
	}
	must(createPet(fork))
	r.Default().Rebase(testBaseline(1))
	fork.Reset()
	if pets := fork.Store.View().Counts().Pets; pets != 5 || fork.Baseline() != own {
		t.Errorf("after a reset the fork has %d pets and the baseline %v, want 5 and %v", pets, fork.Baseline(), own)
	}
}

func TestMake(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	ada, created, err := r.Make("ada", Wish{})
	if err != nil || !created || ada.Store.View() != r.options.Baseline.State {
		t.Fatalf("Make of a new one = %t, %v", created, err)
	}
	for _, d := range dimensions {
		d.touch(ada)
	}
	before := shown(ada)
	same, created, err := r.Make("ada", Wish{})
	if err != nil || created || same != ada {
		t.Fatalf("Make of the same = %t, %v", created, err)
	}
	wantShown(t, "made again without a baseline", ada, before)

	own := testBaseline(4)
	if _, created, err = r.Make("ada", Wish{Baseline: &own}); err != nil || created {
		t.Fatalf("Make with a baseline = %t, %v", created, err)
	}
	bob, created, err := r.Make("bob", Wish{Baseline: &own})
	if err != nil || !created {
		t.Fatalf("Make of a new one with a baseline = %t, %v", created, err)
	}
	new := shown(bob)
	if bob.Store.View() != own.State || r.Baseline("bob") != own || r.Baseline("none") != r.options.Baseline {
		t.Error("bob does not have his own baseline, or all have it")
	}
	new[PartSnapshots] = before[PartSnapshots]
	wantShown(t, "made again with a baseline", ada, new)
	own.Seed = 1234 // what is the caller's stays the caller's
	if bob.Baseline().Seed == 1234 {
		t.Error("the baseline is the caller's variable")
	}
}

func TestFindForkAndDropErrors(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	ada := visit(t, r, "ada")
	if found, err := r.Find("ada"); err != nil || found != ada {
		t.Errorf("Find = %v, %v", found, err)
	}
	_, err := r.Find("bob")
	wantErr(t, "Find", err, ErrUnknown)
	_, err = r.Fork("bob", "eve")
	wantErr(t, "Fork of none", err, ErrUnknown)
	_, err = r.Fork("ada", Default)
	wantErr(t, "Fork onto the default", err, ErrExists)
	_, err = r.Fork(Default, "ada")
	wantErr(t, "Fork onto another", err, ErrExists)
	wantErr(t, "Drop of the default", r.Drop(Default), ErrDefault)
	wantErr(t, "Drop of none", r.Drop("bob"), ErrUnknown)
	wantErr(t, "Drop", r.Drop("ada"), nil)
	wantErr(t, "Drop again", r.Drop("ada"), ErrUnknown)
	wantNames(t, r, "default")
	must(createPet(ada)) // what still goes on ends in peace
	if again := visit(t, r, "ada"); again == ada || again.Store.View() != r.options.Baseline.State {
		t.Error("the dropped sandbox came back")
	}
}

func TestSnapshots(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	sb := r.Default()
	first := sb.Store.View()
	must(createPet(sb))
	second := sb.Store.View()
	for i, keep := range []struct {
		state *store.State
		isNew bool
	}{{first, true}, {second, false}} {
		kept, isNew, err := sb.Snapshots.Take("mine", store.Kept{State: keep.state}, start.Add(time.Duration(i)))
		if err != nil || isNew != keep.isNew || kept.Name != "mine" || kept.State != keep.state || !kept.Created.Equal(start.Add(time.Duration(i))) {
			t.Errorf("Take %d = %+v, %t, %v", i, kept, isNew, err)
		}
	}
	sb.Reset()
	must(sb.Restore("mine"))
	if sb.Store.View() != second {
		t.Error("Restore returned to another state")
	}
	must(sb.Undo(1))
	if sb.Store.View() != first {
		t.Error("Undo did not take back the restore")
	}
	wantErr(t, "Undo of nothing", sb.Undo(1), ErrHistory)
	wantErr(t, "Restore of none", sb.Restore("other"), ErrNoSnapshot)
	wantErr(t, "Drop of none", sb.Snapshots.Drop("other"), ErrNoSnapshot)
	_, _, err := sb.Snapshots.Take("Mine", store.Kept{State: first}, start)
	wantErr(t, "Take under a bad name", err, ErrBadSnapshotName)
	for i := range maxSnapshots - 1 {
		_, _, err := sb.Snapshots.Take(fmt.Sprint("s", i), store.Kept{State: first}, start)
		must(err)
	}
	_, _, err = sb.Snapshots.Take("one-more", store.Kept{State: first}, start)
	wantErr(t, "Take of one more", err, ErrSnapshotFull)
	if _, isNew, err := sb.Snapshots.Take("mine", store.Kept{State: first}, start); isNew || err != nil {
		t.Errorf("Take in place of another = %t, %v", isNew, err)
	}
	must(sb.Snapshots.Drop("mine"))
	if list := sb.Snapshots.List(); len(list) != maxSnapshots-1 || list[0].Name != "s0" || list[1].Name != "s1" || list[2].Name != "s10" {
		t.Errorf("List = %d snapshots, in another order than by name", len(list))
	}
}
