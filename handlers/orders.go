package handlers

import (
	"math"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/store"
)

var orders = &resource[store.Order]{
	kind:   "order",
	path:   "/store/orders",
	param:  "orderId",
	idName: "id",
	read:   readOrder,
	check:  checkOrder,
	id:     func(o *store.Order) *int64 { return &o.ID },
	find:   (*store.State).FindOrder,
	insert: (*store.Tx).CreateOrder,
	update: (*store.Tx).UpdateOrder,
	remove: (*store.Tx).DeleteOrder,
}

func readOrder(o *rest.Object, order *store.Order) {
	o.AnyInt("petId", &order.PetID, rest.May, 0)
	o.Int("quantity", &order.Quantity, rest.May, 1, 1)
	o.Time("shipDate", &order.ShipDate, rest.May)
	o.Bool("complete", &order.Complete, rest.May)
}

// checkOrder refuses a petId of 0 too, which names no pet but stands for none in an
// order of the store.
func checkOrder(o *rest.Object, s *store.State, old, sent *store.Order) error {
	if !o.Has("petId") {
		return nil
	}
	if sent.PetID == 0 {
		return s.CheckPet(0)
	}
	return s.CheckOrder(old, *sent)
}

var orderQuery = []string{"limit", "offset", "sort", "petId", "complete"}

func listOrders(x *rest.Exchange) error {
	q := x.ReadQuery()
	query := store.OrderQuery{
		Paging:   q.Paging("id", "petId", "quantity", "shipDate", "complete"),
		PetID:    q.OptionalInt("petId", math.MinInt64, math.MaxInt64),
		Complete: q.Bool("complete"),
	}
	if err := q.Err(); err != nil {
		return err
	}
	return rest.List(x, x.Sandbox.Store.View().ListOrders(query), query.Paging)
}
