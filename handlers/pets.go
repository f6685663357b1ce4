package handlers

import (
	"example.com/petstore/handlers/portrait"
	"example.com/petstore/handlers/rest"
	"example.com/petstore/store"
)

var pets = newResource(resource[store.Pet, store.PetQuery]{
	Noun:    store.Pets,
	path:    "/pets",
	param:   "petId",
	check:   checkPet,
	filters: []string{"id", "status", "categoryId", "name"},
	read: func(q *rest.Query, p store.Paging) store.PetQuery {
		return store.PetQuery{Paging: p, IDs: q.IDs("id"), Statuses: rest.Choices(q, "status", store.Statuses()...),
			CategoryIDs: q.IDs("categoryId"), Name: q.Text("name")}
	},
	page: (*store.State).ListPets,
})

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
	category, _ := state.FindCategory(pet.CategoryID) // exists, because the pet refers to it
	return x.Drawing(conditions, portrait.Draw(id, category.Name))
}
