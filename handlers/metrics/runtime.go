package metrics

import (
	"runtime"
	"runtime/debug"
	"strconv"
	"time"
)

// WriteRuntime writes metrics about the Go runtime. The names are those of the Prometheus Go
// client, so that dashboards for that client can show the metrics.
func WriteRuntime(t *Text) {
	writeCollections(t)
	t.One("go_goroutines", Gauge, "The number of goroutines.", float64(runtime.NumGoroutine()))
	t.Family("go_info", Gauge, "The version of Go.")
	t.Sample("go_info", 1, "version", runtime.Version())
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	for _, figure := range []struct {
		name  string
		kind  Kind
		help  string
		value uint64
	}{
		{"alloc_bytes", Gauge, "Bytes of objects in the heap.", m.Alloc},
		{"alloc_bytes_total", Counter, "Bytes allocated since the start.", m.TotalAlloc},
		{"buck_hash_sys_bytes", Gauge, "Bytes of profiling tables.", m.BuckHashSys},
		{"frees_total", Counter, "Objects freed.", m.Frees},
		{"gc_sys_bytes", Gauge, "Bytes of the garbage collector's metadata.", m.GCSys},
		{"heap_alloc_bytes", Gauge, "Bytes of objects in the heap.", m.HeapAlloc},
		{"heap_idle_bytes", Gauge, "Idle bytes of the heap.", m.HeapIdle},
		{"heap_inuse_bytes", Gauge, "Bytes of the heap in use.", m.HeapInuse},
		{"heap_objects", Gauge, "Objects in the heap.", m.HeapObjects},
		{"heap_released_bytes", Gauge, "Bytes of the heap returned to the operating system.", m.HeapReleased},
		{"heap_sys_bytes", Gauge, "Bytes of the heap obtained from the operating system.", m.HeapSys},
		{"mallocs_total", Counter, "Objects allocated.", m.Mallocs},
		{"mcache_inuse_bytes", Gauge, "Bytes of the allocator's caches in use.", m.MCacheInuse},
		{"mcache_sys_bytes", Gauge, "Bytes of the allocator's caches obtained from the operating system.", m.MCacheSys},
		{"mspan_inuse_bytes", Gauge, "Bytes of heap metadata in use.", m.MSpanInuse},
		{"mspan_sys_bytes", Gauge, "Bytes of heap metadata obtained from the operating system.", m.MSpanSys},
		{"next_gc_bytes", Gauge, "The heap size in bytes at which the next collection begins.", m.NextGC},
		{"other_sys_bytes", Gauge, "Other bytes obtained from the operating system.", m.OtherSys},
		{"stack_inuse_bytes", Gauge, "Bytes of stacks in use.", m.StackInuse},
		{"stack_sys_bytes", Gauge, "Bytes of stacks obtained from the operating system.", m.StackSys},
		{"sys_bytes", Gauge, "Bytes obtained from the operating system.", m.Sys},
	} {
		t.One("go_memstats_"+figure.name, figure.kind, figure.help, float64(figure.value))
	}
	t.One("go_memstats_last_gc_time_seconds", Gauge, "When the last collection ended, in seconds since 1970.",
		time.Duration(m.LastGC).Seconds())
	threads, _ := runtime.ThreadCreateProfile(nil)
	t.One("go_threads", Gauge, "Operating system threads created.", float64(threads))
}

// writeCollections writes the garbage collector's pause times.
func writeCollections(t *Text) {
	const name = "go_gc_duration_seconds"
	stats := debug.GCStats{PauseQuantiles: make([]time.Duration, 5)}
	debug.ReadGCStats(&stats)
	t.Family(name, summaryKind, "Pauses of the program by garbage collections.")
	for i, pause := range stats.PauseQuantiles {
		quantile := float64(i) / float64(len(stats.PauseQuantiles)-1)
		t.Sample(name, pause.Seconds(), "quantile", strconv.FormatFloat(quantile, 'g', -1, 64))
	}
	t.Sample(name+"_sum", stats.PauseTotal.Seconds())
	t.Sample(name+"_count", float64(stats.NumGC))
}
