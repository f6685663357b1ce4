package handlers_test

import (
	"slices"
	"strings"
	"testing"

	. "example.com/petstore/handlers/internal/contracttest"
)

// TestReferencesBesideOtherErrors checks that one response reports all errors. A dangling
// reference is one of the details if the body has other errors, and a 422 otherwise.
func TestReferencesBesideOtherErrors(t *testing.T) {
	bad := func(name, method, path, body string, fields ...string) Scenario {
		return Refused(name, Request{Method: method, Path: path, Body: body}, 400, "validation_failed", fields...)
	}
	RunScenarios(t, []Scenario{
		bad("a new pet", "POST", "/pets", `{"name": "", "categoryId": 9999}`, "/name", "/categoryId"),
		bad("a replaced pet", "PUT", "/pets/1", `{"categoryId": 9999}`, "/name", "/categoryId"),
		bad("a patched pet", "PATCH", "/pets/1", `{"status": "dead", "categoryId": 9999}`, "/status", "/categoryId"),
		bad("a missing pet", "PATCH", "/pets/99", `{"name": 1, "categoryId": 9999}`, "/name", "/categoryId"),
		bad("another id and no category", "PUT", "/pets/1", `{"id": 2, "name": "Bello", "categoryId": 0}`, "/id",
			"/categoryId"),
		bad("a good reference", "POST", "/pets", `{"name": "", "categoryId": 1}`, "/name"),
		bad("no reference", "PATCH", "/pets/1", `{"name": ""}`, "/name"),
		bad("a missing reference", "POST", "/pets", `{"name": ""}`, "/name", "/categoryId"),
		bad("a reference of a wrong type", "POST", "/pets", `{"name": "", "categoryId": "9999"}`, "/name",
			"/categoryId"),
		bad("a new order", "POST", "/store/orders", `{"petId": 9999, "quantity": 0}`, "/quantity", "/petId"),
		bad("a new order for pet zero", "POST", "/store/orders", `{"petId": 0, "quantity": 0}`, "/quantity", "/petId"),
		bad("a replaced order", "PUT", "/store/orders/1", `{"petId": 6, "quantity": 0}`, "/quantity", "/petId"),
		bad("a patched order", "PATCH", "/store/orders/1", `{"petId": 6, "complete": 1}`, "/complete", "/petId"),
		bad("the deleted pet of the order itself", "PUT", "/store/orders/2", `{"petId": 6, "quantity": 0}`,
			"/quantity"),
		bad("no pet", "POST", "/store/orders", `{"petId": null, "quantity": 0}`, "/quantity"),
	})
}

// TestReferencesInDetails checks the text of such a detail.
func TestReferencesInDetails(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	alone := w.Do(t, Post("/pets", `{"name": "Bello", "categoryId": 9999}`)).Problem(t)
	beside := w.Do(t, Post("/pets", `{"name": "", "categoryId": 9999}`)).Problem(t)
	if !slices.Contains(beside.Details, alone.Details[0]) {
		t.Errorf("the details are %v beside another fault, %v alone", beside.Details, alone.Details)
	}
	// An inventory update that changes a pet's field names the operation that can change it.
	entry := w.Do(t, Put("/store/inventory/4", `{"quantity": 1, "status": "sold"}`)).Problem(t)
	for _, part := range []string{"available", "updatePet", "replacePet"} {
		if !strings.Contains(entry.Message, part) {
			t.Errorf("message = %q, want %q in it", entry.Message, part)
		}
	}
}
