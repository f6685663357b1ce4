package registry

import (
	"cmp"
	"slices"
	"strings"

	"example.com/petstore/store"
)

// sortKey is a field by which sandboxes can be sorted. Its values are texts or numbers.
type sortKey struct {
	field string
	of    func(*Entry) (text string, number int64)
}

var sortKeys = []sortKey{
	{"name", func(s *Entry) (string, int64) { return s.Name, 0 }},
	{"title", func(s *Entry) (string, int64) { return s.Title, 0 }},
	{"createdAt", func(s *Entry) (string, int64) { return "", s.Created.UnixMicro() }},
	{"lastUsedAt", func(s *Entry) (string, int64) { return "", s.lastUsed.Load() }},
	{"writes", func(s *Entry) (string, int64) { return "", s.Writes() }},
	{"requests", func(s *Entry) (string, int64) { return "", int64(s.Journal.Activity().Requests) }},
	{"errors", func(s *Entry) (string, int64) { return "", int64(s.Journal.Activity().Errors) }},
}

// SortFields returns the names of the fields that [Registry.Page] accepts.
func SortFields() []string {
	var fields []string
	for _, key := range sortKeys {
		fields = append(fields, key.field)
	}
	return fields
}

// Page returns a page of the sandboxes whose name or title matches the filter, and the total number
// of such sandboxes. The field to sort by must be one of [SortFields], or "" for the name.
func (r *Registry) Page(filter store.NameFilter, p store.Paging) store.Page[*Entry] {
	field := cmp.Or(p.Sort.Field, "name")
	key := sortKeys[slices.IndexFunc(sortKeys, func(k sortKey) bool { return k.field == field })]
	var all []ranked
	for _, sb := range r.List() {
		if filter.Matches(sb.Name) || filter.Matches(sb.Title) {
			text, n := key.of(sb)
			all = append(all, ranked{sb, text, n})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { // equal ones stay sorted by name
		order := cmp.Or(strings.Compare(a.text, b.text), cmp.Compare(a.n, b.n))
		if p.Sort.Desc {
			order = -order
		}
		return order
	})
	begin := min(p.Offset, len(all))
	end := begin + min(p.Limit, len(all)-begin)
	page := store.Page[*Entry]{Items: make([]*Entry, 0, end-begin), Total: len(all)}
	for _, sb := range all[begin:end] {
		page.Items = append(page.Items, sb.Entry)
	}
	return page
}

// ranked is a sandbox with a copy of its sort key, because the key may change during sorting.
type ranked struct {
	*Entry
	text string
	n    int64
}
