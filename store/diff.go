package store

import (
	"bufio"
	"cmp"
	"fmt"
	"iter"
)

// Changes are the differences in one kind of record. No slice is nil.
type Changes[T any] struct {
	Added   []T         `json:"added"`
	Changed []Change[T] `json:"changed"`
	Removed []T         `json:"removed"`
}

// Change is one record before and after a change.
type Change[T any] struct {
	Before T `json:"before"`
	After  T `json:"after"`
}

// ChangeCount counts the differences in one kind of record.
type ChangeCount struct {
	Added   int `json:"added"`
	Changed int `json:"changed"`
	Removed int `json:"removed"`
}

// delta is one difference between two states. A record that a state lacks is nil. The records are
// valid until the next difference is read.
type delta[T any] struct{ before, after *T }

// deltas yields the differences of the table from base to s, in id order.
func (r rowsOf[R, T]) deltas(s, base *State) iter.Seq[delta[T]] {
	return func(yield func(delta[T]) bool) {
		old, now := r.of(base).m.Iter(), r.of(s).m.Iter()
		hasOld, hasNow := old.First(), now.First()
		var before, after T // declared outside the loop, to allocate them once
		for hasOld || hasNow {
			inBase := hasOld && (!hasNow || old.Key() <= now.Key())
			inS := hasNow && (!hasOld || now.Key() <= old.Key())
			var oldRow, nowRow *R
			if inBase {
				oldRow, hasOld = old.Value(), old.Next()
			}
			if inS {
				nowRow, hasNow = now.Value(), now.Next()
			}
			if oldRow == nowRow || inBase && inS && r.equal(r.view(oldRow), r.view(nowRow)) {
				continue
			}
			var d delta[T]
			if inBase {
				before, d.before = r.view(oldRow), &before
			}
			if inS {
				after, d.after = r.view(nowRow), &after
			}
			if !yield(d) {
				return
			}
		}
	}
}

// changes returns the noun's changes from base to s.
func (n *Noun[T]) changes(s, base *State) Changes[T] {
	c := Changes[T]{Added: []T{}, Changed: []Change[T]{}, Removed: []T{}}
	for d := range n.deltas(s, base) {
		switch {
		case d.before == nil:
			c.Added = append(c.Added, *d.after)
		case d.after == nil:
			c.Removed = append(c.Removed, *d.before)
		default:
			c.Changed = append(c.Changed, Change[T]{*d.before, *d.after})
		}
	}
	return c
}

// countChanges counts the noun's changes from base to s, except those that changes of other nouns imply.
func (n *Noun[T]) countChanges(s, base *State) (c ChangeCount) {
	for d := range n.deltas(s, base) {
		switch {
		case n.implied != nil && n.implied(d):
		case d.before == nil:
			c.Added++
		case d.after == nil:
			c.Removed++
		default:
			c.Changed++
		}
	}
	return c
}

func same[T comparable](a, b T) bool { return a == b }

// writeChanges writes the JSON of the noun's changes. It stops at the first error of the writer.
func (n *Noun[T]) writeChanges(w *bufio.Writer, s, base *State) {
	fmt.Fprintf(w, `%q:{"added":[`, n.Plural)
	n.writeMatching(w, s, base, func(d delta[T]) bool { return d.before == nil })
	w.WriteString(`],"changed":[`)
	n.writeMatching(w, s, base, func(d delta[T]) bool { return d.before != nil && d.after != nil })
	w.WriteString(`],"removed":[`)
	n.writeMatching(w, s, base, func(d delta[T]) bool { return d.after == nil })
	w.WriteString("]}")
}

func (n *Noun[T]) writeMatching(w *bufio.Writer, s, base *State, match func(delta[T]) bool) {
	separator := ""
	for d := range n.deltas(s, base) {
		if !match(d) {
			continue
		}
		b := append(w.AvailableBuffer(), separator...)
		if d.before != nil && d.after != nil {
			b = (*d.before).AppendJSON(append(b, `{"before":`...))
			b = (*d.after).AppendJSON(append(b, `,"after":`...))
			b = append(b, '}')
		} else {
			b = (*cmp.Or(d.after, d.before)).AppendJSON(b)
		}
		if _, err := w.Write(b); err != nil {
			return
		}
		separator = ","
	}
}
