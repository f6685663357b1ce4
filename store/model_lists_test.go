package store

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

func (m *model) listCategories(q CategoryQuery) Page[Category] {
	return page(m.categories, func(c Category) bool { return hasPart(c.Name, q.Name) }, "id", q.Paging)
}

func (m *model) listPets(q PetQuery) Page[Pet] {
	return page(m.pets, func(p Pet) bool {
		return oneOf(q.IDs, p.ID) && oneOf(q.Statuses, p.Status) && oneOf(q.CategoryIDs, p.CategoryID) && hasPart(p.Name, q.Name)
	}, "id", q.Paging)
}

func (m *model) listInventory(q InventoryQuery) Page[InventoryItem] {
	return page(m.inventory(), func(i InventoryItem) bool {
		return oneOf(q.Statuses, i.Status) && (q.MaxQuantity == nil || i.Quantity <= *q.MaxQuantity)
	}, "petId", q.Paging)
}

func (m *model) listOrders(q OrderQuery) Page[Order] {
	return page(m.orders, func(o Order) bool {
		return (q.PetID == nil || o.PetID == *q.PetID) && (q.Complete == nil || o.Complete == *q.Complete)
	}, "id", q.Paging)
}

func (m *model) listMessages(q MessageQuery) Page[Message] {
	return page(m.messages, all, "id", q.Paging)
}

func all[T any](T) bool { return true }

func oneOf[T comparable](wanted []T, v T) bool { return len(wanted) == 0 || slices.Contains(wanted, v) }

func hasPart(name, part string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(part))
}

// page is the reference implementation of every list. It takes the matching records,
// sorts them by the field's JSON value and cuts the page out.
func page[T any](table map[int64]T, match func(T) bool, idField string, p Paging) Page[T] {
	type row struct {
		record T
		key    any
	}
	var rows []row
	for _, id := range slices.Sorted(maps.Keys(table)) {
		if match(table[id]) {
			rows = append(rows, row{table[id], jsonField(table[id], cmp.Or(p.Sort.Field, idField))})
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		switch {
		case a.key == nil && b.key == nil:
			return 0
		case a.key == nil:
			return 1
		case b.key == nil:
			return -1
		case p.Sort.Desc:
			return compareJSON(b.key, a.key)
		}
		return compareJSON(a.key, b.key)
	})
	page := Page[T]{Items: []T{}, Total: len(rows)}
	for i, row := range rows {
		if i >= p.Offset && (p.Limit == 0 || i-p.Offset < p.Limit) {
			page.Items = append(page.Items, row.record)
		}
	}
	return page
}

func jsonField(record any, field string) any {
	var fields map[string]any
	must(0, json.Unmarshal(must(json.Marshal(record)), &fields))
	return fields[field]
}

func compareJSON(a, b any) int {
	switch a := a.(type) {
	case float64:
		return cmp.Compare(a, b.(float64))
	case string:
		return strings.Compare(a, b.(string))
	case bool:
		if a == b {
			return 0
		} else if a {
			return 1
		}
		return -1
	}
	panic("a field that cannot be sorted by")
}
