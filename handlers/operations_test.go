package handlers_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	"example.com/petstore/handlers/sandbox"
)

func setLifecycle(id, body string) request {
	return request{Method: "PUT", Path: "/admin/operations/" + id, Body: body}
}

// operation returns what listOperations says of the operation.
func operationOf(t *testing.T, w *world, prefix, id string) admin.OperationStatus {
	t.Helper()
	var all []admin.OperationStatus
	w.Must(t, request{Method: "GET", Path: prefix + "/admin/operations"}).Decode(t, &all)
	for _, op := range all {
		if op.OperationID == id {
			return op
		}
	}
	t.Fatalf("listOperations has no %s", id)
	return admin.OperationStatus{}
}

// described returns the operation as the sandbox's own document describes it now.
func describedIn(t *testing.T, w *world, prefix, path, method string) *openapi3.Operation {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromData(w.Get(t, prefix+"/openapi.json").Body)
	if err != nil {
		t.Fatal(err)
	}
	return document.Paths.Value(path).GetOperation(method)
}

func TestOperations(t *testing.T) { runScenarios(t, operationScenarios()) }

func operationScenarios() []scenario {
	reset := request{Method: "DELETE", Path: "/admin/operations/createPet"}
	const createPet = `"operationId": "createPet", "method": "POST", "path": "/pets", "tag": "Pets", "calls": 0, "changed": true`
	const getPet = `"operationId": "getPet", "method": "GET", "path": "/pets/{petId}", "tag": "Pets", "calls": 0, "changed": true`
	is := func(op, fields string) string { return `{` + op + `, ` + fields + `}` }
	set := func(name, id, body, want string) scenario {
		return scenario{Name: name, Request: setLifecycle(id, body), Status: 200, Want: want}
	}
	bad := func(name, id, body string, fields ...string) scenario {
		return scenario{Name: name, Request: setLifecycle(id, body), Status: 400, Code: "validation_failed", Fields: fields}
	}
	const quiet = `"enforceSunset": false, "brownout": 0`
	enforced := func(c *handlers.Config) { c.EnforceSunset = true }
	return []scenario{
		{Name: "operations", Request: request{Method: "GET", Path: "/admin/operations"}, Status: 200, Check: listsTheTable},
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
			is(getPet, `"deprecated": true, "deprecatedSince": "2026-01-01", "sunset": "2030-12-31", "successor": "/pets?id={petId}", `+quiet)),
		set("a beta made stable", "updatePet", `{"stability": "stable"}`,
			`{"operationId": "updatePet", "method": "PATCH", "path": "/pets/{petId}", "tag": "Pets", "calls": 0, "changed": true, "deprecated": false, `+quiet+`}`),
		set("what is left out is the document's", "getPet", `{"sunset": "2027-01-01", "deprecatedSince": null}`,
			is(getPet, `"deprecated": true, "deprecatedSince": "2026-01-01", "sunset": "2027-01-01", "successor": "/pets?id={petId}", `+quiet)),
		set("empty is none", "getPet", `{"sunset": "", "successor": ""}`, is(getPet, `"deprecated": true, "deprecatedSince": "2026-01-01", `+quiet)),
		set("not deprecated any more", "getPet", `{"deprecated": false}`, is(getPet, `"deprecated": false, `+quiet)),
		set("nothing", "getPet", `{}`,
			is(getPet, `"deprecated": true, "deprecatedSince": "2026-01-01", "sunset": "2030-12-31", "successor": "/pets?id={petId}", `+quiet)),
		set("health, deprecated", "getHealth", `{"deprecated": true, "deprecatedSince": "2026-01-01", "enforceSunset": false, "brownout": 0}`,
			`{"operationId": "getHealth", "method": "GET", "path": "/healthz", "tag": "Health", "calls": 0, "changed": true, "deprecated": true, "deprecatedSince": "2026-01-01", `+quiet+`}`),
		{Name: "the server's enforcement is the document's", Config: enforced, Request: setLifecycle("createPet", `{}`), Status: 200,
			Want: is(createPet, `"deprecated": false, "enforceSunset": true, "brownout": 0`)},
		{Name: "reset", Request: reset, Before: []request{setLifecycle("createPet", `{"stability": "beta"}`)}, Status: 204},
		{Name: "reset what was not changed", Request: reset, Status: 204},

		bad("a sunset without a deprecation", "createPet", `{"sunset": "2027-01-01"}`, "/sunset"),
		bad("all without a deprecation", "createPet", `{"deprecated": false, "deprecatedSince": "2026-01-01", "sunset": "2027-01-01", "successor": "/pets", "brownout": 0.5}`,
			"/deprecatedSince", "/sunset", "/successor", "/brownout"),
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
		bad("wrong types", "createPet", `{"deprecated": "yes", "sunset": 7, "brownout": "half"}`, "/deprecated", "/sunset", "/brownout"),
		bad("unknown fields", "createPet", `{"deprecated": true, "sunsetDate": "2027-01-01"}`, "/sunsetDate"),
		{Name: "no JSON", Request: setLifecycle("createPet", `[]`), Status: 400, Code: "invalid_json"},
		{Name: "text", Request: textual(setLifecycle("createPet", `{}`)), Status: 415, Code: "unsupported_media_type"},
		{Name: "set of none", Request: setLifecycle("createDog", `{}`), Status: 404, Code: "not_found"},
		{Name: "good set of none", Request: setLifecycle("getPte", `{"sunset": "2027-01-01", "successor": "/pets?id={petId}"}`), Status: 404, Code: "not_found"},
		{Name: "bad set of none", Request: setLifecycle("createDog", `{"brownout": 7}`), Status: 400, Code: "validation_failed", Fields: []string{"/brownout"}},
		{Name: "reset of none", Request: request{Method: "DELETE", Path: "/admin/operations/createDog"}, Status: 404, Code: "not_found"},
		{Name: "the control plane's own", Request: setLifecycle("getAdmin", `{}`), Status: 404, Code: "not_found"},
	}
}

// listsTheTable wants every operation of the service's document, in its order.
func listsTheTable(t *testing.T, a *answer) {
	t.Helper()
	var all []admin.OperationStatus
	a.Decode(t, &all)
	n := 0
	for _, item := range serviceDocument().Paths.Map() {
		n += len(item.Operations())
	}
	if len(all) != n || all[0].OperationID != "listPets" {
		t.Errorf("%d operations from %s on, want %d from listPets on", len(all), all[0].OperationID, n)
	}
	for _, op := range all {
		described := serviceDocument().Paths.Value(op.Path).GetOperation(op.Method)
		stability, _ := described.Extensions["x-stability"].(string)
		sunset, _ := described.Extensions["x-sunset"].(string)
		if described.OperationID != op.OperationID || described.Tags[0] != op.Tag || described.Deprecated != op.Deprecated ||
			stability != string(op.Stability) || sunset != op.Sunset || op.Changed || op.Calls != 0 {
			t.Errorf("%+v is not what the document describes", op)
		}
	}
}

// TestCallsAreCounted wants each call that is let in counted once, in its sandbox,
// whatever it is answered.
func TestCallsAreCounted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.APIKeys = []string{"k1"} })
	key := http.Header{"Authorization": {"Bearer k1"}}
	call := func(method, path string, header http.Header) {
		w.Do(t, request{Method: method, Path: path, Header: header})
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
	w.Must(t, request{Method: "POST", Path: "/sandboxes/ada/admin/reset?only=report"})
	if got := operationOf(t, w, "/sandboxes/ada", "listPets").Calls; got != 0 {
		t.Errorf("after a reset there are %d calls", got)
	}
}

// TestLifecycleTakesEffectAtOnce changes an operation in one sandbox and looks at
// everything that tells its age, there and in another.
func TestLifecycleTakesEffectAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t).Unchecked()
	const ada = "/sandboxes/ada"
	before := string(w.Get(t, "/openapi.json").Body)
	list := request{Method: "GET", Path: ada + "/pets?limit=2"}
	paging := w.Must(t, list).Header.Get("Link")

	w.Must(t, request{Method: "PUT", Path: ada + "/admin/operations/listPets",
		Body: `{"deprecated": true, "deprecatedSince": "2026-06-01", "sunset": "2026-08-01T10:00:00Z", "successor": "/v2/pets", "stability": "beta"}`})
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

	// The whole sandbox gone back, the document is as it was but for its address.
	w.Must(t, request{Method: "DELETE", Path: ada + "/admin/operations/listPets"})
	w.Must(t, list).ExpectHeader(t, "Deprecation")
	if after := strings.ReplaceAll(string(w.Get(t, ada+"/openapi.json").Body), ada, ""); after != before {
		t.Error("ada's document is not as it was")
	}
	w.Must(t, request{Method: "PUT", Path: ada + "/admin/operations/getPet", Body: `{"deprecated": false}`})
	w.Must(t, request{Method: "GET", Path: ada + "/pets/1"}).ExpectHeader(t, "Deprecation")
	w.Must(t, request{Method: "POST", Path: ada + "/admin/reset?only=lifecycle"})
	if w.Must(t, request{Method: "GET", Path: ada + "/pets/1"}).Header.Get("Deprecation") == "" {
		t.Error("a reset did not bring the document's lifecycle back")
	}
}

// TestHealthIsNeverGone lets health be deprecated, with a sunset that has passed on
// a server that enforces it.
func TestHealthIsNeverGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *handlers.Config) { c.EnforceSunset = true }).Unchecked()
	w.Must(t, setLifecycle("getHealth", `{"deprecated": true, "deprecatedSince": "2026-01-01", "sunset": "2026-02-01", "successor": "/livez"}`))
	w.Must(t, setLifecycle("listPets", `{"deprecated": true, "deprecatedSince": "2026-01-01", "sunset": "2026-02-01"}`))
	w.Get(t, "/pets").Expect(t, 410, "operation_sunset")
	a := w.Get(t, "/healthz")
	a.Expect(t, 200, "")
	a.ExpectHeader(t, "Sunset", "Sun, 01 Feb 2026 00:00:00 GMT")

	gone := &sandbox.Lifecycle{Deprecated: true, Sunset: now.Add(-1), EnforceSunset: true, Brownout: 1}
	w.Server.Sandboxes().Default().Lifecycles.Set("getHealth", gone) // what HTTP refuses
	w.Get(t, "/healthz").Expect(t, 200, "")
}

// TestSunsetHasNoFractions wants an operation gone at the second that its Sunset
// header tells.
func TestSunsetHasNoFractions(t *testing.T) {
	t.Parallel()
	w := newWorld(t).Unchecked()
	w.Must(t, setLifecycle("listPets", `{"deprecated": true, "sunset": "2026-08-01T10:00:00.9Z", "enforceSunset": true}`))
	w.Must(t, setClock(`{"now": "2026-08-01T09:59:59.999Z"}`))
	w.Get(t, "/pets").Expect(t, 200, "")
	w.Must(t, setClock(`{"now": "2026-08-01T10:00:00Z"}`))
	a := w.Get(t, "/pets")
	a.Expect(t, 410, "operation_sunset")
	a.ExpectHeader(t, "Sunset", "Sat, 01 Aug 2026 10:00:00 GMT")
}

// TestSuccessorEscapes fills a parameter that could break a header into the path
// and the query of a successor.
func TestSuccessorEscapes(t *testing.T) {
	t.Parallel()
	w := newWorld(t).Unchecked()
	w.Must(t, setLifecycle("getPet", `{"successor": "/v2/pets/{petId}?id={petId}"}`))
	link := w.Get(t, "/pets/a%20%3E%22%0D%0A%7Bx%7D").Header.Get("Link")
	if want := `</v2/pets/a%20%3E%22%0D%0A%7Bx%7D?id=a+%3E%22%0D%0A%7Bx%7D>; rel="successor-version"`; !strings.HasSuffix(link, want) {
		t.Errorf("Link = %s, want %s at its end", link, want)
	}
}

// TestSuccessorPutBackKeepsItsWords gives an operation the successor that it has. The
// advice in its warning must stay.
func TestSuccessorPutBackKeepsItsWords(t *testing.T) {
	t.Parallel()
	w := newWorld(t).Unchecked()
	w.Must(t, setLifecycle("getPet", `{"successor": "/pets?id={petId}"}`))
	w.Get(t, "/pets/1").ExpectHeader(t, "Warning", old("1").Get("Warning"))
}

// TestWarningFillsPlaceholders wants a warning's advice to be a request that can be
// made, as in Link.
func TestWarningFillsPlaceholders(t *testing.T) {
	t.Parallel()
	w := newWorld(t).Unchecked()
	w.Must(t, setLifecycle("getPet", `{"successor": "/v2/pets/{petId}?id={petId}"}`))
	for id, advice := range map[string]string{"7": "/v2/pets/7?id=7", "%22%0D%0A%7Bx%7D": "/v2/pets/%22%0D%0A%7Bx%7D?id=%22%0D%0A%7Bx%7D"} {
		w.Get(t, "/pets/"+id).ExpectHeader(t, "Warning",
			`299 - "getPet is deprecated since 2026-01-01 and will be removed on 2030-12-31; use `+advice+`"`)
	}
}

// TestBrownout wants a share of the calls refused before the sunset, the same ones
// in two sandboxes of one seed, none of another operation, and all from the sunset on.
func TestBrownout(t *testing.T) {
	t.Parallel()
	w := newWorld(t).Unchecked()
	const calls = 200
	var patterns [2]string
	for i, prefix := range []string{"/sandboxes/ada", "/sandboxes/bob"} {
		w.Must(t, request{Method: "PUT", Path: prefix + "/admin/operations/listPets",
			Body: `{"deprecated": true, "sunset": "2026-08-01", "successor": "/v2/pets", "enforceSunset": true, "brownout": 0.3}`})
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
		w.Must(t, request{Method: "GET", Path: "/sandboxes/ada/categories"})
		w.Must(t, request{Method: "GET", Path: "/pets"})
	}
	w.Must(t, inSandbox("ada", setClock(`{"now": "2026-08-01T00:00:00Z"}`)))
	for range 20 {
		w.Get(t, "/sandboxes/ada/pets").Expect(t, 410, "operation_sunset")
	}
	w.Must(t, request{Method: "PUT", Path: "/sandboxes/ada/admin/operations/listPets", Body: `{"deprecated": true, "brownout": 1}`})
	if p := w.Get(t, "/sandboxes/ada/pets").Problem(t); !strings.Contains(p.Message, "browned out") || strings.Contains(p.Message, "0001") {
		t.Errorf("problem without a sunset = %+v", p)
	}
}

// TestBrownoutLeavesFaultsAlone wants what fails by chance to fail the same with and
// without a brown-out of something else, and whoever looks at the server meanwhile.
func TestBrownoutLeavesFaultsAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t).Unchecked()
	var patterns [2]string
	for i, prefix := range []string{"/sandboxes/ada", "/sandboxes/bob"} {
		if i == 0 {
			w.Must(t, request{Method: "PUT", Path: prefix + "/admin/operations/listPets", Body: `{"deprecated": true, "brownout": 0.5}`})
		}
		w.Must(t, post(prefix+"/admin/faults", `{"match": {"operationId": "listCategories"}, "status": 500, "probability": 0.5}`))
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

// TestStatusIsWhatWasMeant puts back what listOperations says of an operation.
func TestStatusIsWhatWasMeant(t *testing.T) {
	t.Parallel()
	w := newWorld(t).Unchecked()
	w.Must(t, setLifecycle("getPet", `{"deprecatedSince": "2026-02-03T04:05:06Z", "sunset": "2027-01-01", "brownout": 0.1}`))
	said := operationOf(t, w, "", "getPet")
	body, err := json.Marshal(map[string]any{
		"deprecated": said.Deprecated, "deprecatedSince": said.DeprecatedSince, "sunset": said.Sunset, "successor": said.Successor,
		"enforceSunset": said.EnforceSunset, "brownout": said.Brownout,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Must(t, setLifecycle("getPet", string(body)))
	if again := operationOf(t, w, "", "getPet"); again != said {
		t.Errorf("put back, %+v became %+v", said, again)
	}
}
