package handlers_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "example.com/petstore/handlers/internal/contracttest"
)

func TestOrders(t *testing.T) { RunScenarios(t, orderScenarios()) }

// orderScenarios returns scenarios that the transcript orders.txt lacks.
func orderScenarios() []Scenario {
	const shipped = `{"id": 1, "petId": 1, "quantity": 2, "shipDate": "2025-03-14T09:30:00.000Z", "complete": true}`
	return []Scenario{
		{Name: "create of much",
			Request: Post("/store/orders", `{"petId": 5, "quantity": 9223372036854775807, "complete": true}`),
			Status:  201,
			Want:    `{"id": 6, "petId": 5, "quantity": 9223372036854775807, "complete": true}`,
			Headers: http.Header{"Location": {"/store/orders/6"}}},
		Refused("replace with another id", Put("/store/orders/1", `{"id": 2, "quantity": 1.5}`),
			400, "validation_failed", "/id", "/quantity"),
		Answered("patch of nothing", Patch("/store/orders/1", `{}`), 200, shipped),
		Answered("patch clears",
			Patch("/store/orders/1", `{"petId": null, "quantity": null, "shipDate": null, "complete": null}`), 200,
			`{"id": 1, "quantity": 1, "complete": false}`),
		Refused("patch to the pet that is gone", Patch("/store/orders/1", `{"petId": 6}`), 422, "unknown_pet",
			"/petId"),
		Refused("patch to pet zero", Patch("/store/orders/3", `{"petId": 0}`), 422, "unknown_pet", "/petId"),
		Refused("patch of wrong types", Patch("/store/orders/1", `{"quantity": -1, "complete": 1}`),
			400, "validation_failed", "/quantity", "/complete"),
	}
}

// TestShipDateIsReturnedUnchanged sends the forms that RFC 3339 allows, which parsing and
// formatting would change.
func TestShipDateIsReturnedUnchanged(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, date := range []string{
		"2026-03-14T09:30:00Z", "2026-03-14T09:30:00.000Z", "2026-03-14T09:30:00.1Z", "2026-03-14T09:30:00.123456789Z",
		"2026-03-14T09:30:00+00:00", "2026-03-14T09:30:00-00:00", "2026-03-14T09:30:00+05:45", "0000-01-01T00:00:00Z",
		"9999-12-31T23:59:59Z", "2024-02-29T00:00:00Z", "2026-03-14t09:30:00z", "2026-03-14T09:30:00z",
		"2026-03-14t09:30:00+05:45",
		"2016-12-31T23:59:60Z", "2017-01-01T01:29:60.5+01:30", // leap seconds
	} {
		created := w.Must(t, Post("/store/orders", fmt.Sprintf(`{"shipDate": %q}`, date)))
		for _, a := range []*Answer{created, w.Get(t, created.Header.Get("Location"))} {
			var order struct{ ShipDate string }
			a.Decode(t, &order)
			if order.ShipDate != date {
				t.Errorf("shipDate = %q, want %q", order.ShipDate, date)
			}
		}
	}
}

// TestShipDatesSortAsTexts checks that ship dates sort as texts, by code point, not as
// times.
func TestShipDatesSortAsTexts(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	sorted := []string{"2016-12-31T23:59:59Z", "2016-12-31T23:59:60Z", "2016-12-31T23:59:60z", "2016-12-31t23:59:59z",
		"2017-01-01T05:44:60+05:45"}
	for _, i := range []int{3, 1, 4, 0, 2} {
		w.Must(t, Post("/store/orders", fmt.Sprintf(`{"shipDate": %q}`, sorted[i])))
	}
	for _, order := range []string{"shipDate", "-shipDate"} {
		var listed []struct{ ShipDate string }
		w.Get(t, "/store/orders?sort="+order).Decode(t, &listed)
		var got []string
		for _, o := range listed {
			if strings.HasPrefix(o.ShipDate, "2016") || strings.HasPrefix(o.ShipDate, "2017") {
				got = append(got, o.ShipDate)
			}
		}
		want := slices.Clone(sorted)
		if order == "-shipDate" {
			slices.Reverse(want)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("sort=%s, -want +got:\n%s", order, diff)
		}
	}
}

// TestOrderOutlivesItsPet deletes the pet of an order. The order keeps its petId, and the inventory
// does not change.
func TestOrderOutlivesItsPet(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	created := w.Must(t, Post("/store/orders", `{"petId": 5, "quantity": 2}`))
	address := created.Header.Get("Location")
	w.Get(t, "/store/inventory/5").ExpectJSON(t, `{"petId": 5, "quantity": 3, "status": "available"}`)
	w.Must(t, Delete("/pets/5"))
	w.Get(t, address).ExpectJSON(t, string(created.Body))
	w.Must(t, Patch(address, `{"petId": 5, "complete": true}`)).
		ExpectJSON(t, `{"id": 6, "petId": 5, "quantity": 2, "complete": true}`)
	w.Do(t, Post("/store/orders", `{"petId": 5}`)).Expect(t, 422, "unknown_pet", "/petId")
}
