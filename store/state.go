package store

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
