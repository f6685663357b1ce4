package journal

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/petstore/handlers/internal/must"
)

func publish(j *Journal, names ...string) {
	for _, name := range names {
		if name == EventRequest {
			j.Add(&Request{Path: "/pets"})
		} else {
			j.Publish(Event{Name: name})
		}
	}
}

// listen calls Listen and fails the test if there is no room for a stream.
func listen(t *testing.T, j *Journal, after int64, requests bool) *Stream {
	t.Helper()
	return must.Get(j.Listen(after, requests))(t)
}

// drain returns the received events as texts, such as "3 pet.created".
func drain(s *Stream) []string {
	var got []string
	for {
		select {
		case e, ok := <-s.Events():
			if !ok {
				return append(got, fmt.Sprintf("end, slow: %t", s.Slow()))
			}
			got = append(got, text(e))
		default:
			return got
		}
	}
}

func missed(s *Stream) []string {
	var got []string
	for e, gap := range s.Missed() {
		if gap != nil {
			got = append(got, fmt.Sprintf("gap %d-%d", gap.From, gap.To))
		} else {
			got = append(got, text(e))
		}
	}
	return got
}

// text returns an event as "3 pet.created", or as "ada 3 pet.created" in a stream of all sandboxes.
func text(e Event) string {
	text := strings.TrimSpace(fmt.Sprintf("%s %d %s", e.Sandbox, e.ID, e.Name))
	if e.Request != nil {
		text += fmt.Sprint(" ", e.Request.ID)
	}
	return text
}

// TestRequestsDuringSubscribe adds requests to the journal between the start of a
// stream and the reading of past events. The stream itself sends them.
func TestRequestsDuringSubscribe(t *testing.T) {
	t.Parallel()
	j := newJournal(2)
	publish(j, EventRequest, EventRequest)
	s := listen(t, j, 0, true)
	defer s.Close()
	publish(j, EventRequest, EventRequest, EventRequest)
	must.Equal(t, []string{"gap 1-2"}, missed(s), "missed")
	must.Equal(t, []string{"3 request 3", "4 request 4", "5 request 5"}, drain(s), "events")
}

// TestForgottenEventsAreReportedAsGap has a reader so slow that the journal forgets past events
// before they are read.
func TestForgottenEventsAreReportedAsGap(t *testing.T) {
	t.Parallel()
	j := newJournal(100)
	for range 100 {
		publish(j, EventRequest)
	}
	s := listen(t, j, 10, true)
	defer s.Close()
	var got []string
	for e, gap := range s.Missed() {
		switch {
		case gap != nil:
			got = append(got, fmt.Sprintf("gap %d-%d", gap.From, gap.To))
		case e.ID == 11:
			for range 60 { // drops entries up to the 60th
				publish(j, EventRequest)
			}
			fallthrough
		case e.ID == 61, e.ID == 100:
			got = append(got, text(e))
		}
	}
	want := []string{"11 request 11", "gap 12-60", "61 request 61", "100 request 100"}
	must.Equal(t, want, got, "events")
	if s.Gap != nil {
		t.Errorf("a gap at first: %v", *s.Gap)
	}
}

// listenAll calls Listen and fails the test if there is no room for a stream.
func listenAll(t *testing.T, a *All, after int64) *Stream {
	t.Helper()
	return must.Get(a.Listen(after))(t)
}

// newJournalOf returns a journal that sends its events to all, as those of the named sandbox.
func newJournalOf(a *All, sandbox string) *Journal {
	j := newJournal(10)
	a.Gather(j, sandbox)
	return j
}

// TestAllKeepsEventsForListeners checks that no events are kept before the first listener, and that a
// listener can resume.
func TestAllKeepsEventsForListeners(t *testing.T) {
	t.Parallel()
	a := NewAll(t.Context(), nil)
	ada := newJournalOf(a, "ada")
	publish(ada, "a", EventRequest)
	if held := a.hub.bytesHeld(); held != 0 || a.on.Load() {
		t.Fatalf("%d bytes are held without a listener", held)
	}
	listenAll(t, a, FromNow).Close()
	publish(ada, "b", EventRequest)
	resumed := listenAll(t, a, 1)
	if diff := cmp.Diff([]string{"ada 2 b", "ada 3 request 2"}, missed(resumed)); resumed.Gap != nil || diff != "" {
		t.Errorf("resumed: gap %v, -want +got:\n%s", resumed.Gap, diff)
	}
	resumed.Close()
	for range maxEvents + 2 {
		publish(ada, "c")
	}
	late := listenAll(t, a, 3)
	if late.Gap == nil || late.Gap.From != 4 || late.Gap.To != a.hub.last-maxEvents {
		t.Errorf("the gap of a late reader is %+v, want from 4 to %d", late.Gap, a.hub.last-maxEvents)
	}
	publish(ada, "d")
	if got := drain(late); len(got) != 1 || !strings.HasSuffix(got[0], " d") {
		t.Errorf("then it hears %q", got)
	}
}

// TestAllIsBounded checks that the events kept for all sandboxes stay within the byte limit of
// events, however large requests are.
func TestAllIsBounded(t *testing.T) {
	t.Parallel()
	a := NewAll(t.Context(), nil)
	ada := newJournalOf(a, "ada")
	s := listenAll(t, a, FromNow)
	defer s.Close()
	r := Request{Path: "/pets", Message: Message{Body: []byte(strings.Repeat("x", MaxBody)), Size: MaxBody}}
	for range 500 {
		ada.Add(&r)
		<-s.Events()
	}
	if held := a.hub.bytesHeld() - streamBytes; held > maxEventBytes || held < maxEventBytes/2 {
		t.Errorf("%d bytes are held, want at most %d", held, maxEventBytes)
	}
	for range maxWaiting + 1 {
		publish(ada, "a")
	}
	if got := drain(s); got[len(got)-1] != "end, slow: true" {
		t.Errorf("the last event of a slow reader is %q", got[len(got)-1])
	}
	for range maxStreams {
		listenAll(t, a, FromNow)
	}
	if _, err := a.Listen(FromNow); err != ErrStreams {
		t.Errorf("one stream more: %v", err)
	}
}

// TestConcurrentListenersOfAll creates, uses and drops sandboxes while others listen. Each listener gets
// consecutive ids.
func TestConcurrentListenersOfAll(t *testing.T) {
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
			j := newJournalOf(a, fmt.Sprint("s", i))
			publish(j, "a", EventRequest, "b", EventRequest)
			a.Dismiss(j)
		})
	}
	writers.Wait()
	publish(newJournalOf(a, "last"), "end")
	listeners.Wait()
}
