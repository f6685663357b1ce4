// Package flaky has a test that fails by chance, to be run by TestKeepWorld.
package flaky

import (
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers/petstoretest"
)

func TestShop(t *testing.T) {
	pets := petstoretest.Run(t).Sandbox(t.Name())
	pets.KeepWorld()
	pets.Freeze()
	pets.Fault(petstoretest.Rule{Probability: new(0.3), Status: new(503)})
	for range 1000 {
		response, err := pets.Client.Post(pets.URL+"/pets", "application/json", strings.NewReader(`{"name": "Rex", "categoryId": 1}`))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusCreated {
			t.Fatalf("creating a pet: %s", response.Status)
		}
	}
}
