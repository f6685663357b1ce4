package metrics

import (
	"strconv"
	"sync/atomic"
	"time"
)

// bounds are the upper bounds of the buckets. They range from the service's own response time to
// the longest delay that a client can request.
var bounds = [...]time.Duration{
	100 * time.Microsecond, 250 * time.Microsecond, 500 * time.Microsecond, time.Millisecond, 2500 * time.Microsecond, 5 * time.Millisecond,
	10 * time.Millisecond, 25 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond, 250 * time.Millisecond, time.Second, 5 * time.Second, 30 * time.Second,
}

// Histogram counts durations by bucket. The zero Histogram is empty. It is safe for concurrent use.
type Histogram struct {
	counts [len(bounds) + 1]atomic.Uint64 // per bucket, not cumulative; the last bucket has no bound
	sum    atomic.Int64                   // nanoseconds
}

// Observe adds a duration.
func (h *Histogram) Observe(d time.Duration) {
	i := 0
	for i < len(bounds) && d > bounds[i] {
		i++
	}
	h.counts[i].Add(1)
	h.sum.Add(int64(d))
}

// write writes the samples of the family. It writes nothing if there are none.
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
		t.Sample(name+"_bucket", float64(counts[i]), append(labels, "le", strconv.FormatFloat(bound.Seconds(), 'g', -1, 64))...)
	}
	t.Sample(name+"_bucket", float64(total), append(labels, "le", "+Inf")...)
	t.Sample(name+"_sum", time.Duration(h.sum.Load()).Seconds(), labels...)
	t.Sample(name+"_count", float64(total), labels...)
}
