package store

import (
	"fmt"
	"strings"

	"example.com/petstore/store/field"
)

// Category is a kind of pet.
type Category struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// Nil if the category has no description; the text is never changed through the pointer.
	Description *string `json:"description,omitzero"`
}

// Categories is the [Noun] for categories.
var Categories = &Noun[Category]{
	Name: "category", Plural: "categories", Key: "id",
	ID: func(c *Category) *int64 { return &c.ID },
	Fields: field.Fields[Category]{
		field.Required("name", func(c *Category) *string { return &c.Name }, field.Text(1, 255)),
		field.Pointer("description", func(c *Category) **string { return &c.Description }, field.Text(0, 1000)),
	},
	Counter: func(c *Counters) *int64 { return &c.Category },
	inUse:   categoryInUse,
	rows:    wholeRows(categoryRows, sameCategory),
}

var categoryRows = &table[Category]{
	kind: "category",
	of:   func(s *State) *tree[*Category] { return &s.categories },
	id:   func(c *Category) *int64 { return &c.ID },
	bytes: func(c *Category) int64 {
		n := categoryBytes + int64(len(c.Name))
		if c.Description != nil {
			n += int64(len(*c.Description))
		}
		return n
	},
	index: func(tx *Tx, before, after *Category) {
		switch {
		case before == nil:
			tx.state.byCategory.mut(tx.owner).Set(after.ID, &categoryIndex{owner: tx.owner})
		case after == nil: // no pet uses the category, because categoryInUse checked that
			tx.state.byCategory.mut(tx.owner).Delete(before.ID)
		}
	},
}

const categoryBytes = 512 // the size of a category and its index of pets, without the category's texts

// AppendJSON appends the category as JSON.
func (c Category) AppendJSON(b []byte) []byte {
	b = appendInt(b, `{"id":`, c.ID)
	b = appendText(b, `,"name":`, c.Name)
	if c.Description != nil {
		b = appendText(b, `,"description":`, *c.Description)
	}
	return append(b, '}')
}

// CategoryQuery selects a page of categories.
type CategoryQuery struct {
	Name string // a substring of the name; case is ignored; "" matches every name
	Paging
}

// FindCategory returns the category with the id, or a [NotFound] error.
func (s *State) FindCategory(id int64) (Category, error) { return Categories.Find(s, id) }

// CheckCategory returns an [UnknownCategory] error if no category has the id.
func (s *State) CheckCategory(id int64) error {
	return categoryRows.checkReference(s, id, UnknownCategory, "/categoryId")
}

// ListCategories returns a page of the matching categories. They can be sorted by id, name and
// description.
func (s *State) ListCategories(q CategoryQuery) Page[Category] {
	match := matchName(q.Name, func(c *Category) string { return c.Name })
	return records(list(&s.categories, match, categoryOrders[q.Sort.Field], q.Paging), whole)
}

var categoryOrders = map[string]order[Category]{
	"name": by(func(c *Category) (string, bool) { return c.Name, true }),
	"description": by(func(c *Category) (string, bool) {
		if c.Description == nil {
			return "", false
		}
		return *c.Description, true
	}),
}

// categoryInUse returns a [CategoryInUse] error if a pet has the category.
func categoryInUse(s *State, id int64) error {
	pets := s.petSets(statuses[:], []int64{id}).len()
	if pets == 0 {
		return nil
	}
	use := "1 pet still uses it"
	if pets > 1 {
		use = fmt.Sprintf("%d pets still use it", pets)
	}
	return &Error{Code: CategoryInUse, Message: fmt.Sprintf("category %d cannot be deleted: %s", id, use),
		Args: []any{id}}
}

func sameCategory(a, b Category) bool {
	if a.Description != nil && b.Description != nil && *a.Description == *b.Description {
		a.Description = b.Description
	}
	return a == b
}

// NameFilter matches names that contain a text, ignoring case. The zero NameFilter matches every
// name.
type NameFilter struct{ part string }

// matchName returns a filter for rows whose name contains part, or nil if part is "".
func matchName[R any](part string, name func(*R) string) func(*R) bool {
	if part == "" {
		return nil
	}
	filter := NewNameFilter(part)
	return func(row *R) bool { return filter.Matches(name(row)) }
}

// NewNameFilter returns a filter for names that contain part.
func NewNameFilter(part string) NameFilter { return NameFilter{strings.ToLower(part)} }

// Matches reports whether name contains the filter's text.
func (f NameFilter) Matches(name string) bool {
	return strings.Contains(strings.ToLower(name), f.part)
}
