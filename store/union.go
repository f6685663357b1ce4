package store

import "github.com/tidwall/btree"

// union is the union of disjoint id sets.
type union []*idSet

func (u union) len() int {
	n := 0
	for _, set := range u {
		n += set.len()
	}
	return n
}

// page appends up to limit ids in ascending order to ids, passing over the first
// offset ones. What it costs depends on limit and, by a logarithm, on the sizes
// of the sets, not on offset.
func (u union) page(ids []int64, offset, limit int) []int64 {
	if len(u) == 1 {
		u[0].page(offset, limit, false, func(id int64, _ struct{}) { ids = append(ids, id) })
		return ids
	}
	heads := make([]btree.MapIter[int64, struct{}], 0, len(u))
	for k, position := range u.seek(offset) {
		first, _, ok := u[k].m.GetAt(position)
		if !ok {
			continue // the set has no id after the offset
		}
		head := u[k].m.Iter()
		head.Seek(first)
		heads = append(heads, head)
	}
	for ; limit > 0 && len(heads) > 0; limit-- {
		least := 0
		for k := range heads {
			if heads[k].Key() < heads[least].Key() {
				least = k
			}
		}
		ids = append(ids, heads[least].Key())
		if !heads[least].Next() {
			heads[least] = heads[len(heads)-1]
			heads = heads[:len(heads)-1]
		}
	}
	return ids
}

// seek returns for each set how many of its ids are among the first offset ids
// of the union. It is a selection in sorted arrays: lo and hi enclose the answer
// of each set, and every step ranks one id of the widest set in all of them.
func (u union) seek(offset int) []int {
	lo, hi := make([]int, len(u)), make([]int, len(u))
	for k, set := range u {
		hi[k] = set.len()
	}
	rank := make([]int, len(u))
	for step := 0; ; step++ {
		widest, from, to := 0, 0, 0
		for k := range u {
			if hi[k]-lo[k] > hi[widest]-lo[widest] {
				widest = k
			}
			from += lo[k]
			to += hi[k]
		}
		switch {
		case offset <= from:
			return lo
		case offset >= to:
			return hi
		}
		// Ids of different sets mostly interleave evenly, so the place in
		// proportion is near; the middle in between bounds the worst case.
		width := hi[widest] - lo[widest]
		middle := lo[widest] + width/2
		if step%2 == 0 {
			middle = lo[widest] + int(float64(width)*float64(offset-from)/float64(to-from))
		}
		pivot, _, _ := u[widest].m.GetAt(middle)
		before := 0
		for k, set := range u {
			rank[k] = set.rank(pivot, lo[k], hi[k])
			before += rank[k]
		}
		if before > offset {
			copy(hi, rank)
			continue
		}
		copy(lo, rank)
		if before < offset {
			lo[widest]++ // the pivot itself is among the first offset ids
		}
	}
}

// rank returns how many ids of the set are less than id, which is known to be
// from lo to hi.
func (t *tree[V]) rank(id int64, lo, hi int) int {
	for lo < hi {
		middle := int(uint(lo+hi) / 2)
		if key, _, _ := t.m.GetAt(middle); key < id {
			lo = middle + 1
		} else {
			hi = middle
		}
	}
	return lo
}
