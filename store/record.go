package store

// The bytes that a state needs for a record without its texts: the record, its entries in the table
// and in every index, in nodes that are as empty as they can be, and the allocator's overhead for
// its texts. BenchmarkBuild compares the sums with the heap.
const (
	categoryBytes = 512 // including its index
	petBytes      = 176 // including its inventory entry
	orderBytes    = 112
	messageBytes  = 112
)

// placeBytes is the cost, beyond the record, of differing from the origin at one id: in the worst
// case, about the size of the nodes that a write copies.
const placeBytes = 1 << 10

// record is a record in a table. It never changes there.
type record interface {
	// bytes returns the bytes that a state needs for the record.
	bytes() int64
	// in returns the state's record of the same kind and id, or nil.
	in(s *State) record
	// put adds the record to its table and to the indexes, in place of any record with its id.
	// remove deletes it there.
	put(tx *Tx)
	remove(tx *Tx)
}

// set adds a record to a table and returns the record that it replaced.
func set[R record](tx *Tx, t *tree[R], id int64, r R) (old R, replaced bool) {
	old, replaced = t.mut(tx.owner).Set(id, r)
	if replaced {
		tx.changed(old, r)
	} else {
		tx.changed(nil, r)
	}
	return old, replaced
}

// unset removes a record that the table has.
func unset[R record](tx *Tx, t *tree[R], id int64) {
	old, _ := t.mut(tx.owner).Delete(id)
	tx.changed(old, nil)
}

// findIn returns the record with the id, or a [NotFound] error that names its kind.
func findIn[T any](t *tree[*T], kind string, id int64) (T, error) {
	r, ok := t.get(id)
	if !ok {
		return *new(T), notFound(kind, id)
	}
	return *r, nil
}

// deleteFrom removes the record with the id, or returns a [NotFound] error that names its kind.
func deleteFrom[R record](tx *Tx, t *tree[R], kind string, id int64) error {
	r, ok := t.get(id)
	if !ok {
		return notFound(kind, id)
	}
	r.remove(tx)
	return nil
}

// lookup returns the record with the id, or nil.
func lookup[R record](t *tree[R], id int64) record {
	if r, ok := t.get(id); ok {
		return r
	}
	return nil
}

// own returns the cost of r, or of no record (nil), at an id where the origin has origins (or nil).
// The cost of the origin's own record is 0.
func own(r, origins record) int64 {
	switch {
	case r == origins:
		return 0
	case origins == nil:
		return size(r)
	}
	return size(r) + placeBytes
}

func size(r record) int64 {
	if r == nil {
		return 0
	}
	return r.bytes()
}

func (c *Category) bytes() int64 {
	n := categoryBytes + int64(len(c.Name))
	if c.Description != nil {
		n += int64(len(*c.Description))
	}
	return n
}

func (p *petRow) bytes() int64  { return petBytes + int64(len(p.name)) }
func (o *Order) bytes() int64   { return orderBytes + int64(len(o.ShipDate)) }
func (m *Message) bytes() int64 { return messageBytes + int64(len(m.Message)) }

func (c *Category) in(s *State) record { return lookup(&s.categories, c.ID) }
func (p *petRow) in(s *State) record   { return lookup(&s.pets, p.id) }
func (o *Order) in(s *State) record    { return lookup(&s.orders, o.ID) }
func (m *Message) in(s *State) record  { return lookup(&s.messages, m.ID) }

func (c *Category) put(tx *Tx) {
	if _, replaced := set(tx, &tx.state.categories, c.ID, c); !replaced {
		tx.state.byCategory.mut(tx.owner).Set(c.ID, &categoryIndex{owner: tx.owner})
	}
}

// remove requires that no pet uses the category.
func (c *Category) remove(tx *Tx) {
	unset(tx, &tx.state.categories, c.ID)
	tx.state.byCategory.mut(tx.owner).Delete(c.ID)
}

// put moves the index entries that change.
func (p *petRow) put(tx *Tx) {
	old, replaced := set(tx, &tx.state.pets, p.id, p)
	if replaced && old.status == p.status && old.categoryID == p.categoryID {
		return
	}
	if replaced {
		tx.unindex(old)
	}
	tx.index(p)
}

func (p *petRow) remove(tx *Tx) {
	tx.unindex(p)
	unset(tx, &tx.state.pets, p.id)
}

func (o *Order) put(tx *Tx)    { set(tx, &tx.state.orders, o.ID, o) }
func (o *Order) remove(tx *Tx) { unset(tx, &tx.state.orders, o.ID) }

func (m *Message) put(tx *Tx)    { set(tx, &tx.state.messages, m.ID, m) }
func (m *Message) remove(tx *Tx) { unset(tx, &tx.state.messages, m.ID) }
