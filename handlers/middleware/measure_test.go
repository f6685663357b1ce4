package middleware

import (
	"net/http"
	"strings"
	"testing"

	"example.com/petstore/handlers/metrics"
	"example.com/petstore/handlers/rest"
)

// lines returns the samples of the counters that are not 0, durations aside.
func lines(requests *metrics.Requests) (all []string) {
	var text metrics.Text
	requests.Write(&text)
	for line := range strings.Lines(string(text.Bytes())) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "#") && !strings.HasSuffix(line, " 0") && !strings.Contains(line, "duration") {
			all = append(all, strings.TrimPrefix(line, "petstore_http_"))
		}
	}
	return all
}

// TestMeasure is how a request ends, and what it is counted as.
func TestMeasure(t *testing.T) {
	t.Parallel()
	table := []rest.Operation{{ID: "listPets"}, {ID: "streamEvents"}}
	for want, end := range map[string]func(x *rest.Exchange) error{
		`requests_total{operation="listPets",status="2xx"} 1`:     func(x *rest.Exchange) error { return x.NoContent() },
		`requests_total{operation="listPets",status="aborted"} 1`: func(*rest.Exchange) error { panic(http.ErrAbortHandler) },
		`requests_total{operation="data",status="2xx"} 1`:         func(x *rest.Exchange) error { x.Mount = rest.DataPath; return x.NoContent() },
		`requests_total{operation="other",status="4xx"} 1`:        func(x *rest.Exchange) error { x.Operation = nil; x.W.WriteHeader(404); return nil },
		`requests_total{operation="page",status="3xx"} 1`:         func(x *rest.Exchange) error { x.Operation.ID = ""; x.W.WriteHeader(308); return nil },
	} {
		requests := metrics.NewRequests(MeasuredNames(table), MeasuredCodes())
		func() {
			defer func() { _ = recover() }()
			newVisit(http.MethodGet, "/pets", nil).to(Measure(requests), func(x *rest.Exchange) error {
				if got := lines(requests); len(got) != 1 || got[0] != "requests_in_flight 1" {
					t.Errorf("while it runs: %q", got)
				}
				return end(x)
			})
		}()
		if got := lines(requests); len(got) != 1 || got[0] != want {
			t.Errorf("it is counted as %q, want %s", got, want)
		}
	}
}

// TestMeasureRefusals counts what there was no room for, and not what was asked to fail.
func TestMeasureRefusals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		kind rest.Kind
		err  func(x *rest.Exchange) error
		want string
	}{
		{rest.Service, func(*rest.Exchange) error { return rest.Refuse("server_full", "") }, `refusals_total{code="server_full"} 1`},
		{rest.Health, func(*rest.Exchange) error { return rest.Refuse("unavailable", "") }, ""},
		{rest.Service, func(x *rest.Exchange) error { return x.Injected(http.StatusServiceUnavailable) }, ""},
		{rest.Service, func(*rest.Exchange) error { return rest.Refuse("not_found", "") }, ""},
	} {
		requests := metrics.NewRequests(nil, MeasuredCodes())
		v := newVisit(http.MethodGet, "/pets", nil)
		v.x.Operation.Kind = test.kind
		v.to(MeasureRefusals(requests), test.err)
		if v.err == nil {
			t.Error("the error is lost")
		}
		if got := strings.Join(lines(requests), " "); got != test.want {
			t.Errorf("it is counted as %q, want %q", got, test.want)
		}
	}
}
