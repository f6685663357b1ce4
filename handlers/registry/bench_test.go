package registry

import (
	"fmt"
	"runtime"
	"testing"
	"time"
	"weak"

	"example.com/petstore/handlers/sandbox"
	"example.com/petstore/handlers/sandbox/fault"
	"example.com/petstore/handlers/sandbox/lifecycle"
	"example.com/petstore/store"
)

// untouched is the memory limit of an untouched sandbox, in bytes: 2 KiB, and what the race detector
// adds.
const untouched = 2<<10 + 64

// fullOptions are the options of a server whose sandboxes start with everything that options can
// give them.
func fullOptions(m *machine, b sandbox.Baseline) Options {
	o := Options{Options: sandbox.Options{Origin: b, MaxRecords: 100_000, Machine: m.now, RateLimit: 100,
		Journal: 1000}}
	for i := range 26 {
		o.Operations = append(o.Operations, lifecycle.Operation{ID: fmt.Sprint("operation ", i), Path: "/pets"})
	}
	o.Faults = []fault.Rule{{Delay: &fault.Delay{FixedMs: new(200)}}, {Status: new(503), Probability: new(0.1)}}
	return o
}

// TestUntouchedSandboxIsSmall is not parallel, so that no other test allocates while it measures.
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

// TestIdleSandboxesAreFreed fills every part of sandboxes and checks that all of it is freed once
// they are dropped.
func TestIdleSandboxesAreFreed(t *testing.T) {
	t.Parallel()
	r, m := newTestRegistry(t, 1000, time.Hour)
	var sandboxes []weak.Pointer[sandbox.Sandbox]
	var states []weak.Pointer[store.State]
	for i := range 200 {
		sb := visit(t, r, fmt.Sprint("sandbox-", i))
		for range 20 {
			touch(sb)
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

// heapBytes returns the bytes in use after two collections, since a sync.Pool keeps its items over one.
func heapBytes() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
