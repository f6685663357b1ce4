package metrics

import (
	"maps"
	"slices"
	"strconv"
	"sync/atomic"
	"time"
)

// Requests counts requests by operation and result. It is safe for concurrent use.
type Requests struct {
	operations map[string]*operation     // by name; the map never changes
	refusals   map[string]*atomic.Uint64 // by code; the map never changes
	running    atomic.Int64
	streams    atomic.Int64
}

// operation contains the counters of one operation.
type operation struct {
	classes  [6]atomic.Uint64 // by the first digit of the status; index 0 counts aborted responses
	duration Histogram
}

// NewRequests returns counters for the given operations and refusal codes. Requests does not count
// other operations and codes.
func NewRequests(operations, codes []string) *Requests {
	r := &Requests{operations: make(map[string]*operation, len(operations)), refusals: make(map[string]*atomic.Uint64)}
	for _, name := range operations {
		r.operations[name] = new(operation)
	}
	for _, code := range codes {
		r.refusals[code] = new(atomic.Uint64)
	}
	return r
}

// Begin counts the start of a request. stream means that the request opens an event stream.
func (r *Requests) Begin(stream bool) {
	r.running.Add(1)
	if stream {
		r.streams.Add(1)
	}
}

// End counts a response to a request for the named operation. took is the time until the response
// began, which End ignores for an event stream. A status of 0 means that the response was aborted.
func (r *Requests) End(name string, stream bool, status int, took time.Duration) {
	r.running.Add(-1)
	op := r.operations[name]
	if class := status / 100; op != nil && class < len(op.classes) {
		op.classes[class].Add(1)
	}
	if stream {
		r.streams.Add(-1)
	} else if op != nil {
		op.duration.Observe(took)
	}
}

// Refuse counts a refusal with the code, if the code was passed to NewRequests.
func (r *Requests) Refuse(code string) {
	if n := r.refusals[code]; n != nil {
		n.Add(1)
	}
}

// Write writes the metrics.
func (r *Requests) Write(t *Text) {
	t.Family("petstore_http_requests_total", Counter,
		"Requests by operation and class of status; aborted ones were cut off.")
	names := slices.Sorted(maps.Keys(r.operations))
	for _, name := range names {
		for class := range r.operations[name].classes {
			if n := r.operations[name].classes[class].Load(); n > 0 {
				t.Sample("petstore_http_requests_total", float64(n), "operation", name, "status", className(class))
			}
		}
	}
	t.Family("petstore_http_request_duration_seconds", histogramKind,
		"How long it took until responses began, with injected delays and without event streams.")
	for _, name := range names {
		r.operations[name].duration.write(t, "petstore_http_request_duration_seconds", "operation", name)
	}
	t.One("petstore_http_requests_in_flight", Gauge, "Requests in progress, including event streams.", r.running.Load())
	t.One("petstore_event_streams", Gauge, "Open event streams.", r.streams.Load())
	t.Family("petstore_http_refusals_total", Counter, "Requests refused because a limit was reached, by error code.")
	for _, code := range slices.Sorted(maps.Keys(r.refusals)) {
		t.Sample("petstore_http_refusals_total", float64(r.refusals[code].Load()), "code", code)
	}
}

func className(class int) string {
	if class == 0 {
		return "aborted"
	}
	return strconv.Itoa(class) + "xx"
}

// bounds are the upper bounds of the histogram buckets.
var bounds = [...]time.Duration{
	100 * time.Microsecond, 250 * time.Microsecond, 500 * time.Microsecond, time.Millisecond, 2500 * time.Microsecond,
	5 * time.Millisecond,
	10 * time.Millisecond, 25 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond, 250 * time.Millisecond,
	time.Second, 5 * time.Second, 30 * time.Second,
}

// Histogram counts durations by bucket. The zero Histogram is empty. It is safe for concurrent use.
type Histogram struct {
	counts [len(bounds) + 1]atomic.Uint64 // of each bucket, not cumulative; the last bucket has no upper bound
	sum    atomic.Int64                   // nanoseconds
}

// Observe counts a duration.
func (h *Histogram) Observe(d time.Duration) {
	i := 0
	for i < len(bounds) && d > bounds[i] {
		i++
	}
	h.counts[i].Add(1)
	h.sum.Add(int64(d))
}

// write writes the histogram as samples of the named family. It writes nothing if the histogram is
// empty.
func (h *Histogram) write(t *Text, name string, labels ...string) {
	var counts [len(bounds) + 1]uint64
	total := uint64(0)
	for i := range counts {
		total += h.counts[i].Load()
		counts[i] = total
	}
	if total == 0 {
		return
	}
	labels = labels[:len(labels):len(labels)]
	for i, bound := range bounds {
		t.Sample(name+"_bucket", float64(counts[i]),
			append(labels, "le", strconv.FormatFloat(bound.Seconds(), 'g', -1, 64))...)
	}
	t.Sample(name+"_bucket", float64(total), append(labels, "le", "+Inf")...)
	t.Sample(name+"_sum", time.Duration(h.sum.Load()).Seconds(), labels...)
	t.Sample(name+"_count", float64(total), labels...)
}
