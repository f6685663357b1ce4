package handlers

import (
	"fmt"
	"math"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

var inventory = &resource[store.InventoryItem]{
	kind:   "inventory",
	path:   "/store/inventory",
	param:  "petId",
	idName: "petId",
	fields: inventoryFields,
	check:  checkInventory,
	id:     func(i *store.InventoryItem) *int64 { return &i.PetID },
	find:   (*store.State).FindInventoryItem,
	update: func(tx *store.Tx, i store.InventoryItem) (store.InventoryItem, error) {
		return tx.UpdateInventory(i.PetID, i.Quantity)
	},
}

var inventoryFields = field.Fields[store.InventoryItem]{
	field.Ignored[store.InventoryItem]("petId"), // set by the path
	field.Required("quantity", func(i *store.InventoryItem) *int64 { return &i.Quantity }, field.Integer(store.MinStock, math.MaxInt64)),
	field.Optional("status", func(i *store.InventoryItem) *store.PetStatus { return &i.Status }, field.OneOf(store.Statuses()), ""),
}

// checkInventory refuses a status other than the pet's. An entry that was read can be sent back,
// but a change must not be ignored silently.
func checkInventory(o *rest.Object[store.InventoryItem], _ *store.State, old, sent *store.InventoryItem) error {
	if old != nil && sent.Status != "" && sent.Status != old.Status {
		o.Refuse("status", fmt.Sprintf("must be %s, the status of pet %d, or left out; updatePet and replacePet change it", old.Status, old.PetID))
	}
	return nil
}

var inventoryQuery = []string{"limit", "offset", "sort", "status", "maxQuantity"}

func listInventory(x *rest.Exchange) error {
	q := x.ReadQuery()
	query := store.InventoryQuery{
		Paging:      q.Paging("petId", "quantity", "status"),
		Statuses:    q.Status("status"),
		MaxQuantity: q.OptionalInt("maxQuantity", 0, math.MaxInt64),
	}
	if err := q.Err(); err != nil {
		return err
	}
	return rest.List(x, x.View().ListInventory(query), query.Paging)
}
