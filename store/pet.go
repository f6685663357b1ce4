package store

import (
	"slices"

	"example.com/petstore/store/field"
)

// PetStatus is a pet's availability.
type PetStatus string

// The statuses of a pet.
const (
	Available PetStatus = "available"
	Pending   PetStatus = "pending"
	Sold      PetStatus = "sold"
)

// statuses is in code point order, so that reading the index of one status after the other gives a
// list sorted by status.
var statuses = [...]PetStatus{Available, Pending, Sold}

// Statuses returns every status, in sort order.
func Statuses() []PetStatus { return slices.Clone(statuses[:]) }

func (s PetStatus) index() int { return slices.Index(statuses[:], s) }

// Pet is an animal in the store.
type Pet struct {
	ID         int64     `json:"id"`
	Name       string    `json:"name"`
	CategoryID int64     `json:"categoryId"`
	Status     PetStatus `json:"status"`
}

// Pets is the [Noun] for pets.
var Pets = &Noun[Pet]{
	Name: "pet", Plural: "pets", Key: "id",
	ID: func(p *Pet) *int64 { return &p.ID },
	Fields: field.Fields[Pet]{
		field.Required("name", func(p *Pet) *string { return &p.Name }, field.Text(1, 255)),
		field.Required("categoryId", func(p *Pet) *int64 { return &p.CategoryID }, field.Reference),
		field.Optional("status", func(p *Pet) *PetStatus { return &p.Status }, field.OneOf(statuses[:]), Available),
	},
	Counter: func(c *Counters) *int64 { return &c.Pet },
	check:   func(s *State, _ *Pet, p Pet) error { return s.CheckCategory(p.CategoryID) },
	rows:    rowsOf[petRow, Pet]{petRows, (*petRow).pet, petRowOf, (*petRow).keepQuantity, same[Pet]},
}

var petRows = &table[petRow]{
	kind:  "pet",
	of:    func(s *State) *tree[*petRow] { return &s.pets },
	id:    func(p *petRow) *int64 { return &p.id },
	bytes: func(p *petRow) int64 { return petBytes + int64(len(p.name)) },
	index: func(tx *Tx, before, after *petRow) {
		if before != nil && after != nil && before.status == after.status && before.categoryID == after.categoryID {
			return
		}
		if before != nil {
			tx.unindex(before)
		}
		if after != nil {
			tx.index(after)
		}
	},
}

const petBytes = 176 // the size of a pet and its inventory entry, without the pet's name

// AppendJSON appends the pet as JSON.
func (p Pet) AppendJSON(b []byte) []byte {
	b = appendInt(b, `{"id":`, p.ID)
	b = appendText(b, `,"name":`, p.Name)
	b = appendInt(b, `,"categoryId":`, p.CategoryID)
	b = appendText(b, `,"status":`, string(p.Status))
	return append(b, '}')
}

// petRow is a pet and its inventory entry, which have the same status. Storing the status as a
// number keeps the row small.
type petRow struct {
	id, categoryID, quantity int64
	name                     string
	status                   int8 // an index into statuses
}

// petRowOf returns a row with the pet and the quantity 0.
func petRowOf(p Pet) *petRow {
	return &petRow{id: p.ID, categoryID: p.CategoryID, name: p.Name, status: int8(p.Status.index())}
}

func (p *petRow) keepQuantity(old *petRow) { p.quantity = old.quantity }

func (p *petRow) pet() Pet {
	return Pet{ID: p.id, Name: p.name, CategoryID: p.categoryID, Status: statuses[p.status]}
}

// PetQuery selects a page of pets. Filters combine with AND, and the values of one filter with OR.
// An empty filter matches everything.
type PetQuery struct {
	IDs         []int64
	Statuses    []PetStatus
	CategoryIDs []int64
	Name        string // a substring of the name; case is ignored
	Paging
}

// FindPet returns the pet with the id, or a [NotFound] error.
func (s *State) FindPet(id int64) (Pet, error) { return Pets.Find(s, id) }

// CheckPet returns an [UnknownPet] error if no pet has the id.
func (s *State) CheckPet(id int64) error {
	return petRows.checkReference(s, id, UnknownPet, "/petId")
}

// ListPets returns a page of the matching pets. They can be sorted by id, name, categoryId,
// status or quantity. The cost of a page depends on its length and the number of categories, not on
// the offset or the number of pets, with two exceptions: a filter by id reads every pet with one of
// the ids, and a filter by name, or a sort by name or quantity, reads every pet that passes the
// other filters.
func (s *State) ListPets(q PetQuery) Page[Pet] {
	match := matchName(q.Name, func(p *petRow) string { return p.name })
	return records(s.selectPets(q, match), (*petRow).pet)
}

// petOrders are the sort orders for lists of pets and of inventory items.
var petOrders = map[string]order[petRow]{
	"name":       by(func(p *petRow) (string, bool) { return p.name, true }),
	"categoryId": by(func(p *petRow) (int64, bool) { return p.categoryID, true }),
	"quantity":   by(func(p *petRow) (int64, bool) { return p.quantity, true }),
	"status":     by(func(p *petRow) (int8, bool) { return p.status, true }),
}
