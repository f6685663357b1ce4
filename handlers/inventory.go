package handlers

import (
	"math"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/store"
)

var inventory = &resource[store.InventoryItem]{
	kind:  "inventory",
	path:  "/store/inventory",
	param: "petId",
	read:  readInventory,
	id:    func(i *store.InventoryItem) *int64 { return &i.PetID },
	find:  (*store.State).FindInventoryItem,
	update: func(tx *store.Tx, i store.InventoryItem) (store.InventoryItem, error) {
		return tx.UpdateInventory(i.PetID, i.Quantity)
	},
}

func readInventory(o *rest.Object, i *store.InventoryItem) {
	o.ReadOnly("petId", "status") // so that an item that was read can be sent back
	o.Int("quantity", &i.Quantity, rest.Must, 0, 0)
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
	return rest.List(x, x.Sandbox.Store.View().ListInventory(query), query.Paging)
}
