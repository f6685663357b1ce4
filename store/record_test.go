package store

import (
	"errors"
	"testing"
)

// TestRefusals runs what must fail on a store with category 1, which has pet 1,
// and order 1, whose pet 2 is gone.
func TestRefusals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		call  func(tx *Tx) error
		code  Code
		field string
	}{
		{"find category", func(tx *Tx) error { _, err := tx.View().FindCategory(9); return err }, NotFound, ""},
		{"find pet", func(tx *Tx) error { _, err := tx.View().FindPet(2); return err }, NotFound, ""},
		{"find inventory item", func(tx *Tx) error { _, err := tx.View().FindInventoryItem(2); return err }, NotFound, ""},
		{"find order", func(tx *Tx) error { _, err := tx.View().FindOrder(9); return err }, NotFound, ""},
		{"find message", func(tx *Tx) error { _, err := tx.View().FindMessage(9); return err }, NotFound, ""},
		{"update category", func(tx *Tx) error { _, err := tx.UpdateCategory(Category{ID: 9}); return err }, NotFound, ""},
		{"update pet", func(tx *Tx) error { _, err := tx.UpdatePet(Pet{ID: 2, CategoryID: 9}); return err }, NotFound, ""},
		{"update inventory", func(tx *Tx) error { _, err := tx.UpdateInventory(InventoryItem{PetID: 2, Quantity: 1}); return err }, NotFound, ""},
		{"update order", func(tx *Tx) error { _, err := tx.UpdateOrder(Order{ID: 9, PetID: 9}); return err }, NotFound, ""},
		{"delete category", func(tx *Tx) error { return tx.DeleteCategory(9) }, NotFound, ""},
		{"delete pet", func(tx *Tx) error { return tx.DeletePet(2) }, NotFound, ""},
		{"delete order", func(tx *Tx) error { return tx.DeleteOrder(9) }, NotFound, ""},
		{"delete used category", func(tx *Tx) error { return tx.DeleteCategory(1) }, CategoryInUse, ""},
		{"create pet of no category", func(tx *Tx) error { _, err := tx.CreatePet(Pet{CategoryID: 9}); return err }, UnknownCategory, "/categoryId"},
		{"move pet to no category", func(tx *Tx) error { _, err := tx.UpdatePet(Pet{ID: 1, CategoryID: 9}); return err }, UnknownCategory, "/categoryId"},
		{"create order of no pet", func(tx *Tx) error { _, err := tx.CreateOrder(Order{PetID: 2}); return err }, UnknownPet, "/petId"},
		{"move order to no pet", func(tx *Tx) error { _, err := tx.UpdateOrder(Order{ID: 1, PetID: 9}); return err }, UnknownPet, "/petId"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := New(built(1, 2), Limits{})
			must(do(s, (*Tx).CreateOrder, Order{PetID: 2}))
			must(0, remove(s, (*Tx).DeletePet, 2))
			before := contentsOf(s.View())
			// Committed in spite of the error: the refused operation alone must leave nothing.
			must(0, s.Update(func(tx *Tx) error {
				wantError(t, test.call(tx), test.code, test.field)
				return nil
			}))
			wantEqual(t, "contents", contentsOf(s.View()), before)
		})
	}
}

func TestOrderOutlivesItsPet(t *testing.T) {
	t.Parallel()
	s := New(built(1, 2), Limits{})
	order := must(do(s, (*Tx).CreateOrder, Order{PetID: 1, Quantity: 2, ShipDate: "2026-01-01T00:00:00.000Z"}))
	must(0, remove(s, (*Tx).DeletePet, 1))
	wantEqual(t, "order after its pet", must(s.View().FindOrder(order.ID)), order)
	order.Complete = true
	wantEqual(t, "completed order", must(do(s, (*Tx).UpdateOrder, order)), order)
	order.PetID = 2
	must(do(s, (*Tx).UpdateOrder, order))
	order.PetID = 1
	_, err := do(s, (*Tx).UpdateOrder, order)
	wantError(t, err, UnknownPet, "/petId")
}

func TestInventoryFollowsItsPet(t *testing.T) {
	t.Parallel()
	s := New(built(2, 0), Limits{})
	item := func() InventoryItem { return must(s.View().FindInventoryItem(1)) }
	must(do(s, (*Tx).CreatePet, Pet{Name: "Rex", CategoryID: 1, Status: Available}))
	wantEqual(t, "item at birth", item(), InventoryItem{PetID: 1, Quantity: 0, Status: Available})
	wantEqual(t, "item answered", must(do(s, (*Tx).UpdateInventory, InventoryItem{PetID: 1, Quantity: 5})), InventoryItem{PetID: 1, Quantity: 5, Status: Available})
	must(do(s, (*Tx).UpdatePet, Pet{ID: 1, Name: "Rex", CategoryID: 2, Status: Sold}))
	wantEqual(t, "item after its pet was sold", item(), InventoryItem{PetID: 1, Quantity: 5, Status: Sold})
	wantEqual(t, "pet", must(s.View().FindPet(1)), Pet{ID: 1, Name: "Rex", CategoryID: 2, Status: Sold})
	must(0, remove(s, (*Tx).DeletePet, 1))
	_, err := s.View().FindInventoryItem(1)
	wantError(t, err, NotFound, "")
}

// Loading a category again must not lose sight of its pets.
func TestCategoryReplacedByGivenID(t *testing.T) {
	t.Parallel()
	s := New(built(2, 10), Limits{})
	must(do(s, (*Tx).CreateCategory, Category{ID: 1, Name: "fish"}))
	wantEqual(t, "name", must(s.View().FindCategory(1)).Name, "fish")
	checkInvariants(t, s.View())
}

// After the largest id there is no next one; wrapping round would overwrite. It is the
// largest that every JSON reader takes exactly.
func TestIDsUsedUp(t *testing.T) {
	t.Parallel()
	s := New(must(Build(func(tx *Tx) error {
		_, err := tx.CreateCategory(Category{ID: 9007199254740990})
		return err
	})), Limits{})
	wantEqual(t, "last id", must(do(s, (*Tx).CreateCategory, Category{})).ID, 9007199254740991)
	_, err := do(s, (*Tx).CreateCategory, Category{})
	wantError(t, err, NoID, "")
	wantEqual(t, "categories", s.View().Counts().Categories, 2)
}

func TestErrorMessages(t *testing.T) {
	t.Parallel()
	tests := []struct {
		err  error
		want string
	}{
		{notFound("pet", 7), "there is no pet with id 7"},
		{unknownCategory(7), "there is no category with id 7"},
		{unknownPet(7), "there is no pet with id 7"},
		{categoryInUse(7, 1), "category 7 cannot be deleted: 1 pet still uses it"},
		{categoryInUse(7, 2), "category 7 cannot be deleted: 2 pets still use it"},
	}
	for _, test := range tests {
		wantEqual(t, "message", test.err.Error(), test.want)
	}
	full := New(built(1, 2), Limits{Records: 1})
	must(do(full, (*Tx).CreateMessage, Message{}))
	_, err := do(full, (*Tx).CreateMessage, Message{})
	if err == nil || err.Error() != "the sandbox holds 4 records, the maximum" {
		t.Errorf("error is %v", err)
	}
	if errors.Is(err, &Error{Code: NotFound}) {
		t.Error("an error is the same as one of another code")
	}
}

// Sorting by status reads one index after the other, in this order.
func TestStatusesAreInCodePointOrder(t *testing.T) {
	t.Parallel()
	got := Statuses()
	wantEqual(t, "statuses", got, []PetStatus{"available", "pending", "sold"})
	got[0] = "other"
	wantEqual(t, "statuses after a caller changed its copy", Statuses()[0], Available)
}
