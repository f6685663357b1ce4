package middleware_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/config"
	. "example.com/petstore/handlers/internal/contracttest"
)

// later returns the headers from the sunset on. The words replace "will be removed" in the
// warning.
func later(id, words string) http.Header {
	headers := Deprecated(id)
	headers["Warning"] = []string{strings.Replace(headers["Warning"][0], "will be removed", words, 1)}
	return headers
}

// TestDeprecation checks the headers of every response of the operation, including errors.
func TestDeprecation(t *testing.T) {
	sunset := config.DefaultSunset()
	keys := func(c *handlers.Config) { c.APIKeys = []string{"k1"} }
	get := func(path string, header http.Header) Request {
		return Request{Method: "GET", Path: path, Header: header}
	}
	RunScenarios(t, []Scenario{
		{Name: "success", Request: get("/pets/1", nil), Status: 200, Want: Rex, Headers: Deprecated("1")},
		{Name: "head", Request: Request{Method: "HEAD", Path: "/pets/1"}, Status: 200, Headers: Deprecated("1")},
		{Name: "not modified", Request: get("/pets/1", http.Header{"If-None-Match": {"*"}}), Status: 304, Headers: Deprecated("1")},
		{Name: "no such pet", Request: get("/pets/99", nil), Status: 404, Code: "not_found", Headers: Deprecated("99")},
		{Name: "a wrong id", Request: get("/pets/a%26b%3Ec", nil), Status: 400, Code: "invalid_parameter", Fields: []string{"petId"}, Headers: Deprecated("a%26b%3Ec")},
		{Name: "no key", Config: keys, Request: get("/pets/1", nil), Status: 401, Code: "unauthorized", Headers: Deprecated("1")},
		{Name: "an injected fault", Request: get("/pets/1", Prefer("code=502")), Status: 502, Code: "bad_gateway", Headers: Deprecated("1")},

		{Name: "the last moment", Config: At(sunset.Add(-time.Nanosecond)), Request: get("/pets/1", nil), Status: 200, Want: Rex, Headers: Deprecated("1")},
		{Name: "the sunset", Config: At(sunset), Request: get("/pets/1", nil), Status: 410, Code: "operation_sunset", Headers: later("1", "was removed")},
		{Name: "after the sunset", Config: At(sunset.AddDate(1, 0, 0)), Request: get("/pets/1", nil), Status: 410, Code: "operation_sunset", Headers: later("1", "was removed")},
		{Name: "after the sunset, head", Config: At(sunset), Request: Request{Method: "HEAD", Path: "/pets/1"}, Status: 410, Headers: later("1", "was removed")},
		{Name: "the sunset in another zone", Config: At(sunset.In(time.FixedZone("", 14*3600))), Request: get("/pets/1", nil), Status: 410,
			Code: "operation_sunset", Headers: later("1", "was removed")},
		{Name: "the sunset where nobody enforces it", Request: get("/pets/1", nil), Status: 200, Want: Rex, Headers: later("1", "was to be removed"),
			Config: func(c *handlers.Config) { c.Now = func() time.Time { return sunset.AddDate(10, 0, 0) } }},
		{Name: "the sunset, with another fault", Config: At(sunset), Request: get("/pets/1", Prefer("code=502")), Status: 502, Code: "bad_gateway",
			Headers: later("1", "was removed")},
		{Name: "before the deprecation", Request: get("/pets/1", nil), Status: 200, Want: Rex, Headers: Deprecated("1"),
			Config: func(c *handlers.Config) { c.Now = func() time.Time { return c.DeprecatedSince.AddDate(-10, 0, 0) } }},

		// Other operations continue to work. The checks of every response ensure that theirs have
		// no such headers.
		{Name: "the successor after the sunset", Config: At(sunset), Request: get("/pets?id=1", nil), Status: 200, Want: `[` + Rex + `]`},
		{Name: "a writer after the sunset", Config: At(sunset), Request: Delete("/pets/1"), Status: 204},
	})
}

// TestDeprecationFollowsTheConfig checks that the headers, the 410 and the document contain the
// configured dates.
func TestDeprecationFollowsTheConfig(t *testing.T) {
	t.Parallel()
	since := time.Date(2027, time.February, 3, 22, 30, 0, 0, time.FixedZone("", -2*3600))
	sunset := time.Date(2028, time.February, 29, 12, 0, 0, 0, time.UTC)
	dates := func(c *handlers.Config) { c.DeprecatedSince, c.Sunset = since, sunset }
	w := NewWorld(t, dates)
	a := w.Get(t, "/pets/1")
	a.ExpectHeader(t, "Deprecation", "@1801701000")
	a.ExpectHeader(t, "Sunset", "Tue, 29 Feb 2028 12:00:00 GMT")
	if warning := a.Header.Get("Warning"); !strings.Contains(warning, "since 2027-02-04 and will be removed on 2028-02-29;") {
		t.Errorf("Warning = %q, want its dates in UTC", warning)
	}
	served, err := openapi3.NewLoader().LoadFromData(w.Get(t, "/openapi.json").Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x-sunset", "x-deprecated-sunset"} {
		if got := served.Paths.Value("/pets/{petId}").Get.Extensions[name]; got != "2028-02-29" {
			t.Errorf("%s = %v", name, got)
		}
	}
	NewWorld(t, dates, At(sunset.Add(-1))).Get(t, "/pets/1").Expect(t, 200, "")
	gone := NewWorld(t, dates, At(sunset)).Get(t, "/pets/1")
	gone.Expect(t, 410, "operation_sunset")
	if message := gone.Problem(t).Message; !strings.Contains(message, "2028-02-29") || !strings.Contains(message, "/pets?id=1") {
		t.Errorf("message = %q, want the date and the successor in it", message)
	}
}

// TestSuccessorWorks follows the link of a deprecated operation's response.
func TestSuccessorWorks(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	successor, ok := w.Get(t, "/pets/3").Links()["successor-version"]
	if !ok {
		t.Fatal("there is no successor")
	}
	w.Get(t, successor).ExpectJSON(t, `[{"id": 3, "name": "Ärmel", "categoryId": 1, "status": "sold"}]`)
}

// TestFirstUseIsLogged checks that a caller's first use is logged once, at level warn, and again
// after a reset.
func TestFirstUseIsLogged(t *testing.T) {
	t.Parallel()
	var book logbook
	w := NewWorld(t, book.log(slog.LevelWarn))
	use := func(agent string) {
		w.Do(t, Get("/pets/1").With("User-Agent", agent))
	}
	use("app/1")
	use("app/1")
	use("app/2")
	w.Must(t, Get("/pets?id=1").With("User-Agent", "app/3"))
	w.Must(t, Post("/admin/reset", ""))
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
