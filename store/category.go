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
	Find: (*State).FindCategory, Create: (*Tx).CreateCategory, Update: (*Tx).UpdateCategory,
	Delete:  (*Tx).DeleteCategory,
	Restore: (*Tx).CreateCategory, Remove: (*Tx).DeleteCategory,
	Counter: func(c *Counters) *int64 { return &c.Category },
	rows:    rowsOf[Category, Category]{categoryRows, whole[Category], sameCategory},
}

var categoryRows = &table[Category]{
	kind: "category",
	of:   func(s *State) *tree[*Category] { return &s.categories },
	id:   func(c *Category) int64 { return c.ID },
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
		case after == nil: // no pet uses the category, because DeleteCategory checked that
			tx.state.byCategory.mut(tx.owner).Delete(before.ID)
		}
	},
}

const categoryBytes = 512 // without texts; includes the category's index of pets

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
func (s *State) FindCategory(id int64) (Category, error) {
	return categoryRows.copyOf(s, id)
}

// CheckCategory returns an [UnknownCategory] error if no category has the id.
func (s *State) CheckCategory(id int64) error {
	if _, ok := s.categories.get(id); !ok {
		return unknownCategory(id)
	}
	return nil
}

// ListCategories returns a page of the matching categories. They can be sorted by id, name and
// description.
func (s *State) ListCategories(q CategoryQuery) Page[Category] {
	var match func(*Category) bool
	if q.Name != "" {
		name := NewNameFilter(q.Name)
		match = func(c *Category) bool { return name.Matches(c.Name) }
	}
	var order order[Category]
	switch q.Sort.Field {
	case "name":
		order = by(func(c *Category) (string, bool) { return c.Name, true })
	case "description":
		order = by(func(c *Category) (string, bool) {
			if c.Description == nil {
				return "", false
			}
			return *c.Description, true
		})
	}
	return list(&s.categories, match, order, q.Paging)
}

// CreateCategory adds a category and returns it. If c.ID is 0, the category gets the next id. If
// another category has the id, c replaces it and keeps its pets. The error is [Full] or [NoID].
func (tx *Tx) CreateCategory(c Category) (Category, error) {
	if err := tx.assign(&c.ID, &tx.state.last.Category); err != nil {
		return Category{}, err
	}
	categoryRows.put(tx, &c)
	return c, nil
}

// UpdateCategory replaces the category whose id is c.ID, or returns a [NotFound] error.
func (tx *Tx) UpdateCategory(c Category) (Category, error) {
	old, err := tx.state.FindCategory(c.ID)
	if err != nil {
		return Category{}, err
	}
	if !sameCategory(old, c) {
		categoryRows.put(tx, &c)
	}
	return c, nil
}

// DeleteCategory deletes a category that no pet uses. The error is [NotFound] or [CategoryInUse].
func (tx *Tx) DeleteCategory(id int64) error {
	c, err := categoryRows.find(tx.state, id)
	if err != nil {
		return err
	}
	if index, _ := tx.state.byCategory.get(id); index.sets(nil).len() > 0 {
		return categoryInUse(id, index.sets(nil).len())
	}
	categoryRows.remove(tx, c)
	return nil
}

func categoryInUse(id int64, pets int) error {
	use := "1 pet still uses it"
	if pets > 1 {
		use = fmt.Sprintf("%d pets still use it", pets)
	}
	return &Error{Code: CategoryInUse, Message: fmt.Sprintf("category %d cannot be deleted: %s", id, use),
		Args: []any{id}}
}

// NameFilter matches names that contain a text, ignoring case. The zero NameFilter matches every
// name.
type NameFilter struct{ part string }

// NewNameFilter returns a filter for names that contain part.
func NewNameFilter(part string) NameFilter { return NameFilter{strings.ToLower(part)} }

// Matches reports whether name contains the filter's text.
func (f NameFilter) Matches(name string) bool {
	return strings.Contains(strings.ToLower(name), f.part)
}
