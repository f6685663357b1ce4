package contracttest

import (
	"maps"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"example.com/petstore/handlers"
)

// Authorization is the header with the value.
func Authorization(value string) http.Header { return http.Header{"Authorization": {value}} }

// Prefer is the header with one line for each value.
func Prefer(values ...string) http.Header { return http.Header{"Prefer": values} }

// Fetch is a request by a page of the origin.
func Fetch(method, path, origin string, more http.Header) Request {
	header := http.Header{"Origin": {origin}}
	maps.Copy(header, more)
	return Request{Method: method, Path: path, Header: header}
}

// Preflight is the CORS preflight of a browser.
func Preflight(path, origin, method, headers string) Request {
	return Fetch(http.MethodOptions, path, origin, http.Header{
		"Access-Control-Request-Method":  {method},
		"Access-Control-Request-Headers": {headers},
	})
}

// Strict makes the server refuse unknown fields and parameters.
func Strict(c *handlers.Config) { c.Strict = true }

// Limited configures a rate limit, in requests a second.
func Limited(requests float64) func(*handlers.Config) {
	return func(c *handlers.Config) { c.RateLimit = requests }
}

// AddFault adds a rule to the default sandbox.
func (w *World) AddFault(t *testing.T, rule string) {
	t.Helper()
	w.Must(t, Post("/admin/faults", rule))
}

// Applied returns how often each fault rule of the default sandbox was applied.
func (w *World) Applied() []int64 {
	var counts []int64
	for _, rule := range w.Server.Sandboxes().Default().Faults.List() {
		counts = append(counts, rule.Applied)
	}
	return counts
}

// AwaitFault waits until the first rule has been applied.
func (w *World) AwaitFault(t *testing.T) {
	t.Helper()
	Await(t, func() bool { return w.Applied()[0] > 0 })
}

// Await waits until the condition is true.
func Await(t *testing.T, so func() bool) {
	t.Helper()
	pause := time.NewTicker(time.Millisecond)
	defer pause.Stop()
	for !so() {
		select {
		case <-pause.C:
		case <-t.Context().Done():
			t.Fatal("it never came")
		}
	}
}

// Names returns the names of all sandboxes, in order.
func (w *World) Names() []string {
	var names []string
	for _, sb := range w.Server.Sandboxes().List() {
		names = append(names, sb.Name)
	}
	return names
}

// ExpectNames fails the test unless the sandboxes have exactly these names.
func (w *World) ExpectNames(t *testing.T, want ...string) {
	t.Helper()
	if got := w.Names(); !slices.Equal(got, want) {
		t.Errorf("the sandboxes are %q, want %q", got, want)
	}
}

// Deprecated are the deprecation headers for the pet with the id.
func Deprecated(id string) http.Header {
	return http.Header{
		"Deprecation": {"@1767225600"},
		"Sunset":      {"Tue, 31 Dec 2030 00:00:00 GMT"},
		"Link":        {`</docs/#/Pets/getPet>; rel="deprecation", </pets?id=` + id + `>; rel="successor-version"`},
		"Warning":     {`299 - "getPet is deprecated since 2026-01-01 and will be removed on 2030-12-31; use listPets with ?id="`},
	}
}

// At sets the server's time and makes it enforce the sunset.
func At(when time.Time) func(*handlers.Config) {
	return func(c *handlers.Config) {
		c.Now, c.EnforceSunset = func() time.Time { return when }, true
	}
}

// Movable is a configuration with a clock that the test advances.
func Movable(change ...func(*handlers.Config)) (config func(*handlers.Config), pass func(time.Duration)) {
	var passed atomic.Int64
	config = func(c *handlers.Config) {
		c.Now = func() time.Time { return Now.Add(time.Duration(passed.Load())) }
		for _, f := range change {
			f(c)
		}
	}
	return config, func(d time.Duration) { passed.Add(int64(d)) }
}

// Keyed is the request with the keys, each in its own header line.
func Keyed(r Request, key ...string) Request {
	r = r.With("Idempotency-Key", "")
	r.Header["Idempotency-Key"] = key
	return r
}
