package store

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// diffWorld has a record of every kind at both ends and in the middle of its table.
func diffWorld(tx *Tx) error {
	text := "Loyal and loud"
	must(tx.CreateCategory(Category{ID: 2, Name: "Dogs", Description: &text}))
	must(tx.CreateCategory(Category{ID: 5, Name: "Cats"}))
	for _, id := range []int64{3, 4, 6} {
		must(tx.CreatePet(Pet{ID: id, Name: "Rex", CategoryID: 2, Status: Available}))
		must(tx.CreateOrder(Order{ID: id, PetID: id, Quantity: 1}))
		must(tx.CreateMessage(Message{ID: id, Message: "Hello", CreatedAt: time.Unix(id, 0).UTC()}))
	}
	return nil
}

// noDiff is what two states without a difference differ in.
func noDiff() Diff { return new(State).Diff(new(State)) }

// TestDiff is a write, and what then differs from before.
func TestDiff(t *testing.T) {
	t.Parallel()
	text, other := "Loyal and loud", "Quiet"
	rex := func(id int64) Pet { return Pet{ID: id, Name: "Rex", CategoryID: 2, Status: Available} }
	stock := func(id int64) InventoryItem { return InventoryItem{PetID: id, Status: Available} }
	order := func(id int64) Order { return Order{ID: id, PetID: id, Quantity: 1} }
	hello := func(id int64) Message { return Message{ID: id, Message: "Hello", CreatedAt: time.Unix(id, 0).UTC()} }
	dogs := Category{ID: 2, Name: "Dogs", Description: &text}
	dogsWith := func(description *string) Category { return Category{ID: 2, Name: "Dogs", Description: description} }

	for _, test := range []struct {
		name  string
		write func(tx *Tx)
		want  func(d *Diff)
	}{
		{"nothing", func(*Tx) {}, func(*Diff) {}},
		{"records as they were", func(tx *Tx) {
			same := text
			must(tx.UpdateCategory(dogsWith(&same)))
			must(tx.UpdateCategory(Category{ID: 5, Name: "Cats"}))
			must(tx.UpdatePet(rex(3)))
			must(tx.UpdateOrder(order(3)))
			must(tx.CreateMessage(Message{ID: 3, Message: "Hello", CreatedAt: time.Unix(3, 0).In(time.FixedZone("", 3600))}))
		}, func(*Diff) {}},

		{"a pet before all others", func(tx *Tx) { must(tx.CreatePet(rex(1))) }, func(d *Diff) {
			d.Pets.Added, d.Inventory.Added = []Pet{rex(1)}, []InventoryItem{stock(1)}
		}},
		{"pets between the others and behind them", func(tx *Tx) { must(tx.CreatePet(rex(7))); must(tx.CreatePet(rex(5))) }, func(d *Diff) {
			d.Pets.Added, d.Inventory.Added = []Pet{rex(5), rex(7)}, []InventoryItem{stock(5), stock(7)}
		}},
		{"the first pet gone", func(tx *Tx) { must(0, tx.DeletePet(3)) }, func(d *Diff) {
			d.Pets.Removed, d.Inventory.Removed = []Pet{rex(3)}, []InventoryItem{stock(3)}
		}},
		{"the last pets gone", func(tx *Tx) { must(0, tx.DeletePet(6)); must(0, tx.DeletePet(4)) }, func(d *Diff) {
			d.Pets.Removed, d.Inventory.Removed = []Pet{rex(4), rex(6)}, []InventoryItem{stock(4), stock(6)}
		}},
		{"a pet in the place of another", func(tx *Tx) { must(0, tx.DeletePet(4)); must(tx.CreatePet(rex(5))) }, func(d *Diff) {
			d.Pets.Added, d.Inventory.Added = []Pet{rex(5)}, []InventoryItem{stock(5)}
			d.Pets.Removed, d.Inventory.Removed = []Pet{rex(4)}, []InventoryItem{stock(4)}
		}},

		{"a name", func(tx *Tx) { must(tx.UpdatePet(Pet{ID: 4, Name: "Tom", CategoryID: 2, Status: Available})) }, func(d *Diff) {
			d.Pets.Changed = []Change[Pet]{{rex(4), Pet{ID: 4, Name: "Tom", CategoryID: 2, Status: Available}}}
		}},
		{"a status", func(tx *Tx) { must(tx.UpdatePet(Pet{ID: 4, Name: "Rex", CategoryID: 2, Status: Sold})) }, func(d *Diff) {
			d.Pets.Changed = []Change[Pet]{{rex(4), Pet{ID: 4, Name: "Rex", CategoryID: 2, Status: Sold}}}
			d.Inventory.Changed = []Change[InventoryItem]{{stock(4), InventoryItem{PetID: 4, Status: Sold}}}
		}},
		{"a quantity", func(tx *Tx) { must(tx.UpdateInventory(InventoryItem{PetID: 4, Quantity: 7})) }, func(d *Diff) {
			d.Inventory.Changed = []Change[InventoryItem]{{stock(4), InventoryItem{PetID: 4, Quantity: 7, Status: Available}}}
		}},
		{"an order", func(tx *Tx) { must(tx.UpdateOrder(Order{ID: 6, PetID: 6, Quantity: 2})); must(0, tx.DeleteOrder(3)) }, func(d *Diff) {
			d.Orders.Changed = []Change[Order]{{order(6), Order{ID: 6, PetID: 6, Quantity: 2}}}
			d.Orders.Removed = []Order{order(3)}
		}},
		{"a category", func(tx *Tx) { must(tx.CreateCategory(Category{Name: "Fish"})); must(0, tx.DeleteCategory(5)) }, func(d *Diff) {
			d.Categories.Added = []Category{{ID: 6, Name: "Fish"}}
			d.Categories.Removed = []Category{{ID: 5, Name: "Cats"}}
		}},
		{"the name of a category", func(tx *Tx) { must(tx.UpdateCategory(Category{ID: 2, Name: "Hounds", Description: &text})) }, func(d *Diff) {
			d.Categories.Changed = []Change[Category]{{dogs, Category{ID: 2, Name: "Hounds", Description: &text}}}
		}},
		{"another description", func(tx *Tx) { must(tx.UpdateCategory(dogsWith(&other))) }, func(d *Diff) {
			d.Categories.Changed = []Change[Category]{{dogs, dogsWith(&other)}}
		}},
		{"no description any more", func(tx *Tx) { must(tx.UpdateCategory(dogsWith(nil))) }, func(d *Diff) {
			d.Categories.Changed = []Change[Category]{{dogs, dogsWith(nil)}}
		}},
		{"a description, though an empty one", func(tx *Tx) { must(tx.UpdateCategory(Category{ID: 5, Name: "Cats", Description: new("")})) }, func(d *Diff) {
			d.Categories.Changed = []Change[Category]{{Category{ID: 5, Name: "Cats"}, Category{ID: 5, Name: "Cats", Description: new("")}}}
		}},
		{"the text of a message", func(tx *Tx) {
			must(tx.CreateMessage(Message{ID: 4, Message: "Bye", CreatedAt: time.Unix(4, 0).UTC()}))
		}, func(d *Diff) {
			d.Messages.Changed = []Change[Message]{{hello(4), Message{ID: 4, Message: "Bye", CreatedAt: time.Unix(4, 0).UTC()}}}
		}},
		{"the time of a message", func(tx *Tx) {
			must(tx.CreateMessage(Message{ID: 4, Message: "Hello", CreatedAt: time.Unix(5, 0).UTC()}))
		}, func(d *Diff) {
			d.Messages.Changed = []Change[Message]{{hello(4), Message{ID: 4, Message: "Hello", CreatedAt: time.Unix(5, 0).UTC()}}}
		}},
		{"a message", func(tx *Tx) { must(tx.CreateMessage(hello(9))) }, func(d *Diff) { d.Messages.Added = []Message{hello(9)} }},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			before := must(Build(diffWorld))
			tx := begin(before, nil, 0, unlimited)
			test.write(tx)
			after := tx.state
			want := noDiff()
			test.want(&want)
			wantEqual(t, "diff", after.Diff(before), want)
			wantEqual(t, "diff of the other direction", before.Diff(after), reverse(want))
			wantEqual(t, "diff as it is written", writtenDiff(after, before), string(must(json.Marshal(want))))
			wantEqual(t, "diff of the other direction as it is written", writtenDiff(before, after), string(must(json.Marshal(reverse(want)))))
		})
	}
}

func writtenDiff(now, from *State) string {
	var b strings.Builder
	if err := now.WriteDiff(&b, from); err != nil {
		panic(err)
	}
	return b.String()
}

// reverse is the diff from the later state to the earlier one.
func reverse(d Diff) Diff {
	for _, kind := range reflect.ValueOf(&d).Elem().Fields() {
		added, changed, removed := kind.Field(0), kind.Field(1), kind.Field(2)
		were := added.Interface()
		added.Set(removed)
		removed.Set(reflect.ValueOf(were))
		swapped := reflect.MakeSlice(changed.Type(), changed.Len(), changed.Len())
		for i := range changed.Len() {
			swapped.Index(i).Field(0).Set(changed.Index(i).Field(1))
			swapped.Index(i).Field(1).Set(changed.Index(i).Field(0))
		}
		changed.Set(swapped)
	}
	return d
}

// Lists of no difference are empty, not nil, so that they are [] in JSON.
func TestDiffOfNothing(t *testing.T) {
	t.Parallel()
	var kinds []string
	for kind := range reflect.TypeFor[Diff]().Fields() {
		kinds = append(kinds, fmt.Sprintf(`%q:{"added":[],"changed":[],"removed":[]}`, kind.Tag.Get("json")))
	}
	want := "{" + strings.Join(kinds, ",") + "}"
	state := must(Build(diffWorld))
	wantEqual(t, "diff of a state with itself", string(must(json.Marshal(state.Diff(state)))), want)
	wantEqual(t, "diff of states that were built alike", string(must(json.Marshal(state.Diff(must(Build(diffWorld)))))), want)
}

// TestDiffIsWhatMapsSay compares the merge of two tables with what two maps say.
func TestDiffIsWhatMapsSay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		orders := rapid.MapOf(rapid.Int64Range(1, 30), rapid.Int64Range(1, 3)) // id to quantity
		before, after := orders.Draw(t, "before"), orders.Draw(t, "after")
		state := func(orders map[int64]int64) *State {
			return must(Build(func(tx *Tx) error {
				for id, quantity := range orders {
					must(tx.CreateOrder(Order{ID: id, Quantity: quantity}))
				}
				return nil
			}))
		}
		want := noDiff().Orders
		for _, id := range slices.Sorted(maps.Keys(after)) {
			now := Order{ID: id, Quantity: after[id]}
			switch quantity, there := before[id]; {
			case !there:
				want.Added = append(want.Added, now)
			case quantity != after[id]:
				want.Changed = append(want.Changed, Change[Order]{Before: Order{ID: id, Quantity: quantity}, After: now})
			}
		}
		for _, id := range slices.Sorted(maps.Keys(before)) {
			if _, there := after[id]; !there {
				want.Removed = append(want.Removed, Order{ID: id, Quantity: before[id]})
			}
		}
		if got := state(after).Diff(state(before)).Orders; !slices.Equal(got.Added, want.Added) || !slices.Equal(got.Changed, want.Changed) || !slices.Equal(got.Removed, want.Removed) {
			t.Fatalf("diff is %+v, want %+v", got, want)
		}
	})
}
