package store

import (
	"fmt"
	"strings"
	"testing"
)

// TestByteLimit fills a store until it refuses another record.
func TestByteLimit(t *testing.T) {
	t.Parallel()
	var beside Beside
	s := New(built(1, 3), Limits{Bytes: 1 << 20})
	text := strings.Repeat("x", 20_000)
	create := func() error {
		return s.Update(beside, func(tx *Tx) error { _, err := Messages.Create(tx, Message{Message: text}); return err })
	}
	update := func(c Category) error {
		return s.Update(beside, func(tx *Tx) error { _, err := Categories.Update(tx, c); return err })
	}
	category := Category{ID: 1, Description: &text}
	var err error
	for err == nil {
		err = create()
	}
	wantError(t, err, FullBytes, "")
	messages := s.View().Counts().Messages
	wantEqual(t, "messages", messages, (1<<20)/(messageBytes+20_000))
	held := int64(messages+1) * (messageBytes + 20_000)
	wantEqual(t, "message", err.Error(),
		fmt.Sprintf("the sandbox would hold %d bytes, but can hold at most %d", held, 1<<20))
	before := contentsOf(s.View())
	wantError(t, create(), FullBytes, "")
	wantEqual(t, "contents", contentsOf(s.View()), before)
	undoable := s.Undoable()
	wantEqual(t, "writes that can be undone", undoable, int(1<<20-held+messageBytes+20_000)/stepBytes)

	wantError(t, update(category), FullBytes, "")
	wantEqual(t, "writes that can be undone after a refusal", s.Undoable(), undoable)
	must(0, remove(s, Messages.Delete, 1))
	must(0, create()) // in the place of the deleted record, which undo no longer keeps
	wantEqual(t, "writes that can be undone after a deletion and a creation", s.Undoable(), 1)
	wantEqual(t, "undone", s.Undo(1), true)
	must(0, update(category))
	beside.Bytes = 1 << 20
	wantError(t, update(Category{ID: 1, Name: "x", Description: &text}), FullBytes, "")
	must(0, update(Category{ID: 1})) // smaller
	wantError(t, create(), FullBytes, "")
	wantError(t, s.Fork(Now).Fits(built(1, 6000), Beside{}), FullBytes, "")
	wantEqual(t, "error for a state that is smaller than the current one", s.Fits(built(1, 5), beside), nil)
	s.Reset()
	wantError(t, create(), FullBytes, "")
	beside.Bytes = 0
	wantEqual(t, "error after a reset", create(), nil)
}

// TestByteLimitCountsShortenedUndo checks that states that undo drops after a write do not count
// against that write.
func TestByteLimitCountsShortenedUndo(t *testing.T) {
	t.Parallel()
	const MiB = 1 << 20
	describe := func(s *Store, size int) error {
		_, err := do(s, Categories.Update, Category{ID: 1, Description: new(strings.Repeat("x", size))})
		return err
	}
	s := New(built(1, 0), Limits{Bytes: 8 * MiB})
	must(0, describe(s, 5*MiB))
	wantEqual(t, "error of a write that undo cannot keep", describe(s, 5*MiB+1), nil)

	s = New(built(1, 0), Limits{Bytes: 6*MiB + MiB/2})
	must(0, describe(s, 3*MiB))
	must(0, describe(s, 2*MiB))
	wantEqual(t, "error of a write for which an older one is forgotten", describe(s, 2*MiB+1), nil)
	wantEqual(t, "writes that can be undone", s.Undoable(), 1)
	must(0, describe(s, 5*MiB))
	wantEqual(t, "writes that can be undone where there is no room for it", s.Undoable(), 0)
	wantError(t, describe(s, 7*MiB), FullBytes, "")
}

// TestByteLimitToTheByte sets the limit to the exact size, and to one byte less.
func TestByteLimitToTheByte(t *testing.T) {
	t.Parallel()
	message := Message{Message: "Hello"}
	baseline, other := built(2, 10), built(1, 30)
	rebased := func(s *Store) {
		s.SetBaseline(baseline)
		s.Replace(baseline, Beside{})
	}
	for name, test := range map[string]struct {
		before func(*Store)
		write  func(*Store) error
		needed int64
	}{
		"a write": {
			func(*Store) {},
			func(s *Store) error { _, err := do(s, Messages.Create, message); return err },
			messageBytes + 5,
		},
		"another state": {
			func(s *Store) { s.Replace(baseline, Beside{}) },
			func(s *Store) error { return s.Fits(other, Beside{}) },
			other.Bytes(),
		},
		"another state than the baseline": {
			rebased,
			func(s *Store) error { return s.Fits(other, Beside{}) },
			other.Bytes() + baseline.Bytes(),
		},
		"another pet than the baseline's, which has another one than the origin": {
			rebased,
			func(s *Store) error {
				_, err := do(s, Pets.Update, Pet{ID: 1, Name: "PET 1", CategoryID: 1, Status: Available})
				return err
			},
			baseline.Bytes() + petBytes + 5 + PlaceBytes, // the one before is the baseline's
		},
		"another baseline beside a snapshot": {
			func(s *Store) { must(do(s, Messages.Create, message)) },
			func(s *Store) error { return s.Rebase(other, Beside{Kept: []Kept{s.Keep()}}) },
			other.Bytes() + messageBytes + 5,
		},
	} {
		for _, less := range []int64{0, 1} {
			s := New(built(1, 1), Limits{Bytes: test.needed - less})
			test.before(s)
			if err := test.write(s); (err == nil) != (less == 0) {
				t.Errorf("%s with %d bytes less than needed: %v", name, less, err)
			}
		}
	}
	full, beside := New(built(1, 1), Limits{Bytes: 1}), Beside{Bytes: 1}
	update := func(change func(*Tx) error) error { return full.Update(beside, change) }
	rename := func(name string) error {
		return update(func(tx *Tx) error { _, err := Categories.Update(tx, Category{ID: 1, Name: name}); return err })
	}
	// Though it holds more for the place than it did for the pet.
	must(0, update(func(tx *Tx) error { return Pets.Delete(tx, 1) }))
	full.Replace(baseline, beside)
	must(0, rename("CATEGORY 1")) // as large as it was
	wantError(t, rename("CATEGORY 10"), FullBytes, "")
	wantError(t, update(func(tx *Tx) error {
		must(Messages.Create(tx, Message{Message: strings.Repeat("x", 1000)}))
		return Pets.Delete(tx, 1)
	}), FullBytes, "")
}
