package registry

import (
	"fmt"
	"testing"
	"time"

	"example.com/petstore/handlers/sandbox"
)

// TestForkIsACopy checks that the copied parts of a fork start as those of its source, and that
// the two are independent afterwards.
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
	fork, err := r.Fork("ada", "fork", nil)
	if err != nil {
		t.Fatal(err)
	}
	wantShown(t, "a new fork", fork, want)
	if ada.holders.Load() != 0 {
		t.Error("the source of a fork is never evicted")
	}
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
	fork, err := r.Fork("ada", "fork", nil)
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
