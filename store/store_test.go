package store

import (
	"runtime"
	"slices"
	"testing"
)

func TestParallelCreatesGetConsecutiveIDs(t *testing.T) {
	t.Parallel()
	const creates = 200
	s := New(built(1, 0), Limits{})
	ids := make([]int64, creates)
	together(creates, func(i int) {
		pet := Pet{Name: "Rex", CategoryID: 1, Status: Available}
		ids[i] = must(do(s, func(tx *Tx, p Pet) (Pet, error) {
			runtime.Gosched() // lets another creation in, were there a way
			return tx.CreatePet(p)
		}, pet)).ID
	})
	slices.Sort(ids)
	for i, id := range ids {
		if id != int64(i+1) {
			t.Fatalf("the ids are %v, want 1 to %d", ids, creates)
		}
	}
	checkInvariants(t, s.View())
}

func TestDeletedIDsDoNotComeBack(t *testing.T) {
	t.Parallel()
	s := New(built(1, 3), Limits{})
	deletes := []error{
		remove(s, (*Tx).DeletePet, 3),
		remove(s, (*Tx).DeletePet, 2),
		remove(s, (*Tx).DeletePet, 1),
		remove(s, (*Tx).DeleteCategory, 1),
		remove(s, (*Tx).DeleteOrder, must(do(s, (*Tx).CreateOrder, Order{})).ID),
	}
	wantEqual(t, "errors", deletes, make([]error, len(deletes)))
	category := must(do(s, (*Tx).CreateCategory, Category{Name: "fish"}))
	wantEqual(t, "category's id", category.ID, 2)
	pet := must(do(s, (*Tx).CreatePet, Pet{Name: "Nemo", CategoryID: category.ID, Status: Sold}))
	wantEqual(t, "pet's id", pet.ID, 4)
	wantEqual(t, "order's id", must(do(s, (*Tx).CreateOrder, Order{})).ID, 2)
}

// A given id is taken as it is, and the counter goes on from the largest.
func TestGivenIDs(t *testing.T) {
	t.Parallel()
	s := New(must(Build(func(tx *Tx) error {
		must(tx.CreateCategory(Category{ID: 5, Name: "fish"}))
		must(tx.CreateCategory(Category{ID: 2, Name: "cats"}))
		must(tx.CreatePet(Pet{ID: 30, Name: "Nemo", CategoryID: 5, Status: Sold}))
		must(tx.RestoreOrder(Order{ID: 9, PetID: 99}))
		must(tx.CreateMessage(Message{ID: 4, Message: "hello"}))
		tx.SetCounters(Counters{Category: 3, Pet: 40, Order: 1, Message: 8})
		return nil
	})), Limits{})
	wantEqual(t, "counters", s.View().Counters(), Counters{Category: 5, Pet: 40, Order: 9, Message: 8})
	wantEqual(t, "next pet's id", must(do(s, (*Tx).CreatePet, Pet{Name: "Rex", CategoryID: 2, Status: Sold})).ID, 41)
	checkInvariants(t, s.View())
}

func TestResetBringsEverythingBack(t *testing.T) {
	t.Parallel()
	s := New(built(2, 10), Limits{})
	before := contentsOf(s.View())
	writes := func() contents {
		must(do(s, (*Tx).CreateCategory, Category{Name: "fish"}))
		must(do(s, (*Tx).CreatePet, Pet{Name: "Nemo", CategoryID: 3, Status: Sold}))
		must(do(s, (*Tx).CreateOrder, Order{PetID: 11, Quantity: 1}))
		must(do(s, (*Tx).CreateMessage, Message{Message: "hello"}))
		must(0, remove(s, (*Tx).DeletePet, 1))
		return contentsOf(s.View())
	}
	first := writes()
	for range 3 {
		s.Reset()
		wantEqual(t, "contents after a reset", contentsOf(s.View()), before)
		wantEqual(t, "contents after the same writes", writes(), first)
	}
	s.Reset()
	s.Reset()
	wantEqual(t, "current state is the baseline itself", s.View() == s.Baseline(), true)
}

// A reset and a write never mix: what a write leaves is the baseline and itself.
func TestResetDuringWrites(t *testing.T) {
	t.Parallel()
	s := New(built(2, 10), Limits{})
	together(8, func(i int) {
		for range 50 {
			if i%4 == 0 {
				s.Reset()
				continue
			}
			must(do(s, (*Tx).CreatePet, Pet{Name: "Rex", CategoryID: 1, Status: Sold}))
			view := s.View()
			wantEqual(t, "counter", view.Counters().Pet, int64(view.Counts().Pets))
		}
	})
	checkInvariants(t, s.View())
}

func TestRecordLimit(t *testing.T) {
	t.Parallel()
	creates := map[string]func(*Store) error{
		"category": func(s *Store) error { _, err := do(s, (*Tx).CreateCategory, Category{Name: "fish"}); return err },
		"pet": func(s *Store) error {
			_, err := do(s, (*Tx).CreatePet, Pet{Name: "Rex", CategoryID: 1, Status: Sold})
			return err
		},
		"order":   func(s *Store) error { _, err := do(s, (*Tx).CreateOrder, Order{}); return err },
		"message": func(s *Store) error { _, err := do(s, (*Tx).CreateMessage, Message{}); return err },
	}
	for name, create := range creates {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := New(built(2, 10), Limits{Records: 3})
			for i := range 3 {
				if err := create(s); err != nil {
					t.Fatalf("record %d: %v", i+1, err)
				}
			}
			before := contentsOf(s.View())
			wantError(t, create(s), Full, "")
			wantEqual(t, "contents", contentsOf(s.View()), before)
			must(0, remove(s, (*Tx).DeletePet, 1))
			wantEqual(t, "error after a deletion", create(s), nil)
		})
	}
}

func TestCounts(t *testing.T) {
	t.Parallel()
	s := New(built(2, 10), Limits{})
	must(do(s, (*Tx).CreateOrder, Order{}))
	must(do(s, (*Tx).CreateMessage, Message{}))
	must(0, remove(s, (*Tx).DeletePet, 4))
	wantEqual(t, "counts", s.View().Counts(), Counts{Pets: 9, Categories: 2, Orders: 1, Inventory: 9, Messages: 1})
	wantEqual(t, "counts of nothing", new(State).Counts(), Counts{})
}

// A state that comes from elsewhere may have as many records as could have been made
// here.
func TestFits(t *testing.T) {
	t.Parallel()
	s := New(built(2, 10), Limits{Records: 3})
	wantEqual(t, "error for as many as fit", s.Fits(built(2, 13)), nil)
	err := s.Fits(built(2, 14))
	wantError(t, err, TooLarge, "")
	wantEqual(t, "message", err.Error(), "the state has 16 records, but the sandbox can hold at most 15")
	wantError(t, s.Fork(nil).Fits(built(2, 14)), TooLarge, "")
	s.SetBaseline(built(2, 11))
	wantEqual(t, "error over a larger baseline", s.Fits(built(2, 14)), nil)
	wantEqual(t, "error for as many as a baseline may have", s.FitsBaseline(built(2, 13)), nil)
	err = s.FitsBaseline(built(2, 14))
	wantError(t, err, TooLarge, "")
	wantEqual(t, "message", err.Error(), "the state has 16 records, but its baseline can have at most 15")
	wantEqual(t, "error for a baseline without a limit", New(built(1, 0), Limits{}).FitsBaseline(built(2, 1000)), nil)
	wantEqual(t, "error without a limit", New(built(1, 0), Limits{}).Fits(built(2, 1000)), nil)
}
