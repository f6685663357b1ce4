package registry

import (
	"fmt"
	"testing"
	"time"

	"example.com/petstore/handlers/sandbox"
)

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
	fork.Reset(sandbox.Parts()...)
	wantShown(t, "after a reset of the fork", fork, fresh)
	wantShown(t, "after a reset of its fork", ada, source)
}

// TestForkKeepsTheBaseline resets a fork of a sandbox with a baseline of its own.
func TestForkKeepsTheBaseline(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	own := testBaseline(5)
	own.Seed = 99
	if _, _, err := r.Make("ada", CreateOptions{Baseline: &own}); err != nil {
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
	ada, created, err := r.Make("ada", CreateOptions{})
	if err != nil || !created || ada.Store.View() != r.options.Baseline.State {
		t.Fatalf("Make of a new one = %t, %v", created, err)
	}
	for _, d := range dimensions {
		d.touch(ada)
	}
	before := shown(ada)
	same, created, err := r.Make("ada", CreateOptions{})
	if err != nil || created || same != ada {
		t.Fatalf("Make of the same = %t, %v", created, err)
	}
	wantShown(t, "made again without a baseline", ada, before)

	own := testBaseline(4)
	if _, created, err = r.Make("ada", CreateOptions{Baseline: &own}); err != nil || created {
		t.Fatalf("Make with a baseline = %t, %v", created, err)
	}
	bob, created, err := r.Make("bob", CreateOptions{Baseline: &own})
	if err != nil || !created {
		t.Fatalf("Make of a new one with a baseline = %t, %v", created, err)
	}
	new := shown(bob)
	if bob.Store.View() != own.State || r.Baseline("bob") != own || r.Baseline("none") != r.options.Baseline {
		t.Error("bob does not have his own baseline, or all have it")
	}
	new[sandbox.PartSnapshots], new[sandbox.PartWebhooks] = before[sandbox.PartSnapshots], before[sandbox.PartWebhooks]
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
	_, err = r.Fork("ada", sandbox.Default)
	wantErr(t, "Fork onto the default", err, ErrExists)
	_, err = r.Fork(sandbox.Default, "ada")
	wantErr(t, "Fork onto another", err, ErrExists)
	wantErr(t, "Drop of the default", r.Drop(sandbox.Default), ErrDefault)
	wantErr(t, "Drop of none", r.Drop("bob"), ErrUnknown)
	wantErr(t, "Drop", r.Drop("ada"), nil)
	wantErr(t, "Drop again", r.Drop("ada"), ErrUnknown)
	wantNames(t, r, "default")
	must(createPet(ada)) // what still goes on ends in peace
	if again := visit(t, r, "ada"); again == ada || again.Store.View() != r.options.Baseline.State {
		t.Error("the dropped sandbox came back")
	}
}
