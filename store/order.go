package store

import (
	"math"
	"strconv"

	"example.com/petstore/store/field"
)

// Order is the purchase of a pet.
type Order struct {
	ID       int64  `json:"id"`
	PetID    int64  `json:"petId,omitzero"` // 0 if the order names no pet; the pet may have been deleted
	Quantity int64  `json:"quantity"`
	ShipDate string `json:"shipDate,omitzero"` // RFC 3339, stored exactly as sent, or ""
	Complete bool   `json:"complete"`
}

// Orders is the [Noun] for orders.
var Orders = &Noun[Order]{
	Name: "order", Plural: "orders", Key: "id",
	ID: func(o *Order) *int64 { return &o.ID },
	Fields: field.Fields[Order]{
		field.Optional("petId", func(o *Order) *int64 { return &o.PetID }, field.Reference, 0),
		field.Optional("quantity", func(o *Order) *int64 { return &o.Quantity }, field.Integer(1, math.MaxInt64), 1),
		field.Optional("shipDate", func(o *Order) *string { return &o.ShipDate }, field.DateTime, ""),
		field.Optional("complete", func(o *Order) *bool { return &o.Complete }, field.Boolean, false),
	},
	Counter: func(c *Counters) *int64 { return &c.Order },
	check:   (*State).CheckOrder,
	rows:    wholeRows(orderRows, same[Order]),
}

var orderRows = &table[Order]{
	kind:  "order",
	of:    func(s *State) *tree[*Order] { return &s.orders },
	id:    func(o *Order) *int64 { return &o.ID },
	bytes: func(o *Order) int64 { return orderBytes + int64(len(o.ShipDate)) },
}

const orderBytes = 112 // the size of an order without its ShipDate

// AppendJSON appends the order as JSON.
func (o Order) AppendJSON(b []byte) []byte {
	b = appendInt(b, `{"id":`, o.ID)
	if o.PetID != 0 {
		b = appendInt(b, `,"petId":`, o.PetID)
	}
	b = appendInt(b, `,"quantity":`, o.Quantity)
	if o.ShipDate != "" {
		b = appendText(b, `,"shipDate":`, o.ShipDate)
	}
	b = append(b, `,"complete":`...)
	b = strconv.AppendBool(b, o.Complete)
	return append(b, '}')
}

// OrderQuery selects a page of orders. Filters combine with AND.
type OrderQuery struct {
	PetID    *int64 // nil matches any pet
	Complete *bool  // nil matches both
	Paging
}

// FindOrder returns the order with the id, or a [NotFound] error.
func (s *State) FindOrder(id int64) (Order, error) { return Orders.Find(s, id) }

// ListOrders returns a page of the matching orders. They can be sorted by id, petId, quantity,
// shipDate (the text as sent, by code point) and complete.
func (s *State) ListOrders(q OrderQuery) Page[Order] {
	var match func(*Order) bool
	if q.PetID != nil || q.Complete != nil {
		match = func(o *Order) bool {
			// PetID 0 means that the order names no pet, so a filter by pet 0 matches nothing.
			return (q.PetID == nil || o.PetID == *q.PetID && o.PetID != 0) &&
				(q.Complete == nil || o.Complete == *q.Complete)
		}
	}
	return records(list(&s.orders, match, orderOrders[q.Sort.Field], q.Paging), whole)
}

var orderOrders = map[string]order[Order]{
	"petId":    by(func(o *Order) (int64, bool) { return o.PetID, o.PetID != 0 }),
	"quantity": by(func(o *Order) (int64, bool) { return o.Quantity, true }),
	"shipDate": by(func(o *Order) (string, bool) { return o.ShipDate, o.ShipDate != "" }),
	"complete": by(func(o *Order) (string, bool) { return strconv.FormatBool(o.Complete), true }),
}

// CheckOrder returns an [UnknownPet] error if the order names a pet that does not exist. old is the
// order that o replaces, o itself if it comes from a file, or nil. CheckOrder accepts the petId of
// old, so that the order of a deleted pet can still be completed.
func (s *State) CheckOrder(old *Order, o Order) error {
	if o.PetID == 0 || old != nil && o.PetID == old.PetID {
		return nil
	}
	return s.CheckPet(o.PetID)
}
