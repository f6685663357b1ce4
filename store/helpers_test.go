package store

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// must returns v, or panics. It does not call t.Fatal, because goroutines use it, too.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// do runs one operation as an update of its own.
func do[In, Out any](s *Store, operation func(*Tx, In) (Out, error), in In) (Out, error) {
	var out Out
	err := s.Update(Beside{}, func(tx *Tx) (err error) {
		out, err = operation(tx, in)
		return err
	})
	return out, err
}

// remove is do for the operations that return nothing but an error.
func remove(s *Store, operation func(*Tx, int64) error, id int64) error {
	return s.Update(Beside{}, func(tx *Tx) error { return operation(tx, id) })
}

// together runs n calls of work at once and waits for all.
func together(n int, work func(i int)) {
	var running sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		running.Go(func() {
			<-start
			work(i)
		})
	}
	close(start)
	running.Wait()
}

// built returns a state with that many categories, and pets spread over all of
// them and over every status.
func built(categories, pets int) *State {
	return must(Build(func(tx *Tx) error {
		for i := range categories {
			must(Categories.Create(tx, Category{Name: fmt.Sprintf("category %d", i+1)}))
		}
		for i := range pets {
			must(Pets.Create(tx, Pet{
				Name:       fmt.Sprintf("pet %d", i+1),
				CategoryID: int64(1 + i%categories),
				Status:     statuses[i/categories%len(statuses)],
			}))
		}
		return nil
	}))
}

// oneOfEach returns a state with a record of every noun.
func oneOfEach() *State {
	return must(Build(func(tx *Tx) error {
		must(Categories.Create(tx, Category{Name: "dogs", Description: new("bark")}))
		must(Pets.Create(tx, rex))
		must(Inventory.Update(tx, InventoryItem{PetID: 1, Quantity: 1}))
		must(Orders.Create(tx, Order{PetID: 1, Quantity: 3}))
		must(Messages.Create(tx, Message{Message: "Hello"}))
		return nil
	}))
}

// contents holds all public data of a state. [TestContentsHaveEveryKind] checks that it has a
// field for every kind of record.
type contents struct {
	Categories []Category
	Pets       []Pet
	Inventory  []InventoryItem
	Orders     []Order
	Messages   []Message
	Counters   Counters
}

func contentsOf(s *State) contents {
	return contents{
		Categories: s.ListCategories(CategoryQuery{}).Items,
		Pets:       s.ListPets(PetQuery{}).Items,
		Inventory:  s.ListInventory(InventoryQuery{}).Items,
		Orders:     s.ListOrders(OrderQuery{}).Items,
		Messages:   s.ListMessages(MessageQuery{}).Items,
		Counters:   s.Counters(),
	}
}

// diffOf returns the diff between the contents of two states, record by record.
func diffOf(before, after contents) Diff {
	return Diff{
		Categories: changesOf(before.Categories, after.Categories),
		Pets:       changesOf(before.Pets, after.Pets),
		Inventory:  changesOf(before.Inventory, after.Inventory),
		Orders:     changesOf(before.Orders, after.Orders),
		Messages:   changesOf(before.Messages, after.Messages),
	}
}

func changesOf[T any](before, after []T) Changes[T] {
	id := func(record T) int64 { return reflect.ValueOf(record).Field(0).Int() }
	changes := Changes[T]{Added: []T{}, Changed: []Change[T]{}, Removed: []T{}}
	gone := make(map[int64]T)
	for _, record := range before {
		gone[id(record)] = record
	}
	for _, record := range after {
		old, there := gone[id(record)]
		delete(gone, id(record))
		switch {
		case !there:
			changes.Added = append(changes.Added, record)
		case !reflect.DeepEqual(old, record):
			changes.Changed = append(changes.Changed, Change[T]{Before: old, After: record})
		}
	}
	for _, record := range before {
		if _, ok := gone[id(record)]; ok {
			changes.Removed = append(changes.Removed, record)
		}
	}
	return changes
}

// wantEqual compares any two values. The argument what names them in the error.
func wantEqual[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", what, diff)
	}
}

// wantError checks the code and the field of an error.
func wantError(t testing.TB, err error, code Code, field string) {
	t.Helper()
	e, ok := errors.AsType[*Error](err)
	if !ok {
		t.Errorf("error is %v, want one with the code %q", err, code)
		return
	}
	wantEqual(t, "error's code and field", [2]string{string(e.Code), e.Field}, [2]string{string(code), field})
}

// TestContentsHaveEveryKind checks that the contents that tests compare include every kind
// of record.
func TestContentsHaveEveryKind(t *testing.T) {
	t.Parallel()
	for kind := range reflect.TypeFor[Counts]().Fields() {
		if _, ok := reflect.TypeFor[contents]().FieldByName(kind.Name); !ok {
			t.Errorf("contents, in helpers_test.go, lacks %s", kind.Name)
		}
	}
}
