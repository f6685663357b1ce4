package registry

import (
	"errors"
	"slices"
	"testing"
	"time"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/store"
)

// givenByTemplate are the parts that a sandbox has of its template.
var givenByTemplate = []sandbox.Part{sandbox.PartData, sandbox.PartClock, sandbox.PartFaults, sandbox.PartLifecycle}

// TestTemplate makes sandboxes of a copy of another one: they begin as that was then, and
// return to it. No sandbox that was there changes, nor does the default one.
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
		d.touch(lesson) // which no longer matters
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

// TestChangedTemplate changes it step by step. What was made of it stays, and is not
// made anew from it by a reset.
func TestChangedTemplate(t *testing.T) {
	t.Parallel()
	r, _ := newTestRegistry(t, 10, time.Hour)
	name := sandbox.Name{Canonical: "late", Title: "late"}
	late := r.Acquire(name) // and registered once the template is another
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

// TestForkCountsItsOwn fills what is beside the data of a sandbox: its fork may write, and
// counts what is beside its own data.
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
	fork, err := r.Fork("full", "fork")
	must(err)
	if err := createPet(fork); err != nil {
		t.Errorf("its fork cannot write: %v", err)
	}
	fill(fork)
	if createPet(fork) == nil {
		t.Error("a fork does not count what is beside its data")
	}
}
