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

// Authorization returns an Authorization header.
func Authorization(value string) http.Header { return http.Header{"Authorization": {value}} }

// Prefer returns a Prefer header with one line for each value.
func Prefer(values ...string) http.Header { return http.Header{"Prefer": values} }

// Fetch returns a request as sent by a page from the origin.
func Fetch(method, path, origin string, more http.Header) Request {
	header := http.Header{"Origin": {origin}}
	maps.Copy(header, more)
	return Request{Method: method, Path: path, Header: header}
}

// Preflight returns the CORS preflight request that a browser sends.
func Preflight(path, origin, method, headers string) Request {
	return Fetch(http.MethodOptions, path, origin, http.Header{
		"Access-Control-Request-Method":  {method},
		"Access-Control-Request-Headers": {headers},
	})
}

// Strict makes the server reject unknown fields and parameters.
func Strict(c *handlers.Config) { c.Strict = true }

// Limited returns a function that configures a rate limit, in requests per second.
func Limited(requests float64) func(*handlers.Config) {
	return func(c *handlers.Config) { c.RateLimit = requests }
}

// AddFault adds a fault rule to the default sandbox.
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

// Await waits until so returns true.
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

// Names returns the names of all sandboxes, in the order of [registry.Registry.List].
func (w *World) Names() []string {
	var names []string
	for _, sb := range w.Server.Sandboxes().List() {
		names = append(names, sb.Name)
	}
	return names
}

// ExpectNames fails the test unless Names returns exactly the given names.
func (w *World) ExpectNames(t *testing.T, want ...string) {
	t.Helper()
	if got := w.Names(); !slices.Equal(got, want) {
		t.Errorf("the sandboxes are %q, want %q", got, want)
	}
}

// At returns a function that sets the server's time and makes the server enforce sunsets.
func At(when time.Time) func(*handlers.Config) {
	return func(c *handlers.Config) {
		c.Now, c.EnforceSunset = func() time.Time { return when }, true
	}
}

// Movable returns a function that configures a clock, and a function that advances it.
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

// Keyed returns r with the given idempotency keys, each in its own header line.
func Keyed(r Request, key ...string) Request {
	r = r.With("Idempotency-Key", "")
	r.Header["Idempotency-Key"] = key
	return r
}
