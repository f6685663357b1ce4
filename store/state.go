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
}

// Counters are the largest ids given out so far, of each kind; the next record
// of a kind gets the one after.
type Counters struct {
	Category, Pet, Order, Message int64
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

// records returns how many records there are, an inventory entry being part of
// its pet.
func (s *State) records() int {
	return s.pets.len() + s.categories.len() + s.orders.len() + s.messages.len()
}

// Build makes a state from nothing by one transaction without a record limit.
// It returns fill's error as it is.
func Build(fill func(*Tx) error) (*State, error) {
	return update(new(State), unlimited, fill)
}
