package store

import (
	"math"

	"example.com/petstore/store/field"
)

// InventoryItem is the stock of one pet. Every pet has exactly one.
type InventoryItem struct {
	PetID    int64     `json:"petId"`
	Quantity int64     `json:"quantity"`
	Status   PetStatus `json:"status"` // the status of the pet
}

// Inventory is the [Noun] for inventory items. Items are created, stored and deleted with their
// pets.
var Inventory = &Noun[InventoryItem]{
	Name: "inventory", Plural: "inventory", Key: "petId",
	ID: func(i *InventoryItem) *int64 { return &i.PetID },
	Fields: field.Fields[InventoryItem]{
		field.Required("quantity", func(i *InventoryItem) *int64 { return &i.Quantity },
			field.Integer(0, math.MaxInt64)),
		field.Optional("status", func(i *InventoryItem) *PetStatus { return &i.Status }, field.OneOf(statuses[:]), ""),
	},
	implied: func(d delta[InventoryItem]) bool {
		if d.before == nil {
			return d.after.Quantity == 0
		}
		return d.after == nil || d.after.Quantity == d.before.Quantity
	},
	rows: rowsOf[petRow, InventoryItem]{petRows, (*petRow).item, itemRow, (*petRow).keepPet, same[InventoryItem]},
}

// AppendJSON appends the item as JSON.
func (i InventoryItem) AppendJSON(b []byte) []byte {
	b = appendInt(b, `{"petId":`, i.PetID)
	b = appendInt(b, `,"quantity":`, i.Quantity)
	b = appendText(b, `,"status":`, string(i.Status))
	return append(b, '}')
}

// InventoryQuery selects a page of inventory items. Filters combine with AND, and the values of one
// filter with OR.
type InventoryQuery struct {
	Statuses    []PetStatus // empty matches any status
	MaxQuantity *int64      // nil matches any quantity
	Paging
}

func (p *petRow) item() InventoryItem {
	return InventoryItem{PetID: p.id, Quantity: p.quantity, Status: statuses[p.status]}
}

// itemRow returns a row with the item's pet id and quantity; keepPet sets the other fields.
func itemRow(item InventoryItem) *petRow { return &petRow{id: item.PetID, quantity: item.Quantity} }

func (p *petRow) keepPet(old *petRow) {
	p.name, p.categoryID, p.status = old.name, old.categoryID, old.status
}

// FindInventoryItem returns the item of the pet, or a [NotFound] error.
func (s *State) FindInventoryItem(petID int64) (InventoryItem, error) {
	return Inventory.Find(s, petID)
}

// ListInventory returns a page of the matching items. They can be sorted by petId, quantity and
// status. A filter or sort by quantity scans every item that passes the status filter.
func (s *State) ListInventory(q InventoryQuery) Page[InventoryItem] {
	var match func(*petRow) bool
	if q.MaxQuantity != nil {
		match = func(p *petRow) bool { return p.quantity <= *q.MaxQuantity }
	}
	return records(s.selectPets(PetQuery{Statuses: q.Statuses, Paging: q.Paging}, match), (*petRow).item)
}
