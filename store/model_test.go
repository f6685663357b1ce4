package store

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// model is the simplest implementation of the store: it uses maps, and lists by a full
// scan.
type model struct {
	categories map[int64]Category
	pets       map[int64]Pet
	stock      map[int64]int64
	orders     map[int64]Order
	messages   map[int64]Message
	last       Counters
	room       int
}

func newModel(room int) *model {
	return &model{
		map[int64]Category{}, map[int64]Pet{}, map[int64]int64{}, map[int64]Order{}, map[int64]Message{},
		Counters{}, room,
	}
}

func (m *model) clone() *model {
	return &model{
		maps.Clone(m.categories), maps.Clone(m.pets), maps.Clone(m.stock), maps.Clone(m.orders), maps.Clone(m.messages),
		m.last, m.room,
	}
}

func refuse[T any](code Code) (T, error) { return *new(T), &Error{Code: code} }

// add calls make with the record's id and puts the result into the table.
func add[T any](m *model, table map[int64]T, id int64, last *int64, make func(id int64) T) (T, error) {
	if len(m.categories)+len(m.pets)+len(m.orders)+len(m.messages) >= m.room {
		return refuse[T](Full)
	}
	if id == 0 {
		id = *last + 1
	}
	*last = max(*last, id)
	table[id] = make(id)
	return table[id], nil
}

func (m *model) createCategory(c Category) (Category, error) {
	return add(m, m.categories, c.ID, &m.last.Category, func(id int64) Category { c.ID = id; return c })
}

func (m *model) updateCategory(c Category) (Category, error) {
	if _, ok := m.categories[c.ID]; !ok {
		return refuse[Category](NotFound)
	}
	m.categories[c.ID] = c
	return c, nil
}

func (m *model) deleteCategory(id int64) error {
	if _, ok := m.categories[id]; !ok {
		return &Error{Code: NotFound}
	}
	for _, p := range m.pets {
		if p.CategoryID == id {
			return &Error{Code: CategoryInUse}
		}
	}
	delete(m.categories, id)
	return nil
}

func (m *model) createPet(p Pet) (Pet, error) {
	if _, ok := m.categories[p.CategoryID]; !ok {
		return refuse[Pet](UnknownCategory)
	}
	p, err := add(m, m.pets, p.ID, &m.last.Pet, func(id int64) Pet { p.ID = id; return p })
	if err == nil {
		m.stock[p.ID] += 0 // a pet that is replaced keeps its quantity
	}
	return p, err
}

func (m *model) updatePet(p Pet) (Pet, error) {
	if _, ok := m.pets[p.ID]; !ok {
		return refuse[Pet](NotFound)
	}
	if _, ok := m.categories[p.CategoryID]; !ok {
		return refuse[Pet](UnknownCategory)
	}
	m.pets[p.ID] = p
	return p, nil
}

func (m *model) deletePet(id int64) error {
	if _, ok := m.pets[id]; !ok {
		return &Error{Code: NotFound}
	}
	delete(m.pets, id)
	delete(m.stock, id)
	return nil
}

func (m *model) updateInventory(item InventoryItem) (InventoryItem, error) {
	pet, ok := m.pets[item.PetID]
	if !ok {
		return refuse[InventoryItem](NotFound)
	}
	m.stock[item.PetID] = item.Quantity
	item.Status = pet.Status
	return item, nil
}

func (m *model) createOrder(o Order) (Order, error) {
	if _, ok := m.pets[o.PetID]; !ok && o.PetID != 0 {
		return refuse[Order](UnknownPet)
	}
	return m.restoreOrder(o)
}

func (m *model) restoreOrder(o Order) (Order, error) {
	return add(m, m.orders, o.ID, &m.last.Order, func(id int64) Order { o.ID = id; return o })
}

func (m *model) updateOrder(o Order) (Order, error) {
	old, ok := m.orders[o.ID]
	if !ok {
		return refuse[Order](NotFound)
	}
	if _, ok := m.pets[o.PetID]; !ok && o.PetID != 0 && o.PetID != old.PetID {
		return refuse[Order](UnknownPet)
	}
	m.orders[o.ID] = o
	return o, nil
}

func (m *model) deleteOrder(id int64) error {
	if _, ok := m.orders[id]; !ok {
		return &Error{Code: NotFound}
	}
	delete(m.orders, id)
	return nil
}

func (m *model) createMessage(msg Message) (Message, error) {
	return add(m, m.messages, msg.ID, &m.last.Message, func(id int64) Message { msg.ID = id; return msg })
}

// largest returns the largest id in a table, or least if that is larger.
func largest[T any](table map[int64]T, least int64) int64 {
	for id := range table {
		least = max(least, id)
	}
	return least
}

// find returns an implementation of FindCategory, FindPet and so on.
func find[T any](table map[int64]T) func(id int64) (T, error) {
	return func(id int64) (T, error) {
		if record, ok := table[id]; ok {
			return record, nil
		}
		return refuse[T](NotFound)
	}
}

func (m *model) inventory() map[int64]InventoryItem {
	items := map[int64]InventoryItem{}
	for id, pet := range m.pets {
		items[id] = InventoryItem{PetID: id, Quantity: m.stock[id], Status: pet.Status}
	}
	return items
}

func (m *model) contents() contents {
	return contents{
		Categories: page(m.categories, all, "id", Paging{}).Items,
		Pets:       page(m.pets, all, "id", Paging{}).Items,
		Inventory:  page(m.inventory(), all, "petId", Paging{}).Items,
		Orders:     page(m.orders, all, "id", Paging{}).Items,
		Messages:   page(m.messages, all, "id", Paging{}).Items,
		Counters:   m.last,
	}
}

// model returns a model with the contents.
func (c contents) model(room int) *model {
	m := newModel(room)
	m.last = c.Counters
	for _, r := range c.Categories {
		m.categories[r.ID] = r
	}
	for _, r := range c.Pets {
		m.pets[r.ID] = r
	}
	for _, r := range c.Inventory {
		m.stock[r.PetID] = r.Quantity
	}
	for _, r := range c.Orders {
		m.orders[r.ID] = r
	}
	for _, r := range c.Messages {
		m.messages[r.ID] = r
	}
	return m
}

func (m *model) listCategories(q CategoryQuery) Page[Category] {
	return page(m.categories, func(c Category) bool { return hasPart(c.Name, q.Name) }, "id", q.Paging)
}

func (m *model) listPets(q PetQuery) Page[Pet] {
	return page(m.pets, func(p Pet) bool {
		return oneOf(q.IDs, p.ID) && oneOf(q.Statuses, p.Status) && oneOf(q.CategoryIDs, p.CategoryID) &&
			hasPart(p.Name, q.Name)
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
