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
	const post, put, patch, del = http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete
	stable, beta := lifecycle.Lifecycle{}, lifecycle.Lifecycle{Stability: lifecycle.Beta}
	experimental := lifecycle.Lifecycle{Stability: lifecycle.Experimental}
	oldGetPet := lifecycle.Lifecycle{
		Deprecated:      true,
		DeprecatedSince: lifecycle.WholeSecond(s.config.DeprecatedSince),
		Sunset:          lifecycle.WholeSecond(s.config.Sunset),
		Successor:       "/pets?id={petId}", Advice: "listPets with ?id=",
	}
	events := read("streamEvents", "/events", experimental, streamEvents, rest.StreamQuery...)
	events.Stream = true
	var table []rest.Operation
	add := func(tag string, kind rest.Kind, operations ...rest.Operation) {
		for _, op := range operations {
			op.Tag, op.Kind = tag, kind
			table = append(table, op)
		}
	}
	add("Pets", rest.Service,
		read("listPets", "/pets", stable, pets.list, pets.filters...),
		write("createPet", post, "/pets", stable, pets.create),
		read("getPet", "/pets/{petId}", oldGetPet, pets.get),
		write("replacePet", put, "/pets/{petId}", stable, pets.change),
		write("updatePet", patch, "/pets/{petId}", beta, pets.change),
		write("deletePet", del, "/pets/{petId}", stable, pets.delete),
		read("getPetPhoto", "/pets/{petId}/photo", experimental, getPetPhoto),
	)
	add("Categories", rest.Service,
		read("listCategories", "/categories", stable, categories.list, categories.filters...),
		write("createCategory", post, "/categories", stable, categories.create),
		read("getCategory", "/categories/{categoryId}", stable, categories.get),
		write("replaceCategory", put, "/categories/{categoryId}", stable, categories.change),
		write("updateCategory", patch, "/categories/{categoryId}", beta, categories.change),
		write("deleteCategory", del, "/categories/{categoryId}", stable, categories.delete),
	)
	add("Store", rest.Service,
		read("listOrders", "/store/orders", stable, orders.list, orders.filters...),
		write("createOrder", post, "/store/orders", stable, orders.create),
		read("getOrder", "/store/orders/{orderId}", stable, orders.get),
		write("replaceOrder", put, "/store/orders/{orderId}", stable, orders.change),
		write("updateOrder", patch, "/store/orders/{orderId}", beta, orders.change),
		write("deleteOrder", del, "/store/orders/{orderId}", stable, orders.delete),
	)
	add("Inventory", rest.Service,
		read("listInventory", "/store/inventory", stable, inventory.list, inventory.filters...),
		read("getInventoryItem", "/store/inventory/{petId}", stable, inventory.get),
		write("updateInventory", put, "/store/inventory/{petId}", stable, inventory.change),
	)
	add("Messages", rest.Private,
		read("listMessages", "/messages", stable, messages.list, messages.filters...),
		write("createMessage", post, "/messages", stable, messages.create),
		read("getMessage", "/messages/{messageId}", stable, messages.get),
	)
	add("Events", rest.Service, events)
	add("Health", rest.Health, read("getHealth", "/healthz", stable, s.health))
	return table
}

// read returns a GET with the given query parameters.
func read(id, path string, l lifecycle.Lifecycle, handle rest.Handler, query ...string) rest.Operation {
	return rest.Operation{ID: id, Method: http.MethodGet, Path: path, Query: query, Lifecycle: l, Handle: handle}
}

// write returns an operation that changes data. All of them have a body, except DELETE.
func write(id, method, path string, l lifecycle.Lifecycle, handle rest.Handler) rest.Operation {
	op := rest.Operation{ID: id, Method: method, Path: path, Lifecycle: l, Handle: handle}
	if method != http.MethodDelete {
		op.Body.Max = rest.MaxBody
	}
	return op
}
