package store

import "github.com/tidwall/btree"

// degree is the B-tree's: a node has 7 to 15 items. A write copies one node a level,
// so small nodes make writes cheap and larger ones save memory. Of 6, 8, 16 and 32,
// 8 creates a pet among a million fastest, in two thirds of the time of 16, at 182
// bytes a pet against 161 (BenchmarkCreatePet, BenchmarkBuild).
const degree = 8

// tree maps ids to values in id order, and counts: the i-th entry is found
// without walking to it.
//
// A tree's header may be copied by assignment. The copy shares every node with
// the original and must not be changed except through [tree.mut], which first
// gives it an identity of its own.
type tree[V any] struct {
	m     btree.Map[int64, V]
	owner *owner
}

// owner is the identity of one transaction. Not empty, since Go may give two
// empty structs one address.
type owner struct{ _ byte }

// mut returns the map for o to change. The first call of an owner makes its
// nodes copy-on-write; those that the owner copied are then changed in place.
func (t *tree[V]) mut(o *owner) *btree.Map[int64, V] {
	if t.owner != o {
		if t.len() == 0 {
			t.m = *btree.NewMap[int64, V](degree)
		} else {
			// Copy renews the identity of both sides. t is the writer's own
			// header, so the published one that readers hold stays untouched.
			t.m = *t.m.Copy()
		}
		t.owner = o
	}
	return &t.m
}

// compact copies every node, which cuts spare room off.
func (t *tree[V]) compact() {
	t.m = *t.m.Copy()
	t.m.ScanMut(func(int64, V) bool { return true })
}

func (t *tree[V]) len() int { return t.m.Len() }

func (t *tree[V]) get(id int64) (V, bool) { return t.m.Get(id) }

// largest returns the largest id; 0: there is none.
func (t *tree[V]) largest() int64 {
	id, _, _ := t.m.Max()
	return id
}

// page calls yield for up to limit entries in id order (the reverse when desc),
// passing over the first offset ones without visiting them.
func (t *tree[V]) page(offset, limit int, desc bool, yield func(id int64, v V)) {
	if offset >= t.len() || limit <= 0 {
		return
	}
	visit := func(id int64, v V) bool {
		yield(id, v)
		limit--
		return limit > 0
	}
	if desc {
		first, _, _ := t.m.GetAt(t.len() - 1 - offset)
		t.m.Descend(first, visit)
		return
	}
	first, _, _ := t.m.GetAt(offset)
	t.m.Ascend(first, visit)
}
