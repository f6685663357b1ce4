package store

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzStore reads operations from the bytes and applies each to a store and to a
// model. Both must return the same results and end with the same contents. No
// published state may change later.
func FuzzStore(f *testing.F) {
	for seed := range byte(8) {
		tape := make([]byte, 2000)
		if seed == 0 {
			tape = make([]byte, 4000) // more writes than undo keeps
		}
		_, _ = rand.NewChaCha8([32]byte{seed}).Read(tape)
		f.Add(tape)
	}
	f.Fuzz(func(t *testing.T, tape []byte) {
		const room = 60
		baseline := built(2, 6)
		d := &driver{T: t, tape: tape, store: New(baseline, Limits{Records: room}), undone: map[int64]bool{}}
		d.model = contentsOf(baseline).model(baseline.Records() + room)
		d.keep()
		for len(d.tape) > 0 {
			d.write()
			d.keep()
			pick(d, kinds...).read(d)
			d.rewind()
			checkUsage(t, d.store, d.kept)
		}
		for i, v := range d.history {
			d.same("published state", contentsOf(v.state), v.contents)
			d.diff(d.history[i/2], v)
		}
		checkInvariants(t, d.store.View())
	})
}

type version struct {
	state    *State
	contents contents
}

// driver performs the operations of the tape.
type driver struct {
	*testing.T
	tape    []byte
	store   *Store
	model   *model
	past    []past // the states that undo restores
	kept    []Kept
	history []version
	undone  map[int64]bool // the numbers of undone states
}

// past is the store before a write: the model, and the usage of the state.
type past struct {
	number     int64
	model      *model
	bytes, own int64
}

func (d *driver) keep() {
	d.history = append(d.history, version{d.store.View(), d.model.contents()})
}

// write performs an operation that publishes a state, usually a transaction.
func (d *driver) write() {
	kept := d.store.Keep()
	before, number := kept.State, kept.Number
	was := past{number, d.model, before.Bytes(), d.store.own(before)}
	switch d.next(32) {
	case 1:
		d.undo()
		return
	case 2:
		d.kept = append(d.kept, d.store.Keep())
		if len(d.kept) > 4 {
			d.kept = slices.Delete(d.kept, 0, 1)
		}
		return
	case 3:
		v := d.history[d.next(len(d.history))]
		d.store.Replace(v.state, Beside{})
		d.model = v.contents.model(d.model.room)
	default:
		if d.transaction(); d.store.View() == before || d.store.View() == d.store.Baseline() {
			return
		}
	}
	d.past = append(d.past, was)
}

// undo undoes up to eight writes, possibly more than the history has.
func (d *driver) undo() {
	steps := d.next(9)
	last := d.store.Keep().Number
	if done, want := d.store.Undo(steps), steps > 0 && steps <= min(len(d.past), HistoryLimit); done != want {
		d.Fatalf("undo of %d is %t, want %t", steps, done, want)
	} else if !done {
		return
	}
	to := d.past[len(d.past)-steps]
	for _, later := range d.past[len(d.past)-steps+1:] {
		d.undone[later.number] = true
	}
	d.undone[last] = true
	d.past = d.past[:len(d.past)-steps]
	d.model = to.model
	now := d.store.View()
	d.same("bytes and own bytes", [2]int64{now.Bytes(), d.store.own(now)}, [2]int64{to.bytes, to.own})
	checkInvariants(d, d.store.View())
}

// rewind checks a state that undo can restore and one that it cannot, and which states are undone.
func (d *driver) rewind() {
	kept := d.store.Keep()
	now, number := kept.State, kept.Number
	d.same("current state", d.store.At(number), now)
	if n := min(len(d.past), HistoryLimit); n > 0 {
		to := d.past[len(d.past)-1-d.next(n)]
		state := d.store.At(to.number)
		if state == nil {
			d.Fatalf("undo of %d writes does not reach the state %d", n, to.number)
		}
		d.same("earlier state", contentsOf(state), to.model.contents())
		checkInvariants(d, state)
	}
	if state := d.store.At(number + 1); state != nil && state != now {
		d.Fatalf("state %d exists after the current one, %d", number+1, number)
	}
	for n := range d.store.last + 2 {
		if len(d.store.spans()) < HistoryLimit && d.store.Undone(n) != d.undone[n] {
			d.Fatalf("state %d is undone: %t, want %t", n, !d.undone[n], d.undone[n])
		}
	}
}

// diff compares the diffs of two states, in both directions, with the diffs of their contents.
func (d *driver) diff(a, b version) {
	for range 2 {
		var want Diff
		for i, k := range kinds {
			changes := k.changes(a.contents.Records[k.plural()], b.contents.Records[k.plural()])
			reflect.ValueOf(&want).Elem().Field(i).Set(reflect.ValueOf(changes))
		}
		d.same("diff", b.state.Diff(a.state), want)
		counts := b.state.CountChanges(a.state)
		d.same("counts of the diff", counts, ChangeCounts{
			Categories: countsOf(want.Categories),
			Pets:       countsOf(want.Pets),
			Inventory:  counts.Inventory, // not compared, because it omits what other nouns imply
			Orders:     countsOf(want.Orders),
			Messages:   countsOf(want.Messages),
		})
		d.same("diff as it is written", writtenDiff(b.state, a.state), string(must(json.Marshal(want))))
		a, b = b, a
	}
}

func countsOf[T any](c Changes[T]) ChangeCount {
	return ChangeCount{Added: len(c.Added), Changed: len(c.Changed), Removed: len(c.Removed)}
}

// transaction does up to five operations as one update, which may fail as a
// whole, or a reset.
func (d *driver) transaction() {
	if d.next(256) == 1 {
		d.store.Reset()
		d.model = d.history[0].contents.model(d.model.room)
		d.past = nil
		return
	}
	next := d.model.clone()
	abort := d.next(8) == 1
	err := d.store.Update(Beside{}, func(tx *Tx) error {
		for range 1 + d.next(5) {
			d.operation(tx, next)
			d.same("working state's counters", tx.View().Counters(), next.last)
		}
		if abort {
			return errAbort
		}
		return nil
	})
	if (err != nil) != abort {
		d.Fatalf("update's error is %v", err)
	}
	if !abort {
		d.model = next
	}
}

func (d *driver) operation(tx *Tx, m *model) {
	if d.next(32) == 1 {
		var c Counters
		for _, k := range kinds {
			k.setCounter(d, &c, m)
		}
		tx.SetCounters(c)
		return
	}
	pick(d, kinds...).write(d, tx, m)
}

// same compares two results. The argument what names their source, such as a query.
func (d *driver) same(what, got, want any) {
	d.Helper()
	if !reflect.DeepEqual(got, want) {
		d.Fatalf("%T %s: differs (-want +got):\n%s", what, must(json.Marshal(what)), cmp.Diff(want, got))
	}
}

// agree applies one operation to both and compares the results.
func agree[In, Out any](d *driver, what string, in In, store, model func(In) (Out, error)) {
	d.Helper()
	got, gotErr := store(in)
	want, wantErr := model(in)
	if !reflect.DeepEqual(got, want) || !errors.Is(gotErr, wantErr) {
		d.Fatalf("%s %+v:\n got %+v, error %v\nwant %+v, error %v", what, in, got, gotErr, want, wantErr)
	}
}
