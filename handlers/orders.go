package handlers

import (
	"math"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/store"
	"example.com/petstore/store/field"
)

var orders = &resource[store.Order]{
	kind:   "order",
	path:   "/store/orders",
	param:  "orderId",
	idName: "id",
	fields: orderFields,
	check:  checkOrder,
	id:     func(o *store.Order) *int64 { return &o.ID },
	find:   (*store.State).FindOrder,
	insert: (*store.Tx).CreateOrder,
	update: (*store.Tx).UpdateOrder,
	remove: (*store.Tx).DeleteOrder,
}

var orderFields = field.Fields[store.Order]{
	field.Ignored[store.Order]("id"), // set by the path
	field.Optional("petId", func(o *store.Order) *int64 { return &o.PetID }, field.AnyInteger, 0),
	field.Optional("quantity", func(o *store.Order) *int64 { return &o.Quantity }, field.Integer(store.MinOrdered, math.MaxInt64), 1),
	field.Optional("shipDate", func(o *store.Order) *string { return &o.ShipDate }, field.DateTime, ""),
	field.Optional("complete", func(o *store.Order) *bool { return &o.Complete }, field.Boolean, false),
}

// checkOrder also refuses a petId of 0: it is no pet's id, but in the store it means no pet.
func checkOrder(o *rest.Object[store.Order], s *store.State, old, sent *store.Order) error {
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
	return rest.List(x, x.View().ListOrders(query), query.Paging)
}
