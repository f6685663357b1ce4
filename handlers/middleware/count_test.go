package middleware

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/rest"
	"example.com/petstore/handlers/sandbox"
)

// TestCount calls an operation of each sort and looks at what is counted and told.
func TestCount(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name      string
		lifecycle *sandbox.Lifecycle
		kind      rest.Kind
		calls     int64
		uses      int // by the one caller
	}{
		{"an operation", &sandbox.Lifecycle{}, rest.Service, 2, 0},
		{"a deprecated one", &sandbox.Lifecycle{Deprecated: true, DeprecatedSince: since}, rest.Service, 2, 2},
		{"a deprecated one of the control plane", &sandbox.Lifecycle{Deprecated: true}, rest.Admin, 0, 0},
		{"a page", nil, rest.Page, 0, 0}, // without an id
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			link := Count(slog.New(slog.NewJSONHandler(&log, nil)))
			sb := newSandboxWith(nil)
			for range 2 {
				v := newVisit(http.MethodGet, "/pets", http.Header{"User-Agent": {"app/1"}, "X-Client": {"web"}})
				v.x.Sandbox, v.x.Lifecycle, v.x.Operation.Kind = sb, test.lifecycle, test.kind
				if test.kind == rest.Page {
					v.x.Operation.ID = ""
				}
				v.through(link).expectPassed(t)
			}
			if got := sb.Report.Calls(0); got != test.calls {
				t.Errorf("%d calls, want %d", got, test.calls)
			}
			uses, _ := sb.Report.Uses()
			if test.uses == 0 {
				if len(uses) > 0 || log.Len() > 0 {
					t.Errorf("uses %v, log %s", uses, &log)
				}
				return
			}
			if len(uses) != 1 || uses[0].Count != test.uses || uses[0].Operation != "listPets" || uses[0].Caller != (sandbox.Caller{UserAgent: "app/1", ClientName: "web"}) {
				t.Errorf("uses %+v", uses)
			}
			want := map[string]any{
				"level": "WARN", "msg": "deprecated operation used", "id": "req-9", "sandbox": "default", "caller": "app/1", "client": "", "clientName": "web",
				"warning": "listPets is deprecated since 2026-01-01",
			}
			if diff := cmp.Diff(want, line(t, log.Bytes())); diff != "" { // the first use alone
				t.Errorf("log, -want +got:\n%s", diff)
			}
		})
	}
}

// line returns the one line of a log, without its time.
func line(t *testing.T, log []byte) map[string]any {
	t.Helper()
	var line map[string]any
	if err := json.Unmarshal(log, &line); err != nil {
		t.Fatalf("%v in %s", err, log)
	}
	delete(line, "time")
	return line
}
