package store

// What a state needs for a record besides its texts: the record, its entries in the
// table and in every index, in nodes as full as they are at the least, and what the
// allocator adds to its texts. BenchmarkBuild holds the sums to the heap.
const (
	categoryBytes = 512 // with an index of its own
	petBytes      = 176 // with its inventory entry
	orderBytes    = 112
	messageBytes  = 112
)

// placeBytes is what it costs beyond the record to have another one than the origin
// where the origin has one, or none: about what a write copies of the nodes that lead
// there, at the worst.
const placeBytes = 1 << 10

// record is a record of one of the tables, in which it never changes.
type record interface {
	// bytes returns what a state needs for the record.
	bytes() int64
	// in returns the record of the same kind and id that a state has; nil: none.
	in(s *State) record
	// put enters the record into its table and the indexes, in place of the one that
	// has its id; remove takes it out.
	put(tx *Tx)
	remove(tx *Tx)
}

// set is put in a table. It returns the record that was replaced.
func set[R record](tx *Tx, t *tree[R], id int64, r R) (old R, replaced bool) {
	old, replaced = t.mut(tx.owner).Set(id, r)
	if replaced {
		tx.changed(old, r)
	} else {
		tx.changed(nil, r)
	}
	return old, replaced
}

// unset is remove in a table that has the record.
func unset[R record](tx *Tx, t *tree[R], id int64) {
	old, _ := t.mut(tx.owner).Delete(id)
	tx.changed(old, nil)
}

// lookup is in for a table.
func lookup[R record](t *tree[R], id int64) record {
	if r, ok := t.get(id); ok {
		return r
	}
	return nil
}

// own returns what having a record costs, or having none (nil), in a place where the
// origin has the given one, or none: nothing where it is the same.
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

// remove is of a category that no pet uses.
func (c *Category) remove(tx *Tx) {
	unset(tx, &tx.state.categories, c.ID)
	tx.state.byCategory.mut(tx.owner).Delete(c.ID)
}

// put moves the pet's index entries where they changed.
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
