package handlers

import (
	"example.com/petstore/handlers/rest"
	"example.com/petstore/store"
)

// Bounds of the fields, in code points.
const (
	longestName        = 255
	longestDescription = 1000
	longestMessage     = 4000
)

var pets = &resource[store.Pet]{
	kind:   "pet",
	path:   "/pets",
	param:  "petId",
	idName: "id",
	read:   readPet,
	check:  checkPet,
	id:     func(p *store.Pet) *int64 { return &p.ID },
	find:   (*store.State).FindPet,
	insert: (*store.Tx).CreatePet,
	update: (*store.Tx).UpdatePet,
	remove: (*store.Tx).DeletePet,
}

func readPet(o *rest.Object, p *store.Pet) {
	o.String("name", &p.Name, rest.Must, "", 1, longestName)
	o.AnyInt("categoryId", &p.CategoryID, rest.Must, 0)
	rest.Enum(o, "status", &p.Status, rest.May, store.Available, store.Statuses())
}

func checkPet(o *rest.Object, s *store.State, _, sent *store.Pet) error {
	if !o.Has("categoryId") {
		return nil
	}
	return s.CheckCategory(sent.CategoryID)
}

var petQuery = []string{"limit", "offset", "sort", "id", "status", "categoryId", "name"}

func listPets(x *rest.Exchange) error {
	q := x.ReadQuery()
	query := store.PetQuery{
		Paging:      q.Paging("id", "name", "categoryId", "status"),
		IDs:         q.IDs("id"),
		Statuses:    q.Statuses("status"),
		CategoryIDs: q.IDs("categoryId"),
		Name:        q.Text("name"),
	}
	if err := q.Err(); err != nil {
		return err
	}
	return rest.List(x, x.Sandbox.Store.View().ListPets(query), query.Paging)
}
