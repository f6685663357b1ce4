package journal

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	s, err := j.Listen(after, requests)
	if err != nil {
		t.Fatal(err)
	}
	return s
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

func text(e Event) string {
	if e.Request != nil {
		return fmt.Sprintf("%d %s %d", e.ID, e.Name, e.Request.ID)
	}
	return fmt.Sprintf("%d %s", e.ID, e.Name)
}

// TestRequestsAreTheStreamsOnceItHasBegun adds requests to the journal between the start of a
// stream and the reading of past events. The stream itself sends them.
func TestRequestsAreTheStreamsOnceItHasBegun(t *testing.T) {
	t.Parallel()
	j := newJournal(2)
	publish(j, EventRequest, EventRequest)
	s := listen(t, j, 0, true)
	defer s.Close()
	publish(j, EventRequest, EventRequest, EventRequest)
	if diff := cmp.Diff([]string{"gap 1-2"}, missed(s)); diff != "" {
		t.Errorf("missed, -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"3 request 3", "4 request 4", "5 request 5"}, drain(s)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestWhatIsLostMeanwhileIsToldAsGap has a reader so slow that the journal forgets past events
// before they are read.
func TestWhatIsLostMeanwhileIsToldAsGap(t *testing.T) {
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
		case e.ID == 10+missedAtOnce, e.ID == 61, e.ID == 100:
			got = append(got, text(e))
		}
	}
	want := []string{"11 request 11", fmt.Sprintf("%d request %[1]d", 10+missedAtOnce), fmt.Sprintf("gap %d-60", 11+missedAtOnce), "61 request 61", "100 request 100"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if s.Gap != nil {
		t.Errorf("a gap at first: %v", *s.Gap)
	}
}
