package store

// idSet is an ordered set of record ids.
type idSet = tree[struct{}]

// categoryIndex holds the ids of one category's pets by status. There is no set of the ids of all
// the category's pets, because the union of the three sets has the same ids and a write then copies
// one tree fewer. Once published, an index never changes; a transaction works on its own copy.
type categoryIndex struct {
	owner    *owner
	byStatus [len(statuses)]idSet
}

// sets returns the ids of the pets with one of the wanted statuses. If wanted is empty, it returns
// all ids.
func (c *categoryIndex) sets(wanted []PetStatus) union {
	if len(wanted) == 0 {
		wanted = statuses[:]
	}
	sets := make(union, len(wanted))
	for i, status := range wanted {
		sets[i] = &c.byStatus[status.index()]
	}
	return sets
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
	index, _ := tx.state.byCategory.get(id)
	if index.owner != tx.owner {
		own := *index
		own.owner = tx.owner
		index = &own
		tx.state.byCategory.mut(tx.owner).Set(id, index)
	}
	return index
}

// petSets returns disjoint sets of the ids of the pets that have one of the wanted statuses and one
// of the categories. An empty list matches everything. At most one of the lists may be empty.
func (s *State) petSets(wanted []PetStatus, categories []int64) union {
	wanted = unique(wanted)
	var sets union
	for _, status := range wanted {
		if len(categories) == 0 {
			sets = append(sets, &s.byStatus[status.index()])
		}
	}
	for _, id := range unique(categories) {
		index, ok := s.byCategory.get(id)
		if !ok {
			continue
		}
		sets = append(sets, index.sets(wanted)...)
	}
	return sets
}
