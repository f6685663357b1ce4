package admin_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/rest"
)

// dataOperations returns the operations of the service under their paths in the control plane.
func dataOperations() []rest.Operation {
	var all []rest.Operation
	for path, item := range ServiceDocument().Paths.Map() {
		for method, op := range item.Operations() {
			if op.OperationID != "getHealth" && op.OperationID != "streamEvents" {
				all = append(all,
					rest.Operation{ID: op.OperationID, Method: method, Path: "/admin/data" + Address(path)})
			}
		}
	}
	slices.SortFunc(all, func(a, b rest.Operation) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// disturbed configures a server that delays and fails every request to the service, and requires a
// key.
func disturbed(c *handlers.Config) {
	c.APIKeys, c.RateLimit, c.ErrorRate = []string{"api"}, 0.001, 1
	c.Latency = handlers.Latency{Min: 10 * time.Minute, Max: 10 * time.Minute}
	c.EnforceSunset, c.Sunset, c.MaxRecords = true, Now.AddDate(0, 0, -1), 3
}

// TestDataIsUndisturbed checks that every operation of the service responds below /admin/data as if
// there were no keys and no faults, whatever is configured, and that it leaves no trace except its
// change.
func TestDataIsUndisturbed(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, disturbed)
	w.Must(t, SetLifecycle("listPets", `{"deprecated": true, "brownout": 1}`))
	unchecked := w.Unchecked() // the document does not describe this lifecycle
	for _, r := range []struct {
		Request
		status int
		want   string
	}{
		{Get("/pets?id=1"), 200, `[{"id": 1, "name": "Rex", "categoryId": 1, "status": "available"}]`},
		{Get("/pets/1"), 200, `{"id": 1, "name": "Rex", "categoryId": 1, "status": "available"}`},
		{Post("/pets", `{"name": "Nemo", "categoryId": 3}`), 201,
			`{"id": 7, "name": "Nemo", "categoryId": 3, "status": "available"}`},
		{Put("/pets/7", `{"name": "Dory", "categoryId": 3}`), 200,
			`{"id": 7, "name": "Dory", "categoryId": 3, "status": "available"}`},
		{Patch("/pets/7", `{"status": "sold"}`), 200, `{"id": 7, "name": "Dory", "categoryId": 3, "status": "sold"}`},
		{Put("/store/inventory/7", `{"quantity": 2}`), 200, `{"petId": 7, "quantity": 2, "status": "sold"}`},
		{Get("/store/inventory?maxQuantity=2&status=sold&limit=1&sort=-quantity"), 200,
			`[{"petId": 7, "quantity": 2, "status": "sold"}]`},
		{Post("/store/orders", `{"petId": 7}`), 201, `{"id": 6, "petId": 7, "quantity": 1, "complete": false}`},
		{Post("/messages", `{"message": "Hello"}`), 201,
			fmt.Sprintf(`{"id": 2, "message": "Hello", "createdAt": %q}`, Now.Format("2006-01-02T15:04:05Z"))},
		{Get("/messages/2"), 200,
			fmt.Sprintf(`{"id": 2, "message": "Hello", "createdAt": %q}`, Now.Format("2006-01-02T15:04:05Z"))},
		{Delete("/pets/7"), 204, ""},
		{Get("/pets/7"), 404, ""},
		{Post("/pets", `{"name": ""}`), 400, ""},
		{Post("/pets", `{"name": "Rex", "categoryId": 99}`), 422, ""},
		{Post("/pets", NewPet), 201, ""},
		{Post("/pets", NewPet), 507, ""},
		{Post("/pets", `{"name": "`+strings.Repeat("x", 1<<20)+`"}`), 413, ""},
		{Textual(Post("/pets", NewPet)), 415, ""},
		{Post("/pets/1", NewPet), 405, ""},
		{Get("/nope"), 404, ""},
		{Request{Method: "OPTIONS", Path: "/pets/1"}, 204, ""},
	} {
		r.Path = "/admin/data" + r.Path
		a := unchecked.Do(t, r.With("Prefer", "code=500, delay=60000"))
		if r.Method == http.MethodOptions {
			a.ExpectHeader(t, "Allow", "DELETE, GET, HEAD, OPTIONS, PATCH, PUT")
		}
		if a.Status != r.status {
			t.Errorf("%s %s = %d, want %d: %s", r.Method, r.Path, a.Status, r.status, a.Body)
		} else if r.want != "" {
			a.ExpectJSON(t, r.want)
		}
		for _, name := range []string{"Preference-Applied", "RateLimit", "RateLimit-Policy"} {
			a.ExpectHeader(t, name)
		}
	}
	w.Get(t, "/admin/requests").ExpectJSON(t, `{"requests": [], "matched": 0, "dropped": 0}`)
	w.Get(t, "/admin/report").ExpectJSON(t, `{"uses": [], "otherUses": 0}`)
	var operations []struct{ Calls int }
	unchecked.Get(t, "/admin/operations").Decode(t, &operations)
	for _, op := range operations {
		if op.Calls != 0 {
			t.Errorf("the calls are counted: %+v", operations)
			break
		}
	}
	if draw := w.Server.Sandboxes().Default().Draw(); draw.Number != 1 {
		t.Errorf("they have taken draws: the next is number %d", draw.Number)
	}
}

// TestDataIsTheService checks that each operation below /admin/data returns the same response and
// headers as the service, in each sandbox, also with a condition and for a repeated request.
func TestDataIsTheService(t *testing.T) {
	t.Parallel()
	plain, admin := NewWorld(t), NewWorld(t)
	for _, w := range []*World{plain, admin} {
		w.Must(t, Put("/admin/sandboxes/ada", ""))
	}
	bodies := map[string]string{
		"createPet": NewPet, "replacePet": NewPet, "updatePet": `{"status": "sold"}`,
		"createCategory": `{"name": "Fish"}`, "replaceCategory": `{"name": "Fish"}`,
		"updateCategory": `{"name": "Fishes"}`, "createOrder": `{"petId": 1}`, "replaceOrder": `{"petId": 1}`,
		"updateOrder": `{"quantity": 3}`, "updateInventory": `{"quantity": 3}`, "createMessage": `{"message": "Hello"}`,
	}
	var roots []string // the first segments of the paths
	for _, op := range dataOperations() {
		roots = append(roots, strings.Split(op.Path, "/")[3])
	}
	headers := []string{
		"ETag", "Location", "Link", "X-Total-Count", "Content-Type", "Deprecation", "Sunset", "Warning", "X-Stability",
		"Cache-Control", "Vary", "X-Sandbox", "Idempotency-Replayed",
	}
	conditions := []http.Header{nil, {"If-Match": {`"0"`}}, {"If-None-Match": {"*"}}, {"Idempotency-Key": {"k"}}}
	for _, prefix := range []string{"", "/sandboxes/ada"} {
		link := regexp.MustCompile("(<|^)" + prefix + "(/(?:" + strings.Join(roots, "|") + "))")
		for _, op := range dataOperations() {
			if writes := op.Method != "GET" && op.Method != "DELETE"; writes && bodies[op.ID] == "" {
				t.Errorf("bodies has no body for %s", op.ID)
				continue
			}
			for i := range 2 * len(conditions) {
				r := Request{Method: op.Method, Path: prefix + op.Path, Body: bodies[op.ID], Header: conditions[i/2]}
				got := admin.Do(t, r)
				r.Path = prefix + strings.TrimPrefix(op.Path, "/admin/data")
				want := plain.Do(t, r.WithKey("demo-key"))
				if i == 0 && want.Status >= 300 && op.ID != "deleteCategory" || got.Status != want.Status ||
					string(got.Body) != string(want.Body) {
					t.Errorf("%s%s with %v = %d %s, want %d %s", prefix, op.Path, r.Header, got.Status, got.Body,
						want.Status, want.Body)
				}
				for _, name := range headers {
					mounted := link.ReplaceAllString(want.Header.Get(name), "$1"+prefix+"/admin/data$2")
					if got.Header.Get(name) != mounted {
						t.Errorf("%s of %s%s with %v = %q, want %q", name, prefix, op.Path, r.Header,
							got.Header.Get(name), mounted)
					}
				}
				if !maps.Equal(plain.Everything(t), admin.Everything(t)) {
					t.Errorf("after %s %s%s the data differ", op.Method, prefix, op.Path)
				}
			}
			for _, w := range []*World{plain, admin} {
				w.Must(t, Post(prefix+"/admin/reset", ""))
			}
		}
	}
}
