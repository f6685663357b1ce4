package store

import "iter"

// Diff is what differs between two states, in id order.
type Diff struct {
	Categories Changes[Category]      `json:"categories"`
	Pets       Changes[Pet]           `json:"pets"`
	Inventory  Changes[InventoryItem] `json:"inventory"`
	Orders     Changes[Order]         `json:"orders"`
	Messages   Changes[Message]       `json:"messages"`
}

// Changes are the differences of one kind of record. No slice is nil.
type Changes[T any] struct {
	Added   []T         `json:"added"`
	Changed []Change[T] `json:"changed"`
	Removed []T         `json:"removed"`
}

// Change is one record before and after.
type Change[T any] struct {
	Before T `json:"before"`
	After  T `json:"after"`
}

// Diff returns what makes s differ from an earlier state. It looks at every
// record of both.
func (s *State) Diff(from *State) Diff {
	d := s.deltas(from)
	return Diff{
		Categories: collect(d.categories),
		Pets:       collect(d.pets),
		Inventory:  collect(d.inventory),
		Orders:     collect(d.orders),
		Messages:   collect(d.messages),
	}
}

// stateDeltas is a [Diff] that is looked for while it is read.
type stateDeltas struct {
	categories iter.Seq[delta[Category]]
	pets       iter.Seq[delta[Pet]]
	inventory  iter.Seq[delta[InventoryItem]]
	orders     iter.Seq[delta[Order]]
	messages   iter.Seq[delta[Message]]
}

func (s *State) deltas(from *State) stateDeltas {
	return stateDeltas{
		categories: deltas(&from.categories, &s.categories, func(c *Category) Category { return *c }, sameCategory),
		pets:       deltas(&from.pets, &s.pets, (*petRow).pet, same[Pet]),
		inventory:  deltas(&from.pets, &s.pets, (*petRow).item, same[InventoryItem]),
		orders:     deltas(&from.orders, &s.orders, func(o *Order) Order { return *o }, same[Order]),
		messages:   deltas(&from.messages, &s.messages, func(m *Message) Message { return *m }, sameMessage),
	}
}

// delta is one record that differs: without before it was added, without after removed.
type delta[T any] struct {
	before, after T
	was, is       bool
}

// deltas merges two tables, which are in id order both. What a record is told as
// is its view.
func deltas[R, T any](before, after *tree[*R], view func(*R) T, equal func(a, b T) bool) iter.Seq[delta[T]] {
	return func(yield func(delta[T]) bool) {
		old, now := before.m.Iter(), after.m.Iter()
		hasOld, hasNow := old.First(), now.First()
		for hasOld || hasNow {
			var d delta[T]
			d.was = hasOld && (!hasNow || old.Key() <= now.Key())
			d.is = hasNow && (!hasOld || now.Key() <= old.Key())
			if d.was && d.is && old.Value() == now.Value() { // where nobody wrote
				hasOld, hasNow = old.Next(), now.Next()
				continue
			}
			if d.was {
				d.before = view(old.Value())
				hasOld = old.Next()
			}
			if d.is {
				d.after = view(now.Value())
				hasNow = now.Next()
			}
			if !(d.was && d.is && equal(d.before, d.after)) && !yield(d) {
				return
			}
		}
	}
}

// since yields the ids of what differs, and what it is now; nil: it is gone.
func since[T any](all iter.Seq[delta[T]], id func(*T) int64) iter.Seq2[int64, *T] {
	return func(yield func(int64, *T) bool) {
		for d := range all {
			at, now := &d.after, &d.after
			if !d.is {
				at, now = &d.before, nil
			}
			if !yield(id(at), now) {
				return
			}
		}
	}
}

// collect gathers the differences of one kind.
func collect[T any](all iter.Seq[delta[T]]) Changes[T] {
	c := Changes[T]{Added: []T{}, Changed: []Change[T]{}, Removed: []T{}}
	for d := range all {
		switch {
		case !d.was:
			c.Added = append(c.Added, d.after)
		case !d.is:
			c.Removed = append(c.Removed, d.before)
		default:
			c.Changed = append(c.Changed, Change[T]{Before: d.before, After: d.after})
		}
	}
	return c
}

func same[T comparable](a, b T) bool { return a == b }

func sameCategory(a, b Category) bool {
	if a.Description != nil && b.Description != nil && *a.Description == *b.Description {
		a.Description = b.Description
	}
	return a == b
}

func sameMessage(a, b Message) bool {
	return a.ID == b.ID && a.Message == b.Message && a.CreatedAt.Equal(b.CreatedAt)
}
