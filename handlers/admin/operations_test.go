package admin_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/sandbox/lifecycle"
)

// operationOf returns the entry of listOperations for the operation.
func operationOf(t *testing.T, w *World, prefix, id string) admin.OperationStatus {
	t.Helper()
	var all []admin.OperationStatus
	w.Must(t, Get(prefix+"/admin/operations")).Decode(t, &all)
	for _, op := range all {
		if op.OperationID == id {
			return op
		}
	}
	t.Fatalf("listOperations has no %s", id)
	return admin.OperationStatus{}
}

// describedIn returns the operation from the sandbox's current document.
func describedIn(t *testing.T, w *World, prefix, path, method string) *openapi3.Operation {
	t.Helper()
	document := must.Get(openapi3.NewLoader().LoadFromData(w.Get(t, prefix+"/openapi.json").Body))(t)
	return document.Paths.Value(path).GetOperation(method)
}

// TestConcurrentLifecyclePatches checks that no patch undoes another one.
func TestConcurrentLifecyclePatches(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	var running sync.WaitGroup
	for _, body := range []string{`{"sunset": "2027-01-01"}`, `{"successor": "/categories"}`, `{"brownout": 0.25}`,
		`{"stability": "beta"}`} {
		running.Go(func() { w.Do(t, PatchLifecycle("getPet", body)) })
	}
	running.Wait()
	if op := operationOf(t, w, "", "getPet"); op.Sunset != "2027-01-01" || op.Successor != "/categories" ||
		op.Brownout != 0.25 || op.Stability != "beta" {
		t.Errorf("%+v lacks something", op)
	}
}

// TestLifecycleChangesDocument changes an operation in one sandbox and checks its document, there and
// in another sandbox.
func TestLifecycleChangesDocument(t *testing.T) {
	t.Parallel()
	w := NewWorld(t).Unchecked()
	const ada = "/sandboxes/ada"
	before := string(w.Get(t, "/openapi.json").Body)
	w.Must(t, Put(ada+"/admin/operations/listPets",
		`{"deprecated": true, "sunset": "2026-08-01T10:00:00Z", "stability": "beta"}`))
	if op := describedIn(t, w, ada, "/pets", "GET"); !op.Deprecated || op.Extensions["x-sunset"] != "2026-08-01" ||
		op.Extensions["x-deprecated-sunset"] != "2026-08-01" || op.Extensions["x-stability"] != "beta" {
		t.Errorf("ada's document says deprecated %t, %v", op.Deprecated, op.Extensions)
	}
	w.Get(t, "/pets").ExpectHeader(t, "Deprecation")
	if after := string(w.Get(t, "/openapi.json").Body); after != before {
		t.Error("the default sandbox's document changed too")
	}

	// After the lifecycle is restored, the document differs only in its address.
	w.Must(t, Delete(ada+"/admin/operations/listPets"))
	if after := strings.ReplaceAll(string(w.Get(t, ada+"/openapi.json").Body), ada, ""); after != before {
		t.Error("ada's document is not as it was")
	}
}

// TestHealthIgnoresSunset deprecates the health check, with a sunset in the past, on a server that
// enforces sunsets. The health check must still respond.
func TestHealthIgnoresSunset(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.EnforceSunset = true }).Unchecked()
	w.Must(t,
		SetLifecycle("getHealth",
			`{"deprecated": true, "deprecatedSince": "2026-01-01", "sunset": "2026-02-01", "successor": "/livez"}`))
	w.Must(t, SetLifecycle("listPets", `{"deprecated": true, "deprecatedSince": "2026-01-01", "sunset": "2026-02-01"}`))
	w.Get(t, "/pets").Expect(t, 410, "operation_sunset")
	a := w.Get(t, "/healthz")
	a.Expect(t, 200, "")
	a.ExpectHeader(t, "Sunset", "Sun, 01 Feb 2026 00:00:00 GMT")

	gone := lifecycle.Lifecycle{Deprecated: true, Sunset: Now.Add(-1), EnforceSunset: true, Brownout: 1}
	lifecycles := &w.Server.Sandboxes().Default().Lifecycles
	op := must.Get(lifecycles.Find("getHealth"))(t)
	lifecycles.Set(op, gone) // refused over HTTP
	w.Get(t, "/healthz").Expect(t, 200, "")
}

// TestBrownout checks that a share of the calls is refused before the sunset, the same calls in two
// sandboxes of one seed, no calls of other operations, and all calls from the sunset on.
func TestBrownout(t *testing.T) {
	t.Parallel()
	w := NewWorld(t).Unchecked()
	const calls = 200
	var patterns [2]string
	for i, prefix := range []string{"/sandboxes/ada", "/sandboxes/bob"} {
		w.Must(t,
			Put(prefix+"/admin/operations/listPets",
				`{"deprecated": true, "sunset": "2026-08-01", "successor": "/v2/pets", "enforceSunset": true, `+
					`"brownout": 0.3}`))
		for range calls {
			a := w.Get(t, prefix+"/pets?limit=1")
			switch a.Status {
			case 200:
				patterns[i] += "."
			case 410:
				patterns[i] += "x"
				a.ExpectHeader(t, "Retry-After")
				if p := a.Problem(t); p.Code != "operation_sunset" || !strings.Contains(p.Message, "2026-08-01") ||
					!strings.Contains(p.Message, "use "+prefix+"/v2/pets instead") {
					t.Errorf("problem = %+v", p)
				}
			default:
				t.Fatalf("status = %d", a.Status)
			}
			if a.Header.Get("Sunset") == "" {
				t.Error("an answer without its sunset")
			}
		}
	}
	if n := strings.Count(patterns[0], "x"); n < calls*2/10 || n > calls*4/10 {
		t.Errorf("%d of %d calls were refused, want about 60", n, calls)
	}
	if patterns[0] != patterns[1] {
		t.Errorf("two sandboxes of one seed were refused differently:\n%s\n%s", patterns[0], patterns[1])
	}
	for range 20 {
		w.Must(t, Get("/sandboxes/ada/categories"))
		w.Must(t, Get("/pets"))
	}
	w.Must(t, InSandbox("ada", SetClock(`{"now": "2026-08-01T00:00:00Z"}`)))
	for range 20 {
		w.Get(t, "/sandboxes/ada/pets").Expect(t, 410, "operation_sunset")
	}
	for what, sunset := range map[string]string{"without a sunset": "",
		"after a sunset that is not enforced": "2026-08-01"} {
		w.Must(t,
			Put("/sandboxes/ada/admin/operations/listPets",
				`{"deprecated": true, "sunset": "`+sunset+`", "brownout": 1}`))
		if p := w.Get(t, "/sandboxes/ada/pets").Problem(t); !strings.Contains(p.Message, "browned out") ||
			strings.Contains(p.Message, "ahead of") {
			t.Errorf("problem %s = %+v", what, p)
		}
	}
	w.Must(t, Put("/sandboxes/ada/admin/operations/listPets",
		`{"deprecated": true, "deprecatedSince": "2027-01-01", "brownout": 1}`))
	w.Must(t, Get("/sandboxes/ada/pets")) // which is not deprecated yet
	w.Must(t, InSandbox("ada", SetClock(`{"now": "2027-01-01T00:00:00Z"}`)))
	w.Get(t, "/sandboxes/ada/pets").Expect(t, 410, "operation_sunset")
}

// TestBrownoutLeavesFaultsAlone checks that random faults hit the same requests with and without a
// brown-out of another operation, and despite other requests in between.
func TestBrownoutLeavesFaultsAlone(t *testing.T) {
	t.Parallel()
	w := NewWorld(t).Unchecked()
	var patterns [2]string
	for i, prefix := range []string{"/sandboxes/ada", "/sandboxes/bob"} {
		if i == 0 {
			w.Must(t, Put(prefix+"/admin/operations/listPets", `{"deprecated": true, "brownout": 0.5}`))
		}
		w.Must(t,
			Post(prefix+"/admin/faults",
				`{"match": {"operationId": "listCategories"}, "status": 500, "probability": 0.5}`))
		for range 40 {
			w.Get(t, prefix+"/pets")
			if i == 0 {
				w.Get(t, prefix+"/healthz")
				w.Get(t, prefix+"/admin")
				w.Get(t, prefix+"/nowhere")
			}
			patterns[i] += fmt.Sprint(w.Get(t, prefix+"/categories").Status, " ")
		}
	}
	if patterns[0] != patterns[1] {
		t.Errorf("with a brown-out\n%s\nwithout\n%s", patterns[0], patterns[1])
	}
}
