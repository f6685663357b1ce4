package journal

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

// listenAll is Listen where there is room for a stream.
func listenAll(t *testing.T, a *All, after int64) *Stream {
	t.Helper()
	s, err := a.Listen(after)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// gathered returns a journal whose events are told to all, as those of the sandbox.
func gathered(a *All, sandbox string) *Journal {
	j := newJournal(10)
	a.Gather(j, sandbox)
	return j
}

func drainAll(s *Stream) []string {
	var got []string
	for {
		select {
		case e, ok := <-s.Events():
			if !ok {
				return append(got, fmt.Sprintf("end, slow: %t", s.Slow()))
			}
			got = append(got, e.Sandbox+": "+text(e))
		default:
			return got
		}
	}
}

func TestAllHearWhatHappensAnywhere(t *testing.T) {
	t.Parallel()
	a := NewAll(t.Context(), nil)
	ada := gathered(a, "ada")
	publish(ada, "before")
	s := listenAll(t, a, FromNow)
	own := listen(t, ada, FromNow, true)
	publish(ada, "a", EventRequest)
	bob := gathered(a, "bob")
	publish(bob, EventRequest, "b")
	a.Dismiss(ada)
	publish(ada, "after", EventRequest)
	want := []string{
		"ada: 2 a", "ada: 3 request 1", "bob: 4 sandbox.created", "bob: 5 request 1", "bob: 6 b", "ada: 7 sandbox.dropped",
	}
	if diff := cmp.Diff(want, drainAll(s)); s.Gap != nil || diff != "" {
		t.Errorf("gap %v, -want +got:\n%s", s.Gap, diff)
	}
	if diff := cmp.Diff([]string{": 2 a", ": 3 request 1", ": 4 after", ": 5 request 2"}, drainAll(own)); diff != "" {
		t.Errorf("of ada's own, -want +got:\n%s", diff)
	}
	again := listenAll(t, a, 4)
	if diff := cmp.Diff([]string{"5 request 1", "6 b", "7 sandbox.dropped"}, missed(again)); again.Gap != nil || diff != "" {
		t.Errorf("resumed: gap %v, -want +got:\n%s", again.Gap, diff)
	}
}

// TestAllRest wants nothing to be kept before somebody listens, and once what the last
// listener has heard is no longer kept; until then it can be resumed.
func TestAllRest(t *testing.T) {
	t.Parallel()
	a := NewAll(t.Context(), nil)
	ada := gathered(a, "ada")
	publish(ada, "a", EventRequest)
	if held := a.events.Bytes(); held != 0 || a.wanted() {
		t.Fatalf("%d bytes are held though nobody has listened", held)
	}
	listenAll(t, a, FromNow).Close()
	publish(ada, "b", EventRequest)
	resumed := listenAll(t, a, 1)
	if diff := cmp.Diff([]string{"2 b", "3 request 2"}, missed(resumed)); resumed.Gap != nil || diff != "" {
		t.Errorf("resumed: gap %v, -want +got:\n%s", resumed.Gap, diff)
	}
	resumed.Close()
	for range maxEvents + 2 {
		publish(ada, "c")
	}
	if held := a.events.Bytes(); held != 0 || a.wanted() {
		t.Errorf("%d bytes are held long after the last listener", held)
	}
	late := listenAll(t, a, 3)
	if late.Gap == nil || late.Gap.From != 4 || late.Gap.To != a.events.hub.last {
		t.Errorf("who comes back late is told the gap %+v, want from 4 to %d", late.Gap, a.events.hub.last)
	}
	publish(ada, "d")
	if got := drainAll(late); len(got) != 1 || !strings.HasSuffix(got[0], " d") {
		t.Errorf("then it hears %q", got)
	}
}

// TestAllAreBounded wants what is kept for all to stay within the bytes of events, however
// large requests are.
func TestAllAreBounded(t *testing.T) {
	t.Parallel()
	a := NewAll(t.Context(), nil)
	ada := gathered(a, "ada")
	s := listenAll(t, a, FromNow)
	defer s.Close()
	r := Request{Path: "/pets", Message: Message{Body: []byte(strings.Repeat("x", MaxBody)), Size: MaxBody}}
	for range 500 {
		ada.Add(&r)
		<-s.Events()
	}
	if held := a.events.Bytes() - streamBytes; held > maxEventBytes || held < maxEventBytes/2 {
		t.Errorf("%d bytes are held, want at most %d", held, maxEventBytes)
	}
	for range maxWaiting + 1 {
		publish(ada, "a")
	}
	if got := drainAll(s); got[len(got)-1] != "end, slow: true" {
		t.Errorf("who does not read hears %q in the end", got[len(got)-1])
	}
	for range maxStreams {
		listenAll(t, a, FromNow)
	}
	if _, err := a.Listen(FromNow); err != ErrStreams {
		t.Errorf("one stream more: %v", err)
	}
}

func TestAllEndWithTheirLife(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		life, end := context.WithCancel(t.Context())
		s := listenAll(t, NewAll(life, nil), FromNow)
		end()
		synctest.Wait()
		if diff := cmp.Diff([]string{"end, slow: false"}, drainAll(s)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

// TestAllAtOnce has sandboxes come, work and go while others listen: each listener hears
// ids that count up one by one.
func TestAllAtOnce(t *testing.T) {
	t.Parallel()
	a := NewAll(t.Context(), nil)
	var listeners, writers sync.WaitGroup
	for range 3 {
		s := listenAll(t, a, FromNow)
		listeners.Go(func() {
			last := int64(0)
			for e := range s.Events() {
				if last > 0 && e.ID != last+1 {
					t.Errorf("event %d comes after %d", e.ID, last)
				}
				if last = e.ID; e.Name == "end" {
					s.Close()
					return
				}
			}
		})
	}
	for i := range 8 {
		writers.Go(func() {
			j := gathered(a, fmt.Sprint("s", i))
			publish(j, "a", EventRequest, "b", EventRequest)
			a.Dismiss(j)
		})
	}
	writers.Wait()
	publish(gathered(a, "last"), "end")
	listeners.Wait()
}

// BenchmarkAdd is a request whose sandbox is told to all, with and without a listener.
func BenchmarkAdd(b *testing.B) {
	for _, listeners := range []int{0, 1} {
		b.Run(fmt.Sprintf("listeners=%d", listeners), func(b *testing.B) {
			a := NewAll(b.Context(), nil)
			j := New(b.Context(), 1000, nil)
			a.Gather(j, "ada")
			hear := func() {}
			if listeners > 0 {
				s, err := a.Listen(FromNow)
				if err != nil {
					b.Fatal(err)
				}
				hear = func() { <-s.Events() }
			}
			r := Request{Method: "GET", Path: "/pets", Status: 200, Message: Message{Headers: map[string][]string{"Accept": {"*/*"}}}}
			b.ReportAllocs()
			for b.Loop() {
				j.Add(&r)
				hear()
			}
		})
	}
}
