package admin_test

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	. "example.com/petstore/handlers/internal/contracttest"
)

// callBy returns a call of getPet with the user agent and client name.
func callBy(agent, client string) Request {
	r := Get("/pets/1").With("User-Agent", agent)
	if client != "" {
		r.Header["X-Client"] = []string{client}
	}
	return r
}

func TestReport(t *testing.T) { RunScenarios(t, reportScenarios()) }

// reportScenarios returns scenarios that the transcript operations.txt lacks.
func reportScenarios() []Scenario {
	get := func(query string) Request { return Get("/admin/report" + query) }
	bad := func(query string) Scenario {
		return Refused("bad "+query, get(query), 400, "invalid_parameter", "format")
	}
	return []Scenario{
		Answered("report of one that has no sunset any more", get(""), 200,
			`{"uses": [{"operationId": "getPet", "userAgent": "app/1", "clientName": "app", "count": 1, `+
				`"first": "2026-07-01T12:00:00Z", "last": "2026-07-01T12:00:00Z"}], "otherUses": 0}`).
			After(callBy("app/1", ""), SetLifecycle("getPet", `{"deprecated": false}`)),
		bad("?format="), bad("?format=json&format=junit"),
	}
}

// junitFile is a JUnit file, with the fields that common readers use.
type junitFile struct {
	XMLName  xml.Name `xml:"testsuites"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Suites   []struct {
		Name      string      `xml:"name,attr"`
		Tests     int         `xml:"tests,attr"`
		Failures  int         `xml:"failures,attr"`
		Errors    int         `xml:"errors,attr"`
		Skipped   int         `xml:"skipped,attr"`
		Time      float64     `xml:"time,attr"`
		Timestamp string      `xml:"timestamp,attr"`
		Cases     []junitCase `xml:"testcase"`
	} `xml:"testsuite"`
}

type junitCase struct {
	Class   string  `xml:"classname,attr"`
	Name    string  `xml:"name,attr"`
	Time    float64 `xml:"time,attr"`
	Failure *struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	} `xml:"failure"`
}

// junit parses the response as a JUnit file and checks its counts.
func junit(t *testing.T, a *Answer) junitFile {
	t.Helper()
	if !strings.HasPrefix(string(a.Body), xml.Header) {
		t.Errorf("the file begins with %.40q", a.Body)
	}
	var file junitFile
	if err := xml.Unmarshal(a.Body, &file); err != nil {
		t.Fatalf("%v in %s", err, a.Body)
	}
	suite := file.Suites[0]
	failed := 0
	names := make(map[string]bool)
	for _, c := range suite.Cases {
		if c.Failure != nil {
			failed++
		}
		if id := c.Class + "\x00" + c.Name; names[id] {
			t.Errorf("two cases are called %s %s", c.Class, c.Name)
		} else {
			names[id] = true
		}
	}
	if got, want := []int{file.Tests, suite.Tests, file.Failures, suite.Failures}, []int{len(suite.Cases),
		len(suite.Cases), failed, failed}; !cmp.Equal(got, want) {
		t.Errorf("tests and failures = %v, want %v", got, want)
	}
	return file
}

// TestJUnitPassesUnusedOperations checks that the file has a passed test for each deprecated
// operation without calls, so that a pipeline can see that it was checked.
func TestJUnitPassesUnusedOperations(t *testing.T) {
	t.Parallel()
	w := NewWorld(t).Unchecked()
	w.Must(t, SetLifecycle("createPet", `{"deprecated": true}`))
	w.Must(t, callBy("", ""))
	cases := junit(t, w.Get(t, "/admin/report?format=junit")).Suites[0].Cases
	if len(cases) != 2 || cases[0].Name != "used by a caller without a name" || cases[0].Failure == nil ||
		cases[1].Class != "deprecated-use.createPet" || cases[1].Name != "not used" || cases[1].Failure != nil {
		t.Errorf("cases = %+v", cases)
	}
}

// TestReportEscapesCallerNames uses callers with names that neither XML nor JSON can represent
// unchanged.
func TestReportEscapesCallerNames(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, callBy("<a href=\"x\">&]]>\t\xff", "\xff'"))
	if got := junit(t, w.Get(t, "/admin/report?format=junit")).
		Suites[0].Cases[0].Name; got != "used by \uFFFD' (<a href=\"x\">&]]>\t\uFFFD)" {
		t.Errorf("name = %q", got)
	}
	var report admin.Report
	w.Get(t, "/admin/report").Decode(t, &report)
	if got := report.Uses[0].UserAgent; got != "<a href=\"x\">&]]>\t\uFFFD" {
		t.Errorf("userAgent = %q", got)
	}
}

// TestReportCountsOtherCallers makes calls by more callers than a report lists.
func TestReportCountsOtherCallers(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	for i := range 1003 {
		w.Must(t, callBy(fmt.Sprint("app/", i), ""))
	}
	w.Must(t, callBy("app/0", ""))
	var report admin.Report
	w.Get(t, "/admin/report").Decode(t, &report)
	if len(report.Uses) != 1000 || report.Uses[0].Count != 2 || report.OtherUses != 3 {
		t.Errorf("%d uses, %d by the first caller, and %d others; want 1000, 2 and 3", len(report.Uses),
			report.Uses[0].Count, report.OtherUses)
	}
	cases := junit(t, w.Get(t, "/admin/report?format=junit")).Suites[0].Cases
	if last := cases[len(cases)-1]; len(cases) != 1001 || last.Name != "other callers" || last.Failure == nil ||
		last.Failure.Message != "3 deprecated calls by callers beyond the first 1000" {
		t.Errorf("%d cases, the last of them %+v", len(cases), last)
	}
}

// TestUsesAreAuthorizedCalls checks that the report and the list of operations count every authorized
// call, whatever its response is, and no other.
func TestUsesAreAuthorizedCalls(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) { c.APIKeys, c.EnforceSunset = []string{"k1"}, true })
	key := http.Header{"Authorization": {"Bearer k1"}}
	call := func(status int, method, path string, header http.Header) {
		t.Helper()
		w.Do(t, Request{Method: method, Path: path, Header: header}).Expect(t, status, "")
	}
	call(200, "GET", "/pets/1", key)
	call(200, "HEAD", "/pets/1", key)
	call(404, "GET", "/pets/99", key)
	call(400, "GET", "/pets/x", key)
	call(502, "GET", "/pets/1", http.Header{"Authorization": {"Bearer k1"}, "Prefer": {"code=502"}})
	w.Must(t, Post("/admin/faults", `{"status": 503, "times": 1}`))
	call(503, "GET", "/pets/1", key)
	w.Must(t, SetClock(`{"now": "2031-01-01T00:00:00Z"}`))
	call(410, "GET", "/pets/1", key)
	call(401, "GET", "/pets/1", nil)
	call(401, "GET", "/pets/1", http.Header{"Authorization": {"Bearer wrong"}})
	call(204, "OPTIONS", "/pets/1", key)
	call(405, "POST", "/pets/1", key)
	call(200, "GET", "/pets", key)
	w.Must(t, Put("/admin/sandboxes/ada", ""))
	var report admin.Report
	w.Get(t, "/admin/report").Decode(t, &report)
	if len(report.Uses) != 1 || report.Uses[0].Count != 7 {
		t.Errorf("uses = %+v, want one of 7 calls", report.Uses)
	}
	w.Get(t, "/sandboxes/ada/healthz")
	for _, want := range []struct {
		prefix, id string
		calls      int64
	}{{"", "getPet", 7}, {"", "listPets", 1}, {"", "getHealth", 0}, {"/sandboxes/ada", "getHealth",
		1}, {"/sandboxes/ada", "getPet", 0}} {
		if got := operationOf(t, w, want.prefix, want.id).Calls; got != want.calls {
			t.Errorf("%s%s was called %d times, want %d", want.prefix, want.id, got, want.calls)
		}
	}
	w.Must(t, Post("/admin/reset?only=report", ""))
	if got := operationOf(t, w, "", "getPet").Calls; got != 0 {
		t.Errorf("%d calls after a reset", got)
	}
}
