package store

import (
	"math"
	"slices"
	"sort"
)

// idSet is an ordered set of record ids.
type idSet = tree[struct{}]

// statusIndex holds the ids of pets by status.
type statusIndex [len(statuses)]idSet

// sets returns the ids of the pets with one of the wanted statuses.
func (x *statusIndex) sets(wanted []PetStatus) union {
	sets := make(union, len(wanted))
	for i, status := range wanted {
		sets[i] = &x[status.index()]
	}
	return sets
}

func (x *statusIndex) compact() {
	for i := range x {
		x[i].compact()
	}
}

// categoryIndex holds the ids of one category's pets by status. It has no set of all these ids,
// because every write would copy that tree too, and the union of the sets by status has the same
// ids. Once published, an index never changes; a transaction works on its own copy.
type categoryIndex struct {
	owner    *owner
	byStatus statusIndex
}

// index adds the pet to the indexes by status and by category.
func (tx *Tx) index(p *petRow) {
	tx.state.byStatus[p.status].mut(tx.owner).Set(p.id, struct{}{})
	tx.categoryIndex(p.categoryID).byStatus[p.status].mut(tx.owner).Set(p.id, struct{}{})
}

func (tx *Tx) unindex(p *petRow) {
	tx.state.byStatus[p.status].mut(tx.owner).Delete(p.id)
	tx.categoryIndex(p.categoryID).byStatus[p.status].mut(tx.owner).Delete(p.id)
}

// categoryIndex returns the index of a category, which must exist. The transaction may change the
// returned index, because it is a copy.
func (tx *Tx) categoryIndex(id int64) *categoryIndex {
	index, _ := tx.state.byCategory.m.Get(id)
	if index.owner != tx.owner {
		own := *index
		own.owner = tx.owner
		index = &own
		tx.state.byCategory.mut(tx.owner).Set(id, index)
	}
	return index
}

// petSets returns disjoint sets of the ids of the pets that have one of the wanted statuses and one
// of the categories. An empty list of categories matches every category.
func (s *State) petSets(wanted []PetStatus, categories []int64) (sets union) {
	if len(categories) == 0 {
		return s.byStatus.sets(wanted)
	}
	for _, id := range categories {
		if index, ok := s.byCategory.m.Get(id); ok {
			sets = append(sets, index.byStatus.sets(wanted)...)
		}
	}
	return sets
}

// union is the union of disjoint id sets.
type union []*idSet

func (u union) len() int {
	n := 0
	for _, set := range u {
		n += set.m.Len()
	}
	return n
}

// page skips the first offset ids of the union and appends the next limit ids to the slice ids, in
// ascending order. Unless limit is 0, the union must have at least offset+limit ids. The cost
// depends on limit, on the number of sets and on the logarithms of their sizes and of the range of
// ids, but not on offset.
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
	if len(u) == 1 {
		return []int{n}
	}
	lo, hi := make([]int, len(u)), make([]int, len(u)) // the results lie between these
	from, to := 0, 0                                   // the numbers of ids below least and below most
	least, most := int64(math.MaxInt64), int64(math.MinInt64)
	for k, set := range u {
		hi[k] = set.m.Len()
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

// rank returns how many of the set's ids are below id. The result must be from lo to hi.
func (t *tree[V]) rank(id int64, lo, hi int) int {
	return lo + sort.Search(hi-lo, func(i int) bool {
		key, _, _ := t.m.GetAt(lo + i)
		return key >= id
	})
}
