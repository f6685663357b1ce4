package admin_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	. "example.com/petstore/handlers/internal/contracttest"
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
	document, err := openapi3.NewLoader().LoadFromData(w.Get(t, prefix+"/openapi.json").Body)
	if err != nil {
		t.Fatal(err)
	}
	return document.Paths.Value(path).GetOperation(method)
}

func TestOperations(t *testing.T)     { RunScenarios(t, operationScenarios()) }
func TestLifecyclePatch(t *testing.T) { RunScenarios(t, patchScenarios()) }

// operationScenarios returns scenarios that the transcript operations.txt lacks.
func operationScenarios() []Scenario {
	const createPet = `"operationId": "createPet", "method": "POST", "path": "/pets", "tag": "Pets", "calls": 0, ` +
		`"changed": true`
	const getPet = `"operationId": "getPet", "method": "GET", "path": "/pets/{petId}", "tag": "Pets", "calls": 0, ` +
		`"changed": true`
	same := func(op string) string { return strings.Replace(op, `"changed": true`, `"changed": false`, 1) }
	is := func(op, fields string) string { return `{` + op + `, ` + fields + `}` }
	set := func(name, id, body, want string) Scenario {
		return Answered(name, SetLifecycle(id, body), 200, want)
	}
	bad := func(name, id, body string, fields ...string) Scenario {
		return Refused(name, SetLifecycle(id, body), 400, "validation_failed", fields...)
	}
	const quiet = `"enforceSunset": false, "brownout": 0`
	enforced := func(c *handlers.Config) { c.EnforceSunset = true }
	return []Scenario{
		{Name: "operations", Request: Get("/admin/operations"), Status: 200, Check: listsTheTable},
		set("all that there is", "createPet",
			`{"deprecated": true, "deprecatedSince": "2026-08-01", "sunset": "2026-09-01T10:30:00.9+02:00", `+
				`"successor": "/v2/pets?a=b", "stability": "beta", "enforceSunset": true, "brownout": 0.25}`,
			is(createPet,
				`"deprecated": true, "deprecatedSince": "2026-08-01", "sunset": "2026-09-01T08:30:00Z", `+
					`"successor": "/v2/pets?a=b", "stability": "beta", "enforceSunset": true, "brownout": 0.25`)),
		set("midnight in UTC is a date", "createPet",
			`{"deprecated": true, "deprecatedSince": "2026-08-01T02:00:00+02:00", "sunset": "2026-08-01"}`,
			is(createPet, `"deprecated": true, "deprecatedSince": "2026-08-01", "sunset": "2026-08-01", `+quiet)),
		set("a stability alone", "createPet", `{"stability": "experimental"}`,
			is(createPet, `"deprecated": false, "stability": "experimental", `+quiet)),
		set("put back as it was listed", "getPet",
			`{"deprecated": true, "deprecatedSince": "2026-01-01", "sunset": "2030-12-31", `+
				`"successor": "/pets?id={petId}", "enforceSunset": false, "brownout": 0}`,
			is(same(getPet),
				`"deprecated": true, "deprecatedSince": "2026-01-01", "sunset": "2030-12-31", `+
					`"successor": "/pets?id={petId}", `+quiet)),
		set("a beta made stable", "updatePet", `{"stability": "stable"}`,
			`{"operationId": "updatePet", "method": "PATCH", "path": "/pets/{petId}", "tag": "Pets", "calls": 0, `+
				`"changed": true, "deprecated": false, `+quiet+`}`),
		set("empty is none", "getPet", `{"sunset": "", "successor": ""}`,
			is(getPet, `"deprecated": true, "deprecatedSince": "2026-01-01", `+quiet)),
		set("nothing", "getPet", `{}`,
			is(same(getPet),
				`"deprecated": true, "deprecatedSince": "2026-01-01", "sunset": "2030-12-31", `+
					`"successor": "/pets?id={petId}", `+quiet)),
		set("health, deprecated", "getHealth",
			`{"deprecated": true, "deprecatedSince": "2026-01-01", "enforceSunset": false, "brownout": 0}`,
			`{"operationId": "getHealth", "method": "GET", "path": "/healthz", "tag": "Health", "calls": 0, `+
				`"changed": true, "deprecated": true, "deprecatedSince": "2026-01-01", `+quiet+`}`),
		Answered("the server's enforcement is the document's", SetLifecycle("createPet", `{}`),
			200, is(same(createPet), `"deprecated": false, "enforceSunset": true, "brownout": 0`)).On(enforced),
		Answered("the server's enforcement, put back as it was listed",
			SetLifecycle("createPet", `{"deprecated": false, "enforceSunset": true}`), 200,
			is(same(createPet), `"deprecated": false, "enforceSunset": true, "brownout": 0`)).On(enforced),

		bad("all without a deprecation", "createPet",
			`{"deprecated": false, "deprecatedSince": "2026-01-01", "sunset": "2027-01-01", "successor": "/pets", `+
				`"brownout": 0.5, "enforceSunset": true}`,
			"/deprecatedSince", "/sunset", "/successor", "/brownout", "/enforceSunset"),
		bad("a sunset before now", "createPet", `{"deprecated": true, "sunset": "2026-07-01"}`, "/sunset"),
		bad("a sunset before the document's deprecation", "getPet", `{"sunset": "2025-12-31"}`, "/sunset"),
		bad("no dates", "createPet", `{"deprecated": true, "deprecatedSince": "tomorrow", "sunset": "2026-02-30"}`,
			"/deprecatedSince", "/sunset"),
		bad("years without a date format", "createPet",
			`{"deprecated": true, "deprecatedSince": "0000-01-01", "sunset": "9999-12-31T23:59:59-01:00"}`,
			"/deprecatedSince", "/sunset"),
		bad("no date beside a date", "createPet",
			`{"deprecated": true, "deprecatedSince": "tomorrow", "sunset": "2026-01-01"}`, "/deprecatedSince"),
		bad("no stability", "createPet", `{"stability": "alpha"}`, "/stability"),
		bad("an empty stability", "createPet", `{"stability": ""}`, "/stability"),
		bad("no share", "createPet", `{"deprecated": true, "brownout": 1.01}`, "/brownout"),
		bad("less than no share", "createPet", `{"deprecated": true, "brownout": -0.01}`, "/brownout"),
		bad("a successor that would end a header", "createPet",
			`{"deprecated": true, "successor": "/pets>; rel=\"x\""}`, "/successor"),
		bad("a successor with a line break", "createPet", `{"deprecated": true, "successor": "/pets\r\nX-Evil: 1"}`,
			"/successor"),
		bad("health, gone", "getHealth", `{"deprecated": true, "enforceSunset": true, "brownout": 0.5}`,
			"/enforceSunset", "/brownout"),
		bad("a sunset enforced without a deprecation", "deletePet", `{"enforceSunset": true}`, "/enforceSunset"),
		bad("enforcing a removed sunset", "getPet", `{"sunset": "", "enforceSunset": true}`, "/enforceSunset"),
		bad("enforcing an invalid sunset", "getPet", `{"sunset": "tomorrow", "enforceSunset": true}`, "/sunset"),
		bad("wrong types", "createPet", `{"deprecated": "yes", "sunset": 7, "brownout": "half"}`, "/deprecated",
			"/sunset", "/brownout"),
		Refused("good set of none", SetLifecycle("getPte", `{"sunset": "2027-01-01", "successor": "/pets?id={petId}"}`),
			404, "not_found"),
		Refused("bad set of none", SetLifecycle("createDog", `{"brownout": 7}`), 400, "validation_failed", "/brownout"),
		Refused("set of none with a long successor",
			SetLifecycle("getPte", `{"deprecated": true, "successor": "/`+strings.Repeat("x", 1000)+`"}`), 400,
			"validation_failed", "/successor"),
	}
}

func patchScenarios() []Scenario {
	const getPet = `{"operationId": "getPet", "method": "GET", "path": "/pets/{petId}", "tag": "Pets", "calls": 0, ` +
		`"changed": true, `
	const successor = `, "successor": "/pets?id={petId}", `
	const since = `"deprecated": true, "deprecatedSince": "2026-01-01", "sunset": `
	patched := func(name, body, want string, before ...Request) Scenario {
		return Answered(name, PatchLifecycle("getPet", body), 200, getPet+want+`}`).After(before...)
	}
	bad := func(name, body, field string, before ...Request) Scenario {
		return Refused(name, PatchLifecycle("getPet", body), 400, "validation_failed", field).After(before...)
	}
	sunset, enforce := PatchLifecycle("getPet", `{"sunset": "2027-01-01"}`),
		PatchLifecycle("getPet", `{"enforceSunset": true, "brownout": 0.5}`)
	over := PatchLifecycle("getPet", `{"deprecated": false}`)
	return []Scenario{
		patched("a sunset, then its enforcement", `{"enforceSunset": true}`,
			since+`"2027-01-01"`+successor+`"enforceSunset": true, "brownout": 0`, sunset),
		patched("what is omitted stays", `{"stability": "beta"}`,
			since+`"2027-01-01"`+successor+`"stability": "beta", "enforceSunset": true, "brownout": 0.5`, sunset,
			enforce),
		patched("nothing", `{}`, since+`"2027-01-01"`+successor+`"enforceSunset": false, "brownout": 0`, sunset),
		patched("null is the document's", `{"sunset": null, "brownout": null}`,
			since+`"2030-12-31"`+successor+`"enforceSunset": true, "brownout": 0`, sunset, enforce),
		patched("empty is none", `{"sunset": "", "enforceSunset": false, "brownout": 0}`,
			`"deprecated": true, "deprecatedSince": "2026-01-01"`+successor+`"enforceSunset": false, "brownout": 0`,
			enforce),
		patched("no longer deprecated", `{"deprecated": false, "sunset": null}`,
			`"deprecated": false, "enforceSunset": false, "brownout": 0`, sunset, enforce),
		patched("deprecated as in the document, by another sunset", `{"deprecated": null, "sunset": "2028-01-01"}`,
			since+`"2028-01-01", "enforceSunset": false, "brownout": 0`, over),
		bad("a sunset after the deprecation", `{"sunset": "2028-01-01"}`, "/sunset", over),
		bad("an enforced sunset taken away", `{"sunset": ""}`, "/enforceSunset", enforce),
		bad("a sunset before the deprecation of before", `{"sunset": "2026-02-01"}`, "/sunset",
			PatchLifecycle("getPet", `{"deprecatedSince": "2026-03-01"}`)),
		bad("a wrong type", `{"brownout": "half"}`, "/brownout"),
		Refused("patch of none", PatchLifecycle("getPte", `{"sunset": "2027-01-01"}`), 404, "not_found"),
	}
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

// listsTheTable checks that the response lists every operation of the service's document, in its
// order.
func listsTheTable(t *testing.T, a *Answer) {
	t.Helper()
	var all []admin.OperationStatus
	a.Decode(t, &all)
	n := 0
	for _, item := range ServiceDocument().Paths.Map() {
		n += len(item.Operations())
	}
	if len(all) != n || all[0].OperationID != "listPets" {
		t.Errorf("%d operations from %s on, want %d from listPets on", len(all), all[0].OperationID, n)
	}
	for _, op := range all {
		described := ServiceDocument().Paths.Value(op.Path).GetOperation(op.Method)
		stability, _ := described.Extensions["x-stability"].(string)
		sunset, _ := described.Extensions["x-sunset"].(string)
		if described.OperationID != op.OperationID || described.Tags[0] != op.Tag ||
			described.Deprecated != op.Deprecated ||
			stability != string(op.Stability) || sunset != op.Sunset || op.Changed || op.Calls != 0 {
			t.Errorf("%+v does not match the document", op)
		}
	}
}

// TestLifecycleTakesEffectAtOnce changes an operation in one sandbox and checks its headers and
// documents, there and in another sandbox.
func TestLifecycleTakesEffectAtOnce(t *testing.T) {
	t.Parallel()
	w := NewWorld(t).Unchecked()
	const ada = "/sandboxes/ada"
	before := string(w.Get(t, "/openapi.json").Body)
	list := Get(ada + "/pets?limit=2")
	paging := w.Must(t, list).Header.Get("Link")

	w.Must(t,
		Put(ada+"/admin/operations/listPets",
			`{"deprecated": true, "deprecatedSince": "2026-06-01", "sunset": "2026-08-01T10:00:00Z", `+
				`"successor": "/v2/pets", "stability": "beta"}`))
	a := w.Must(t, list)
	a.ExpectHeader(t, "Deprecation", fmt.Sprint("@", time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC).Unix()))
	a.ExpectHeader(t, "Sunset", "Sat, 01 Aug 2026 10:00:00 GMT")
	a.ExpectHeader(t, "Warning",
		`299 - "listPets is deprecated since 2026-06-01 and will be removed on 2026-08-01; use /v2/pets"`)
	a.ExpectHeader(t, "X-Stability", "beta")
	a.ExpectHeader(t, "Link",
		`</sandboxes/ada/docs/#/Pets/listPets>; rel="deprecation", </sandboxes/ada/v2/pets>; rel="successor-version"`, paging)
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
	op, err := lifecycles.Find("getHealth")
	if err != nil {
		t.Fatal(err)
	}
	lifecycles.Set(op, gone) // refused over HTTP
	w.Get(t, "/healthz").Expect(t, 200, "")
}

// TestSunsetIsInWholeSeconds checks that an operation is gone at the second of its Sunset header.
func TestSunsetIsInWholeSeconds(t *testing.T) {
	t.Parallel()
	w := NewWorld(t).Unchecked()
	w.Must(t,
		SetLifecycle("listPets", `{"deprecated": true, "sunset": "2026-08-01T10:00:00.9Z", "enforceSunset": true}`))
	w.Must(t, SetClock(`{"now": "2026-08-01T09:59:59.999Z"}`))
	w.Get(t, "/pets").Expect(t, 200, "")
	w.Must(t, SetClock(`{"now": "2026-08-01T10:00:00Z"}`))
	a := w.Get(t, "/pets")
	a.Expect(t, 410, "operation_sunset")
	a.ExpectHeader(t, "Sunset", "Sat, 01 Aug 2026 10:00:00 GMT")
}

// TestSuccessorFillsPlaceholders checks that Link and the advice in Warning name a usable path, even
// for a parameter that could break a header. The successor that an operation already has keeps its
// words.
func TestSuccessorFillsPlaceholders(t *testing.T) {
	t.Parallel()
	w := NewWorld(t).Unchecked()
	before := w.Get(t, "/pets/1").Header.Get("Warning")
	w.Must(t, SetLifecycle("getPet", `{"successor": "/pets?id={petId}"}`))
	w.Get(t, "/pets/1").ExpectHeader(t, "Warning", before)
	w.Must(t, SetLifecycle("getPet", `{"successor": "/v2/pets/{petId}?id={petId}"}`))
	for id, advice := range map[string]string{"7": "/v2/pets/7?id=7",
		"a%20%3E%22%0D%0A%7Bx%7D": "/v2/pets/a%20%3E%22%0D%0A%7Bx%7D?id=a+%3E%22%0D%0A%7Bx%7D"} {
		a := w.Get(t, "/pets/"+id)
		a.ExpectHeader(t, "Warning",
			`299 - "getPet is deprecated since 2026-01-01 and will be removed on 2030-12-31; use `+advice+`"`)
		if link, want := a.Header.Get("Link"), "<"+advice+`>; rel="successor-version"`; !strings.HasSuffix(link, want) {
			t.Errorf("Link = %s, want %s at its end", link, want)
		}
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
