package store

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// listing is a list of any noun, cut down to the ids and the total.
type listing func(*State) ([]int64, int)

func ids[T any](page Page[T], id func(T) int64) ([]int64, int) {
	ids := []int64{}
	for _, record := range page.Items {
		ids = append(ids, id(record))
	}
	return ids, page.Total
}

func pets(q PetQuery) listing {
	return func(s *State) ([]int64, int) { return ids(s.ListPets(q), func(p Pet) int64 { return p.ID }) }
}

func categories(q CategoryQuery) listing {
	return func(s *State) ([]int64, int) { return ids(s.ListCategories(q), func(c Category) int64 { return c.ID }) }
}

func orders(q OrderQuery) listing {
	return func(s *State) ([]int64, int) { return ids(s.ListOrders(q), func(o Order) int64 { return o.ID }) }
}

func inventory(q InventoryQuery) listing {
	return func(s *State) ([]int64, int) {
		return ids(s.ListInventory(q), func(i InventoryItem) int64 { return i.PetID })
	}
}

func messages(q MessageQuery) listing {
	return func(s *State) ([]int64, int) { return ids(s.ListMessages(q), func(m Message) int64 { return m.ID }) }
}

func sorted(field string) Paging     { return Paging{Sort: Sort{Field: field}} }
func sortedDesc(field string) Paging { return Paging{Sort: Sort{Field: field, Desc: true}} }

// listWorld is small enough to be read beside the table below.
func listWorld(tx *Tx) error {
	for _, c := range []Category{
		{Name: "dogs", Description: new("bark")}, {Name: "Cats"}, {Name: "cats", Description: new("Bark")},
		{Name: "dogfish", Description: new("")}, {Name: "none"},
	} {
		must(tx.CreateCategory(c))
	}
	for i, p := range []Pet{
		{Name: "Rex", CategoryID: 1, Status: Sold},
		{Name: "tom", CategoryID: 2, Status: Available},
		{Name: "Tom", CategoryID: 3, Status: Pending},
		{Name: "Édouard", CategoryID: 1, Status: Available},
		{Name: "T-Rex", CategoryID: 2, Status: Sold},
		{Name: "Rex", CategoryID: 1, Status: Pending},
	} {
		pet := must(tx.CreatePet(p))
		must(tx.UpdateInventory(InventoryItem{PetID: pet.ID, Quantity: int64(i % 3)}))
	}
	for _, o := range []Order{
		{PetID: 2, Quantity: 3, ShipDate: "2026-01-02T00:00:00Z", Complete: true},
		{Quantity: 1},
		{PetID: 1, Quantity: 3, ShipDate: "2026-01-01T00:00:00Z"},
		{PetID: 2, Quantity: 2},
	} {
		must(tx.CreateOrder(o))
	}
	for _, m := range []Message{
		{Message: "b", CreatedAt: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}, // beyond what nanoseconds in an int64 reach
		{Message: "a", CreatedAt: time.Date(2026, 1, 1, 0, 0, 0, 1, time.UTC)},
		{Message: "b", CreatedAt: time.Time{}},
		{Message: "c", CreatedAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		must(tx.CreateMessage(m))
	}
	return nil
}

func TestLists(t *testing.T) {
	t.Parallel()
	state := must(Build(listWorld))
	tests := []struct {
		name  string
		list  listing
		want  []int64
		total int
	}{
		{"id order without a sort", pets(PetQuery{}), []int64{1, 2, 3, 4, 5, 6}, 6},
		{"descending without a field", pets(PetQuery{Paging: sortedDesc("")}), []int64{6, 5, 4, 3, 2, 1}, 6},
		{"descending by id", pets(PetQuery{Paging: sortedDesc("id")}), []int64{6, 5, 4, 3, 2, 1}, 6},
		{"unknown field is id", pets(PetQuery{Paging: sortedDesc("colour")}), []int64{6, 5, 4, 3, 2, 1}, 6},
		{"strings by code point", pets(PetQuery{Paging: sorted("name")}), []int64{1, 6, 5, 3, 2, 4}, 6},
		{"ties ascending though descending", pets(PetQuery{Paging: sortedDesc("name")}), []int64{4, 2, 3, 5, 1, 6}, 6},
		{"status", pets(PetQuery{Paging: sorted("status")}), []int64{2, 4, 3, 6, 1, 5}, 6},
		{"status descending", pets(PetQuery{Paging: sortedDesc("status")}), []int64{1, 5, 3, 6, 2, 4}, 6},
		{"category descending", pets(PetQuery{Paging: sortedDesc("categoryId")}), []int64{3, 2, 5, 1, 4, 6}, 6},
		{"quantity", inventory(InventoryQuery{Paging: sorted("quantity")}), []int64{1, 4, 2, 5, 3, 6}, 6},
		{"quantity descending", inventory(InventoryQuery{Paging: sortedDesc("quantity")}), []int64{3, 6, 2, 5, 1, 4}, 6},
		{"inventory by petId descending", inventory(InventoryQuery{Paging: sortedDesc("petId")}), []int64{6, 5, 4, 3, 2, 1}, 6},
		{"inventory by status descending", inventory(InventoryQuery{Paging: sortedDesc("status")}), []int64{1, 5, 3, 6, 2, 4}, 6},
		{"message ties", messages(MessageQuery{sortedDesc("message")}), []int64{4, 1, 3, 2}, 4},
		{"times however far apart", messages(MessageQuery{sorted("createdAt")}), []int64{3, 4, 2, 1}, 4},
		{"times descending", messages(MessageQuery{sortedDesc("createdAt")}), []int64{1, 2, 4, 3}, 4},
		{"false before true", orders(OrderQuery{Paging: sorted("complete")}), []int64{2, 3, 4, 1}, 4},
		{"order quantity", orders(OrderQuery{Paging: sortedDesc("quantity")}), []int64{1, 3, 4, 2}, 4},

		{"missing last", orders(OrderQuery{Paging: sorted("petId")}), []int64{3, 1, 4, 2}, 4},
		{"missing last descending", orders(OrderQuery{Paging: sortedDesc("petId")}), []int64{1, 4, 3, 2}, 4},
		{"several missing in id order", orders(OrderQuery{Paging: sorted("shipDate")}), []int64{3, 1, 2, 4}, 4},
		{"several missing descending", orders(OrderQuery{Paging: sortedDesc("shipDate")}), []int64{1, 3, 2, 4}, 4},
		{"empty is not missing", categories(CategoryQuery{Paging: sorted("description")}), []int64{4, 3, 1, 2, 5}, 5},
		{"empty is not missing descending", categories(CategoryQuery{Paging: sortedDesc("description")}), []int64{1, 3, 4, 2, 5}, 5},
		{"category names", categories(CategoryQuery{Paging: sorted("name")}), []int64{2, 3, 4, 1, 5}, 5},

		{"statuses or", pets(PetQuery{Statuses: []PetStatus{Sold, Pending}}), []int64{1, 3, 5, 6}, 4},
		{"statuses or, descending", pets(PetQuery{Statuses: []PetStatus{Sold, Pending}, Paging: sortedDesc("id")}), []int64{6, 5, 3, 1}, 4},
		{"categories or", pets(PetQuery{CategoryIDs: []int64{3, 2}}), []int64{2, 3, 5}, 3},
		{"status and category", pets(PetQuery{Statuses: []PetStatus{Sold}, CategoryIDs: []int64{1}}), []int64{1}, 1},
		{"statuses and categories", pets(PetQuery{Statuses: []PetStatus{Sold, Available}, CategoryIDs: []int64{1, 2}}), []int64{1, 2, 4, 5}, 4},
		{"all filters", pets(PetQuery{IDs: []int64{1, 5, 6}, Statuses: []PetStatus{Sold}, CategoryIDs: []int64{2}, Name: "rex"}), []int64{5}, 1},
		{"ids and status", pets(PetQuery{IDs: []int64{6, 2, 1}, Statuses: []PetStatus{Sold, Pending}}), []int64{1, 6}, 2},
		{"ids and category", pets(PetQuery{IDs: []int64{6, 2, 1}, CategoryIDs: []int64{1}}), []int64{1, 6}, 2},
		{"repeated ids", pets(PetQuery{IDs: []int64{4, 2, 4, 2, 2}}), []int64{2, 4}, 2},
		{"unknown ids", pets(PetQuery{IDs: []int64{99, 3, 0, -1}}), []int64{3}, 1},
		{"repeated status", pets(PetQuery{Statuses: []PetStatus{Sold, Sold}}), []int64{1, 5}, 2},
		{"repeated categories, sorted", pets(PetQuery{CategoryIDs: []int64{2, 1, 2}, Paging: sorted("categoryId")}), []int64{1, 4, 6, 2, 5}, 5},
		{"unknown category", pets(PetQuery{CategoryIDs: []int64{99}}), []int64{}, 0},
		{"unknown category and status, sorted", pets(PetQuery{CategoryIDs: []int64{99}, Statuses: []PetStatus{Sold}, Paging: sorted("categoryId")}), []int64{}, 0},
		{"unknown category and another", pets(PetQuery{CategoryIDs: []int64{99, 3}}), []int64{3}, 1},
		{"category without pets", pets(PetQuery{CategoryIDs: []int64{5}}), []int64{}, 0},
		{"name in any case", pets(PetQuery{Name: "tOM"}), []int64{2, 3}, 2},
		{"name beyond ASCII", pets(PetQuery{Name: "éDOU"}), []int64{4}, 1},
		{"name and status", pets(PetQuery{Name: "re", Statuses: []PetStatus{Sold}, Paging: sortedDesc("id")}), []int64{5, 1}, 2},
		{"category name", categories(CategoryQuery{Name: "DOG"}), []int64{1, 4}, 2},
		{"orders of a pet", orders(OrderQuery{PetID: new(int64(2))}), []int64{1, 4}, 2},
		{"incomplete orders of a pet", orders(OrderQuery{PetID: new(int64(2)), Complete: new(false)}), []int64{4}, 1},
		{"quantity up to zero", inventory(InventoryQuery{MaxQuantity: new(int64(0))}), []int64{1, 4}, 2},
		{"quantity and status", inventory(InventoryQuery{MaxQuantity: new(int64(1)), Statuses: []PetStatus{Sold, Available}}), []int64{1, 2, 4, 5}, 4},

		{"page", pets(PetQuery{Paging: Paging{Offset: 2, Limit: 3}}), []int64{3, 4, 5}, 6},
		{"limit 0 is all that is left", pets(PetQuery{Paging: Paging{Offset: 4}}), []int64{5, 6}, 6},
		{"offset at the end", pets(PetQuery{Paging: Paging{Offset: 6, Limit: 3}}), []int64{}, 6},
		{"offset beyond any end", pets(PetQuery{Paging: Paging{Offset: math.MaxInt, Limit: math.MaxInt}}), []int64{}, 6},
		{"offset beyond the end, filtered", pets(PetQuery{Statuses: []PetStatus{Sold}, Paging: Paging{Offset: 3, Limit: 1, Sort: Sort{Desc: true}}}), []int64{}, 2},
		{"offset beyond the end, by name", pets(PetQuery{Name: "tom", Paging: Paging{Offset: 3, Limit: 1}}), []int64{}, 2},
		{"page over two statuses", pets(PetQuery{Paging: Paging{Sort: Sort{Field: "status"}, Offset: 1, Limit: 2}}), []int64{4, 3}, 6},
		{"page of a descending filter", pets(PetQuery{Statuses: []PetStatus{Sold, Pending}, Paging: Paging{Sort: Sort{Desc: true}, Offset: 1, Limit: 2}}), []int64{5, 3}, 4},
		{"page of a sort by name", pets(PetQuery{Paging: Paging{Sort: Sort{Field: "name"}, Offset: 4, Limit: 9}}), []int64{2, 4}, 6},
		{"page of orders", orders(OrderQuery{Paging: Paging{Sort: Sort{Desc: true}, Offset: 1, Limit: 2}}), []int64{3, 2}, 4},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, total := test.list(state)
			wantEqual(t, "ids", got, test.want)
			wantEqual(t, "total", total, test.total)
		})
	}
}

// A caller may do what it likes with a page and with a record it was given.
func TestListsAreCopies(t *testing.T) {
	t.Parallel()
	state := must(Build(listWorld))
	before := contentsOf(state)
	state.ListPets(PetQuery{}).Items[0].Name = "other"
	state.ListCategories(CategoryQuery{}).Items[0].Name = "other"
	state.ListOrders(OrderQuery{}).Items[0].Quantity = 99
	state.ListInventory(InventoryQuery{}).Items[0].Quantity = 99
	state.ListMessages(MessageQuery{}).Items[0].Message = "other"
	wantEqual(t, "contents", contentsOf(state), before)
}

// Lists of nothing are empty, not nil, so that they are [] in JSON.
func TestListsOfNothing(t *testing.T) {
	t.Parallel()
	for _, field := range []string{"", "status", "categoryId", "name"} {
		t.Run(fmt.Sprintf("pets by %q", field), func(t *testing.T) {
			t.Parallel()
			wantEqual(t, "page", new(State).ListPets(PetQuery{Paging: sortedDesc(field)}), Page[Pet]{Items: []Pet{}})
		})
	}
	wantEqual(t, "contents", contentsOf(new(State)), contents{
		Categories: []Category{}, Pets: []Pet{}, Inventory: []InventoryItem{}, Orders: []Order{}, Messages: []Message{},
	})
}
