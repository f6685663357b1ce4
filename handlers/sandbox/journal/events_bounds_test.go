package journal

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/petstore/handlers/internal/must"
	"example.com/petstore/handlers/sandbox/memory"
)

// TestHubIsBounded reaches the limits of events, in number and in bytes.
func TestHubIsBounded(t *testing.T) {
	t.Parallel()
	keeps := func(t *testing.T, j *Journal, after int64, n int, first int64, gap *Gap) {
		t.Helper()
		s := listen(t, j, after, false)
		defer s.Close()
		var kept []int64
		for e := range s.Missed() {
			kept = append(kept, e.ID)
		}
		must.Equal(t, gap, s.Gap, "gap after %d", after)
		if len(kept) != n || kept[0] != first {
			t.Errorf("%d events are kept after %d, from %d on; want %d from %d on", len(kept), after, kept[0], n, first)
		}
	}
	t.Run("in events", func(t *testing.T) {
		t.Parallel()
		j := newJournal(0)
		for range maxEvents + 5 {
			j.Publish(Event{})
		}
		keeps(t, j, 0, maxEvents, 6, &Gap{1, 5})
		keeps(t, j, 5, maxEvents, 6, nil)
		for range 5 * maxEvents {
			j.Publish(Event{})
		}
		if n := j.Bytes(); n != maxEvents*eventBytes || cap(j.hub.kept) > 2*maxEvents {
			t.Errorf("%d bytes in an array of %d, want %d and %d at most", n, cap(j.hub.kept), maxEvents*eventBytes,
				2*maxEvents)
		}
	})
	t.Run("in bytes", func(t *testing.T) {
		t.Parallel()
		j := newJournal(0)
		data := bytes.Repeat([]byte("x"), 100<<10)
		for range 30 {
			j.Publish(Event{Data: data})
		}
		keeps(t, j, 0, 10, 21, &Gap{1, 20})
		if n := j.Bytes(); n > maxEventBytes {
			t.Errorf("%d bytes, want at most %d", n, maxEventBytes)
		}
		j.Publish(Event{Data: make([]byte, maxEventBytes)})
		j.Publish(Event{Data: data})
		keeps(t, j, 0, 1, 32, &Gap{1, 31})
	})
}

func TestSlowReadersAreDropped(t *testing.T) {
	t.Parallel()
	j := newJournal(10)
	slow, quick := listen(t, j, FromNow, true), listen(t, j, FromNow, false)
	defer quick.Close()
	for i := range maxWaiting + 1 {
		publish(j, "a")
		if got, want := drain(quick), []string{strconv.Itoa(i+1) + " a"}; !cmp.Equal(got, want) {
			t.Fatalf("the quick reader got %q, want %q", got, want)
		}
	}
	publish(j, "b", EventRequest)
	// Waiting events would stay in memory until the reader takes one.
	if got, want := drain(slow), []string{"end, slow: true"}; !cmp.Equal(got, want) {
		t.Errorf("the slow reader got %q, want %q", got, want)
	}
	if j.hub.watchers != 0 {
		t.Error("the slow reader still gets requests")
	}
}

// TestEventsWaitWithinTheBudget checks that a reader with waiting events is dropped if the server
// has no memory, and that one that takes each event at once gets all.
func TestEventsWaitWithinTheBudget(t *testing.T) {
	t.Parallel()
	j := New(t.Context(), 10, memory.New(1, time.Now))
	slow, quick := listen(t, j, FromNow, true), listen(t, j, FromNow, true)
	defer quick.Close()
	for i := range 3 {
		publish(j, "a")
		if got, want := drain(quick), []string{strconv.Itoa(i+1) + " a"}; !cmp.Equal(got, want) {
			t.Fatalf("the quick reader got %q, want %q", got, want)
		}
	}
	if got, want := drain(slow), []string{"end, slow: true"}; !cmp.Equal(got, want) {
		t.Errorf("the slow reader got %q, want %q", got, want)
	}
}

// TestPastEventsAreSentInOrder checks that all past events are sent in order, however large some
// are, and that no more than the limit is in memory at once.
func TestPastEventsAreSentInOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		j := New(context.Background(), 200, nil)
		n := rapid.IntRange(0, 60).Draw(t, "events")
		for range n {
			if rapid.Bool().Draw(t, "request") {
				j.Add(&Request{Path: strings.Repeat("x", rapid.IntRange(0, maxText).Draw(t, "path")),
					Message: Message{Body: make([]byte, rapid.SampledFrom([]int{0, MaxBody}).Draw(t, "body"))}})
			} else {
				j.Publish(Event{Name: "a",
					Data: make([]byte,
						rapid.SampledFrom([]int{0, 10, 20_000}).Draw(t, "data"))})
			}
		}
		after := rapid.Int64Range(0, int64(n)).Draw(t, "after")
		s := must.Get(j.Listen(after, true))(t)
		defer s.Close()
		next := after + 1
		for e, gap := range s.Missed() {
			if gap != nil || e.ID != next {
				t.Fatalf("event %d and gap %v, want event %d", e.ID, gap, next)
			}
			next++
		}
		if next != int64(n)+1 {
			t.Fatalf("the last of %d events is %d", n, next-1)
		}
	})
}
