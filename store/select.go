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
	if len(q.ids) > 0 {
		return scan(s.petsByID(q), q.match, q.order, q.paging)
	}
	if q.match == nil {
		switch q.paging.Sort.Field {
		case "status":
			return s.pageByStatus(q)
		case "categoryId":
			return s.pageByCategory(q)
		}
		if q.order == nil {
			return s.pageByID(q)
		}
	}
	return scan(s.petsByIndex(q), q.match, q.order, q.paging)
}

// petsByID yields the rows of q.ids that match the filters on status and category.
func (s *State) petsByID(q selection) func(func(*petRow) bool) {
	categories := unique(q.categories)
	return func(yield func(*petRow) bool) {
		for _, id := range unique(q.ids) {
			row, ok := s.pets.get(id)
			if !ok || len(q.statuses) > 0 && !slices.Contains(q.statuses, statuses[row.status]) {
				continue
			}
			if _, ok := slices.BinarySearch(categories, row.categoryID); !ok && len(categories) > 0 {
				continue
			}
			if !yield(row) {
				return
			}
		}
	}
}

// petsByIndex yields the rows that match the filters on status and category.
func (s *State) petsByIndex(q selection) func(func(*petRow) bool) {
	if len(q.statuses) == 0 && len(q.categories) == 0 {
		return s.pets.each
	}
	sets := s.petSets(q.statuses, q.categories)
	return func(yield func(*petRow) bool) {
		for _, id := range sets.page(nil, 0, sets.len()) {
			row, _ := s.pets.get(id)
			if !yield(row) {
				return
			}
		}
	}
}

func (s *State) pageByID(q selection) Page[*petRow] {
	p := q.paging
	if len(q.statuses) == 0 && len(q.categories) == 0 {
		page := Page[*petRow]{Total: s.pets.len()}
		s.pets.page(p.Offset, p.limit(page.Total), p.Sort.Desc, func(_ int64, row *petRow) {
			page.Items = append(page.Items, row)
		})
		return page
	}
	sets := s.petSets(q.statuses, q.categories)
	total := sets.len()
	limit := p.limit(total)
	if !p.Sort.Desc {
		return Page[*petRow]{Items: s.petsOf([]union{sets}, p.Offset, limit), Total: total}
	}
	// The page of the descending list is a page of the ascending list in reverse.
	rows := s.petsOf([]union{sets}, total-p.Offset-limit, limit)
	slices.Reverse(rows)
	return Page[*petRow]{Items: rows, Total: total}
}

// pageByStatus returns a page sorted by status.
func (s *State) pageByStatus(q selection) Page[*petRow] {
	wanted := unique(q.statuses)
	if len(wanted) == 0 {
		wanted = statuses[:]
	}
	var groups []union
	for _, status := range wanted {
		groups = append(groups, s.petSets([]PetStatus{status}, q.categories))
	}
	return s.pageOf(directed(groups, q.paging.Sort.Desc), q.paging)
}

// pageByCategory returns a page sorted by category.
func (s *State) pageByCategory(q selection) Page[*petRow] {
	wanted := unique(q.categories)
	if len(wanted) == 0 {
		wanted = s.byCategory.m.Keys()
	}
	var groups []union
	for _, id := range wanted {
		groups = append(groups, s.petSets(q.statuses, []int64{id}))
	}
	return s.pageOf(directed(groups, q.paging.Sort.Desc), q.paging)
}

func directed(groups []union, desc bool) []union {
	if desc {
		slices.Reverse(groups)
	}
	return groups
}

// pageOf returns a page of the concatenated groups. Each group is in id order.
func (s *State) pageOf(groups []union, p Paging) Page[*petRow] {
	total := 0
	for _, group := range groups {
		total += group.len()
	}
	return Page[*petRow]{Items: s.petsOf(groups, p.Offset, p.limit(total)), Total: total}
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
