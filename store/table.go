package store

import (
	"github.com/tidwall/btree"

	"example.com/petstore/store/field"
)

// PlaceBytes is the additional cost of replacing or removing a record that another state keeps. It
// is about the size of the nodes that the write copies, in the worst case.
const PlaceBytes = 1 << 10

// table describes how a state stores the records of one kind. A stored record never changes.
type table[R any] struct {
	kind string // the singular noun, such as "pet"
	of   func(*State) *tree[*R]
	id   func(*R) *int64
	// bytes returns the number of bytes that a state needs for a record: for the record itself, its
	// texts (but not a status, which is a constant), its entries in the table and the indexes, and the
	// allocator's overhead. It assumes that tree nodes are as empty as they can be.
	bytes func(*R) int64
	// index updates the indexes when a record has been added, replaced or removed. For an added record,
	// before is nil. For a removed record, after is nil. A kind without indexes has a nil index.
	index func(tx *Tx, before, after *R)
}

// find returns the record with the id, or a [NotFound] error.
func (t *table[R]) find(s *State, id int64) (*R, error) {
	if r, ok := t.of(s).m.Get(id); ok {
		return r, nil
	}
	return nil, field.Refusal(NotFound, "there is no %s with id %d", t.kind, id)
}

// checkReference returns an error with the given code and field if no record has the id.
func (t *table[R]) checkReference(s *State, id int64, code Code, pointer string) error {
	if _, err := t.find(s, id); err != nil {
		return &Error{Field: pointer, Message: err.Error(), Code: code}
	}
	return nil
}

// put adds a record, or replaces the record that has the same id.
func (t *table[R]) put(tx *Tx, r *R) {
	before, _ := t.of(tx.state).mut(tx.owner).Set(*t.id(r), r)
	t.changed(tx, before, r)
}

// remove removes a record that is in the table.
func (t *table[R]) remove(tx *Tx, r *R) {
	t.of(tx.state).mut(tx.owner).Delete(*t.id(r))
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

// changed updates the indexes, the byte counts and the list of changes.
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
	if tx.recording {
		tx.changes = append(tx.changes, change{t, before, after})
	}
}

// count counts a record that the state gains (sign 1) or loses (sign -1). The origin's records cost
// nothing while the state has them. See [State.own] and [Kept].
func (t *table[R]) count(tx *Tx, r *R, sign int64) {
	bytes := t.bytes(r)
	tx.state.bytes += sign * bytes
	if origins, _ := t.of(tx.origin).m.Get(*t.id(r)); origins == r {
		tx.state.own -= sign * PlaceBytes
		return
	}
	tx.state.own += sign * bytes
	if sign < 0 {
		tx.lost += bytes + PlaceBytes
	}
}

// revert undoes a change.
func (t *table[R]) revert(tx *Tx, c change) {
	if before := c.before.(*R); before != nil {
		t.put(tx, before)
	} else {
		t.remove(tx, c.after.(*R))
	}
}

// degree makes a node of a B-tree have 7 to 15 items. A write copies one node per level,
// so smaller nodes make writes cheaper, and larger nodes save memory. Of the degrees 6, 8, 16 and
// 32, 8 is the fastest at creating a pet among a million. Degree 8 takes two thirds of the time of
// degree 16, and 182 bytes for each pet instead of 161.
const degree = 8

// tree maps ids to values in id order and finds the i-th entry without a scan.
//
// A tree may be copied by assignment. The copy shares every node with the original. Any change must
// go through [tree.mut], so that it does not affect the other copies.
type tree[V any] struct {
	m     btree.Map[int64, V]
	owner *owner
}

// owner identifies one transaction. It is not empty, because Go may give two empty structs the same
// address.
type owner struct{ _ byte }

// mut returns the map, which the transaction o may then change. The first call for a transaction
// makes the nodes copy-on-write. Nodes that the transaction has already copied are changed in
// place.
func (t *tree[V]) mut(o *owner) *btree.Map[int64, V] {
	if t.owner != o {
		if t.m.Len() == 0 {
			t.m = *btree.NewMap[int64, V](degree)
		} else {
			// Copy writes to both maps. Readers are not affected, because t belongs to the writer
			// and is itself a copy of the published tree.
			t.m = *t.m.Copy()
		}
		t.owner = o
	}
	return &t.m
}

func (t *tree[V]) len() int { return t.m.Len() }

// compact copies every node, without spare capacity.
func (t *tree[V]) compact() {
	t.m = *t.m.Copy()
	t.m.ScanMut(func(int64, V) bool { return true })
}

// page calls yield for up to limit entries in id order, or in reverse if desc. It skips the first
// offset entries without visiting them.
func (t *tree[V]) page(offset, limit int, desc bool, yield func(id int64, v V)) {
	if offset >= t.m.Len() || limit <= 0 {
		return
	}
	visit := func(id int64, v V) bool {
		yield(id, v)
		limit--
		return limit > 0
	}
	if desc {
		first, _, _ := t.m.GetAt(t.m.Len() - 1 - offset)
		t.m.Descend(first, visit)
		return
	}
	first, _, _ := t.m.GetAt(offset)
	t.m.Ascend(first, visit)
}
