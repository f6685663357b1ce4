package admin_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/petstore/handlers"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/sandbox"
)

// TestLifecycleTakesEffectAtOnce changes an operation in one sandbox and checks its headers and
// documents, there and in another sandbox.
func TestLifecycleTakesEffectAtOnce(t *testing.T) {
	t.Parallel()
	w := NewWorld(t).Unchecked()
	const ada = "/sandboxes/ada"
	before := string(w.Get(t, "/openapi.json").Body)
	list := Get(ada + "/pets?limit=2")
	paging := w.Must(t, list).Header.Get("Link")

	w.Must(t, Put(ada+"/admin/operations/listPets", `{"deprecated": true, "deprecatedSince": "2026-06-01", "sunset": "2026-08-01T10:00:00Z", "successor": "/v2/pets", "stability": "beta"}`))
	a := w.Must(t, list)
	a.ExpectHeader(t, "Deprecation", fmt.Sprint("@", time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC).Unix()))
	a.ExpectHeader(t, "Sunset", "Sat, 01 Aug 2026 10:00:00 GMT")
	a.ExpectHeader(t, "Warning", `299 - "listPets is deprecated since 2026-06-01 and will be removed on 2026-08-01; use /v2/pets"`)
	a.ExpectHeader(t, "X-Stability", "beta")
	a.ExpectHeader(t, "Link", `</sandboxes/ada/docs/#/Pets/listPets>; rel="deprecation", </sandboxes/ada/v2/pets>; rel="successor-version"`, paging)
	if op := describedIn(t, w, ada, "/pets", "GET"); !op.Deprecated || op.Extensions["x-sunset"] != "2026-08-01" ||
		op.Extensions["x-deprecated-sunset"] != "2026-08-01" || op.Extensions["x-stability"] != "beta" {
		t.Errorf("ada's document says deprecated %t, %v", op.Deprecated, op.Extensions)
	}
	other := w.Get(t, "/pets?limit=2")
	for _, name := range []string{"Deprecation", "Sunset", "Warning", "X-Stability"} {
		other.ExpectHeader(t, name)
	}
	if after := string(w.Get(t, "/openapi.json").Body); after != before {
		t.Error("the default sandbox's document changed too")
	}

	// After the lifecycle is restored, the document differs only in its address.
	w.Must(t, Delete(ada+"/admin/operations/listPets"))
	w.Must(t, list).ExpectHeader(t, "Deprecation")
	if after := strings.ReplaceAll(string(w.Get(t, ada+"/openapi.json").Body), ada, ""); after != before {
		t.Error("ada's document is not as it was")
	}
	w.Must(t, Put(ada+"/admin/operations/getPet", `{"deprecated": false}`))
	w.Must(t, Get(ada+"/pets/1")).ExpectHeader(t, "Deprecation")
	w.Must(t, Post(ada+"/admin/reset?only=lifecycle", ""))
	if w.Must(t, Get(ada+"/pets/1")).Header.Get("Deprecation") == "" {
		t.Error("a reset did not bring the document's lifecycle back")
	}
}

// TestHealthIsNeverGone deprecates the health check, with a sunset in the past, on a server that
// enforces sunsets. The health check must still respond.
func TestHealthIsNeverGone(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.EnforceSunset = true }).Unchecked()
	w.Must(t, SetLifecycle("getHealth", `{"deprecated": true, "deprecatedSince": "2026-01-01", "sunset": "2026-02-01", "successor": "/livez"}`))
	w.Must(t, SetLifecycle("listPets", `{"deprecated": true, "deprecatedSince": "2026-01-01", "sunset": "2026-02-01"}`))
	w.Get(t, "/pets").Expect(t, 410, "operation_sunset")
	a := w.Get(t, "/healthz")
	a.Expect(t, 200, "")
	a.ExpectHeader(t, "Sunset", "Sun, 01 Feb 2026 00:00:00 GMT")

	gone := &sandbox.Lifecycle{Deprecated: true, Sunset: Now.Add(-1), EnforceSunset: true, Brownout: 1}
	w.Server.Sandboxes().Default().Lifecycles.Set("getHealth", gone) // refused over HTTP
	w.Get(t, "/healthz").Expect(t, 200, "")
}

// TestSunsetHasNoFractions checks that an operation is gone at the second of its Sunset header.
func TestSunsetHasNoFractions(t *testing.T) {
	t.Parallel()
	w := NewWorld(t).Unchecked()
	w.Must(t, SetLifecycle("listPets", `{"deprecated": true, "sunset": "2026-08-01T10:00:00.9Z", "enforceSunset": true}`))
	w.Must(t, SetClock(`{"now": "2026-08-01T09:59:59.999Z"}`))
	w.Get(t, "/pets").Expect(t, 200, "")
	w.Must(t, SetClock(`{"now": "2026-08-01T10:00:00Z"}`))
	a := w.Get(t, "/pets")
	a.Expect(t, 410, "operation_sunset")
	a.ExpectHeader(t, "Sunset", "Sat, 01 Aug 2026 10:00:00 GMT")
}

// TestSuccessorEscapes inserts a parameter that could break a header into the path and the query of
// a successor.
func TestSuccessorEscapes(t *testing.T) {
	t.Parallel()
	w := NewWorld(t).Unchecked()
	w.Must(t, SetLifecycle("getPet", `{"successor": "/v2/pets/{petId}?id={petId}"}`))
	link := w.Get(t, "/pets/a%20%3E%22%0D%0A%7Bx%7D").Header.Get("Link")
	if want := `</v2/pets/a%20%3E%22%0D%0A%7Bx%7D?id=a+%3E%22%0D%0A%7Bx%7D>; rel="successor-version"`; !strings.HasSuffix(link, want) {
		t.Errorf("Link = %s, want %s at its end", link, want)
	}
}

// TestSuccessorPutBackKeepsItsWords sets the successor that an operation already has. The advice in
// its warning must stay.
func TestSuccessorPutBackKeepsItsWords(t *testing.T) {
	t.Parallel()
	w := NewWorld(t).Unchecked()
	before := w.Get(t, "/pets/1").Header.Get("Warning")
	w.Must(t, SetLifecycle("getPet", `{"successor": "/pets?id={petId}"}`))
	w.Get(t, "/pets/1").ExpectHeader(t, "Warning", before)
}

// TestWarningFillsPlaceholders checks that the advice in a warning names a usable path, as Link
// does.
func TestWarningFillsPlaceholders(t *testing.T) {
	t.Parallel()
	w := NewWorld(t).Unchecked()
	w.Must(t, SetLifecycle("getPet", `{"successor": "/v2/pets/{petId}?id={petId}"}`))
	for id, advice := range map[string]string{"7": "/v2/pets/7?id=7", "%22%0D%0A%7Bx%7D": "/v2/pets/%22%0D%0A%7Bx%7D?id=%22%0D%0A%7Bx%7D"} {
		w.Get(t, "/pets/"+id).ExpectHeader(t, "Warning",
			`299 - "getPet is deprecated since 2026-01-01 and will be removed on 2030-12-31; use `+advice+`"`)
	}
}

// TestBrownout checks that a share of the calls is refused before the sunset, the same calls in two
// sandboxes of one seed, no calls of other operations, and all calls from the sunset on.
func TestBrownout(t *testing.T) {
	t.Parallel()
	w := NewWorld(t).Unchecked()
	const calls = 200
	var patterns [2]string
	for i, prefix := range []string{"/sandboxes/ada", "/sandboxes/bob"} {
		w.Must(t, Put(prefix+"/admin/operations/listPets", `{"deprecated": true, "sunset": "2026-08-01", "successor": "/v2/pets", "enforceSunset": true, "brownout": 0.3}`))
		for range calls {
			a := w.Get(t, prefix+"/pets?limit=1")
			switch a.Status {
			case 200:
				patterns[i] += "."
			case 410:
				patterns[i] += "x"
				a.ExpectHeader(t, "Retry-After")
				if p := a.Problem(t); p.Code != "operation_sunset" || !strings.Contains(p.Message, "2026-08-01") || !strings.Contains(p.Message, "use "+prefix+"/v2/pets instead") {
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
	w.Must(t, Put("/sandboxes/ada/admin/operations/listPets", `{"deprecated": true, "brownout": 1}`))
	if p := w.Get(t, "/sandboxes/ada/pets").Problem(t); !strings.Contains(p.Message, "browned out") || strings.Contains(p.Message, "0001") {
		t.Errorf("problem without a sunset = %+v", p)
	}
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
		w.Must(t, Post(prefix+"/admin/faults", `{"match": {"operationId": "listCategories"}, "status": 500, "probability": 0.5}`))
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
