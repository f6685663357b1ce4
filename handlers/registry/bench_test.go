package registry

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"
	"weak"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/journal"
	"example.com/petstore/handlers/sandbox/webhook"
	"example.com/petstore/store"
)

// untouched is the budget of an untouched sandbox, in bytes.
const untouched = 2 << 10

// The two sizes whose times the budgets compare. The baselines are shared by all
// benchmarks and made when the first one asks.
var benchBaselines = map[int]func() sandbox.Baseline{
	1_000:     sync.OnceValue(func() sandbox.Baseline { return testBaseline(1_000) }),
	1_000_000: sync.OnceValue(func() sandbox.Baseline { return testBaseline(1_000_000) }),
}

// fullOptions are those of a server with all that a sandbox can start with.
func fullOptions(m *machine, b sandbox.Baseline) Options {
	o := Options{Options: sandbox.Options{Baseline: b, MaxRecords: 100_000, Machine: m.now, RateLimit: 100, Journal: 1000}}
	for i := range 26 {
		o.Operations = append(o.Operations, sandbox.Operation{ID: fmt.Sprint("operation ", i), Path: "/pets"})
	}
	o.Faults = []fault.Rule{{Delay: &fault.Delay{FixedMs: new(200)}}, {Status: new(503), Probability: new(0.1)}}
	return o
}

// bySize runs a benchmark at both sizes.
func bySize(b *testing.B, run func(b *testing.B, r *Registry)) {
	for _, pets := range []int{1_000, 1_000_000} {
		b.Run(fmt.Sprintf("pets=%d", pets), func(b *testing.B) {
			r := New(fullOptions(new(machine), benchBaselines[pets]()), 10_000, time.Hour)
			defer r.Close()
			b.ReportAllocs()
			run(b, r)
		})
	}
}

// BenchmarkNewSandbox is the first request to a sandbox, and its end.
func BenchmarkNewSandbox(b *testing.B) {
	bySize(b, func(b *testing.B, r *Registry) {
		for b.Loop() {
			visit(b, r, "ada")
			must(r.Drop("ada"))
		}
	})
}

func BenchmarkFork(b *testing.B) {
	bySize(b, func(b *testing.B, r *Registry) {
		must(createPet(visit(b, r, "ada")))
		for b.Loop() {
			if _, err := r.Fork("ada", "fork"); err != nil {
				b.Fatal(err)
			}
			must(r.Drop("fork"))
		}
	})
}

func BenchmarkReset(b *testing.B) {
	bySize(b, func(b *testing.B, r *Registry) {
		sb := visit(b, r, "ada")
		must(createPet(sb))
		for b.Loop() {
			sb.Reset()
		}
	})
}

func BenchmarkKeepSnapshot(b *testing.B) {
	bySize(b, func(b *testing.B, r *Registry) {
		sb := visit(b, r, "ada")
		must(createPet(sb))
		for b.Loop() {
			if _, _, err := sb.Snapshots.Take("mine", sb.Store.Keep(), sb.Clock.Now()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkRestoreSnapshot(b *testing.B) {
	bySize(b, func(b *testing.B, r *Registry) {
		sb := visit(b, r, "ada")
		if _, _, err := sb.Snapshots.Take("mine", sb.Store.Keep(), sb.Clock.Now()); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			must(sb.Restore("mine"))
		}
	})
}

// BenchmarkEnter is what finding its sandbox costs a request.
func BenchmarkAcquire(b *testing.B) {
	r := New(fullOptions(new(machine), testBaseline(3)), 10_000, time.Hour)
	defer r.Close()
	for b.Loop() {
		visit(b, r, "ada")
	}
}

// BenchmarkSandboxBytes tells what sandboxes weigh: untouched, after twenty writes
// each, and when they were idle for too long.
func BenchmarkSandboxBytes(b *testing.B) {
	const sandboxes, writes = 10_000, 20
	m := new(machine)
	for b.Loop() {
		r := New(fullOptions(m, testBaseline(100)), sandboxes+1, time.Hour)
		empty := heapBytes()
		all := make([]*Entry, sandboxes)
		for i := range all {
			all[i] = visit(b, r, fmt.Sprint("sandbox-", i))
		}
		new := heapBytes()
		for _, sb := range all {
			for range writes {
				must(createPet(sb))
			}
		}
		full := heapBytes()
		clear(all)
		m.pass(time.Hour)
		sweep(r)
		if r.Len() != 1 {
			b.Fatalf("%d sandboxes are left", r.Len())
		}
		left := heapBytes()
		r.Close()
		b.ReportMetric(float64(new-empty)/sandboxes, "bytes/untouched")
		b.ReportMetric(float64(full-empty)/sandboxes, "bytes/written")
		b.ReportMetric((float64(left)-float64(empty))/sandboxes, "bytes/left")
	}
}

// TestUntouchedSandboxIsSmall is not parallel, so that nobody else allocates while
// it looks.
func TestUntouchedSandboxIsSmall(t *testing.T) {
	const sandboxes = 2000
	r := New(fullOptions(new(machine), testBaseline(100)), sandboxes+1, time.Hour)
	defer r.Close()
	before := heapBytes()
	for i := range sandboxes {
		visit(t, r, fmt.Sprint("sandbox-", i))
	}
	if size := (heapBytes() - before) / sandboxes; size > untouched {
		t.Errorf("an untouched sandbox takes %d bytes, want %d at most", size, untouched)
	}
	runtime.KeepAlive(r)
}

// TestIdleSandboxesAreFreed fills sandboxes in every dimension and wants nothing to
// hold on to them once they are gone.
func TestIdleSandboxesAreFreed(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 1000, time.Hour)
	var sandboxes []weak.Pointer[sandbox.Sandbox]
	var states []weak.Pointer[store.State]
	for i := range 200 {
		sb := visit(t, r, fmt.Sprint("sandbox-", i))
		for range 20 {
			for _, d := range dimensions {
				d.touch(sb)
			}
		}
		sandboxes = append(sandboxes, weak.Make(sb.Sandbox))
		states = append(states, weak.Make(sb.Store.View()))
	}
	m.pass(time.Hour)
	sweep(r)
	wantNames(t, r, "default")
	runtime.GC()
	for i := range sandboxes {
		if sandboxes[i].Value() != nil || states[i].Value() != nil {
			t.Fatalf("sandbox %d is still in memory", i)
		}
	}
	runtime.KeepAlive(r)
}

// heapBytes returns the bytes in use after a collection.
func heapBytes() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// BenchmarkUpdate is a change of the data, with webhooks and without: one that wants other
// events, and one whose receiver is never there. A sandbox without webhooks, or one in which
// they were deleted, must not pay for them.
func BenchmarkUpdate(b *testing.B) {
	set := func(events ...string) func(*Entry) {
		return func(sb *Entry) {
			_, _, err := sb.SetWebhook("one", webhook.Settings{URL: "http://127.0.0.1:9/", Events: events})
			must(err)
		}
	}
	for _, bench := range []struct {
		name    string
		prepare func(*Entry)
	}{
		{"none", func(*Entry) {}},
		{"deleted", func(sb *Entry) { set()(sb); must(sb.Webhooks.Drop("one")) }},
		{"other events", set("order.*")},
		{"this event", set("category.*")},
	} {
		b.Run(bench.name, func(b *testing.B) {
			r := New(Options{Options: sandbox.Options{Baseline: testBaseline(3), Machine: sandbox.Machine}}, 10, 0)
			defer r.Close()
			sb := r.Default()
			bench.prepare(sb)
			data := []byte(`{"id":1,"name":"Dogs"}`)
			names, n := []string{"Dogs", "Cats"}, 0
			b.ReportAllocs()
			for b.Loop() {
				n++ // what does not change is no event
				_, err := sb.Update(func(tx *store.Tx) (journal.Event, error) {
					_, err := tx.UpdateCategory(store.Category{ID: 1, Name: names[n%2]})
					return journal.Event{Name: "category.updated", Data: data}, err
				})
				must(err)
			}
		})
	}
}
