package store

// MinStock is the least quantity of an inventory item.
const MinStock = 0

// InventoryItem is the stock of one pet. Every pet has exactly one.
type InventoryItem struct {
	PetID    int64     `json:"petId"`
	Quantity int64     `json:"quantity"`
	Status   PetStatus `json:"status"` // the status of the pet
}

// InventoryQuery selects a page of inventory items. Filters combine with AND, the values of one
// filter with OR.
type InventoryQuery struct {
	Statuses    []PetStatus
	MaxQuantity *int64 // nil matches any quantity
	Paging
}

func (p *petRow) item() InventoryItem {
	return InventoryItem{PetID: p.id, Quantity: p.quantity, Status: statuses[p.status]}
}

// FindInventoryItem returns the item of the pet, or a [NotFound] error.
func (s *State) FindInventoryItem(petID int64) (InventoryItem, error) {
	row, ok := s.pets.get(petID)
	if !ok {
		return InventoryItem{}, notFound("pet", petID)
	}
	return row.item(), nil
}

// ListInventory returns a page of the items that match. Sort fields are petId, quantity and status.
// A filter or sort by quantity scans every item that the status filter leaves.
func (s *State) ListInventory(q InventoryQuery) Page[InventoryItem] {
	query := selection{statuses: q.Statuses, paging: q.Paging}
	if q.MaxQuantity != nil {
		query.match = func(p *petRow) bool { return p.quantity <= *q.MaxQuantity }
	}
	switch q.Sort.Field {
	case "quantity":
		query.order = by(func(p *petRow) (int64, bool) { return p.quantity, true })
	case "status":
		query.order = petOrder("status")
	}
	rows := s.selectPets(query)
	page := Page[InventoryItem]{Total: rows.Total, Items: make([]InventoryItem, len(rows.Items))}
	for i, row := range rows.Items {
		page.Items[i] = row.item()
	}
	return page
}

// UpdateInventory sets the quantity of a pet, or returns a [NotFound] error.
func (tx *Tx) UpdateInventory(petID, quantity int64) (InventoryItem, error) {
	old, ok := tx.state.pets.get(petID)
	if !ok {
		return InventoryItem{}, notFound("pet", petID)
	}
	if quantity == old.quantity {
		return old.item(), nil
	}
	row := *old
	row.quantity = quantity
	row.put(tx)
	return row.item(), nil
}
