package admin_test

import (
	"fmt"
	"strings"
	"testing"

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

// TestReportEscapesCallerNames uses callers with names that neither XML nor JSON can represent
// unchanged.
func TestReportEscapesCallerNames(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, callBy("<a href=\"x\">&]]>\t\xff", "\xff'"))
	if got := string(w.Get(t, "/admin/report?format=junit").Body); !strings.Contains(got,
		`name="used by `+"\uFFFD&#39; (&lt;a href=&#34;x&#34;&gt;&amp;]]&gt;&#x9;\uFFFD)\"") {
		t.Errorf("the file is %s", got)
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
	if got := string(w.Get(t, "/admin/report?format=junit").Body); !strings.Contains(got,
		`tests="1001" failures="1001"`) || !strings.Contains(got, `name="other callers"`) ||
		!strings.Contains(got, `"3 deprecated calls by callers beyond the first 1000"`) {
		t.Errorf("the file is %.2000s", got)
	}
}

// TestReportBeforeDeprecation calls an operation before the time of its deprecation, and at that time.
func TestReportBeforeDeprecation(t *testing.T) {
	t.Parallel()
	w := NewWorld(t)
	w.Must(t, Patch("/admin/operations/getPet", `{"deprecatedSince": "2028-01-01"}`))
	for _, c := range []struct{ now, want string }{
		{"2027-12-31T23:59:59Z", "will be deprecated on 2028-01-01 and was called once"},
		{"2028-01-01T00:00:00Z", "is deprecated and was called 2 times"},
	} {
		w.Must(t, Put("/admin/clock", `{"frozen": true, "now": "`+c.now+`"}`))
		w.Must(t, callBy("app", ""))
		got := string(w.Get(t, "/admin/report?format=junit").Body)
		if !strings.Contains(got, `message="getPet `+c.want+`;`) ||
			!strings.Contains(got, `>getPet `+c.want+`, used by app`) {
			t.Errorf("the file is %s, want %q in it", got, c.want)
		}
	}
}
