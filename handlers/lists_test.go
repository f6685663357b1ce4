package handlers_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "example.com/petstore/handlers/internal/contracttest"
)

// idsOf returns the ids of a list, in its order.
func idsOf(t *testing.T, a *Answer) []int {
	t.Helper()
	var items []struct {
		ID, PetID *int
	}
	a.Decode(t, &items)
	ids := []int{}
	for _, item := range items {
		if item.ID == nil {
			item.ID = item.PetID // an inventory entry is identified by its pet
		}
		ids = append(ids, *item.ID)
	}
	return ids
}

// TestLists checks the ids that a query finds, in order.
func TestLists(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, test := range []struct {
		path  string
		ids   []int
		total int // of all pages
	}{
		{"/pets", []int{1, 2, 3, 4, 5}, 5},
		{"/pets?limit=2", []int{1, 2}, 5},
		{"/pets?limit=2&offset=3", []int{4, 5}, 5},
		{"/pets?limit=1000&offset=4", []int{5}, 5},
		{"/pets?offset=5", []int{}, 5},
		{"/pets?offset=9223372036854775807", []int{}, 5},
		{"/pets?sort=id", []int{1, 2, 3, 4, 5}, 5},
		{"/pets?sort=-id", []int{5, 4, 3, 2, 1}, 5},
		{"/pets?sort=-id&limit=2&offset=1", []int{4, 3}, 5},
		{"/pets?sort=name", []int{2, 5, 1, 4, 3}, 5}, // by code point: M, R, r, Ä; ties by id
		{"/pets?sort=-name", []int{3, 4, 1, 2, 5}, 5},
		{"/pets?sort=categoryId", []int{1, 3, 5, 2, 4}, 5},
		{"/pets?sort=-categoryId", []int{2, 4, 1, 3, 5}, 5},
		{"/pets?sort=status", []int{1, 4, 5, 2, 3}, 5},
		{"/pets?sort=-status", []int{3, 2, 1, 4, 5}, 5},
		{"/pets?sort=-status&offset=2&limit=2", []int{1, 4}, 5},
		{"/pets?id=4", []int{4}, 1},
		{"/pets?id=4&id=2&id=99&id=4", []int{2, 4}, 2},
		{"/pets?id=-1&id=0", []int{}, 0},
		{"/pets?status=available", []int{1, 4, 5}, 3},
		{"/pets?status=available&limit=1&offset=1", []int{4}, 3},
		{"/pets?status=sold&status=pending", []int{2, 3}, 2},
		{"/pets?status=sold&status=sold", []int{3}, 1},
		{"/pets?categoryId=2", []int{2, 4}, 2},
		{"/pets?categoryId=2&categoryId=1&sort=-id", []int{5, 4, 3, 2, 1}, 5},
		{"/pets?categoryId=77", []int{}, 0},
		{"/pets?categoryId=1&status=available", []int{1, 5}, 2},
		{"/pets?categoryId=1&status=available&sort=-id&limit=1", []int{5}, 2},
		{"/pets?categoryId=1&status=available&id=5&id=2", []int{5}, 1},
		{"/pets?name=RE", []int{1, 4}, 2},
		{"/pets?name=%C3%A4rm", []int{3}, 1},
		{"/pets?name=is&categoryId=1", []int{5}, 1},
		{"/pets?name=+", []int{}, 0},
		{"/pets?NAME=x&colour=red&&", []int{1, 2, 3, 4, 5}, 5}, // the operation ignores unknown parameters
		{"/categories?sort=-name", []int{1, 2, 3}, 3},
		{"/categories?sort=name", []int{3, 2, 1}, 3},
		{"/categories?sort=description", []int{3, 1, 2}, 3}, // missing descriptions sort last
		{"/categories?sort=-description", []int{1, 3, 2}, 3},
		{"/categories?name=S&offset=1", []int{2, 3}, 3},
		{"/store/orders?petId=1", []int{1, 4}, 2},
		{"/store/orders?petId=6", []int{2}, 1},
		{"/store/orders?petId=0", []int{}, 0},
		{"/store/orders?complete=true", []int{1}, 1},
		{"/store/orders?complete=false", []int{2, 3, 4}, 3},
		{"/store/orders?complete=false&petId=1", []int{4}, 1},
		{"/store/orders?sort=petId", []int{1, 4, 2, 3}, 4},
		{"/store/orders?sort=-petId", []int{2, 1, 4, 3}, 4},
		{"/store/orders?sort=quantity", []int{2, 3, 1, 4}, 4},
		{"/store/orders?sort=-quantity", []int{4, 1, 2, 3}, 4},
		{"/store/orders?sort=shipDate", []int{4, 1, 2, 3}, 4},
		{"/store/orders?sort=-shipDate", []int{1, 4, 2, 3}, 4},
		{"/store/orders?sort=complete", []int{2, 3, 4, 1}, 4},
		{"/store/orders?sort=-complete", []int{1, 2, 3, 4}, 4},
		{"/store/inventory?sort=petId&limit=1", []int{1}, 5},
		{"/store/inventory?sort=-petId", []int{5, 4, 3, 2, 1}, 5},
		{"/store/inventory?sort=quantity", []int{2, 3, 1, 5, 4}, 5},
		{"/store/inventory?sort=-quantity", []int{4, 1, 5, 2, 3}, 5},
		{"/store/inventory?sort=-status", []int{3, 2, 1, 4, 5}, 5},
		{"/store/inventory?status=available&maxQuantity=3", []int{1, 5}, 2},
		{"/store/inventory?maxQuantity=0", []int{2, 3}, 2},
		{"/messages?sort=-createdAt", []int{1}, 1},
		{"/messages?sort=message&offset=1", []int{}, 1},
	} {
		t.Run(test.path, func(t *testing.T) {
			t.Parallel()
			a := w.Must(t, Get(test.path).WithKey("demo-key"))
			if diff := cmp.Diff(test.ids, idsOf(t, a)); diff != "" {
				t.Errorf("ids, -want +got:\n%s", diff)
			}
			a.ExpectHeader(t, "X-Total-Count", strconv.Itoa(test.total))
		})
	}
}

// TestDefaultLimit checks that the default limit is 20.
func TestDefaultLimit(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for i := range 20 {
		w.Must(t, Post("/store/orders", fmt.Sprintf(`{"quantity": %d}`, i+1)))
	}
	a := w.Get(t, "/store/orders")
	if n := len(idsOf(t, a)); n != 20 {
		t.Errorf("a page has %d items, want 20", n)
	}
	a.ExpectHeader(t, "X-Total-Count", "24")
	if next := a.Links()["next"]; next != "/store/orders?limit=20&offset=20" {
		t.Errorf("next = %q", next)
	}
}

// TestEmptyListIsAnArray checks that an empty list is [] and not null, which many clients
// mishandle.
func TestEmptyListIsAnArray(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, path := range []string{"/pets?id=99", "/categories?name=zebra", "/store/orders?petId=99", "/store/inventory?offset=99", "/messages?offset=9"} {
		a := w.Must(t, Get(path).WithKey("demo-key"))
		var items []json.RawMessage
		a.Decode(t, &items)
		if items == nil || len(items) > 0 {
			t.Errorf("GET %s = %s", path, a.Body)
		}
	}
}
