package memory

import "runtime/metrics"

// What is read of the runtime; see package runtime/metrics.
const (
	liveHeap = "/gc/heap/live:bytes"                // that the last collection marked, with what was made while it ran
	allHeap  = "/memory/classes/heap/objects:bytes" // what is live, and what is not collected yet
	cycles   = "/gc/cycles/total:gc-cycles"
)

// outside are the bytes that the collector does not count as live.
var outside = [...]string{
	"/memory/classes/heap/stacks:bytes",
	"/memory/classes/metadata/mcache/inuse:bytes",
	"/memory/classes/metadata/mspan/inuse:bytes",
	"/memory/classes/metadata/other:bytes",
	"/memory/classes/os-stacks:bytes",
	"/memory/classes/other:bytes",
}

// use asks the runtime.
func use() Use {
	samples := []metrics.Sample{{Name: liveHeap}, {Name: allHeap}, {Name: cycles}}
	for _, name := range outside {
		samples = append(samples, metrics.Sample{Name: name})
	}
	metrics.Read(samples)
	u := Use{
		Live: int64(samples[0].Value.Uint64()), Made: int64(samples[1].Value.Uint64()), Cycles: samples[2].Value.Uint64(),
	}
	for _, s := range samples[3:] {
		u.Live += int64(s.Value.Uint64())
	}
	return u
}
