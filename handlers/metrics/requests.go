package metrics

import (
	"maps"
	"slices"
	"strconv"
	"sync/atomic"
	"time"
)

// Requests counts what a server was asked, by operation and by what came of it. Its
// methods may be called by any number of goroutines.
type Requests struct {
	operations map[string]*operation // by name; never changed
	refusals   map[string]*atomic.Uint64
	running    atomic.Int64
	streams    atomic.Int64
}

// operation is what is known of one.
type operation struct {
	classes  [6]atomic.Uint64 // by the first digit of the status; 0: broken off
	duration Histogram
}

// NewRequests returns counters for the operations of the names and the refusals of the
// codes, which are all that there will ever be.
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

// Begin counts a request that begins; stream: it is one for an event stream, which takes as
// long as its reader likes.
func (r *Requests) Begin(stream bool) {
	r.running.Add(1)
	if stream {
		r.streams.Add(1)
	}
}

// End counts its answer, of the operation of the name, which took so long to begin; status
// 0: it was broken off.
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

// Refuse counts a refusal, if it is of a known code.
func (r *Requests) Refuse(code string) {
	if n := r.refusals[code]; n != nil {
		n.Add(1)
	}
}

// Write writes the figures.
func (r *Requests) Write(t *Text) {
	t.Family("petstore_http_requests_total", Counter, "Requests by operation and class of status; aborted are those that were broken off.")
	names := slices.Sorted(maps.Keys(r.operations))
	for _, name := range names {
		for class := range r.operations[name].classes {
			if n := r.operations[name].classes[class].Load(); n > 0 {
				t.Sample("petstore_http_requests_total", float64(n), "operation", name, "status", className(class))
			}
		}
	}
	t.Family("petstore_http_request_duration_seconds", histogramKind, "How long it took until responses began, with injected delays and without event streams.")
	for _, name := range names {
		r.operations[name].duration.write(t, "petstore_http_request_duration_seconds", "operation", name)
	}
	t.One("petstore_http_requests_in_flight", Gauge, "Requests that are not answered yet, event streams included.", r.running.Load())
	t.One("petstore_event_streams", Gauge, "Event streams that are open.", r.streams.Load())
	t.Family("petstore_http_refusals_total", Counter, "Requests that were refused because a bound was reached, by the code of the error.")
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
