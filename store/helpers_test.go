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

// contents holds all public data of a state.
type contents struct {
	Records  map[string]any // by the noun's plural
	Counters Counters
}

func contentsOf(s *State) contents {
	c := contents{map[string]any{}, s.Counters()}
	for _, k := range kinds {
		c.Records[k.plural()] = k.contents(s)
	}
	return c
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
