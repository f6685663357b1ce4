// Package client checks that a Go client that ogen generates from the OpenAPI document works with the service. The client
// itself is generated before every run.
package client

import (
	"context"
	"os"
	"testing"

	api "example.com/petstore/ci/ogen/petstore.gen"
)

type noKey struct{}

func (noKey) BearerAuth(context.Context, api.OperationName) (api.BearerAuth, error) {
	return api.BearerAuth{Token: "demo-key"}, nil
}

func TestPets(t *testing.T) {
	c, err := api.NewClient(os.Getenv("PETSTORE_URL"), noKey{})
	if err != nil {
		t.Fatal(err)
	}
	made, err := c.CreatePet(t.Context(), &api.NewPet{Name: "Slim", CategoryId: 1}, api.CreatePetParams{})
	if err != nil {
		t.Fatal(err)
	}
	pet, ok := made.(*api.PetHeaders)
	if !ok || pet.Response.Name != "Slim" || pet.Response.Status.Value != api.PetStatusAvailable {
		t.Errorf("createPet = %#v", made)
	}
}
