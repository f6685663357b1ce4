package store

import (
	"bufio"
	"io"
)

// State is one immutable version of the data. Neither a state nor a record in it ever changes, so
// any number of goroutines may read it. The zero State is empty and ready for use.
type State struct {
	categories tree[*Category]
	pets       tree[*petRow]
	orders     tree[*Order]
	messages   tree[*Message]

	byStatus   statusIndex
	byCategory tree[*categoryIndex]

	last Counters

	bytes int64 // see [State.Bytes]
	// own is the size of the records that do not belong to the store's origin, plus [PlaceBytes]
	// for each of the origin's records that the state lacks. In a state that [Build] made, own and
	// bytes are equal.
	own int64
}

// anyTree is a [tree] of any type.
type anyTree interface {
	len() int
	compact()
}

// tables returns the tables of records.
func (s *State) tables() []anyTree { return []anyTree{&s.categories, &s.pets, &s.orders, &s.messages} }

// nouns lists all nouns, each after the nouns that it refers to.
var nouns = []interface {
	raise(*Counters, *State)
	writeChanges(w *bufio.Writer, s, base *State)
}{Categories, Pets, Inventory, Orders, Messages}

// Counters are the largest ids assigned so far, by kind of record. A new record gets the next id.
type Counters struct {
	Category, Pet, Order, Message int64
}

// Counts are numbers of records by kind.
type Counts struct {
	Pets       int `json:"pets"`
	Categories int `json:"categories"`
	Orders     int `json:"orders"`
	Inventory  int `json:"inventory"`
	Messages   int `json:"messages"`
}

// SetCounters sets each counter to its value in c or to the largest id in use, whichever is larger.
func (tx *Tx) SetCounters(c Counters) {
	for _, noun := range nouns {
		noun.raise(&c, tx.state)
	}
	tx.state.last = c
}

// Counters returns the largest ids assigned so far.
func (s *State) Counters() Counters { return s.last }

// Counts returns the numbers of records by kind.
func (s *State) Counts() Counts {
	return Counts{
		Pets:       s.pets.m.Len(),
		Categories: s.categories.m.Len(),
		Orders:     s.orders.m.Len(),
		Inventory:  s.pets.m.Len(), // every pet has exactly one entry
		Messages:   s.messages.m.Len(),
	}
}

// Bytes returns the size of the state's records, including texts and index entries. Stores with the
// same origin share the origin's records, so this is not the cost of one store; see [Usage].
func (s *State) Bytes() int64 { return s.bytes }

// Records returns the number of records. An inventory entry is part of its pet.
func (s *State) Records() int {
	n := 0
	for _, table := range s.tables() {
		n += table.len()
	}
	return n
}

// Diff lists the differences between two states, in id order.
type Diff struct {
	Categories Changes[Category]      `json:"categories"`
	Pets       Changes[Pet]           `json:"pets"`
	Inventory  Changes[InventoryItem] `json:"inventory"`
	Orders     Changes[Order]         `json:"orders"`
	Messages   Changes[Message]       `json:"messages"`
}

// Diff returns the changes from base to s. It scans both states, but compares only the
// records that they do not share.
func (s *State) Diff(base *State) Diff {
	return Diff{
		Categories: Categories.changes(s, base),
		Pets:       Pets.changes(s, base),
		Inventory:  Inventory.changes(s, base),
		Orders:     Orders.changes(s, base),
		Messages:   Messages.changes(s, base),
	}
}

// ChangeCounts counts the differences by kind of record.
type ChangeCounts struct {
	Categories ChangeCount `json:"categories"`
	Pets       ChangeCount `json:"pets"`
	Inventory  ChangeCount `json:"inventory"`
	Orders     ChangeCount `json:"orders"`
	Messages   ChangeCount `json:"messages"`
}

// CountChanges counts the changes that [State.Diff] returns, and scans the states in the same way. A
// change of the inventory counts only if the quantity differs: its status is that of the pet.
func (s *State) CountChanges(base *State) ChangeCounts {
	return ChangeCounts{
		Categories: Categories.countChanges(s, base),
		Pets:       Pets.countChanges(s, base),
		Inventory:  Inventory.countChanges(s, base),
		Orders:     Orders.countChanges(s, base),
		Messages:   Messages.countChanges(s, base),
	}
}

// WriteDiff writes the JSON of [State.Diff] without holding it in memory. It scans both states
// three times: for additions, changes and removals. It returns the first error from the writer.
func (s *State) WriteDiff(to io.Writer, base *State) error {
	w := bufio.NewWriter(to)
	separator := "{"
	for _, noun := range nouns {
		w.WriteString(separator)
		noun.writeChanges(w, s, base)
		separator = ","
	}
	w.WriteString("}")
	return w.Flush()
}

// Same reports whether two states have equal records and counters. It compares only the records
// that the states do not share, and none if the counters or the counts differ.
func (s *State) Same(other *State) bool {
	return s == other ||
		s.last == other.last && s.Counts() == other.Counts() && s.CountChanges(other) == ChangeCounts{}
}

// Build makes a state in one transaction without limits, starting from an empty state. It returns
// fill's error unchanged.
func Build(fill func(*Tx) error) (*State, error) {
	empty := new(State)
	tx := New(empty, Limits{}).begin(empty)
	if err := fill(tx); err != nil {
		return nil, err
	}
	tx.state.compact()
	return tx.state, nil
}

// compact copies every node of a new state. The two halves of a split node share one array; copying
// frees the unused parts, a fifth of the state's memory.
func (s *State) compact() {
	for _, table := range s.tables() {
		table.compact()
	}
	s.byStatus.compact()
	s.byCategory.compact()
	s.byCategory.each(func(c *categoryIndex) bool {
		c.byStatus.compact()
		return true
	})
}
