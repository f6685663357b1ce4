package handlers

import (
	"example.com/petstore/handlers/portrait"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

var pets = &resource[store.Pet]{
	kind:   "pet",
	path:   "/pets",
	param:  "petId",
	idName: "id",
	fields: petFields,
	check:  checkPet,
	id:     func(p *store.Pet) *int64 { return &p.ID },
	find:   (*store.State).FindPet,
	insert: (*store.Tx).CreatePet,
	update: (*store.Tx).UpdatePet,
	remove: (*store.Tx).DeletePet,
}

var petFields = field.Fields[store.Pet]{
	field.Ignored[store.Pet]("id"), // set by the path
	field.Required("name", func(p *store.Pet) *string { return &p.Name }, field.Text(1, store.MaxName)),
	field.Required("categoryId", func(p *store.Pet) *int64 { return &p.CategoryID }, field.AnyInteger),
	field.Optional("status", func(p *store.Pet) *store.PetStatus { return &p.Status }, field.OneOf(store.Statuses()), store.Available),
}

func checkPet(o *rest.Object[store.Pet], s *store.State, _, sent *store.Pet) error {
	if !o.Has("categoryId") {
		return nil
	}
	return s.CheckCategory(sent.CategoryID)
}

// getPetPhoto returns a portrait of the pet, drawn from its id and category.
func getPetPhoto(x *rest.Exchange) error {
	id, err := x.PathID("petId")
	if err != nil {
		return err
	}
	conditions, err := x.ReadPreconditions()
	if err != nil {
		return err
	}
	state := x.View()
	pet, err := state.FindPet(id)
	if err != nil {
		return err
	}
	category, err := state.FindCategory(pet.CategoryID)
	if err != nil {
		return err
	}
	return x.Drawing(conditions, portrait.Draw(id, category.Name))
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
	return rest.List(x, x.View().ListPets(query), query.Paging)
}
