package metrics

import (
	"fmt"
	"os"
	"syscall"
)

// WriteProcess writes standard Prometheus metrics of the process. It omits the metrics that the
// system does not provide.
func WriteProcess(t *Text) {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) == nil {
		t.One("process_cpu_seconds_total", Counter, "Processor time used by the process, in seconds.",
			float64(used.Utime.Nano()+used.Stime.Nano())/1e9)
	}
	if text, err := os.ReadFile("/proc/self/statm"); err == nil {
		var virtual, resident float64 // in pages
		if _, err := fmt.Sscan(string(text), &virtual, &resident); err == nil {
			page := float64(os.Getpagesize())
			t.One("process_virtual_memory_bytes", Gauge, "Virtual memory of the process, in bytes.", virtual*page)
			t.One("process_resident_memory_bytes", Gauge, "Resident memory of the process, in bytes.", resident*page)
		}
	}
	if files, err := os.ReadDir("/proc/self/fd"); err == nil {
		t.One("process_open_fds", Gauge, "Open files and connections.",
			float64(len(files)-1)) // without the directory itself
	}
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil {
		t.One("process_max_fds", Gauge, "The maximum number of open files and connections.", float64(limit.Cur))
	}
}
