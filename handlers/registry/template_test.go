package registry

import (
	"errors"
	"slices"
	"testing"
	"time"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
)

// givenByTemplate are the parts that a sandbox gets from its template.
var givenByTemplate = []sandbox.Part{sandbox.PartData, sandbox.PartClock, sandbox.PartFaults, sandbox.PartLifecycle}

// TestTemplate creates sandboxes from a copy of another one. They start in its state at that time,
// and reset to it. Existing sandboxes, including the default one, do not change.
func TestTemplate(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	before, lesson, fresh := visit(t, r, "before"), visit(t, r, "lesson"), shown(r.Default())
	for _, d := range dimensions {
		d.touch(lesson)
	}
	want := shown(lesson)
	for part := range want {
		if !slices.Contains(givenByTemplate, part) {
			want[part] = fresh[part]
		}
	}
	template, err := r.TakeTemplate("lesson")
	if err != nil || template != r.Template() || template.Name != "lesson" {
		t.Fatalf("TakeTemplate = %v, %v", template, err)
	}
	for _, d := range dimensions {
		d.touch(lesson) // later changes of the source have no effect
	}
	after := visit(t, r, "after")
	made, _, err := r.Make("made", CreateOptions{})
	must(err)
	for _, sb := range []*Entry{after, made} {
		wantShown(t, "made of the template", sb, want)
		for _, d := range dimensions {
			d.touch(sb)
		}
		sb.Reset(sandbox.Parts()...)
		wantShown(t, "after a reset", sb, want)
		if state := sb.Baseline().State; state != sb.Store.View() || state != template.Store.View() {
			t.Error("the baseline is not the data that the template has")
		}
	}
	before.Reset(sandbox.Parts()...)
	r.Default().Reset(sandbox.Parts()...)
	wantShown(t, "that was there", before, fresh)
	wantShown(t, "that was there", r.Default(), fresh)

	r.DropTemplate()
	after.Reset()
	wantShown(t, "after the template was dropped, made of it", after, want)
	wantShown(t, "after the template was dropped", visit(t, r, "later"), fresh)
	if _, err := r.TakeTemplate("none"); !errors.Is(err, ErrUnknown) || r.Template().Name != "" {
		t.Errorf("of none: %v", err)
	}
}

// TestChangedTemplate changes a template step by step. Sandboxes made from it stay as they are,
// and a reset does not apply the change to them.
func TestChangedTemplate(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	name := sandbox.Name{Canonical: "late", Title: "late"}
	late := r.Acquire(name) // registered once the template has changed
	early, fresh := visit(t, r, "early"), shown(r.Default())
	for _, d := range dimensions {
		must(r.ChangeTemplate(func(next *Entry) error { d.touch(next); return nil }))
	}
	failed := errors.New("failed")
	if err := r.ChangeTemplate(func(next *Entry) error { must(createPet(next)); return failed }); err != failed {
		t.Errorf("ChangeTemplate = %v", err)
	}
	must(r.ChangeTemplate(func(next *Entry) error { return nil }))
	early.Reset()
	wantShown(t, "made before", early, fresh)
	registered, err := r.Register(late)
	must(err)
	changed := []sandbox.Part{sandbox.PartData, sandbox.PartClock, sandbox.PartFaults, sandbox.PartLifecycle, sandbox.PartSnapshots}
	wantShown(t, "made afterwards", registered, fresh, changed...)
	wantShown(t, "made afterwards", visit(t, r, "made"), shown(registered))
	if late == registered || registered.holders.Load() == 0 {
		t.Error("who asked before has the sandbox of before, or one that may go at any time")
	}
}

// TestForkCountsItsOwn fills the parts of a sandbox other than its data. Its fork may still write,
// and counts its own parts only.
func TestForkCountsItsOwn(t *testing.T) {
	t.Parallel()
	o := testOptions(new(machine))
	o.MaxBytes = 1 << 10
	r := New(o, 10, time.Hour)
	t.Cleanup(r.Close)
	full := visit(t, r, "full")
	fill := func(sb *Entry) {
		for _, d := range dimensions {
			if d.part == sandbox.PartJournal {
				d.touch(sb)
				d.touch(sb)
			}
		}
	}
	fill(full)
	if full, _ := errors.AsType[*store.Error](createPet(full)); full == nil || full.Code != store.FullBytes {
		t.Fatalf("the sandbox is not full: %v", full)
	}
	fork, err := r.Fork("full", "fork", nil)
	must(err)
	if err := createPet(fork); err != nil {
		t.Errorf("its fork cannot write: %v", err)
	}
	fill(fork)
	if createPet(fork) == nil {
		t.Error("a fork does not count what is beside its data")
	}
}
