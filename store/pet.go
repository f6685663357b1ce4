package store

import "slices"

// PetStatus says whether a pet can be bought.
type PetStatus string

// The statuses that a pet can have.
const (
	Available PetStatus = "available"
	Pending   PetStatus = "pending"
	Sold      PetStatus = "sold"
)

// statuses are in code point order, so that a list sorted by status is one
// index after the other.
var statuses = [...]PetStatus{Available, Pending, Sold}

// Statuses returns every status, in the order that sorting by status gives.
func Statuses() []PetStatus { return slices.Clone(statuses[:]) }

func (s PetStatus) index() int { return slices.Index(statuses[:], s) }

// Pet is an animal of the store.
type Pet struct {
	ID         int64     `json:"id"`
	Name       string    `json:"name"`
	CategoryID int64     `json:"categoryId"`
	Status     PetStatus `json:"status"`
}

// petRow is a pet with its inventory entry, whose status is the pet's: one truth
// in two views. A number for the status keeps it small.
type petRow struct {
	id, categoryID, quantity int64
	name                     string
	status                   int8 // its place in statuses
}

func newPetRow(p Pet, quantity int64) *petRow {
	return &petRow{id: p.ID, categoryID: p.CategoryID, quantity: quantity, name: p.Name, status: int8(p.Status.index())}
}

func (p *petRow) pet() Pet {
	return Pet{ID: p.id, Name: p.name, CategoryID: p.categoryID, Status: statuses[p.status]}
}

// PetQuery asks for a page of pets. The filters combine with AND, the values of
// one with OR; an empty one matches everything.
type PetQuery struct {
	IDs         []int64
	Statuses    []PetStatus
	CategoryIDs []int64
	Name        string // a part of the name in any case
	Paging
}

// FindPet returns the pet with the id, or a [NotFound] error.
func (s *State) FindPet(id int64) (Pet, error) {
	row, ok := s.pets.get(id)
	if !ok {
		return Pet{}, notFound("pet", id)
	}
	return row.pet(), nil
}

// CheckPet returns an [UnknownPet] error unless there is a pet with the id.
func (s *State) CheckPet(id int64) error {
	if _, ok := s.pets.get(id); !ok {
		return unknownPet(id)
	}
	return nil
}

// ListPets returns a page of the pets that match. Sort fields are id, name,
// categoryId and status. A page costs its own length, whatever the offset and
// the number of pets, unless it filters or sorts by name: then every pet that
// the other filters leave is looked at.
func (s *State) ListPets(q PetQuery) Page[Pet] {
	rows := s.selectPets(selection{
		ids: q.IDs, statuses: q.Statuses, categories: q.CategoryIDs,
		match: matchName(q.Name), order: petOrder(q.Sort.Field), paging: q.Paging,
	})
	page := Page[Pet]{Total: rows.Total, Items: make([]Pet, len(rows.Items))}
	for i, row := range rows.Items {
		page.Items[i] = row.pet()
	}
	return page
}

func matchName(part string) func(*petRow) bool {
	if part == "" {
		return nil
	}
	name := NewNameFilter(part)
	return func(p *petRow) bool { return name.Matches(p.name) }
}

func petOrder(field string) order[petRow] {
	switch field {
	case "name":
		return by(func(p *petRow) (string, bool) { return p.name, true })
	case "categoryId":
		return by(func(p *petRow) (int64, bool) { return p.categoryID, true })
	case "status":
		return by(func(p *petRow) (int8, bool) { return p.status, true })
	}
	return nil
}

// CreatePet adds a pet with an inventory entry of quantity 0 and returns it with
// its id: the given one, or the next when that is 0. The error is an
// [UnknownCategory], a [Full] or a [NoID] one.
func (tx *Tx) CreatePet(p Pet) (Pet, error) {
	if err := tx.state.CheckCategory(p.CategoryID); err != nil {
		return Pet{}, err
	}
	id, err := tx.assign(p.ID, &tx.state.last.Pet)
	if err != nil {
		return Pet{}, err
	}
	p.ID = id
	newPetRow(p, 0).put(tx)
	return p, nil
}

// UpdatePet replaces the pet that has p's id. The error is a [NotFound] or an
// [UnknownCategory] one.
func (tx *Tx) UpdatePet(p Pet) (Pet, error) {
	old, ok := tx.state.pets.get(p.ID)
	if !ok {
		return Pet{}, notFound("pet", p.ID)
	}
	if err := tx.state.CheckCategory(p.CategoryID); err != nil {
		return Pet{}, err
	}
	if p != old.pet() {
		newPetRow(p, old.quantity).put(tx)
	}
	return p, nil
}

// DeletePet deletes a pet and its inventory entry, or returns a [NotFound]
// error. Orders keep their reference to it as history.
func (tx *Tx) DeletePet(id int64) error {
	old, ok := tx.state.pets.get(id)
	if !ok {
		return notFound("pet", id)
	}
	old.remove(tx)
	return nil
}
