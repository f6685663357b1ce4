package memory

import (
	"errors"
	"sync"
	"testing"
	"time"

	"example.com/petstore/handlers/internal/testmain"
)

// machine stands for the runtime: the live bytes, and the bytes that a collection would find live.
type machine struct {
	mu          sync.Mutex
	live, after int64
	cycles      uint64
	forced      int
	clock       time.Time
}

func (m *machine) use() Use {
	m.mu.Lock()
	defer m.mu.Unlock()
	return Use{Live: m.live, Cycles: m.cycles}
}

func (m *machine) collect() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.live = m.after
	m.cycles++
	m.forced++
}

func (m *machine) now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.clock
}

// later advances the time and makes collections find the given number of live bytes.
func (m *machine) later(d time.Duration, after int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clock = m.clock.Add(d)
	m.after = after
}

func newMachine(limit int64) (*machine, *Budget) {
	m := &machine{clock: time.Unix(0, 0)}
	return m, newBudget(limit, m.use, m.collect, m.now)
}

func TestReservationsCountUntilMeasured(t *testing.T) {
	t.Parallel()
	m, b := newMachine(1000) // of which 650 may be in use
	if b.Reserve(600, 0) != nil {
		t.Fatal("600 of 650 bytes do not fit")
	}
	b.Release(600)
	m.later(time.Second, 300) // half of it is still live
	if b.Reserve(400, 0) == nil {
		t.Error("400 bytes fit beside the 300 that stayed")
	}
	if m.forced != 1 {
		t.Errorf("%d collections looked for room, want 1", m.forced)
	}
	m.later(time.Second, 10) // it has been freed since
	if b.Reserve(400, 0) != nil {
		t.Error("400 bytes do not fit, although a collection would free enough")
	}
	if got := b.Used(); got != 410 {
		t.Errorf("used: %d bytes, want the 10 that are live and the 400 that are promised", got)
	}
}

// TestGarbageIsCollectedForWrites checks that a server whose memory is reserved repeatedly,
// and never stays in use, collects garbage each time.
func TestGarbageIsCollectedForWrites(t *testing.T) {
	t.Parallel()
	m, b := newMachine(1000)
	for i := range 100 {
		m.later(time.Millisecond, 10)
		if b.Reserve(600, 0) != nil {
			t.Fatalf("600 of 650 bytes do not fit the %dth time, though none stay in use", i+1)
		}
		b.Release(600)
	}
	if m.forced == 0 {
		t.Error("no collection ran")
	}
}

func TestRunningRequestsStayReserved(t *testing.T) {
	t.Parallel()
	m, b := newMachine(1000)
	if b.Reserve(600, 0) != nil {
		t.Fatal("600 of 650 bytes do not fit")
	}
	m.later(time.Second, 0) // none of it is live yet
	if b.Reserve(100, 0) == nil {
		t.Error("a collection freed reserved memory")
	}
	b.Release(600)
	m.later(time.Second, 0)
	if b.Reserve(100, 0) != nil {
		t.Error("100 bytes do not fit after release and collection")
	}
}

// TestRefusalsFollowACollection checks that no request is refused for memory that a collection
// would free, and that a full server spends at most a fifth of its time on collections.
func TestRefusalsFollowACollection(t *testing.T) {
	testmain.Bubble(t, func(t *testing.T) {
		const takes = 10 * time.Millisecond
		m := &machine{live: 640, after: 640}
		b := newBudget(1000, m.use, func() { time.Sleep(takes); m.collect() }, time.Now)
		refused := func(want time.Duration) {
			t.Helper()
			began := time.Now()
			if b.Reserve(100, 0) == nil {
				t.Error("100 bytes fit beside 640")
			}
			if took := time.Since(began); took != want {
				t.Errorf("a refusal took %v, want %v", took, want)
			}
		}
		refused(takes)
		refused(collectShare*takes + takes)
		time.Sleep(time.Second)
		refused(takes)
		m.forced = 0
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() { refused(collectShare*takes + takes) })
		}
		all.Wait()
		if m.forced != 1 {
			t.Errorf("%d collections for 100 refusals at one moment, want 1", m.forced)
		}
		m.after = 550
		if err := b.Reserve(100, 0); err != nil {
			t.Errorf("100 bytes beside 550: %v", err)
		}
		if b.ReserveNow(1) || m.forced != 2 {
			t.Errorf("651 bytes fit, or %d collections, want 2", m.forced)
		}
	})
}

// TestUncollectedMemoryCounts starts with memory that was never collected.
func TestUncollectedMemoryCounts(t *testing.T) {
	t.Parallel()
	made := Use{Live: 10, Heap: 600}
	clock := time.Unix(0, 0)
	b := newBudget(1000, func() Use { return made }, func() { made.Cycles++ }, func() time.Time {
		clock = clock.Add(time.Second)
		return clock
	})
	if got := b.Used(); got != 600 {
		t.Errorf("%d bytes are used before any collection, want all 600 that were made", got)
	}
	if b.Reserve(100, 0) != nil {
		t.Error("100 bytes do not fit, although a collection finds only 10 in use")
	}
	if got := b.Used(); got != 110 {
		t.Errorf("%d bytes are used after the collection, want 110", got)
	}
}

func TestZeroLimitIsUnlimited(t *testing.T) {
	t.Parallel()
	b := New(0, time.Now)
	if b.Reserve(1<<50, 0) != nil || !b.ReserveNow(1<<50) || b.Limit() != 0 {
		t.Error("no budget refuses")
	}
	b.Release(1 << 50)
	if b.Used() <= 0 {
		t.Error("nothing is in use by a process that runs")
	}
}

func TestRuntimeIsMeasured(t *testing.T) {
	t.Parallel()
	before := use()
	if before.Live <= 0 {
		t.Fatalf("%d bytes live", before.Live)
	}
	block := make([]byte, 64<<20)
	New(1<<40, time.Now).collect()
	after := use()
	if after.Live < 64<<20 {
		t.Errorf("%d bytes live, less than the %d of one block", after.Live, len(block))
	}
	if after.Cycles <= before.Cycles {
		t.Errorf("%d collections, and %d after one more", before.Cycles, after.Cycles)
	}
	block[0] = 1
}

// TestResponsesHaveTheirOwnBudget checks that reads succeed when writes are refused for memory, and
// that they are refused when responses use all of their own memory.
func TestResponsesHaveTheirOwnBudget(t *testing.T) {
	t.Parallel()
	_, b := newMachine(1000) // of which 650 may be in use, and 50 more by responses
	if b.Reserve(650, 0) != nil {
		t.Fatal("650 of 650 bytes do not fit")
	}
	if b.Reserve(1, 0) == nil {
		t.Fatal("651 of 650 bytes fit")
	}
	if err := b.ReserveAnswer(50); err != nil {
		t.Fatalf("an answer of 50 bytes: %v", err)
	}
	full, ok := errors.AsType[Full](b.ReserveAnswer(1))
	if !ok || full.Needs != 1 || full.Free != 0 || full.Most != 700 {
		t.Fatalf("another of 1 byte: %+v", full)
	}
	b.ReleaseAnswer(50)
	if used := b.Used(); used != 650 {
		t.Errorf("%d bytes are used once the answer is sent, want 650", used)
	}
	if err := b.ReserveAnswer(50); err != nil {
		t.Errorf("an answer of 50 bytes after the first: %v", err)
	}
}
