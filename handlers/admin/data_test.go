package admin_test

import (
	"encoding/json"
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
				all = append(all, rest.Operation{ID: op.OperationID, Method: method, Path: "/admin/data" + Address(path)})
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
	c.EnforceSunset, c.Sunset = true, Now.AddDate(0, 0, -1)
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
		{Post("/pets", `{"name": "Nemo", "categoryId": 3}`), 201, `{"id": 7, "name": "Nemo", "categoryId": 3, "status": "available"}`},
		{Put("/pets/7", `{"name": "Dory", "categoryId": 3}`), 200, `{"id": 7, "name": "Dory", "categoryId": 3, "status": "available"}`},
		{Patch("/pets/7", `{"status": "sold"}`), 200, `{"id": 7, "name": "Dory", "categoryId": 3, "status": "sold"}`},
		{Put("/store/inventory/7", `{"quantity": 2}`), 200, `{"petId": 7, "quantity": 2, "status": "sold"}`},
		{Get("/store/inventory?maxQuantity=2&status=sold&limit=1&sort=-quantity"), 200, `[{"petId": 7, "quantity": 2, "status": "sold"}]`},
		{Post("/store/orders", `{"petId": 7}`), 201, `{"id": 6, "petId": 7, "quantity": 1, "complete": false}`},
		{Post("/messages", `{"message": "Hello"}`), 201, fmt.Sprintf(`{"id": 2, "message": "Hello", "createdAt": %q}`, Now.Format("2006-01-02T15:04:05Z"))},
		{Get("/messages/2"), 200, fmt.Sprintf(`{"id": 2, "message": "Hello", "createdAt": %q}`, Now.Format("2006-01-02T15:04:05Z"))},
		{Delete("/pets/7"), 204, ""},
		{Get("/pets/7"), 404, ""},
		{Post("/pets", `{"name": ""}`), 400, ""},
		{Post("/pets", `{"name": "Rex", "categoryId": 99}`), 422, ""},
	} {
		r.Path = "/admin/data" + r.Path
		r.Header = http.Header{"Prefer": {"code=500, delay=60000"}}
		a := unchecked.Do(t, r.Request)
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
	if draw := w.Server.Sandboxes().Default().Draw(); draw.Number() != 1 {
		t.Errorf("they have taken draws: the next is number %d", draw.Number())
	}
}

// TestDataIsTheService checks that each operation below /admin/data returns the same response and
// headers as the service, in each sandbox.
func TestDataIsTheService(t *testing.T) {
	t.Parallel()
	plain, admin := NewWorld(t), NewWorld(t)
	for _, w := range []*World{plain, admin} {
		w.Must(t, Put("/admin/sandboxes/ada", ""))
	}
	bodies := map[string]string{
		"createPet": NewPet, "replacePet": NewPet, "updatePet": `{"status": "sold"}`,
		"createCategory": `{"name": "Fish"}`, "replaceCategory": `{"name": "Fish"}`, "updateCategory": `{"name": "Fishes"}`,
		"createOrder": `{"petId": 1}`, "replaceOrder": `{"petId": 1}`, "updateOrder": `{"quantity": 3}`,
		"updateInventory": `{"quantity": 3}`, "createMessage": `{"message": "Hello"}`,
	}
	headers := []string{
		"ETag", "Location", "Link", "X-Total-Count", "Content-Type", "Deprecation", "Sunset", "Warning", "X-Stability", "Cache-Control", "Vary", "X-Sandbox",
	}
	for _, prefix := range []string{"", "/sandboxes/ada"} {
		link := regexp.MustCompile("(<|^)" + prefix + "(/pets|/categories|/store|/messages)")
		for _, op := range dataOperations() {
			path := strings.TrimPrefix(op.Path, "/admin/data")
			want := plain.Do(t, Request{Method: op.Method, Path: prefix + path, Body: bodies[op.ID], Header: Authorization("Bearer demo-key")})
			got := admin.Do(t, Request{Method: op.Method, Path: prefix + op.Path, Body: bodies[op.ID]})
			if want.Status >= 300 && op.ID != "deleteCategory" || got.Status != want.Status || string(got.Body) != string(want.Body) {
				t.Errorf("%s%s = %d %s, want %d %s", prefix, op.Path, got.Status, got.Body, want.Status, want.Body)
			}
			for _, name := range headers {
				mounted := link.ReplaceAllString(want.Header.Get(name), "$1"+prefix+"/admin/data$2")
				if got.Header.Get(name) != mounted {
					t.Errorf("%s of %s%s = %q, want %q", name, prefix, op.Path, got.Header.Get(name), mounted)
				}
			}
			if !maps.Equal(plain.Everything(t), admin.Everything(t)) {
				t.Errorf("after %s %s%s the data differ", op.Method, prefix, op.Path)
			}
			for _, w := range []*World{plain, admin} {
				w.Must(t, Post(prefix+"/admin/reset", ""))
			}
		}
	}
}

// TestDataKeepsConditions checks that If-Match and If-None-Match work as in the service.
func TestDataKeepsConditions(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	tag := w.Get(t, "/admin/data/pets/1").Header.Get("ETag")
	change := Patch("/admin/data/pets/1", `{"status": "sold"}`)
	change.Header = http.Header{"If-Match": {`"0"`}}
	w.Do(t, change).Expect(t, 412, "precondition_failed", "If-Match")
	change.Header = http.Header{"If-Match": {tag}}
	w.Do(t, change).Expect(t, 200, "")
	w.Do(t, change).Expect(t, 412, "precondition_failed", "If-Match")
	w.Do(t, Get("/admin/data/pets/2").With("If-None-Match", "*")).Expect(t, 304, "")

	keyed := Post("/admin/data/pets", NewPet).With("Idempotency-Key", "k")
	first, again := w.Do(t, keyed), w.Do(t, keyed)
	again.ExpectHeader(t, "Idempotency-Replayed", "true")
	again.ExpectHeader(t, "Location", first.Header.Get("Location"))
	w.Get(t, first.Header.Get("Location")).Expect(t, 200, "")
}

// TestDataIsStrict checks that misspelt parameters and fields are refused.
func TestDataIsStrict(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Do(t, Get("/admin/data/pets?stauts=sold")).Expect(t, 400, "invalid_parameter", "stauts")
	w.Do(t, Post("/admin/data/pets", `{"name": "Rex", "categoryId": 1, "stauts": "sold"}`)).Expect(t, 400, "validation_failed", "/stauts")
}

// TestDataIsAdmins checks that keys and origins that are valid only for the service are refused.
func TestDataIsAdmins(t *testing.T) {
	t.Parallel()
	keyed := NewWorld(t, func(c *handlers.Config) { c.AdminKey, c.APIKeys = "secret", []string{"api"} })
	for key, status := range map[string]int{"Bearer secret": 200, "Bearer api": 401, "Bearer demo-key": 401, "": 401} {
		keyed.Do(t, Get("/admin/data/messages").With("Authorization", key)).Expect(t, status, "")
	}
	w := NewWorld(t)
	const page = "http://localhost:5173"
	w.Do(t, Fetch("GET", "/admin/data/pets", page, nil)).ExpectReadableBy(t, page)
	a := w.Do(t, Preflight("/admin/data/pets/1", "https://evil.example", "PUT", "content-type"))
	a.ExpectReadableBy(t, "")
	w.Do(t, Preflight("/admin/data/pets/1", page, "PUT", "content-type")).ExpectReadableBy(t, page)
}

// TestDataMakesItsSandbox checks that a write creates a sandbox and that a read does not.
func TestDataMakesItsSandbox(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for _, path := range []string{"/pets", "/pets/1", "/nope"} {
		code := "unknown_sandbox"
		if path == "/nope" {
			code = "not_found"
		}
		w.Do(t, Get("/sandboxes/ada/admin/data"+path)).Expect(t, 404, code)
	}
	w.ExpectNames(t, "default")
	w.Must(t, Delete("/sandboxes/ada/admin/data/pets/1"))
	w.ExpectNames(t, "ada", "default")
	explicit := NewWorld(t, func(c *handlers.Config) { c.ExplicitSandboxes = true })
	explicit.Do(t, Delete("/sandboxes/ada/admin/data/pets/1")).Expect(t, 404, "unknown_sandbox")
}

// TestDataTellsEvents checks that the event stream reports changes below /admin/data, but no
// requests.
func TestDataTellsEvents(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	f := w.Listen(t, "/admin/events", nil)
	w.Get(t, "/admin/data/pets")
	w.Must(t, Post("/admin/data/categories", `{"name": "Fish"}`))
	w.Must(t, Delete("/admin/data/categories/5"))
	f.Expect(t, `1 category.created {"id":5,"name":"Fish"}`, `2 category.deleted {"id":5}`)
}

// TestDataKeepsBounds checks that the limits of a sandbox apply to writes below /admin/data.
func TestDataKeepsBounds(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.MaxRecords = 1 })
	w.Must(t, Post("/admin/data/pets", NewPet))
	w.Do(t, Post("/admin/data/pets", NewPet)).Expect(t, 507, "sandbox_full")
	w.Do(t, Post("/admin/data/pets", `{"name": "`+strings.Repeat("x", 1<<20)+`"}`)).Expect(t, 413, "payload_too_large")
	w.Do(t, Textual(Post("/admin/data/pets", NewPet))).Expect(t, 415, "unsupported_media_type")
}

// TestNoDataThere checks the suggestions for unknown paths below /admin/data.
func TestNoDataThere(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for path, nearest := range map[string]string{
		"/admin/data/pet/1": "/admin/data/pets/1", "/admin/data/orders": "/admin/data/store/orders", "/admin/data/": "",
		"/admin/data/healthz": "", "/admin/data/helthz": "", "/admin/data/events": "", "/admin/data/admin": "", "/admin/data/admin/data/pets": "",
		"/admin/data/docs/": "", "/admin/data/pets%2F1": "", "/sandboxes/ada/admin/data/pet": "/sandboxes/ada/admin/data/pets",
	} {
		a := w.Get(t, path)
		a.Expect(t, 404, "not_found")
		_, advice, _ := strings.Cut(a.Problem(t).Message, "did you mean ")
		advice, _, _ = strings.Cut(advice, "?")
		if advice != nearest {
			t.Errorf("the advice for %s is %q, want %q", path, advice, nearest)
		}
	}
	w.Do(t, Post("/admin/data/pets/1", NewPet)).Expect(t, 405, "method_not_allowed")
	options := w.Do(t, Request{Method: "OPTIONS", Path: "/admin/data/pets/1"})
	options.Expect(t, 204, "")
	options.ExpectHeader(t, "Allow", "DELETE, GET, HEAD, OPTIONS, PATCH, PUT")
	var journal struct{ Matched int }
	if err := json.Unmarshal(w.Get(t, "/admin/requests").Body, &journal); err != nil || journal.Matched != 0 {
		t.Errorf("%d of them are in the journal, %v", journal.Matched, err)
	}
}
