package handlers

import (
	"math"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/store"
)

var orders = newResource(resource[store.Order, store.OrderQuery]{
	Noun:    store.Orders,
	path:    "/store/orders",
	param:   "orderId",
	check:   checkOrder,
	filters: []string{"petId", "complete"},
	read: func(q *rest.Query, p store.Paging) store.OrderQuery {
		return store.OrderQuery{Paging: p, PetID: q.OptionalInt("petId", math.MinInt64, math.MaxInt64),
			Complete: q.OptionalBool("complete")}
	},
	page: (*store.State).ListOrders,
})

// checkOrder checks the order's petId. It rejects an explicit 0, because no pet has that id. The
// store would accept 0, because a stored order whose petId is 0 names no pet.
func checkOrder(o *rest.Object[store.Order], s *store.State, old, sent *store.Order) error {
	if !o.Has("petId") {
		return nil
	}
	if sent.PetID == 0 {
		return s.CheckPet(0)
	}
	return s.CheckOrder(old, *sent)
}
