package store

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

// categoryIndex holds the ids of one category's pets by status. There is no set of the ids of all
// the category's pets, because the union of the three sets has the same ids and a write then copies
// one tree fewer. Once published, an index never changes; a transaction works on its own copy.
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
// of the categories. An empty list of categories matches every category.
func (s *State) petSets(wanted []PetStatus, categories []int64) (sets union) {
	if len(categories) == 0 {
		return s.byStatus.sets(wanted)
	}
	for _, id := range categories {
		if index, ok := s.byCategory.get(id); ok {
			sets = append(sets, index.byStatus.sets(wanted)...)
		}
	}
	return sets
}
