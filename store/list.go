package store

import (
	"cmp"
	"slices"
)

// Paging selects the order of a list and the part to return.
type Paging struct {
	Sort   Sort
	Offset int // the number of records to skip
	Limit  int // the maximum number of records to return; 0 means no limit
}

// Sort orders a list by a field, given by its JSON name. An empty or unknown name sorts by id. In
// either direction, equal records are in ascending id order, and records without the field come
// last.
type Sort struct {
	Field string
	Desc  bool
}

// Page is a part of a list.
type Page[T any] struct {
	Items []T // not nil
	Total int // the number of records that match
}

// limit returns the number of records on the page, if total records match.
func (p Paging) limit(total int) int {
	left := max(0, total-p.Offset)
	if p.Limit == 0 {
		return left
	}
	return min(p.Limit, left)
}

// order returns the comparison function for a direction. A nil order means id order.
type order[T any] func(desc bool) func(a, b *T) int

// by returns an order by the given key. The key function returns false for a record that lacks the
// key.
func by[T any, K cmp.Ordered](key func(*T) (K, bool)) order[T] {
	return byFunc(key, cmp.Compare[K])
}

// byFunc is like by, but for keys that need their own comparison function.
func byFunc[T, K any](key func(*T) (K, bool), compare func(a, b K) int) order[T] {
	return func(desc bool) func(a, b *T) int {
		return func(a, b *T) int {
			ka, hasA := key(a)
			kb, hasB := key(b)
			switch {
			case hasA != hasB && hasA:
				return -1
			case hasA != hasB:
				return 1
			case desc:
				return compare(kb, ka)
			}
			return compare(ka, kb)
		}
	}
}

// list returns a page of a table. If match and order are nil, the cost depends only on the length
// of the page. Otherwise list scans the table.
func list[T any](t *tree[*T], match func(*T) bool, order order[T], p Paging) Page[T] {
	var rows Page[*T]
	if match == nil && order == nil {
		rows = Page[*T]{Total: t.len()}
		t.page(p.Offset, p.limit(t.len()), p.Sort.Desc, func(_ int64, row *T) {
			rows.Items = append(rows.Items, row)
		})
	} else {
		rows = scan(t.each, match, order, p)
	}
	return values(rows)
}

// each calls yield for the values in id order, until yield returns false.
func (t *tree[V]) each(yield func(V) bool) {
	t.m.Scan(func(_ int64, v V) bool { return yield(v) })
}

// scan returns a page of the rows that match. It reads all rows, which must come in id order.
func scan[T any](rows func(yield func(*T) bool), match func(*T) bool, order order[T], p Paging) Page[*T] {
	if order == nil && !p.Sort.Desc {
		return cut(rows, match, p)
	}
	var matching []*T
	for row := range rows {
		if match == nil || match(row) {
			matching = append(matching, row)
		}
	}
	if order != nil {
		slices.SortStableFunc(matching, order(p.Sort.Desc)) // stable, so equal records stay in id order
	} else {
		slices.Reverse(matching)
	}
	first := min(p.Offset, len(matching))
	return Page[*T]{
		Items: matching[first : first+p.limit(len(matching))],
		Total: len(matching),
	}
}

// cut is like scan, but for a page in ascending id order. It keeps only the rows of the page in
// memory.
func cut[T any](rows func(yield func(*T) bool), match func(*T) bool, p Paging) Page[*T] {
	var page Page[*T]
	for row := range rows {
		if match != nil && !match(row) {
			continue
		}
		if page.Total >= p.Offset && (p.Limit == 0 || len(page.Items) < p.Limit) {
			page.Items = append(page.Items, row)
		}
		page.Total++
	}
	return page
}

// values returns a page of copies, so that the caller may change them.
func values[T any](rows Page[*T]) Page[T] {
	page := Page[T]{Items: make([]T, len(rows.Items)), Total: rows.Total}
	for i, row := range rows.Items {
		page.Items[i] = *row
	}
	return page
}

// unique returns the distinct values in ascending order.
func unique[T cmp.Ordered](values []T) []T {
	if len(values) < 2 {
		return values
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}
