package handlers_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"example.com/petstore/handlers"
)

// old are the headers of section 6 of the design, for the pet of the id.
func old(id string) http.Header {
	return http.Header{
		"Deprecation": {"@1767225600"},
		"Sunset":      {"Tue, 31 Dec 2030 00:00:00 GMT"},
		"Link":        {`</docs/#/Pets/getPet>; rel="deprecation", </pets?id=` + id + `>; rel="successor-version"`},
		"Warning":     {`299 - "getPet is deprecated since 2026-01-01 and will be removed on 2030-12-31; use listPets with ?id="`},
	}
}

// later are they from the sunset on: what became of the pet's operation then is said
// by the words.
func later(id, words string) http.Header {
	headers := old(id)
	headers["Warning"] = []string{strings.Replace(headers["Warning"][0], "will be removed", words, 1)}
	return headers
}

// at makes the server live at the time and enforce the sunset.
func at(when time.Time) func(*handlers.Config) {
	return func(c *handlers.Config) {
		c.Now, c.EnforceSunset = func() time.Time { return when }, true
	}
}

// TestDeprecation wants the headers on every answer of the operation, errors too.
func TestDeprecation(t *testing.T) {
	sunset := handlers.DefaultSunset()
	keys := func(c *handlers.Config) { c.APIKeys = []string{"k1"} }
	get := func(path string, header http.Header) request {
		return request{method: "GET", path: path, header: header}
	}
	runScenarios(t, []scenario{
		{name: "success", request: get("/pets/1", nil), status: 200, want: rex, headers: old("1")},
		{name: "head", request: request{method: "HEAD", path: "/pets/1"}, status: 200, headers: old("1")},
		{name: "not modified", request: get("/pets/1", http.Header{"If-None-Match": {"*"}}), status: 304, headers: old("1")},
		{name: "no such pet", request: get("/pets/99", nil), status: 404, code: "not_found", headers: old("99")},
		{name: "a wrong id", request: get("/pets/a%26b%3Ec", nil), status: 400, code: "invalid_parameter", fields: []string{"petId"}, headers: old("a%26b%3Ec")},
		{name: "no key", config: keys, request: get("/pets/1", nil), status: 401, code: "unauthorized", headers: old("1")},
		{name: "an injected fault", request: get("/pets/1", prefer("code=502")), status: 502, code: "bad_gateway", headers: old("1")},

		{name: "the last moment", config: at(sunset.Add(-time.Nanosecond)), request: get("/pets/1", nil), status: 200, want: rex, headers: old("1")},
		{name: "the sunset", config: at(sunset), request: get("/pets/1", nil), status: 410, code: "operation_sunset", headers: later("1", "was removed")},
		{name: "after the sunset", config: at(sunset.AddDate(1, 0, 0)), request: get("/pets/1", nil), status: 410, code: "operation_sunset", headers: later("1", "was removed")},
		{name: "after the sunset, head", config: at(sunset), request: request{method: "HEAD", path: "/pets/1"}, status: 410, headers: later("1", "was removed")},
		{name: "the sunset in another zone", config: at(sunset.In(time.FixedZone("", 14*3600))), request: get("/pets/1", nil), status: 410,
			code: "operation_sunset", headers: later("1", "was removed")},
		{name: "the sunset where nobody enforces it", request: get("/pets/1", nil), status: 200, want: rex, headers: later("1", "was to be removed"),
			config: func(c *handlers.Config) { c.Now = func() time.Time { return sunset.AddDate(10, 0, 0) } }},
		{name: "the sunset, with another fault", config: at(sunset), request: get("/pets/1", prefer("code=502")), status: 502, code: "bad_gateway",
			headers: later("1", "was removed")},
		{name: "before the deprecation", request: get("/pets/1", nil), status: 200, want: rex, headers: old("1"),
			config: func(c *handlers.Config) { c.Now = func() time.Time { return c.DeprecatedSince.AddDate(-10, 0, 0) } }},

		// What is not deprecated goes on. That it carries no such headers is checked
		// with every answer.
		{name: "the successor after the sunset", config: at(sunset), request: get("/pets?id=1", nil), status: 200, want: `[` + rex + `]`},
		{name: "a writer after the sunset", config: at(sunset), request: request{method: "DELETE", path: "/pets/1"}, status: 204},
	})
}

// TestDeprecationFollowsTheConfig wants headers, 410 and document to tell the
// dates that the server was given.
func TestDeprecationFollowsTheConfig(t *testing.T) {
	t.Parallel()
	since := time.Date(2027, time.February, 3, 22, 30, 0, 0, time.FixedZone("", -2*3600))
	sunset := time.Date(2028, time.February, 29, 12, 0, 0, 0, time.UTC)
	dates := func(c *handlers.Config) { c.DeprecatedSince, c.Sunset = since, sunset }
	w := newWorld(t, dates)
	a := w.get(t, "/pets/1")
	a.expectHeader(t, "Deprecation", "@1801701000")
	a.expectHeader(t, "Sunset", "Tue, 29 Feb 2028 12:00:00 GMT")
	if warning := a.header.Get("Warning"); !strings.Contains(warning, "since 2027-02-04 and will be removed on 2028-02-29;") {
		t.Errorf("Warning = %q, want its dates in UTC", warning)
	}
	served, err := openapi3.NewLoader().LoadFromData(w.get(t, "/openapi.json").body)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x-sunset", "x-deprecated-sunset"} {
		if got := served.Paths.Value("/pets/{petId}").Get.Extensions[name]; got != "2028-02-29" {
			t.Errorf("%s = %v", name, got)
		}
	}
	newWorld(t, dates, at(sunset.Add(-1))).get(t, "/pets/1").expect(t, 200, "")
	gone := newWorld(t, dates, at(sunset)).get(t, "/pets/1")
	gone.expect(t, 410, "operation_sunset")
	if message := gone.problem(t).Message; !strings.Contains(message, "2028-02-29") || !strings.Contains(message, "/pets?id=1") {
		t.Errorf("message = %q, want the date and the successor in it", message)
	}
}

// TestSuccessorWorks follows the link that a deprecated answer gives.
func TestSuccessorWorks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	successor, ok := w.get(t, "/pets/3").links(t)["successor-version"]
	if !ok {
		t.Fatal("there is no successor")
	}
	w.get(t, successor).expectJSON(t, `[{"id": 3, "name": "Ärmel", "categoryId": 1, "status": "sold"}]`)
}

// TestFirstUseIsLogged wants one line for each caller, at level warn, and again
// after a reset.
func TestFirstUseIsLogged(t *testing.T) {
	t.Parallel()
	var book logbook
	w := newWorld(t, book.log(slog.LevelWarn))
	use := func(agent string) {
		w.do(t, request{method: "GET", path: "/pets/1", header: http.Header{"User-Agent": {agent}}})
	}
	use("app/1")
	use("app/1")
	use("app/2")
	w.must(t, request{method: "GET", path: "/pets?id=1", header: http.Header{"User-Agent": {"app/3"}}})
	w.must(t, request{method: "POST", path: "/admin/reset"})
	use("app/1")
	var callers []string
	for _, e := range book.entries(t, "deprecated operation used") {
		callers = append(callers, e["caller"].(string))
		if warning := e["warning"].(string); !strings.Contains(warning, "getPet") || e["level"] != "WARN" {
			t.Errorf("line = %v", e)
		}
	}
	if got := strings.Join(callers, " "); got != "app/1 app/2 app/1" {
		t.Errorf("callers told: %s", got)
	}
}
