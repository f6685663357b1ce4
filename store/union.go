package store

import (
	"math"
	"slices"
)

// union is the union of disjoint id sets.
type union []*idSet

func (u union) len() int {
	n := 0
	for _, set := range u {
		n += set.len()
	}
	return n
}

// page skips the first offset ids of the union and appends the next limit ids to the slice ids, in
// ascending order. The union must have that many ids. The cost depends on limit, on the number of
// sets and on the logarithms of their sizes and of the range of ids, but not on offset.
func (u union) page(ids []int64, offset, limit int) []int64 {
	if limit == 0 {
		return ids
	}
	first := len(ids)
	for k, skipped := range u.seek(offset) {
		u[k].page(skipped, limit, false, func(id int64, _ struct{}) { ids = append(ids, id) })
	}
	slices.Sort(ids[first:])
	return ids[:first+limit]
}

// seek returns, for each set, how many of its ids are among the first n of the union.
func (u union) seek(n int) []int {
	lo, hi := make([]int, len(u)), make([]int, len(u)) // the results lie between these
	from, to := 0, 0                                   // the numbers of ids below least and below most
	least, most := int64(math.MaxInt64), int64(math.MinInt64)
	for k, set := range u {
		hi[k] = set.len()
		to += hi[k]
		if first, _, ok := set.m.Min(); ok {
			last, _, _ := set.m.Max()
			least, most = min(least, first), max(most, last+1)
		}
	}
	rank := make([]int, len(u))
	for step := 0; from < n && n < to; step++ {
		// Ids are usually evenly spread, so a proportional guess is close. Every other guess is the
		// middle, which bounds the worst case.
		id := least + (most-least)/2
		if step%2 == 0 {
			id = least + int64(float64(most-least)*float64(n-from)/float64(to-from))
		}
		less := 0
		for k, set := range u {
			rank[k] = set.rank(id, lo[k], hi[k])
			less += rank[k]
		}
		if less > n {
			copy(hi, rank)
			to, most = less, id
		} else {
			copy(lo, rank)
			from, least = less, id
		}
	}
	if from < n {
		return hi
	}
	return lo
}

// rank returns the number of ids in the set below id. The result lies between lo and hi.
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
