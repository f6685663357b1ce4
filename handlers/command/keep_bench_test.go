package command

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"example.com/petstore/handlers"
	"example.com/petstore/handlers/config"
	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/registry"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/store"
)

// BenchmarkKeep writes and reads 10,000 sandboxes with 20 writes each. It reports the peak memory
// beyond the memory held before the write, or after the read. The budget for each is 5 s and 64 MB.
func BenchmarkKeep(b *testing.B) {
	const sandboxes, writes = 10_000, 20
	path := filepath.Join(b.TempDir(), "kept")
	collector := newCollector()
	collector.run(b.Context())
	open := func() (*keeper, *registry.Registry) {
		service, err := handlers.New(handlers.Config{MaxSandboxes: sandboxes + 1, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(service.Close)
		k, err := (&options{Program: config.Program{Keep: path}}).openKeeper(slog.New(slog.DiscardHandler), collector)
		if err != nil {
			b.Fatal(err)
		}
		return k, service.Sandboxes()
	}
	b.Run("write", func(b *testing.B) {
		k, r := open()
		defer k.close()
		must.Succeed(b, k.restore(r))
		for i := range sandboxes {
			sb, _, _, err := r.Make(fmt.Sprintf("sandbox-%d", i), registry.CreateOptions{Hold: true})
			if err != nil {
				b.Fatal(err)
			}
			for j := range writes {
				_, _, err := sb.Update(&journal.Event{Name: "pet.created"},
					func(tx *store.Tx) error {
						_, err := store.Pets.Create(tx, store.Pet{Name: fmt.Sprintf("Rex %d of %d", j, i), CategoryID: 3,
							Status: store.Available})
						return err
					})
				if err != nil {
					b.Fatal(err)
				}
			}
		}
		beyond := watchHeap()
		for b.Loop() {
			must.Succeed(b, k.end())
		}
		b.ReportMetric(beyond(), "MB-beyond")
		if info, err := os.Stat(path); err == nil {
			b.ReportMetric(float64(info.Size())/1e6, "MB-file")
		}
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			k, r := open()
			beyond := watchHeap()
			before := heapInUse()
			b.StartTimer()
			must.Succeed(b, k.restore(r))
			b.StopTimer()
			most := beyond()
			runtime.GC()
			held := heapInUse() - before
			b.ReportMetric(held, "MB-held")
			b.ReportMetric(most-held, "MB-beyond")
			k.close()
			b.StartTimer()
		}
	})
}

// heapInUse returns the heap memory in use, in MB.
func heapInUse() float64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapInuse) / 1e6
}

// watchHeap returns a function that returns the largest growth of the heap in use, in MB.
func watchHeap() func() float64 {
	runtime.GC()
	before := heapInUse()
	most := before
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				most = max(most, heapInUse())
			}
		}
	}()
	return func() float64 {
		close(stop)
		<-stopped
		return max(most, heapInUse()) - before
	}
}
