package store

import (
	"io"
	"iter"
)

// State is one immutable version of the data. It may be read by any number of
// goroutines and kept for as long as wanted; neither it nor a record in it ever
// changes. The zero State is empty and ready.
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
	origin *State // of the store that made the state; nil: it was built
}

// Counters are the largest ids given out so far, of each kind; the next record
// of a kind gets the one after.
type Counters struct {
	Category, Pet, Order, Message int64
}

// RaiseCounters makes each counter at least as large as the one given, as when
// a state whose largest ids were deleted is loaded again.
func (tx *Tx) RaiseCounters(c Counters) {
	last := &tx.state.last
	last.Category = max(last.Category, c.Category)
	last.Pet = max(last.Pet, c.Pet)
	last.Order = max(last.Order, c.Order)
	last.Message = max(last.Message, c.Message)
}

// Counts are numbers of records.
type Counts struct {
	Pets       int `json:"pets"`
	Categories int `json:"categories"`
	Orders     int `json:"orders"`
	Inventory  int `json:"inventory"`
	Messages   int `json:"messages"`
}

// SetCounters makes the counters those given, or as large as the largest ids in use.
func (tx *Tx) SetCounters(c Counters) {
	tx.state.last = tx.state.Largest()
	tx.RaiseCounters(c)
}

// Largest returns the largest ids in use.
func (s *State) Largest() Counters {
	return Counters{Category: s.categories.largest(), Pet: s.pets.largest(), Order: s.orders.largest(), Message: s.messages.largest()}
}

// Counters returns the largest ids given out so far.
func (s *State) Counters() Counters { return s.last }

// Counts returns how many records of each kind there are.
func (s *State) Counts() Counts {
	return Counts{
		Pets:       s.pets.len(),
		Categories: s.categories.len(),
		Orders:     s.orders.len(),
		Inventory:  s.pets.len(), // every pet has exactly one entry
		Messages:   s.messages.len(),
	}
}

// Bytes returns what the state needs for its records, their texts and their places in
// all indexes included, in bytes. The origin of a store is shared by all that are made of
// it, so this is not what one of them costs: that is its [Usage].
func (s *State) Bytes() int64 { return s.bytes }

// Records returns how many records there are, an inventory entry being part of
// its pet.
func (s *State) Records() int {
	return s.pets.len() + s.categories.len() + s.orders.len() + s.messages.len()
}

// Diff is what differs between two states, in id order.
type Diff struct {
	Categories Changes[Category]      `json:"categories"`
	Pets       Changes[Pet]           `json:"pets"`
	Inventory  Changes[InventoryItem] `json:"inventory"`
	Orders     Changes[Order]         `json:"orders"`
	Messages   Changes[Message]       `json:"messages"`
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

// WriteDiff writes the JSON of what [State.Diff] returns, without holding it: what was
// added, changed and removed is looked for one after the other. The error is the writer's.
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

// CategoriesSince yields the categories that are new or other than in an earlier state, and nil for
// each that is gone, in id order. It looks at every one of both states, one at a time.
func (s *State) CategoriesSince(from *State) iter.Seq2[int64, *Category] {
	return since(s.deltas(from).categories, func(c *Category) int64 { return c.ID })
}

// PetsSince yields the pets that are new or other than in an earlier state, and nil for
// each that is gone, in id order. It looks at every one of both states, one at a time.
func (s *State) PetsSince(from *State) iter.Seq2[int64, *Pet] {
	return since(s.deltas(from).pets, func(p *Pet) int64 { return p.ID })
}

// InventorySince yields the inventory entries whose quantity is other than in an earlier state,
// in id order: a new entry that has 0 is none of them, and neither is one that is gone with its
// pet. It looks at every pet of both states, one at a time.
func (s *State) InventorySince(from *State) iter.Seq2[int64, *InventoryItem] {
	return func(yield func(int64, *InventoryItem) bool) {
		for d := range s.deltas(from).inventory {
			if d.is && d.after.Quantity != d.before.Quantity && !yield(d.after.PetID, &d.after) {
				return
			}
		}
	}
}

// OrdersSince yields the orders that are new or other than in an earlier state, and nil for
// each that is gone, in id order. It looks at every one of both states, one at a time.
func (s *State) OrdersSince(from *State) iter.Seq2[int64, *Order] {
	return since(s.deltas(from).orders, func(o *Order) int64 { return o.ID })
}

// MessagesSince yields the messages that are new or other than in an earlier state, and nil for
// each that is gone, in id order. It looks at every one of both states, one at a time.
func (s *State) MessagesSince(from *State) iter.Seq2[int64, *Message] {
	return since(s.deltas(from).messages, func(m *Message) int64 { return m.ID })
}

// Same reports whether two states say the same, id counters included. Where they do, it looks
// at every record of both that they do not share.
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

// Build makes a state from nothing by one transaction without a limit.
// It returns fill's error as it is.
func Build(fill func(*Tx) error) (*State, error) {
	tx := begin(new(State), nil, 0, unlimited)
	if err := fill(tx); err != nil {
		return nil, err
	}
	tx.state.compact()
	return tx.state, nil
}

// compact gives every node of a new state memory of its own. Nodes that were split share
// one array with the halves that have left it, of which this frees a fifth of the state.
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
