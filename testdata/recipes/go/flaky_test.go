//go:build flaky

package shop

import (
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers/petstoretest"
)

// TestTwentyPets is flaky because it does not retry failed requests. TestKeptWorld runs it.
func TestTwentyPets(t *testing.T) {
	_, pets := newShop(t)
	pets.Fault(petstoretest.Rule{Match: &petstoretest.Match{OperationID: "createPet"}, Probability: new(0.3),
		Status: new(http.StatusServiceUnavailable)})
	for range 20 {
		response, err := pets.Client.Post(pets.URL+"/pets", "application/json",
			strings.NewReader(`{"name": "Rex", "categoryId": 6}`))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusCreated {
			t.Fatal(response.Status)
		}
	}
}
