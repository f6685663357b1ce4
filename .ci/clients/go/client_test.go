// Package client checks that a Go client that a third-party tool generates from the OpenAPI document works with the
// service. The client itself, petstore.gen.go, is generated before every run.
package client

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"reflect"
	"testing"
	"time"
)

// connect returns a client of the service at $PETSTORE_URL.
func connect(t *testing.T) *ClientWithResponses {
	t.Helper()
	withKey := WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer demo-key")
		return nil
	})
	c, err := NewClientWithResponses(os.Getenv("PETSTORE_URL"), withKey)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// An answer has the methods that all generated responses share.
type answer interface {
	StatusCode() int
	GetBody() []byte
}

// answered fails the test unless the call succeeded and the response has this status.
func answered(t *testing.T, answer answer, err error, status int) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if got := answer.StatusCode(); got != status {
		t.Fatalf("status is %d, want %d: %s", got, status, answer.GetBody())
	}
}

func equal(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v, want %+v", got, want)
	}
}

func createCategory(t *testing.T, c *ClientWithResponses) Category {
	t.Helper()
	made, err := c.CreateCategoryWithResponse(t.Context(), nil, NewCategory{Name: "Snakes"})
	answered(t, made, err, http.StatusCreated)
	return *made.JSON201
}

func createPet(t *testing.T, c *ClientWithResponses) Pet {
	t.Helper()
	made, err := c.CreatePetWithResponse(t.Context(), nil, NewPet{Name: "Slim", CategoryId: createCategory(t, c).Id})
	answered(t, made, err, http.StatusCreated)
	return *made.JSON201
}

func TestPets(t *testing.T) {
	c, ctx := connect(t), t.Context()
	pet := createPet(t, c)
	equal(t, pet, Pet{Id: pet.Id, Name: "Slim", CategoryId: pet.CategoryId, Status: new(Available)})

	read, err := c.GetPetWithResponse(ctx, pet.Id, nil)
	answered(t, read, err, http.StatusOK)
	equal(t, *read.JSON200, pet)

	replaced, err := c.ReplacePetWithResponse(ctx, pet.Id, nil,
		NewPet{Name: "Jim", CategoryId: pet.CategoryId, Status: new(Sold)})
	answered(t, replaced, err, http.StatusOK)
	equal(t, *replaced.JSON200, Pet{Id: pet.Id, Name: "Jim", CategoryId: pet.CategoryId, Status: new(Sold)})

	var pending, cleared PetPatch_Status
	if err := errors.Join(pending.FromPetStatus(Pending), json.Unmarshal([]byte("null"), &cleared)); err != nil {
		t.Fatal(err)
	}
	reserved, err := c.UpdatePetWithResponse(ctx, pet.Id, nil, PetPatch{Status: &pending})
	answered(t, reserved, err, http.StatusOK)
	equal(t, *reserved.JSON200, Pet{Id: pet.Id, Name: "Jim", CategoryId: pet.CategoryId, Status: new(Pending)})

	patched, err := c.UpdatePetWithApplicationMergePatchPlusJSONBodyWithResponse(ctx, pet.Id, nil,
		PetPatch{Name: new("Joe"), Status: &cleared})
	answered(t, patched, err, http.StatusOK)
	equal(t, *patched.JSON200, Pet{Id: pet.Id, Name: "Joe", CategoryId: pet.CategoryId, Status: new(Available)})

	list, err := c.ListPetsWithResponse(ctx,
		&ListPetsParams{Id: &[]int64{1, pet.Id}, CategoryId: &[]int64{pet.CategoryId}})
	answered(t, list, err, http.StatusOK)
	equal(t, *list.JSON200, Pets{*patched.JSON200})

	deleted, err := c.DeletePetWithResponse(ctx, pet.Id, nil)
	answered(t, deleted, err, http.StatusNoContent)
	gone, err := c.GetPetWithResponse(ctx, pet.Id, nil)
	answered(t, gone, err, http.StatusNotFound)
	equal(t, gone.JSON404.Code, "not_found")
}

func TestCategories(t *testing.T) {
	c, ctx := connect(t), t.Context()
	category := createCategory(t, c)
	equal(t, category, Category{Id: category.Id, Name: "Snakes"})

	read, err := c.GetCategoryWithResponse(ctx, category.Id, nil)
	answered(t, read, err, http.StatusOK)
	equal(t, *read.JSON200, category)

	lizards := NewCategory{Name: "Lizards", Description: new("Quick")}
	replaced, err := c.ReplaceCategoryWithResponse(ctx, category.Id, nil, lizards)
	answered(t, replaced, err, http.StatusOK)
	equal(t, *replaced.JSON200, Category{Id: category.Id, Name: "Lizards", Description: new("Quick")})

	patched, err := c.UpdateCategoryWithResponse(ctx, category.Id, nil, CategoryPatch{Name: new("Geckos")})
	answered(t, patched, err, http.StatusOK)
	equal(t, *patched.JSON200, Category{Id: category.Id, Name: "Geckos", Description: new("Quick")})

	list, err := c.ListCategoriesWithResponse(ctx, &ListCategoriesParams{Name: new("gecko"), Limit: new(int32(5))})
	answered(t, list, err, http.StatusOK)
	equal(t, *list.JSON200, Categories{*patched.JSON200})

	deleted, err := c.DeleteCategoryWithResponse(ctx, category.Id, nil)
	answered(t, deleted, err, http.StatusNoContent)
}

func TestOrders(t *testing.T) {
	c, ctx := connect(t), t.Context()
	pet := createPet(t, c)
	shipDate := time.Date(2026, 3, 14, 9, 30, 0, 0, time.UTC)
	made, err := c.CreateOrderWithResponse(ctx, nil, Order{PetId: &pet.Id, ShipDate: &shipDate})
	answered(t, made, err, http.StatusCreated)
	order := *made.JSON201
	equal(t, order,
		Order{Id: order.Id, PetId: &pet.Id, Quantity: new(int64(1)), ShipDate: &shipDate, Complete: new(false)})

	read, err := c.GetOrderWithResponse(ctx, *order.Id, nil)
	answered(t, read, err, http.StatusOK)
	equal(t, *read.JSON200, order)

	replaced, err := c.ReplaceOrderWithResponse(ctx, *order.Id, nil, Order{PetId: &pet.Id, Quantity: new(int64(3))})
	answered(t, replaced, err, http.StatusOK)
	equal(t, *replaced.JSON200, Order{Id: order.Id, PetId: &pet.Id, Quantity: new(int64(3)), Complete: new(false)})

	patched, err := c.UpdateOrderWithApplicationMergePatchPlusJSONBodyWithResponse(ctx, *order.Id, nil,
		OrderPatch{Complete: new(true)})
	answered(t, patched, err, http.StatusOK)
	equal(t, *patched.JSON200, Order{Id: order.Id, PetId: &pet.Id, Quantity: new(int64(3)), Complete: new(true)})

	list, err := c.ListOrdersWithResponse(ctx, &ListOrdersParams{PetId: &pet.Id, Complete: new(true)})
	answered(t, list, err, http.StatusOK)
	equal(t, *list.JSON200, Orders{*patched.JSON200})

	deleted, err := c.DeleteOrderWithResponse(ctx, *order.Id, nil)
	answered(t, deleted, err, http.StatusNoContent)
}

func TestInventory(t *testing.T) {
	c, ctx := connect(t), t.Context()
	pet := createPet(t, c)
	want := InventoryItem{PetId: pet.Id, Quantity: 0, Status: Available}

	read, err := c.GetInventoryItemWithResponse(ctx, pet.Id, nil)
	answered(t, read, err, http.StatusOK)
	equal(t, *read.JSON200, want)

	want.Quantity = 24
	written, err := c.UpdateInventoryWithResponse(ctx, pet.Id, nil, InventoryUpdate{Quantity: 24})
	answered(t, written, err, http.StatusOK)
	equal(t, *written.JSON200, want)

	list, err := c.ListInventoryWithResponse(ctx,
		&ListInventoryParams{Sort: new(ListInventoryParamsSortMinusPetId), Limit: new(int32(1))})
	answered(t, list, err, http.StatusOK)
	equal(t, *list.JSON200, Inventory{want})
}

func TestMessages(t *testing.T) {
	c, ctx := connect(t), t.Context()
	made, err := c.CreateMessageWithResponse(ctx, nil, NewMessage{Message: "Is Joe still there?"})
	answered(t, made, err, http.StatusCreated)
	equal(t, made.JSON201.Message, "Is Joe still there?")

	read, err := c.GetMessageWithResponse(ctx, made.JSON201.Id, nil)
	answered(t, read, err, http.StatusOK)
	equal(t, *read.JSON200, *made.JSON201)

	list, err := c.ListMessagesWithResponse(ctx,
		&ListMessagesParams{Sort: new(ListMessagesParamsSortMinusId), Limit: new(int32(1))})
	answered(t, list, err, http.StatusOK)
	equal(t, *list.JSON200, Messages{*made.JSON201})
}
