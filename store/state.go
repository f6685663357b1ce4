package store

import (
	"io"
	"iter"
)

// State is one immutable version of the data. Neither a state nor a record in it ever changes, so
// any number of goroutines may read it. The zero State is empty and ready for use.
type State struct {
	categories tree[*Category]
	pets       tree[*petRow]
	orders     tree[*Order]
	messages   tree[*Message]

	byStatus   [len(statuses)]idSet
	byCategory tree[*categoryIndex]

	last Counters

	bytes  int64  // see [State.Bytes]
	own    int64  // see [Store.own]
	origin *State // the origin of the store that made the state; nil for a built state
}

// Counters are the largest ids assigned so far, per kind. The next record gets the id after it.
type Counters struct {
	Category, Pet, Order, Message int64
}

// RaiseCounters raises each counter to at least the given value. A state whose newest records were
// deleted needs this when it is loaded again.
func (tx *Tx) RaiseCounters(c Counters) {
	last := &tx.state.last
	last.Category = max(last.Category, c.Category)
	last.Pet = max(last.Pet, c.Pet)
	last.Order = max(last.Order, c.Order)
	last.Message = max(last.Message, c.Message)
}

// Counts are numbers of records per kind.
type Counts struct {
	Pets       int `json:"pets"`
	Categories int `json:"categories"`
	Orders     int `json:"orders"`
	Inventory  int `json:"inventory"`
	Messages   int `json:"messages"`
}

// SetCounters sets the counters to c, or to the largest ids in use where those are larger.
func (tx *Tx) SetCounters(c Counters) {
	tx.state.last = tx.state.Largest()
	tx.RaiseCounters(c)
}

// Largest returns the largest ids in use.
func (s *State) Largest() Counters {
	return Counters{Category: s.categories.largest(), Pet: s.pets.largest(), Order: s.orders.largest(), Message: s.messages.largest()}
}

// Counters returns the largest ids assigned so far.
func (s *State) Counters() Counters { return s.last }

// Counts returns the number of records per kind.
func (s *State) Counts() Counts {
	return Counts{
		Pets:       s.pets.len(),
		Categories: s.categories.len(),
		Orders:     s.orders.len(),
		Inventory:  s.pets.len(), // every pet has exactly one entry
		Messages:   s.messages.len(),
	}
}

// Bytes returns the bytes that the state needs for its records, including texts and index entries.
// Stores of one origin share the origin's records, so this is not the cost of one store; see
// [Usage].
func (s *State) Bytes() int64 { return s.bytes }

// Records returns the number of records. An inventory entry is part of its pet.
func (s *State) Records() int {
	return s.pets.len() + s.categories.len() + s.orders.len() + s.messages.len()
}

// Diff lists the differences between two states, in id order.
type Diff struct {
	Categories Changes[Category]      `json:"categories"`
	Pets       Changes[Pet]           `json:"pets"`
	Inventory  Changes[InventoryItem] `json:"inventory"`
	Orders     Changes[Order]         `json:"orders"`
	Messages   Changes[Message]       `json:"messages"`
}

// Diff returns the changes from an earlier state to s. It scans both states, except for the records
// that they share.
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

// stateDeltas is a [Diff] that is computed while it is read.
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

// WriteDiff writes the JSON of [State.Diff] without holding it in memory. It scans the states once
// each for additions, changes and removals. The error is the writer's.
func (s *State) WriteDiff(to io.Writer, from *State) error {
	d := s.deltas(from)
	w := diffWriter{to: to}
	writeChanges(&w, `{"categories":`, d.categories)
	writeChanges(&w, `,"pets":`, d.pets)
	writeChanges(&w, `,"inventory":`, d.inventory)
	writeChanges(&w, `,"orders":`, d.orders)
	writeChanges(&w, `,"messages":`, d.messages)
	w.text = append(w.text, '}')
	w.send()
	return w.err
}

// CategoriesSince yields the categories that were added or changed since an earlier state, and nil
// for each removed one, in id order.
func (s *State) CategoriesSince(from *State) iter.Seq2[int64, *Category] {
	return since(s.deltas(from).categories, func(c *Category) int64 { return c.ID })
}

// PetsSince yields the pets that were added or changed since an earlier state, and nil for each
// removed one, in id order.
func (s *State) PetsSince(from *State) iter.Seq2[int64, *Pet] {
	return since(s.deltas(from).pets, func(p *Pet) int64 { return p.ID })
}

// InventorySince yields the inventory entries whose quantity changed since an earlier state, in id
// order. It omits new entries with quantity 0 and entries removed with their pet.
func (s *State) InventorySince(from *State) iter.Seq2[int64, *InventoryItem] {
	return func(yield func(int64, *InventoryItem) bool) {
		for d := range s.deltas(from).inventory {
			if d.is && d.after.Quantity != d.before.Quantity && !yield(d.after.PetID, &d.after) {
				return
			}
		}
	}
}

// OrdersSince yields the orders that were added or changed since an earlier state, and nil for each
// removed one, in id order.
func (s *State) OrdersSince(from *State) iter.Seq2[int64, *Order] {
	return since(s.deltas(from).orders, func(o *Order) int64 { return o.ID })
}

// MessagesSince yields the messages that were added or changed since an earlier state, and nil for
// each removed one, in id order.
func (s *State) MessagesSince(from *State) iter.Seq2[int64, *Message] {
	return since(s.deltas(from).messages, func(m *Message) int64 { return m.ID })
}

// Same reports whether two states have equal records and counters. If the counts are equal, it
// compares every record that the states do not share.
func (s *State) Same(other *State) bool {
	return s == other || s.last == other.last && s.Counts() == other.Counts() &&
		none(s.CategoriesSince(other)) && none(s.PetsSince(other)) && none(s.InventorySince(other)) &&
		none(s.OrdersSince(other)) && none(s.MessagesSince(other))
}

func none[T any](differences iter.Seq2[int64, *T]) bool {
	for range differences {
		return false
	}
	return true
}

// Build makes a state in one transaction without limits, starting from an empty state. It returns
// fill's error as it is.
func Build(fill func(*Tx) error) (*State, error) {
	tx := begin(new(State), nil, 0, unlimited)
	if err := fill(tx); err != nil {
		return nil, err
	}
	tx.state.compact()
	return tx.state, nil
}

// compact copies every node of a new state. Nodes that were split share an array with their other
// half; copying frees that memory, a fifth of the state.
func (s *State) compact() {
	s.categories.compact()
	s.pets.compact()
	s.orders.compact()
	s.messages.compact()
	for i := range s.byStatus {
		s.byStatus[i].compact()
	}
	s.byCategory.each(func(c *categoryIndex) bool {
		for i := range c.byStatus {
			c.byStatus[i].compact()
		}
		return true
	})
	s.byCategory.compact()
}
