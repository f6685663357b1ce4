package store

import "slices"

// PetStatus is a pet's availability.
type PetStatus string

// The statuses of a pet.
const (
	Available PetStatus = "available"
	Pending   PetStatus = "pending"
	Sold      PetStatus = "sold"
)

// statuses are in code point order, so a list sorted by status is one index after the other.
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

// petRow is a pet and its inventory entry, which share the status. A number for the status keeps
// the row small.
type petRow struct {
	id, categoryID, quantity int64
	name                     string
	status                   int8 // index in statuses
}

func newPetRow(p Pet, quantity int64) *petRow {
	return &petRow{id: p.ID, categoryID: p.CategoryID, quantity: quantity, name: p.Name, status: int8(p.Status.index())}
}

func (p *petRow) pet() Pet {
	return Pet{ID: p.id, Name: p.name, CategoryID: p.categoryID, Status: statuses[p.status]}
}

// PetQuery selects a page of pets. Filters combine with AND, the values of one filter with OR. An
// empty filter matches everything.
type PetQuery struct {
	IDs         []int64
	Statuses    []PetStatus
	CategoryIDs []int64
	Name        string // a substring, in any case
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

// ListPets returns a page of the pets that match. Sort fields are id, name, categoryId and status.
// A page costs its own length, whatever the offset and the number of pets. A filter or sort by name
// scans every pet that the other filters leave.
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

// CreatePet adds a pet with an inventory entry of quantity 0 and returns the pet. If p.ID is 0, the
// pet gets the next id. The error is [UnknownCategory], [Full] or [NoID].
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

// UpdatePet replaces the pet with p's id. The error is [NotFound] or [UnknownCategory].
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

// DeletePet deletes a pet and its inventory entry, or returns a [NotFound] error. Orders keep their
// petId as history.
func (tx *Tx) DeletePet(id int64) error {
	old, ok := tx.state.pets.get(id)
	if !ok {
		return notFound("pet", id)
	}
	old.remove(tx)
	return nil
}
