package metrics

import (
	"maps"
	"slices"
	"strconv"
	"sync/atomic"
	"time"
)

// Requests counts requests by operation and result. It is safe for concurrent use after the last call
// of [Requests.Operation].
type Requests struct {
	operations map[string]*Operation     // by name
	refusals   map[string]*atomic.Uint64 // by code; the map never changes
}

// Operation contains the counters of one operation.
type Operation struct {
	stream   bool             // the operation is an event stream
	running  atomic.Int64     // the number of requests whose response has not ended
	classes  [6]atomic.Uint64 // by the first digit of the status; index 0 counts aborted responses
	duration Histogram
}

// limitCodes are the codes of refusals that report an exceeded limit. [Requests] counts only these
// refusals.
var limitCodes = []string{"payload_too_large", "rate_limited", "sandbox_full", "sandbox_limit_reached", "server_full",
	"unavailable"}

// NewRequests returns a Requests without operations. [Requests.Operation] adds them.
func NewRequests() *Requests {
	r := &Requests{operations: make(map[string]*Operation), refusals: make(map[string]*atomic.Uint64)}
	for _, code := range limitCodes {
		r.refusals[code] = new(atomic.Uint64)
	}
	return r
}

// Operation returns the counters of the named operation, and adds them if there are none yet. stream
// means that the operation is an event stream. All calls must come before the first request.
func (r *Requests) Operation(name string, stream bool) *Operation {
	if r.operations[name] == nil {
		r.operations[name] = &Operation{stream: stream}
	}
	return r.operations[name]
}

// Begin counts the start of a request.
func (o *Operation) Begin() { o.running.Add(1) }

// End counts a response. took is the time until the response began, which End ignores for an event
// stream. A status of 0 means that the response was aborted.
func (o *Operation) End(status int, took time.Duration) {
	o.running.Add(-1)
	if class := status / 100; class < len(o.classes) {
		o.classes[class].Add(1)
	}
	if !o.stream {
		o.duration.Observe(took)
	}
}

// Refuse counts a refusal with the code, if the code reports an exceeded limit.
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
	running, streams := 0.0, 0.0
	for _, name := range names {
		op := r.operations[name]
		running += float64(op.running.Load())
		if op.stream {
			streams += float64(op.running.Load())
		}
		for class := range op.classes {
			if n := op.classes[class].Load(); n > 0 {
				t.Sample("petstore_http_requests_total", float64(n), "operation", name, "status", className(class))
			}
		}
	}
	t.Family("petstore_http_request_duration_seconds", histogramKind,
		"How long it took until responses began, with injected delays and without event streams.")
	for _, name := range names {
		r.operations[name].duration.write(t, "petstore_http_request_duration_seconds", "operation", name)
	}
	t.One("petstore_http_requests_in_flight", Gauge, "Requests in progress, including event streams.", running)
	t.One("petstore_event_streams", Gauge, "Open event streams.", streams)
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
	i, _ := slices.BinarySearch(bounds[:], d)
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
