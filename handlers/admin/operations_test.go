package admin_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	. "example.com/petstore/handlers/internal/contracttest"
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

func operationScenarios() []Scenario {
	reset := Delete("/admin/operations/createPet")
	const createPet = `"operationId": "createPet", "method": "POST", "path": "/pets", "tag": "Pets", "calls": 0, "changed": true`
	const getPet = `"operationId": "getPet", "method": "GET", "path": "/pets/{petId}", "tag": "Pets", "calls": 0, "changed": true`
	same := func(op string) string { return strings.Replace(op, `"changed": true`, `"changed": false`, 1) }
	is := func(op, fields string) string { return `{` + op + `, ` + fields + `}` }
	set := func(name, id, body, want string) Scenario {
		return Scenario{Name: name, Request: SetLifecycle(id, body), Status: 200, Want: want}
	}
	bad := func(name, id, body string, fields ...string) Scenario {
		return Scenario{Name: name, Request: SetLifecycle(id, body), Status: 400, Code: "validation_failed", Fields: fields}
	}
	const quiet = `"enforceSunset": false, "brownout": 0`
	enforced := func(c *handlers.Config) { c.EnforceSunset = true }
	return []Scenario{
		{Name: "operations", Request: Get("/admin/operations"), Status: 200, Check: listsTheTable},
		set("deprecate now", "createPet", `{"deprecated": true}`,
			is(createPet, `"deprecated": true, "deprecatedSince": "2026-07-01T12:00:00Z", `+quiet)),
		set("all that there is", "createPet",
			`{"deprecated": true, "deprecatedSince": "2026-08-01", "sunset": "2026-09-01T10:30:00.9+02:00", "successor": "/v2/pets?a=b", "stability": "beta", "enforceSunset": true, "brownout": 0.25}`,
			is(createPet, `"deprecated": true, "deprecatedSince": "2026-08-01", "sunset": "2026-09-01T08:30:00Z", "successor": "/v2/pets?a=b", "stability": "beta", "enforceSunset": true, "brownout": 0.25`)),
		set("midnight in UTC is a date", "createPet", `{"deprecated": true, "deprecatedSince": "2026-08-01T02:00:00+02:00", "sunset": "2026-08-01"}`,
			is(createPet, `"deprecated": true, "deprecatedSince": "2026-08-01", "sunset": "2026-08-01", `+quiet)),
		set("a stability alone", "createPet", `{"stability": "experimental"}`, is(createPet, `"deprecated": false, "stability": "experimental", `+quiet)),
		set("put back as it was listed", "getPet",
			`{"deprecated": true, "deprecatedSince": "2026-01-01", "sunset": "2030-12-31", "successor": "/pets?id={petId}", "enforceSunset": false, "brownout": 0}`,
			is(same(getPet), `"deprecated": true, "deprecatedSince": "2026-01-01", "sunset": "2030-12-31", "successor": "/pets?id={petId}", `+quiet)),
		set("a beta made stable", "updatePet", `{"stability": "stable"}`,
			`{"operationId": "updatePet", "method": "PATCH", "path": "/pets/{petId}", "tag": "Pets", "calls": 0, "changed": true, "deprecated": false, `+quiet+`}`),
		set("what is left out is the document's", "getPet", `{"sunset": "2027-01-01", "deprecatedSince": null}`,
			is(getPet, `"deprecated": true, "deprecatedSince": "2026-01-01", "sunset": "2027-01-01", "successor": "/pets?id={petId}", `+quiet)),
		set("empty is none", "getPet", `{"sunset": "", "successor": ""}`, is(getPet, `"deprecated": true, "deprecatedSince": "2026-01-01", `+quiet)),
		set("not deprecated any more", "getPet", `{"deprecated": false}`, is(getPet, `"deprecated": false, `+quiet)),
		set("nothing", "getPet", `{}`,
			is(same(getPet), `"deprecated": true, "deprecatedSince": "2026-01-01", "sunset": "2030-12-31", "successor": "/pets?id={petId}", `+quiet)),
		set("health, deprecated", "getHealth", `{"deprecated": true, "deprecatedSince": "2026-01-01", "enforceSunset": false, "brownout": 0}`,
			`{"operationId": "getHealth", "method": "GET", "path": "/healthz", "tag": "Health", "calls": 0, "changed": true, "deprecated": true, "deprecatedSince": "2026-01-01", `+quiet+`}`),
		{Name: "the server's enforcement is the document's", Config: enforced, Request: SetLifecycle("createPet", `{}`), Status: 200,
			Want: is(same(createPet), `"deprecated": false, "enforceSunset": true, "brownout": 0`)},
		{Name: "the server's enforcement, put back as it was listed", Config: enforced, Request: SetLifecycle("createPet", `{"deprecated": false, "enforceSunset": true}`), Status: 200,
			Want: is(same(createPet), `"deprecated": false, "enforceSunset": true, "brownout": 0`)},
		{Name: "reset", Request: reset, Before: []Request{SetLifecycle("createPet", `{"stability": "beta"}`)}, Status: 204},
		{Name: "reset what was not changed", Request: reset, Status: 204},

		bad("a sunset without a deprecation", "createPet", `{"sunset": "2027-01-01"}`, "/sunset"),
		bad("all without a deprecation", "createPet", `{"deprecated": false, "deprecatedSince": "2026-01-01", "sunset": "2027-01-01", "successor": "/pets", "brownout": 0.5, "enforceSunset": true}`,
			"/deprecatedSince", "/sunset", "/successor", "/brownout", "/enforceSunset"),
		bad("a sunset before the deprecation", "createPet", `{"deprecated": true, "deprecatedSince": "2027-01-02", "sunset": "2027-01-01"}`, "/sunset"),
		bad("a sunset before now", "createPet", `{"deprecated": true, "sunset": "2026-07-01"}`, "/sunset"),
		bad("a sunset before the document's deprecation", "getPet", `{"sunset": "2025-12-31"}`, "/sunset"),
		bad("no dates", "createPet", `{"deprecated": true, "deprecatedSince": "tomorrow", "sunset": "2026-02-30"}`, "/deprecatedSince", "/sunset"),
		bad("years that no date tells", "createPet", `{"deprecated": true, "deprecatedSince": "0000-01-01", "sunset": "9999-12-31T23:59:59-01:00"}`, "/deprecatedSince", "/sunset"),
		bad("no date beside a date", "createPet", `{"deprecated": true, "deprecatedSince": "tomorrow", "sunset": "2026-01-01"}`, "/deprecatedSince"),
		bad("no stability", "createPet", `{"stability": "alpha"}`, "/stability"),
		bad("an empty stability", "createPet", `{"stability": ""}`, "/stability"),
		bad("no share", "createPet", `{"deprecated": true, "brownout": 1.01}`, "/brownout"),
		bad("less than no share", "createPet", `{"deprecated": true, "brownout": -0.01}`, "/brownout"),
		bad("a successor elsewhere", "createPet", `{"deprecated": true, "successor": "//evil.example/"}`, "/successor"),
		bad("a successor that would end a header", "createPet", `{"deprecated": true, "successor": "/pets>; rel=\"x\""}`, "/successor"),
		bad("a successor with a line break", "createPet", `{"deprecated": true, "successor": "/pets\r\nX-Evil: 1"}`, "/successor"),
		bad("a successor with what the path has not", "createPet", `{"deprecated": true, "successor": "/pets/{petId}"}`, "/successor"),
		bad("health, gone", "getHealth", `{"deprecated": true, "enforceSunset": true, "brownout": 0.5}`, "/enforceSunset", "/brownout"),
		bad("a sunset enforced without a deprecation", "deletePet", `{"enforceSunset": true}`, "/enforceSunset"),
		bad("a sunset enforced that there is none of", "deletePet", `{"deprecated": true, "enforceSunset": true}`, "/enforceSunset"),
		bad("a sunset enforced that is taken away", "getPet", `{"sunset": "", "enforceSunset": true}`, "/enforceSunset"),
		bad("a sunset enforced that is wrong", "getPet", `{"sunset": "tomorrow", "enforceSunset": true}`, "/sunset"),
		bad("wrong types", "createPet", `{"deprecated": "yes", "sunset": 7, "brownout": "half"}`, "/deprecated", "/sunset", "/brownout"),
		bad("unknown fields", "createPet", `{"deprecated": true, "sunsetDate": "2027-01-01"}`, "/sunsetDate"),
		{Name: "no JSON", Request: SetLifecycle("createPet", `[]`), Status: 400, Code: "invalid_json"},
		{Name: "text", Request: Textual(SetLifecycle("createPet", `{}`)), Status: 415, Code: "unsupported_media_type"},
		{Name: "set of none", Request: SetLifecycle("createDog", `{}`), Status: 404, Code: "not_found"},
		{Name: "good set of none", Request: SetLifecycle("getPte", `{"sunset": "2027-01-01", "successor": "/pets?id={petId}"}`), Status: 404, Code: "not_found"},
		{Name: "bad set of none", Request: SetLifecycle("createDog", `{"brownout": 7}`), Status: 400, Code: "validation_failed", Fields: []string{"/brownout"}},
		{Name: "set of none with a long successor", Request: SetLifecycle("getPte", `{"deprecated": true, "successor": "/`+strings.Repeat("x", 1000)+`"}`), Status: 400, Code: "validation_failed", Fields: []string{"/successor"}},
		{Name: "reset of none", Request: Delete("/admin/operations/createDog"), Status: 404, Code: "not_found"},
		{Name: "the control plane's own", Request: SetLifecycle("getAdmin", `{}`), Status: 404, Code: "not_found"},
	}
}

func patchScenarios() []Scenario {
	const getPet = `{"operationId": "getPet", "method": "GET", "path": "/pets/{petId}", "tag": "Pets", "calls": 0, "changed": true, `
	const successor = `, "successor": "/pets?id={petId}", `
	const since = `"deprecated": true, "deprecatedSince": "2026-01-01", "sunset": `
	patched := func(name, body, want string, before ...Request) Scenario {
		return Scenario{Name: name, Before: before, Request: PatchLifecycle("getPet", body), Status: 200, Want: getPet + want + `}`}
	}
	bad := func(name, body, field string, before ...Request) Scenario {
		return Scenario{Name: name, Before: before, Request: PatchLifecycle("getPet", body), Status: 400, Code: "validation_failed", Fields: []string{field}}
	}
	sunset, enforce := PatchLifecycle("getPet", `{"sunset": "2027-01-01"}`), PatchLifecycle("getPet", `{"enforceSunset": true, "brownout": 0.5}`)
	over := PatchLifecycle("getPet", `{"deprecated": false}`)
	return []Scenario{
		patched("a sunset, then its enforcement", `{"enforceSunset": true}`, since+`"2027-01-01"`+successor+`"enforceSunset": true, "brownout": 0`, sunset),
		patched("what is omitted stays", `{"stability": "beta"}`,
			since+`"2027-01-01"`+successor+`"stability": "beta", "enforceSunset": true, "brownout": 0.5`, sunset, enforce),
		patched("nothing", `{}`, since+`"2027-01-01"`+successor+`"enforceSunset": false, "brownout": 0`, sunset),
		patched("null is the document's", `{"sunset": null, "brownout": null}`, since+`"2030-12-31"`+successor+`"enforceSunset": true, "brownout": 0`, sunset, enforce),
		patched("empty is none", `{"sunset": "", "enforceSunset": false, "brownout": 0}`, `"deprecated": true, "deprecatedSince": "2026-01-01"`+successor+`"enforceSunset": false, "brownout": 0`, enforce),
		patched("no longer deprecated", `{"deprecated": false, "sunset": null}`, `"deprecated": false, "enforceSunset": false, "brownout": 0`, sunset, enforce),
		patched("deprecated as in the document, by another sunset", `{"deprecated": null, "sunset": "2028-01-01"}`,
			since+`"2028-01-01", "enforceSunset": false, "brownout": 0`, over),
		bad("a sunset of what is no longer deprecated", `{"sunset": "2028-01-01"}`, "/sunset", over),
		bad("an enforced sunset taken away", `{"sunset": ""}`, "/enforceSunset", enforce),
		bad("a sunset before the deprecation of before", `{"sunset": "2026-02-01"}`, "/sunset", PatchLifecycle("getPet", `{"deprecatedSince": "2026-03-01"}`)),
		bad("a wrong type", `{"brownout": "half"}`, "/brownout"),
		{Name: "no JSON", Request: PatchLifecycle("getPet", `[]`), Status: 400, Code: "invalid_json"},
		{Name: "text", Request: Textual(PatchLifecycle("getPet", `{}`)), Status: 415, Code: "unsupported_media_type"},
		{Name: "patch of none", Request: PatchLifecycle("getPte", `{"sunset": "2027-01-01"}`), Status: 404, Code: "not_found"},
	}
}

// TestConcurrentLifecyclePatches checks that no patch undoes another one.
func TestConcurrentLifecyclePatches(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	var running sync.WaitGroup
	for _, body := range []string{`{"sunset": "2027-01-01"}`, `{"successor": "/categories"}`, `{"brownout": 0.25}`, `{"stability": "beta"}`} {
		running.Go(func() { w.Do(t, PatchLifecycle("getPet", body)) })
	}
	running.Wait()
	if op := operationOf(t, w, "", "getPet"); op.Sunset != "2027-01-01" || op.Successor != "/categories" || op.Brownout != 0.25 || op.Stability != "beta" {
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
		if described.OperationID != op.OperationID || described.Tags[0] != op.Tag || described.Deprecated != op.Deprecated ||
			stability != string(op.Stability) || sunset != op.Sunset || op.Changed || op.Calls != 0 {
			t.Errorf("%+v is not what the document describes", op)
		}
	}
}

// TestCallsAreCounted checks that each authorized call is counted once, in its sandbox, whatever
// its response is.
func TestCallsAreCounted(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.APIKeys = []string{"k1"} })
	key := http.Header{"Authorization": {"Bearer k1"}}
	call := func(method, path string, header http.Header) {
		w.Do(t, Request{Method: method, Path: path, Header: header})
	}
	call("GET", "/sandboxes/ada/pets", key)
	call("HEAD", "/sandboxes/ada/pets", key)
	call("GET", "/sandboxes/ada/pets?limit=x", key)
	call("GET", "/sandboxes/ada/pets", http.Header{"Authorization": {"Bearer k1"}, "Prefer": {"code=503"}})
	call("GET", "/sandboxes/ada/pets", nil) // 401
	call("OPTIONS", "/sandboxes/ada/pets", key)
	call("GET", "/pets", key)
	call("GET", "/sandboxes/ada/healthz", nil)
	for _, want := range []struct {
		prefix, id string
		calls      int64
	}{{"/sandboxes/ada", "listPets", 4}, {"", "listPets", 1}, {"/sandboxes/ada", "getHealth", 1}, {"", "getHealth", 0}, {"/sandboxes/ada", "createPet", 0}} {
		if got := operationOf(t, w, want.prefix, want.id).Calls; got != want.calls {
			t.Errorf("%s%s was called %d times, want %d", want.prefix, want.id, got, want.calls)
		}
	}
	w.Must(t, Post("/sandboxes/ada/admin/reset?only=report", ""))
	if got := operationOf(t, w, "/sandboxes/ada", "listPets").Calls; got != 0 {
		t.Errorf("after a reset there are %d calls", got)
	}
}
