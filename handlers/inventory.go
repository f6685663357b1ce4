package handlers

import (
	"fmt"
	"math"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/store"
)

var inventory = newResource(resource[store.InventoryItem, store.InventoryQuery]{
	Noun:    store.Inventory,
	path:    "/store/inventory",
	param:   "petId",
	check:   checkInventory,
	filters: []string{"status", "maxQuantity"},
	read: func(q *rest.Query, p store.Paging) store.InventoryQuery {
		query := store.InventoryQuery{Paging: p}
		if status := rest.Choice(q, "status", store.Statuses()...); status != "" {
			query.Statuses = []store.PetStatus{status}
		}
		query.MaxQuantity = q.OptionalInt("maxQuantity", 0, math.MaxInt64)
		return query
	},
	page: (*store.State).ListInventory,
})

// checkInventory rejects a status that differs from the pet's. A client may send an entry back
// unchanged, but the server must not silently ignore a changed status.
func checkInventory(o *rest.Object[store.InventoryItem], _ *store.State, old, sent *store.InventoryItem) error {
	if old != nil && sent.Status != "" && sent.Status != old.Status {
		o.Refuse("status",
			fmt.Sprintf("must be %s, the status of pet %d, or left out; updatePet and replacePet change it", old.Status,
				old.PetID))
	}
	return nil
}
