package handlers_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOrders(t *testing.T) { runScenarios(t, orderScenarios()) }

func orderScenarios() []scenario {
	get := func(path string) request { return request{method: "GET", path: path} }
	send := func(method, path, body string) request { return request{method: method, path: path, body: body} }
	stale := http.Header{"If-Match": {`"stale"`}}
	const (
		shipped = `{"id": 1, "petId": 1, "quantity": 2, "shipDate": "2025-03-14T09:30:00.000Z", "complete": true}`
		orphan  = `{"id": 2, "petId": 6, "quantity": 1, "complete": false}`
		bare    = `{"id": 3, "quantity": 1, "complete": false}`
		open    = `{"id": 4, "petId": 1, "quantity": 5, "shipDate": "2025-01-01T00:00:00+01:00", "complete": false}`
	)
	return []scenario{
		{name: "list", request: get("/store/orders"), status: 200, want: `[` + shipped + `,` + orphan + `,` + bare + `,` + open + `]`},
		{name: "list with a bad parameter", request: get("/store/orders?complete=yes"), status: 400, code: "invalid_parameter", fields: []string{"complete"}},

		{name: "create", request: send("POST", "/store/orders", `{"petId": 5, "quantity": 9, "shipDate": "2026-02-28T23:59:30Z", "complete": true}`), status: 201,
			want:    `{"id": 6, "petId": 5, "quantity": 9, "shipDate": "2026-02-28T23:59:30Z", "complete": true}`,
			headers: http.Header{"Location": {"/store/orders/6"}}},
		{name: "create of much", request: send("POST", "/store/orders", `{"petId": 5, "quantity": 9223372036854775807, "complete": true}`), status: 201,
			want: `{"id": 6, "petId": 5, "quantity": 9223372036854775807, "complete": true}`, headers: http.Header{"Location": {"/store/orders/6"}}},
		{name: "create of all defaults", request: send("POST", "/store/orders", `{}`), status: 201, want: `{"id": 6, "quantity": 1, "complete": false}`},
		{name: "create of nulls", request: send("POST", "/store/orders", `{"id": null, "petId": null, "quantity": null, "shipDate": null, "complete": null}`),
			status: 201, want: `{"id": 6, "quantity": 1, "complete": false}`},
		{name: "create with everything wrong", request: send("POST", "/store/orders", `{"petId": "1", "quantity": 0, "shipDate": "today", "complete": "no"}`), status: 400,
			code: "validation_failed", fields: []string{"/petId", "/quantity", "/shipDate", "/complete"}},
		{name: "create of what is not JSON", request: send("POST", "/store/orders", `{"quantity": 01}`), status: 400, code: "invalid_json"},
		{name: "create for no pet", request: send("POST", "/store/orders", `{"petId": 6}`), status: 422, code: "unknown_pet", fields: []string{"/petId"}},
		{name: "create for pet zero", request: send("POST", "/store/orders", `{"petId": 0}`), status: 422, code: "unknown_pet", fields: []string{"/petId"}},

		{name: "get", request: get("/store/orders/1"), status: 200, want: shipped},
		{name: "get of the bare one", request: get("/store/orders/3"), status: 200, want: bare},
		{name: "get of none", request: get("/store/orders/5"), status: 404, code: "not_found"},
		{name: "get of a wrong id", request: get("/store/orders/x"), status: 400, code: "invalid_parameter", fields: []string{"orderId"}},

		{name: "replace", request: send("PUT", "/store/orders/1", `{"petId": 2}`), status: 200, want: `{"id": 1, "petId": 2, "quantity": 1, "complete": false}`},
		{name: "replace of none", request: send("PUT", "/store/orders/5", `{}`), status: 404, code: "not_found"},
		{name: "replace of a wrong id", request: send("PUT", "/store/orders/x", `{}`), status: 400, code: "invalid_parameter", fields: []string{"orderId"}},
		{name: "replace with another id", request: send("PUT", "/store/orders/1", `{"id": 2, "quantity": 1.5}`), status: 400,
			code: "validation_failed", fields: []string{"/id", "/quantity"}},
		{name: "replace by what is not JSON", request: send("PUT", "/store/orders/1", `{} {}`), status: 400, code: "invalid_json"},
		{name: "replace for no pet", request: send("PUT", "/store/orders/1", `{"petId": 6}`), status: 422, code: "unknown_pet", fields: []string{"/petId"}},
		{name: "replace for the pet that is gone", request: send("PUT", "/store/orders/2", `{"petId": 6, "complete": true}`), status: 200,
			want: `{"id": 2, "petId": 6, "quantity": 1, "complete": true}`},
		{name: "replace of what has changed", request: request{method: "PUT", path: "/store/orders/1", header: stale, body: `{}`},
			status: 412, code: "precondition_failed", fields: []string{"If-Match"}},

		{name: "patch", request: request{method: "PATCH", path: "/store/orders/4", header: mergePatch, body: `{"complete": true}`}, status: 200,
			want:    `{"id": 4, "petId": 1, "quantity": 5, "shipDate": "2025-01-01T00:00:00+01:00", "complete": true}`,
			headers: http.Header{"X-Stability": {"beta"}}},
		{name: "patch clears", request: send("PATCH", "/store/orders/1", `{"petId": null, "quantity": null, "shipDate": null, "complete": null}`), status: 200,
			want: `{"id": 1, "quantity": 1, "complete": false}`},
		{name: "patch completes the order of a pet that is gone", request: send("PATCH", "/store/orders/2", `{"complete": true}`), status: 200,
			want: `{"id": 2, "petId": 6, "quantity": 1, "complete": true}`},
		{name: "patch to the pet that is gone", request: send("PATCH", "/store/orders/1", `{"petId": 6}`), status: 422, code: "unknown_pet", fields: []string{"/petId"}},
		{name: "patch to pet zero", request: send("PATCH", "/store/orders/3", `{"petId": 0}`), status: 422, code: "unknown_pet", fields: []string{"/petId"}},
		{name: "patch of none", request: send("PATCH", "/store/orders/5", `{}`), status: 404, code: "not_found"},
		{name: "patch of a wrong id", request: send("PATCH", "/store/orders/x", `{}`), status: 400, code: "invalid_parameter", fields: []string{"orderId"}},
		{name: "patch of wrong types", request: send("PATCH", "/store/orders/1", `{"quantity": -1, "complete": 1}`), status: 400,
			code: "validation_failed", fields: []string{"/quantity", "/complete"}},
		{name: "patch by what is not JSON", request: send("PATCH", "/store/orders/1", `true`), status: 400, code: "invalid_json"},
		{name: "patch of what has changed", request: request{method: "PATCH", path: "/store/orders/1", header: stale, body: `{}`},
			status: 412, code: "precondition_failed", fields: []string{"If-Match"}},

		{name: "delete", request: request{method: "DELETE", path: "/store/orders/1"}, status: 204},
		{name: "delete of none", request: request{method: "DELETE", path: "/store/orders/5"}, status: 404, code: "not_found"},
		{name: "delete of a wrong id", request: request{method: "DELETE", path: "/store/orders/x"}, status: 400, code: "invalid_parameter", fields: []string{"orderId"}},
		{name: "delete of what has changed", request: request{method: "DELETE", path: "/store/orders/1", header: stale},
			status: 412, code: "precondition_failed", fields: []string{"If-Match"}},
	}
}

// TestShipDateIsGivenBackAsItWasSent holds the forms that RFC 3339 allows, which
// a round trip through a time would change.
func TestShipDateIsGivenBackAsItWasSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, date := range []string{
		"2026-03-14T09:30:00Z", "2026-03-14T09:30:00.000Z", "2026-03-14T09:30:00.1Z", "2026-03-14T09:30:00.123456789Z",
		"2026-03-14T09:30:00+00:00", "2026-03-14T09:30:00-00:00", "2026-03-14T09:30:00+05:45", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
		"2024-02-29T00:00:00Z", "2026-03-14t09:30:00z", "2026-03-14T09:30:00z", "2026-03-14t09:30:00+05:45",
		"2016-12-31T23:59:60Z", "2017-01-01T01:29:60.5+01:30", // leap seconds
	} {
		created := w.must(t, request{method: "POST", path: "/store/orders", body: fmt.Sprintf(`{"shipDate": %q}`, date)})
		for _, a := range []*answer{created, w.get(t, created.header.Get("Location"))} {
			var order struct{ ShipDate string }
			a.decode(t, &order)
			if order.ShipDate != date {
				t.Errorf("shipDate = %q, want %q", order.ShipDate, date)
			}
		}
	}
}

// TestShipDatesOfAllFormsAreSorted orders them as the texts that they are, by code
// point, whatever times they stand for.
func TestShipDatesOfAllFormsAreSorted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sorted := []string{"2016-12-31T23:59:59Z", "2016-12-31T23:59:60Z", "2016-12-31T23:59:60z", "2016-12-31t23:59:59z", "2017-01-01T05:44:60+05:45"}
	for _, i := range []int{3, 1, 4, 0, 2} {
		w.must(t, post("/store/orders", fmt.Sprintf(`{"shipDate": %q}`, sorted[i])))
	}
	for _, order := range []string{"shipDate", "-shipDate"} {
		var listed []struct{ ShipDate string }
		w.get(t, "/store/orders?sort="+order).decode(t, &listed)
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

// TestOrdersAreHistory deletes the pet of an order: the order keeps its petId, the
// stock was never touched.
func TestOrdersAreHistory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	created := w.must(t, request{method: "POST", path: "/store/orders", body: `{"petId": 5, "quantity": 2}`})
	address := created.header.Get("Location")
	w.get(t, "/store/inventory/5").expectJSON(t, `{"petId": 5, "quantity": 3, "status": "available"}`)
	w.must(t, request{method: "DELETE", path: "/pets/5"})
	w.get(t, address).expectJSON(t, string(created.body))
	w.must(t, request{method: "PATCH", path: address, body: `{"petId": 5, "complete": true}`}).
		expectJSON(t, `{"id": 6, "petId": 5, "quantity": 2, "complete": true}`)
	w.do(t, request{method: "POST", path: "/store/orders", body: `{"petId": 5}`}).expect(t, 422, "unknown_pet", "/petId")
}
