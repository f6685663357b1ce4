package docs

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCollections(t *testing.T) {
	t.Parallel()
	want := []Collection{
		{"pets", "listPets", "getPet", "petId"},
		{"categories", "listCategories", "getCategory", "categoryId"},
		{"orders", "listOrders", "getOrder", "orderId"},
		{"inventory", "listInventory", "getInventoryItem", "petId"},
		{"messages", "listMessages", "getMessage", "messageId"},
	}
	if diff := cmp.Diff(want, Service().Collections()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
