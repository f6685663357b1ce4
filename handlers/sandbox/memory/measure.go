package memory

import "runtime/metrics"

// Names of metrics in package runtime/metrics.
const (
	liveHeap = "/gc/heap/live:bytes"                // marked by the last collection, plus allocations during it
	allHeap  = "/memory/classes/heap/objects:bytes" // live objects and garbage
	cycles   = "/gc/cycles/total:gc-cycles"
)

// outside lists the metrics of memory that the collector does not count as live.
var outside = [...]string{
	"/memory/classes/heap/stacks:bytes",
	"/memory/classes/metadata/mcache/inuse:bytes",
	"/memory/classes/metadata/mspan/inuse:bytes",
	"/memory/classes/metadata/other:bytes",
	"/memory/classes/os-stacks:bytes",
	"/memory/classes/other:bytes",
}

// use returns the current values of the runtime's memory metrics.
func use() Use {
	samples := []metrics.Sample{{Name: liveHeap}, {Name: allHeap}, {Name: cycles}}
	for _, name := range outside {
		samples = append(samples, metrics.Sample{Name: name})
	}
	metrics.Read(samples)
	u := Use{
		Live: int64(samples[0].Value.Uint64()), Heap: int64(samples[1].Value.Uint64()),
		Cycles: samples[2].Value.Uint64(),
	}
	for _, s := range samples[3:] {
		u.Live += int64(s.Value.Uint64())
	}
	return u
}
