package docs

import (
	"testing"

	"example.com/petstore/handlers/internal/must"
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
	must.Equal(t, want, Service().Collections(), "collections")
}
