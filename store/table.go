package store

// placeBytes is the cost, beyond the record, of a record that is replaced or removed while another
// state keeps it: in the worst case, about the size of the nodes that the write copies.
const placeBytes = 1 << 10

// table is one kind of record in every state. A record never changes in a table.
type table[R any] struct {
	kind string // singular
	of   func(*State) *tree[*R]
	id   func(*R) int64
	// bytes returns the bytes that a state needs for a record: the record, its texts, its entries in
	// the table and in every index, in nodes that are as empty as they can be, and the allocator's
	// overhead. BenchmarkBuild compares the sums with the heap.
	bytes func(*R) int64
	// index updates the indexes after a record was added (before is nil), replaced or removed (after
	// is nil). It is nil for a kind without indexes.
	index func(tx *Tx, before, after *R)
}

// find returns the record with the id, or a [NotFound] error.
func (t *table[R]) find(s *State, id int64) (*R, error) {
	if r, ok := t.of(s).get(id); ok {
		return r, nil
	}
	return nil, notFound(t.kind, id)
}

// copyOf returns a copy of the record with the id, or a [NotFound] error.
func (t *table[R]) copyOf(s *State, id int64) (R, error) {
	r, err := t.find(s, id)
	if err != nil {
		return *new(R), err
	}
	return *r, nil
}

// put adds a record, in place of any record with its id.
func (t *table[R]) put(tx *Tx, r *R) {
	before, _ := t.of(tx.state).mut(tx.owner).Set(t.id(r), r)
	t.changed(tx, before, r)
}

// remove removes a record that the table has.
func (t *table[R]) remove(tx *Tx, r *R) {
	t.of(tx.state).mut(tx.owner).Delete(t.id(r))
	t.changed(tx, r, nil)
}

// delete removes the record with the id, or returns a [NotFound] error.
func (t *table[R]) delete(tx *Tx, id int64) error {
	r, err := t.find(tx.state, id)
	if err == nil {
		t.remove(tx, r)
	}
	return err
}

// changed updates the indexes, the counts and the list of changes.
func (t *table[R]) changed(tx *Tx, before, after *R) {
	if t.index != nil {
		t.index(tx, before, after)
	}
	if before != nil {
		t.count(tx, before, -1)
	}
	if after != nil {
		t.count(tx, after, 1)
		tx.grown = true
	}
	if tx.remember {
		tx.changes = append(tx.changes, change{t, before, after})
	}
}

// count counts a record that the state gets (sign 1) or loses (-1). The origin's records cost
// nothing while the state has them. See [State.own] and [Kept].
func (t *table[R]) count(tx *Tx, r *R, sign int64) {
	bytes := t.bytes(r)
	tx.state.bytes += sign * bytes
	if t.isOrigins(tx, r) {
		tx.state.own -= sign * placeBytes
		return
	}
	tx.state.own += sign * bytes
	if sign < 0 {
		tx.lost += bytes + placeBytes
	}
}

// isOrigins reports whether the record is one of the origin's.
func (t *table[R]) isOrigins(tx *Tx, r *R) bool {
	if tx.origin == nil {
		return false
	}
	origins, _ := t.of(tx.origin).get(t.id(r))
	return origins == r
}

// revert undoes a change.
func (t *table[R]) revert(tx *Tx, c change) {
	if before := c.before.(*R); before != nil {
		t.put(tx, before)
	} else {
		t.remove(tx, c.after.(*R))
	}
}
