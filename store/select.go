package store

import "slices"

// selection is a query for pets and their inventory entries.
type selection struct {
	ids        []int64
	statuses   []PetStatus
	categories []int64
	match      func(*petRow) bool // the filters that no index supports, or nil
	order      order[petRow]
	paging     Paging
}

// selectPets returns a page of the matching rows. If the indexes support the order and all filters,
// it reads only the page. Otherwise it scans the rows that q.ids or the indexes select.
func (s *State) selectPets(q selection) Page[*petRow] {
	q.statuses, q.categories = unique(q.statuses), unique(q.categories)
	filtered := len(q.statuses) > 0 || len(q.categories) > 0
	if len(q.statuses) == 0 {
		q.statuses = statuses[:]
	}
	sorted := q.paging.Sort.Field == "status" || q.paging.Sort.Field == "categoryId"
	switch {
	case len(q.ids) > 0:
		return scan(slices.Values(s.petsByID(q)), q.match, q.order, q.paging)
	case q.match == nil && (sorted || filtered && q.order == nil):
		return s.pageByIndex(q)
	case filtered:
		sets := s.petSets(q.statuses, q.categories)
		return scan(slices.Values(s.petsOf([]union{sets}, 0, sets.len())), q.match, q.order, q.paging)
	}
	return list(&s.pets, q.match, q.order, q.paging)
}

// petsByID returns the rows of q.ids that match the filters on status and category.
func (s *State) petsByID(q selection) (rows []*petRow) {
	for _, id := range unique(q.ids) {
		row, ok := s.pets.get(id)
		if ok && slices.Contains(q.statuses, statuses[row.status]) &&
			(len(q.categories) == 0 || slices.Contains(q.categories, row.categoryID)) {
			rows = append(rows, row)
		}
	}
	return rows
}

// pageByIndex returns a page sorted by status, by category or by id.
func (s *State) pageByIndex(q selection) Page[*petRow] {
	var groups []union // in the order of the sort field; each is in id order
	switch q.paging.Sort.Field {
	case "status":
		for _, status := range q.statuses {
			groups = append(groups, s.petSets([]PetStatus{status}, q.categories))
		}
	case "categoryId":
		categories := q.categories
		if len(categories) == 0 {
			categories = s.byCategory.m.Keys()
		}
		for _, id := range categories {
			groups = append(groups, s.petSets(q.statuses, []int64{id}))
		}
	default:
		groups = []union{s.petSets(q.statuses, q.categories)}
	}
	total := 0
	for _, group := range groups {
		total += group.len()
	}
	offset, limit := q.paging.Offset, q.paging.limit(total)
	if !q.paging.Sort.Desc {
		return Page[*petRow]{s.petsOf(groups, offset, limit), total}
	}
	if q.order != nil {
		slices.Reverse(groups)
		return Page[*petRow]{s.petsOf(groups, offset, limit), total}
	}
	// The page of the list by descending id is a page of the ascending list in reverse.
	rows := s.petsOf(groups, total-offset-limit, limit)
	slices.Reverse(rows)
	return Page[*petRow]{rows, total}
}

// petsOf concatenates the groups, skips the first offset pets and returns the next limit pets. The
// groups must have that many pets.
func (s *State) petsOf(groups []union, offset, limit int) []*petRow {
	ids := make([]int64, 0, limit)
	for _, group := range groups {
		n := group.len()
		ids = group.page(ids, offset, min(limit-len(ids), max(0, n-offset)))
		offset = max(0, offset-n)
	}
	rows := make([]*petRow, len(ids))
	for i, id := range ids {
		rows[i], _ = s.pets.get(id)
	}
	return rows
}
