package store

import (
	"bufio"
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

// ChangeCounts counts the differences by kind of record.
type ChangeCounts struct {
	Categories ChangeCount `json:"categories"`
	Pets       ChangeCount `json:"pets"`
	Inventory  ChangeCount `json:"inventory"`
	Orders     ChangeCount `json:"orders"`
	Messages   ChangeCount `json:"messages"`
}

// delta is one difference between two states. inBefore and inAfter report which of them have the
// record. A record that a state lacks is zero.
type delta[T any] struct {
	before, after     T
	inBefore, inAfter bool
}

// deltas yields the differences between two tables, in id order. view converts a stored record to
// its public type.
func deltas[R, T any](before, after *tree[*R], view func(*R) T, equal func(a, b T) bool) iter.Seq[delta[T]] {
	return func(yield func(delta[T]) bool) {
		old, now := before.m.Iter(), after.m.Iter()
		hasOld, hasNow := old.First(), now.First()
		for hasOld || hasNow {
			var d delta[T]
			d.inBefore = hasOld && (!hasNow || old.Key() <= now.Key())
			d.inAfter = hasNow && (!hasOld || now.Key() <= old.Key())
			if d.inBefore && d.inAfter && old.Value() == now.Value() { // the same pointer: unchanged
				hasOld, hasNow = old.Next(), now.Next()
				continue
			}
			if d.inBefore {
				d.before = view(old.Value())
				hasOld = old.Next()
			}
			if d.inAfter {
				d.after = view(now.Value())
				hasNow = now.Next()
			}
			if !(d.inBefore && d.inAfter && equal(d.before, d.after)) && !yield(d) {
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
		case !d.inBefore:
			c.Added = append(c.Added, d.after)
		case !d.inAfter:
			c.Removed = append(c.Removed, d.before)
		default:
			c.Changed = append(c.Changed, Change[T]{Before: d.before, After: d.after})
		}
	}
	return c
}

// countChanges counts the noun's changes from base to s.
func (n *Noun[T]) countChanges(s, base *State) ChangeCount {
	var c ChangeCount
	for d := range n.deltas(s, base) {
		switch {
		case !d.inBefore:
			c.Added++
		case !d.inAfter:
			c.Removed++
		default:
			c.Changed++
		}
	}
	return c
}

func same[T comparable](a, b T) bool { return a == b }

func (n *Noun[T]) writeChanges(w *bufio.Writer, s, base *State) {
	all := n.deltas(s, base)
	fmt.Fprintf(w, `%q:{"added":[`, n.Plural)
	writeMatching(w, all, func(b []byte, d delta[T]) []byte {
		if d.inBefore {
			return b
		}
		return d.after.AppendJSON(b)
	})
	w.WriteString(`],"changed":[`)
	writeMatching(w, all, func(b []byte, d delta[T]) []byte {
		if !d.inBefore || !d.inAfter {
			return b
		}
		b = d.before.AppendJSON(append(b, `{"before":`...))
		b = d.after.AppendJSON(append(b, `,"after":`...))
		return append(b, '}')
	})
	w.WriteString(`],"removed":[`)
	writeMatching(w, all, func(b []byte, d delta[T]) []byte {
		if d.inAfter {
			return b
		}
		return d.before.AppendJSON(b)
	})
	w.WriteString("]}")
}

// writeMatching writes the JSON of the differences, separated by commas. It skips a difference for
// which appendJSON appends nothing, and stops at the first error of the writer.
func writeMatching[T any](w *bufio.Writer, all iter.Seq[delta[T]], appendJSON func([]byte, delta[T]) []byte) {
	separator := ""
	for d := range all {
		text := appendJSON(append(w.AvailableBuffer(), separator...), d)
		if len(text) == len(separator) { // filtered out
			continue
		}
		if _, err := w.Write(text); err != nil {
			return
		}
		separator = ","
	}
}
