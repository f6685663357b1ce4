package store

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

var errAbort = errors.New("abort")

// Each test is named after the anomaly that it would detect.

func TestDirtyRead(t *testing.T) {
	t.Parallel()
	s := New(built(1, 1), Limits{})
	_ = s.Update(Beside{}, func(tx *Tx) error {
		must(Pets.Create(tx, Pet{Name: "Rex", CategoryID: 1, Status: Sold}))
		must(Inventory.Update(tx, InventoryItem{PetID: 1, Quantity: 7}))
		if got := s.View().Counts().Pets; got != 1 {
			t.Errorf("a reader sees %d pets before the update is over, want 1", got)
		}
		if item := must(s.View().FindInventoryItem(1)); item.Quantity != 0 {
			t.Errorf("a reader sees the quantity %d before the update is over", item.Quantity)
		}
		return errAbort
	})
}

func TestLostUpdate(t *testing.T) {
	t.Parallel()
	const writers, times = 8, 50
	s := New(built(1, 1), Limits{})
	together(writers, func(int) {
		for range times {
			must(do(s, func(tx *Tx, petID int64) (InventoryItem, error) {
				item := must(tx.View().FindInventoryItem(petID))
				runtime.Gosched() // gives another writer a chance to interfere
				return Inventory.Update(tx, InventoryItem{PetID: petID, Quantity: item.Quantity + 1})
			}, 1))
		}
	})
	item := must(s.View().FindInventoryItem(1))
	wantEqual(t, "quantity", item.Quantity, writers*times)
}

// TestLostReset resets a store during an update. Without a lock, publishing the update
// would undo the reset.
func TestLostReset(t *testing.T) {
	t.Parallel()
	s := New(built(1, 1), Limits{})
	must(do(s, Pets.Create, Pet{Name: "Rex", CategoryID: 1, Status: Sold}))
	before := s.View()
	var resetting sync.WaitGroup
	_ = s.Update(Beside{}, func(tx *Tx) error {
		resetting.Go(func() { s.Reset() })
		for range 1000 {
			runtime.Gosched() // lets the reset run until it blocks
		}
		if s.View() != before {
			t.Error("a reset does not wait for the update")
		}
		return nil
	})
	resetting.Wait()
	wantEqual(t, "current state is the baseline", s.View() == s.Baseline(), true)
}

func TestNonRepeatableRead(t *testing.T) {
	t.Parallel()
	s := New(built(2, 40), Limits{})
	view := s.View()
	before := contentsOf(view)
	must(do(s, Pets.Update, Pet{ID: 1, Name: "other", CategoryID: 2, Status: Sold}))
	must(do(s, Categories.Update, Category{ID: 1, Name: "other"}))
	if err := remove(s, Pets.Delete, 2); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "view after the writes", contentsOf(view), before)
	checkInvariants(t, view)
}

func TestPhantom(t *testing.T) {
	t.Parallel()
	s := New(built(1, 40), Limits{})
	query := PetQuery{Statuses: []PetStatus{Available, Pending}, CategoryIDs: []int64{1}}
	view := s.View()
	before := view.ListPets(query)
	must(do(s, Pets.Create, Pet{Name: "Rex", CategoryID: 1, Status: Available}))
	must(do(s, Pets.Update, Pet{ID: before.Items[0].ID, Name: "Tom", CategoryID: 1, Status: Sold}))
	wantEqual(t, "page read again from one view", view.ListPets(query), before)
}

func TestTornWrite(t *testing.T) {
	t.Parallel()
	const stock = 1000
	s := New(built(1, 2), Limits{})
	must(do(s, Inventory.Update, InventoryItem{PetID: 1, Quantity: stock}))
	sum := func(view *State) int64 {
		return must(view.FindInventoryItem(1)).Quantity + must(view.FindInventoryItem(2)).Quantity
	}
	var moved atomic.Int64
	together(2, func(i int) {
		for moved.Load() < stock {
			if i == 0 {
				if got := sum(s.View()); got != stock {
					t.Errorf("a reader sees a stock of %d, want %d", got, stock)
				}
				continue
			}
			_ = s.Update(Beside{}, func(tx *Tx) error {
				to := moved.Add(1)
				must(Inventory.Update(tx, InventoryItem{PetID: 1, Quantity: stock - to}))
				runtime.Gosched() // gives the reader a chance to see half of the update
				must(Inventory.Update(tx, InventoryItem{PetID: 2, Quantity: to}))
				return nil
			})
		}
	})
}

// TestFailedUpdateChangesNothing runs every operation in an update that fails with an error
// or a panic.
func TestFailedUpdateChangesNothing(t *testing.T) {
	t.Parallel()
	everything := func(tx *Tx) {
		must(Categories.Create(tx, Category{Name: "fish"}))
		must(Categories.Update(tx, Category{ID: 1, Name: "other"}))
		must(Pets.Create(tx, Pet{Name: "Nemo", CategoryID: 3, Status: Sold}))
		must(Pets.Update(tx, Pet{ID: 1, Name: "other", CategoryID: 2, Status: Sold}))
		must(Inventory.Update(tx, InventoryItem{PetID: 2, Quantity: 9}))
		must(Orders.Create(tx, Order{PetID: 1}))
		must(Messages.Create(tx, Message{Message: "hello"}))
		must(0, Pets.Delete(tx, 3))
		tx.SetCounters(Counters{Category: 100, Pet: 100, Order: 100, Message: 100})
	}
	failures := map[string]func(*Tx) error{
		"error": func(*Tx) error { return errAbort },
		"panic": func(*Tx) error { panic(errAbort) },
	}
	for name, fail := range failures {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := New(built(2, 40), Limits{})
			before := contentsOf(s.View())
			err := func() (err error) {
				defer func() {
					if caught := recover(); caught != nil {
						err = caught.(error)
					}
				}()
				return s.Update(Beside{}, func(tx *Tx) error {
					everything(tx)
					return fail(tx)
				})
			}()
			wantEqual(t, "error is the change's own", err == errAbort, true)
			wantEqual(t, "contents", contentsOf(s.View()), before)
			checkInvariants(t, s.View())
			must(do(s, Pets.Create, Pet{Name: "Rex", CategoryID: 1, Status: Sold})) // the lock is free
		})
	}
}

// TestWriteSkew deletes an empty category while another writer adds a pet to it. Only one
// of the two may succeed.
func TestWriteSkew(t *testing.T) {
	t.Parallel()
	baseline := built(1, 0)
	for range 100 {
		s := New(baseline, Limits{})
		var deleted, created error
		together(2, func(i int) {
			if i == 0 {
				deleted = remove(s, Categories.Delete, 1)
			} else {
				_, created = do(s, Pets.Create, Pet{Name: "Rex", CategoryID: 1, Status: Available})
			}
		})
		checkInvariants(t, s.View())
		if deleted == nil {
			wantError(t, created, UnknownCategory, "/categoryId")
		} else {
			wantError(t, deleted, CategoryInUse, "")
			wantEqual(t, "error of the creation", created, nil)
		}
	}
}

// TestStoresSharingOneBaseline starts many stores from one baseline, which write to the same
// records concurrently. Halfway each is forked, and both branches continue. Each must end
// with the same contents as a store that runs alone.
func TestStoresSharingOneBaseline(t *testing.T) {
	t.Parallel()
	const stores, categories, pets = 12, 4, 300
	baseline := built(categories, pets)
	before := contentsOf(baseline)
	write := func(s *Store, seed int64) {
		for id := seed % 7; id < pets; id += 7 {
			pet := Pet{ID: id + 1, Name: fmt.Sprint(seed), CategoryID: 1 + (id+seed)%categories,
				Status: statuses[(id+seed)%3]}
			must(do(s, Pets.Update, pet))
			must(do(s, Pets.Create, Pet{Name: fmt.Sprint(seed), CategoryID: 1 + seed%categories, Status: Sold}))
			must(do(s, Inventory.Update, InventoryItem{PetID: id + 1, Quantity: seed}))
			must(0, remove(s, Pets.Delete, id+1))
		}
	}
	branches := make([]*Store, 2*stores)
	together(stores, func(i int) {
		trunk := New(baseline, Limits{})
		write(trunk, int64(i))
		fork := New(trunk.View(), Limits{})
		branches[2*i], branches[2*i+1] = trunk, fork
		together(2, func(side int) { write(branches[2*i+side], int64(i+side+1)) })
	})
	wantEqual(t, "baseline", contentsOf(baseline), before)
	checkInvariants(t, baseline)
	for i, branch := range branches {
		alone := New(built(categories, pets), Limits{})
		write(alone, int64(i/2))
		write(alone, int64(i/2+i%2+1))
		wantEqual(t, fmt.Sprintf("branch %d", i), contentsOf(branch.View()), contentsOf(alone.View()))
		checkInvariants(t, branch.View())
	}
}
