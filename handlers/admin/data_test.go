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

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/rest"
)

// dataOperations returns the operations of the service under their paths in the control plane.
func dataOperations() []rest.Operation {
	var all []rest.Operation
	for path, item := range serviceDocument().Paths.Map() {
		for method, op := range item.Operations() {
			if op.OperationID != "getHealth" && op.OperationID != "streamEvents" {
				all = append(all, rest.Operation{ID: op.OperationID, Method: method, Path: "/admin/data" + address(path)})
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
	c.EnforceSunset, c.Sunset = true, now.AddDate(0, 0, -1)
}

// TestDataIsUndisturbed checks that every operation of the service responds below /admin/data as if
// there were no keys and no faults, whatever is configured, and that it leaves no trace except its
// change.
func TestDataIsUndisturbed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, disturbed)
	w.Must(t, setLifecycle("listPets", `{"deprecated": true, "brownout": 1}`))
	unchecked := w.Unchecked() // the document does not describe this lifecycle
	for _, r := range []struct {
		request
		status int
		want   string
	}{
		{contracttest.Get("/pets?id=1"), 200, `[{"id": 1, "name": "Rex", "categoryId": 1, "status": "available"}]`},
		{contracttest.Get("/pets/1"), 200, `{"id": 1, "name": "Rex", "categoryId": 1, "status": "available"}`},
		{post("/pets", `{"name": "Nemo", "categoryId": 3}`), 201, `{"id": 7, "name": "Nemo", "categoryId": 3, "status": "available"}`},
		{put("/pets/7", `{"name": "Dory", "categoryId": 3}`), 200, `{"id": 7, "name": "Dory", "categoryId": 3, "status": "available"}`},
		{request{Method: "PATCH", Path: "/pets/7", Body: `{"status": "sold"}`}, 200, `{"id": 7, "name": "Dory", "categoryId": 3, "status": "sold"}`},
		{put("/store/inventory/7", `{"quantity": 2}`), 200, `{"petId": 7, "quantity": 2, "status": "sold"}`},
		{contracttest.Get("/store/inventory?maxQuantity=2&status=sold&limit=1&sort=-quantity"), 200, `[{"petId": 7, "quantity": 2, "status": "sold"}]`},
		{post("/store/orders", `{"petId": 7}`), 201, `{"id": 6, "petId": 7, "quantity": 1, "complete": false}`},
		{post("/messages", `{"message": "Hello"}`), 201, fmt.Sprintf(`{"id": 2, "message": "Hello", "createdAt": %q}`, now.Format("2006-01-02T15:04:05Z"))},
		{contracttest.Get("/messages/2"), 200, fmt.Sprintf(`{"id": 2, "message": "Hello", "createdAt": %q}`, now.Format("2006-01-02T15:04:05Z"))},
		{drop("/pets/7"), 204, ""},
		{contracttest.Get("/pets/7"), 404, ""},
		{post("/pets", `{"name": ""}`), 400, ""},
		{post("/pets", `{"name": "Rex", "categoryId": 99}`), 422, ""},
	} {
		r.Path = "/admin/data" + r.Path
		r.Header = http.Header{"Prefer": {"code=500, delay=60000"}}
		a := unchecked.Do(t, r.request)
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
	plain, admin := newWorld(t), newWorld(t)
	for _, w := range []*world{plain, admin} {
		w.Must(t, put("/admin/sandboxes/ada", ""))
	}
	bodies := map[string]string{
		"createPet": newPet, "replacePet": newPet, "updatePet": `{"status": "sold"}`,
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
			want := plain.Do(t, request{Method: op.Method, Path: prefix + path, Body: bodies[op.ID], Header: authorization("Bearer demo-key")})
			got := admin.Do(t, request{Method: op.Method, Path: prefix + op.Path, Body: bodies[op.ID]})
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
			for _, w := range []*world{plain, admin} {
				w.Must(t, post(prefix+"/admin/reset", ""))
			}
		}
	}
}

// TestDataKeepsConditions checks that If-Match and If-None-Match work as in the service.
func TestDataKeepsConditions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tag := w.Get(t, "/admin/data/pets/1").Header.Get("ETag")
	change := request{Method: "PATCH", Path: "/admin/data/pets/1", Body: `{"status": "sold"}`}
	change.Header = http.Header{"If-Match": {`"0"`}}
	w.Do(t, change).Expect(t, 412, "precondition_failed", "If-Match")
	change.Header = http.Header{"If-Match": {tag}}
	w.Do(t, change).Expect(t, 200, "")
	w.Do(t, change).Expect(t, 412, "precondition_failed", "If-Match")
	w.Do(t, request{Method: "GET", Path: "/admin/data/pets/2", Header: http.Header{"If-None-Match": {"*"}}}).Expect(t, 304, "")

	keyed := request{Method: "POST", Path: "/admin/data/pets", Body: newPet, Header: http.Header{"Idempotency-Key": {"k"}}}
	first, again := w.Do(t, keyed), w.Do(t, keyed)
	again.ExpectHeader(t, "Idempotency-Replayed", "true")
	again.ExpectHeader(t, "Location", first.Header.Get("Location"))
	w.Get(t, first.Header.Get("Location")).Expect(t, 200, "")
}

// TestDataIsStrict checks that misspelt parameters and fields are refused.
func TestDataIsStrict(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Do(t, contracttest.Get("/admin/data/pets?stauts=sold")).Expect(t, 400, "invalid_parameter", "stauts")
	w.Do(t, post("/admin/data/pets", `{"name": "Rex", "categoryId": 1, "stauts": "sold"}`)).Expect(t, 400, "validation_failed", "/stauts")
}

// TestDataIsAdmins checks that keys and origins that are valid only for the service are refused.
func TestDataIsAdmins(t *testing.T) {
	t.Parallel()
	keyed := newWorld(t, func(c *handlers.Config) { c.AdminKey, c.APIKeys = "secret", []string{"api"} })
	for key, status := range map[string]int{"Bearer secret": 200, "Bearer api": 401, "Bearer demo-key": 401, "": 401} {
		keyed.Do(t, request{Method: "GET", Path: "/admin/data/messages", Header: authorization(key)}).Expect(t, status, "")
	}
	w := newWorld(t)
	const page = "http://localhost:5173"
	w.Do(t, fetch("GET", "/admin/data/pets", page, nil)).ExpectReadableBy(t, page)
	a := w.Do(t, preflight("/admin/data/pets/1", "https://evil.example", "PUT", "content-type"))
	a.ExpectReadableBy(t, "")
	w.Do(t, preflight("/admin/data/pets/1", page, "PUT", "content-type")).ExpectReadableBy(t, page)
}

// TestDataMakesItsSandbox checks that a write creates a sandbox and that a read does not.
func TestDataMakesItsSandbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, path := range []string{"/pets", "/pets/1", "/nope"} {
		code := "unknown_sandbox"
		if path == "/nope" {
			code = "not_found"
		}
		w.Do(t, contracttest.Get("/sandboxes/ada/admin/data"+path)).Expect(t, 404, code)
	}
	if diff := cmp.Diff([]string{"default"}, w.Names()); diff != "" {
		t.Errorf("sandboxes after reads, -want +got:\n%s", diff)
	}
	w.Must(t, drop("/sandboxes/ada/admin/data/pets/1"))
	if diff := cmp.Diff([]string{"ada", "default"}, w.Names()); diff != "" {
		t.Errorf("sandboxes after a write, -want +got:\n%s", diff)
	}
	explicit := newWorld(t, func(c *handlers.Config) { c.ExplicitSandboxes = true })
	explicit.Do(t, drop("/sandboxes/ada/admin/data/pets/1")).Expect(t, 404, "unknown_sandbox")
}

// TestDataTellsEvents checks that the event stream reports changes below /admin/data, but no
// requests.
func TestDataTellsEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := w.Listen(t, "/admin/events", nil)
	w.Get(t, "/admin/data/pets")
	w.Must(t, post("/admin/data/categories", `{"name": "Fish"}`))
	w.Must(t, drop("/admin/data/categories/5"))
	f.Expect(t, `1 category.created {"id":5,"name":"Fish"}`, `2 category.deleted {"id":5}`)
}

// TestDataKeepsBounds checks that the limits of a sandbox apply to writes below /admin/data.
func TestDataKeepsBounds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.MaxRecords = 1 })
	w.Must(t, post("/admin/data/pets", newPet))
	w.Do(t, post("/admin/data/pets", newPet)).Expect(t, 507, "sandbox_full")
	w.Do(t, post("/admin/data/pets", `{"name": "`+strings.Repeat("x", 1<<20)+`"}`)).Expect(t, 413, "payload_too_large")
	w.Do(t, textual(post("/admin/data/pets", newPet))).Expect(t, 415, "unsupported_media_type")
}

// TestNoDataThere checks the suggestions for unknown paths below /admin/data.
func TestNoDataThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
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
	w.Do(t, post("/admin/data/pets/1", newPet)).Expect(t, 405, "method_not_allowed")
	options := w.Do(t, request{Method: "OPTIONS", Path: "/admin/data/pets/1"})
	options.Expect(t, 204, "")
	options.ExpectHeader(t, "Allow", "DELETE, GET, HEAD, OPTIONS, PATCH, PUT")
	var journal struct{ Matched int }
	if err := json.Unmarshal(w.Get(t, "/admin/requests").Body, &journal); err != nil || journal.Matched != 0 {
		t.Errorf("%d of them are in the journal, %v", journal.Matched, err)
	}
}
