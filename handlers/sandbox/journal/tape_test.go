package journal

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/sandbox/memory"
)

// TestJournalGrowsSlowly checks that a journal holds little more memory than its entries need.
func TestJournalGrowsSlowly(t *testing.T) {
	t.Parallel()
	j := newJournal(1000)
	if n := j.Bytes(); n != 0 {
		t.Errorf("an empty journal holds %d bytes", n)
	}
	j.Add(&Request{Path: "/pets"})
	if n := j.Bytes(); n != smallestChunk {
		t.Errorf("one entry holds %d bytes, want %d", n, smallestChunk)
	}
	for range 300 {
		j.Add(&Request{Path: "/pets"})
	}
	if n := j.Bytes(); n > 32<<10 {
		t.Errorf("300 small entries hold %d bytes", n)
	}
	j.Reset()
	if n := j.Bytes(); n != 0 {
		t.Errorf("%d bytes after a reset", n)
	}
}

// TestSharedHeaders adds more different headers than a chunk shares, in turn, and checks that each
// entry keeps its own, even when the chunk that had them first is gone.
func TestSharedHeaders(t *testing.T) {
	t.Parallel()
	j := newJournal(150)
	stream := listen(t, j, FromNow, true)
	headers := func(i int64) map[string][]string {
		client := i % (i/100 + 1) // one client, then two, and so on
		h := map[string][]string{"User-Agent": {fmt.Sprint("client/", client)}, "Content-Length": {fmt.Sprint(i)}}
		for n := range client % 4 {
			h[fmt.Sprint("X-", n)] = []string{strings.Repeat("x", int(client))}
		}
		return h
	}
	joined := func(id int64) map[string]string {
		h := make(map[string]string)
		for name, values := range headers(id) {
			h[name] = values[0]
		}
		return h
	}
	for id := int64(1); id <= 3000; id++ {
		m := Message{Headers: headers(id)}
		j.Add(&Request{Message: m, Response: &Answer{200, m}})
		if e := (<-stream.Events()).Request; !cmp.Equal(e.Headers, joined(id)) ||
			!cmp.Equal(e.Response.Headers, joined(id)) {
			t.Fatalf("the event of entry %d has %q and %q", id, e.Headers, e.Response.Headers)
		}
		if id%100 != 0 {
			continue
		}
		for _, e := range find(j, Filter{}, 150).Entries {
			if !cmp.Equal(e.Headers, joined(e.ID)) || !cmp.Equal(e.Response.Headers, joined(e.ID)) {
				t.Fatalf("after %d entries, entry %d has %q and %q", id, e.ID, e.Headers, e.Response.Headers)
			}
		}
	}
}

// TestJournalReadIsConsistent overwrites a journal of few entries while it is read.
func TestJournalReadIsConsistent(t *testing.T) {
	t.Parallel()
	j := newJournal(100)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 20_000 {
			j.Add(&Request{Path: fmt.Sprint("/", i+1), Message: Message{Body: make([]byte, i%MaxBody)}})
		}
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		found := find(j, Filter{}, 100)
		for i, e := range found.Entries {
			if e.ID != found.Oldest+int64(i) || e.Path != fmt.Sprint("/", e.ID) {
				t.Fatalf("entry %d of those from %d on is %d, %s", i, found.Oldest, e.ID, e.Path)
			}
		}
	}
}

// TestJournalWithoutMemory checks that a journal forgets its oldest entries instead
// of growing once the process has no memory left.
func TestJournalWithoutMemory(t *testing.T) {
	t.Parallel()
	full := memory.New(1, time.Now) // byte
	j := New(t.Context(), 1000, full)
	for range 1000 {
		j.Add(&Request{Method: "GET", Path: "/pets",
			Message: Message{Headers: map[string][]string{"User-Agent": {strings.Repeat("x", 500)}}}})
		if got := j.Bytes(); got > smallestChunk {
			t.Fatalf("the journal holds %d bytes, want at most the %d that it begins with", got, smallestChunk)
		}
	}
	if n, dropped := j.Size(); n < 1 || uint64(n)+dropped != 1000 {
		t.Errorf("%d entries and %d dropped, want the newest and 1000 in all", n, dropped)
	}
}
