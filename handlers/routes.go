package handlers

import (
	"net/http"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox/lifecycle"
)

// eventTypes returns the types of the events about records.
func eventTypes() []string {
	return []string{
		"pet.created", "pet.updated", "pet.deleted",
		"category.created", "category.updated", "category.deleted",
		"order.created", "order.updated", "order.deleted",
		"inventory.updated",
		"message.created",
	}
}

// operations returns the route table of the service, with one row per operation. Registration, the
// Allow header, and the lifecycles in headers and documents are derived from it.
func (s *Server) operations() []rest.Operation {
	const (
		get, post, put, patch, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch,
			http.MethodDelete
	)
	beta := lifecycle.Lifecycle{Stability: lifecycle.Beta}
	experimental := lifecycle.Lifecycle{Stability: lifecycle.Experimental}
	oldGetPet := lifecycle.Lifecycle{
		Deprecated: true, DeprecatedSince: s.config.DeprecatedSince, Sunset: s.config.Sunset,
		Successor: "/pets?id={petId}", Advice: "listPets with ?id=",
	}
	return []rest.Operation{
		{ID: "listPets", Method: get, Path: "/pets", Tag: "Pets", Query: pets.filters, Handle: pets.list},
		{ID: "createPet", Method: post, Path: "/pets", Tag: "Pets", Handle: pets.create},
		{ID: "getPet", Method: get, Path: "/pets/{petId}", Tag: "Pets", Handle: pets.get, Lifecycle: oldGetPet},
		{ID: "replacePet", Method: put, Path: "/pets/{petId}", Tag: "Pets", Handle: pets.change},
		{ID: "updatePet", Method: patch, Path: "/pets/{petId}", Tag: "Pets", Handle: pets.change, Lifecycle: beta},
		{ID: "deletePet", Method: del, Path: "/pets/{petId}", Tag: "Pets", Handle: pets.delete},
		{ID: "getPetPhoto", Method: get, Path: "/pets/{petId}/photo", Tag: "Pets", Handle: getPetPhoto,
			Lifecycle: experimental},

		{ID: "listCategories", Method: get, Path: "/categories", Tag: "Categories", Query: categories.filters,
			Handle: categories.list},
		{ID: "createCategory", Method: post, Path: "/categories", Tag: "Categories", Handle: categories.create},
		{ID: "getCategory", Method: get, Path: "/categories/{categoryId}", Tag: "Categories", Handle: categories.get},
		{ID: "replaceCategory", Method: put, Path: "/categories/{categoryId}", Tag: "Categories",
			Handle: categories.change},
		{ID: "updateCategory", Method: patch, Path: "/categories/{categoryId}", Tag: "Categories",
			Handle: categories.change, Lifecycle: beta},
		{ID: "deleteCategory", Method: del, Path: "/categories/{categoryId}", Tag: "Categories",
			Handle: categories.delete},

		{ID: "listOrders", Method: get, Path: "/store/orders", Tag: "Store", Query: orders.filters,
			Handle: orders.list},
		{ID: "createOrder", Method: post, Path: "/store/orders", Tag: "Store", Handle: orders.create},
		{ID: "getOrder", Method: get, Path: "/store/orders/{orderId}", Tag: "Store", Handle: orders.get},
		{ID: "replaceOrder", Method: put, Path: "/store/orders/{orderId}", Tag: "Store", Handle: orders.change},
		{ID: "updateOrder", Method: patch, Path: "/store/orders/{orderId}", Tag: "Store", Handle: orders.change,
			Lifecycle: beta},
		{ID: "deleteOrder", Method: del, Path: "/store/orders/{orderId}", Tag: "Store", Handle: orders.delete},

		{ID: "listInventory", Method: get, Path: "/store/inventory", Tag: "Inventory", Query: inventory.filters,
			Handle: inventory.list},
		{ID: "getInventoryItem", Method: get, Path: "/store/inventory/{petId}", Tag: "Inventory",
			Handle: inventory.get},
		{ID: "updateInventory", Method: put, Path: "/store/inventory/{petId}", Tag: "Inventory",
			Handle: inventory.change},

		{ID: "listMessages", Method: get, Path: "/messages", Tag: "Messages", Kind: rest.Private,
			Query: messages.filters, Handle: messages.list},
		{ID: "createMessage", Method: post, Path: "/messages", Tag: "Messages", Kind: rest.Private,
			Handle: createMessage},
		{ID: "getMessage", Method: get, Path: "/messages/{messageId}", Tag: "Messages", Kind: rest.Private,
			Handle: messages.get},

		{ID: "streamEvents", Method: get, Path: "/events", Tag: "Events", Query: rest.StreamQuery, Stream: true,
			Handle: streamEvents, Lifecycle: experimental},

		{ID: "getHealth", Method: get, Path: "/healthz", Tag: "Health", Kind: rest.Health, Handle: s.health},
	}
}
