package store

import "slices"

// selectPets returns a page of the rows that pass the filters of q, except q.Name, and for which
// match returns true. match is for the filters that no index supports; nil matches every row. If
// the indexes support the order and all filters, selectPets reads only the page. Otherwise it scans
// the rows that q.IDs or the indexes select, or all rows.
func (s *State) selectPets(q PetQuery, match func(*petRow) bool) Page[*petRow] {
	q.Statuses, q.CategoryIDs = unique(q.Statuses), unique(q.CategoryIDs)
	filtered := len(q.Statuses) > 0 || len(q.CategoryIDs) > 0
	if len(q.Statuses) == 0 {
		q.Statuses = statuses[:]
	}
	order := petOrders[q.Sort.Field]
	sorted := q.Sort.Field == "status" || q.Sort.Field == "categoryId"
	switch {
	case len(q.IDs) > 0:
		return scan(slices.Values(s.petsByID(q)), match, order, q.Paging)
	case match == nil && (sorted || filtered && order == nil):
		return s.pageByIndex(q)
	case filtered:
		sets := s.petSets(q.Statuses, q.CategoryIDs)
		return scan(slices.Values(s.petsOf([]union{sets}, 0, sets.len())), match, order, q.Paging)
	}
	return list(&s.pets, match, order, q.Paging)
}

// petsByID returns the rows of q.IDs that match the filters on status and category.
func (s *State) petsByID(q PetQuery) (rows []*petRow) {
	for _, id := range unique(q.IDs) {
		row, ok := s.pets.m.Get(id)
		if ok && slices.Contains(q.Statuses, statuses[row.status]) &&
			(len(q.CategoryIDs) == 0 || slices.Contains(q.CategoryIDs, row.categoryID)) {
			rows = append(rows, row)
		}
	}
	return rows
}

// pageByIndex returns a page sorted by status, by category or by id.
func (s *State) pageByIndex(q PetQuery) Page[*petRow] {
	var groups []union // in the order of the sort field; each is in id order
	switch q.Sort.Field {
	case "status":
		for _, status := range q.Statuses {
			groups = append(groups, s.petSets([]PetStatus{status}, q.CategoryIDs))
		}
	case "categoryId":
		categories := q.CategoryIDs
		if len(categories) == 0 {
			categories = s.byCategory.m.Keys()
		}
		for _, id := range categories {
			groups = append(groups, s.petSets(q.Statuses, []int64{id}))
		}
	default:
		groups = []union{s.petSets(q.Statuses, q.CategoryIDs)}
	}
	total := 0
	for _, group := range groups {
		total += group.len()
	}
	offset, limit := q.Offset, q.limit(total)
	if !q.Sort.Desc {
		return Page[*petRow]{s.petsOf(groups, offset, limit), total}
	}
	if petOrders[q.Sort.Field] != nil {
		slices.Reverse(groups)
		return Page[*petRow]{s.petsOf(groups, offset, limit), total}
	}
	// By descending id, the page is the reverse of a page of the ascending list.
	rows := s.petsOf(groups, total-offset-limit, limit)
	slices.Reverse(rows)
	return Page[*petRow]{rows, total}
}

// petsOf concatenates the groups, skips the first offset pets and returns the next limit pets.
// Unless limit is 0, the groups must have at least offset+limit pets.
func (s *State) petsOf(groups []union, offset, limit int) []*petRow {
	ids := make([]int64, 0, limit)
	for _, group := range groups {
		n := group.len()
		ids = group.page(ids, offset, min(limit-len(ids), max(0, n-offset)))
		offset = max(0, offset-n)
	}
	rows := make([]*petRow, len(ids))
	for i, id := range ids {
		rows[i], _ = s.pets.m.Get(id)
	}
	return rows
}
