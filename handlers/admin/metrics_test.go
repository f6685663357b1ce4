package admin_test

import (
	"bytes"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/admin"
	. "example.com/petstore/handlers/internal/contracttest"
	"example.com/petstore/handlers/internal/must"
)

// figures returns the metric families of a server, parsed as Prometheus does.
func figures(t *testing.T, w *World) map[string]*dto.MetricFamily {
	t.Helper()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	return must.Get(parser.TextToMetricFamilies(bytes.NewReader(w.Get(t, "/metrics").Body)))(t)
}

// valuesOf returns the samples of counters and gauges, by name and label values.
func valuesOf(families map[string]*dto.MetricFamily) map[string]float64 {
	values := make(map[string]float64)
	for name, family := range families {
		for _, m := range family.Metric {
			key := name
			for _, label := range m.Label {
				key += " " + label.GetValue()
			}
			if family.GetType() == dto.MetricType_HISTOGRAM {
				values[key] = float64(m.Histogram.GetSampleCount())
			} else {
				values[key] = m.GetCounter().GetValue() + m.GetGauge().GetValue()
			}
		}
	}
	return values
}

// TestMetrics counts requests of each kind.
func TestMetrics(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, func(c *handlers.Config) {
		c.Version, c.Replica, c.MaxSandboxes, c.Journal, c.MaxRecords = "1.2.3", `eu"2`, 2, new(3), 1
		c.Connections = func() admin.Connections { return admin.Connections{Open: 7, Most: 9, Closed: 2} }
	})
	w.Listen(t, "/events", nil)
	for _, r := range []Request{
		Get("/pets"), Get("/pets?limit=x"), Get("/sandboxes/ada/pets"), Get("/sandboxes/bob/pets"),
		Get("/nowhere"), Put("/pets", ""), Get("/docs/"), Get("/admin/data/pets"),
		Get("/pets").With("Prefer", "code=503"),
		Post("/pets", NewPet), Post("/pets", NewPet),
	} {
		w.Do(t, r)
	}
	all := valuesOf(figures(t, w))
	want := map[string]float64{
		"petstore_info 1.2.3 eu\"2":                          1,
		"petstore_http_requests_total listPets 2xx":          2,
		"petstore_http_requests_total listPets 4xx":          1,
		"petstore_http_requests_total listPets 5xx":          2,
		"petstore_http_requests_total createPet 2xx":         1,
		"petstore_http_requests_total createPet 5xx":         1,
		"petstore_http_requests_total data 2xx":              1,
		"petstore_http_requests_total other 4xx":             2,
		"petstore_http_requests_total page 2xx":              1,
		"petstore_http_request_duration_seconds listPets":    5,
		"petstore_http_request_duration_seconds createPet":   2,
		"petstore_http_request_duration_seconds data":        1,
		"petstore_http_request_duration_seconds other":       2,
		"petstore_http_request_duration_seconds page":        1,
		"petstore_http_requests_in_flight":                   2, // the stream and this request
		"petstore_event_streams":                             1,
		"petstore_http_refusals_total payload_too_large":     0,
		"petstore_http_refusals_total rate_limited":          0,
		"petstore_http_refusals_total sandbox_full":          1,
		"petstore_http_refusals_total sandbox_limit_reached": 1,
		"petstore_http_refusals_total server_full":           0,
		"petstore_http_refusals_total unavailable":           0, // requested by the client, so not counted
		"petstore_sandboxes":                                 2,
		"petstore_sandboxes_max":                             2,
		"petstore_sandboxes_evicted_total room":              0,
		"petstore_sandboxes_evicted_total idle":              0,
		// In each sandbox, and a pet.
		"petstore_records":                            float64(2*Baseline().Records() + 1),
		"petstore_journal_entries":                    4,
		"petstore_journal_dropped_total":              5,
		"petstore_memory_max_bytes":                   0,
		"petstore_webhooks":                           0,
		"petstore_webhook_pending":                    0,
		"petstore_webhook_deliveries_total delivered": 0,
		"petstore_webhook_deliveries_total failed":    0,
		"petstore_webhook_deliveries_total dropped":   0,
		"petstore_connections":                        7,
		"petstore_connections_max":                    9,
		"petstore_connections_closed_total":           2,
	}
	unforeseeable := []string{
		"process_start_time_seconds", "petstore_journal_bytes", "petstore_memory_used_bytes",
		"go_goroutines", "go_memstats_alloc_bytes", "go_memstats_heap_inuse_bytes", "go_memstats_next_gc_bytes",
		"go_threads", "go_info " + runtime.Version(),
	}
	if runtime.GOOS == "linux" {
		unforeseeable = append(unforeseeable, "process_cpu_seconds_total", "process_resident_memory_bytes",
			"process_virtual_memory_bytes", "process_open_fds", "process_max_fds")
	}
	for _, unforeseeable := range unforeseeable {
		if all[unforeseeable] <= 0 {
			t.Errorf("%s is %v", unforeseeable, all[unforeseeable])
		}
		delete(all, unforeseeable)
	}
	maps.DeleteFunc(all, func(name string, _ float64) bool { return strings.HasPrefix(name, "go_") })
	must.Equal(t, want, all, "metrics")
}

// TestEvictionsInMetrics makes a full server evict one unused sandbox, and later two idle ones.
func TestEvictionsInMetrics(t *testing.T) {
	t.Parallel()
	config, pass := Movable(func(c *handlers.Config) { c.MaxSandboxes = 3 })
	w := NewWorld(t, config)
	for i, wait := range []time.Duration{0, 0, time.Minute, 2 * time.Hour} {
		pass(wait)
		w.Get(t, fmt.Sprintf("/sandboxes/s%d/pets", i)).Expect(t, 200, "")
	}
	all := valuesOf(figures(t, w))
	for reason, want := range map[string]float64{"room": 1, "idle": 2} {
		if got := all["petstore_sandboxes_evicted_total "+reason]; got != want {
			t.Errorf("%v sandboxes were evicted by reason of %s, want %v", got, reason, want)
		}
	}
}

// TestMetricsAreBounded checks that values chosen by clients do not create series.
func TestMetricsAreBounded(t *testing.T) {
	t.Parallel()
	w := NewWorld(t).Unchecked()
	ask := func(i int) {
		name := fmt.Sprintf("client-%d", i)
		for _, r := range []Request{
			Get("/sandboxes/" + name + "/pets"), Get("/" + name), Get("/categories"),
			{Method: "X" + fmt.Sprint(i), Path: "/pets"},
			Get("/pets").With("X-Client", name).With("User-Agent", name).With("X-Request-Id", name),
			Get("/pets").With("Prefer", fmt.Sprintf("code=%d", 400+i)),
		} {
			w.Do(t, r)
		}
	}
	w.AddFault(t, `{"match": {"path": "/categories"}, "status": 507, "code": "made_up"}`)
	figures(t, w)
	for i := range 101 {
		ask(i)
	}
	before := slices.Sorted(maps.Keys(valuesOf(figures(t, w))))
	for i := range 50 {
		ask(102 + i)
	}
	if slices.Contains(before, "petstore_http_refusals_total made_up") {
		t.Error("a rule makes a code of refusals")
	}
	if diff := cmp.Diff(before, slices.Sorted(maps.Keys(valuesOf(figures(t, w))))); diff != "" {
		t.Errorf("series that clients have made, -before +after:\n%s", diff)
	}
}
