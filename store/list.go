package store

import (
	"cmp"
	"iter"
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

// order compares two rows for a list in ascending or, if desc is true, descending order. A nil
// order means id order.
type order[T any] func(a, b *T, desc bool) int

// by returns an order by the given key. The key function returns false for a record that lacks the
// key.
func by[T any, K cmp.Ordered](key func(*T) (K, bool)) order[T] {
	return byFunc(key, cmp.Compare[K])
}

// byFunc is like by, but for keys that need their own comparison function.
func byFunc[T, K any](key func(*T) (K, bool), compare func(a, b K) int) order[T] {
	return func(a, b *T, desc bool) int {
		ka, hasA := key(a)
		kb, hasB := key(b)
		switch {
		case hasA && !hasB:
			return -1
		case hasB && !hasA:
			return 1
		case desc:
			return compare(kb, ka)
		}
		return compare(ka, kb)
	}
}

// list returns a page of a table. If match and order are nil, the cost depends only on the length
// of the page. Otherwise list scans the table.
func list[T any](t *tree[*T], match func(*T) bool, order order[T], p Paging) Page[*T] {
	if match != nil || order != nil {
		return scan(t.each, match, order, p)
	}
	total := t.m.Len()
	page := Page[*T]{make([]*T, 0, p.limit(total)), total}
	t.page(p.Offset, cap(page.Items), p.Sort.Desc, func(_ int64, row *T) { page.Items = append(page.Items, row) })
	return page
}

// each calls yield for the values in id order, until yield returns false.
func (t *tree[V]) each(yield func(V) bool) {
	t.m.Scan(func(_ int64, v V) bool { return yield(v) })
}

// scan returns a page of the rows that match. It reads all rows, which must come in id order. If
// the page is in that order, scan keeps only the rows of the page in memory.
func scan[T any](rows iter.Seq[*T], match func(*T) bool, order order[T], p Paging) (page Page[*T]) {
	inOrder := order == nil && !p.Sort.Desc
	for row := range rows {
		if match != nil && !match(row) {
			continue
		}
		if !inOrder || page.Total >= p.Offset && (p.Limit == 0 || len(page.Items) < p.Limit) {
			page.Items = append(page.Items, row)
		}
		page.Total++
	}
	if inOrder {
		return page
	}
	if order != nil {
		// A stable sort keeps equal records in id order.
		slices.SortStableFunc(page.Items, func(a, b *T) int { return order(a, b, p.Sort.Desc) })
	} else {
		slices.Reverse(page.Items)
	}
	first := min(p.Offset, page.Total)
	page.Items = page.Items[first : first+p.limit(page.Total)]
	return page
}

// records converts a page of rows to a page of records, which the caller may change.
func records[R, T any](rows Page[*R], view func(*R) T) Page[T] {
	page := Page[T]{Items: make([]T, len(rows.Items)), Total: rows.Total}
	for i, row := range rows.Items {
		page.Items[i] = view(row)
	}
	return page
}

// unique returns the distinct values in ascending order.
func unique[T cmp.Ordered](values []T) []T {
	values = slices.Clone(values)
	slices.Sort(values)
	return slices.Compact(values)
}
